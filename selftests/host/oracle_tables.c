// SPDX-License-Identifier: GPL-2.0
#include <elf.h>
#include <stdlib.h>
#include "../../tools/crc32.h"
#include "oracle_tables.h"

/* Made ready by the walker's own code */
struct owned {
	struct a32_unwind_table table;
	void *data;
	struct a32_rule *rule;
	u32 *line;
};

void *oracle_file_read(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	void *data;

	if (!f || fseek(f, 0, SEEK_END))
		oracle_die("%s: can't be read", path);
	*size = ftell(f);
	data = malloc(*size);
	rewind(f);
	if (!data || fread(data, 1, *size, f) != *size)
		oracle_die("%s: can't be read", path);
	fclose(f);
	return data;
}

/* As for struct a32_table_header's code_crc */
static u32 code_crc(const u8 *elf, u32 size)
{
	const Elf32_Ehdr *eh = (const void *)elf;
	const Elf32_Phdr *ph = (const void *)(elf + eh->e_phoff);
	u32 crc = 0, i;

	for (i = 0; i < eh->e_phnum; i++) {
		if (ph[i].p_type == PT_LOAD && ph[i].p_flags & PF_X &&
		    (u64)ph[i].p_offset + ph[i].p_filesz <= size)
			crc = crc32_add(crc, elf + ph[i].p_offset, ph[i].p_filesz);
	}
	return crc;
}

static void open_table(struct owned *owned)
{
	const struct a32_table_header *h = owned->data;

	owned->rule = calloc(h->nr_rules, sizeof(*owned->rule));
	owned->line = calloc((size_t)h->nr_blocks * A32_TABLE_LINES, sizeof(*owned->line));
	if (!owned->rule || !owned->line)
		oracle_die("out of memory");
	a32_table_open(&owned->table, owned->data, owned->rule, owned->line);
}

const struct a32_unwind_table *oracle_table_read(const char *folder, const char *path,
						 const void *elf, u32 size)
{
	const char *slash = strrchr(path, '/');
	struct owned *owned = calloc(1, sizeof(*owned));
	size_t table_size;
	char name[4096];

	if (!owned)
		oracle_die("out of memory");
	snprintf(name, sizeof(name), "%s/%s.a32t", folder, slash ? slash + 1 : path);
	owned->data = oracle_file_read(name, &table_size);
	if (table_size > A32_TABLE_SIZE_MAX || !a32_table_check(owned->data, table_size))
		oracle_die("%s: no unwind table", name);
	if (((const struct a32_table_header *)owned->data)->code_crc != code_crc(elf, size))
		oracle_die("%s: not of %s", name, path);
	open_table(owned);
	return &owned->table;
}

void oracle_table_free(const struct a32_unwind_table *table)
{
	struct owned *owned = (struct owned *)table;

	if (!owned)
		return;
	free(owned->line);
	free(owned->rule);
	free(owned->data);
	free(owned);
}
