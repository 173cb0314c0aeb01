// SPDX-License-Identifier: GPL-2.0
#include "insn.h"

#define PC	15
#define LR	14
#define SP	13

static int32_t extend(uint32_t value, unsigned int bits)
{
	return (int32_t)(value << (32 - bits)) >> (32 - bits);
}

/* bx and its like */
static enum insn_kind jump_to(unsigned int reg)
{
	return reg == LR ? INSN_RETURN : INSN_JUMP_ANY;
}

static void thumb16(uint32_t hw, uint32_t offset, struct insn *insn)
{
	unsigned int reg = hw >> 3 & 15;
	uint32_t pc = offset + 4;

	if ((hw & 0xff00) == 0xbf00 && hw & 15) {		/* it */
		insn->it = 4 - __builtin_ctz(hw & 15);
	} else if ((hw & 0xf000) == 0xd000) {			/* b<c>; udf, svc */
		if ((hw >> 8 & 15) == 14) {
			insn->kind = INSN_NONE;
		} else if ((hw >> 8 & 15) != 15) {
			insn->kind = INSN_JUMP;
			insn->conditional = true;
			insn->target = (pc + 2 * extend(hw & 0xff, 8)) | 1;
		}
	} else if ((hw & 0xf800) == 0xe000) {			/* b */
		insn->kind = INSN_JUMP;
		insn->target = (pc + 2 * extend(hw & 0x7ff, 11)) | 1;
	} else if ((hw & 0xf500) == 0xb100) {			/* cbz, cbnz */
		insn->kind = INSN_JUMP;
		insn->conditional = true;
		insn->target = (pc + ((hw >> 9 & 1) << 6 | (hw >> 3 & 31) << 1)) | 1;
	} else if (hw == 0x4778) {				/* bx pc */
		insn->kind = INSN_JUMP;
		insn->target = pc & ~3;
	} else if ((hw & 0xff87) == 0x4700) {			/* bx */
		insn->kind = jump_to(reg);
	} else if ((hw & 0xff87) == 0x4780) {			/* blx */
		insn->kind = INSN_CALL;
	} else if ((hw & 0xff87) == 0x4687) {			/* mov pc */
		insn->kind = jump_to(reg);
	} else if ((hw & 0xff87) == 0x4487) {			/* add pc */
		insn->kind = INSN_JUMP_ANY;
	} else if ((hw & 0xff00) == 0xbd00) {			/* pop {pc} */
		insn->kind = INSN_RETURN;
	}
}

static void thumb_branch(uint32_t first, uint32_t last, uint32_t offset, struct insn *insn)
{
	uint32_t s = first >> 10 & 1, j1 = last >> 13 & 1, j2 = last >> 11 & 1, pc = offset + 4;
	uint32_t low = (last & 0x7ff) << 1;
	uint32_t near = s << 20 | j2 << 19 | j1 << 18 | (first & 63) << 12 | low;
	uint32_t far = s << 24 | !(j1 ^ s) << 23 | !(j2 ^ s) << 22 | (first & 0x3ff) << 12 | low;

	switch (last & 0xd000) {
	case 0xd000:						/* bl */
		insn->kind = INSN_CALL;
		insn->target = (pc + extend(far, 25)) | 1;
		break;
	case 0xc000:						/* blx */
		insn->kind = INSN_CALL;
		insn->target = (pc & ~3) + extend(far & ~3, 25);
		break;
	case 0x9000:						/* b.w */
		insn->kind = INSN_JUMP;
		insn->target = (pc + extend(far, 25)) | 1;
		break;
	case 0x8000:						/* b<c>.w; system */
		if ((first >> 6 & 15) >= 14) {
			if ((first & 0xfff0) == 0xf7f0 && (last & 0xf000) == 0xa000)
				insn->kind = INSN_NONE;		/* udf.w */
			break;
		}
		insn->kind = INSN_JUMP;
		insn->conditional = true;
		insn->target = (pc + extend(near, 21)) | 1;
	}
}

