// SPDX-License-Identifier: GPL-2.0
#include "../module/core/insn.h"
#include "combine.h"

/**
 * struct calls - the calls of a function, one after the other
 * @image: the file
 * @addr: of the next instruction
 * @end: of the function
 * @thumb: its instruction set
 */
struct calls {
	const struct image *image;
	uint32_t addr;
	uint32_t end;
	bool thumb;
};

static bool is_call(const struct image *image, const struct a32_insn *i)
{
	const struct segment *segment;

	if (i->op != OP_CALL || !i->target)
		return i->op == OP_CALL;
	segment = image_at(image, i->target & ~1u, 2);
	return segment && segment->executable;
}

/*
 * Literals and jump tables are taken for code, too. Few of those that look
 * like a call have a target, and a row on them does no harm: they never run.
 */
static bool next_call(struct calls *calls, uint32_t *addr, uint32_t *behind)
{
	struct a32_insn i;

	while (calls->addr < calls->end &&
	       image_insn(calls->image, calls->addr | calls->thumb, &i)) {
		*addr = calls->addr;
		calls->addr += i.len;
		*behind = calls->addr;
		if (*behind <= calls->end && is_call(calls->image, &i))
			return true;
	}
	return false;
}

static struct calls calls_of(const struct combination *c, const struct function *f)
{
	return (struct calls){
		.image = c->image, .addr = f->start, .end = f->end, .thumb = f->thumb,
	};
}

/**
 * enum verdict - what the calls say to what the code says
 * @NOTHING: there is none of which the index says something
 * @SAME: what the index says of them is the same
 * @WRONG: what the index says of one is something else, or lr would be lost
 */
enum verdict { NOTHING, SAME, WRONG };

/*
 * Who calls without having saved lr can't return. Code of which that is said
 * is the middle of a function that was taken for one.
 */
static bool loses_lr(const struct a32_table_rule *rule)
{
	return rule->kind == A32_TABLE_FRAME && rule->ra == A32_TABLE_IN_REG(LR);
}

static enum verdict judge(const struct combination *c, const struct function *f,
			  const struct rows *code)
{
	struct calls calls = calls_of(c, f);
	const struct a32_table_rule *by_code;
	enum verdict verdict = NOTHING;
	struct a32_table_rule by_index;
	uint32_t addr, behind;

	while (next_call(&calls, &addr, &behind)) {
		by_code = rows_at(code, addr);
		if (!by_code || by_code->kind != A32_TABLE_FRAME)
			continue;
		if (loses_lr(by_code))
			return WRONG;
		if (!exidx_rule(c->image, c->exidx, addr, &by_index))
			continue;
		if (rule_contradicts(by_code, &by_index))
			return WRONG;
		verdict = SAME;
	}
	return verdict;
}

/* The index's rules at calls, and nothing elsewhere */
static void index_rows(const struct combination *c, const struct function *f, struct rows *rows)
{
	struct a32_table_rule none = rule_of_kind(A32_TABLE_NO_DATA, 0), rule;
	struct calls calls = calls_of(c, f);
	uint32_t addr, behind;

	rows_add(rows, f->start, &none);
	while (next_call(&calls, &addr, &behind)) {
		if (!exidx_rule(c->image, c->exidx, addr, &rule))
			continue;
		rows_add(rows, addr, &rule);
		rows_add(rows, behind, &none);
	}
}

/* What the code has decided; @undecided gets the rest. */
static void split(const struct rows *code, enum verdict verdict, struct rows *decided,
		  struct rows *undecided)
{
	struct a32_table_rule none = rule_of_kind(A32_TABLE_NO_DATA, 0), rule;
	bool is_decided;
	size_t i;

	for (i = 0; i < code->nr; i++) {
		rule = code->row[i].rule;
		if (verdict == SAME && rule.kind != A32_TABLE_NO_DATA)
			rule.source = A32_TABLE_EXIDX;
		is_decided = rule.kind == A32_TABLE_FRAME || rule.kind == A32_TABLE_OUTERMOST;
		rows_add(decided, code->row[i].addr, is_decided ? &rule : &none);
		rows_add(undecided, code->row[i].addr, is_decided ? &none : &rule);
	}
}

static void merge(const struct combination *c, const struct function *f,
		  const struct rows *code, enum verdict verdict, struct rows *rows)
{
	struct rows decided = { 0 }, undecided = { 0 }, index = { 0 }, all = { 0 };
	size_t i;

	split(code, verdict, &decided, &undecided);
	index_rows(c, f, &index);
	rows_overlay(&index, &undecided, &all);
	rows_free(&index);
	rows_overlay(&decided, &all, &index);
	for (i = 0; i < index.nr; i++)
		rows_add(rows, index.row[i].addr, &index.row[i].rule);
	rows_free(&decided);
	rows_free(&undecided);
	rows_free(&index);
	rows_free(&all);
}

void combine(struct combination *c, const struct function *f, struct rows *rows)
{
	struct a32_table_rule none = rule_of_kind(A32_TABLE_NO_DATA, 0);
	struct a32_table_rule stop = rule_of_kind(A32_TABLE_STOP, A32_TABLE_CODE);
	struct rows code = { 0 };
	enum verdict verdict;

	if (c->use_code)
		analyse_function(c->image, c->functions, f, &code);
	else
		rows_add(&code, f->start, &none);
	verdict = judge(c, f, &code);
	if (verdict == WRONG) {
		c->nr_conflicts++;
		rows_free(&code);
		rows_add(&code, f->start, &stop);
	}
	merge(c, f, &code, verdict, rows);
	rows_free(&code);
}
