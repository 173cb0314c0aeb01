// SPDX-License-Identifier: GPL-2.0
/*
 * The instruction decoder: an address, then words, each decoded as ARM and as
 * Thumb.
 */
#include "../../module/core/insn.h"
#include "fuzz.h"

#define MOVED	0x1000		/* Far enough to see it, and no change of alignment */

static u64 decoded;

static void decode(bool thumb, u32 pc, u32 w, struct a32_insn *i)
{
	if (thumb)
		a32_insn_thumb(pc, w & 0xffff, w >> 16, i);
	else
		a32_insn_arm(pc, w, i);
	decoded++;
}

static void check_fields(bool thumb, u32 w, const struct a32_insn *i)
{
	LAW(i->len == (thumb && !a32_thumb_is_wide(w & 0xffff) ? 2 : 4));
	LAW(i->op <= OP_DEAD);
	LAW(i->cond <= COND_REGISTER && i->flags <= FLAGS_COMPARE_REG && i->sum <= SUM_OR);
	LAW(i->rd <= PC && i->rn <= PC && i->rm <= PC);
	LAW(a32_insn_writes(i) <= 0xffff);
	if (i->op == OP_BRANCH)
		LAW(!(i->target & (thumb ? 1 : 3)));
	if (i->op == OP_CALL && i->target && !thumb)
		LAW(i->target & 1 || !(i->target & 2));
}

/* What is at other places, or was there before, makes no difference. */
static void check_word(bool thumb, u32 pc, u32 w)
{
	struct a32_insn i, same, moved, cut;

	memset(&i, 0, sizeof(i));
	memset(&same, 0xa5, sizeof(same));
	decode(thumb, pc, w, &i);
	decode(thumb, pc, w, &same);
	LAW(!memcmp(&i, &same, sizeof(i)));
	check_fields(thumb, w, &i);
	decode(thumb, pc + MOVED, w, &moved);
	LAW(moved.op == i.op && moved.len == i.len && moved.clobber == i.clobber);
	if (i.op == OP_BRANCH || (i.op == OP_CALL && i.target && moved.target))
		LAW(moved.target - i.target == MOVED);
	if (i.len == 2) {
		decode(thumb, pc, w ^ 0xffff0000, &cut);
		LAW(!memcmp(&i, &cut, sizeof(i)));
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input in = { data, size };
	u32 pc = fuzz_u32(&in), w;

	do {
		w = fuzz_u32(&in);
		check_word(false, pc & ~3, w);
		check_word(true, pc & ~1, w);
	} while (in.size);
	return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	fuzz_figure("instructions decoded", &decoded);
	return 0;
}
