// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "json.h"
#include "msg.h"
#include "names.h"
#include "table.h"
#include "votes.h"

/**
 * struct found - what one file's functions say
 * @path: its name
 * @votes: how many say what
 */
struct found {
	const char *path;
	struct a32_votes votes;
};

static const char *what_to_do(enum a32_detect how)
{
	if (how == A32_DETECT_TRUNCATED)
		return "copy it anew";
	return "give a program or a library for 32-bit ARM";
}

static int refuse(const char *path, enum a32_detect how)
{
	if (how == A32_DETECT_UNREADABLE)
		return msg_fail("%s: can't be read: %s; the kernel's log may say more", path,
				strerror(errno));
	return msg_fail("%s: %s; %s", path, name_detect(how), what_to_do(how));
}

static int read_votes(int fd, struct found *found)
{
	enum a32_detect how = votes_read(fd, &found->votes);

	return how ? refuse(found->path, how) : DONE;
}

static int refuse_name(const char *path)
{
	const char *what = "check the name";

	if (errno == ENOENT && strchr(path, '@'))
		what = "whole files are looked at, not parts";
	return msg_fail("%s: %s; %s", path, strerror(errno), msg_todo(errno, what));
}

static int detect(struct found *found)
{
	struct stat st;
	int fd, status;

	/* O_NONBLOCK: a FIFO must be refused, not waited for. */
	fd = open(found->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return refuse_name(found->path);
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		status = msg_fail("%s: not a regular file; give a program or a library",
				  found->path);
	else
		status = read_votes(fd, found);
	close(fd);
	return status;
}

static void add_row(struct table *table, const struct found *found)
{
	__u32 abi;

	table_cell(table, "%s", name_abi(a32_detect_verdict(&found->votes)));
	for (abi = A32_ABI_APCS; abi < A32_ABI_AUTO; abi++)
		table_cell(table, "%u", found->votes.abi[abi]);
	table_cell(table, "%u", found->votes.abi[A32_ABI_NONE]);
	table_cell(table, "%s", found->path);
}

static json_t *found_to_json(const struct found *found)
{
	json_t *object = json_new_object();
	json_t *functions = json_new_object();
	__u32 abi;

	json_put_path(object, "path", found->path);
	json_put_name(object, "abi", name_abi(a32_detect_verdict(&found->votes)));
	for (abi = A32_ABI_NONE; abi < A32_ABI_AUTO; abi++)
		json_put_count(functions, name_abi(abi), found->votes.abi[abi]);
	json_put_count(functions, "r7_at_the_bottom", found->votes.r7_bottom);
	json_put(object, "functions", functions);
	return object;
}

static bool follows_none(const struct found *found)
{
	__u32 abi = a32_detect_verdict(&found->votes);

	return abi == A32_ABI_NONE || abi == A32_ABI_MIXED;
}

static bool is_mostly_gcc_thumb(const struct a32_votes *votes)
{
	__u32 abi, all = 0;

	for (abi = A32_ABI_NONE; abi < A32_ABI_AUTO; abi++)
		all += votes->abi[abi];
	return 2 * votes->r7_bottom > all;
}

/* Those that are refused are left out of @all. Returns how many there are. */
static int detect_all(const struct args *args, struct found *all)
{
	int i, nr = 0;

	for (i = 0; i < args->nr_words; i++) {
		all[nr] = (struct found){ .path = args->words[i] };
		if (!detect(&all[nr]))
			nr++;
	}
	return nr;
}

static void print_notes(const struct found *all, int nr)
{
	static const struct column columns[] = {
		{ "By gcc for Thumb, where frame pointers lead nowhere; build these with -marm:",
		  TO_LEFT },
		{ NULL, TO_LEFT },
	};
	struct table *table = table_new(columns);
	bool some = false;
	int i;

	for (i = 0; i < nr; i++) {
		if (!follows_none(&all[i]) || !is_mostly_gcc_thumb(&all[i].votes))
			continue;
		table_cell(table, "%s", all[i].path);
		some = true;
	}
	if (some) {
		putchar('\n');
		table_print(table);
	}
	table_free(table);
}

static int print_text(const struct found *all, int nr)
{
	static const struct column columns[] = {
		{ "ABI", TO_LEFT },
		{ "APCS", TO_RIGHT }, { "AAPCS", TO_RIGHT },
		{ "GCC", TO_RIGHT }, { "AAPCS-R7", TO_RIGHT },
		{ "NONE", TO_RIGHT }, { "FILE", TO_LEFT },
		{ NULL, TO_LEFT },
	};
	struct table *table;
	int i;

	if (!nr)
		return DONE;
	table = table_new(columns);
	for (i = 0; i < nr; i++)
		add_row(table, &all[i]);
	table_print(table);
	table_free(table);
	print_notes(all, nr);
	return DONE;
}

static int print_json(const struct found *all, int nr)
{
	json_t *object = json_new_object();
	json_t *array = json_new_array();
	int i;

	for (i = 0; i < nr; i++)
		json_add(array, found_to_json(&all[i]));
	json_put(object, "files", array);
	return json_print(object);
}

int command_detect(const struct args *args)
{
	struct found *all;
	int nr, status;

	if (!args->nr_words)
		return msg_misuse("give a FILE");
	all = calloc((size_t)args->nr_words, sizeof(*all));
	if (!all)
		msg_no_memory();
	nr = detect_all(args, all);
	status = args_json(args) ? print_json(all, nr) : print_text(all, nr);
	free(all);
	return nr == args->nr_words ? status : REFUSED;
}
