// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include "hostile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ctl.h"
#include "perfring.h"

#define CODE_PATH	"/tmp/hostile-code"
#define KUSER_START	0xffff0f60

enum {
	PAGE = 4096, RING_PAGES = 64, RANGES = 256, PRINTED = 8,
	FAULT = 3, FIRST_CALL = 5, TRAMPOLINE = 14,	/* words of a function */
};

/* r0 to r12, lr and pc, then sp: as hostile_run() loads them */
struct state {
	uint32_t r[13];
	uint32_t lr;
	uint32_t pc;
	uint32_t sp;
};

struct hostile_private {
	struct perfring *ring;
	char *trap;
	unsigned int nr;
	struct {
		uint32_t start;
		uint32_t end;
	} range[RANGES];
	uint32_t wanted;
	bool found;
	unsigned int printed;
};

/* In between, nothing of the caller's is in a register, and no signal may come: sp is anything. */
void hostile_run(const struct state *state);
void hostile_back(void);
uint32_t hostile_sp;

__asm__(".pushsection .text\n"
	".arm\n"
	".type hostile_run, %function\n"
	"hostile_run:\n"
	"	push	{r4-r11, lr}\n"
	"	ldr	r1, =hostile_sp\n"
	"	str	sp, [r1]\n"
	"	ldr	sp, [r0, #60]\n"
	"	ldm	r0, {r0-r12, lr, pc}\n"
	".type hostile_back, %function\n"
	"hostile_back:\n"
	"	ldr	r1, =hostile_sp\n"
	"	ldr	sp, [r1]\n"
	"	pop	{r4-r11, pc}\n"
	"	.ltorg\n"
	".popsection\n");

static uint32_t word_at(const struct hostile *self, unsigned int function, unsigned int word)
{
	return (uintptr_t)&self->code[function * HOSTILE_WORDS + word];
}

uint32_t hostile_pc(const struct hostile *self, unsigned int function)
{
	return word_at(self, function, FAULT);
}

uint32_t hostile_return(const struct hostile *self, unsigned int function, unsigned int call)
{
	return word_at(self, function, FIRST_CALL + call % HOSTILE_CALLS + 1);
}

uint32_t hostile_trampoline(const struct hostile *self, unsigned int function)
{
	return word_at(self, function, TRAMPOLINE);
}

/* Each calls the next one. Behind its end is "mov r7, #119; svc 0". */
static void write_function(uint32_t *code)
{
	static const uint32_t words[HOSTILE_WORDS] = {
		0xe92d4800, 0xe28db004, 0xe24dd008,	/* push {fp, lr}; add fp, sp, #4; sub sp */
		0xe5900000, 0xe12fff31,			/* ldr r0, [r0]; blx r1 */
		0, 0, 0, 0, 0, 0,			/* bl */
		0xe24bd004, 0xe8bd8800, 0xe7fddef1,	/* sub sp, fp, #4; pop {fp, pc}; udf */
		0xe3a07077, 0xef000000,
	};
	unsigned int i;

	for (i = 0; i < HOSTILE_WORDS; i++)
		code[i] = words[i] ? words[i] : 0xeb000000 | (HOSTILE_WORDS - i - 2);
}

void hostile_write_code(struct hostile *self, unsigned int page)
{
	unsigned int i;

	for (i = 0; i < HOSTILE_FUNCTIONS; i++)
		write_function(&self->code[(page * HOSTILE_FUNCTIONS + i) * HOSTILE_WORDS]);
	__builtin___clear_cache((char *)self->code, (char *)self->code + HOSTILE_PAGES * PAGE);
}

void hostile_read_maps(struct hostile *self)
{
	struct hostile_private *own = self->private;
	FILE *file = fopen("/proc/self/maps", "re");
	unsigned int start, end;
	char line[512], x;

	own->nr = 0;
	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%x-%x %*c%*c%c", &start, &end, &x) == 3 && x == 'x' &&
		    own->nr < RANGES) {
			own->range[own->nr].start = start;
			own->range[own->nr++].end = end;
		}
	}
	if (file)
		fclose(file);
}

/* What was interrupted is shown wherever it was, as the last entry: a signal frame says it. */
static bool is_interrupted(const struct hostile *self, const struct perfring_sample *sample,
			   unsigned int i)
{
	uint32_t off = sample->user[i - 1] - (uintptr_t)self->code;

	return i == sample->user_nr - 1 && off < HOSTILE_PAGES * PAGE &&
	       off / 4 % HOSTILE_WORDS == TRAMPOLINE;
}

