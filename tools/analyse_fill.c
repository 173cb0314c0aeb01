// SPDX-License-Identifier: GPL-2.0
#include "analyse_finder.h"
/* placeholder */
void finder_fill(struct finder *f) { (void)f; }