static void thumb32(uint32_t first, uint32_t last, uint32_t offset, struct insn *insn)
{
	unsigned int rn = first & 15;

	if ((first & 0xf800) == 0xf000 && last & 0x8000) {
		thumb_branch(first, last, offset, insn);
	} else if ((first & 0xfff0) == 0xe8d0 && (last & 0xffe0) == 0xf000) {
		insn->kind = rn == PC ? INSN_TABLE : INSN_JUMP_ANY;
		insn->table = last & 0x10 ? 2 : 1;
	} else if (((first & 0xffd0) == 0xe890 || (first & 0xffd0) == 0xe910) && last & 0x8000) {
		insn->kind = rn == SP ? INSN_RETURN : INSN_JUMP_ANY;
	} else if ((first & 0xff70) == 0xf850 && last >> 12 == PC) {
		insn->kind = rn == SP ? INSN_RETURN : INSN_JUMP_ANY;
	}
}

static void arm(uint32_t word, uint32_t offset, struct insn *insn)
{
	uint32_t pc = offset + 8, rn = word >> 16 & 15, op = word >> 21 & 15;

	if (word >> 28 == 15) {
		if ((word & 0xfe000000) == 0xfa000000) {	/* blx */
			insn->kind = INSN_CALL;
			insn->target = pc + 4 * extend(word & 0xffffff, 24);
			insn->target |= (word >> 24 & 1) << 1 | 1;
		}
		return;
	}
	insn->conditional = word >> 28 != 14;
	if ((word & 0x0e000000) == 0x0a000000) {		/* b, bl */
		insn->kind = word & 0x01000000 ? INSN_CALL : INSN_JUMP;
		insn->target = pc + 4 * extend(word & 0xffffff, 24);
	} else if ((word & 0x0ffffff0) == 0x012fff10) {		/* bx */
		insn->kind = jump_to(word & 15);
	} else if ((word & 0x0ffffff0) == 0x012fff30) {		/* blx */
		insn->kind = INSN_CALL;
	} else if ((word & 0x0e108000) == 0x08108000) {		/* ldm {pc} */
		insn->kind = rn == SP ? INSN_RETURN : INSN_JUMP_ANY;
	} else if ((word & 0x0c10f000) == 0x0410f000 &&
		   (word & 0x02000010) != 0x02000010) {		/* ldr pc */
		insn->kind = rn == SP ? INSN_RETURN : INSN_JUMP_ANY;
	} else if ((word & 0x0c00f000) == 0x0000f000 && (op < 8 || op > 11) &&
		   (word & 0x02000090) != 0x00000090) {		/* to pc */
		insn->kind = (word & 0x0fffffff) == 0x01a0f00e ? INSN_RETURN : INSN_JUMP_ANY;
		/* A table of jumps may follow. */
		if (op == 4 && rn == PC)
			insn->conditional = true;
	}
}

void insn_decode(const struct file *file, uint32_t at, struct insn *insn)
{
	uint32_t offset = at & ~1;
	uint32_t first = file_half(file, offset), last = file_half(file, offset + 2);

	*insn = (struct insn){ .kind = INSN_OTHER };
	if (!(at & 1)) {
		insn->next = offset + 4;
		arm(first | last << 16, offset, insn);
	} else if (first >> 11 >= 0x1d) {
		insn->next = (offset + 4) | 1;
		thumb32(first, last, offset, insn);
	} else {
		insn->next = (offset + 2) | 1;
		thumb16(first, offset, insn);
	}
}

static bool direct_call(const struct file *file, uint32_t at, uint32_t *target)
{
	struct insn insn;

	insn_decode(file, at, &insn);
	if (insn.kind != INSN_CALL || !insn.target || insn.next - (at & 1) != (at & ~1) + 4)
		return false;
	*target = insn.target;
	return true;
}

bool insn_call_target(const struct file *file, uint32_t ret, uint32_t *target)
{
	uint32_t other;
	struct insn insn;

	if (ret < 4)
		return false;
	/* A 16-bit blx may be the end of something that looks like a longer one. */
	insn_decode(file, (ret - 2) | 1, &insn);
	if (insn.kind == INSN_CALL && insn.next == (ret | 1))
		return false;
	if (!direct_call(file, (ret - 4) | 1, target))
		return !(ret & 3) && direct_call(file, ret - 4, target);
	return ret & 3 || !direct_call(file, ret - 4, &other);
}
