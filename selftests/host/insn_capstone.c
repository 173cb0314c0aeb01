// SPDX-License-Identifier: GPL-2.0
/*
 * insn_capstone [COUNT [SEED]]
 *
 * Compares core's decoder with Capstone: every 16-bit Thumb encoding, and
 * COUNT 32-bit words of each instruction set, half of them at random and half
 * of the classes that core knows more of. What Capstone refuses is left out, and
 * what is UNPREDICTABLE.
 */
#include <stdio.h>
#include <stdlib.h>
#include "insn_text.h"
#include "random.h"
#include "tap.h"

enum { DEFAULT_COUNT = 2000000, SHOWN = 20 };

/* Registers whose value the walk depends on; a write of one must be told. */
#define FOLLOWED	0xeff0

static const char *const op_names[] = {
	"NONE", "MOV", "SET", "SET_TOP", "ADD", "ADD_REG", "SUB_REG", "LOAD", "LOAD_INDEXED",
	"STORE", "STORE_PAIR", "BRANCH", "BRANCH_REG", "CALL", "JUMP_TABLE", "IT", "SYSCALL",
	"TRAP", "DEAD",
};

_Static_assert(sizeof(op_names) / sizeof(op_names[0]) == OP_DEAD + 1, "a name for each op");

/**
 * struct run - one comparison over many words
 * @thumb: the instruction set
 * @cs: Capstone, for it
 * @insn: its result
 * @done: words that Capstone took
 * @refused: words that it did not
 * @specific: of @done, those that core says something specific of
 * @plain: of @done, those that Capstone says it of and core does not
 * @over: of @done, those that core says write more of FOLLOWED than they do
 * @bad: words with a difference
 */
struct run {
	bool thumb;
	csh cs;
	cs_insn *insn;
	u64 done;
	u64 refused;
	u64 specific;
	u64 plain;
	u64 over;
	u64 bad;
};

static const char *table_difference(const struct a32_insn *i, const struct a32_insn *e)
{
	switch (i->imm) {
	case TABLE_SUM:
		return i->rn != e->rn ? "rn" : i->rm != e->rm ? "rm" : NULL;
	case TABLE_NONE:
		return i->rm != e->rm ? "rm" : NULL;
	case TABLE_LOADED:
		return i->rn != e->rn ? "rn" : NULL;
	case TABLE_UNKNOWN:
		return NULL;
	default:
		return i->target != e->target ? "table" : NULL;
	}
}

static const char *difference(const struct a32_insn *i, const struct a32_insn *e)
{
	if (i->op != e->op)
		return "op";
	if (i->cond != e->cond)
		return "cond";
	switch (i->op) {
	case OP_MOV:
		return i->rd != e->rd ? "rd" : i->rm != e->rm ? "rm" : NULL;
	case OP_SET: case OP_SET_TOP:
		return i->rd != e->rd ? "rd" : i->imm != e->imm ? "imm" : NULL;
	case OP_ADD:
		/* "add r0, pc, r1" */
		if (e->rm == PC || e->rn == PC)
			return i->rn != (e->rm == PC ? e->rn : e->rm) ? "rn" :
			       i->rd != e->rd ? "rd" : i->imm != e->imm ? "imm" : NULL;
		return i->rd != e->rd ? "rd" : i->rn != e->rn ? "rn" :
		       i->imm != e->imm ? "imm" : NULL;
	case OP_ADD_REG:
		if (i->rn == e->rm && i->rm == e->rn)
			return i->rd != e->rd ? "rd" : NULL;
		fallthrough;
	case OP_SUB_REG:
		return i->rd != e->rd ? "rd" : i->rn != e->rn ? "rn" : i->rm != e->rm ? "rm" : NULL;
	case OP_LOAD: case OP_STORE:
		return i->rn != e->rn ? "rn" : i->list != e->list ? "list" :
		       i->imm != e->imm ? "imm" : i->wb != e->wb ? "wb" : NULL;
	case OP_STORE_PAIR:
		return i->rd != e->rd ? "rd" : i->rm != e->rm ? "rm" : i->rn != e->rn ? "rn" :
		       i->list != e->list ? "list" : i->imm != e->imm ? "imm" :
		       i->wb != e->wb ? "wb" : NULL;
	case OP_LOAD_INDEXED:
		return i->rd != e->rd ? "rd" : i->rn != e->rn ? "rn" : NULL;
	case OP_JUMP_TABLE:
		return table_difference(i, e);
	case OP_BRANCH: case OP_CALL:
		return i->target != e->target ? "target" : NULL;
	case OP_BRANCH_REG:
		return i->rm != e->rm ? "rm" : NULL;
	case OP_IT:
		return i->imm != e->imm ? "imm" : NULL;
	default:
		return NULL;
	}
}

