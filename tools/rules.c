// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "array.h"
#include "ctl.h"
#include "rules.h"

int rules_read(int ctl, struct rules *rules)
{
	struct a32_rule_item item = { 0 };
	size_t room = 0;
	int more;

	*rules = (struct rules){ 0 };
	while ((more = ctl_next_rule(ctl, &item)) == 1) {
		rules->items = array_grow(rules->items, rules->nr, &room, sizeof(*rules->items));
		rules->items[rules->nr++] = item;
	}
	return more;
}

void rules_free(struct rules *rules)
{
	free(rules->items);
}

int rules_identify(int fd, struct rules_file *file)
{
	char link[32];
	ssize_t len;

	if (fstat(fd, &file->st))
		return -errno;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, file->path, sizeof(file->path) - 1);
	file->path[len > 0 ? len : 0] = '\0';
	return 0;
}

static bool same_tail(const char *path, const char *tail)
{
	size_t len = strlen(path), tail_len = strlen(tail);

	return tail_len && tail_len <= len &&
	       (tail_len == len || tail_len == A32_PATH_MAX - 1) &&
	       !strcmp(path + len - tail_len, tail);
}

/*
 * On overlayfs and btrfs, stat() shows another device and inode than the
 * kernel's file has; there the name must do.
 */
bool rules_is_about(const struct a32_rule_item *item, const struct rules_file *file)
{
	if (item->kind == A32_RULE_RANGE || item->stale == 1)
		return false;
	if (item->ino == file->st.st_ino && item->major == major(file->st.st_dev) &&
	    item->minor == minor(file->st.st_dev))
		return true;
	return !item->stale && same_tail(file->path, item->path);
}

int rules_restore(int ctl, const struct rules *rules, int fd)
{
	static const struct range all = { 0, 0 };
	struct rules_file file;
	struct range part;
	size_t i;
	int err;

	err = rules_identify(fd, &file);
	if (err)
		return err;
	err = ctl_untag_file(ctl, fd, &all);
	if (err && err != -ENOENT)
		return err;

	for (i = 0; i < rules->nr; i++) {
		if (rules->items[i].kind == A32_RULE_TABLE ||
		    !rules_is_about(&rules->items[i], &file))
			continue;
		part = (struct range){ rules->items[i].start,
				       rules->items[i].end };
		err = ctl_tag_file(ctl, fd, rules->items[i].abi, &part);
		if (err)
			return err;
	}
	return 0;
}
