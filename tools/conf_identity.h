/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_CONF_IDENTITY_H
#define A32_CONF_IDENTITY_H

#include "conf.h"

/* Fills in what an open file is known by. */
void conf_identity_read(int fd, struct conf_rule *rule);

/* Is it still what the rule was made for? A rule that doesn't say is for any. */
bool conf_identity_holds(int fd, const struct conf_rule *rule);

#endif