/* Into pc, core has two words for what the text has one for. */
static void respell(const struct run *run, const struct a32_insn *i, struct text_insn *t)
{
	if (i->op == OP_BRANCH_REG && t->insn.op == OP_MOV && t->insn.rd == PC)
		t->insn.op = OP_BRANCH_REG;
	if (i->op == OP_JUMP_TABLE && t->writes & 1 << PC) {
		t->insn.op = OP_JUMP_TABLE;
		t->insn.target = run->insn->address + (run->thumb ? 4 : 8);
	}
}

/* What Capstone itself lists as written, implicitly or with an operand */
static u16 listed_writes(const struct run *run)
{
	cs_regs read, write;
	u8 nr_read, nr_write, i;
	u16 writes = 0;

	/*
	 * Capstone 4.0.2 lists what push.w, strt, strbt and strht store as written
	 * (it has them as loads: objdump and DDI 0406C, A8.8.133 and A8.8.209,
	 * don't), and lr for svc, which writes the lr of supervisor mode. ERET is
	 * UNPREDICTABLE in user mode (B9.3.3).
	 */
	switch (run->insn->id) {
	case ARM_INS_PUSH: case ARM_INS_SVC: case ARM_INS_STRT: case ARM_INS_STRBT:
	case ARM_INS_STRHT: case ARM_INS_ERET:
		return 0;
	}
	if (cs_regs_access(run->cs, run->insn, read, &nr_read, write, &nr_write))
		return 0;
	for (i = 0; i < nr_write; i++) {
		u16 reg = write[i];

		if (reg >= ARM_REG_R0 && reg <= ARM_REG_R12)
			writes |= 1 << (reg - ARM_REG_R0);
		else if (reg == ARM_REG_SP || reg == ARM_REG_LR || reg == ARM_REG_PC)
			writes |= 1 << (reg == ARM_REG_SP ? SP : reg == ARM_REG_LR ? LR : PC);
	}
	return writes;
}

/* What Capstone itself lists as writing the flags, and what has their "s" in its name */
static bool listed_flags(const struct run *run)
{
	const char *name = cs_insn_name(run->cs, run->insn->id), *mnemonic = run->insn->mnemonic;
	size_t len = name ? strlen(name) : 0;

	if (len && !strncmp(mnemonic, name, len) && mnemonic[len] == 's')
		return true;
	switch (run->insn->id) {
	case ARM_INS_ADC: case ARM_INS_SBC: case ARM_INS_RSC:
		return false;		/* lists what they read of them as written */
	default:
		return cs_reg_write(run->cs, run->insn, ARM_REG_CPSR);
	}
}

/* Where saying nothing would be wrong: it was stored, or it does not go on there. */
static bool must_be_told(enum a32_op op)
{
	return op == OP_STORE || op == OP_STORE_PAIR || op == OP_SYSCALL || op == OP_TRAP ||
	       op == OP_DEAD || op == OP_CALL || op == OP_BRANCH || op == OP_BRANCH_REG ||
	       op == OP_IT;
}

/*
 * What a32_insn_writes() lacks. It leaves out pc; and no path goes on behind a jump that
 * is not known.
 */
