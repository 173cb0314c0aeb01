// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "auto_table.h"
#include "ctl.h"
#include "elf_id.h"
#include "msg.h"
#include "read_file.h"
#include "table_build.h"
#include "table_cache.h"
#include "table_fit.h"
#include "text.h"
#include "write_file.h"

/**
 * struct bytes - a table
 * @size: its bytes
 * @data: them
 */
struct bytes {
	size_t size;
	uint8_t *data;
};

char *auto_table_path(const char *folder, const char *name)
{
	return text_format("%s%s.a32t", folder, name);
}

void auto_table_keep(const struct table_key *key, const uint8_t *bytes, size_t size)
{
	const char *why = table_cache_store(key, bytes, size);
	static bool told;

	if (why && !told) {
		msg_fail("tables can't be kept for the next time: %s; look at /var/cache", why);
		told = true;
	}
}

static int build(const struct auto_table *table, const struct elf_id *id, struct bytes *bytes)
{
	static const struct args defaults;
	int err;

	if (!table_build_is_there)
		return msg_fail("%s: this a32uwctl was built without elfutils; %s", table->name,
				"make its table on a PC, see 'a32uwctl help load'");
	err = table_build_bytes(table->path, &defaults, &bytes->data, &bytes->size);
	if (!err && !table_fits(bytes->data, bytes->size, id)) {
		free(bytes->data);
		return msg_fail("%s: it was changed meanwhile; try again", table->name);
	}
	return err;
}

static bool find(const struct table_key *key, const struct elf_id *id, struct bytes *bytes)
{
	bool found = table_cache_find(key, &bytes->data, &bytes->size) == CACHED_TABLE;

	if (found && table_fits(bytes->data, bytes->size, id))
		return true;
	free(bytes->data);
	return false;
}

static int find_or_build(const struct auto_table *table, const struct elf_id *id,
			 struct bytes *bytes, enum action *how)
{
	struct table_key key;
	const char *why = table_cache_key(table->fd, &key);
	int err;

	if (why)
		return msg_fail("%s: %s; copy it anew", table->name, why);
	*how = ACTION_LOADED;
	if (find(&key, id, bytes))
		return DONE;
	*how = ACTION_BUILT;
	err = build(table, id, bytes);
	if (!err)
		auto_table_keep(&key, bytes->data, bytes->size);
	return err;
}

static int load(const struct auto_table *table, const struct elf_id *id, enum action *how)
{
	struct bytes bytes;
	int err = find_or_build(table, id, &bytes, how);

	if (err)
		return err;
	err = ctl_load_table(table->ctl, table->fd, bytes.data, (__u32)bytes.size);
	free(bytes.data);
	return err ? ctl_fail(table->ctl, err, table->name, "") : DONE;
}

static bool is_written(const char *path, const struct elf_id *id)
{
	struct bytes bytes;
	bool is;

	if (!table_is_newer_than_tool(path))
		return false;
	bytes.data = read_file(path, A32_TABLE_SIZE_MAX, &bytes.size);
	is = bytes.data && table_fits(bytes.data, bytes.size, id);
	free(bytes.data);
	return is;
}

static int write_to(char *path, const struct auto_table *table, const struct elf_id *id)
{
	struct bytes bytes;
	int err = build(table, id, &bytes);

	if (err)
		return err;
	err = write_file_folders(path) && write_file(path, bytes.data, bytes.size) ? DONE :
	      msg_fail("%s: can't be written: %s; name another folder with -o", path,
		       strerror(errno));
	free(bytes.data);
	return err;
}

static int write(const struct auto_table *table, const struct elf_id *id, enum action *how)
{
	char *path = auto_table_path(table->args->output, table->name);
	int err = DONE;

	*how = ACTION_KEPT;
	if (!is_written(path, id)) {
		*how = ACTION_BUILT;
		err = write_to(path, table, id);
	}
	free(path);
	return err;
}

int auto_table_give(const struct auto_table *table, enum action *how)
{
	const char *why;
	struct elf_id id;

	why = elf_id_read(table->fd, &id);
	if (why)
		return msg_fail("%s: %s; copy it anew", table->name, why);
	return table->args->output ? write(table, &id, how) : load(table, &id, how);
}
