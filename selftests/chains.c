// SPDX-License-Identifier: GPL-2.0
/*
 * chains [-d DIR] [-t MS] [-p PERIOD_NS] [-s] [NAME...]
 *
 * Samples each tree of targets.list, and paths through libraries that each
 * follow another frame ABI, and judges every chain entry by entry. Some are run
 * a second time without any rule, as auto-NAME. -s shows what the stock walker
 * gives for the same; nothing is judged then. With NAMEs, only these.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ctl.h"
#include "judge.h"
#include "kselftest.h"
#include "missed.h"
#include "patience.h"
#include "tagging.h"

#define MIN_SAMPLES	500
#define MAX_ROUNDS	25
#define MAX_HOPS	62
#define MAX_TREES	56

static const char *dir = "targets";
static unsigned int run_ms = 400;
static uint64_t period_ns = 199999;	/* no divisor of a loop's time */
static bool stock;
static int ctl = -1;

/**
 * struct scenario - one program to sample
 * @name: what it is called in the results
 * @edges: its *.edges
 * @argv: program and arguments
 * @hops: @argv[1] on is a path of functions that call each other
 * @untagged: no file has a rule: the module finds the ABIs
 * @churn: unwind tables are loaded, replaced and unloaded all along
 * @floor: exact share of the samples in function bodies, in percent
 *
 * No chain of the module's is ever wrong, and each short one has a reason that is counted. The
 * floor is 100 where there is one ABI and every function follows it, and 0
 * where r7 and r11 frames are mixed or hand-written code is among them: the
 * module may say that a frame register is unproven there; see tree_floor() for
 * the exceptions. Bodies are without two classes whose floor is 0. "endless":
 * nothing behind such a pc says how the function would return. "vfp": while a
 * thread's first VFP instruction traps, the kernel shows the pc behind it, so
 * that sp may be off by what it pushes or pops.
 */
struct scenario {
	const char *name;
	const char *edges;
	char *argv[MAX_HOPS + 2];
	bool hops;
	bool untagged;
	bool churn;
	unsigned int floor;
};

/* Frame register r11 in all of them: no link can be lost. */
static const char path_r11[] =
	"gcc_plain clang19_plain apcs_plain clang19tf_plain gcc_saves clang14_saves "
	"apcs_variadic clang19tf_dynamic clang14_variadic gcc_dynamic apcs_large "
	"clang19tf_saves gcc_again clang19_dynamic clang19tf_variadic apcs_saves "
	"clang14_large clang19tf_large gcc_last";

static const char path_r7[] =
	"clang19t_plain clang14t_plain clang19t_saves clang14t_variadic clang19t_dynamic "
	"clang14t_large clang19t_again clang14t_saves clang19t_last";

static const char path_all[] =
	"gcc_plain clang19t_plain apcs_plain clang14t_saves clang19_saves gcc_saves "
	"clang19t_dynamic clang19tf_plain clang14_plain clang14t_variadic apcs_dynamic "
	"clang19t_saves gcc_variadic clang14t_large apcs_saves clang19t_again gcc_again "
	"clang19t_last";

/* r7 is the frame of a function further out while gcc code runs. */
static const char path_stale[] =
	"clang19t_plain clang19t_publish clang14t_plain gcc_stale clang19t_again "
	"clang14t_again clang19t_last";

static const char path_stale_arm[] =
	"clang14t_plain clang14t_publish clang19t_plain clang19_stale clang14t_again "
	"apcs_plain clang14t_last";

/*
 * Files with an unwind table among those with records in r11. Where a record's
 * function is variadic, its caller's sp is not what the record says.
 */
static const char path_table[] =
	"nofp_plain clang14_variadic nofpt_saves gcc_variadic nofpt_variadic apcs_variadic "
	"nofp_dynamic clang19tf_plain nofpt_large clang19_variadic nofp_large gcc_saves "
	"nofpt_again clang19tf_variadic nofp_again apcs_saves nofpt_plain nofp_variadic "
	"gcc_again nofpt_last";

/* The same with records in r7 */
static const char path_table_r7[] =
	"nofpt_plain clang14t_variadic nofp_saves clang19t_variadic nofpt_dynamic clang19t_plain "
	"nofp_large clang14t_saves nofpt_again nofp_variadic clang14t_large nofpt_variadic "
	"clang19t_last";

static const char path_table_all[] =
	"nofp_plain clang19t_variadic nofpt_plain apcs_plain nofp_variadic clang14t_saves "
	"nofpt_saves clang19_saves clang19t_dynamic nofp_dynamic gcc_variadic nofpt_last";

