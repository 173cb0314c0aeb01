// SPDX-License-Identifier: GPL-2.0
/*
 * tables ROWS...
 *
 * Chains of 50 and 100 callers in a file without frame pointers, whose unwind
 * table has that many rows: one for 8 bytes of code each. Prints, in
 * instructions,
 *	table first ROWS CALLERS COST	callers that no walk has met before
 *	table known ROWS CALLERS COST	walked again and again
 *	table top ROWS COST		the pc alone, new each time
 */
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "../../uapi/a32uwind.h"
#include "../tablefile.h"
#include "code.h"
#include "walks.h"

enum {
	CALLERS		= 100,
	FRAME_WORDS	= 4,
	FUNCTION_WORDS	= 8,
	ROWS_EACH	= 4,		/* of a function */
	LOOPS		= 512,
	KNOWN		= 8,		/* return addresses of chains walked again and again */
	FIRSTS		= 8,		/* chains of new callers that a mean is of */
};

/*
 *	push	{r4, lr}
 *	sub	sp, sp, #8
 *	nop
 *	bl	.-12
 *	nop
 *	bl	.-20
 *	add	sp, sp, #8
 *	pop	{r4, pc}
 */
static const uint32_t function[FUNCTION_WORDS] = {
	0xe92d4010, 0xe24dd008, 0xe1a00000, 0xebfffffb, 0xe1a00000, 0xebfffff9, 0xe28dd008,
	0xe8bd8010,
};

/* Places to return to */
static const uint32_t behind_call[] = { 16, 24 };

/* More rules than it takes, as neighbours that say the same would be one row. */
static const struct a32_table_rule rules[ROWS_EACH] = {
	TABLEFILE_FRAME(13, 0, A32_TABLE_IN_REG(14), A32_TABLE_SAME, A32_TABLE_SAME),
	TABLEFILE_FRAME(13, 16, -1, A32_TABLE_SAME, A32_TABLE_SAME),
	TABLEFILE_FRAME(13, 16, -1, A32_TABLE_LOST, A32_TABLE_SAME),
	TABLEFILE_FRAME(13, 16, -1, A32_TABLE_SAME, A32_TABLE_LOST),
};

static uint32_t stack[(CALLERS + 2) * FRAME_WORDS];
static uint32_t outermost;
static int meter;

/**
 * struct library - code, and its table
 * @fd: its file
 * @code: where it is mapped
 * @functions: how many it has
 * @table: the table
 * @size: bytes of that
 */
struct library {
	int fd;
	uint32_t code;
	uint32_t functions;
	void *table;
	uint32_t size;
};

static void make_code(struct library *lib, uint32_t rows)
{
	uint32_t i, bytes;
	char name[32];
	FILE *file;
	void *map;

	lib->functions = rows / ROWS_EACH;
	bytes = lib->functions * sizeof(function);
	snprintf(name, sizeof(name), "library-%u", rows);
	file = fopen(name, "we");
	if (!file)
		fail(name);
	for (i = 0; i < lib->functions; i++)
		fwrite(function, sizeof(function), 1, file);
	fclose(file);
	lib->fd = open(name, O_RDONLY | O_CLOEXEC);
	map = mmap(NULL, bytes, PROT_READ | PROT_EXEC, MAP_PRIVATE, lib->fd, 0);
	if (lib->fd < 0 || map == MAP_FAILED)
		fail(name);
	lib->code = (uintptr_t)map;
	/* What is not in memory can't be walked. */
	for (i = 0; i < bytes; i += 4096)
		*(volatile uint32_t *)(uintptr_t)(lib->code + i);
}

static void make_table(struct library *lib, uint32_t rows)
{
	struct tablefile_row *row = calloc(rows, sizeof(*row));
	uint32_t i, bytes = lib->functions * sizeof(function);

	for (i = 0; row && i < rows; i++)
		row[i] = (struct tablefile_row){ 8 * i, rules[i % ROWS_EACH] };
	lib->table = row ? tablefile_write(row, rows, bytes, bytes, &lib->size) : NULL;
	free(row);
	if (!lib->table)
		fail("table");
}

/* Whatever was known of its code is not any more. */
static void load(const struct library *lib)
{
	struct a32_load_table arg = {
		.size = sizeof(arg), .fd = lib->fd, .ptr = (uintptr_t)lib->table, .len = lib->size,
	};
	int ctl = open("/dev/a32uwind", O_RDWR | O_CLOEXEC);

	if (ctl < 0 || ioctl(ctl, A32_IOC_LOAD_TABLE, &arg))
		fail("table");
	close(ctl);
}

/* The n-th of the places to return to, spread over all of the code */
static uint32_t return_to(const struct library *lib, uint32_t n)
{
	uint32_t f = n * 2654435761u % lib->functions;

	return lib->code + f * sizeof(function) + behind_call[n & 1];
}

static void chain_make(const struct library *lib, struct meter *m, uint32_t callers,
		       uint32_t first, uint32_t returns)
{
	uint32_t i, sp = (uintptr_t)stack, ra;

	memset(m, 0, sizeof(*m));
	m->r[PC] = return_to(lib, first) - 4;
	m->r[LR] = m->r[PC];
	m->r[SP] = sp;
	m->cpsr = PSR_USER;
	m->room = METER_ENTRIES;
	for (i = 0; i < callers; i++) {
		ra = i + 1 < callers ? return_to(lib, first + 1 + i % returns) : outermost;
		stack[(i + 1) * FRAME_WORDS - 1] = ra;
	}
}

static double cost(struct meter *m, uint32_t callers, uint32_t loops)
{
	double cost;

	m->loops = loops;
	cost = meter_cost(meter, m);
	if (m->nr != callers + 1) {
		fprintf(stderr, "tables: %u entries for %u callers\n", m->nr, callers);
		exit(1);
	}
	return cost;
}

static double first_cost(const struct library *lib, uint32_t callers)
{
	struct meter m;
	double sum = 0;
	uint32_t i;

	for (i = 0; i < FIRSTS; i++) {
		load(lib);
		chain_make(lib, &m, callers, i * CALLERS, CALLERS);
		sum += cost(&m, callers, 1);
	}
	return sum / FIRSTS;
}

static double known_cost(const struct library *lib, uint32_t callers)
{
	struct meter m;

	chain_make(lib, &m, callers, 0, KNOWN);
	cost(&m, callers, LOOPS);
	return cost(&m, callers, LOOPS);
}

static double top_cost(const struct library *lib)
{
	struct meter m;
	double sum = 0;
	uint32_t i;

	load(lib);
	for (i = 0; i < FIRSTS; i++) {
		chain_make(lib, &m, 1, i, 1);
		m.room = 1;
		sum += cost(&m, 0, 1);
	}
	return sum / FIRSTS;
}

static void measure(uint32_t rows)
{
	struct library lib;
	uint32_t n;

	make_code(&lib, rows);
	make_table(&lib, rows);
	for (n = 50; n <= CALLERS; n += 50)
		printf("table first %u %u %.2f\n", rows, n, first_cost(&lib, n));
	for (n = 50; n <= CALLERS; n += 50)
		printf("table known %u %u %.2f\n", rows, n, known_cost(&lib, n));
	printf("table top %u %.2f\n", rows, top_cost(&lib));
	free(lib.table);
	close(lib.fd);
}

int main(int argc, char **argv)
{
	int i;

	meter = meter_open();
	memset(stack, 0, sizeof(stack));
	outermost = code_return(code_abi("none"), code_map(code_abi("none"), 0, 0), 0);
	for (i = 1; i < argc; i++)
		measure(strtoul(argv[i], NULL, 0));
	return 0;
}
