// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../module/core/detect.h"
#include "command.h"
#include "json.h"
#include "msg.h"
#include "names.h"
#include "table.h"

/**
 * struct found - what one file's functions say
 * @path: its name
 * @votes: how many say what
 */
struct found {
	const char *path;
	struct a32_votes votes;
};

static int read_at(void *arg, u32 pos, void *buf, u32 len)
{
	u32 done = 0;
	ssize_t got;

	while (done < len) {
		got = pread(*(int *)arg, (char *)buf + done, len - done, (off_t)pos + done);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (!got)
			break;
		done += (u32)got;
	}
	return (int)done;
}

static const char *what_to_do(enum a32_detect how)
{
	switch (how) {
	case A32_DETECT_TRUNCATED:
		return "copy it anew";
	case A32_DETECT_UNREADABLE:
		return strerror(errno);
	default:
		return "give a program or a library for 32-bit ARM";
	}
}

static int read_votes(int fd, struct found *found)
{
	static u8 buf[A32_DETECT_BUFFER];
	struct a32_source source = { .read = read_at, .arg = &fd, .buf = buf };
	enum a32_detect how = a32_detect_file(&source, &found->votes);

	if (how)
		return msg_fail("%s: %s; %s", found->path, name_detect(how), what_to_do(how));
	return DONE;
}

static int detect(struct found *found)
{
	struct stat st;
	int fd, status;

	/* O_NONBLOCK: a FIFO must be refused, not waited for. */
	fd = open(found->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return msg_fail("%s: %s; %s", found->path, strerror(errno),
				errno == EACCES ? "run a32uwctl as root" : "check the name");
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

static int detect_all(const struct args *args, struct table *table, json_t *array)
{
	int i, status = DONE;

	for (i = 0; i < args->nr_words; i++) {
		struct found found = { .path = args->words[i] };

		if (detect(&found)) {
			status = REFUSED;
			continue;
		}
		add_row(table, &found);
		json_add(array, found_to_json(&found));
	}
	return status;
}

int command_detect(const struct args *args)
{
	static const struct column columns[] = {
		{ "ABI", TO_LEFT },
		{ "APCS", TO_RIGHT }, { "AAPCS", TO_RIGHT },
		{ "GCC", TO_RIGHT }, { "AAPCS-R7", TO_RIGHT },
		{ "NONE", TO_RIGHT }, { "FILE", TO_LEFT },
		{ NULL, TO_LEFT },
	};
	struct table *table;
	json_t *array;
	int status;

	if (!args->nr_words)
		return msg_misuse("give a FILE");
	table = table_new(columns);
	array = json_new_array();
	status = detect_all(args, table, array);
	if (args_json(args)) {
		json_t *object = json_new_object();

		json_put(object, "files", json_incref(array));
		json_print(object);
	} else if (json_array_size(array)) {
		table_print(table);
	}
	json_decref(array);
	table_free(table);
	return status;
}
