// SPDX-License-Identifier: GPL-2.0
/*
 * A walk through any code and any stack, from any registers: struct head, then the
 * code, then the stack. What walks must keep to is in ../host/laws.c.
 */
#include "../host/laws.h"
#include "fuzz.h"
#include "head.h"

enum { WORK_COUNTERS = 256 };

_Static_assert(HEAD_CODE_AT == CODE_AT && HEAD_STACK_AT == STACK_AT, "the world's addresses");

static struct world world;
static u64 may_load;

/*
 * Built as "work", it has no sanitizers, counts each block of core/'s code that runs,
 * and looks for what costs most.
 */
#ifdef COUNTS_BLOCKS
static u64 blocks, most_work;

/* libFuzzer keeps an input that sets one of them first: one that costs more than all before. */
static u8 work[WORK_COUNTERS] __attribute__((section("__libfuzzer_extra_counters")));

void count_block(void);
void count_block(void)
{
	blocks++;
}

/* In steps of an eighth */
static void note_work(void)
{
	u32 step = 0;

	if (blocks > most_work)
		most_work = blocks;
	for (; blocks > 8 && step < WORK_COUNTERS - 1; blocks -= blocks / 8)
		step++;
	work[step] = 1;
	blocks = 0;
}
#else
static void note_work(void)
{
}
#endif

static void map_files(struct world *w, const struct head *head, u32 size)
{
	static const u8 special[] = { SPECIAL_NONE, SPECIAL_VDSO, SPECIAL_SIGPAGE };
	u32 at = CODE_AT, end, i;

	w->chunk.nr = 0;
	for (i = 0; i < HEAD_FILES; i++) {
		w->file[i] = (struct a32_code){
			.abi = head->file[i].abi < A32_ABI_NR ? head->file[i].abi :
			       A32_ABI_DEFAULT,
			.special = special[head->file[i].special % NR(special)],
			.auto_abi = head->file[i].auto_abi % A32_ABI_AUTO,
			.counts = &w->counts[i],
		};
		end = CODE_AT + head->file[i].end * HEAD_UNIT;
		if (i == HEAD_FILES - 1)
			end = CODE_AT + size;
		if (end <= at || end > CODE_AT + size)
			continue;
		w->chunk.range[w->chunk.nr++] = (struct a32_range){
			at, end, i, .changes = head->file[i].changes & 1, .code = &w->file[i],
		};
		at = end;
	}
	w->file[UPROBES] = (struct a32_code){
		.special = SPECIAL_UPROBES, .counts = &w->counts[UPROBES],
	};
	w->chunk.range[w->chunk.nr++] = (struct a32_range){
		UPROBES_AT, UPROBES_AT + PAGE, .changes = 1, .code = &w->file[UPROBES],
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
		.ranges = head->flags & HEAD_RULES ? (const void *)&w->rules : NULL,
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
	for (i = 0; head->flags & HEAD_RETURNS && i < NR(head->returns); i++) {
		if (!head->returns[i].stack)
			break;
		w->returns.call[w->returns.nr++] = (struct a32_host_call){
			head->returns[i].stack, head->returns[i].ra, false,
		};
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input in = { data, size };
	struct world *w = &world;
	struct head head;
	u32 code, stack, i;

	fuzz_take(&in, &head, sizeof(head));
	code = head.code % (HEAD_CODE_MAX + 1);
	if (code > in.size)
		code = in.size;
	stack = in.size - code < HEAD_STACK_MAX ? in.size - code : HEAD_STACK_MAX;
	map_files(w, &head, code);
	make_space(w, &head);
	make_thread(w, &head);
	a32_memory.nr = 0;
	a32_host_region_add(STACK_AT, stack, in.data + code);
	a32_host_region_add(CODE_AT, code, in.data);
	if (head.flags & HEAD_KUSER)
		a32_host_region_add(A32_KUSER_START, A32_KUSER_SIZE, w->kuser);
	laws_check(w, head.room % MAX_ROOM + 1);
	note_work();
	for (i = 0; i < LAWS; i++)
		LAW(!law_totals.broken[i]);
	return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	fuzz_figure("walks", &law_totals.walks);
	fuzz_figure("entries", &law_totals.entries);
	fuzz_figure("most words read by a walk", &law_totals.max_loads);
	may_load = laws_most_loads(MAX_ROOM);
	fuzz_figure("words that a walk may read", &may_load);
#ifdef COUNTS_BLOCKS
	fuzz_figure("most blocks run by three walks", &most_work);
#endif
	return 0;
}
