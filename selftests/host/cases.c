// SPDX-License-Identifier: GPL-2.0
#include "../../module/core/kuser.h"
#include "cases.h"
#include "tap.h"

static const char *const stop_names[] = A32_STOP_NAMES;

static struct a32_counts counts;
static struct a32_code file = { .counts = &counts };
static struct a32_code library = { .counts = &counts };
static struct a32_code nowhere = { .counts = &counts };
static struct a32_code uprobes = { .special = SPECIAL_UPROBES, .counts = &counts };
static struct {
	u32 nr;
	struct a32_range range[3];
} chunk = { 3, {
	{ CODE_START, LIBRARY_AT, 0, .code = &file },
	{ LIBRARY_AT, CODE_START + CODE_SIZE, 1, .code = &library },
	{ UPROBES_AT, UPROBES_AT + 0x1000, 0, .changes = 1, .code = &uprobes },
} };
static struct {
	u32 nr;
	struct a32_slot slot[1];
} map = { 1, { { 0, (const void *)&chunk } } };

u32 thread_code(struct thread *t, u32 addr, u32 code, u32 len)
{
	u8 *at = t->code + (addr - CODE_START);
	u16 half = code >> 16;

	if (t->thumb && len == 4) {
		memcpy(at, &half, 2);
		half = code;
		memcpy(at + 2, &half, 2);
	} else {
		memcpy(at, &code, len);
	}
	return addr + len;
}

void thread_poke(struct thread *t, u32 addr, u32 val)
{
	memcpy(t->stack + (addr - STACK_START), &val, 4);
}

u32 thread_peek(const struct thread *t, u32 addr)
{
	u32 val;

	memcpy(&val, t->stack + (addr - STACK_START), 4);
	return val;
}

/* DDI 0406C, A8.8.25 */
u32 thread_call(struct thread *t, u32 addr, u32 target)
{
	u32 off = target - addr - (t->thumb ? 4 : 8), s = off >> 31;
	u32 j1 = !(off >> 23 & 1) ^ s, j2 = !(off >> 22 & 1) ^ s;

	if (!t->thumb)
		return thread_code(t, addr, 0xeb000000 | (off >> 2 & 0xffffff), 4);
	return thread_code(t, addr, (0xf000 | s << 10 | (off >> 12 & 0x3ff)) << 16 |
			   0xd000 | j1 << 13 | j2 << 11 | (off >> 1 & 0x7ff), 4);
}

/* A non-leaf function of each ABI: what it does before and after its call */
static const struct shape {
	bool thumb;
	u32 before[3];
	u32 after;
	u32 size;	/* bytes pushed */
	s32 ra;		/* from the CFA */
	s32 saved;
	s32 fp;
} shapes[2][A32_ABI_NR] = { {
	/* mov ip, sp; push {fp, ip, lr, pc}; sub fp, ip, #4; bl; ldm sp, {fp, sp, pc} */
	[A32_ABI_APCS] = { false, { 0xe1a0c00d, 0xe92dd800, 0xe24cb004 }, 0xe89da800,
			   16, -8, -16, -4 },
	/* push {fp, lr}; mov fp, sp; bl; pop {fp, pc} */
	[A32_ABI_AAPCS] = { false, { 0xe92d4800, 0xe1a0b00d }, 0xe8bd8800, 8, -4, -8, -8 },
	/* push {fp, lr}; add fp, sp, #4; bl; pop {fp, pc} */
	[A32_ABI_GCC] = { false, { 0xe92d4800, 0xe28db004 }, 0xe8bd8800, 8, -4, -8, -4 },
}, {
	/* push.w {fp, lr}; mov fp, sp; bl; pop.w {fp, pc} */
	[A32_ABI_AAPCS] = { true, { 0xe92d4800, 0x46eb }, 0xe8bd8800, 8, -4, -8, -8 },
	/* push {r7, lr}; mov r7, sp; bl; pop {r7, pc} */
	[A32_ABI_AAPCS_R7] = { true, { 0xb580, 0x466f }, 0xbd80, 8, -4, -8, -8 },
} };

static u32 put(struct thread *t, u32 addr, u32 code)
{
	return thread_code(t, addr, code, t->thumb && code < 0xe800 ? 2 : 4);
}

/* Returns where it goes on after its call. */
static u32 make_function(struct thread *t, u32 at, u32 target)
{
	const struct shape *shape = &shapes[t->thumb][t->abi];
	u32 i, ret;

	for (i = 0; i < 3 && shape->before[i]; i++)
		at = put(t, at, shape->before[i]);
	ret = thread_call(t, at, target);
	put(t, ret, shape->after);
	return ret;
}