static u16 lacks(const struct run *run, const struct a32_insn *i, const struct text_insn *t)
{
	u16 writes = t->writes | (listed_writes(run) & ~t->same);

	if (i->op == OP_DEAD || (i->op == OP_JUMP_TABLE && i->imm == TABLE_UNKNOWN))
		return 0;
	return writes & ~a32_insn_writes(i) & FOLLOWED & ~(1 << PC);
}

static const char *compare(struct run *run, const struct a32_insn *i, struct text_insn *t)
{
	u16 says = insn_writes(i);

	if (i->len != run->insn->size)
		return "length";
	if (t->writes & ~says & FOLLOWED)
		return "a write is not told";
	if (listed_writes(run) & ~says & ~t->same & FOLLOWED)
		return "a listed write is not told";
	if (lacks(run, i, t))
		return "a32_insn_writes() lacks one";
	if (says & ~t->writes & FOLLOWED && says != 0xffff)
		run->over++;
	if ((t->insn.flags || listed_flags(run)) && !i->flags)
		return "flags are set and it is not told";
	if (must_be_told(t->insn.op) && i->op != t->insn.op)
		return "op";
	if (i->op == OP_NONE || i->op == OP_DEAD) {
		run->plain += t->known;
		return NULL;
	}
	run->specific++;
	respell(run, i, t);
	/* Loads that aren't in the order of their registers: core only has the base. */
	if (run->thumb && i->op == OP_ADD && !t->known && run->insn->id == ARM_INS_LDRD)
		return NULL;
	return difference(i, &t->insn);
}

static void note_effect(const char *whose, const struct a32_insn *i, u16 writes)
{
	tap_note("    %s: %s writes %04x cond %u flags %u rd %u rn %u rm %u", whose,
		 op_names[i->op], writes, i->cond, i->flags, i->rd, i->rn, i->rm);
	tap_note("          list %04x imm %d wb %d target %#x", i->list, i->imm, i->wb, i->target);
}

static void complain(struct run *run, const struct a32_insn *i, const struct text_insn *t,
		     const char *what, const u8 *code)
{
	if (run->bad++ >= SHOWN)
		return;
	tap_note("%02x%02x%02x%02x %s %s: %s", code[3], code[2], code[1], code[0],
		 run->insn->mnemonic, run->insn->op_str, what);
	note_effect("core", i, insn_writes(i));
	note_effect("text", &t->insn, t->writes);
}

static void check(struct run *run, u32 pc, const u8 *code, size_t size)
{
	struct a32_insn i;
	struct text_insn t;
	const u8 *at = code;
	const char *what;
	u64 address = pc;
	u32 w;

	if (!cs_disasm_iter(run->cs, &at, &size, &address, run->insn)) {
		run->refused++;
		return;
	}
	memcpy(&w, code, sizeof(w));
	if (run->thumb)
		a32_insn_thumb(pc, w & 0xffff, w >> 16, &i);
	else
		a32_insn_arm(pc, w, &i);
	text_insn(run->insn, run->thumb, &t);
	if (t.unpredictable) {
		run->refused++;
		return;
	}
	run->done++;
	what = compare(run, &i, &t);
	if (what)
		complain(run, &i, &t, what, code);
}

static void begin(struct run *run, bool thumb)
{
	*run = (struct run){ .thumb = thumb };
	if (cs_open(CS_ARCH_ARM, thumb ? CS_MODE_THUMB : CS_MODE_ARM, &run->cs))
		abort();
	cs_option(run->cs, CS_OPT_DETAIL, CS_OPT_ON);
	run->insn = cs_malloc(run->cs);
}

static void end(struct run *run, const char *name)
{
	tap_note("%s: %llu compared, %llu left out", name, (unsigned long long)run->done,
		 (unsigned long long)run->refused);
	tap_note("core says what %llu do, could for %llu, and has too many writes in %llu",
		 (unsigned long long)run->specific, (unsigned long long)run->plain,
		 (unsigned long long)run->over);
	if (run->bad)
		tap_note("%llu differ", (unsigned long long)run->bad);
	tap_result(!run->bad && run->done, "%s", name);
	cs_free(run->insn, 1);
	cs_close(&run->cs);
}

