// SPDX-License-Identifier: GPL-2.0
#include "detect.h"
#include "insn.h"

enum {
	LOOK_INSNS	= 20,	/* from a push to the setting of the frame register */
	RUN		= 12,	/* instructions behind a push that have to look like code */
	AROUND		= 32,	/* bytes to each side of a push that must not, in Thumb code */
};

/* Little-endian, whatever the machine is that this runs on, at any address */
static u32 half_at(const u8 *code, u32 at)
{
	return code[at] | code[at + 1] << 8;
}

static u32 word_at(const u8 *code, u32 at)
{
	return half_at(code, at) | half_at(code, at + 2) << 16;
}

/**
 * struct code - code that is looked at
 * @byte: its bytes
 * @len: how many
 */
struct code {
	const u8 *byte;
	u32 len;
};

/* Offsets stand for addresses: nobody here asks where a branch goes. */
static bool fetch(const struct code *code, u32 at, bool thumb, struct a32_insn *i)
{
	u32 left = code->len - at;
	bool is_wide;

	if (left < 2)
		return false;
	is_wide = !thumb || a32_thumb_is_wide(half_at(code->byte, at));
	if (is_wide && left < 4)
		return false;
	if (thumb)
		a32_insn_thumb(at, half_at(code->byte, at),
			       is_wide ? half_at(code->byte, at + 2) : 0, i);
	else
		a32_insn_arm(at, word_at(code->byte, at), i);
	return true;
}

/* Nothing goes on in a straight line behind these. */
static bool is_end(const struct a32_insn *i)
{
	switch (i->op) {
	case OP_BRANCH:
	case OP_BRANCH_REG:
	case OP_JUMP_TABLE:
	case OP_DEAD:
	case OP_TRAP:
		return i->cond == COND_ALWAYS;
	case OP_LOAD:
		return i->list & 1 << PC && i->cond == COND_ALWAYS;
	default:
		return false;
	}
}

/*
 * Most ARM instructions are executed always: 0xe in the top four bits. In
 * Thumb code, literals and tables these bits are anything.
 */
static bool looks_always(u32 nr_always, u32 nr)
{
	return nr_always * 8 >= nr * 5;
}

/* From a push on to the function's first end */
static bool runs_as_arm(const struct code *code, u32 at)
{
	u32 n, always = 0;
	struct a32_insn i;

	for (n = 0; n < RUN && fetch(code, at + 4 * n, false, &i); n++) {
		if (i.op == OP_DEAD)
			return false;
		always += word_at(code->byte, at + 4 * n) >> 28 == COND_ALWAYS;
		if (is_end(&i))
			return looks_always(always, n + 1);
	}
	return looks_always(always, n);
}

static bool is_amid_arm(const struct code *code, u32 at)
{
	u32 low = at & ~3, high = low, nr = 0, always = 0;

	low -= low < AROUND ? low : AROUND;
	high += code->len - high < AROUND ? code->len - high : AROUND;
	for (; low + 4 <= high; low += 4, nr++)
		always += word_at(code->byte, low) >> 28 == COND_ALWAYS;
	return looks_always(always, nr);
}

/*
 * Half of a relocation, symbol or literal can look like a push. Then zeros are
 * near, which no code has: "movs r0, r0".
 */
static bool runs_as_thumb(const struct code *code, u32 at)
{
	struct a32_insn i;
	u32 n;

	for (n = 0; n < RUN && fetch(code, at, true, &i); n++) {
		if (i.op == OP_DEAD || !half_at(code->byte, at))
			return false;
		if (is_end(&i))
			return true;
		at += i.len;
	}
	return n == RUN;
}

/**
 * struct prologue - a prologue as it goes on
 * @sp: sp, from where it was at the start; wraps
 * @holds: whose value at the start each register has; PC + 1 for another one
 * @saved: registers whose values are in @slot
 * @slot: where they are, from the same
 * @is_lowered: sp was lowered for something else than a push
 * @is_bottom: r7 was set from it, and there is no record
 */
struct prologue {
	u32 sp;
	u8 holds[16];
	u16 saved;
	u32 slot[16];
	bool is_lowered;
	bool is_bottom;
};

static void save(struct prologue *p, u32 reg, u32 at)
{
	u32 whose = p->holds[reg];

	if (whose > PC || p->saved & 1 << whose)
		return;
	p->saved |= 1 << whose;
	p->slot[whose] = at;
}

static void store(struct prologue *p, const struct a32_insn *i)
{
	u32 at = p->sp + i->imm;
	u32 reg;

	if (i->rn != SP)
		return;
	for (reg = 0; reg <= PC; reg++) {
		if (!(i->list & 1 << reg))
			continue;
		save(p, reg, at);
		at += 4;
	}
	p->sp += i->wb;
}

static bool is_saved_at(const struct prologue *p, u32 reg, u32 at)
{
	return p->saved & 1 << reg && p->slot[reg] == at;
}

