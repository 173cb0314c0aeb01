// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "auto_table.h"
#include "closure.h"
#include "command.h"
#include "ctl.h"
#include "msg.h"
#include "names.h"
#include "progress.h"
#include "report.h"
#include "rules.h"
#include "sysroot.h"
#include "text.h"
#include "votes.h"
#include "write_file.h"

/**
 * struct run - a run of auto
 * @args: what is asked for
 * @pid: the process that is asked for, or 0
 * @ctl: the module, or -1 when tables are only written
 * @default_abi: enum a32_abi
 * @rules: those that there were
 * @closure: the files
 * @report: what was done
 */
struct run {
	const struct args *args;
	__s32 pid;
	int ctl;
	__u32 default_abi;
	struct rules rules;
	struct closure closure;
	struct report report;
};

static const char see_above[] = "standard error says why";

static bool has_records(__u32 abi)
{
	return abi != A32_ABI_NONE && abi != A32_ABI_MIXED;
}

static void leave(struct deed *deed, const char *why)
{
	deed->action = ACTION_LEFT;
	deed->why = why;
}

static void fail(struct deed *deed)
{
	deed->action = ACTION_FAILED;
	deed->why = see_above;
}

/* A rule that says what it was found to be may be from a run before. */
static void heed(const struct a32_rule_item *item, struct deed *deed)
{
	if (item->kind == A32_RULE_TABLE) {
		deed->action = ACTION_KEPT;
		deed->why = "it has its table";
	} else if (item->kind == A32_RULE_FILE && item->abi == deed->abi &&
		   has_records(deed->abi)) {
		deed->action = ACTION_KEPT;
		deed->why = "it has that tag";
	} else {
		leave(deed, "a rule says otherwise; 'a32uwctl untag' drops it");
	}
}

/* A table comes before rules. */
static bool is_done(const struct run *run, int fd, struct deed *deed)
{
	const struct a32_rule_item *item, *found = NULL;
	struct rules_file file;
	size_t i;

	if (run->ctl < 0 || rules_identify(fd, &file))
		return false;
	for (i = 0; i < run->rules.nr; i++) {
		item = &run->rules.items[i];
		if (item->abi != A32_ABI_AUTO && rules_is_about(item, &file) &&
		    (!found || item->kind == A32_RULE_TABLE))
			found = item;
	}
	if (found)
		heed(found, deed);
	return found;
}

static void tag(const struct run *run, int fd, struct deed *deed)
{
	static const struct range whole = { 0, 0 };
	int err;

	if (run->ctl < 0 || run->default_abi == A32_ABI_AUTO || run->default_abi == deed->abi) {
		leave(deed, "its functions make frame records");
		return;
	}
	err = ctl_tag_file(run->ctl, fd, deed->abi, &whole);
	if (err) {
		ctl_fail(run->ctl, err, deed->name, "");
		fail(deed);
		return;
	}
	deed->action = ACTION_TAGGED;
	deed->why = "its functions make frame records, and the default is another";
}

static void give_table(const struct run *run, const struct member *member, int fd,
		       struct deed *deed)
{
	struct auto_table table = {
		.args = run->args, .ctl = run->ctl, .name = member->name, .path = member->path,
		.fd = fd,
	};

	if (auto_table_give(&table, &deed->action)) {
		fail(deed);
		return;
	}
	deed->why = deed->abi == A32_ABI_MIXED ? "its parts follow several ABIs" :
						 "its functions make no frame records";
}

static void decide(const struct run *run, const struct member *member, int fd, struct deed *deed)
{
	struct a32_votes votes = { 0 };
	enum a32_detect how = votes_read(fd, &votes);

	if (how == A32_DETECT_NO_CODE) {
		leave(deed, "it has no code");
		return;
	}
	if (how) {
		msg_fail("%s: %s; copy it anew", member->name, name_detect(how));
		fail(deed);
		return;
	}
	deed->abi = a32_detect_verdict(&votes);
	if (is_done(run, fd, deed))
		return;
	if (has_records(deed->abi))
		tag(run, fd, deed);
	else
		give_table(run, member, fd, deed);
}

