// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include <sys/stat.h>

#include "conf_identity.h"
#include "elf_id.h"

void conf_identity_read(int fd, struct conf_rule *rule)
{
	struct elf_id id;
	struct stat st;

	/* What is no program can have a tag as well. */
	if (elf_id_read(fd, &id)) {
		rule->has_size = !fstat(fd, &st);
		rule->size = (__u64)st.st_size;
		return;
	}
	rule->has_size = true;
	rule->size = id.file_size;
	rule->build_id_size = id.build_id_size;
	memcpy(rule->build_id, id.build_id, sizeof(rule->build_id));
	rule->has_crc = !id.build_id_size;
	rule->crc = id.code_crc;
}

bool conf_identity_holds(int fd, const struct conf_rule *rule)
{
	struct elf_id id = { 0 };
	struct stat st;

	if (rule->has_size && (fstat(fd, &st) || (__u64)st.st_size != rule->size))
		return false;
	if ((rule->build_id_size || rule->has_crc) && elf_id_read(fd, &id))
		return false;
	if (rule->build_id_size && (rule->build_id_size != id.build_id_size ||
				    memcmp(rule->build_id, id.build_id, id.build_id_size)))
		return false;
	return !rule->has_crc || rule->crc == id.code_crc;
}
