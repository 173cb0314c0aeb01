// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "conf.h"
#include "ctl.h"
#include "load.h"
#include "msg.h"
#include "sysroot.h"

int load_open(const struct load *load, const char *name, char **path)
{
	char *found = sysroot_find(load->root, name);
	int fd, err;

	*path = NULL;
	if (!found)
		return -1;
	*path = sysroot_path(load->root, found);
	fd = open(*path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	err = errno;
	free(found);
	errno = err;
	return fd;
}

bool load_has_table(const struct load *load, int fd, __u32 rows)
{
	const struct a32_rule_item *item;
	struct rules_file file;
	size_t i;

	if (rules_identify(fd, &file))
		return false;
	for (i = 0; i < load->rules.nr; i++) {
		item = &load->rules.items[i];
		if (item->kind == A32_RULE_TABLE && rules_is_about(item, &file))
			return !rows || rows == item->table_rows;
	}
	return false;
}

void load_failed(struct load *load, const char *name)
{
	const struct deed deed = {
		.action = ACTION_FAILED, .abi = ABI_UNKNOWN, .name = name,
		.why = "standard error says why",
	};

	report_add(&load->report, &deed);
}

static int start(struct load *load, const struct args *args)
{
	struct a32_info info;
	int err;

	load->ctl = ctl_open();
	if (load->ctl < 0)
		return REFUSED;
	err = ctl_info(load->ctl, &info);
	if (!err)
		err = rules_read(load->ctl, &load->rules);
	if (err)
		return ctl_fail(load->ctl, err, "rules", "");
	load->default_abi = info.default_abi;
	report_start(&load->report, args_json(args));
	return DONE;
}

static void end(struct load *load)
{
	rules_free(&load->rules);
	if (load->ctl >= 0)
		close(load->ctl);
}

/* All of the file is read before any of it is done. */
static int load_file(struct load *load, const struct args *args, const char *path)
{
	struct conf conf;
	int status = conf_read(path, &conf);

	if (!status)
		status = start(load, args);
	if (!status && !conf.nr && !args_json(args))
		msg_say("%s: there are no rules in it", path);
	if (!status)
		status = load_rules(load, &conf);
	conf_free(&conf);
	return status;
}

static int load_from(const struct args *args, const char *path, const char *root)
{
	struct load load = { .ctl = -1, .root = root };
	struct stat st;
	int status;

	if (stat(path, &st)) {
		return msg_fail("%s: %s; %s", path, strerror(errno), msg_todo(errno,
				errno == ENOENT ? "'a32uwctl save' makes a file of rules" :
						  "check the name"));
	} else if (!S_ISDIR(st.st_mode)) {
		status = load_file(&load, args, path);
	} else {
		status = start(&load, args);
		if (!status)
			status = load_folder(&load, path);
	}
	end(&load);
	return status;
}

int command_load(const struct args *args)
{
	char *root;
	int status;

	if (args->nr_words > 1)
		return msg_misuse("it takes one FILE, or one folder with tables");
	status = sysroot_open(args->sysroot, &root);
	if (!status)
		status = load_from(args, args->nr_words ? args->words[0] : CONF_NAME, root);
	free(root);
	return status;
}
