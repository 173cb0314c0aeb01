// SPDX-License-Identifier: GPL-2.0
/*
 * User stacks that a BPF program asks for, from the clock and from a kprobe,
 * with bpf_get_stackid() and bpf_get_stack(). The programs are written out as
 * instructions: nothing but bpf(2) is needed.
 */
#include <linux/bpf.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "clock.h"
#include "events.h"
#include "patience.h"

#define DEPTH	32
#define WAIT_MS	2000	/* for a stack of a process that is sampled all along */
#define STACKS	4096

static int bpf(int cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

static int create_map(uint32_t type, uint32_t value_size, uint32_t entries)
{
	union bpf_attr attr = {
		.map_type = type, .key_size = 4, .value_size = value_size, .max_entries = entries,
	};

	return bpf(BPF_MAP_CREATE, &attr);
}

static int lookup(int map, uint32_t key, void *value)
{
	union bpf_attr attr = {
		.map_fd = map, .key = (uintptr_t)&key, .value = (uintptr_t)value,
	};

	return bpf(BPF_MAP_LOOKUP_ELEM, &attr);
}

/* The key after @key; the first one when @key is NULL. */
static int next_key(int map, const uint32_t *key, uint32_t *next)
{
	union bpf_attr attr = {
		.map_fd = map, .key = (uintptr_t)key, .next_key = (uintptr_t)next,
	};

	return bpf(BPF_MAP_GET_NEXT_KEY, &attr);
}

static int load_program(uint32_t type, const struct bpf_insn *insns, unsigned int nr)
{
	static char log[16384];
	union bpf_attr attr = {
		.prog_type = type, .insns = (uintptr_t)insns, .insn_cnt = nr,
		.license = (uintptr_t)"GPL", .log_buf = (uintptr_t)log, .log_size = sizeof(log),
		.log_level = 1,
	};
	int fd = bpf(BPF_PROG_LOAD, &attr);

	if (fd < 0)
		printf("# %s: %.2000s\n", strerror(errno), log);
	return fd;
}

#define INSN(c, d, s, o, i) \
	((struct bpf_insn) { .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) })
#define MOV_IMM(d, i)	INSN(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define MOV_REG(d, s)	INSN(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0, 0)
#define ADD_IMM(d, i)	INSN(BPF_ALU64 | BPF_ADD | BPF_K, d, 0, 0, i)
#define STORE_W(d, o, i) INSN(BPF_ST | BPF_MEM | BPF_W, d, 0, o, i)
#define JEQ_IMM(d, i, o) INSN(BPF_JMP | BPF_JEQ | BPF_K, d, 0, o, i)
#define LOAD_MAP(d, fd)	INSN(BPF_LD | BPF_DW | BPF_IMM, d, BPF_PSEUDO_MAP_FD, 0, fd)
#define LOAD_MAP_END()	INSN(0, 0, 0, 0, 0)
#define CALL(f)		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, f)
#define EXIT()		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

/* bpf_get_stackid(ctx, map, BPF_F_USER_STACK) */
static int stackid_program(uint32_t type, int map)
{
	const struct bpf_insn insns[] = {
		LOAD_MAP(BPF_REG_2, map), LOAD_MAP_END(),
		MOV_IMM(BPF_REG_3, BPF_F_USER_STACK),
		CALL(BPF_FUNC_get_stackid),
		MOV_IMM(BPF_REG_0, 0),
		EXIT(),
	};

	return load_program(type, insns, ARRAY_SIZE(insns));
}

/* bpf_get_stack(ctx, bpf_map_lookup_elem(map, 0), size, BPF_F_USER_STACK) */
static int stack_program(uint32_t type, int map)
{
	const struct bpf_insn insns[] = {
		MOV_REG(BPF_REG_6, BPF_REG_1),
		STORE_W(BPF_REG_10, -4, 0),
		MOV_REG(BPF_REG_2, BPF_REG_10),
		ADD_IMM(BPF_REG_2, -4),
		LOAD_MAP(BPF_REG_1, map), LOAD_MAP_END(),
		CALL(BPF_FUNC_map_lookup_elem),
		JEQ_IMM(BPF_REG_0, 0, 5),
		MOV_REG(BPF_REG_1, BPF_REG_6),
		MOV_REG(BPF_REG_2, BPF_REG_0),
		MOV_IMM(BPF_REG_3, DEPTH * 8),
		MOV_IMM(BPF_REG_4, BPF_F_USER_STACK),
		CALL(BPF_FUNC_get_stack),
		MOV_IMM(BPF_REG_0, 0),
		EXIT(),
	};

	return load_program(type, insns, ARRAY_SIZE(insns));
}

static unsigned int stack_length(const uint64_t *ips)
{
	unsigned int nr = 0;

	while (nr < DEPTH && ips[nr])
		nr++;
	return nr;
}

FIXTURE(bpf) {
	int ctl;
	pid_t pid;
	struct looping *looping;
	struct perf_event_attr attr;
};

FIXTURE_VARIANT(bpf) {
	bool kprobe;
	uint32_t type;
};

FIXTURE_VARIANT_ADD(bpf, clock) {
	.kprobe = false,
	.type = BPF_PROG_TYPE_PERF_EVENT,
};

FIXTURE_VARIANT_ADD(bpf, kprobe) {
	.kprobe = true,
	.type = BPF_PROG_TYPE_KPROBE,
};

