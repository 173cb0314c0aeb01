// SPDX-License-Identifier: GPL-2.0
#include "body_pass.h"
#include "call.h"

/*
 * Most instructions matter to nobody: they don't write the frame register, and run
 * on to the next one. Which ones may matter is told without decoding them, a line
 * of code at a time. What isn't listed here may.
 */
enum kind {
	MATTERS, RD_HIGH, LITERAL, BLX, IT, CBZ, B_COND, B, LDM,
	WIDE_LDM, WIDE_DATA, WIDE_IMM, WIDE_MEM, WIDE_MUL, WIDE_OTHER,
	A_DATA, A_MEM, A_MEM_REG, A_LDM, A_B, A_BL, A_VFP_MEM, A_VFP,
};

/*
 * The most frequent ones are plain if one of some bits isn't as in a pattern, which has
 * the frame register twice, and bits that no halfword has. For these, an entry of the
 * table has the bits; for others, the kind.
 */
enum { NO_BIT = 1 << 16, NO_LOW = 1 << 17, KIND = 24 };

#define RD_0		(7 | NO_LOW)
#define RD_8		(7 << 8 | NO_LOW)
#define PLAIN		NO_BIT

enum { STOPS = 4 };

/* DDI 0406C, A6.2 and A6.3: by bits 15 to 8 of the first halfword */
static const u32 thumb_kind[256] = {
	[0x00 ... 0x1f] = RD_0, [0x20 ... 0x3f] = RD_8, [0x40 ... 0x43] = RD_0,
	[0x44] = RD_HIGH << KIND, [0x45] = PLAIN, [0x46] = RD_HIGH << KIND, [0x47] = BLX << KIND,
	[0x48 ... 0x4f] = LITERAL << KIND, [0x50 ... 0x8f] = RD_0, [0x90 ... 0xaf] = RD_8,
	[0xb0] = PLAIN, [0xb1] = CBZ << KIND, [0xb2] = RD_0, [0xb3] = CBZ << KIND,
	[0xb9] = CBZ << KIND, [0xbb] = CBZ << KIND, [0xbf] = IT << KIND,
	[0xc0 ... 0xcf] = LDM << KIND, [0xd0 ... 0xdd] = B_COND << KIND,
	[0xe0 ... 0xe7] = B << KIND,
	[0xe8 ... 0xe9] = WIDE_LDM << KIND, [0xea ... 0xeb] = WIDE_DATA << KIND,
	[0xec ... 0xef] = WIDE_OTHER << KIND, [0xf0 ... 0xf7] = WIDE_IMM << KIND,
	[0xf8 ... 0xf9] = WIDE_MEM << KIND, [0xfa] = WIDE_DATA << KIND,
	[0xfb] = WIDE_MUL << KIND, [0xfc ... 0xff] = WIDE_OTHER << KIND,
};

static u32 pattern_of(u32 own)
{
	return NO_BIT | (own < 8 ? own << 8 | own : NO_LOW);
}

/* Registers by which an instruction may be a way out, or change what is followed */
static u32 special(u32 own)
{
	return 1 << PC | 1 << LR | 1 << SP | 1 << own;
}

/* Loads and stores: of pc, of own, from near pc, or with own += offset? */
static bool matters_wide_mem(u32 h1, u32 h2, u32 own)
{
	u32 rt = h2 >> 12, rn = h1 & 15;

	if (rt == own || rt == SP || rn == PC || (rt == PC && (h1 & 0x70) == 0x50))
		return true;
	/* Of NEON's elements, all may; else those by offsets of 8 bits */
	return rn == own && ((h1 & 0x110) == 0x100 || (!(h1 & 0x80) && (h2 & 0x900) != 0x800));
}

static bool matters_wide_ldm(u32 h1, u32 h2, u32 own)
{
	if (!(h1 & 0x40))
		return h2 & special(own) || (h1 & 15) == own;
	/* TBB and TBH, and what is near them; else pairs */
	return (h1 & 0xffe0) == 0xe8c0 || h2 >> 12 == own || (h2 >> 8 & 15) == own ||
	       (h1 & 15) == own;
}

/* Where the way has to be looked at next in a line, as halfwords from its start, from @i on */
static u32 next_stop(const struct a32_pass *p, u32 n, u32 i)
{
	u32 stops = p->stop[n];

	if (p->doubt && !p->guess)
		stops |= p->note[n];
	stops = i < 32 ? stops >> i : 0;
	return stops ? i + __builtin_ctz(stops) : 32;
}

/*
 * Is an instruction, whose halfwords are @mask, just a place that the body is known to
 * go on at? There, nothing is in doubt.
 */
static bool passes(struct a32_pass *p, u32 n, u32 mask)
{
	if (p->stop[n] & mask)
		return false;
	a32_pass_settle(p);
	return true;
}

