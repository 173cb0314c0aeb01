// SPDX-License-Identifier: GPL-2.0
#include <elf.h>

#include "analyse_elf.h"
#include "analyse_flow.h"

/* arch/arm/tools/syscall.tbl: what doesn't come back */
enum { NR_EXIT = 1, NR_SIGRETURN = 119, NR_RT_SIGRETURN = 173, NR_EXIT_GROUP = 248 };

/* A signal handler returns to it: what is on the stack is the kernel's frame. */
static bool is_sigreturn(const struct flow *flow)
{
	struct a32_insn i, next;

	return flow_fetch(flow, flow->start, &i) && i.op == OP_SET && i.rd == R7 &&
	       (i.imm == NR_SIGRETURN || i.imm == NR_RT_SIGRETURN) &&
	       flow_fetch(flow, flow->start + i.len, &next) && next.op == OP_SYSCALL;
}

/*
 * glibc's _dl_runtime_resolve(): it is jumped to by the first stub of a procedure
 * linkage table, which has pushed lr and has an address of its own in it.
 */
static bool is_resolver(const struct flow *flow)
{
	uint32_t push, load;

	return !flow->thumb && image_u32(flow->code.image, flow->start, &push) &&
	       image_u32(flow->code.image, flow->start + 4, &load) &&
	       push == RESOLVER_PUSH && load == RESOLVER_LOAD;
}

/* AAPCS32, 6.1.1: no function is called with something of its caller's in r4 to r10. */
static bool begins_amid(const struct flow *flow)
{
	struct a32_insn i;

	return flow_fetch(flow, flow->start, &i) && i.op == OP_MOV && i.rm >= 4 && i.rm <= 10 &&
	       i.rm != R7;
}

/* Of a library, linkers may have put anything there. */
static bool is_program(const struct flow *flow)
{
	uint32_t addr, size;

	return elf_entry(flow->code.image) == (flow->start | flow->thumb) &&
	       (elf_find(flow->code.image, PT_INTERP, &addr, &size) ||
		!elf_find(flow->code.image, PT_DYNAMIC, &addr, &size));
}

void flow_begin_call(struct flow *flow)
{
	struct state s;

	if (is_sigreturn(flow) || flow->entry == ENTRY_UNKNOWN || begins_amid(flow))
		state_forget(&s);
	else
		state_enter(&s);
	if (is_resolver(flow))
		state_push_lr(&s);
	s.outermost = is_program(flow) || flow->entry == ENTRY_NOBODY;
	flow_enter(flow, flow->start, &s);
}

/* What begins on another stack has no caller on this one. */
static void leave(struct flow *flow, enum flow_way way, uint32_t addr, const struct state *s)
{
	struct state nothing;

	if (s && s->switched) {
		state_forget(&nothing);
		s = &nothing;
	}
	flow->code.leads(flow->code.data, way, addr, s);
}

static void go(struct flow *flow, uint32_t addr, const struct state *s)
{
	if (flow_has(flow, addr))
		flow_enter(flow, addr, s);
	else
		leave(flow, FLOW_JUMP, addr | flow->thumb, s);
}

/* To an address with bit 0 for Thumb */
static void go_to(struct flow *flow, uint32_t addr, const struct state *s)
{
	if ((addr & 1) == flow->thumb)
		go(flow, addr & ~1, s);
	else
		leave(flow, FLOW_JUMP, addr, s);
}

/* An exception leads to its landing pad with the registers that a call keeps. */
static void throw(struct flow *flow, uint32_t behind, const struct state *s)
{
	struct state at_pad = *s;
	uint32_t pad;

	if (!pads_find(flow->code.pads, behind - 1, &pad))
		return;
	state_call(&at_pad, 0);
	go(flow, pad, &at_pad);
}

/* Bytes of a nop, also as linkers fill gaps with 0, or 0 */
static uint32_t nop_at(const struct flow *flow, uint32_t addr)
{
	uint32_t left = flow->end - addr, w = flow_half(flow, addr);

	if (flow->thumb && (!w || w == 0xbf00 || w == 0x46c0))
		return 2;
	if (left < 4)
		return 0;
	w |= flow_half(flow, addr + 2) << 16;
	if (flow->thumb)
		return w == 0x8000f3af ? 4 : 0;
	return !w || w == 0xe1a00000 || w == 0xe320f000 ? 4 : 0;
}

/* What a function calls last, nops left out, doesn't come back. */
static bool is_last(const struct flow *flow, uint32_t behind)
{
	uint32_t size;

	while (flow_has(flow, behind)) {
		size = nop_at(flow, behind);
		if (!size)
			return false;
		behind += size;
	}
	return true;
}

static void call(struct flow *flow, uint32_t target, uint32_t behind, struct state *s)
{
	throw(flow, behind, s);
	/* "bl .+4" asks for an address: it is no function. */
	if (target && (target & ~1) != behind)
		leave(flow, FLOW_CALL, target, NULL);
	if (!flow->code.returns(flow->code.data, target, behind)) {
		flow->ended |= !!target;
		return;
	}
	state_call(s, behind);
	if (!is_last(flow, behind))
		flow_enter(flow, behind, s);
}

