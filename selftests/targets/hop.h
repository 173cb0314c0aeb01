/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TARGETS_HOP_H
#define _TARGETS_HOP_H

/**
 * struct hop - one function on a path
 * @fn: gets its own hop, and calls the next one's
 */
struct hop {
	unsigned int (*fn)(const struct hop *hop, unsigned int x);
};

#endif /* _TARGETS_HOP_H */
