// SPDX-License-Identifier: GPL-2.0
/* How the tool replaces a file: whole, on the disk before it has its name, where a link leads. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../tools/write_file.h"
#include "tap.h"

static char folder[] = "/tmp/write_cases.XXXXXX";

/* In place of the C library's: how often files were brought to the disk, and what comes of it */
static unsigned int syncs;
static int sync_errno;
static bool named_when_synced;

int fsync(int fd)
{
	(void)fd;
	syncs++;
	named_when_synced = !access("new", F_OK);
	errno = sync_errno;
	return sync_errno ? -1 : 0;
}

static bool writes(const char *path, const char *text)
{
	return write_file(path, text, strlen(text));
}

static bool has(const char *path, const char *text)
{
	char got[64] = "";
	int fd = open(path, O_RDONLY);

	if (fd < 0)
		return false;
	if (read(fd, got, sizeof(got) - 1) < 0)
		abort();
	close(fd);
	return !strcmp(got, text);
}

static bool is_link_to(const char *path, const char *target)
{
	char got[64] = "";

	return readlink(path, got, sizeof(got) - 1) > 0 && !strcmp(got, target);
}

static ino_t inode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_ino;
}

static bool nothing_else_is_left(void)
{
	return !system("test -z \"$(find . -name '*.*' ! -name .)\"");
}

static void test_replacing(void)
{
	ino_t before;

	tap_result(writes("new", "first") && has("new", "first"), "a file is made");
	tap_result(syncs == 1 && !named_when_synced, "it is on the disk before it has its name");
	before = inode_of("new");
	tap_result(writes("new", "second") && has("new", "second") && inode_of("new") != before,
		   "and replaced by another");
	sync_errno = EIO;
	tap_result(!writes("new", "third") && errno == EIO && has("new", "second") &&
		   nothing_else_is_left(), "what can't come to the disk leaves it as it was");
	sync_errno = 0;
}

static void test_links(void)
{
	if (mkdir("there", 0755) || symlink("there/file", "link") || symlink("link", "again") ||
	    symlink("loop", "loop") || symlink("none/file", "nowhere"))
		abort();
	tap_result(writes("again", "first") && has("there/file", "first"),
		   "a link that leads to nothing yet: it is made there");
	tap_result(writes("again", "second") && has("there/file", "second"),
		   "and what is there is replaced");
	tap_result(is_link_to("again", "link") && is_link_to("link", "there/file"),
		   "the links stay");
	tap_result(!writes("loop", "text") && errno == ELOOP && is_link_to("loop", "loop"),
		   "one that leads to itself is an error");
	tap_result(!writes("nowhere", "text") && errno == ENOENT &&
		   is_link_to("nowhere", "none/file"),
		   "so is one into a folder that is not there");
	tap_result(nothing_else_is_left(), "nothing else is left");
}

static void test_devices(void)
{
	syncs = 0;
	if (symlink("/dev/full", "full") || symlink("/dev/null", "null"))
		abort();
	tap_result(!writes("full", "text") && errno == ENOSPC,
		   "a link to a device: it is written to");
	tap_result(writes("null", "text") && writes("/dev/null", "text") && !syncs,
		   "which need not be brought to a disk");
}

int main(void)
{
	char clean[64];

	if (!mkdtemp(folder) || chdir(folder))
		return 1;
	tap_plan(12);
	test_replacing();
	test_links();
	test_devices();
	snprintf(clean, sizeof(clean), "rm -r %s", folder);
	return system(clean) ? 1 : tap_status();
}
