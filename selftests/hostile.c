// SPDX-License-Identifier: GPL-2.0
/*
 * Stacks that are made to harm: frame records that lead in circles, to the
 * kernel, to where nothing is, to pages that a process serves itself; signal frames
 * by the thousand. A chain ends there, each entry is code of the process, and the
 * kernel's log stays clean.
 */
#include <linux/userfaultfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "kselftest_harness.h"
#include "ctl.h"
#include "fusefile.h"
#include "hostile.h"
#include "patience.h"

enum {
	PAGE		= 4096,
	STACK_BYTES	= 64 * PAGE,
	R7 = 7, R11 = 11, SP = 13, LR = 14,
	LONG		= 2000,		/* frames */
	FORGED		= 10000,	/* walks through signal frames */
	SIGNAL_RECORD	= 60,		/* the frame is behind it, at a multiple of 8 */
};

FIXTURE(hostile) {
	int ctl;
	struct hostile hostile;
	uint32_t stack;
	uint32_t r[15];
};

FIXTURE_SETUP(hostile)
{
	void *stack;

	self->ctl = ctl_open();
	ASSERT_LE(0, self->ctl);
	ASSERT_EQ(0, hostile_begin(&self->hostile, self->ctl));
	stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	ASSERT_NE(MAP_FAILED, stack);
	self->stack = (uintptr_t)stack;
	self->r[SP] = self->stack;
}

FIXTURE_TEARDOWN(hostile)
{
	/* Of all that was sampled meanwhile */
	EXPECT_EQ(0, self->hostile.chain.insane);
	munmap((void *)(uintptr_t)self->stack, STACK_BYTES);
	hostile_end(&self->hostile, self->ctl);
}

static void put(uint32_t addr, uint32_t value)
{
	*(volatile uint32_t *)(uintptr_t)addr = value;
}

/* gcc's record: the return address at @at, the caller's fp below */
static void put_record(uint32_t at, uint32_t ra, uint32_t fp)
{
	put(at, ra);
	put(at - 4, fp);
}

/* @nr records from @at up, @step bytes apart; the last one has no caller */
static void put_records(const struct hostile *h, uint32_t at, unsigned int nr, uint32_t step)
{
	unsigned int i;

	for (i = 0; i < nr; i++, at += step)
		put_record(at, i + 1 < nr ? hostile_return(h, 1 + i, i) : 0,
			   i + 1 < nr ? at + step : 0);
}

#define SAMPLE()	ASSERT_TRUE(hostile_sample(&self->hostile, self->r, 0))
#define NR()		(self->hostile.chain.nr)

/* With nothing wrong, they are followed: what the others say is worth something. */
TEST_F(hostile, true_records_are_followed)
{
	unsigned int i;

	put_records(&self->hostile, self->stack + 64, 20, 32);
	self->r[R11] = self->stack + 64;
	self->r[SP] = self->stack + 52;
	SAMPLE();
	ASSERT_EQ(20, NR());
	for (i = 1; i < 20; i++)
		EXPECT_EQ(hostile_return(&self->hostile, i, i - 1), self->hostile.chain.entry[i]);
}

TEST_F(hostile, records_in_circles_end)
{
	uint32_t a = self->stack + 64, b = a + 32, ra = hostile_return(&self->hostile, 1, 0);

	self->r[R11] = a;
	self->r[SP] = a - 12;
	put_record(a, ra, a);
	SAMPLE();
	EXPECT_GE(2, NR());
	put_record(a, ra, b);
	put_record(b, ra, a);
	SAMPLE();
	EXPECT_GE(3, NR());
	put_record(b, ra, a - 32);
	SAMPLE();
	EXPECT_GE(3, NR());
}

TEST_F(hostile, more_frames_than_room_end)
{
	put_records(&self->hostile, self->stack + 64, LONG, 16);
	self->r[R11] = self->stack + 64;
	self->r[SP] = self->stack + 52;
	SAMPLE();
	EXPECT_EQ(HOSTILE_ENTRIES, NR());
}

/* Whatever is in the frame registers and in the record, at any alignment */
TEST_F(hostile, addresses_at_all_edges)
{
	static const uint32_t edge[] = {
		0, 4, 8, 0xfff, 0x1000, 0x7fffffff, 0x80000000, 0xbeffffff, 0xbf000000,
		0xbfffffff, 0xc0000000, 0xc0008000, 0xe0000000, 0xf0000000, 0xffff0000,
		0xffff0f60, 0xffff0fff, 0xffff1000, 0xffffffff,
	};
	unsigned int i, j;
	uint32_t off, a;

	for (i = 0; i < ARRAY_SIZE(edge); i++) {
		for (off = -9; off != 10; off++) {
			self->r[R7] = edge[i] + off;
			self->r[R11] = edge[i] + off;
			self->r[SP] = edge[(i + off) % ARRAY_SIZE(edge)] + off;
			self->r[LR] = edge[i] + off;
			SAMPLE();
			EXPECT_GE(2, NR());
			a = self->stack + 64;
			self->r[R11] = a + (off & 3);
			put_record(a, hostile_return(&self->hostile, 1, 0), edge[i] + off);
			SAMPLE();
			EXPECT_GE(3, NR());
			for (j = 0; j < ARRAY_SIZE(edge); j++) {
				put_record(a, edge[j] + off, edge[i]);
				SAMPLE();
				EXPECT_GE(2, NR());
			}
		}
	}
}

