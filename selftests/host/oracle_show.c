// SPDX-License-Identifier: GPL-2.0
#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>
#include "guest.h"

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

/* All that a function has of one way of failing */
struct function {
	enum oracle_verdict verdict;
	enum a32_stop stop;
	u32 start;
	u64 times;
};

enum { BUCKETS = 1 << 14 };

static struct place *places;
static u32 nr_places, room;
static u32 bucket[BUCKETS];	/* index + 1 into places, of the last one there */
static u32 *before;		/* the same, of the one before each place */

static u32 last_good(const struct oracle_sample *s)
{
	u32 i = 0;

	while (i < s->truth->nr && i < s->walked->nr && s->truth->entry[i] == s->walked->entry[i])
		i++;
	return i ? s->truth->entry[i - 1] : 0;
}

static u32 *bucket_of(u32 pc, u32 where)
{
	return &bucket[(pc * 0x9e3779b1 ^ where * 0x85ebca6b) % BUCKETS];
}

static struct place *find(const struct oracle_sample *s, u32 where)
{
	u32 i;

	for (i = *bucket_of(s->pc, where); i; i = before[i - 1]) {
		struct place *place = &places[i - 1];

		if (place->pc == s->pc && place->stop == s->stop &&
		    place->verdict == s->verdict && place->where == where)
			return place;
	}
	return NULL;
}

static struct place *add(const struct oracle_sample *s, u32 where)
{
	u32 *head = bucket_of(s->pc, where);
	struct place *place;

	if (nr_places == room) {
		room = room * 2 + 64;
		places = realloc(places, room * sizeof(*places));
		before = realloc(before, room * sizeof(*before));
		if (!places || !before)
			oracle_die("out of memory");
	}
	before[nr_places] = *head;
	place = &places[nr_places++];
	*head = nr_places;
	*place = (struct place){
		.pc = s->pc, .thumb = s->thumb, .verdict = s->verdict, .stop = s->stop,
		.where = where, .cpsr = s->cpsr, .truth = *s->truth, .walked = *s->walked,
	};
	memcpy(place->r, s->r, sizeof(place->r));
	return place;
}

void oracle_show_add(const struct oracle_program *p, const struct oracle_sample *s)
{
	u32 where = last_good(s);
	struct place *place = find(s, where);

	(void)p;
	if (!place)
		place = add(s, where);
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

/* For code without a name: its file, and the offset in it */
static void print_file(const struct guest *g, u32 addr)
{
	const struct guest_file *file;
	const char *slash;
	u32 offset;

	file = guest_memory_file(&g->mem, addr, &offset);
	if (!file)
		return;
	slash = strrchr(file->path, '/');
	printf("=%s@%#x", slash ? slash + 1 : file->path, offset);
}

static void print_address(const struct oracle_program *p, u32 addr)
{
	const struct oracle_symbol *sym = oracle_program_symbol(p, addr);

	printf(" %#x", addr);
	if (sym)
		printf("=%s+%#x", sym->name, addr - sym->start);
	else if (p->guest)
		print_file(p->guest, addr);
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

static int by_function(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	if (x->verdict != y->verdict)
		return x->verdict > y->verdict ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->stop < y->stop ? -1 : x->stop > y->stop;
}

static int by_times(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	if (x->verdict != y->verdict)
		return x->verdict > y->verdict ? -1 : 1;
	return x->times > y->times ? -1 : x->times < y->times;
}

/* Where the chains ended, or went wrong, in the order of by_function() */
static struct function *list_functions(const struct oracle_program *p)
{
	struct function *f = calloc(nr_places + 1, sizeof(*f));
	u32 i;

	if (!f)
		oracle_die("out of memory");
	for (i = 0; i < nr_places; i++) {
		const struct place *place = &places[i];
		u32 at = place->where == place->pc ? place->pc : place->where - 1;
		const struct oracle_symbol *sym = oracle_program_symbol(p, at);

		f[i] = (struct function){
			place->verdict, place->stop, sym ? sym->start : at, place->times,
		};
	}
	qsort(f, nr_places, sizeof(*f), by_function);
	return f;
}

static void print_functions(const struct oracle_program *p)
{
	struct function *f = list_functions(p);
	u32 i, nr = 0;

	for (i = 0; i < nr_places; i++) {
		if (nr && !by_function(&f[nr - 1], &f[i]))
			f[nr - 1].times += f[i].times;
		else
			f[nr++] = f[i];
	}
	qsort(f, nr, sizeof(*f), by_times);
	for (i = 0; i < nr; i++) {
		printf("# %s %s %llu", f[i].verdict == ORACLE_WRONG ? "WRONG" : "short",
		       stop_names[f[i].stop], (unsigned long long)f[i].times);
		print_address(p, f[i].start);
		putchar('\n');
	}
	free(f);
}

void oracle_show_all(const struct oracle_program *p)
{
	u32 i;

	print_functions(p);
	qsort(places, nr_places, sizeof(*places), worse);
	for (i = 0; i < nr_places; i++)
		print_place(p, &places[i]);
	nr_places = 0;
	memset(bucket, 0, sizeof(bucket));
}
