/* SPDX-License-Identifier: GPL-2.0 */
/* patience - how much longer than usual to wait before something counts as stuck */
#ifndef SELFTESTS_PATIENCE_H
#define SELFTESTS_PATIENCE_H

/* A factor: 1, and more on a kernel for debugging, which takes several times as long for all */
unsigned int patience(void);

#endif