static int edges(const struct scenario *sc, struct sampled *run)
{
	const struct page *page = run->page;
	unsigned int i;

	if (expect_read_edges(run->expect, dir, sc->edges))
		return -1;
	if (sc->hops && expect_indirect(run->expect, "travel", sc->argv[1]))
		return -1;
	for (i = 1; sc->hops && sc->argv[i + 1]; i++) {
		if (expect_indirect(run->expect, sc->argv[i], sc->argv[i + 1]))
			return -1;
	}
	if (expect_root(run->expect, "main", page->main_ra))
		return -1;
	if (expect_has_root(run->expect, "thread")) {
		while (!__atomic_load_n(&page->thread_ra, __ATOMIC_ACQUIRE))
			usleep(1000);
		expect_root(run->expect, "thread", page->thread_ra);
	}
	return expect_resolve(run->expect);
}

static unsigned int body_samples(const struct judge *judge)
{
	const unsigned int *body = judge->count[EXPECT_BODY];

	return body[EXPECT_EXACT] + body[EXPECT_SHORT] + body[EXPECT_WRONG];
}

/* Outside of libc, which has no ABI. */
static unsigned int short_chains(const struct judge *judge)
{
	return judge_total(judge, EXPECT_SHORT) -
	       judge->count[EXPECT_FOREIGN][EXPECT_SHORT];
}

static bool is_good(const struct scenario *sc, const struct judge *judge, uint64_t missed)
{
	unsigned int exact = judge->count[EXPECT_BODY][EXPECT_EXACT];
	unsigned int wrong = judge_total(judge, EXPECT_WRONG);
	unsigned int cut = short_chains(judge);
	unsigned int nr = body_samples(judge);
	uint64_t reasons = ctl_gave_up(ctl);
	uint64_t wanted = nr > missed ? (nr - missed) * sc->floor : 0;

	if (nr < MIN_SAMPLES)
		ksft_print_msg("%s: %u samples in bodies, want %u\n", sc->name, nr,
			       MIN_SAMPLES);
	if (exact * 100 < wanted)
		ksft_print_msg("%s: %u of %u exact in bodies, want %u %%\n", sc->name,
			       exact, nr, sc->floor);
	if (cut > reasons + missed && !sc->churn)
		ksft_print_msg("%s: %u short, for %llu reasons\n", sc->name, cut,
			       (unsigned long long)reasons);
	return (cut <= reasons + missed || sc->churn) && nr >= MIN_SAMPLES &&
	       exact * 100 >= wanted && wrong <= missed;
}

/* Each reload waits for grace periods: samples come in between. */
static pid_t churn(void)
{
	pid_t pid = fork();

	while (!pid) {
		if (tagging_tables(ctl, dir, "*") || tagging_tables(ctl, dir, "*") ||
		    tagging_no_tables(ctl, dir, "*"))
			_exit(1);
	}
	return pid;
}

/* It must have been at it to the end. */
static bool end_churn(pid_t pid)
{
	bool is_at_it = !waitpid(pid, NULL, WNOHANG);

	kill(pid, SIGKILL);
	if (is_at_it)
		waitpid(pid, NULL, 0);
	return is_at_it && !tagging_tables(ctl, dir, "*");
}

static void run(const struct scenario *sc)
{
	struct perf_event_attr attr;
	struct sampled run;
	struct judge judge = { .run = &run, .stock = stock };
	uint64_t missed = ctl_missed(ctl);
	pid_t churning = 0;
	unsigned int i;
	bool good;
	int status;

	perfring_cpu_clock(&attr, period_ns);
	attr.sample_regs_user = PERFRING_REGS;
	if (ctl >= 0)
		ctl_reset_stats(ctl);
	if (!stock && (sc->untagged ? tagging_none(ctl, dir) : tagging_all(ctl, dir)))
		ksft_exit_fail_msg("can't change the rules on what is in %s: %m\n", dir);
	if (sampled_start(&run, dir, sc->argv, &attr)) {
		ksft_test_result_fail("%s\n", sc->name);
		return;
	}

	good = !edges(sc, &run);
	if (sc->churn)
		churning = churn();
	if (good) {
		/* Longer where the machine is slow. */
		for (i = 0; i < MAX_ROUNDS * patience() && body_samples(&judge) < MIN_SAMPLES; i++)
			sampled_read(&run, run_ms, judge_sample, &judge);
		sampled_stop(&run, judge_sample, &judge);
	}
	if (churning)
		good = end_churn(churning) && good;
	judge_print(&judge, sc->name);
	tagging_print_stops(ctl, sc->name);
	good = good && (stock || is_good(sc, &judge, missed_since(ctl, missed, sc->name)));
	__atomic_store_n(&run.page->stop, 1, __ATOMIC_RELEASE);
	status = sampled_end(&run);
	if (status)
		ksft_print_msg("%s: ended with status %#x\n", sc->name, status);
	ksft_test_result(good && !status, "%s\n", sc->name);
}

static struct scenario *add(struct scenario *sc, const char *name,
			    const char *program, unsigned int floor)
{
	memset(sc, 0, sizeof(*sc));
	sc->name = name;
	sc->argv[0] = strdup(program);
	sc->floor = floor;
	return sc;
}

