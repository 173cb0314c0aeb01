// SPDX-License-Identifier: GPL-2.0
/* Reads what objdump -d prints. */
#include <string.h>

#include "object.h"
#include "util.h"

#define OBJDUMP "arm-linux-gnueabihf-objdump -d -w"

static bool is_condition(const char *s)
{
	static const char all[] = "eq ne cs cc mi pl vs vc hi ls ge lt gt le hs lo ";
	const char *at = strlen(s) == 2 ? strstr(all, s) : NULL;

	return at && (at - all) % 3 == 0;
}

/*
 * Whether @op is @base with an optional condition.
 * Returns: 0 no, 1 yes, 2 with a condition
 */
static int is_op(const char *op, const char *base)
{
	size_t len = strlen(base);

	if (strncmp(op, base, len))
		return 0;
	if (!op[len])
		return 1;
	return is_condition(op + len) ? 2 : 0;
}

static bool starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* Whether a register list like "{r4, r5, fp, pc}" has @reg. */
static bool list_has(const char *args, const char *reg)
{
	const char *at = strchr(args, '{');
	size_t len = strlen(reg);

	for (; at && *at; at = strpbrk(at, ",}")) {
		at += strspn(at, "{,} ");
		if (!strncmp(at, reg, len) && strchr(",}", at[len]))
			return true;
	}
	return false;
}

static bool is_load_multiple(const char *op)
{
	return starts(op, "pop") || starts(op, "ldm");
}

/*
 * ldr pc, [sp], #4 is what pop {pc} is called at times; a table is indexed by
 * a shifted register.
 */
static enum insn_kind load_pc_kind(const char *op, const char *args)
{
	if (starts(args, "pc, [sp], #") || starts(args, "pc, lr"))
		return INSN_RETURN;
	if (starts(op, "add") || strstr(args, "lsl #"))
		return INSN_SWITCH;
	return INSN_JUMP_ANY;
}

/* bl, blx, bx and b, in the order in which their names don't hide each other. */
static int set_branch(struct insn *in, const char *op, const char *args)
{
	int match = is_op(op, "bl") + is_op(op, "blx");

	if (match) {
		in->kind = strchr(args, '<') ? INSN_CALL : INSN_CALL_ANY;
		return match;
	}
	match = is_op(op, "bx");
	if (match) {
		in->kind = starts(args, "lr") ? INSN_RETURN : INSN_JUMP_ANY;
		return match;
	}
	match = is_op(op, "b");
	if (match)
		in->kind = INSN_JUMP;
	return match;
}

/* Other ways to write pc, or to jump within the function (which frames.c follows). */
static int set_other(struct insn *in, const char *op, const char *args)
{
	if (is_load_multiple(op) && list_has(args, "pc")) {
		in->kind = INSN_RETURN;
		return is_condition(op + strlen(op) - 2) ? 2 : 1;
	}
	if (starts(args, "pc, ") && (starts(op, "ldr") || starts(op, "mov") || starts(op, "add"))) {
		in->kind = load_pc_kind(op, args);
		return is_condition(op + 3) ? 2 : 1;
	}
	if (starts(op, "tb"))
		in->kind = INSN_SWITCH;
	if (starts(op, "cb"))
		in->kind = INSN_JUMP;
	return in->kind == INSN_JUMP ? 2 : 1;
}

/* "bfaac <sqlite3VdbeExec+0xe4>", behind a register in cbz. */
static uint32_t target(const char *args)
{
	const char *comma = strchr(args, ',');

	return strtoul(comma && comma < strchr(args, '<') ? comma + 1 : args, NULL, 16);
}

static void set_kind(struct insn *in, const char *op, const char *args)
{
	int match = set_branch(in, op, args);

	if (!match)
		match = set_other(in, op, args);
	in->conditional = match == 2;
	if ((in->kind == INSN_CALL || in->kind == INSN_JUMP) && strchr(args, '<'))
		in->target = target(args);
}

/* The frame register is r7 in Thumb code and fp in ARM code: no other mix is judged here. */
static void set_frame(struct insn *in, const char *op, const char *args, bool thumb)
{
	const char *reg = thumb ? "r7" : "fp";
	size_t len = strlen(reg);

	if (is_load_multiple(op)) {
		in->drops_frame = list_has(args, reg) && in->kind != INSN_RETURN;
		return;
	}
	if (strncmp(args, reg, len) || args[len] != ',')
		return;
	args += len + 2;
	if (starts(op, "mov") || starts(op, "add") || starts(op, "sub"))
		in->sets_frame = starts(args, "sp") || starts(args, "ip, #");
	else if (starts(op, "ldr"))
		in->drops_frame = starts(args, "[sp");
}

