/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program or library as objdump and its symbol table show it: functions and
 * the instructions that matter to who called whom. Nothing here knows how the
 * unwinder under test decodes an instruction.
 *
 * Addresses are the file's own (before relocation), without the Thumb bit.
 */
#ifndef TRUTH_OBJECT_H
#define TRUTH_OBJECT_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum insn_kind {
	INSN_OTHER,
	INSN_CALL,		/* bl, blx to a known address */
	INSN_CALL_ANY,		/* blx to a register */
	INSN_JUMP,		/* b to a known address */
	INSN_JUMP_ANY,		/* bx or a load of pc that is neither return nor switch */
	INSN_SWITCH,		/* to somewhere in this function */
	INSN_RETURN,
};

struct insn {
	uint32_t addr;
	uint32_t target;	/* of CALL and JUMP */
	uint8_t size;
	uint8_t kind;
	bool conditional;
	bool sets_frame;	/* from here on the frame register holds this function's frame */
	bool drops_frame;	/* and from here on it holds the caller's again */
	bool has_frame;		/* before it runs; the result of object_mark_frames() */
};

struct func {
	const char *name;
	struct object *obj;
	uint32_t start;
	uint32_t end;
	bool thumb;
	bool plt;
	bool taken;		/* its address is somewhere, so that anyone may call it */
	bool record;		/* it makes a frame record somewhere */
};

struct object {
	const char *guest_path;
	const char *file;
	bool pic;
	uint8_t *image;
	size_t image_size;
	struct func *funcs;	/* by address */
	size_t nr_funcs;
	struct insn *insns;	/* by address */
	size_t nr_insns;
};

void object_load(struct object *obj, const char *guest_path, const char *file);

/* Returns: the address at a file offset, or UINT32_MAX. */
uint32_t object_address(const struct object *obj, uint32_t offset);

struct func *object_func(const struct object *obj, uint32_t addr);
struct func *object_func_named(const struct object *obj, const char *name);

/* The instruction at @addr, and the one that ends there; NULL when there is none. */
struct insn *object_insn(const struct object *obj, uint32_t addr);
struct insn *object_insn_before(const struct object *obj, uint32_t addr);

/* disasm.c: fills insns, and adds the PLT's entries to funcs. */
void object_disassemble(struct object *obj);

/* frames.c: finds out where the frame register holds the function's own frame. */
void object_mark_frames(struct object *obj);

struct func *object_add_func(struct object *obj);
void object_sort_funcs(struct object *obj);

#endif /* TRUTH_OBJECT_H */