/* A frame that has called; returns its frame register. */
static u32 make_frame(struct thread *t, u32 cfa, u32 ret, u32 fp)
{
	const struct shape *shape = &shapes[t->thumb][t->abi];

	thread_poke(t, cfa + shape->ra, ret | t->thumb);
	thread_poke(t, cfa + shape->saved, fp);
	if (t->abi == A32_ABI_APCS) {
		thread_poke(t, cfa - 12, cfa);
		thread_poke(t, cfa - 4, OUTER_AT + 12);
	}
	return cfa + shape->fp;
}

u32 thread_frame_register(const struct thread *t)
{
	return t->abi == A32_ABI_AAPCS_R7 ? R7 : R11;
}

/* mov fp, #0 (r7 in Thumb); mov lr, #0; bl OUTER */
static u32 make_start(struct thread *t)
{
	u32 at = START_AT;

	if (t->thumb) {
		at = thread_code(t, at, 0xf04f0b00, 4);
		at = thread_code(t, at, 0x2700, 2);
		at = thread_code(t, at, 0xf04f0e00, 4);
	} else {
		at = thread_code(t, at, 0xe3a0b000, 4);
		at = thread_code(t, at, 0xe3a0e000, 4);
	}
	return thread_call(t, at, OUTER_AT);
}

void thread_init(struct thread *t, u32 abi, bool thumb)
{
	u32 size = shapes[thumb][abi].size, fp, i;

	memset(t, 0, sizeof(*t));
	t->abi = abi;
	t->thumb = thumb;
	t->cpsr = thumb ? 1 << 5 : 0;
	/* Whatever lies elsewhere returns. */
	for (i = 0; i < CODE_SIZE; i += thumb ? 2 : 4)
		thread_code(t, CODE_START + i, thumb ? 0x4770 : 0xe12fff1e, thumb ? 2 : 4);
	t->ret_outer = make_start(t);
	t->ret_inner = make_function(t, OUTER_AT, INNER_AT);
	t->ret = make_function(t, INNER_AT, CASE_AT);
	/* Old return addresses and frames are all over the stack. */
	for (i = 0; i < STACK_BYTES; i += 8) {
		thread_poke(t, STACK_START + i, STACK_START + i + 16);
		thread_poke(t, STACK_START + i + 4, t->ret_inner | thumb);
	}
	fp = make_frame(t, CFA + 2 * size, t->ret_outer, 0);
	t->fp_inner = make_frame(t, CFA + size, t->ret_inner, fp);
	t->r[thread_frame_register(t)] = t->fp_inner;
	t->r[SP] = CFA;
	t->r[LR] = t->ret | thumb;
	t->r[PC] = CASE_AT;
	if (abi == A32_ABI_APCS)
		t->r[IP] = CFA;
}

void thread_walk(struct thread *t, bool warm)
{
	static struct a32_known known[A32_KNOWN];
	static struct a32_found found[A32_FOUND];
	static const u32 default_abi = A32_ABI_NONE;
	static const struct a32_space space_init = {
		.map = (const void *)&map, .default_abi = &default_abi, .tag = 1,
	};
	static struct a32_walk w;
	struct a32_space space = space_init;
	u64 misaligned = a32_memory.misaligned;

	a32_memory.nr = 0;
	a32_host_region_add(STACK_START, STACK_BYTES, t->stack);
	a32_host_region_add(CODE_START, CODE_SIZE, t->code);
	if (t->kuser)
		a32_host_region_add(A32_KUSER_START, A32_KUSER_SIZE, t->kuser);
	if (!warm) {
		memset(known, 0, sizeof(known));
		memset(found, 0, sizeof(found));
		memset(w.scan.look.extent, 0, sizeof(w.scan.look.extent));
	}
	t->returns.asked = 0;
	a32_host_returns = &t->returns;
	file.abi = t->abi;
	library.abi = t->abi;
	library.table = t->table;
	w.space = &space;
	w.entry = t->entry;
	w.room = sizeof(t->entry) / sizeof(t->entry[0]);
	w.known = known;
	w.found = found;
	w.nowhere = &nowhere;
	w.r = t->r;
	w.cpsr = t->cpsr;
	t->stop = a32_walk(&w);
	t->nr = w.nr;
	if (a32_memory.misaligned != misaligned)
		t->stop = A32_STOP_NR;		/* nothing expects that */
}

static void note_chain(const struct thread *t)
{
	u32 i;

	tap_note("  pc %#x: %u entries, then %s", t->r[PC], t->nr,
		 t->stop < A32_STOP_NR ? stop_names[t->stop] : "a misaligned read");
	for (i = 0; i < t->nr; i++)
		tap_note("    %#llx", (unsigned long long)t->entry[i]);
}

