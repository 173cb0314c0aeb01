// SPDX-License-Identifier: GPL-2.0
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "cfi.h"
#include "cfi_rule.h"

/**
 * struct span - the addresses that an FDE is about
 * @start: the first
 * @end: behind the last
 */
struct span {
	uint32_t start;
	uint32_t end;
};

/**
 * struct spans - those of all FDEs
 * @nr: FDEs
 * @room: FDEs that fit
 * @span: them
 */
struct spans {
	size_t nr;
	size_t room;
	struct span *span;
};

/**
 * struct frames - call frame information that is asked
 * @cfi: libdw's handle
 * @source: where it is from
 * @rows: gets what it says
 */
struct frames {
	Dwarf_CFI *cfi;
	enum a32_table_source source;
	struct rows *rows;
};

static void add_no_data(struct rows *rows, uint32_t addr)
{
	struct a32_table_rule none = rule_of_kind(A32_TABLE_NO_DATA, 0);

	rows_add(rows, addr, &none);
}

/* Returns the address behind the row. */
static uint32_t add_row(const struct frames *frames, uint32_t addr)
{
	struct a32_table_rule rule;
	Dwarf_Addr start, end;
	Dwarf_Frame *frame;
	bool is_signal;

	if (dwarf_cfi_addrframe(frames->cfi, addr, &frame)) {
		add_no_data(frames->rows, addr);
		return addr + 2;
	}
	rule = cfi_rule(frame, frames->source);
	if (dwarf_frame_info(frame, &start, &end, &is_signal) < 0 || end <= addr ||
	    end > UINT32_MAX)
		end = addr + 2;
	free(frame);
	rows_add(frames->rows, addr, &rule);
	return (uint32_t)end;
}

static void add_rows(const struct frames *frames, uint32_t start, uint32_t end)
{
	uint32_t addr = start;

	while (addr < end && addr >= start)
		addr = add_row(frames, addr);
	add_no_data(frames->rows, end);
}

static int compare(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->end < y->end ? -1 : x->end > y->end;
}

static void add_span(struct spans *spans, uint32_t start, uint32_t end)
{
	spans->span = array_grow(spans->span, spans->nr, &spans->room, sizeof(*spans->span));
	spans->span[spans->nr++] = (struct span){ start, end };
}

static uint32_t word_at(const uint8_t *byte)
{
	return byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 |
	       (uint32_t)byte[3] << 24;
}

/*
 * An FDE of code that the linker has dropped is still in .debug_frame, at
 * address 0 or near it, which is no code.
 */
static void add_fde(const struct elf_file *file, const Dwarf_FDE *fde, struct spans *spans)
{
	uint32_t start, size;

	if (fde->end - fde->start < 8)
		return;
	start = word_at(fde->start) & ~1u;
	size = word_at(fde->start + 4);
	if (size && start + size > start && elf_file_is_code(file, start))
		add_span(spans, start, start + size);
}

/* In .debug_frame, the initial location and range are plain words: DWARF 4, 6.4.1. */
static bool list_fdes(const struct elf_file *file, const struct elf_file *from,
		      struct spans *spans)
{
	Dwarf_Off offset = 0, next;
	Elf_Data *data = NULL;
	Dwarf_CFI_Entry entry;
	GElf_Shdr header;
	Elf_Scn *scn;
	int more;

	scn = elf_file_section(from->elf, ".debug_frame", &header);
	if (scn)
		data = elf_getdata(scn, NULL);
	if (!data)
		return false;
	for (;; offset = next) {
		more = dwarf_next_cfi((const unsigned char *)elf_getident(from->elf, NULL), data,
				      false, offset, &next, &entry);
		if (more > 0 || next <= offset)
			break;
		if (!more && !dwarf_cfi_cie_p(&entry))
			add_fde(file, &entry.fde, spans);
	}
	if (spans->nr)
		qsort(spans->span, spans->nr, sizeof(*spans->span), compare);
	return true;
}

/*
 * Identical functions may have been made one, and then have as many FDEs.
 * Where FDEs only have a part in common, one of them is wrong.
 */
static void add_spans(const struct frames *frames, const struct spans *spans)
{
	const struct span *span = spans->span;
	uint32_t done = 0;
	size_t i;

	for (i = 0; i < spans->nr; i++) {
		if (i && !compare(&span[i], &span[i - 1]))
			continue;
		if (span[i].start >= done &&
		    (i + 1 == spans->nr || !compare(&span[i], &span[i + 1]) ||
		     span[i + 1].start >= span[i].end))
			add_rows(frames, span[i].start, span[i].end);
		if (span[i].end > done)
			done = span[i].end;
	}
}

void cfi_debug_frame(const struct elf_file *file, const struct elf_file *from,
		     struct rows *rows)
{
	struct frames frames = { .source = A32_TABLE_DEBUG_FRAME, .rows = rows };
	Dwarf *dwarf = dwarf_begin_elf(from->elf, DWARF_C_READ, NULL);
	struct spans spans = { 0 };

	if (!dwarf)
		return;
	frames.cfi = dwarf_getcfi(dwarf);
	if (frames.cfi && list_fdes(file, from, &spans))
		add_spans(&frames, &spans);
	free(spans.span);
	dwarf_end(dwarf);
}

/* Where its FDEs are is not asked: that is encoded, and libdw does not say it. */
void cfi_eh_frame(const struct elf_file *file, struct rows *rows)
{
	struct frames frames = { .source = A32_TABLE_EH_FRAME, .rows = rows };
	const struct segment *segment;
	size_t i;

	frames.cfi = dwarf_getcfi_elf(file->elf);
	if (!frames.cfi)
		return;
	for (i = 0; i < file->image.nr; i++) {
		segment = &file->image.segment[i];
		if (segment->executable)
			add_rows(&frames, segment->addr, segment->addr + segment->size);
	}
	dwarf_cfi_end(frames.cfi);
}