/*
 * No compiler made this. When it is all behind a call, the call doesn't come back, and
 * this is something else's code, or no code.
 */
static void wrong(struct flow *flow, const struct state *s)
{
	flow->wrong = true;
	flow_doubt(flow, s->call);
}

static void check_return(struct flow *flow, const struct state *s)
{
	if (state_is_kept(s))
		flow->returned = true;
	else if (s->reg[SP].kind == VALUE_CFA && s->reg[SP].n)
		wrong(flow, s);
}

/*
 * The end of a function, of a sibling call, or, with an older way of calls,
 * "mov lr, pc" before it, a call
 */
static void jump_to_value(struct flow *flow, const struct value *v, uint32_t behind,
			  struct state *s)
{
	const struct value *lr = &s->reg[LR];

	if (lr->kind == VALUE_CONST && (uint32_t)(lr->n & ~1) == behind)
		call(flow, v->kind == VALUE_CONST ? v->n : 0, behind, s);
	else if (v->kind == VALUE_ENTRY && v->n == LR)
		check_return(flow, s);
	else if (v->kind == VALUE_CONST)
		go_to(flow, v->n, s);
	else if (flow_switch_value(flow, v, s))
		return;
	else if (state_is_entry(s))
		flow->returned = true;
	else
		flow->lost = true;
}

static void branch_reg(struct flow *flow, const struct a32_insn *i, uint32_t addr, struct state *s)
{
	uint32_t pc = addr + (flow->thumb ? 4 : 8);
	struct value v = state_reg(s, i->rm, pc & ~3);

	if (i->rm == LR && v.kind == VALUE_UNKNOWN && s->call) {
		wrong(flow, s);
		return;
	}
	/* "mov pc, rm" doesn't change the instruction set in Thumb, DDI 0406C A8.8.102. */
	jump_to_value(flow, &v, addr + i->len, s);
}

/* What pc was loaded from, the state being the one behind the load */
static void load_pc(struct flow *flow, const struct a32_insn *i, uint32_t addr, struct state *s)
{
	struct a32_insn lr_too = *i;
	uint32_t pc = addr + (flow->thumb ? 4 : 8);
	uint32_t others = hweight16(i->list & 0x7fff);
	struct state before = *s;
	struct value v;

	/* The first stub of a procedure linkage table: "ldr pc, [lr, #8]!" */
	if (i->rn == LR && i->list == 1 << PC && s->reg[LR].kind == VALUE_CONST) {
		flow->returned = true;
		return;
	}
	/* As if the last one went to lr: its value is looked at, and forgotten. */
	lr_too.list = 1 << LR;
	lr_too.imm += 4 * others;
	state_step(&before, &lr_too, pc, flow->code.image);
	v = before.reg[LR];
	if (i->rn == SP && s->reg[SP].kind == VALUE_CFA && v.kind == VALUE_UNKNOWN) {
		wrong(flow, s);
		return;
	}
	state_step(s, i, pc, flow->code.image);
	jump_to_value(flow, &v, addr + i->len, s);
}

static void note_it(struct flow *flow, uint32_t addr, uint32_t it)
{
	struct a32_insn i;

	/* DDI 0406C, A2.5.2: ITAdvance() */
	while (it && flow_fetch(flow, addr, &i)) {
		flow->cond[flow_index(flow, addr)] = (it >> 4) + 1;
		it = it & 7 ? (it & 0xe0) | (it << 1 & 0x1f) : 0;
		addr += i.len;
	}
}

/* Of position-independent code, only a sum with pc is an address. */
static bool makes_address(const struct flow *flow, const struct a32_insn *i, uint32_t pc)
{
	switch (i->op) {
	case OP_ADD:
		return i->rn == PC || (uint32_t)i->imm == pc || elf_is_fixed(flow->code.image);
	case OP_ADD_REG:
		return i->rn == PC || i->rm == PC || elf_is_fixed(flow->code.image);
	case OP_LOAD:
		return i->rn == PC && elf_is_fixed(flow->code.image);
	case OP_SET_TOP:
		return elf_is_fixed(flow->code.image);
	}
	return false;
}

/* An address that may be a function's */
static void note_pointer(struct flow *flow, const struct a32_insn *i, uint32_t pc,
			 const struct state *s)
{
	uint32_t reg = i->op == OP_LOAD ? __builtin_ctz(i->list | 1 << PC) : i->rd;

	if (reg <= LR && s->reg[reg].kind == VALUE_CONST && makes_address(flow, i, pc))
		leave(flow, FLOW_POINTER, s->reg[reg].n, NULL);
}

/* A function saves lr once, and before it has called. */
static bool begins_another(const struct a32_insn *i, const struct state *s)
{
	return a32_insn_stores_lr(i) && i->rn == SP && i->wb < 0 && s->call &&
	       s->reg[LR].kind == VALUE_UNKNOWN;
}

static bool has_lr(const struct state *s)
{
	return s->reg[LR].kind == VALUE_ENTRY && s->reg[LR].n == LR;
}

