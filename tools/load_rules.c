// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "auto_table.h"
#include "conf_identity.h"
#include "ctl.h"
#include "load.h"
#include "msg.h"
#include "text.h"

/* As people write it: with the part */
static char *name_of(const struct conf_rule *rule)
{
	if (!rule->part.end)
		return text_format("%s", rule->path);
	return text_format("%s@0x%llx-0x%llx", rule->path, (unsigned long long)rule->part.start,
			   (unsigned long long)rule->part.end);
}

static bool has_tag(const struct load *load, const struct conf_rule *rule, int fd)
{
	const struct a32_rule_item *item;
	struct rules_file file;
	size_t i;

	if (rules_identify(fd, &file))
		return false;
	for (i = 0; i < load->rules.nr; i++) {
		item = &load->rules.items[i];
		if (item->kind != A32_RULE_TABLE && rules_is_about(item, &file) &&
		    item->abi == rule->abi && item->start == rule->part.start &&
		    item->end == rule->part.end)
			return true;
	}
	return false;
}

static int set_default(struct load *load, const struct conf_rule *rule, enum action *how)
{
	int err;

	*how = ACTION_KEPT;
	if (rule->abi == load->default_abi)
		return DONE;
	*how = ACTION_TAGGED;
	err = ctl_set_default(load->ctl, rule->abi);
	return err ? ctl_fail(load->ctl, err, "default", "") : DONE;
}

static int give_tag(struct load *load, const struct conf_rule *rule, int fd, enum action *how)
{
	int err;

	*how = ACTION_KEPT;
	if (has_tag(load, rule, fd))
		return DONE;
	*how = ACTION_TAGGED;
	err = ctl_tag_file(load->ctl, fd, rule->abi, &rule->part);
	return err ? ctl_fail(load->ctl, err, rule->path, "") : DONE;
}

static int give_table(struct load *load, const struct conf_rule *rule, const char *path, int fd,
		      enum action *how)
{
	static const struct args defaults;
	const struct auto_table table = {
		.args = &defaults, .ctl = load->ctl, .name = rule->path, .path = path, .fd = fd,
	};

	*how = ACTION_KEPT;
	return load_has_table(load, fd, 0) ? DONE : auto_table_give(&table, how);
}

static int apply_to(struct load *load, const struct conf_rule *rule, const char *path, int fd,
		    enum action *how)
{
	if (!conf_identity_holds(fd, rule))
		return msg_fail("%s: not the file of line %u any more; 'a32uwctl auto' it, %s",
				rule->path, rule->line, "or tag it anew, and save");
	return rule->kind == CONF_TAG ? give_tag(load, rule, fd, how) :
					give_table(load, rule, path, fd, how);
}

static int apply_file(struct load *load, const struct conf_rule *rule, enum action *how)
{
	char *path;
	int fd = load_open(load, rule->path, &path), err;

	if (fd < 0) {
		err = msg_fail("%s: %s; if it was removed, remove line %u as well", rule->path,
			       strerror(errno), rule->line);
	} else {
		err = apply_to(load, rule, path, fd, how);
		close(fd);
	}
	free(path);
	return err;
}

static void apply(struct load *load, const struct conf_rule *rule)
{
	char *name = rule->path ? name_of(rule) : text_format("default");
	char *why = text_format("line %u", rule->line);
	struct deed deed = {
		.abi = rule->kind == CONF_TABLE ? A32_ABI_TABLE : rule->abi,
		.name = name, .why = why,
	};
	int err = rule->kind == CONF_DEFAULT ? set_default(load, rule, &deed.action) :
					       apply_file(load, rule, &deed.action);

	if (err)
		load_failed(load, name);
	else
		report_add(&load->report, &deed);
	free(why);
	free(name);
}

int load_rules(struct load *load, const struct conf *conf)
{
	size_t i;

	for (i = 0; i < conf->nr; i++)
		apply(load, &conf->rules[i]);
	return report_end(&load->report, 0);
}
