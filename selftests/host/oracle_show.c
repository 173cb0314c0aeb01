// SPDX-License-Identifier: GPL-2.0
#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>
#include "oracle.h"

static const char *const stop_names[] = A32_STOP_NAMES;

/* One place in the code, with one way of failing there */
struct place {
	u32 pc;
	bool thumb;
	enum oracle_verdict verdict;
	enum a32_stop stop;
	u32 where;		/* the last good entry of the first such chain */
	u64 times;
	u32 r[16];
	u32 cpsr;
	struct oracle_chain truth;
	struct oracle_chain walked;
};

static struct place *places;
static u32 nr_places, room;

static struct place *find(const struct oracle_sample *s, u32 where)
{
	u32 i;

	for (i = 0; i < nr_places; i++) {
		if (places[i].pc == s->pc && places[i].stop == s->stop &&
		    places[i].verdict == s->verdict && places[i].where == where)
			return &places[i];
	}
	return NULL;
}

static u32 last_good(const struct oracle_sample *s)
{
	u32 i = 0;

	while (i < s->truth->nr && i < s->walked->nr && s->truth->entry[i] == s->walked->entry[i])
		i++;
	return i ? s->truth->entry[i - 1] : 0;
}

void oracle_show_add(const struct oracle_program *p, const struct oracle_sample *s)
{
	u32 where = last_good(s);
	struct place *place = find(s, where);

	(void)p;
	if (!place) {
		if (nr_places == room) {
			room = room * 2 + 64;
			places = realloc(places, room * sizeof(*places));
			if (!places)
				oracle_die("out of memory");
		}
		place = &places[nr_places++];
		*place = (struct place){
			.pc = s->pc, .thumb = s->thumb, .verdict = s->verdict, .stop = s->stop,
			.where = where, .cpsr = s->cpsr, .truth = *s->truth,
			.walked = *s->walked,
		};
		memcpy(place->r, s->r, sizeof(place->r));
	}
	place->times++;
}

static int worse(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->verdict != y->verdict)
		return x->verdict > y->verdict ? -1 : 1;
	if (x->times != y->times)
		return x->times > y->times ? -1 : 1;
	return x->pc < y->pc ? -1 : x->pc > y->pc;
}

static void print_address(const struct oracle_program *p, u32 addr)
{
	const struct oracle_symbol *sym = oracle_program_symbol(p, addr);

	printf(" %#x", addr);
	if (sym)
		printf("=%s+%#x", sym->name, addr - sym->start);
}

static void print_chain(const struct oracle_program *p, const char *what,
			const struct oracle_chain *chain)
{
	u32 i;

	printf("\t%s:", what);
	for (i = 0; i < chain->nr && i < 12; i++)
		print_address(p, chain->entry[i]);
	puts(chain->nr > 12 ? " ..." : "");
}

static void print_registers(const struct place *place)
{
	u32 i;

	fputs("\tregs:", stdout);
	for (i = 0; i < 16; i++)
		printf(" %x", place->r[i]);
	printf(" cpsr %x\n", place->cpsr);
}

/* The instructions around an address, from its function's start if it is known */
static void print_code(const struct oracle_program *p, u32 addr, bool thumb)
{
	const struct oracle_symbol *sym = oracle_program_symbol(p, addr);
	u32 at = sym ? sym->start : addr, end = addr + 48;
	csh cs;
	cs_insn *insn;

	if (cs_open(CS_ARCH_ARM, thumb ? CS_MODE_THUMB : CS_MODE_ARM, &cs))
		oracle_die("no capstone");
	insn = cs_malloc(cs);
	while (at < end && at - p->start < p->size) {
		const u8 *code = p->image + (at - p->start);
		size_t size = p->size - (at - p->start);
		u64 pc = at;

		if (!cs_disasm_iter(cs, &code, &size, &pc, insn)) {
			at += thumb ? 2 : 4;
			continue;
		}
		if (addr - at <= 80 || at >= addr)
			printf("\t%s %x:\t%s\t%s\n", at == addr ? "=>" : "  ", at,
			       insn->mnemonic, insn->op_str);
		at = pc;
	}
	cs_free(insn, 1);
	cs_close(&cs);
}

static void print_place(const struct oracle_program *p, const struct place *place)
{
	printf("  %s %s x %llu at", place->verdict == ORACLE_WRONG ? "WRONG" : "short",
	       stop_names[place->stop], (unsigned long long)place->times);
	print_address(p, place->pc);
	if (place->where && place->where != place->pc) {
		printf(" in");
		print_address(p, place->where);
	}
	putchar('\n');
	print_chain(p, "true", &place->truth);
	print_chain(p, "got ", &place->walked);
	print_registers(place);
	print_code(p, place->pc, place->thumb);
}

void oracle_show_all(const struct oracle_program *p)
{
	u32 i;

	qsort(places, nr_places, sizeof(*places), worse);
	for (i = 0; i < nr_places; i++)
		print_place(p, &places[i]);
	nr_places = 0;
}