/* The frame ABIs of core/rule.c, and gcc's ARM leaf, which leaves lr alone */
static u32 record_at_r11(const struct prologue *p, u32 fp)
{
	if (is_saved_at(p, R11, fp) && is_saved_at(p, LR, fp + 4))
		return A32_ABI_AAPCS;
	if (is_saved_at(p, R11, fp - 4) && is_saved_at(p, LR, fp))
		return A32_ABI_GCC;
	if (is_saved_at(p, R11, fp) && !(p->saved & 1 << LR))
		return A32_ABI_GCC;
	return A32_ABI_NONE;
}

/*
 * gcc -mthumb sets r7 to the bottom of the frame, "add r7, sp, #0" for most,
 * which is at the record where nothing else is in the frame. clang sets it
 * right behind the push, by "mov r7, sp" there.
 */
static u32 record_at_r7(struct prologue *p, const struct a32_insn *i)
{
	u32 fp = p->sp + i->imm;

	if (is_saved_at(p, R7, fp) && is_saved_at(p, LR, fp + 4) && !p->is_lowered &&
	    (i->op == OP_MOV || i->imm))
		return A32_ABI_AAPCS_R7;
	p->is_bottom |= p->saved & 1 << R7 && i->op == OP_ADD;
	return A32_ABI_NONE;
}

/* "mov ip, sp" stands before the push, and more pushes may be in between. */
static u32 record_from_ip(const struct prologue *p)
{
	u32 pc = p->slot[PC];

	if (is_saved_at(p, PC, pc) && is_saved_at(p, LR, pc - 4) && is_saved_at(p, R11, pc - 12))
		return A32_ABI_APCS;
	return A32_ABI_NONE;
}

/* Return the ABI whose record is complete with an instruction. */
static u32 record_with(struct prologue *p, const struct a32_insn *i, bool thumb)
{
	bool from_sp = i->op == OP_MOV ? i->rm == SP : i->op == OP_ADD && i->rn == SP;

	if (i->rd == R11 && i->op == OP_ADD && i->rn == IP && !thumb)
		return record_from_ip(p);
	if (!from_sp)
		return A32_ABI_NONE;
	if (i->rd == R11)
		return record_at_r11(p, p->sp + i->imm);
	return i->rd == R7 && thumb ? record_at_r7(p, i) : A32_ABI_NONE;
}

static void clobber(struct prologue *p, u32 list)
{
	u32 reg;

	for (reg = 0; reg <= PC; reg++) {
		if (list & 1 << reg)
			p->holds[reg] = PC + 1;
	}
}

/* Return false at the end of the prologue. */
static bool step(struct prologue *p, const struct a32_insn *i)
{
	clobber(p, i->clobber);
	switch (i->op) {
	case OP_STORE:
		store(p, i);
		break;
	case OP_STORE_PAIR:
		if (i->rn == SP) {
			save(p, i->rd, p->sp + i->imm);
			save(p, i->rm, p->sp + i->imm + 4);
			p->sp += i->wb;
		}
		break;
	case OP_MOV:
		p->holds[i->rd] = p->holds[i->rm];
		break;
	case OP_ADD:
		if (i->rd == SP && i->rn == SP) {
			p->sp += i->imm;
			p->is_lowered = true;
		} else {
			clobber(p, 1 << i->rd);
		}
		break;
	case OP_SET:
	case OP_SET_TOP:
	case OP_ADD_REG:
	case OP_SUB_REG:
	case OP_LOAD_INDEXED:
		clobber(p, 1 << i->rd);
		break;
	case OP_LOAD:
		clobber(p, i->list);
		if (i->list & 1 << PC || (i->rn == SP && i->wb))
			return false;
		break;
	case OP_NONE:
	case OP_IT:
		break;
	default:
		return false;
	}
	/* r11 has another use here; a value that sp gets may come from anywhere. */
	return p->holds[R11] == R11 && p->holds[SP] != PC + 1;
}

/* Return what the function says that pushes at @at; move @at to where it does. */
static u32 record_behind(const struct code *code, u32 *at, bool thumb, bool *is_bottom)
{
	struct prologue p = {};
	struct a32_insn i;
	u32 n, pc = *at;

	for (n = 0; n < 16; n++)
		p.holds[n] = n;
	for (n = 0; n < LOOK_INSNS && fetch(code, pc, thumb, &i); n++) {
		u32 abi = record_with(&p, &i, thumb);

		if (abi != A32_ABI_NONE) {
			*at = pc;
			return abi;
		}
		if (!step(&p, &i))
			break;
		pc += i.len;
	}
	*is_bottom = p.is_bottom;
	return A32_ABI_NONE;
}

/* "push {.., lr}", "str lr, [sp, #-N]!" and "strd .., lr, [sp, #-N]!" */
static bool pushes(const struct a32_insn *i, u32 reg)
{
	if (i->rn != SP || i->wb >= 0 || i->cond != COND_ALWAYS)
		return false;
	return (i->op == OP_STORE || i->op == OP_STORE_PAIR) && i->list & 1 << reg;
}

static u32 pushed(const struct a32_insn *i)
{
	return i->op == OP_STORE_PAIR ? 1 << i->rd | 1 << i->rm : i->list;
}

