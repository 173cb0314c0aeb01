// SPDX-License-Identifier: GPL-2.0
#include "elf_file.h"
#include "flow.h"
#include "insn.h"
#include "util.h"

/* Instructions behind one call; no function of these programs has as many. */
#define REACH_MAX	100000

/* How many libraries a call can go through by tail calls. */
#define DEPTH_MAX	4

/**
 * struct reach - what is reached from one address
 * @at: where, an offset with the Thumb bit
 * @offsets: of instructions, ascending
 * @nr: how many
 * @imports: symbols of other files that it jumps to
 * @nr_imports: how many
 * @open: there is a jump that isn't understood
 */
struct reach {
	uint32_t at;
	uint32_t *offsets;
	size_t nr;
	const char **imports;
	size_t nr_imports;
	bool open;
};

struct walk {
	const struct file *file;
	struct reach *reach;
	uint32_t *todo;
	size_t nr_todo;
	uint8_t *seen;	/* a bit for each halfword of the file */
};

static void todo(struct walk *w, uint32_t at)
{
	w->todo = grow(w->todo, w->nr_todo, sizeof(*w->todo));
	w->todo[w->nr_todo++] = at;
}

static bool first_visit(struct walk *w, uint32_t offset)
{
	uint8_t bit = 1 << (offset / 2 % 8), *byte = &w->seen[offset / 16];

	if (*byte & bit)
		return false;
	*byte |= bit;
	w->reach->offsets = grow(w->reach->offsets, w->reach->nr, sizeof(*w->reach->offsets));
	w->reach->offsets[w->reach->nr++] = offset;
	return true;
}

static void import(struct walk *w, const char *symbol)
{
	struct reach *r = w->reach;

	r->imports = grow(r->imports, r->nr_imports, sizeof(*r->imports));
	r->imports[r->nr_imports++] = symbol;
}

/* tbb, tbh: the table ends where the first of its targets is, at the latest. */
static void follow_table(struct walk *w, const struct insn *insn)
{
	uint32_t base = insn->next & ~1, end = base + 2 * 256 * 256, at, entry;

	for (at = base; at + insn->table <= end; at += insn->table) {
		const uint8_t *p = file_at(w->file, at, insn->table);

		if (!p)
			break;
		entry = insn->table == 2 ? p[0] | p[1] << 8 : p[0];
		if (base + 2 * entry < end)
			end = base + 2 * entry;
		todo(w, (base + 2 * entry) | 1);
	}
	/* What was taken for entries behind its end leads to more, not to less. */
}

/* str lr, [sp, #-4]!; ldr lr, [pc, #4]; add lr, pc, lr; ldr pc, [lr, #8]! */
enum { PLT_HEADER = 16 };

static void follow(struct walk *w, uint32_t at)
{
	struct insn insn;
	const char *symbol;
	unsigned int it = 0, size, i;
	uint32_t lazy;

	while ((at & ~1) + 4 <= w->file->size && first_visit(w, at & ~1)) {
		if (w->reach->nr > REACH_MAX) {
			w->reach->open = true;
			return;
		}
		symbol = at & 1 ? NULL : elf_plt(w->file, at, &size, &lazy);
		if (symbol) {
			import(w, symbol);
			/* Where that jumps to is known: to the dynamic linker. */
			for (i = 0; i < PLT_HEADER; i += 4)
				first_visit(w, lazy + i);
			for (size -= 4; size; size -= 4)
				first_visit(w, at += 4);
			return;
		}
		insn_decode(w->file, at, &insn);
		if (it) {
			it--;
			insn.conditional = true;
		}
		if (insn.it)
			it = insn.it;
		if (insn.kind == INSN_JUMP)
			todo(w, insn.target);
		if (insn.kind == INSN_TABLE)
			follow_table(w, &insn);
		if (insn.kind == INSN_JUMP_ANY)
			w->reach->open = true;
		if (insn.kind != INSN_OTHER && insn.kind != INSN_CALL && !insn.conditional)
			return;
		at = insn.next;
	}
}

static int by_offset(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static struct reach *explore(const struct file *file, uint32_t at)
{
	struct reach *reach = grow(NULL, 0, sizeof(*reach));
	struct walk w = { .file = file, .reach = reach };

	reach->at = at;
	w.seen = calloc(1, file->size / 16 + 1);
	if (!w.seen)
		die("out of memory");
	todo(&w, at);
	while (w.nr_todo)
		follow(&w, w.todo[--w.nr_todo]);
	free(w.seen);
	free(w.todo);
	qsort(reach->offsets, reach->nr, sizeof(*reach->offsets), by_offset);
	return reach;
}

/* Each is explored once; a file has few that are asked for. */
static const struct reach *reach_of(struct file *file, uint32_t at)
{
	size_t i;

	for (i = 0; i < file->nr_reaches; i++)
		if (file->reaches[i]->at == at)
			return file->reaches[i];
	file->reaches = grow(file->reaches, file->nr_reaches, sizeof(*file->reaches));
	file->reaches[file->nr_reaches] = explore(file, at);
	return file->reaches[file->nr_reaches++];
}

/* In the dynamic linker's order, which is that of the mappings but for itself: it is the last. */
static const struct elf_symbol *resolve(const struct process *proc, const char *name,
					struct file **file)
{
	const struct elf_symbol *symbol;
	int last;
	size_t i;

	for (last = 0; last <= 1; last++)
		for (i = 0; i < proc->nr_maps; i++) {
			*file = proc->maps[i].file;
			symbol = (*file)->loader == last ? elf_symbol(*file, name) : NULL;
			if (symbol)
				return symbol;
		}
	return NULL;
}

static bool reaches(const struct reach *reach, uint32_t offset)
{
	return bsearch(&offset, reach->offsets, reach->nr, sizeof(offset), by_offset);
}

static enum flow leads(const struct process *proc, struct file *from, uint32_t at,
		       struct file *callee, uint32_t offset, unsigned int depth)
{
	const struct reach *reach = reach_of(from, at);
	enum flow best = reach->open ? FLOW_UNKNOWN : FLOW_NO, flow;
	const struct elf_symbol *symbol;
	struct file *file;
	size_t i;

	if (from == callee && reaches(reach, offset))
		return FLOW_YES;
	/* An import that is looked up when it is first called */
	if (reach->nr_imports && callee->loader)
		return FLOW_YES;
	for (i = 0; i < reach->nr_imports; i++) {
		symbol = depth ? resolve(proc, reach->imports[i], &file) : NULL;
		flow = symbol && !symbol->resolver ?
		       leads(proc, file, symbol->at, callee, offset, depth - 1) : FLOW_UNKNOWN;
		if (flow == FLOW_YES)
			return flow;
		if (flow == FLOW_UNKNOWN)
			best = flow;
	}
	return best;
}

enum flow flow_leads(const struct process *proc, struct file *caller, uint32_t ret,
		     struct file *callee, uint32_t offset)
{
	enum flow flow;
	uint32_t target;

	if (!callee || !callee->image || !insn_call_target(caller, ret, &target))
		return FLOW_UNKNOWN;
	flow = leads(proc, caller, target, callee, offset, DEPTH_MAX);
	/* An exception is thrown to a landing pad, where no jump goes to. */
	return flow == FLOW_NO && elf_has_pads(callee, offset) ? FLOW_UNKNOWN : flow;
}