/* WIDE_IMM, where it is a branch or the like; see skip_rare(). */
static __always_inline u32 skip_wide_branch(struct a32_pass *p, u32 pc, u32 h1, u32 h2)
{
	s32 s = h1 >> 10 & 1;

	if ((h2 & 0xc000) == 0xc000) {
		a32_pass_call(p, pc + 4);
		return 2 | STOPS;
	}
	if (h2 & 0x1000 || (h1 & 0x380) == 0x380)
		return 0;
	a32_pass_branch(p, pc + 4 + (-s << 20 | (h2 >> 11 & 1) << 19 | (h2 >> 13 & 1) << 18 |
				     (h1 & 0x3f) << 12 | (h2 & 0x7ff) << 1));
	return 2;
}

/* A branch, behind which the body goes on */
static __always_inline bool skip_b(struct a32_pass *p, u32 target, u32 behind)
{
	if (behind - p->it <= A32_IT_BYTES || !a32_pass_goes_on(p, behind))
		return false;
	a32_pass_note(p, target);
	return true;
}

/*
 * An instruction that is in none of the narrow forms that are plain for most
 * registers. Return its length in halfwords, with STOPS if the way has to be looked
 * at in other places now; 0 if it matters.
 */
static __always_inline u32 skip_rare(struct a32_pass *p, u32 pc, u32 h, u32 kind, const u16 *c,
				     u32 own)
{
	switch (kind) {
	case RD_HIGH:
		return !(special(own) >> ((h >> 4 & 8) | (h & 7)) & 1);
	case LITERAL:
		if ((h >> 8 & 7) == own)
			return 0;
		a32_pass_note_data(p, ((pc + 4) & ~3) + (h & 0xff) * 4);
		return 1 | STOPS;
	case BLX:
		if (!(h & 0x80))
			return 0;
		a32_pass_call(p, pc + 2);
		return 1 | STOPS;
	case IT:
		if (h & 15)
			p->it = pc;
		return 1;
	case CBZ:
		a32_pass_branch(p, pc + 4 + ((h >> 3 & 0x40) | (h >> 2 & 0x3e)));
		return 1;
	case B_COND:
		a32_pass_branch(p, pc + 4 + ((s32)(h << 24) >> 23));
		return 1;
	case B:
		return skip_b(p, pc + 4 + ((s32)(h << 21) >> 20), pc + 2);
	case LDM:
		return (h >> 8 & 7) != own && !(h & 0xff & 1 << own);
	case WIDE_IMM:
		if (c[1] & 0x8000)
			return skip_wide_branch(p, pc, h, c[1]);
		fallthrough;
	case WIDE_DATA:
		if (kind == WIDE_DATA && (c[1] >> 8 & 15) == SP)
			return 0;
		return (c[1] >> 8 & 15) == own ? 0 : 2;
	case WIDE_MEM:
		return matters_wide_mem(h, c[1], own) ? 0 : 2;
	case WIDE_LDM:
		return matters_wide_ldm(h, c[1], own) ? 0 : 2;
	case WIDE_MUL:
		return c[1] >> 12 == own || (c[1] >> 8 & 15) == own ? 0 : 2;
	case WIDE_OTHER:
		return c[1] >> 12 == own || (c[1] >> 8 & 15) == own || (h & 15) == own ? 0 : 2;
	}
	return 0;
}

static u32 skip_thumb(struct a32_pass *p, u32 pc, u16 *code)
{
	const u32 line = pc & -64, n = (line - p->base) / 64;
	const u32 own = p->own, pattern = pattern_of(own);
	const u16 *c = code + pc / 2 % 32, *stop = code + next_stop(p, n, c - code);
	u32 len, h, kind, err = 0;

	if (a32_thumb_is_wide(code[31])) {
		/* Should there be nothing, the way ends there. */
		a32_load16(line + 64, &h, &err);
		code[32] = h;
	}
	for (;;) {
		if (unlikely(c >= stop)) {
			if (c >= code + 32 || !passes(p, n, 1u << (c - code)))
				break;
			stop = code + next_stop(p, n, c - code);
			continue;
		}
		h = *c;
		kind = thumb_kind[h >> 8];
		if ((h ^ pattern) & kind) {
			c++;
			continue;
		}
		len = skip_rare(p, line + 2 * (c - code), h, kind >> KIND, c, own);
		if (!len)
			break;
		c += len & 3;
		if (len & STOPS || c > stop)
			stop = code + next_stop(p, n, c - code);
	}
	return line + 2 * (c - code);
}

/*
 * In ARM code the most frequent ones are plain if neither rd is the frame register, sp
 * or pc, nor all of the bits are set that this has: what decodes as something else, a
 * load from near pc, or, where it is 0, all others. DDI 0406C, A5.1 and on: by bits 27
 * to 20
 */
#define EXTRA		0x90		/* multiplications, loads of halfwords */
#define FROM_PC		(PC << 16)
#define ANY		U32_MAX

static const u32 arm_bits[256] = {
	[0x00 ... 0x0f] = EXTRA, [0x11] = EXTRA, [0x13] = EXTRA, [0x15] = EXTRA,
	[0x17 ... 0x1f] = EXTRA, [0x20 ... 0x31] = ANY, [0x33 ... 0x35] = ANY,
	[0x37 ... 0x3f] = ANY, [0x50] = ANY, [0x51] = FROM_PC, [0x54] = ANY, [0x55] = FROM_PC,
	[0x58] = ANY, [0x59] = FROM_PC, [0x5c] = ANY, [0x5d] = FROM_PC,
};