static void do_member(struct run *run, const struct member *member)
{
	struct deed deed = {
		.abi = ABI_UNKNOWN, .name = member->name, .origin = member->origin,
	};
	int fd = open(member->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0) {
		msg_fail("%s: %s; %s", member->name, strerror(errno),
			 msg_todo(errno, "look whether it is still there"));
		fail(&deed);
	} else {
		decide(run, member, fd, &deed);
		close(fd);
	}
	report_add(&run->report, &deed);
}

static void do_all(struct run *run)
{
	const struct member *member;
	char *which;
	size_t i;

	for (i = 0; i < run->closure.nr; i++) {
		member = &run->closure.items[i];
		which = text_format("%zu of %zu, %s", i + 1, run->closure.nr,
				    strrchr(member->name, '/') + 1);
		progress_within(which);
		do_member(run, member);
		progress_within(NULL);
		free(which);
	}
}

static int collect(struct run *run)
{
	const struct args *args = run->args;
	int i, err;

	err = run->pid ? closure_add_process(&run->closure, run->pid) : DONE;
	if (err)
		return err;
	for (i = 0; i < args->nr_words; i++)
		closure_add(&run->closure, args->words[i]);
	if (!run->pid && !args->nr_words)
		closure_add(&run->closure, "/");
	return DONE;
}

/* Who has a copy of a board's files wants their tables, and not the module on this machine. */
static int open_ctl(const struct args *args)
{
	int ctl = ctl_try_open();

	if (ctl >= 0)
		return ctl;
	if (ctl != -ENOENT || !args->sysroot)
		return ctl_open();
	msg_fail("the module is not loaded on this machine; %s",
		 "to make tables for another, give -o TABLES");
	return -1;
}

static int open_module(struct run *run)
{
	struct a32_info info;
	int err;

	run->ctl = open_ctl(run->args);
	if (run->ctl < 0)
		return REFUSED;
	err = ctl_info(run->ctl, &info);
	if (!err)
		err = rules_read(run->ctl, &run->rules);
	run->default_abi = info.default_abi;
	return err ? ctl_fail(run->ctl, err, "rules", "") : DONE;
}

/* Said before tables are made, which may take minutes, and once. */
static int make_output(const char *folder)
{
	char *path = text_format("%s/", folder);
	bool ok = write_file_folders(path) && !access(path, W_OK);

	free(path);
	return ok ? DONE : msg_fail("%s: no tables can be written there: %s; %s", folder,
				    strerror(errno), "name another folder with -o");
}

static int run_in(const struct args *args, __s32 pid, const char *root)
{
	struct run run = { .args = args, .pid = pid, .ctl = -1 };
	int err = args->output ? make_output(args->output) : open_module(&run);

	closure_start(&run.closure, root);
	if (!err)
		err = collect(&run);
	if (!err) {
		report_start(&run.report, args_json(args));
		do_all(&run);
		err = report_end(&run.report, run.closure.failed);
	}
	closure_end(&run.closure);
	rules_free(&run.rules);
	if (run.ctl >= 0)
		close(run.ctl);
	return err;
}

static int check(const struct args *args, __s32 *pid)
{
	*pid = 0;
	if (args->pid && args->sysroot)
		return msg_misuse("--pid is of the running system, and has no --sysroot");
	if (!args->pid && !args->sysroot && !args->nr_words)
		return msg_misuse("give a PATH, or --pid, or --sysroot");
	return args->pid ? parse_pid(args->pid, pid) : DONE;
}

int command_auto(const struct args *args)
{
	char *root;
	__s32 pid;
	int err = check(args, &pid);

	if (err)
		return err;
	err = sysroot_open(args->sysroot, &root);
	if (!err)
		err = run_in(args, pid, root);
	free(root);
	return err;
}
