// SPDX-License-Identifier: GPL-2.0
#include "call.h"
#include "path.h"

enum {
	PIECE		= 32,	/* halfwords gone back over at a time */
	PIECES		= 12,
	FORWARD		= 128,	/* instructions */
	AFTER_SVC	= 8,	/* halfwords behind a system call: perhaps a new thread's */
};

/**
 * struct block - code that runs on from one instruction to the next
 * @s: a scan that has found a rule; what is looked at is taken off its budget
 * @needs: registers that have to be what they are where it was found, for the
 *	rule to hold elsewhere
 * @calls: it holds before and behind calls as well
 */
struct block {
	struct a32_scan *s;
	u32 needs;
	bool calls;
};

/* What is looked at here counts like what a scan looks at. */
static bool fetch(const struct block *b, u32 at, bool thumb, struct a32_insn *i)
{
	if (at - b->s->start >= b->s->size || !b->s->look.left)
		return false;
	b->s->look.left--;
	return a32_insn_fetch(at, thumb, i);
}

/* Does the code run on through it, with what the caller wants back left where it is? */
static bool changes_nothing(const struct block *b, const struct a32_insn *i)
{
	switch (i->op) {
	case OP_CALL:
		return b->calls;
	case OP_BRANCH:
		return i->cond != COND_ALWAYS;
	case OP_MOV:
		return !(1 << i->rm & FOLLOWED) && !(1 << i->rd & b->needs);
	case OP_STORE:
	case OP_STORE_PAIR:
		return !(i->list & FOLLOWED) && !(a32_insn_writes(i) & b->needs);
	case OP_LOAD:
		return !(i->list & 1 << PC) && !(a32_insn_writes(i) & b->needs);
	case OP_BRANCH_REG:
	case OP_JUMP_TABLE:
	case OP_SYSCALL:
	case OP_TRAP:
	case OP_DEAD:
		return false;
	default:
		return !(a32_insn_writes(i) & b->needs);
	}
}

/* The bit for the address n halfwords before the start */
static u64 before(u32 n)
{
	return 1ULL << (63 - n);
}

/*
 * From which addresses does the code run straight on to @pc, and changes nothing
 * on the way? Whether Thumb code has an instruction at one of them can't be
 * told, going back, and needn't: nobody asks for another address.
 */
static u64 runs_on_to(const struct block *b, u32 pc, bool thumb)
{
	u32 step = thumb ? 1 : 2, n, len;
	u64 from = before(0);
	struct a32_insn i;

	for (n = step; n <= PIECE && from << (n > 2 ? n - 2 : 0); n += step) {
		u32 at = pc - 2 * n;

		if (!fetch(b, at, thumb, &i))
			break;
		len = i.len / 2;
		if (i.op == OP_SYSCALL)
			from &= ~(before(n > AFTER_SVC ? n - AFTER_SVC : 0) - 1);
		else if (len > n || !(from & before(n - len)))
			continue;
		else if (changes_nothing(b, &i))
			from |= before(n);
		else if (a32_follows_trap(at + i.len, thumb))
			from &= ~before(n - len);
	}
	/* What stands before the last ones is not known. */
	return n > 2 ? from & ~0ULL << (66 - n) : 0;
}

/* Return the lowest address that the rule is kept for now, @pc for none. */
static u32 keep_piece(const struct block *b, u32 pc, bool thumb, struct a32_found *found,
		      const struct a32_found *it)
{
	u32 apart = 63 - pc / 2 % (A32_LINE / 2), line = (pc & -A32_LINE) | thumb, low;
	u64 from = runs_on_to(b, pc, thumb);
	bool known;

	if (!from)
		return pc;
	low = pc - 2 * ((u32)from ? 63 - __builtin_ctz(from) : 31 - __builtin_ctz(from >> 32));
	known = a32_found_at(found, it->tag, low, thumb);
	a32_found_add_mask(found, it, line, from >> apart);
	a32_found_add_mask(found, it, line - A32_LINE, from >> (apart - A32_LINE / 2));
	return known ? pc : low;
}

static void keep_before(const struct block *b, u32 pc, bool thumb, struct a32_found *found,
			const struct a32_found *it)
{
	u32 low, n;

	for (n = 0; n < PIECES; n++) {
		low = keep_piece(b, pc, thumb, found, it);
		if (low == pc)
			return;
		pc = low;
	}
}

/* With calls, up to the last one of the block: the record is needed there, too. */
static void keep_behind(const struct block *b, u32 pc, bool thumb, struct a32_found *found,
			const struct a32_found *it)
{
	u32 at = pc, end = pc, n;
	struct a32_insn i;

	for (n = 0; n < FORWARD; n++) {
		if (!fetch(b, at, thumb, &i) || !changes_nothing(b, &i))
			break;
		at += i.len;
		if (i.op == OP_CALL || !b->calls)
			end = at;
	}
	a32_found_add(found, it, pc, end, thumb);
}

/* The registers that have to be what they are at the start, for the rule to hold */
static u32 needed(const struct a32_rule *rule)
{
	u32 needs = 1 << a32_frame_reg_number(rule->cfa_reg);
	enum a32_frame_reg reg;

	if (rule->held & FRAME_RA)
		needs |= 1 << rule->ra_off;
	for (reg = FRAME_R7; reg <= FRAME_R11; reg++) {
		if (rule->held & 1 << reg)
			needs |= 1 << rule->off[reg];
		else if (!((rule->saved | rule->lost) & 1 << reg))
			needs |= 1 << a32_frame_reg_number(reg);
	}
	return needs;
}

void a32_block_keep(struct a32_scan *s, u32 pc, struct a32_found *found,
		    const struct a32_found *it)
{
	bool thumb = s->starts_thumb;
	struct block b = {
		.s = s, .needs = needed(&s->rule),
		.calls = s->record_at_calls && s->rule.cfa_reg == a32_abi_rule(s->abi)->cfa_reg,
	};

	if (pc >= A32_USER_END)
		return;
	keep_before(&b, pc, thumb, found, it);
	if (s->behind && (b.calls || !s->record_at_calls))
		keep_behind(&b, s->behind, s->now.thumb, found, it);
}
