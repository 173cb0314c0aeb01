// SPDX-License-Identifier: GPL-2.0
#include <sys/stat.h>

#include "../module/core/table.h"
#include "table_fit.h"

bool table_fits(const uint8_t *bytes, size_t size, const struct elf_id *id)
{
	return size <= A32_TABLE_SIZE_MAX && a32_table_check(bytes, (u32)size) &&
	       elf_id_fits(id, (const void *)bytes);
}

/* The time of modification of an installed file may be that of its package. */
bool table_is_newer_than_tool(const char *path)
{
	struct stat table, tool;

	if (stat(path, &table) || stat("/proc/self/exe", &tool))
		return false;
	if (table.st_ctim.tv_sec != tool.st_ctim.tv_sec)
		return table.st_ctim.tv_sec > tool.st_ctim.tv_sec;
	return table.st_ctim.tv_nsec >= tool.st_ctim.tv_nsec;
}
