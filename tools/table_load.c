// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctl.h"
#include "elf_id.h"
#include "msg.h"
#include "table_file.h"
#include "table_load.h"
#include "targets.h"

/* The file @name, open as @fd, is one that the table is about. */
static int load_one(int ctl, const struct table_file *table, int fd, const char *name)
{
	int err = ctl_load_table(ctl, fd, table->bytes, (__u32)table->size);

	if (err)
		return ctl_fail(ctl, err, name, "");
	msg_say("%s: table", name);
	return DONE;
}

static int check_target(const struct table_file *table, const struct target *target)
{
	struct elf_id id;
	const char *why;

	if (target->part.end)
		return msg_misuse("%s: a table is for a whole file", target->text);
	why = elf_id_read(target->fd, &id);
	if (why)
		return msg_fail("%s: %s; give the file that the table was built for",
				target->text, why);
	if (!elf_id_fits(&id, table_file_header(table)))
		return msg_fail("%s: the table was built for another file; build one for this",
				target->text);
	return DONE;
}

static int load_targets(int ctl, const struct table_file *table, const struct targets *targets)
{
	int i, err = DONE;

	for (i = 0; i < targets->nr && !err; i++)
		err = check_target(table, &targets->items[i]);
	for (i = 0; i < targets->nr && !err; i++)
		err = load_one(ctl, table, targets->items[i].fd, targets->items[i].text);
	return err;
}

static int load_named(int ctl, const struct table_file *table, char **words, int nr)
{
	struct targets targets;
	int status;

	status = targets_open(&targets, words, nr, false);
	if (status)
		return status;
	status = load_targets(ctl, table, &targets);
	targets_close(&targets);
	return status;
}

static int load_if_fits(int ctl, const struct table_file *table, const char *path, int *loaded)
{
	int fd = path[0] == '/' ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1, err = DONE;
	struct elf_id id;
	struct stat st;

	if (fd < 0)
		return DONE;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) &&
	    (__u64)st.st_size == table_file_header(table)->file_size &&
	    !elf_id_read(fd, &id) && elf_id_fits(&id, table_file_header(table))) {
		err = load_one(ctl, table, fd, path);
		++*loaded;
	}
	close(fd);
	return err;
}

/* The module knows by name what is mapped somewhere. */
static int load_mapped(int ctl, const struct table_file *table)
{
	struct a32_stats item = { 0 };
	int more, loaded = 0, err = DONE;

	while (!err && (more = ctl_next_file_stats(ctl, &item)) == 1)
		err = load_if_fits(ctl, table, item.path, &loaded);
	if (err)
		return err;
	if (more)
		return ctl_fail(ctl, more, "files", "");
	if (!loaded)
		return msg_fail("%s: no file that is mapped now fits; name the FILE that it is for",
				table->path);
	return DONE;
}

int table_load(const struct args *args)
{
	struct table_file table;
	int ctl, status;

	if (!args->nr_words)
		return msg_misuse("give a TABLE to load");
	status = table_file_open(args->words[0], &table);
	if (status)
		goto out;
	status = REFUSED;
	ctl = ctl_open();
	if (ctl < 0)
		goto out;
	status = args->nr_words > 1 ?
		 load_named(ctl, &table, args->words + 1, args->nr_words - 1) :
		 load_mapped(ctl, &table);
	close(ctl);
out:
	table_file_close(&table);
	return status;
}

static int unload_one(int ctl, const struct target *target)
{
	int err = ctl_unload_table(ctl, target->fd);

	if (err == -ENOENT)
		return msg_fail("%s: it has no unwind table; see 'a32uwctl list'", target->text);
	if (err)
		return ctl_fail(ctl, err, target->text, "");
	msg_say("%s: table unloaded", target->text);
	return DONE;
}

static int unload_targets(int ctl, const struct targets *targets)
{
	int i, status = DONE;

	/* libfoo.so and libfoo.so.1 are often two names of one file. */
	for (i = 0; i < targets->nr; i++)
		if (!targets_same_file_before(targets, i) && unload_one(ctl, &targets->items[i]))
			status = REFUSED;
	return status;
}

int table_unload(const struct args *args)
{
	struct targets targets;
	int ctl, status;

	if (!args->nr_words)
		return msg_misuse("give a FILE");
	status = targets_open(&targets, args->words, args->nr_words, false);
	if (status)
		return status;
	ctl = ctl_open();
	status = ctl < 0 ? REFUSED : unload_targets(ctl, &targets);
	if (ctl >= 0)
		close(ctl);
	targets_close(&targets);
	return status;
}
