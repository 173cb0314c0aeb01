// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "msg.h"
#include "sysroot.h"
#include "text.h"

enum { LINKS_MAX = 40 };	/* as in the kernel */

/**
 * struct walk - a name that is being followed
 * @root: in this root
 * @done: what is known to have no links, without a '/' at the end
 * @rest: what follows it
 * @links: followed so far
 */
struct walk {
	const char *root;
	char *done;
	char *rest;
	int links;
};

static const char the_folder[] = "give the folder that has the target's files";

int sysroot_open(const char *given, char **root)
{
	struct stat st;

	*root = given ? realpath(given, NULL) : text_format("/");
	if (!*root || stat(*root, &st))
		return msg_fail("%s: %s; %s", given, strerror(errno), msg_todo(errno, the_folder));
	if (!S_ISDIR(st.st_mode))
		return msg_fail("%s: %s; %s", given, strerror(ENOTDIR), the_folder);
	/* Names in it begin with '/' themselves. */
	if (!strcmp(*root, "/"))
		**root = '\0';
	return DONE;
}

char *sysroot_path(const char *root, const char *name)
{
	return text_format("%s%s", root, name);
}

static void replace(char **text, char *by)
{
	free(*text);
	*text = by;
}

static void to_parent(char *name)
{
	char *slash = strrchr(name, '/');

	if (slash)
		*slash = '\0';
}

/* @next is a link to @to. */
static bool follow(struct walk *walk, const char *to)
{
	if (++walk->links > LINKS_MAX) {
		errno = ELOOP;
		return false;
	}
	if (*to == '/')
		*walk->done = '\0';
	replace(&walk->rest, text_format("%s/%s", to, walk->rest));
	return true;
}

static bool enter(struct walk *walk, const char *part)
{
	char *next = text_format("%s/%s", walk->done, part);
	char *path = sysroot_path(walk->root, next);
	char to[PATH_MAX];
	struct stat st;
	ssize_t len;
	bool ok;

	ok = !lstat(path, &st);
	if (ok && S_ISLNK(st.st_mode)) {
		len = readlink(path, to, sizeof(to) - 1);
		to[len > 0 ? len : 0] = '\0';
		ok = len > 0 && follow(walk, to);
		free(next);
	} else {
		replace(&walk->done, next);
	}
	free(path);
	return ok;
}

static bool step(struct walk *walk)
{
	char *part, *rest = walk->rest + strspn(walk->rest, "/");
	size_t len = strcspn(rest, "/");
	bool ok = true;

	part = text_format("%.*s", (int)len, rest);
	replace(&walk->rest, text_format("%s", rest + len));
	if (!strcmp(part, ".."))
		to_parent(walk->done);
	else if (*part && strcmp(part, "."))
		ok = enter(walk, part);
	free(part);
	return ok;
}

/* Where relative names count from */
static char *start(const char *root, const char *name)
{
	char *here, *all;

	if (*root || *name == '/')
		return text_format("%s", name);
	here = getcwd(NULL, 0);
	all = here ? text_format("%s/%s", here, name) : NULL;
	free(here);
	return all;
}

char *sysroot_find(const char *root, const char *name)
{
	struct walk walk = { .root = root, .done = text_format("%s", "") };
	bool ok;

	walk.rest = start(root, name);
	ok = walk.rest;
	if (ok && !*name) {
		errno = ENOENT;
		ok = false;
	}
	while (ok && *walk.rest)
		ok = step(&walk);
	free(walk.rest);
	if (ok && *walk.done)
		return walk.done;
	free(walk.done);
	return ok ? text_format("/") : NULL;
}
