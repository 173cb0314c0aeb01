/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_CTL_H
#define A32_CTL_H

#include "a32uwind.h"
#include "parse.h"

/* Returns the module's control file, or -1 once the reason is printed. */
int ctl_open(void);

/* The same without a word: returns -errno; ENOTTY: there is a file, but no device. */
int ctl_try_open(void);

/* Each of these returns 0 or -errno, as a32uwind.h explains it. */
int ctl_info(int ctl, struct a32_info *info);
int ctl_set_default(int ctl, __u32 abi);
int ctl_tag_file(int ctl, int fd, __u32 abi, const struct range *part);
int ctl_untag_file(int ctl, int fd, const struct range *part);
int ctl_untag_stale(int ctl);
int ctl_tag_range(int ctl, __s32 pid, __u32 abi, const struct range *range);
int ctl_untag_range(int ctl, __s32 pid, const struct range *range);
int ctl_load_table(int ctl, int fd, const void *table, __u32 size);
int ctl_unload_table(int ctl, int fd);
int ctl_stats(int ctl, struct a32_stats *stats);
int ctl_reset_stats(int ctl);

/*
 * Each of these goes on from the item it gave before, and starts with one that
 * is zero (but for the pid). Returns 1, 0 past the last one, or -errno.
 */
int ctl_next_rule(int ctl, struct a32_rule_item *item);
int ctl_next_map(int ctl, struct a32_map_item *item);
int ctl_next_file_stats(int ctl, struct a32_stats *item);
int ctl_next_wanted(int ctl, struct a32_wanted *item);

/* Why something was refused: @err is what a function above returned. */
const char *ctl_why(int err);

/**
 * ctl_fail - say on stderr what was refused, why, and what to do
 * @err: what a function above returned
 * @what: names what it was about
 * @more: appended, such as what was undone; may be ""
 *
 * Returns REFUSED.
 */
int ctl_fail(int ctl, int err, const char *what, const char *more);

#endif
