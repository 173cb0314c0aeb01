// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctl.h"
#include "elf_id.h"
#include "msg.h"
#include "table_load.h"
#include "targets.h"

/**
 * struct upload - a table on its way to the module
 * @path: the table's file, as written
 * @size: its bytes
 * @bytes: them
 */
struct upload {
	const char *path;
	size_t size;
	const void *bytes;
};

static const struct a32_table_header *header_of(const struct upload *upload)
{
	return upload->bytes;
}

/* The module looks at all of it; this is to tell what else it may be. */
static int check(const struct upload *upload)
{
	const struct a32_table_header *header = header_of(upload);

	if (upload->size < sizeof(*header) || header->magic != A32_TABLE_MAGIC)
		return msg_fail("%s: not an unwind table; make one with 'a32uwctl table build'",
				upload->path);
	if (header->version != A32_TABLE_VERSION)
		return msg_fail("%s: an unwind table of version %u, not %u; build it again",
				upload->path, header->version, A32_TABLE_VERSION);
	if (header->size != upload->size)
		return msg_fail("%s: the unwind table is not whole; copy it again",
				upload->path);
	return DONE;
}

static int map_table(int fd, struct upload *upload)
{
	struct stat st;
	void *bytes;

	if (fstat(fd, &st))
		return msg_fail("%s: %s", upload->path, strerror(errno));
	if (!S_ISREG(st.st_mode) || !st.st_size || st.st_size > A32_TABLE_SIZE_MAX)
		return msg_fail("%s: not an unwind table; make one with 'a32uwctl table build'",
				upload->path);
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return msg_fail("%s: %s", upload->path, strerror(errno));
	upload->size = (size_t)st.st_size;
	upload->bytes = bytes;
	return check(upload);
}

static int open_table(const char *path, struct upload *upload)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), err;

	*upload = (struct upload){ .path = path };
	if (fd < 0)
		return msg_fail("%s: %s; check the name", path, strerror(errno));
	err = map_table(fd, upload);
	close(fd);
	return err;
}

static void close_table(struct upload *upload)
{
	if (upload->bytes)
		munmap((void *)upload->bytes, upload->size);
}

/* The file @name, open as @fd, is one that the table is about. */
static int load_one(int ctl, const struct upload *upload, int fd, const char *name)
{
	int err = ctl_load_table(ctl, fd, upload->bytes, (__u32)upload->size);

	if (err)
		return ctl_fail(ctl, err, name, "");
	printf("%s: table\n", name);
	return DONE;
}

static int check_target(const struct upload *upload, const struct target *target)
{
	struct elf_id id;
	const char *why;

	if (target->part.end)
		return msg_misuse("%s: a table is for a whole file", target->text);
	why = elf_id_read(target->fd, &id);
	if (why)
		return msg_fail("%s: %s; give the file that the table was built for",
				target->text, why);
	if (!elf_id_fits(&id, header_of(upload)))
		return msg_fail("%s: the table was built for another file; build one for this",
				target->text);
	return DONE;
}

static int load_targets(int ctl, const struct upload *upload, const struct targets *targets)
{
	int i, err = DONE;

	for (i = 0; i < targets->nr && !err; i++)
		err = check_target(upload, &targets->items[i]);
	for (i = 0; i < targets->nr && !err; i++)
		err = load_one(ctl, upload, targets->items[i].fd, targets->items[i].text);
	return err;
}

static int load_named(int ctl, const struct upload *upload, char **words, int nr)
{
	struct targets targets;
	int status;

	status = targets_open(&targets, words, nr, false);
	if (status)
		return status;
	status = load_targets(ctl, upload, &targets);
	targets_close(&targets);
	return status;
}

static int load_if_fits(int ctl, const struct upload *upload, const char *path, int *loaded)
{
	int fd = path[0] == '/' ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1, err = DONE;
	struct elf_id id;
	struct stat st;

	if (fd < 0)
		return DONE;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) &&
	    (__u64)st.st_size == header_of(upload)->file_size &&
	    !elf_id_read(fd, &id) && elf_id_fits(&id, header_of(upload))) {
		err = load_one(ctl, upload, fd, path);
		++*loaded;
	}
	close(fd);
	return err;
}

/* The module knows by name what is mapped somewhere. */
static int load_mapped(int ctl, const struct upload *upload)
{
	struct a32_stats item = { 0 };
	int more, loaded = 0, err = DONE;

	while (!err && (more = ctl_next_file_stats(ctl, &item)) == 1)
		err = load_if_fits(ctl, upload, item.path, &loaded);
	if (err)
		return err;
	if (more)
		return ctl_fail(ctl, more, "files", "");
	if (!loaded)
		return msg_fail("%s: no file that is mapped now fits; name the FILE that it is for",
				upload->path);
	return DONE;
}

int table_load(const struct args *args)
{
	struct upload upload;
	int ctl, status;

	if (!args->nr_words)
		return msg_misuse("give a TABLE to load");
	status = open_table(args->words[0], &upload);
	if (status)
		goto out;
	status = REFUSED;
	ctl = ctl_open();
	if (ctl < 0)
		goto out;
	status = args->nr_words > 1 ?
		 load_named(ctl, &upload, args->words + 1, args->nr_words - 1) :
		 load_mapped(ctl, &upload);
	close(ctl);
out:
	close_table(&upload);
	return status;
}

static int unload_targets(int ctl, const struct targets *targets)
{
	int i, err;

	for (i = 0; i < targets->nr; i++) {
		err = ctl_unload_table(ctl, targets->items[i].fd);
		if (err == -ENOENT)
			return msg_fail("%s: it has no unwind table; see 'a32uwctl list'",
					targets->items[i].text);
		if (err)
			return ctl_fail(ctl, err, targets->items[i].text, "");
		printf("%s: table unloaded\n", targets->items[i].text);
	}
	return DONE;
}

int table_unload(const struct args *args)
{
	struct targets targets;
	int ctl, status;

	if (!args->nr_words)
		return msg_misuse("give a FILE");
	status = targets_open(&targets, args->words, args->nr_words, false);
	if (status)
		return status;
	ctl = ctl_open();
	status = ctl < 0 ? REFUSED : unload_targets(ctl, &targets);
	if (ctl >= 0)
		close(ctl);
	targets_close(&targets);
	return status;
}