static bool writes_lr(const struct a32_insn *i)
{
	if (i->op == OP_LOAD)
		return i->list & 1 << LR;
	return (i->op == OP_ADD && i->rd == LR) || i->clobber & 1 << LR;
}

/*
 * What is in every program, however it was built: the first entry of the PLT,
 * "push {lr}; ldr lr, [pc, #4]", and libgcc's divisions, which push what no
 * compiler pushes.
 */
static bool is_of_every_file(const struct code *code, u32 at, bool thumb,
			     const struct a32_insn *push)
{
	u32 list = pushed(push);
	struct a32_insn next;

	if (list == (1 << LR))
		return fetch(code, at + push->len, thumb, &next) && writes_lr(&next);
	return list == (1 << 0 | 1 << 1 | 1 << LR) || list == (1 << SP | 1 << LR) ||
	       list == (1 << IP | 1 << LR);
}

/* Return where to go on. */
static u32 count_at(const struct code *code, u32 at, bool thumb, struct a32_votes *votes)
{
	bool saves_lr, is_bottom = false;
	struct a32_insn push;
	u32 abi, end = at;

	if (!fetch(code, at, thumb, &push))
		return at;
	saves_lr = pushes(&push, LR);
	if (!saves_lr && (thumb || !pushes(&push, R11)))
		return at;
	if (thumb ? is_amid_arm(code, at) || !runs_as_thumb(code, at) : !runs_as_arm(code, at))
		return at;
	if (is_of_every_file(code, at, thumb, &push))
		return at;
	abi = record_behind(code, &end, thumb, &is_bottom);
	if (abi != A32_ABI_NONE || saves_lr)
		votes->abi[abi]++;
	votes->r7_bottom += is_bottom;
	return end;
}

/* STMDB sp! and STR [sp, #-N]! with lr or r11, executed always */
static bool like_push_arm(u32 w)
{
	return (w & 0xffff0000) == 0xe92d0000 || (w & 0xfffff000) == 0xe52de000 ||
	       (w & 0xfffff000) == 0xe52db000;
}

/*
 * PUSH, STMDB sp!, STR [sp, #-N]! and STRD [sp, #-N]!, which clang -Oz and
 * libgcc have. 0xb5xx is also the end of "ldr.w r11, [rn, #imm]", and the lower
 * half of an offset or address in a pool: the upper one then is, as code, a
 * shift or movs, which no prologue goes on with.
 */
static bool like_push_thumb(const struct code *code, u32 at)
{
	u32 h = half_at(code->byte, at), behind = half_at(code->byte, at + 2);

	if ((h & 0xff00) == 0xb500 && !(at & 3) && behind < 0x400)
		return false;
	if ((h & 0xff00) == 0xb500)
		return at < 2 || (half_at(code->byte, at - 2) & 0xff00) != 0xf800;
	if (h == 0xe92d)
		return !(behind & (1 << SP | 1 << PC));
	return h == 0xf84d || h == 0xe96d;
}

/* The upper byte alone rules out nearly all: this is done for each halfword. */
static bool may_push_arm(u32 high)
{
	return high == 0xe9 || high == 0xe5;
}

static bool may_push_thumb(u32 high)
{
	return high == 0xb5 || high == 0xe9 || high == 0xf8;
}

void a32_detect_count(const u8 *byte, u32 len, u32 from, struct a32_votes *votes)
{
	const struct code code = { byte, len };
	u32 at, next;

	if (len < 4)
		return;
	if (from > len - 3)
		from = len - 3;
	for (at = 0; at < from; at = next) {
		next = at;
		if (!(at & 3) && may_push_arm(byte[at + 3]) && like_push_arm(word_at(byte, at)))
			next = count_at(&code, at, false, votes);
		if (next == at && may_push_thumb(byte[at + 1]) && like_push_thumb(&code, at))
			next = count_at(&code, at, true, votes);
		next = (next & ~1) + 2;
	}
}

enum {
	RUNTIME_FUNCTIONS	= 5,	/* without a record, in any program: crt*.o, libgcc */
	FEW_RECORDS		= 4,	/* fewer than one for so many functions without */
	OTHER_RECORDS		= 8,	/* more than one in so many records */
};

/*
 * Functions without a record do no harm as long as most have one: chains get
 * through them by their code. With few records, the file was built without:
 * alloca() and functions that realign the stack make one all the same, and so
 * may assembler sources.
 */
u32 a32_detect_verdict(const struct a32_votes *votes)
{
	u32 none = votes->abi[A32_ABI_NONE], records = 0, best = A32_ABI_APCS, abi;

	none -= none < RUNTIME_FUNCTIONS ? none : RUNTIME_FUNCTIONS;
	for (abi = A32_ABI_APCS; abi < A32_ABI_AUTO; abi++) {
		records += votes->abi[abi];
		if (votes->abi[abi] > votes->abi[best])
			best = abi;
	}
	if (!records || records * FEW_RECORDS < none)
		return A32_ABI_NONE;
	if ((records - votes->abi[best]) * OTHER_RECORDS > records || none > records)
		return A32_ABI_MIXED;
	return best;
}
