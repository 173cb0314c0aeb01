/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of files in another system's root: symbolic links lead to where they
 * would lead there.
 */
#ifndef A32_SYSROOT_H
#define A32_SYSROOT_H

/**
 * sysroot_open - find a root
 * @given: the folder, or NULL for the running system
 * @root: its name as the others want it, to be freed
 *
 * Returns DONE, or REFUSED once the reason is printed.
 */
int sysroot_open(const char *given, char **root);

/**
 * sysroot_find - follow all symbolic links of a name
 * @root: the root, "" for the running system's
 * @name: the name in it; a relative one counts from the root, in the running
 *	system from the current folder
 *
 * Returns the name without them, which begins with '/', to be freed; or NULL
 * with errno set.
 */
char *sysroot_find(const char *root, const char *name);

/* That name's file, as it can be opened here; to be freed. */
char *sysroot_path(const char *root, const char *name);

#endif