static const u8 arm_kind[256] = {
	[0x00 ... 0x31] = A_DATA, [0x33 ... 0x35] = A_DATA, [0x37 ... 0x3f] = A_DATA,
	[0x40 ... 0x5f] = A_MEM, [0x60 ... 0x7e] = A_MEM_REG, [0x80 ... 0x9f] = A_LDM,
	[0xa0 ... 0xaf] = A_B, [0xb0 ... 0xbf] = A_BL, [0xc0 ... 0xdf] = A_VFP_MEM,
	[0xe0 ... 0xef] = A_VFP,
};

/* Is the base register left as it is? */
static bool keeps_base(u32 w)
{
	return (w & 0x01200000) == 0x01000000;
}

/* Those that are not told from arm_bits */
static bool matters_arm(struct a32_pass *p, u32 pc, u32 w, u32 kind)
{
	u32 rd = w >> 12 & 15, rn = w >> 16 & 15, own = p->own;

	if (kind != A_LDM && kind != A_VFP_MEM && (rd == own || rd == PC || rd == SP))
		return true;
	switch (kind) {
	case A_DATA:
		/* Multiplications have rd in the place of rn. LDRD loads a pair. */
		return (w & EXTRA) != EXTRA || (rd | 1) == own || (rn == own && !keeps_base(w));
	case A_MEM:
		if (!keeps_base(w))
			return special(own) >> rn & 1;
		a32_pass_note_data(p, pc + 8 + (w & 1 << 23 ? w & 0xfff : -(w & 0xfff)));
		return false;
	case A_MEM_REG:
		return rn == own;
	case A_LDM:
		return w & special(own) || rn == own;
	case A_VFP_MEM:
		return !keeps_base(w) || rn == PC;
	case A_VFP:
		return false;
	}
	return true;
}

static bool follows_mov_lr_pc(u32 pc, const u32 *code, u32 i)
{
	return i ? a32_is_mov_lr_pc(code[i - 1]) : a32_follows_mov_lr_pc(pc);
}

/* As skip_rare(), in words */
static __always_inline u32 skip_rare_arm(struct a32_pass *p, u32 pc, u32 w, const u32 *code, u32 i)
{
	u32 kind = arm_kind[w >> 20 & 0xff], target = pc + 8 + ((s32)(w << 8) >> 6);
	u32 special_rd = 1 << SP | 1 << PC | 1 << p->own;

	if (w >> 28 == 15)
		return 0;
	if (arm_bits[w >> 20 & 0xff] & ~w && !(special_rd >> (w >> 12 & 15) & 1))
		return 1;
	if (kind == A_BL || (w & 0x0ffffff0) == 0x012fff30) {
		a32_pass_call(p, pc + 4);
		return 1 | STOPS;
	}
	if (kind != A_B)
		return matters_arm(p, pc, w, kind) ? 0 : 1 | STOPS;
	if (follows_mov_lr_pc(pc, code, i))
		return 0;
	if (w >> 28 == COND_ALWAYS)
		return skip_b(p, target, pc + 4);
	a32_pass_branch(p, target);
	return 1;
}

/* rd may be own, sp or pc if it has all bits that these have in common. */
static u32 skip_arm(struct a32_pass *p, u32 pc, const u32 *code)
{
	const u32 line = pc & -64, n = (line - p->base) / 64, own = (p->own & SP) << 12;
	const u32 *c = code + pc / 4 % 16, *stop = code + next_stop(p, n, pc / 2 % 32) / 2;
	u32 w, len;

	for (;;) {
		if (unlikely(c >= stop)) {
			if (c == code + 16 || !passes(p, n, 3u << 2 * (c - code)))
				break;
			stop = code + next_stop(p, n, 2 * (c - code)) / 2;
			continue;
		}
		w = *c;
		if (arm_bits[w >> 20 & 0xff] & ~w && own & ~w && w >> 28 != 15) {
			c++;
			continue;
		}
		len = skip_rare_arm(p, line + 4 * (c - code), w, code, c - code);
		if (!len)
			break;
		c++;
		if (len & STOPS)
			stop = code + next_stop(p, n, 2 * (c - code)) / 2;
	}
	return line + 4 * (c - code);
}

void a32_pass_skip(struct a32_pass *p)
{
	/* Of the last instruction, the second half may be in the next line. */
	u32 line[A32_LOAD_LINE / 4 + 1], shift = p->thumb ? 1 : 2, from, err;

	while (p->left && a32_pass_covers(p, p->pc)) {
		from = p->pc;
		err = 0;
		a32_load_line(from & -A32_LOAD_LINE, line, &err);
		if (unlikely(err))
			return;
		p->pc = p->thumb ? skip_thumb(p, from, (u16 *)line) : skip_arm(p, from, line);
		a32_pass_spend(p, (p->pc - from) >> shift);
		if (p->pc - (from & -A32_LOAD_LINE) < A32_LOAD_LINE)
			return;
	}
}
