// SPDX-License-Identifier: GPL-2.0
#include "ehabi.h"

enum { R4 = 4, R7 = 7, R11 = 11, SP = 13, LR = 14, PC = 15 };

enum { FAR = 0x4000000 };	/* farther than any frame reaches, so that sums can't overflow */

/**
 * struct unwound - how far it has come
 * @code: the next instruction
 * @end: behind the last one
 * @base: register that offsets count from
 * @vsp: the virtual sp, bytes from @base
 * @popped: registers whose values have been found
 * @slot: where each of them is, bytes from @base
 */
struct unwound {
	const uint8_t *code;
	const uint8_t *end;
	unsigned int base;
	int32_t vsp;
	uint32_t popped;
	int32_t slot[16];
};

static bool next(struct unwound *u, uint32_t *byte)
{
	if (u->code == u->end)
		return false;
	*byte = *u->code++;
	return true;
}

static bool move(struct unwound *u, int32_t bytes)
{
	u->vsp += bytes;
	return u->vsp > -FAR && u->vsp < FAR;
}

/* What is popped into sp is only known at run time. */
static bool pop(struct unwound *u, uint32_t mask)
{
	unsigned int reg;

	if (mask & 1 << SP)
		return false;
	for (reg = 0; reg < 16; reg++) {
		if (!(mask & 1u << reg))
			continue;
		u->slot[reg] = u->vsp;
		u->popped |= 1u << reg;
		if (!move(u, 4))
			return false;
	}
	return true;
}

/* vsp = r[n], which must still be what it was in the function. */
static bool move_to(struct unwound *u, unsigned int reg)
{
	if (reg == SP || reg == PC || u->popped)
		return false;
	u->base = reg;
	u->vsp = 0;
	return true;
}

/* 1000iiii iiiiiiii: r4 to r15; all 0 is "refuse to unwind" */
static bool pop_mask(struct unwound *u, uint32_t op)
{
	uint32_t low;

	if (!next(u, &low))
		return false;
	low |= (op & 0xf) << 8;
	return low && pop(u, low << R4);
}

/* 10110001 0000iiii: r0 to r3 */
static bool pop_low(struct unwound *u)
{
	uint32_t mask;

	return next(u, &mask) && mask && mask < 16 && pop(u, mask);
}

/* 10110010 uleb128: vsp += 0x204 + (uleb128 << 2) */
static bool move_far(struct unwound *u)
{
	uint32_t byte, value = 0, shift = 0;

	do {
		if (!next(u, &byte) || shift > 21)
			return false;
		value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return value < FAR / 4 && move(u, 0x204 + (int32_t)(value << 2));
}

/* sssscccc: cccc + 1 registers of 8 bytes, and @extra bytes that FSTMX leaves */
static bool pop_wide_list(struct unwound *u, int32_t extra)
{
	uint32_t list;

	return next(u, &list) && move(u, 8 * (int32_t)((list & 0xf) + 1) + extra);
}

/* 11000111 0000iiii: wCGR0 to wCGR3 */
static bool pop_wcgr(struct unwound *u)
{
	uint32_t mask;

	return next(u, &mask) && mask && mask < 16 && move(u, 4 * __builtin_popcount(mask));
}

/* 1011xxxx but "finish". FSTMX stores a word more than the registers. */
static bool step_1011(struct unwound *u, uint32_t op)
{
	switch (op) {
	case 0xb1:
		return pop_low(u);
	case 0xb2:
		return move_far(u);
	case 0xb3:
		return pop_wide_list(u, 4);
	case 0xb4:	/* return address authentication code */
		return move(u, 4);
	case 0xb5:	/* vsp is the modifier of that */
		return true;
	default:	/* d8 to d[8 + n] by FSTMX; 1011011n is spare */
		return op >= 0xb8 && move(u, 8 * (int32_t)((op & 7) + 1) + 4);
	}
}

/* 11xxxxxx: wR10 to wR[10 + n], d8 to d[8 + n], and lists of them */
static bool step_11(struct unwound *u, uint32_t op)
{
	switch (op) {
	case 0xc6:
	case 0xc8:
	case 0xc9:
		return pop_wide_list(u, 0);
	case 0xc7:
		return pop_wcgr(u);
	default:
		if ((op & 0xf8) != 0xc0 && (op & 0xf8) != 0xd0)
			return false;
		return move(u, 8 * (int32_t)((op & 7) + 1));
	}
}

static bool step(struct unwound *u, uint32_t op)
{
	switch (op >> 4) {
	case 0x0 ... 0x3:
		return move(u, (int32_t)((op & 0x3f) << 2) + 4);
	case 0x4 ... 0x7:
		return move(u, -(int32_t)((op & 0x3f) << 2) - 4);
	case 0x8:
		return pop_mask(u, op);
	case 0x9:
		return move_to(u, op & 0xf);
	case 0xa:	/* 1010Lnnn: r4 to r[4 + n], and r14 */
		return pop(u, ((2u << (op & 7)) - 1) << R4 | (op & 8 ? 1u << LR : 0));
	case 0xb:
		return step_1011(u, op);
	default:
		return step_11(u, op);
	}
}

/* Offsets in words that rules can have; uapi/a32table.h */
static bool to_words(const struct unwound *u, unsigned int reg, int16_t *words)
{
	int32_t off = (u->slot[reg] - u->vsp) / 4;

	*words = (int16_t)off;
	return off >= -4096 && off <= 4095;
}

static bool saved(const struct unwound *u, unsigned int reg, int16_t *words)
{
	if (u->popped & 1u << reg)
		return to_words(u, reg, words);
	*words = A32_TABLE_SAME;
	return true;
}

/* pc becomes lr unless it was popped itself. */
static bool return_address(const struct unwound *u, int16_t *words)
{
	if (u->popped & 1u << PC)
		return to_words(u, PC, words);
	if (u->popped & 1u << LR)
		return to_words(u, LR, words);
	*words = A32_TABLE_IN_REG(LR);
	return true;
}

static bool to_rule(const struct unwound *u, struct a32_table_rule *rule)
{
	*rule = (struct a32_table_rule){
		.kind = A32_TABLE_FRAME,
		.source = A32_TABLE_EXIDX,
		.cfa_reg = (uint8_t)u->base,
		.cfa_off = u->vsp,
	};
	return return_address(u, &rule->ra) && saved(u, R7, &rule->r7) &&
	       saved(u, R11, &rule->r11);
}

bool ehabi_rule(const uint8_t *code, size_t size, struct a32_table_rule *rule)
{
	struct unwound u = { .code = code, .end = code + size, .base = SP };
	uint32_t op;

	while (next(&u, &op) && op != 0xb0)
		if (!step(&u, op))
			return false;
	return to_rule(&u, rule);
}