static void all_narrow(void)
{
	struct run run;
	u32 h;

	begin(&run, true);
	for (h = 0; h < 0x10000; h++) {
		u8 code[4] = { h, h >> 8, 0, 0 };

		if (a32_thumb_is_wide(h))
			continue;
		check(&run, 0x10000, code, 2);
		check(&run, 0x10002, code, 2);
	}
	end(&run, "every 16-bit Thumb instruction");
}

/* Fixed bits, and which bits they are */
struct pattern {
	u32 value;
	u32 mask;
};

/* DDI 0406C, chapters A5 and A8: what prologues, epilogues and jumps are made of */
static const struct pattern arm_patterns[] = {
	{ 0xe1a00000, 0xfff00ff0 },	/* mov */
	{ 0xe1a0f000, 0x0ffffff0 },	/* mov pc */
	{ 0xe3a00000, 0xffe00000 },	/* mov #, movs #, mvn # */
	{ 0xe3000000, 0xffb00000 },	/* movw, movt */
	{ 0xe2800000, 0xffe00000 },	/* add # */
	{ 0xe2400000, 0xffe00000 },	/* sub # */
	{ 0xe24f0000, 0xff6f0000 },	/* adr */
	{ 0xe0800000, 0xffe00ff0 },	/* add */
	{ 0xe0400000, 0xffe00ff0 },	/* sub */
	{ 0xe08f0000, 0xffff0e10 },	/* add rd, pc, rm */
	{ 0xe0000000, 0x0e000000 },	/* all data processing, multiplies, ... */
	{ 0xe0000090, 0x0e000090 },	/* extra loads and stores, multiplies */
	{ 0xe04000d0, 0xfe5000d0 },	/* ldrd, strd # */
	{ 0x01000000, 0x0f900000 },	/* miscellaneous */
	{ 0xe5900000, 0xfff00000 },	/* ldr # */
	{ 0x04000000, 0x0e000000 },	/* ldr, str # */
	{ 0xe7900100, 0xfff00ff0 },	/* ldr lsl #2 */
	{ 0x06000000, 0x0e000010 },	/* ldr, str */
	{ 0x06000010, 0x0e000010 },	/* media */
	{ 0xe8bd0000, 0xffff0000 },	/* pop */
	{ 0xe92d0000, 0xffff0000 },	/* push */
	{ 0x08000000, 0x0e000000 },	/* ldm, stm */
	{ 0x0a000000, 0x0e000000 },	/* b, bl */
	{ 0x0ca00a00, 0x0ea00e00 },	/* vldm, vstm, vpush, vpop */
	{ 0x0c400a10, 0x0fe00ed0 },	/* vmov of two */
	{ 0x0e000010, 0x0f000010 },	/* mcr, mrc, vmov */
	{ 0x0f000000, 0x0f000000 },	/* svc */
	{ 0xe7f000f0, 0xfff000f0 },	/* udf */
	{ 0x012fff10, 0x0fffffd0 },	/* bx, blx */
	{ 0x012fff20, 0x0ffffff0 },	/* bxj */
	{ 0xe7f001f0, 0xfffffff0 },	/* udf of GDB and uprobes */
	{ 0x0320f000, 0x0fb0f000 },	/* msr # */
	{ 0x0120f000, 0x0fb0fff0 },	/* msr */
	{ 0x0e10f010, 0x0f10f010 },	/* mrc to the flags */
	{ 0xf0000000, 0xf0000000 },	/* unconditional */
};

