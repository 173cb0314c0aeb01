// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that nothing leads to: what a pointer was computed of that isn't
 * understood, or what an unresolved jump leads to. There is one only where it
 * makes sense from its first instruction to its return.
 */
#include "analyse_finder.h"

/* Compilers put no more than so many instructions before the push. */
enum { MAX_BEFORE = 16 };

/* Bytes of what compilers and linkers fill gaps with: nops and zeroes */
static uint32_t padding_at(const struct image *image, uint32_t addr)
{
	uint32_t w;

	if (!(addr & 3) && image_u32(image, addr, &w) &&
	    (!w || w == 0xe1a00000 || w == 0xe320f000 || w == 0x8000f3af))
		return 4;
	if (image_u16(image, addr, &w) && (!w || w == 0xbf00 || w == 0x46c0))
		return 2;
	return 0;
}

/* Stubs of procedure linkage tables, of GNU ld and LLVM's lld */
static bool is_stub(const struct image *image, uint32_t addr)
{
	uint32_t w;

	if (addr & 1)
		return image_u16(image, addr & ~1, &w) && w == 0x4778;	/* bx pc */
	return !(addr & 3) && image_u32(image, addr, &w) &&
	       ((w & 0xfffff000) == 0xe28fc000 ||			/* add ip, pc, #n */
		w == 0xe59fc004);					/* ldr ip, [pc, #4] */
}

/* See flow_begin_call(). */
static bool is_resolver(const struct image *image, uint32_t addr)
{
	uint32_t push, load;

	return !(addr & 3) && image_u32(image, addr, &push) && image_u32(image, addr + 4, &load) &&
	       push == RESOLVER_PUSH && load == RESOLVER_LOAD;
}

/* AAPCS32, 6.1.1: who calls saves lr first, most often with a push. */
static bool pushes_lr(const struct a32_insn *i)
{
	return i->cond == COND_ALWAYS && a32_insn_stores_lr(i) && i->rn == SP && i->wb < 0 &&
	       i->imm == i->wb;
}

bool finder_is_prologue(const struct image *image, uint32_t addr)
{
	struct a32_insn i;

	return is_stub(image, addr) || is_resolver(image, addr) ||
	       (image_insn(image, addr, &i) && pushes_lr(&i));
}

bool finder_has_prologue(const struct image *image, uint32_t addr)
{
	struct a32_insn i;
	uint32_t nr;

	if (is_resolver(image, addr))
		return true;
	for (nr = 0; nr < MAX_BEFORE && image_insn(image, addr, &i); nr++, addr += i.len) {
		if (pushes_lr(&i))
			return true;
		if (a32_insn_leaves(&i) || i.op == OP_CALL || a32_insn_writes(&i) & 1 << LR)
			return false;
	}
	return false;
}

static void try_both(struct finder *f, uint32_t addr)
{
	uint32_t thumb;

	for (thumb = 0; thumb < 2; thumb++) {
		if (!finder_is_prologue(f->image, addr | thumb) ||
		    !finder_try(f, addr | thumb, false))
			continue;
		finder_add(f, addr | thumb, 0);
		finder_follow(f);
		return;
	}
}

/*
 * What a function jumps to that isn't known may look like another one, or be a
 * table: there, only what is right behind known code is tried.
 */
static void fill_gaps(struct finder *f, uint32_t addr, uint32_t end)
{
	bool lost = false, behind = false;

	for (; addr < end; addr += 2) {
		uint16_t note = *finder_note(f, addr);

		if (note & NOTE_START)
			lost = note & NOTE_LOST;
		if (note & NOTE_REACHED)
			behind = true;
		if (note & NOTE_REACHED || padding_at(f->image, addr))
			continue;
		if (behind || !lost)
			try_both(f, addr);
		behind = *finder_note(f, addr) & NOTE_REACHED;
	}
}

void finder_fill(struct finder *f)
{
	size_t i;

	for (i = 0; i < f->image->nr; i++) {
		struct range range = f->range[i];

		if (range.first < range.last)
			fill_gaps(f, range.first, range.last);
	}
}