/* A return address may be right behind a mapping. */
static bool is_code(const struct hostile_private *own, uint64_t entry)
{
	unsigned int i;

	if (entry & 1 || entry >> 32)
		return false;
	for (i = 0; i < own->nr; i++) {
		if (entry >= own->range[i].start && entry <= own->range[i].end)
			return true;
	}
	return entry >= KUSER_START;
}

static void check(struct hostile *self, const struct perfring_sample *sample)
{
	struct hostile_private *own = self->private;
	unsigned int i;

	for (i = 1; i < sample->user_nr; i++) {
		if (is_code(own, sample->user[i]) || is_interrupted(self, sample, i))
			continue;
		self->chain.insane++;
		if (own->printed++ < PRINTED)
			printf("# entry %u of %u, from pc %#llx, is no code: %#llx\n", i,
			       sample->user_nr, (unsigned long long)sample->user[0],
			       (unsigned long long)sample->user[i]);
	}
}

static void take(const struct perfring_sample *sample, void *arg)
{
	struct hostile *self = arg;

	if (sample->pid != (uint32_t)getpid())
		return;
	check(self, sample);
	if (!sample->user_nr || sample->user[0] != self->private->wanted ||
	    sample->user_nr > HOSTILE_ENTRIES)
		return;
	self->private->found = true;
	self->chain.nr = sample->user_nr;
	memcpy(self->chain.entry, sample->user, sample->user_nr * sizeof(*sample->user));
}

bool hostile_sample(struct hostile *self, const uint32_t r[15], unsigned int function)
{
	struct hostile_private *own = self->private;
	struct state state = { .lr = r[14], .sp = r[13], .pc = hostile_pc(self, function) };

	memcpy(state.r, r, sizeof(state.r));
	state.r[0] = (uintptr_t)own->trap;
	state.r[1] = (uintptr_t)hostile_back;
	own->wanted = state.pc;
	own->found = false;
	madvise(own->trap, PAGE, MADV_DONTNEED);
	hostile_run(&state);
	perfring_read(own->ring, take, self);
	return own->found;
}

/* A file that changes once it is mapped or tagged is another one. */
static int write_file(struct hostile *self)
{
	uint32_t image[HOSTILE_PAGES * PAGE / 4];
	unsigned int page;
	bool ok;

	self->code = image;
	for (page = 0; page < HOSTILE_PAGES; page++)
		hostile_write_code(self, page);
	ok = pwrite(self->fd, image, sizeof(image), 0) == sizeof(image);
	self->code = NULL;
	return ok ? 0 : -1;
}

static int map_code(struct hostile *self)
{
	self->fd = open(CODE_PATH, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	if (self->fd < 0 || write_file(self))
		return -1;
	self->code = mmap(NULL, HOSTILE_PAGES * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_SHARED, self->fd, 0);
	return self->code == MAP_FAILED ? -1 : 0;
}

static struct perfring *open_ring(void)
{
	struct perf_event_attr attr;

	perfring_cpu_clock(&attr, 1);
	attr.config = PERF_COUNT_SW_PAGE_FAULTS;
	return perfring_open(&attr, 0, -1, RING_PAGES);
}

int hostile_begin(struct hostile *self, int ctl)
{
	struct hostile_private *own = calloc(1, sizeof(*own));

	memset(self, 0, sizeof(*self));
	self->private = own;
	if (!own || map_code(self) || ctl_tag(ctl, self->fd, A32_ABI_GCC))
		goto err;
	own->trap = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	own->ring = open_ring();
	if (own->trap == MAP_FAILED || !own->ring || perfring_enable(own->ring))
		goto err;
	hostile_read_maps(self);
	return 0;
err:
	printf("# no code to fault in: %m\n");
	return -1;
}

void hostile_end(struct hostile *self, int ctl)
{
	struct hostile_private *own = self->private;

	perfring_close(own->ring);
	ctl_untag(ctl, self->fd);
	munmap(self->code, HOSTILE_PAGES * PAGE);
	munmap(own->trap, PAGE);
	close(self->fd);
	unlink(CODE_PATH);
	free(own);
}
