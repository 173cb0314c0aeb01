// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "command.h"
#include "ctl.h"
#include "elf_needs.h"
#include "msg.h"
#include "names.h"
#include "parse.h"
#include "rules.h"
#include "targets.h"

/**
 * struct change - what tag and untag do
 * @tag: false to untag
 * @abi: what to tag with
 */
struct change {
	bool tag;
	__u32 abi;
};

static bool is_whole(const struct target *target)
{
	return !target->part.end;
}

/* libfoo.so and libfoo.so.1 are often two names of one file. */
static bool untagged_before(const struct targets *targets, int nr)
{
	const struct target *target = &targets->items[nr], *other;

	for (other = targets->items; other < target; other++)
		if (targets_same_file(other, target) &&
		    (is_whole(other) ||
		     (other->part.start == target->part.start &&
		      other->part.end == target->part.end)))
			return true;
	return false;
}

static int change_one(int ctl, const struct change *change,
		      const struct targets *targets, int i)
{
	const struct target *target = &targets->items[i];
	int err;

	if (change->tag)
		return ctl_tag_file(ctl, target->fd, change->abi, &target->part);

	err = ctl_untag_file(ctl, target->fd, &target->part);
	return err == -ENOENT && untagged_before(targets, i) ? 0 : err;
}

static void report(const struct change *change, const char *what)
{
	msg_say("%s: %s", what, change->tag ? name_abi(change->abi) : "untagged");
}

static int undo(int ctl, const struct rules *before,
		const struct targets *targets, int nr, int *first_failed)
{
	int i, err, first_err = 0;

	for (i = 0; i < nr; i++) {
		if (targets_same_file_before(targets, i))
			continue;
		err = rules_restore(ctl, before, targets->items[i].fd);
		if (err && !first_err) {
			first_err = err;
			*first_failed = i;
		}
	}
	return first_err;
}

/* Target @failed was refused with @err: leave the others as they were. */
static int fail_and_undo(int ctl, int err, const struct rules *before,
			 const struct targets *targets, int failed)
{
	char more[512] = "";
	int stuck;

	if (undo(ctl, before, targets, failed, &stuck))
		snprintf(more, sizeof(more),
			 " (of the %d before it some stay changed, %.300s for one; see 'a32uwctl list')",
			 failed, targets->items[stuck].text);
	else if (targets->nr > 1)
		snprintf(more, sizeof(more), " (nothing was changed)");
	return ctl_fail(ctl, err, targets->items[failed].text, more);
}

static int change_all(int ctl, const struct change *change,
		      const struct targets *targets)
{
	struct rules before = { 0 };
	int i, err, status = DONE;

	/* One is done or refused as a whole; there is nothing to undo. */
	err = targets->nr > 1 ? rules_read(ctl, &before) : 0;
	if (err) {
		status = ctl_fail(ctl, err, "rules", "");
		goto out;
	}
	for (i = 0; i < targets->nr && !err; i++)
		err = change_one(ctl, change, targets, i);
	if (err) {
		status = fail_and_undo(ctl, err, &before, targets, i - 1);
		goto out;
	}
	for (i = 0; i < targets->nr; i++)
		report(change, targets->items[i].text);
out:
	rules_free(&before);
	return status;
}

/* No ABI is that of /etc/passwd. Who names a part of a file knows that there is code in it. */
static int check_kind(const struct target *target)
{
	struct elf_needs needs;
	const char *why;

	if (!is_whole(target))
		return DONE;
	why = elf_needs_read(target->fd, &needs);
	elf_needs_free(&needs);
	if (!why || elf_needs_is_damage(why))
		return DONE;
	return msg_fail("%s: %s; give a program or a library, or %s", target->text, why,
			"the part of another file that is code: FILE@START-END");
}

static int check_kinds(const struct targets *targets)
{
	int i, status = DONE;

	for (i = 0; i < targets->nr && !status; i++)
		status = check_kind(&targets->items[i]);
	return status;
}

static int change_open(const struct change *change, const struct targets *targets)
{
	int ctl, status;

	status = change->tag ? check_kinds(targets) : DONE;
	if (status)
		return status;
	ctl = ctl_open();
	status = ctl < 0 ? REFUSED : change_all(ctl, change, targets);
	if (ctl >= 0)
		close(ctl);
	return status;
}

static int change_files(const struct change *change, char **words, int nr)
{
	struct targets targets;
	int status;

	status = targets_open(&targets, words, nr, change->tag);
	if (status)
		return status;
	status = change_open(change, &targets);
	targets_close(&targets);
	return status;
}

static int change_memory(const struct change *change, const struct args *args)
{
	struct range range;
	char what[64];
	__s32 pid;
	int ctl, err;

	err = parse_pid(args->pid, &pid);
	if (!err)
		err = parse_addresses(args->range, &range);
	if (err)
		return err;
	ctl = ctl_open();
	if (ctl < 0)
		return REFUSED;

	snprintf(what, sizeof(what), "process %d, 0x%llx-0x%llx", pid,
		 (unsigned long long)range.start, (unsigned long long)range.end);
	err = change->tag ? ctl_tag_range(ctl, pid, change->abi, &range) :
			    ctl_untag_range(ctl, pid, &range);
	if (err)
		err = ctl_fail(ctl, err, what, "");
	else
		report(change, what);
	close(ctl);
	return err;
}

static int untag_stale(const struct change *change)
{
	int ctl, err;

	ctl = ctl_open();
	if (ctl < 0)
		return REFUSED;

	err = ctl_untag_stale(ctl);
	if (err == -ENOENT)
		err = msg_fail("no stale rules; see 'a32uwctl list'");
	else if (err)
		err = ctl_fail(ctl, err, "stale rules", "");
	else
		report(change, "stale rules");
	close(ctl);
	return err;
}

static int change_rules(const struct change *change, const struct args *args,
			char **words, int nr)
{
	if (!args->pid && !args->range) {
		if (!nr)
			return msg_misuse("give a FILE, or --pid and --range%s",
					  change->tag ? "" : ", or --stale");
		return change_files(change, words, nr);
	}
	if (!args->pid || !args->range)
		return msg_misuse("--pid and --range go together");
	if (nr)
		return msg_misuse("give either '%s' or --pid and --range",
				  words[0]);
	return change_memory(change, args);
}

int command_tag(const struct args *args)
{
	struct change change = { .tag = true };
	int err;

	if (!args->nr_words)
		return msg_misuse("give an ABI: %s", name_all_abis());
	err = parse_abi(args->words[0], &change.abi);
	if (err)
		return err;
	return change_rules(&change, args, args->words + 1, args->nr_words - 1);
}

int command_untag(const struct args *args)
{
	static const struct change change = { .tag = false };

	if (args->given & OPT_STALE) {
		if (args->nr_words || args->pid || args->range)
			return msg_misuse("--stale takes no FILE, --pid or --range");
		return untag_stale(&change);
	}
	return change_rules(&change, args, args->words, args->nr_words);
}