FIXTURE_SETUP(bpf)
{
	self->ctl = ctl_open();
	ASSERT_LE(0, self->ctl);
	ASSERT_EQ(0, looping_tag(self->ctl));
	self->looping = calloc(1, sizeof(*self->looping));
	ASSERT_NE(NULL, self->looping);
	self->pid = looping_start(self->looping, LOOPER_MMAP, 60000);
	ASSERT_LT(0, self->pid);
	looping_past_exec(self->pid);
	perfring_cpu_clock(&self->attr, 500000);
	if (variant->kprobe) {
		ASSERT_EQ(0, probe_attr(&self->attr, "kprobe", PROBED_FUNCTION, 0, 0));
	}
}

FIXTURE_TEARDOWN(bpf)
{
	looping_end(self->pid);
	looping_untag(self->ctl);
}

/* An event of one task that runs the program. */
static int open_event(struct perf_event_attr *attr, pid_t pid, int program)
{
	int fd = syscall(SYS_perf_event_open, attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return -1;
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, program) || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		return -1;
	return fd;
}

static void judge_stacks(int map, unsigned int count[LOOPING_WRONG + 1])
{
	uint32_t key, *last = NULL;
	uint64_t ips[DEPTH];

	memset(count, 0, (LOOPING_WRONG + 1) * sizeof(*count));
	for (; !next_key(map, last, &key); last = &key) {
		memset(ips, 0, sizeof(ips));
		if (!lookup(map, key, ips))
			count[looping_judge(ips, stack_length(ips))]++;
	}
}

TEST_F(bpf, get_stackid)
{
	/* A kprobe has one stack; the clock has one for each pc it hit. */
	const unsigned int least = variant->kprobe ? 1 : 3;
	unsigned int count[LOOPING_WRONG + 1];
	int map, program, event;
	uint64_t end;

	if (variant->kprobe && hook_is_kprobe(self->ctl))
		SKIP(return, "kprobes don't nest: hook=kprobe can't see these");
	map = create_map(BPF_MAP_TYPE_STACK_TRACE, DEPTH * sizeof(uint64_t), STACKS);
	ASSERT_LE(0, map);
	program = stackid_program(variant->type, map);
	ASSERT_LE(0, program);
	event = open_event(&self->attr, self->pid, program);
	ASSERT_LE(0, event) TH_LOG("%s", strerror(errno));
	/* Longer where the machine is slow */
	end = clock_ms() + WAIT_MS * patience();
	do {
		ASSERT_EQ(0, ioctl(event, PERF_EVENT_IOC_ENABLE, 0));
		sleep(1);
		ASSERT_EQ(0, ioctl(event, PERF_EVENT_IOC_DISABLE, 0));
		judge_stacks(map, count);
	} while (count[LOOPING_EXACT] < least && clock_ms() < end);
	printf("# distinct stacks: %u exact, %u short, %u wrong, %u foreign\n",
	       count[LOOPING_EXACT],
	       count[LOOPING_SHORT], count[LOOPING_WRONG], count[LOOPING_FOREIGN]);
	EXPECT_LE(least, count[LOOPING_EXACT]);
	EXPECT_EQ(0, count[LOOPING_WRONG]);
	EXPECT_EQ(0, count[LOOPING_FOREIGN]);
	EXPECT_GE(count[LOOPING_EXACT] / 10, count[LOOPING_SHORT]);
}

/* The stack of a turn, or zeros when none came: the event is stopped before it is read. */
static int next_stack(int event, int map, uint64_t ips[DEPTH])
{
	uint64_t end = clock_ms() + WAIT_MS * patience();

	do {
		if (ioctl(event, PERF_EVENT_IOC_ENABLE, 0))
			return -1;
		usleep(20000);
		if (ioctl(event, PERF_EVENT_IOC_DISABLE, 0) || lookup(map, 0, ips))
			return -1;
	} while (!ips[0] && clock_ms() < end);
	return 0;
}

TEST_F(bpf, get_stack)
{
	unsigned int count[LOOPING_WRONG + 1] = {};
	static const uint64_t none[DEPTH];
	uint64_t ips[DEPTH];
	int map, program, event, i;
	uint32_t key = 0;

	if (variant->kprobe && hook_is_kprobe(self->ctl))
		SKIP(return, "kprobes don't nest: hook=kprobe can't see these");
	map = create_map(BPF_MAP_TYPE_ARRAY, sizeof(ips), 1);
	ASSERT_LE(0, map);
	program = stack_program(variant->type, map);
	ASSERT_LE(0, program);
	event = open_event(&self->attr, self->pid, program);
	ASSERT_LE(0, event) TH_LOG("%s", strerror(errno));
	for (i = 0; i < 50; i++) {
		union bpf_attr clear = {
			.map_fd = map, .key = (uintptr_t)&key, .value = (uintptr_t)none,
		};

		ASSERT_EQ(0, next_stack(event, map, ips));
		count[looping_judge(ips, stack_length(ips))]++;
		ASSERT_EQ(0, bpf(BPF_MAP_UPDATE_ELEM, &clear));
	}
	printf("# stacks: %u exact, %u short, %u wrong, %u none\n", count[LOOPING_EXACT],
	       count[LOOPING_SHORT], count[LOOPING_WRONG], count[LOOPING_FOREIGN]);
	EXPECT_LE(40, count[LOOPING_EXACT]);
	EXPECT_EQ(0, count[LOOPING_WRONG]);
}

TEST_HARNESS_MAIN
