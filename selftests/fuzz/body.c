// SPDX-License-Identifier: GPL-2.0
/*
 * The bodies of functions in a file that is read through a callback, and how they are
 * looked up. The first bytes say what the headers are to be, and what is wrong with
 * the file; the rest is its code.
 */
#include <elf.h>
#include <stdlib.h>
#include "../../module/core/body.h"
#include "../../module/core/insn.h"
#include "../../module/core/map.h"
#include "../../module/core/rule.h"
#include "fuzz.h"

enum { FAILS = 1, SHRINKS = 2, CHANGES = 4 };
enum { CODE_AT = 0x200, NR_SEGMENTS = 3, LINES_MAX = 1024, LOOK_UPS = 8 };

/**
 * struct file - what is read
 * @head: its headers
 * @code: what is behind them
 * @len: bytes of it
 * @kind: what is wrong
 * @left: reads until it goes wrong
 */
struct file {
	struct {
		Elf32_Ehdr ehdr;
		Elf32_Phdr phdr[NR_SEGMENTS];
	} head;
	const u8 *code;
	u32 len;
	u8 kind;
	u32 left;
};

/* Not cleared before it is used, as memory of the kernel's is */
static struct a32_body_work work;
static u64 files, with_bodies, marks;

static void copy(const void *from, u32 size, u32 start, u32 pos, u8 *buf, u32 len)
{
	u64 low = pos > start ? pos : start, end = (u64)pos + len;

	if (end > (u64)start + size)
		end = (u64)start + size;
	if (low < end)
		memcpy(buf + (low - pos), (const u8 *)from + (low - start), end - low);
}

static int read_file(void *arg, u32 pos, void *buf, u32 len)
{
	struct file *file = arg;
	u32 size = CODE_AT + file->len, got;

	LAW(len <= A32_BODY_WINDOW);
	if (!file->left--) {
		if (file->kind & FAILS)
			return -5;
		if (file->kind & SHRINKS)
			file->len /= 2;
		if (file->kind & CHANGES)
			file->head.phdr[0].p_offset += 64;
	}
	got = pos < size ? size - pos : 0;
	if (got > len)
		got = len;
	memset(buf, 0, got);
	copy(&file->head, sizeof(file->head), 0, pos, buf, got);
	copy(file->code, file->len, CODE_AT, pos, buf, got);
	return (int)got;
}

/* Mostly one that is right */
static void make_segment(struct fuzz_input *in, Elf32_Phdr *phdr)
{
	u8 kind = fuzz_u8(in);

	*phdr = (Elf32_Phdr){
		.p_type = kind & 1 ? PT_NOTE : PT_LOAD, .p_flags = kind & 2 ? PF_R : PF_X,
		.p_offset = CODE_AT, .p_vaddr = 0x10000 + CODE_AT,
	};
	if (kind & 4)
		phdr->p_offset += fuzz_u8(in);
	if (kind & 8)
		phdr->p_filesz = fuzz_u16(in);
	if (kind & 16)
		phdr->p_offset = fuzz_u32(in);
	if (kind & 32)
		phdr->p_filesz = fuzz_u32(in);
	if (kind & 64)
		phdr->p_vaddr = fuzz_u32(in);
}

static void make_file(struct fuzz_input *in, struct file *file)
{
	u32 i;

	file->kind = fuzz_u8(in);
	file->left = fuzz_u8(in);
	file->head.ehdr = (Elf32_Ehdr){
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, EV_CURRENT },
		.e_machine = EM_ARM, .e_phoff = sizeof(file->head.ehdr),
		.e_phentsize = sizeof(Elf32_Phdr), .e_phnum = NR_SEGMENTS,
	};
	for (i = 0; i < NR_SEGMENTS; i++)
		make_segment(in, &file->head.phdr[i]);
	file->code = in->data;
	file->len = in->size;
	for (i = 0; i < NR_SEGMENTS; i++) {
		if (!file->head.phdr[i].p_filesz)
			file->head.phdr[i].p_filesz = file->len;
	}
}

static bool has(const struct a32_bodies *bodies, u32 offset, bool thumb)
{
	u32 at = offset - bodies->first;

	return bodies->line[thumb] && at / A32_LINE < bodies->nr_lines &&
	       bodies->line[thumb][at / A32_LINE] >> (at / 2 % 32) & 1;
}

