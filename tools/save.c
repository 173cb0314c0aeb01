// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "conf.h"
#include "conf_identity.h"
#include "ctl.h"
#include "msg.h"
#include "rules.h"
#include "table_cache.h"
#include "write_file.h"

static const char head[] =
	"# Rules of a32uwind: 'a32uwctl load' reads them, 'a32uwctl save' writes them anew.\n"
	"#   default ABI\n"
	"#   tag ABI FILE[@START-END] [size=N] [build-id=HEX | code-crc=HEX]\n"
	"#   table FILE [size=N] [build-id=HEX | code-crc=HEX]\n"
	"# What is behind a file is what it is known by: one that has changed is left out.\n"
	"# A name with a blank, '@', '#', '\"' or '\\' stands in quotes.\n";

/* A table that is kept nowhere can't be loaded again. */
static bool is_kept(int fd, const struct a32_rule_item *item)
{
	const struct a32_table_header *header;
	struct table_key key;
	uint8_t *bytes;
	size_t size;
	bool is;

	if (table_cache_key(fd, &key))
		return false;
	is = table_cache_find(&key, &bytes, &size) == CACHED_TABLE;
	header = (const void *)bytes;
	is = is && header->nr_rows == item->table_rows;
	free(bytes);
	return is;
}

static int write_rule(FILE *out, int fd, const struct a32_rule_item *item)
{
	struct conf_rule rule = {
		.kind = item->kind == A32_RULE_TABLE ? CONF_TABLE : CONF_TAG, .abi = item->abi,
		.path = (char *)item->path, .part = { item->start, item->end },
	};
	struct rules_file file;

	if (rules_identify(fd, &file) || !rules_is_about(item, &file))
		return msg_fail("%s: another file has that name here; not saved", item->path);
	if (rule.kind == CONF_TABLE && !is_kept(fd, item))
		return msg_fail("%s: its table is kept nowhere; not saved: %s", item->path,
				"have 'a32uwctl auto' load one, or 'a32uwctl load TABLES'");
	conf_identity_read(fd, &rule);
	conf_print(out, &rule);
	return DONE;
}

static int write_item(FILE *out, const struct a32_rule_item *item)
{
	int fd, status;

	if (item->stale == A32_STALE_ELSEWHERE)
		return msg_fail("%s: its name is one in another root; not saved: %s", item->path,
				"write it into the file by the name that it has here");
	if (item->stale)
		return msg_fail("%s: the file has changed; not saved: %s", item->path,
				"tag it anew, or 'a32uwctl untag --stale'");
	if (*item->path != '/')
		return msg_fail("%s: its name is too long to be known whole; not saved",
				item->path);
	fd = open(item->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return msg_fail("%s: %s; not saved", item->path, strerror(errno));
	status = write_rule(out, fd, item);
	close(fd);
	return status;
}

/* Ranges go with their processes. Returns how many rules could not be written. */
static size_t write_rules(FILE *out, __u32 default_abi, const struct rules *rules, size_t *saved)
{
	struct conf_rule first = { .kind = CONF_DEFAULT, .abi = default_abi };
	size_t i, failed = 0;

	fputs(head, out);
	conf_print(out, &first);
	*saved = 0;
	for (i = 0; i < rules->nr; i++) {
		if (rules->items[i].kind == A32_RULE_RANGE)
			continue;
		if (write_item(out, &rules->items[i]))
			failed++;
		else
			++*saved;
	}
	return failed;
}

static int save(const char *path, __u32 default_abi, const struct rules *rules)
{
	size_t size, saved, failed;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);
	bool ok;

	if (!out)
		msg_no_memory();
	failed = write_rules(out, default_abi, rules, &saved);
	if (fclose(out))
		msg_no_memory();
	ok = write_file(path, text, size);
	free(text);
	if (!ok)
		return msg_fail("%s: can't be written: %s; name another FILE", path,
				strerror(errno));
	msg_say("%s: the default; rules and tables: %zu", path, saved);
	return failed ? REFUSED : DONE;
}

int command_save(const struct args *args)
{
	struct rules rules = { 0 };
	struct a32_info info;
	int ctl, err, status;

	if (args->nr_words > 1)
		return msg_misuse("it takes one FILE");
	ctl = ctl_open();
	if (ctl < 0)
		return REFUSED;
	err = ctl_info(ctl, &info);
	if (!err)
		err = rules_read(ctl, &rules);
	status = err ? ctl_fail(ctl, err, "rules", "") :
		 save(args->nr_words ? args->words[0] : CONF_NAME, info.default_abi, &rules);
	rules_free(&rules);
	close(ctl);
	return status;
}