/* What happens to the return address */
static void note_lr(struct flow *flow, const struct a32_insn *i, bool had, const struct state *s)
{
	flow->lr_stored |= a32_insn_stores_lr(i) || (i->op == OP_MOV && i->rm == LR);
	flow->lr_killed |= had && !has_lr(s);
	flow->lr_cleared |= had && s->outermost;
}

static void step(struct flow *flow, const struct a32_insn *i, uint32_t addr, struct state *s)
{
	uint32_t pc = addr + (flow->thumb ? 4 : 8);
	bool had_lr = has_lr(s);

	if (i->op == OP_LOAD && i->rn == PC)
		flow_data(flow, (pc & ~3) + i->imm, 4);
	if (begins_another(i, s)) {
		wrong(flow, s);
		return;
	}
	state_step(s, i, pc, flow->code.image);
	s->switched |= a32_insn_changes_stack(i);
	note_lr(flow, i, had_lr, s);
	note_pointer(flow, i, pc, s);
	go(flow, addr + i->len, s);
}

static bool never_comes_back(const struct state *s)
{
	const struct value *nr = &s->reg[R7];

	return nr->kind == VALUE_CONST &&
	       (nr->n == NR_EXIT || nr->n == NR_SIGRETURN || nr->n == NR_RT_SIGRETURN ||
		nr->n == NR_EXIT_GROUP);
}

static void execute(struct flow *flow, const struct a32_insn *i, uint32_t addr, struct state *s)
{
	switch (i->op) {
	case OP_BRANCH:
		go(flow, i->target, s);
		break;
	case OP_BRANCH_REG:
		branch_reg(flow, i, addr, s);
		break;
	case OP_CALL:
		call(flow, i->target, addr + i->len, s);
		break;
	case OP_JUMP_TABLE:
		if (i->imm == TABLE_NONE)
			branch_reg(flow, i, addr, s);
		else if (!flow_switch(flow, i, addr, s))
			flow->lost = true;
		break;
	case OP_DEAD:
		wrong(flow, s);
		break;
	case OP_TRAP:
		break;
	case OP_SYSCALL:
		if (!never_comes_back(s))
			step(flow, i, addr, s);
		break;
	case OP_IT:
		note_it(flow, addr + i->len, i->imm);
		go(flow, addr + i->len, s);
		break;
	default:
		if (i->op == OP_LOAD && i->list & 1 << PC)
			load_pc(flow, i, addr, s);
		else
			step(flow, i, addr, s);
	}
}

/* DDI 0406C, A8.8: in an IT block, what is 16 bits long doesn't set the flags, but compares. */
static uint32_t in_it_block(struct a32_insn *i, uint32_t cond)
{
	if (i->len == 2 && i->flags == FLAGS_SET && (i->op != OP_NONE || i->clobber))
		i->flags = FLAGS_SAME;
	return cond - 1;
}

/* @s is changed to what it is behind the instruction. */
static void visit(struct flow *flow, const struct a32_insn *i, uint32_t addr, uint32_t cond,
		  struct state *s)
{
	struct state other;

	if (cond != COND_ALWAYS) {
		other = *s;
		if (state_assume(&other, cond == COND_REGISTER ? cond : cond ^ 1))
			go(flow, addr + i->len, &other);
	}
	if (state_assume(s, cond))
		execute(flow, i, addr, s);
}

/* A literal that comes at once behind a call, but for its alignment */
static void no_code(struct flow *flow, uint32_t addr, const struct state *s)
{
	if (addr - s->call <= 2)
		wrong(flow, s);
	else
		flow->wrong = true;
}

static void visit_all(struct flow *flow, uint32_t addr)
{
	uint32_t at = flow_index(flow, addr), cond, node, next;
	struct a32_insn i;
	struct state s;

	if (flow->mark[at] & MARK_DATA || !flow_fetch(flow, addr, &i)) {
		no_code(flow, addr, &flow->node[flow->head[at] - 1].state);
		return;
	}
	if (i.len == 4)
		flow->mark[at] |= MARK_WIDE;
	cond = flow->cond[at] ? in_it_block(&i, flow->cond[at]) : i.cond;
	for (node = flow->head[at]; node; node = next) {
		/* The nodes may move meanwhile. */
		s = flow->node[node - 1].state;
		next = flow->node[node - 1].next;
		visit(flow, &i, addr, cond, &s);
	}
}

/* A literal that was noted as one only after a way had led there */
static void check_literals(struct flow *flow)
{
	uint32_t addr, at;

	for (addr = flow->low; addr < flow->high; addr += 2) {
		at = flow_index(flow, addr);
		if (flow->head[at] && flow->mark[at] & MARK_DATA)
			no_code(flow, addr, &flow->node[flow->head[at] - 1].state);
	}
}

void flow_run(struct flow *flow)
{
	while (flow->nr_todo && !flow->doubt) {
		uint32_t addr = flow->todo[--flow->nr_todo];

		flow->mark[flow_index(flow, addr)] &= ~MARK_QUEUED;
		visit_all(flow, addr);
	}
	check_literals(flow);
}
