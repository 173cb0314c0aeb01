// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "msg.h"
#include "targets.h"

static void allow_many_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static const char *what_to_do(int err, const char *text)
{
	if (err == EMFILE || err == ENFILE)
		return "give fewer files at once";
	if (err == ENOENT && strchr(text, '@'))
		return "a part is FILE@START-END, both 0x... or decimal";
	return msg_todo(err, "check the name");
}

static int refuse(const char *text, int err)
{
	return msg_fail("%s: %s; %s", text, strerror(err),
			what_to_do(err, text));
}

static int check(struct target *target, bool within)
{
	struct stat st;

	if (fstat(target->fd, &st))
		return refuse(target->text, errno);
	if (!S_ISREG(st.st_mode))
		return msg_fail("%s: not a regular file; give a program or a library",
				target->text);
	if (within && target->part.end > (((__u64)st.st_size + 1) & ~1ULL))
		return msg_fail("%s: the file ends at 0x%llx; give file offsets, not addresses",
				target->text, (unsigned long long)st.st_size);
	target->device = st.st_dev;
	target->inode = st.st_ino;
	return DONE;
}

static int open_one(struct target *target, const char *text, bool within)
{
	char *path;
	int err;

	target->text = text;
	err = parse_file_part(text, &path, &target->part);
	if (err)
		return err;

	/* O_NONBLOCK: a FIFO must be refused, not waited for. */
	target->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	err = target->fd < 0 ? refuse(text, errno) : check(target, within);
	free(path);
	if (err && target->fd >= 0)
		close(target->fd);
	return err;
}

int targets_open(struct targets *targets, char **texts, int nr, bool within)
{
	int err;

	allow_many_files();
	targets->nr = 0;
	targets->items = calloc((size_t)nr + 1, sizeof(*targets->items));
	if (!targets->items)
		msg_no_memory();

	while (targets->nr < nr) {
		err = open_one(&targets->items[targets->nr],
			       texts[targets->nr], within);
		if (err) {
			targets_close(targets);
			return err;
		}
		targets->nr++;
	}
	return DONE;
}

bool targets_same_file(const struct target *a, const struct target *b)
{
	return a->device == b->device && a->inode == b->inode;
}

bool targets_same_file_before(const struct targets *targets, int nr)
{
	int i;

	for (i = 0; i < nr; i++)
		if (targets_same_file(&targets->items[i], &targets->items[nr]))
			return true;
	return false;
}

void targets_close(struct targets *targets)
{
	while (targets->nr)
		close(targets->items[--targets->nr].fd);
	free(targets->items);
}