/* Whatever the code is: nothing is in a body that no function has there. */
static void check_mark(const struct a32_bodies *bodies, const struct file *file, u32 offset,
		       bool thumb)
{
	u32 own = a32_frame_reg_number(a32_abi_rule(bodies->abi)->cfa_reg), w = 0;
	u8 bytes[4] = { 0 };
	struct a32_insn i;

	copy(&file->head, sizeof(file->head), 0, offset, bytes, sizeof(bytes));
	copy(file->code, file->len, CODE_AT, offset, bytes, sizeof(bytes));
	memcpy(&w, bytes, sizeof(w));
	LAW(offset < CODE_AT + file->len);
	LAW(thumb || !(offset & 3));
	if (thumb)
		a32_insn_thumb(offset, w & 0xffff, w >> 16, &i);
	else
		a32_insn_arm(offset, w, &i);
	LAW(i.op != OP_DEAD && i.op != OP_TRAP);
	LAW(!(a32_insn_writes(&i) & 1 << own) || (i.op == OP_LOAD && (i.rn == SP || i.rn == own)));
	LAW(i.op != OP_BRANCH_REG || i.rm != LR || i.cond != COND_ALWAYS || thumb);
	LAW(!a32_insn_stores_lr(&i) || i.rn != SP || i.wb >= 0);
	marks++;
}

static const u32 *find(const struct a32_source *source, const struct a32_bodies *bodies,
		       bool thumb, enum a32_detect *how)
{
	u32 *line = calloc(bodies->nr_lines, sizeof(*line)), i;
	bool any, is_set = false;

	*how = a32_bodies_find(source, bodies, thumb, line, &work, &any);
	LAW(*how < A32_DETECT_NR);
	for (i = 0; i < bodies->nr_lines; i++)
		is_set |= line[i];
	LAW(is_set == any);
	return line;
}

/* Where a mapping of some pages is: the same as asking the file */
static void look_up(struct fuzz_input *in, const struct a32_bodies *bodies)
{
	u32 pages = fuzz_u8(in), pgoff = fuzz_u8(in) % 4, cut = fuzz_u8(in), n;
	struct a32_span span = {
		.start = fuzz_u32(in) & -4096, .bodies = bodies, .abi = bodies->abi,
	};
	struct a32_body_hint hint = { .tag = 5 };

	span.size = (pages % 64 + 1) << 12;
	if (span.start + span.size < span.start)
		return;
	span.to_offset = (pgoff << 12) - span.start;
	/* Rules on parts begin, and end, anywhere. */
	span.start += cut % 16 * 2;
	span.size -= cut % 16 * 2 + cut / 16 * 2;
	a32_body_hint(bodies, &span, 7, &hint);
	LAW(!hint.tag || hint.tag == 7);
	if (!hint.tag)
		return;
	LAW(hint.start - span.start < span.size);
	LAW(hint.size <= span.size - (hint.start - span.start));
	for (n = 0; n < LOOK_UPS; n++) {
		u32 at = (n ? fuzz_u32(in) : hint.size - 1) % hint.size & ~1, t;

		for (t = 0; t < 2; t++)
			LAW((hint.line[t] && hint.line[t][at / A32_LINE] >> (at / 2 % 32) & 1) ==
			    has(bodies, hint.start + at + span.to_offset, t));
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static u8 buf[A32_DETECT_BUFFER];
	struct fuzz_input in = { data, size }, more = { data, size };
	struct a32_bodies bodies = { .abi = A32_ABI_APCS + fuzz_u8(&in) % A32_ABI_AAPCS_R7 };
	struct file file;
	struct a32_source source = { .read = read_file, .arg = &file, .buf = buf };
	enum a32_detect how[2];
	u32 i, t;

	make_file(&in, &file);
	files++;
	if (a32_bodies_extent(&source, &bodies))
		return 0;
	LAW(bodies.first % A32_LINE == 0 && bodies.nr_lines <= A32_BODY_MAX / A32_LINE + 1);
	if (bodies.nr_lines > LINES_MAX)
		return 0;
	for (t = 0; t < 2; t++)
		bodies.line[t] = find(&source, &bodies, t, &how[t]);
	/* What has changed meanwhile can't be told. */
	for (i = 0; !(file.kind & (SHRINKS | CHANGES)) && i < bodies.nr_lines * A32_LINE; i += 2) {
		for (t = 0; t < 2; t++) {
			if (has(&bodies, bodies.first + i, t))
				check_mark(&bodies, &file, bodies.first + i, t);
		}
	}
	look_up(&more, &bodies);
	with_bodies += !how[0] && !how[1];
	for (t = 0; t < 2; t++)
		free((void *)bodies.line[t]);
	return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	memset(&work, 0xa5, sizeof(work));
	fuzz_figure("files", &files);
	fuzz_figure("read to their end", &with_bodies);
	fuzz_figure("instructions in bodies", &marks);
	return 0;
}
