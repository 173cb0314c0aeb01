// SPDX-License-Identifier: GPL-2.0
/*
 * A walk through any code and any stack, from any registers: struct head, then the
 * code, then the stack. What walks must keep to is in ../host/laws.c.
 */
#include "../host/laws.h"
#include "fuzz.h"

enum {
	FILES		= 3,		/* a range each */
	MAX_CODE	= 2048,		/* bytes */
	MAX_STACK	= 2048,
	WORK_COUNTERS	= 256,
	HAS_KUSER	= 1,		/* in @flags: the kernel's helpers can be read */
	HAS_RULES	= 2,		/* a rule on a part of the addresses */
	HAS_RETURNS	= 4,		/* calls that uretprobes wait for */
};

/**
 * struct head - what an input begins with
 * @r: registers
 * @cpsr: of the same moment
 * @code: bytes of code; the rest is the stack
 * @room: entries that the chain may have
 * @flags: what else there is
 * @default_abi: for files without one
 * @file: what is mapped, one after the other
 * @returns: as in struct a32_host_call; 0 in @stack ends them
 */
struct head {
	u32 r[16];
	u32 cpsr;
	u16 code;
	u8 room;
	u8 flags;
	u8 default_abi;
	struct {
		u8 abi;
		u8 special;
		u8 auto_abi;
		u8 changes;
		u8 end;			/* in 16 bytes, from the start of the code */
	} file[FILES];
	struct {
		u32 stack;
		u32 ra;
	} returns[2];
} __attribute__((packed));

static struct world world;

/* libFuzzer keeps an input that sets one of them first: one that costs more than all before. */
static u8 work[WORK_COUNTERS] __attribute__((section("__libfuzzer_extra_counters")));

static void map_files(struct world *w, const struct head *head, u32 size)
{
	static const u8 special[] = { SPECIAL_NONE, SPECIAL_VDSO, SPECIAL_SIGPAGE };
	u32 at = CODE_AT, end, i;

	w->chunk.nr = 0;
	for (i = 0; i < FILES; i++) {
		w->file[i] = (struct a32_code){
			.abi = head->file[i].abi < A32_ABI_NR ? head->file[i].abi : A32_ABI_DEFAULT,
			.special = special[head->file[i].special % NR(special)],
			.auto_abi = head->file[i].auto_abi % A32_ABI_AUTO,
			.counts = &w->counts[i],
		};
		end = i == FILES - 1 ? CODE_AT + size : CODE_AT + head->file[i].end * 16;
		if (end <= at || end > CODE_AT + size)
			continue;
		w->chunk.range[w->chunk.nr++] = (struct a32_range){
			at, end, i, head->file[i].changes & 1, &w->file[i],
		};
		at = end;
	}
	w->file[UPROBES] = (struct a32_code){
		.special = SPECIAL_UPROBES, .counts = &w->counts[UPROBES],
	};
	w->chunk.range[w->chunk.nr++] = (struct a32_range){
		UPROBES_AT, UPROBES_AT + PAGE, 0, 1, &w->file[UPROBES],
	};
	w->file[NOWHERE] = (struct a32_code){ .counts = &w->counts[NOWHERE] };
}

static void make_space(struct world *w, const struct head *head)
{
	w->map.nr = 1;
	w->map.slot[0] = (struct a32_slot){ 0, (const void *)&w->chunk };
	w->default_abi = head->default_abi % A32_ABI_NR;
	w->rules.nr = 1;
	w->rules.rule[0] = (struct a32_abi_rule){ CODE_AT + 0x40, CODE_AT + 0x80, A32_ABI_APCS };
	w->space = (struct a32_space){
		.map = (const void *)&w->map,
		.ranges = head->flags & HAS_RULES ? (const void *)&w->rules : NULL,
		.default_abi = &w->default_abi,
		.tag = world_new_tag(),
	};
}

static void make_thread(struct world *w, const struct head *head)
{
	u32 i;

	memcpy(w->r, head->r, sizeof(w->r));
	w->cpsr = head->cpsr;
	w->returns.nr = 0;
	for (i = 0; head->flags & HAS_RETURNS && i < NR(head->returns); i++) {
		if (!head->returns[i].stack)
			break;
		w->returns.call[w->returns.nr++] = (struct a32_host_call){
			head->returns[i].stack, head->returns[i].ra, false,
		};
	}
}

/* In steps of a quarter */
static void note_work(u64 loads)
{
	u32 step = 0;

	for (; loads > 8 && step < WORK_COUNTERS - 1; loads -= loads / 4)
		step++;
	work[step] = 1;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input in = { data, size };
	struct world *w = &world;
	struct head head;
	u32 code, stack, i;
	u64 loads;

	fuzz_take(&in, &head, sizeof(head));
	code = head.code % (MAX_CODE + 1);
	if (code > in.size)
		code = in.size;
	stack = in.size - code < MAX_STACK ? in.size - code : MAX_STACK;
	map_files(w, &head, code);
	make_space(w, &head);
	make_thread(w, &head);
	a32_memory.nr = 0;
	a32_host_region_add(STACK_AT, stack, in.data + code);
	a32_host_region_add(CODE_AT, code, in.data);
	if (head.flags & HAS_KUSER)
		a32_host_region_add(A32_KUSER_START, A32_KUSER_SIZE, w->kuser);
	loads = law_totals.loads;
	laws_check(w, head.room % MAX_ROOM + 1);
	note_work(law_totals.loads - loads);
	for (i = 0; i < LAWS; i++)
		LAW(!law_totals.broken[i]);
	return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	fuzz_figure("walks", &law_totals.walks);
	fuzz_figure("entries", &law_totals.entries);
	fuzz_figure("most words read by a walk", &law_totals.max_loads);
	return 0;
}