/* The register that the arguments start with, of those that an address is made in. */
static unsigned int first_reg(const char *args)
{
	switch (args[0]) {
	case 'r':
		return atoi(args + 1) & 15;
	case 'i':
		return 12;
	case 'l':
		return 14;
	default:
		return 11;
	}
}

/* movw and movt of one register are an address, like a word in memory. */
static void note_address(struct object *obj, const char *op, const char *args)
{
	static uint16_t half[16];
	const char *imm = strchr(args, '#');
	unsigned int reg = first_reg(args);
	uint32_t addr;
	struct func *f;

	if (!imm)
		return;
	if (starts(op, "movw")) {
		half[reg] = strtoul(imm + 1, NULL, 10);
	} else if (starts(op, "movt")) {
		addr = strtoul(imm + 1, NULL, 10) << 16 | half[reg];
		f = object_func(obj, addr & ~1u);
		if (f && f->start == (addr & ~1u) && f->thumb == (addr & 1))
			f->taken = true;
	}
}

/* "e92d4800 " or "f7ff fffe " or "4770      " */
static unsigned int raw_size(const char *raw)
{
	static const char hex[] = "0123456789abcdef";
	size_t len = strspn(raw, hex);

	if (len == 8)
		return 4;
	return raw[len] == ' ' && strspn(raw + 1 + len, hex) == 4 ? 4 : 2;
}

/* "   10d04:\te92d4800 \tpush\t{fp, lr}" */
static void read_insn(struct object *obj, char *line)
{
	struct func *f;
	struct insn *in;
	char *raw = strchr(line, '\t');
	char *op = raw ? strchr(raw + 1, '\t') : NULL;
	char *args = op ? strchr(op + 1, '\t') : NULL;
	char op_name[24];
	size_t len;

	if (!op || op[1] == '.')
		return;
	obj->insns = grow(obj->insns, obj->nr_insns, sizeof(*in));
	in = &obj->insns[obj->nr_insns++];
	in->addr = strtoul(line, NULL, 16);
	in->size = raw_size(raw + 1);
	len = strcspn(++op, ".\t\n");
	snprintf(op_name, sizeof(op_name), "%.*s", (int)len, op);
	args = args ? args + 1 : "";
	set_kind(in, op_name, args);
	f = object_func(obj, in->addr);
	set_frame(in, op_name, args, f && f->thumb);
	note_address(obj, op_name, args);
}

/* "00010c10 <memcpy@plt>:" */
static void read_label(struct object *obj, char *line)
{
	struct func *last = obj->nr_funcs ? &obj->funcs[obj->nr_funcs - 1] : NULL;
	char name[256];
	uint32_t addr;

	if (sscanf(line, "%x <%255[^>]>:", &addr, name) != 2)
		return;
	if (last && last->plt && !last->end)
		last->end = addr;
	if (strlen(name) < 4 || strcmp(name + strlen(name) - 4, "@plt"))
		return;
	name[strlen(name) - 4] = 0;
	last = object_add_func(obj);
	last->name = strdup(name);
	last->start = addr;
	last->plt = true;
}

typedef void line_fn(struct object *obj, char *line);

static void read_lines(struct object *obj, line_fn *label, line_fn *insn)
{
	char cmd[4200], line[1024];
	FILE *f;

	snprintf(cmd, sizeof(cmd), OBJDUMP " '%s'", obj->file);
	f = popen(cmd, "r");
	while (f && fgets(line, sizeof(line), f)) {
		if (line[0] == ' ' && insn)
			insn(obj, line);
		else if (line[0] != ' ' && label)
			label(obj, line);
	}
	if (!f || pclose(f))
		die("%s %s failed", OBJDUMP, obj->file);
}

static int by_addr(const void *a, const void *b)
{
	const struct insn *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

void object_disassemble(struct object *obj)
{
	struct func *last;

	/* Not by a sorted list: read_label() looks at what it added before. */
	read_lines(obj, read_label, NULL);
	last = &obj->funcs[obj->nr_funcs - 1];
	if (last->plt && !last->end)
		last->end = last->start + 16;
	object_sort_funcs(obj);
	read_lines(obj, NULL, read_insn);
	qsort(obj->insns, obj->nr_insns, sizeof(*obj->insns), by_addr);
}