/* h1 in the upper half here */
static const struct pattern thumb_patterns[] = {
	{ 0xe8000000, 0xfe400000 },	/* ldm, stm */
	{ 0xe8bd0000, 0xffff0000 },	/* pop.w */
	{ 0xe92d0000, 0xffff0000 },	/* push.w */
	{ 0xe8400000, 0xfe400000 },	/* ldrd, strd, tbb, exclusives */
	{ 0xe9400000, 0xff400000 },	/* ldrd, strd */
	{ 0xe8d0f000, 0xfff0ffe0 },	/* tbb, tbh */
	{ 0xea000000, 0xfe000000 },	/* shifted register */
	{ 0xea4f0000, 0xffef70f0 },	/* mov.w */
	{ 0xeb000000, 0xffe070f0 },	/* add.w */
	{ 0xeba00000, 0xffe070f0 },	/* sub.w */
	{ 0xf0000000, 0xfa008000 },	/* modified immediate */
	{ 0xf04f0000, 0xfbcf8000 },	/* mov.w #, mvn # */
	{ 0xf1000000, 0xfbe08000 },	/* add.w # */
	{ 0xf1a00000, 0xfbe08000 },	/* sub.w # */
	{ 0xf2000000, 0xfa008000 },	/* plain immediate */
	{ 0xf2400000, 0xfbf08000 },	/* movw */
	{ 0xf2c00000, 0xfbf08000 },	/* movt */
	{ 0xf2000000, 0xfb508000 },	/* addw, subw, adr */
	{ 0xf0008000, 0xf8008000 },	/* branches */
	{ 0xf8400000, 0xff600000 },	/* ldr.w, str.w */
	{ 0xf8500020, 0xfff00ff0 },	/* ldr.w lsl #2 */
	{ 0xf8400800, 0xffe00800 },	/* ldr.w, str.w # with writeback */
	{ 0xf8000000, 0xfe000000 },	/* loads and stores */
	{ 0xfa000000, 0xfe000000 },	/* registers, multiplies */
	{ 0xeca00a00, 0xfea00e00 },	/* vldm, vstm, vpush, vpop */
	{ 0xf7f0a000, 0xfff0fff0 },	/* udf.w, GDB's among them */
	{ 0xf7f0a000, 0xfff0f000 },	/* udf.w */
	{ 0xf3808000, 0xffe0f0ff },	/* msr */
	{ 0xf3c08f00, 0xfff0ffff },	/* bxj */
	{ 0xf7008000, 0xff80d000 },	/* b<cond>.w far, msr, hints, ... */
	{ 0xee10f010, 0xef10f010 },	/* mrc to the flags */
	{ 0xec000000, 0xec000000 },	/* coprocessor */
};

static u32 directed(const struct pattern *pattern, u32 nr)
{
	const struct pattern *p = &pattern[random32() % nr];

	return (random32() & ~p->mask) | (p->value & p->mask);
}

static void many(bool thumb, u64 count, const struct pattern *pattern, u32 nr, const char *name)
{
	struct run run;

	begin(&run, thumb);
	while (count--) {
		u32 w = count & 1 ? directed(pattern, nr) : random32();
		u8 code[4] = { w, w >> 8, w >> 16, w >> 24 };

		if (thumb) {
			code[0] = w >> 16;
			code[1] = w >> 24 | 0xe0;
			code[2] = w;
			code[3] = w >> 8;
			if (!a32_thumb_is_wide(code[0] | code[1] << 8))
				code[1] |= 0x10;
		}
		check(&run, 0x10000 + (thumb ? random32() & 2 : 0), code, 4);
	}
	end(&run, name);
}

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

int main(int argc, char **argv)
{
	u64 count = argc > 1 ? strtoull(argv[1], NULL, 0) : DEFAULT_COUNT;
	u64 seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 20240229;

	random_seed(seed);
	tap_plan(3);
	tap_note("%llu words of each instruction set, seed %llu", (unsigned long long)count,
		 (unsigned long long)seed);
	all_narrow();
	many(false, count, arm_patterns, NR(arm_patterns), "32-bit ARM instructions");
	many(true, count, thumb_patterns, NR(thumb_patterns), "32-bit Thumb instructions");
	return tap_status();
}