bool thread_expect(const struct thread *t, u32 nr, const u32 *entry)
{
	const u32 callers[3] = { t->ret, t->ret_inner, t->ret_outer };
	bool ok = t->stop == A32_STOP_OUTERMOST && t->nr == nr + 3;
	u32 i;

	for (i = 0; ok && i < nr; i++)
		ok = t->entry[i] == entry[i];
	for (i = 0; ok && i < 3; i++)
		ok = t->entry[nr + i] == callers[i];
	if (!ok)
		note_chain(t);
	return ok;
}

/* The thread as it is before one instruction of the function */
static void stop_at(struct thread *t, const struct step *s, u32 pc, u32 last_call)
{
	u32 reg = thread_frame_register(t);

	t->r[PC] = pc;
	t->r[SP] = CFA - s->sp;
	t->r[reg] = s->fp ? CFA + s->fp : t->fp_inner;
	if (s->ra) {
		thread_poke(t, CFA + s->ra, t->ret | t->thumb);
		/* APCS keeps the caller's sp below the return address. */
		if (t->abi == A32_ABI_APCS)
			thread_poke(t, CFA + s->ra - 4, CFA);
		if (last_call)
			t->r[LR] = last_call | t->thumb;
	}
	if (s->saved)
		thread_poke(t, CFA + s->saved, t->fp_inner);
	if (s->ra_reg)
		t->r[s->ra_reg] = t->ret | t->thumb;
	if (s->saved_reg)
		t->r[s->saved_reg] = t->fp_inner;
	if (s->val)
		t->r[s->reg] = CFA + s->val;
	if (s->num)
		t->r[s->reg] = s->num;
	if (t->abi == A32_ABI_APCS && s->fp)
		t->r[IP] = 0x12345678;
}

static bool is_call(const struct step *s)
{
	return !strncmp(s->text, "bl ", 3) || !strncmp(s->text, "blx ", 4);
}

/* ARMv4's call is the instruction behind this. */
static bool sets_lr(const struct step *s)
{
	return !strcmp(s->text, "mov lr, pc");
}

/* DDI 0406C, A2.5.2: from the IT instruction, or from one instruction to the next */
static u32 next_itstate(u32 it, const struct step *s)
{
	if (s->len == 2 && (s->code & 0xff00) == 0xbf00)
		return s->code & 0xff;
	return it & 7 ? (it & 0xe0) | (it << 1 & 0x1f) : 0;
}

/**
 * struct place - where a step is
 * @pc: its address
 * @last_call: where the last call before it has returned to, 0 for none
 * @it: ITSTATE
 */
struct place {
	u32 pc;
	u32 last_call;
	u32 it;
};

static void find_places(const struct function_case *c, struct place *place)
{
	struct place now = { .pc = CASE_AT };
	u32 i;

	for (i = 0; i < c->nr; i++) {
		place[i] = now;
		if (c->thumb)
			now.it = next_itstate(now.it, &c->step[i]);
		now.pc += c->step[i].len;
		if (is_call(&c->step[i]))
			now.last_call = now.pc;
		if (sets_lr(&c->step[i]))
			now.last_call = now.pc + c->step[i + 1].len;
	}
}

/* @warm: with what the walks before have found */
static bool check_step(const struct function_case *c, u32 i, const struct place *place, bool warm)
{
	static struct thread t;
	const struct step *s = &c->step[i];
	u32 j, at = CASE_AT;
	bool ok;

	if (s->data)
		return true;
	thread_init(&t, c->abi, c->thumb);
	for (j = 0; j < c->nr; j++)
		at = thread_code(&t, at, c->step[j].code, c->step[j].len);
	stop_at(&t, s, place->pc, place->last_call);
	t.cpsr |= s->flags | (place->it & 3) << 25 | (place->it >> 2) << 10;
	thread_walk(&t, warm);
	if (s->stop)
		ok = t.stop == s->stop - 1 && t.nr == 1 && t.entry[0] == place->pc;
	else
		ok = thread_expect(&t, 1, &place->pc);
	if (!ok)
		tap_note("  at +%#x%s: %s", place->pc - CASE_AT, warm ? ", again" : "", s->text);
	return ok;
}

void case_run(const struct function_case *c)
{
	struct place place[CASE_STEPS];
	u32 i, bad = 0;

	find_places(c, place);
	for (i = 0; i < c->nr; i++) {
		bad += !check_step(c, i, &place[i], false);
		bad += !check_step(c, i, &place[i], true);
	}
	/* From the end, each with what has been found behind it */
	for (i = c->nr; i-- > 0;)
		bad += !check_step(c, i, &place[i], i + 1 != c->nr);
	tap_result(!bad, "%s", c->name);
}
