// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "auto_table.h"
#include "ctl.h"
#include "load.h"
#include "msg.h"
#include "table_file.h"
#include "table_fit.h"
#include "text.h"

static const char suffix[] = ".a32t";

static int give(struct load *load, const struct table_file *table, const char *name, int fd)
{
	struct table_key key;
	struct elf_id id;
	const char *why = elf_id_read(fd, &id);
	int err;

	if (why)
		return msg_fail("%s: %s; copy it here anew, or remove its table, %s", name, why,
				table->path);
	if (!elf_id_fits(&id, table_file_header(table)))
		return msg_fail("%s: the table %s is for another build; %s", name, table->path,
				"make one of this with 'a32uwctl auto -o'");
	err = ctl_load_table(load->ctl, fd, table->bytes, (__u32)table->size);
	if (err)
		return ctl_fail(load->ctl, err, name, "");
	if (!table_cache_key(fd, &key))
		auto_table_keep(&key, table->bytes, table->size);
	return DONE;
}

/* A folder of tables may be that of more than this board has. */
static int fail_open(const char *name, const char *table)
{
	int err = errno;
	char *todo = text_format("install it, or remove its table, %s", table);
	int status = msg_fail("%s: %s; %s", name, strerror(err), msg_todo(err, todo));

	free(todo);
	return status;
}

static int give_table(struct load *load, const struct table_file *table, const char *name,
		      enum action *how)
{
	char *path;
	int fd = load_open(load, name, &path), err = DONE;

	free(path);
	if (fd < 0)
		return fail_open(name, table->path);
	*how = ACTION_KEPT;
	if (!load_has_table(load, fd, table_file_header(table)->nr_rows)) {
		*how = ACTION_LOADED;
		err = give(load, table, name, fd);
	}
	close(fd);
	return err;
}

static void load_table(struct load *load, const char *path, const char *name)
{
	struct deed deed = { .abi = A32_ABI_TABLE, .name = name, .why = path };
	struct table_file table;
	int err = table_file_open(path, &table);

	if (!err)
		err = give_table(load, &table, name, &deed.action);
	table_file_close(&table);
	if (err)
		load_failed(load, name);
	else
		report_add(&load->report, &deed);
}

static bool is_table(const char *name)
{
	size_t len = strlen(name), end = sizeof(suffix) - 1;

	return len > end && !strcmp(name + len - end, suffix);
}

static size_t load_below(struct load *load, const char *folder, const char *dir);

/* Returns how many tables there were. */
static size_t load_entry(struct load *load, const char *folder, const char *dir, const char *entry)
{
	char *name = text_format("%s/%s", dir, entry), *path = text_format("%s%s", folder, name);
	struct stat st;
	size_t nr = 0;

	if (!lstat(path, &st) && S_ISDIR(st.st_mode)) {
		nr = load_below(load, folder, name);
	} else if (is_table(entry)) {
		name[strlen(name) - strlen(suffix)] = '\0';
		load_table(load, path, name);
		nr = 1;
	}
	free(path);
	free(name);
	return nr;
}

static size_t load_below(struct load *load, const char *folder, const char *dir)
{
	char *path = text_format("%s%s", folder, dir);
	struct dirent **entries;
	int i, found = scandir(path, &entries, NULL, alphasort);
	size_t nr = 0;

	if (found < 0) {
		msg_fail("%s: %s; %s", path, strerror(errno), msg_todo(errno, "check the folder"));
		load_failed(load, path);
	}
	for (i = 0; i < found; i++) {
		if (strcmp(entries[i]->d_name, ".") && strcmp(entries[i]->d_name, ".."))
			nr += load_entry(load, folder, dir, entries[i]->d_name);
		free(entries[i]);
	}
	if (found >= 0)
		free(entries);
	free(path);
	return nr;
}

/* Names of files begin with the slash that may be behind it. */
static char *without_slash(const char *path)
{
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	return text_format("%.*s", (int)len, path);
}

int load_folder(struct load *load, const char *path)
{
	char *folder = without_slash(path);
	size_t nr = load_below(load, folder, "");

	free(folder);
	if (!nr && !load->report.nr[ACTION_FAILED])
		return msg_fail("%s: there are no tables in it; 'a32uwctl auto -o' makes some",
				path);
	return report_end(&load->report, 0);
}
