// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include "insn_operands.h"

static s32 general(const char *s, size_t len)
{
	static const char *const names[16] = {
		"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "sb", "sl", "fp", "ip",
		"sp", "lr", "pc",
	};
	s32 i;

	for (i = 0; i < 16; i++) {
		if (strlen(names[i]) == len && !strncmp(names[i], s, len))
			return i;
	}
	return -1;
}

static size_t word_len(const char *s)
{
	return strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

static const char *skip(const char *s)
{
	return s + strspn(s, ", ");
}

static const char *read_list(const char *s, struct operand *op)
{
	op->kind = LIST;
	for (s = skip(s + 1); *s && *s != '}'; s = skip(s)) {
		size_t len = word_len(s);
		s32 reg = general(s, len);

		if (reg >= 0)
			op->list |= 1 << reg;
		op->words += *s == 'd' ? 2 : *s == 'q' ? 4 : 1;
		s += len ? len : 1;
	}
	return *s ? s + 1 : s;
}

/* "#4", "-r2", "r2, lsl #2": an offset, in the brackets or behind them */
static const char *read_offset(const char *s, struct operand *op)
{
	char *end;

	if (*s == '#' || *s == ':') {
		op->imm = strtoul(s + 1, &end, 0);
		return end;
	}
	op->minus = *s == '-';
	s += *s == '-';
	op->index = general(s, word_len(s));
	s += word_len(s);
	if (!strncmp(s, ", lsl #2", 8))
		op->lsl2 = true;
	else if (*s == ',')
		op->index = -2;
	return s;
}

static const char *read_memory(const char *s, struct operand *op)
{
	op->kind = MEMORY;
	op->index = -1;
	s++;
	op->reg = general(s, word_len(s));
	s += word_len(s);
	if (*s == ',' || *s == ':')
		s = read_offset(*s == ',' ? skip(s) : s, op);
	s += strcspn(s, "]");
	s += *s == ']';
	if (*s == '!') {
		op->back = true;
		return s + 1;
	}
	if (*s == ',' && s[2] != '{') {		/* LDC has an option in braces there */
		op->back = true;
		op->after = true;
		s = read_offset(skip(s), op);
		return s + strlen(s);
	}
	return s;
}

static bool is_shift(const char *s)
{
	return !strncmp(s, "lsl", 3) || !strncmp(s, "lsr", 3) || !strncmp(s, "asr", 3) ||
	       !strncmp(s, "ror", 3) || !strncmp(s, "rrx", 3);
}

static const char *read_word(const char *s, struct operand *op)
{
	size_t len = word_len(s);
	s32 reg = general(s, len);

	if (reg < 0) {
		op->kind = is_shift(s) ? SHIFT : OTHER;
		s += strcspn(s, ",");
		return s;
	}
	op->kind = REGISTER;
	op->reg = reg;
	s += len;
	if (*s == '!') {
		op->back = true;
		s++;
	}
	return s;
}

/* An immediate that has a shorter encoding is shown as it is encoded: "#208, #4". */
static void join_rotated(struct text *t)
{
	struct operand *imm = &t->op[t->nr - 2];
	u32 val, by;

	if (t->nr < 3 || imm[0].kind != NUMBER || imm[1].kind != NUMBER)
		return;
	val = imm[0].imm;
	by = imm[1].imm & 31;
	imm->imm = by ? val >> by | val << (32 - by) : val;
	imm[1].kind = NOTHING;
	t->nr--;
}

void text_read(const char *s, struct text *t)
{
	char *end;

	memset(t, 0, sizeof(*t));
	for (s = skip(s); *s && t->nr < 8; s = skip(s)) {
		struct operand *op = &t->op[t->nr++];

		if (*s == '{') {
			s = read_list(s, op);
		} else if (*s == '[') {
			s = read_memory(s, op);
		} else if (*s == '#') {
			op->kind = NUMBER;
			op->imm = strtoul(s + 1, &end, 0);
			s = end == s + 1 ? s + strcspn(s, ",") : end;
		} else if (word_len(s)) {
			s = read_word(s, op);
		} else {
			op->kind = OTHER;
			s += strcspn(s, ",");
			s += !*s ? 0 : 1;
		}
	}
	join_rotated(t);
}