static void add_path(struct scenario *sc, const char *name, const char *program,
		     const char *path, unsigned int floor)
{
	char *hop, *copy = strdup(path);
	unsigned int n = 1;

	add(sc, name, program, floor);
	sc->edges = "mixed.edges";
	sc->hops = true;
	for (hop = strtok(copy, " "); hop; hop = strtok(NULL, " "))
		sc->argv[n++] = hop;
}

static unsigned int gather(struct scenario *sc)
{
	static char names[MAX_TREES][TAGGING_NAME];
	char *all[] = { NULL };
	unsigned int i, nr;

	nr = tagging_list(dir, "tree-", all, names, MAX_TREES);
	for (i = 0; i < nr; i++)
		add(&sc[i], names[i], names[i], 100)->edges = "tree.edges";
	nr += tagging_list(dir, "odd-", all, names + nr, MAX_TREES - nr);
	for (; i < nr; i++)
		add(&sc[i], names[i], names[i], 0)->edges = "odd.edges";

	add_path(&sc[nr++], "mixed-r11", "mixed-gcc", path_r11, 100);
	add_path(&sc[nr++], "mixed-r7", "mixed-clang19t", path_r7, 100);
	add_path(&sc[nr++], "mixed-r7-below-r11", "mixed-gcc", path_r7, 0);
	add_path(&sc[nr++], "mixed-r11-below-r7", "mixed-clang19t", path_r11, 0);
	add_path(&sc[nr++], "mixed-all", "mixed-gcc", path_all, 0);
	add_path(&sc[nr++], "mixed-stale", "mixed-gcc", path_stale, 0);
	add_path(&sc[nr++], "mixed-table", "mixed-gcc", path_table, 100);
	add_path(&sc[nr], "mixed-table-churn", "mixed-gcc", path_table, 0);
	sc[nr++].churn = true;
	add_path(&sc[nr++], "mixed-table-r7", "mixed-clang19t", path_table_r7, 100);
	add_path(&sc[nr++], "mixed-table-all", "mixed-gcc", path_table_all, 0);
	add_path(&sc[nr++], "mixed-stale-arm", "mixed-clang19t", path_stale_arm, 0);
	return nr;
}

/* One of each ABI, and files of several in one process */
static unsigned int gather_untagged(struct scenario *sc)
{
	static const char *const trees[] = {
		"apcs-O2", "gcc-O0", "gcc-O2", "clang19-O2", "clang19t-O2", "clang19tf-O2",
	};
	unsigned int i, nr = 0;
	char name[64];

	for (; nr < sizeof(trees) / sizeof(trees[0]); nr++) {
		snprintf(name, sizeof(name), "auto-tree-%s", trees[nr]);
		add(&sc[nr], strdup(name), name + 5, 100)->edges = "tree.edges";
	}
	add_path(&sc[nr++], "auto-mixed-r11", "mixed-gcc", path_r11, 100);
	add_path(&sc[nr++], "auto-mixed-r7", "mixed-clang19t", path_r7, 100);
	add_path(&sc[nr++], "auto-mixed-all", "mixed-gcc", path_all, 0);
	for (i = 0; i < nr; i++)
		sc[i].untagged = true;
	return nr;
}

static unsigned int select_named(struct scenario *sc, unsigned int nr,
				 char **names)
{
	unsigned int i, kept = 0;
	char **name;

	for (i = 0; i < nr; i++) {
		for (name = names; *name && strcmp(*name, sc[i].name); name++)
			;
		if (*name)
			sc[kept++] = sc[i];
	}
	return kept;
}

static void options(int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "d:t:p:s")) != -1) {
		switch (opt) {
		case 'd':
			dir = optarg;
			break;
		case 't':
			run_ms = strtoul(optarg, NULL, 0);
			break;
		case 'p':
			period_ns = strtoul(optarg, NULL, 0);
			break;
		case 's':
			stock = true;
			break;
		default:
			exit(2);
		}
	}
}

int main(int argc, char **argv)
{
	static struct scenario sc[MAX_TREES + 24];
	unsigned int i, nr;

	options(argc, argv);
	ksft_print_header();
	ctl = ctl_open();
	if (ctl < 0 && !stock)
		ksft_exit_skip("no %s: load the module first\n", CTL_DEVICE);

	nr = gather(sc);
	nr += gather_untagged(&sc[nr]);
	if (argv[optind])
		nr = select_named(sc, nr, &argv[optind]);
	ksft_set_plan(nr);

	if (ctl >= 0)
		ctl_set_enabled(ctl, !stock);
	for (i = 0; i < nr; i++)
		run(&sc[i]);
	if (ctl >= 0)
		ctl_set_enabled(ctl, 1);
	ksft_finished();
}