TEST_F(hostile, holes_in_memory_end_a_chain)
{
	static const int prot[] = { -1, PROT_NONE, PROT_WRITE, PROT_EXEC };
	uint32_t hole = self->stack + PAGE, i;
	int off;

	for (i = 0; i < ARRAY_SIZE(prot); i++) {
		ASSERT_NE(MAP_FAILED, mmap((void *)(uintptr_t)hole, PAGE, PROT_READ | PROT_WRITE,
					   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
		put_record(hole - 16, hostile_return(&self->hostile, 1, 0), hole);
		ASSERT_EQ(0, prot[i] < 0 ? munmap((void *)(uintptr_t)hole, PAGE) :
			  mprotect((void *)(uintptr_t)hole, PAGE, prot[i]));
		for (off = -8; off <= 8; off++) {
			self->r[R11] = hole + off;
			self->r[SP] = hole + off - 12;
			SAMPLE();
			EXPECT_GE(2, NR());
			self->r[R11] = hole - 16;
			SAMPLE();
			EXPECT_GE(3, NR());
		}
	}
	ASSERT_NE(MAP_FAILED, mmap((void *)(uintptr_t)hole, PAGE, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
}

/* Nobody serves the fault: a walk that waited for it would never come back. */
TEST_F(hostile, stack_behind_userfaultfd_is_not_waited_for)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	struct uffd_msg msg;
	void *page;
	int uffd;

	uffd = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	if (uffd < 0)
		SKIP(return, "this kernel has no userfaultfd");
	ASSERT_EQ(0, ioctl(uffd, UFFDIO_API, &api));
	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, page);
	reg.range.start = (uintptr_t)page;
	reg.range.len = PAGE;
	ASSERT_EQ(0, ioctl(uffd, UFFDIO_REGISTER, &reg));
	self->r[R11] = (uintptr_t)page + 64;
	self->r[SP] = (uintptr_t)page + 52;
	SAMPLE();
	EXPECT_EQ(1, NR());
	EXPECT_EQ(-1, read(uffd, &msg, sizeof(msg)));
	EXPECT_EQ(EAGAIN, errno);
	close(uffd);
	munmap(page, PAGE);
}

/* A stack in a file of this process's own: asking for it would be waiting for this process. */
TEST_F(hostile, stack_behind_fuse_is_not_waited_for)
{
	static struct fusefile file;
	struct stat st;
	uint32_t stack;
	void *page;
	int fd;

	if (fusefile_begin(&file)) {
		ASSERT_EQ(ENODEV, errno);
		SKIP(return, "this kernel has no FUSE");
	}
	fd = open(file.path, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, fstat(fd, &st));
	page = mmap(NULL, FUSEFILE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	ASSERT_NE(MAP_FAILED, page);
	stack = (uintptr_t)page;
	((uint32_t *)file.bytes)[16] = hostile_return(&self->hostile, 1, 0);
	self->r[R11] = stack + 64;
	self->r[SP] = stack + 52;
	SAMPLE();
	EXPECT_EQ(1, NR());
	EXPECT_EQ(0, file.reads);
	/* Once it is there, it is a stack like any other. */
	EXPECT_EQ(hostile_return(&self->hostile, 1, 0),
		  *(volatile uint32_t *)(uintptr_t)(stack + 64));
	EXPECT_EQ(1, file.reads);
	SAMPLE();
	EXPECT_EQ(2, NR());
	munmap(page, FUSEFILE_BYTES);
	close(fd);
	fusefile_end(&file);
}

/* Code in such a file: it is read to find its ABI, and that takes as long as its user likes. */
TEST_F_TIMEOUT(hostile, code_behind_fuse_keeps_nobody_else_waiting, 60)
{
	static struct fusefile file;
	uint32_t default_abi;
	struct a32_info info;
	unsigned int i;
	int fd, status;
	pid_t pid;

	if (fusefile_begin(&file)) {
		ASSERT_EQ(ENODEV, errno);
		SKIP(return, "this kernel has no FUSE");
	}
	ASSERT_EQ(0, ctl_info(self->ctl, &info));
	default_abi = info.default_abi;
	ASSERT_EQ(0, ctl_set_default(self->ctl, A32_ABI_AUTO));
	file.is_held = true;
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		fd = open(file.path, O_RDONLY | O_CLOEXEC);
		_exit(mmap(NULL, FUSEFILE_BYTES, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) ==
		      MAP_FAILED);
	}
	for (i = 0; i < 500 * patience() && !__atomic_load_n(&file.reads, __ATOMIC_RELAXED); i++)
		usleep(10000);
	ASSERT_EQ(1, file.reads);
	/* All processes are looked through. */
	EXPECT_EQ(0, ctl_set_default(self->ctl, A32_ABI_NONE));
	EXPECT_EQ(0, ctl_set_default(self->ctl, A32_ABI_AUTO));
	EXPECT_EQ(0, waitpid(pid, &status, WNOHANG));
	__atomic_store_n(&file.is_held, false, __ATOMIC_RELAXED);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	ctl_set_default(self->ctl, default_abi);
	fusefile_end(&file);
}

static uint32_t first_ram(void)
{
	FILE *file = fopen("/proc/iomem", "re");
	unsigned int start = 0;
	char line[128];

	while (file && fgets(line, sizeof(line), file)) {
		if (strstr(line, "System RAM") && sscanf(line, "%x-", &start) == 1)
			break;
	}
	if (file)
		fclose(file);
	return start;
}

/* Where the kernel itself sees a page of this process; 0 when that can't be told */
static uint32_t kernel_address(uint32_t addr)
{
	uint64_t entry = 0, at;
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || pread(fd, &entry, 8, addr / PAGE * 8) != 8)
		entry = 0;
	close(fd);
	at = (entry & ((1ull << 55) - 1)) * PAGE - first_ram();
	return entry >> 63 && first_ram() && at < 760 << 20 ? 0xc0000000 + at : 0;
}

/*
 * Records in a page of kernel memory, with return addresses that would be shown: true
 * ones, that are nowhere else. The kernel has all of its memory mapped.
 */
TEST_F(hostile, kernel_memory_is_not_walked)
{
	uint32_t kernel = kernel_address(self->stack), i;

	if (!kernel)
		SKIP(return, "where the kernel has this page can't be told");
	for (i = 0; i < 8; i++)
		put_record(self->stack + 64 + 32 * i, hostile_return(&self->hostile, 1 + i, 0),
			   kernel + 64 + 32 * (i + 1));
	self->r[SP] = self->stack + 52;
	self->r[R11] = self->stack + 64;
	SAMPLE();
	/* Out of its own memory, one; the next one's record is the kernel's. */
	EXPECT_EQ(2, NR());
	self->r[R11] = kernel + 64;
	SAMPLE();
	EXPECT_EQ(1, NR());
	self->r[SP] = kernel + 52;
	SAMPLE();
	EXPECT_EQ(1, NR());
}

/* arch/arm/include/uapi/asm/{ucontext,sigcontext}.h; uc_flags as setup_sigframe() has them */
static void put_sigframe(uint32_t at, const uint32_t r[16], uint32_t cpsr)
{
	unsigned int i;

	put(at, 0x5ac3c35a);
	for (i = 0; i < 16; i++)
		put(at + 32 + 4 * i, r[i]);
	put(at + 96, cpsr);
}

static uint32_t random_u32(void)
{
	static uint64_t seed = 1;

	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return seed >> 32;
}

/* A handler that returns to a trampoline, whose frame has interrupted a handler that ... */
TEST_F(hostile, nested_signal_frames_end)
{
	uint32_t at = self->stack + SIGNAL_RECORD, regs[16] = { [R7] = 119 };
	unsigned int i;

	put_record(at, hostile_trampoline(&self->hostile, 0), 0);
	self->r[R11] = at;
	self->r[SP] = at - 12;
	regs[15] = hostile_trampoline(&self->hostile, 0);
	for (i = 0; i < 64; i++) {
		regs[SP] = at + 4 + 1024 * (i + 1);
		put_sigframe(at + 4 + 1024 * i, regs, 0x10);
	}
	SAMPLE();
	/* A pc and a trampoline for each of the 16 that are followed, at most */
	EXPECT_LE(10, NR());
	EXPECT_GE(36, NR());
}

TEST_F_TIMEOUT(hostile, forged_signal_frames_by_the_thousand, 120)
{
	uint32_t at = self->stack + SIGNAL_RECORD, regs[16], many = 0, i, j;

	self->r[R11] = at;
	self->r[SP] = at - 12;
	for (i = 0; i < FORGED; i++) {
		put_record(at, hostile_trampoline(&self->hostile, random_u32() % 8), 0);
		for (j = 0; j < 16; j++)
			regs[j] = random_u32() & 1 ? random_u32() :
				  self->stack + random_u32() % STACK_BYTES;
		if (random_u32() & 3)
			regs[15] = hostile_pc(&self->hostile, random_u32() % HOSTILE_FUNCTIONS);
		if (random_u32() & 1)
			regs[SP] = at + 4 + random_u32() % 256 * 4;
		put_sigframe(at + 4, regs, random_u32());
		for (j = 0; j < 64; j++)
			put(self->stack + 1024 + 4 * j, random_u32() & 1 ? random_u32() :
			    hostile_return(&self->hostile, j, j));
		SAMPLE();
		many += NR() > 2;
	}
	EXPECT_LT(FORGED / 10, many);
}

TEST_HARNESS_MAIN
