// SPDX-License-Identifier: GPL-2.0
/*
 * chains code ABI	writes the code that the others map
 * chains tag ABI	tags it
 * chains frames ABI	chains of 0 to 100 callers in one mapping
 * chains lookup ABI	50 and 100 callers, among 10 to 10,000 mappings
 *
 * Walks chains made for it: frame records in a buffer, and return addresses in
 * code that never runs. Prints, in instructions,
 *	frames ABI CALLERS ENTRIES COST		walked again and again
 *	first ABI CALLERS COST			callers that no walk has met before
 *	top ABI COST				one entry, although there are callers
 *	lookup KIND MAPPINGS CALLERS COST	as "first"; KIND two: alternating
 *						between two of the mappings;
 *						spread: over all
 */
#include "code.h"
#include "walks.h"

#define FRAMES		100
#define FRAME_WORDS	8
#define LOOPS		512
#define KNOWN		8		/* return addresses of chains walked again and again */
#define FIRSTS		8		/* chains of new callers that a mean is of */

static uint32_t stack[(FRAMES + 2) * FRAME_WORDS];
static uint32_t next_return;
static uint32_t outermost;		/* a return address in a file that follows no ABI */
static int meter;

/* Where the frame register of a frame points */
static uint32_t record(unsigned int frame)
{
	return (uintptr_t)&stack[frame * FRAME_WORDS + 4];
}

static void put(uint32_t addr, uint32_t value)
{
	*(volatile uint32_t *)(uintptr_t)addr = value;
}

/*
 * @callers calls deep; frame i's code is code[i % nr], and only @returns places
 * in each are returned to. The outermost is in a file that follows no ABI, as
 * the caller of main() in the C library is, and has no record.
 */
static void chain_make(struct meter *m, const struct abi *abi, unsigned int callers,
		       const uint32_t *code, unsigned int nr, unsigned int returns)
{
	unsigned int i;
	uint32_t lr;

	memset(m, 0, sizeof(*m));
	m->r[PC] = code_call(code[0]);
	m->r[LR] = m->r[PC];
	m->r[SP] = (uintptr_t)stack;
	m->r[abi->reg] = callers ? record(0) : 0;
	m->cpsr = PSR_USER | (abi->thumb ? PSR_THUMB : 0);
	m->room = METER_ENTRIES;
	m->loops = LOOPS;
	for (i = 0; i < callers; i++) {
		lr = code_return(abi, code[(i + 1) % nr], next_return++ % returns);
		put(record(i) + abi->lr, i + 1 < callers ? lr : outermost);
		put(record(i) + abi->fp, i + 1 < callers ? record(i + 1) : 0);
	}
}

static double cost_of_all(struct meter *m, const char *what, unsigned int callers)
{
	double cost = meter_cost(meter, m);

	if (m->nr != callers + 1) {
		fprintf(stderr, "chains: %s: %u entries for %u callers\n", what, m->nr, callers);
		exit(1);
	}
	return cost;
}

/* Mean over chains of callers that are new each time */
static double first_cost(const struct abi *abi, unsigned int callers, const uint32_t *code,
			 unsigned int nr)
{
	struct meter m;
	double sum = 0;
	int i;

	for (i = 0; i < FIRSTS; i++) {
		chain_make(&m, abi, callers, code, nr, CODE_RETURNS);
		m.loops = 1;
		sum += cost_of_all(&m, "first", callers);
	}
	return sum / FIRSTS;
}

static void measure_frames(const struct abi *abi)
{
	uint32_t code = code_map(abi, 0, 0);
	unsigned int n;
	struct meter m;
	double cost;

	for (n = 50; n <= FRAMES && strcmp(abi->name, "none"); n += 50)
		printf("first %s %u %.2f\n", abi->name, n, first_cost(abi, n, &code, 1));
	chain_make(&m, abi, FRAMES, &code, 1, KNOWN);
	meter_cost(meter, &m);
	m.room = 1;
	cost = meter_cost(meter, &m);
	printf("top %s %.2f\n", abi->name, cost);
	for (n = 0; n <= FRAMES; n += n < 10 ? 1 : 10) {
		chain_make(&m, abi, n, &code, 1, KNOWN);
		/* Once for all that is met for the first time. */
		meter_cost(meter, &m);
		cost = meter_cost(meter, &m);
		printf("frames %s %u %u %.2f\n", abi->name, n, m.nr, cost);
	}
}

static uint32_t random_below(uint32_t n)
{
	static uint32_t state = 1;

	state = state * 1664525 + 1013904223;
	return (uint64_t)state * n >> 32;
}

static void lookup_print(const char *kind, const struct abi *abi, uint32_t maps,
			 const uint32_t *code, unsigned int nr)
{
	unsigned int n;

	next_return = 0;
	for (n = 50; n <= FRAMES; n += 50)
		printf("lookup %s %u %u %.2f\n", kind, maps, n, first_cost(abi, n, code, nr));
}

/* Mapping i is of file i % 2, and each frame is in another file than the one before. */
static void measure_lookup(const struct abi *abi)
{
	static const uint32_t sizes[] = { 10, 100, 1000, 10000 };
	static uint32_t map[10000], code[FRAMES + 1];
	uint32_t base = 0x20000000, have = 0, n;
	unsigned int i, s;

	for (s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		n = sizes[s];
		for (; have < n; have++)
			map[have] = code_map(abi, have & 1, base + have * 2 * CODE_SIZE);
		code[0] = map[n / 3 & ~1];
		code[1] = map[(2 * n / 3) | 1];
		lookup_print("two", abi, n, code, 2);
		for (i = 0; i <= FRAMES; i++)
			code[i] = map[(random_below(n) & ~1) | (i & 1)];
		lookup_print("spread", abi, n, code, FRAMES + 1);
	}
}

int main(int argc, char **argv)
{
	const struct abi *abi;

	if (argc != 3)
		return 2;
	abi = code_abi(argv[2]);
	if (!strcmp(argv[1], "code")) {
		code_write(abi);
		return 0;
	}
	if (!strcmp(argv[1], "tag")) {
		code_tag(abi);
		return 0;
	}
	meter = meter_open();
	/* What is not in memory can't be walked. */
	memset(stack, 0, sizeof(stack));
	outermost = code_return(code_abi("none"), code_map(code_abi("none"), 0, 0), 0);
	if (!strcmp(argv[1], "frames"))
		measure_frames(abi);
	else
		measure_lookup(abi);
	return 0;
}
