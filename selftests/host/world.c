// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include "../tablefile.h"
#include "world.h"

enum {
	MAX_ROWS	= 1500,
	RANGE_PAGES	= MAX_PGOFF / MAX_RANGES,	/* above those of CODE_BYTES */
};

u32 world_new_tag(void)
{
	static u32 tag;

	return ++tag;
}

static int by_value(const void *a, const void *b)
{
	const u32 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* nr addresses in and around the code, sorted; some of them touch */
static void make_bounds(const struct world *w, u32 *bound, u32 nr, u32 unit)
{
	u32 i;

	for (i = 0; i < nr; i++)
		bound[i] = w->is_sane ? w->function[random_below(w->nr_functions)].start :
			   CODE_AT + random_below(CODE_BYTES / unit + 1) * unit;
	qsort(bound, nr, sizeof(*bound), by_value);
	for (i = 1; i + 1 < nr; i += 2) {
		if (random_below(8))
			bound[i] = bound[i + 1];
	}
	if (random_below(8)) {
		bound[0] = CODE_AT;
		bound[nr - 1] = CODE_AT + CODE_BYTES;
	}
}

static u32 some_abi(const struct world *w)
{
	if (w->is_sane)
		return random_below(16) ? w->abi : A32_ABI_NONE;
	return random_below(8) ? w->abi : random_below(A32_ABI_AUTO);
}

static bool has_true_table(const struct world *w)
{
	return w->with_tables && w->is_sane;
}

static void make_map(struct world *w)
{
	u32 bound[2 * MAX_RANGES], nr = 1 + random_below(MAX_RANGES), i;

	make_bounds(w, bound, 2 * nr, random_below(2) ? PAGE : 0x100);
	w->chunk.nr = 0;
	for (i = 0; i < nr; i++) {
		if (bound[2 * i] < bound[2 * i + 1])
			w->chunk.range[w->chunk.nr++] = (struct a32_range){
				bound[2 * i], bound[2 * i + 1], has_true_table(w) ?
				w->chunk.nr * RANGE_PAGES : random_below(MAX_PGOFF),
				.changes = !random_below(4),
				.code = &w->file[random_below(MAX_CODES)],
			};
	}
	w->chunk.range[w->chunk.nr++] = (struct a32_range){
		UPROBES_AT, UPROBES_AT + PAGE, .changes = 1, .code = &w->file[UPROBES],
	};
	nr = random_below(MAX_RULES + 1);
	if (nr)
		make_bounds(w, bound, 2 * nr, 0x80);
	w->rules.nr = 0;
	for (i = 0; i < nr; i++) {
		if (bound[2 * i] < bound[2 * i + 1])
			w->rules.rule[w->rules.nr++] = (struct a32_abi_rule){
				bound[2 * i], bound[2 * i + 1], some_abi(w),
			};
	}
	w->default_abi = some_abi(w);
}

static s16 random_slot(void)
{
	switch (random_below(8)) {
	case 0:
		return A32_TABLE_LOST;
	case 1:
		return A32_TABLE_IN_REG(random_below(15));
	case 2:
	case 3:
		return A32_TABLE_SAME;
	default:
		return 1 - (s32)random_below(6);
	}
}

static struct a32_table_rule random_row(void)
{
	static const u8 regs[] = { SP, SP, SP, R7, R11 };
	struct a32_table_rule rule = { .kind = random_below(8) ? 0 : random_below(4) };

	if (rule.kind != A32_TABLE_FRAME)
		return rule;
	rule.cfa_reg = random_below(8) ? PICK(regs) : random_below(15);
	rule.cfa_off = random_below(16) ? 4 * random_below(8) : -4 * (s32)random_below(8);
	do {
		rule.ra = random_below(3) ? 1 - (s32)random_below(4) : random_slot();
	} while (rule.ra == A32_TABLE_SAME || rule.ra == A32_TABLE_LOST);
	rule.r7 = random_slot();
	rule.r11 = random_slot();
	return rule;
}

static void set_table(struct world *w, const struct tablefile_row *row, u32 nr, u32 end)
{
	u32 size;

	free(w->table_data);
	w->table_data = tablefile_write(row, nr, end, end, &size);
	if (!a32_table_check(w->table_data, size))
		abort();
	a32_table_open(&w->table, w->table_data, w->table_rule, w->table_line);
}

/* What a function's body has on the stack */
static struct a32_table_rule true_rule(const struct world *w, const struct shape *shape)
{
	struct a32_table_rule rule = TABLEFILE_FRAME(SP, shape->size, A32_TABLE_IN_REG(LR),
						     A32_TABLE_SAME, A32_TABLE_SAME);

	if (shape->ra)
		rule.ra = -(s32)shape->ra / 4;
	if (shape->saved && w->abi == A32_ABI_AAPCS_R7)
		rule.r7 = -(s32)shape->saved / 4;
	else if (shape->saved)
		rule.r11 = -(s32)shape->saved / 4;
	return rule;
}

/* True where threads are made to be, in bodies. Each range is in a place of its own in its file. */
static void make_true_table(struct world *w)
{
	struct tablefile_row row[MAX_FUNCTIONS + 1] = { { 0, TABLEFILE_KIND(NO_DATA) } };
	const struct a32_range *range = w->chunk.range;
	u32 i, nr = 0;

	for (; range < w->chunk.range + w->chunk.nr; range++) {
		for (i = 0; i < w->nr_functions; i++) {
			const struct function *f = &w->function[i];

			if (f->start - range->start >= range->end - range->start)
				continue;
			row[nr].offset = range->pgoff * PAGE + f->start - range->start;
			row[nr++].rule = true_rule(w, &shapes[f->shape]);
		}
	}
	set_table(w, row, nr ? nr : 1, MAX_PGOFF * PAGE);
}

/* It says anything of anything. */
static void make_table(struct world *w)
{
	static struct tablefile_row row[MAX_ROWS];
	struct a32_table_rule kind[MAX_KINDS];
	u32 end = MAX_PGOFF * PAGE + CODE_BYTES, at = 0, nr, i;

	for (i = 0; i < MAX_KINDS; i++)
		kind[i] = random_row();
	for (nr = 0; nr < MAX_ROWS && at < end; nr++) {
		row[nr] = (struct tablefile_row){ at, PICK(kind) };
		at += 2 + 2 * random_below(256);
	}
	set_table(w, row, nr, end);
}

static void make_files(struct world *w)
{
	u32 i;

	if (w->with_tables && !w->is_sane)
		make_table(w);
	for (i = 0; i < NR(w->file); i++)
		w->file[i] = (struct a32_code){
			.abi = random_below(8) ? some_abi(w) : A32_ABI_DEFAULT,
			.special = i == UPROBES ? SPECIAL_UPROBES :
				   w->is_sane || random_below(32) ? SPECIAL_NONE :
				   random_below(2) ? SPECIAL_VDSO : SPECIAL_SIGPAGE,
			.auto_abi = A32_ABI_NONE,
			.table = w->with_tables && i < MAX_CODES && random_below(2) ? &w->table :
				 NULL,
			.counts = &w->counts[i],
		};
}

/* Up to three holes in the code can't be read, nor what is behind the stack. */
static void make_memory(struct world *w)
{
	u32 bound[6], at = 0, nr = random_below(3), i;

	for (i = 0; i < 2 * nr; i++)
		bound[i] = random_below(CODE_BYTES / 2) * 2;
	qsort(bound, 2 * nr, sizeof(*bound), by_value);
	for (i = 0; i < nr; i++) {
		if (bound[2 * i + 1] - bound[2 * i] > PAGE / 2)
			bound[2 * i + 1] = bound[2 * i] + PAGE / 2;
	}
	a32_memory.nr = 0;
	a32_host_region_add(STACK_AT, STACK_BYTES - random_below(8) * 4, w->stack);
	for (i = 0; i < nr; i++) {
		if (bound[2 * i] > at)
			a32_host_region_add(CODE_AT + at, bound[2 * i] - at, w->code + at);
		at = bound[2 * i + 1];
	}
	a32_host_region_add(CODE_AT + at, CODE_BYTES - at, w->code + at);
	if (random_below(2))
		a32_host_region_add(A32_KUSER_START, A32_KUSER_SIZE, w->kuser);
}

void world_make(struct world *w)
{
	static const u32 noise[] = { 4, 32, 1000, 100000 };
	u32 i, insn;

	w->abi = A32_ABI_NONE + 1 + random_below(A32_ABI_AUTO - 1);
	w->thumb = w->abi == A32_ABI_AAPCS_R7 || (w->abi == A32_ABI_AAPCS && random_below(2));
	w->nr_places = 0;
	random_fill(w->code, CODE_BYTES);
	w->is_sane = random_below(2);
	if (w->is_sane)
		world_write_functions(w, 0, CODE_BYTES);
	else
		world_write_code(w, 0, CODE_BYTES, PICK(noise));
	for (i = 0; i < A32_KUSER_SIZE; i += 4) {
		insn = world_arm_insn();
		memcpy(w->kuser + i, &insn, 4);
	}
	make_files(w);
	make_map(w);
	if (has_true_table(w))
		make_true_table(w);
	w->map.nr = 1;
	w->map.slot[0] = (struct a32_slot){ 0, (const void *)&w->chunk };
	w->space = (struct a32_space){
		.map = (const void *)&w->map,
		.ranges = random_below(2) ? (const void *)&w->rules : NULL,
		.default_abi = &w->default_abi,
		.tag = world_new_tag(),
	};
	make_memory(w);
}

/* What is true for one walk only changes now; all else with another tag. */
void world_change(struct world *w)
{
	const struct a32_range *range = &w->chunk.range[random_below(w->chunk.nr)];

	if (!random_below(8)) {
		w->space.tag = world_new_tag();
		if (w->is_sane && random_below(2))
			world_write_functions(w, 0, CODE_BYTES);
		else if (!w->is_sane)
			world_write_code(w, 0, CODE_BYTES, 100);
		make_map(w);
		if (has_true_table(w))
			make_true_table(w);
	} else if (!w->is_sane && range->changes && range->start < UPROBES_AT) {
		world_write_code(w, ((range->start + 3) & ~3) - CODE_AT, range->end - CODE_AT, 100);
	}
	if (!random_below(4))
		make_memory(w);
}
