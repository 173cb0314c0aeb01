// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf_file.h"
#include "util.h"

static struct file **files;
static size_t nr_files;

const void *file_at(const struct file *file, uint32_t offset, size_t size)
{
	if (!file->image || offset > file->size || size > file->size - offset)
		return NULL;
	return file->image + offset;
}

uint32_t file_half(const struct file *file, uint32_t offset)
{
	const uint16_t *p = file_at(file, offset, sizeof(*p));

	return p ? *p : 0;
}

uint32_t file_word(const struct file *file, uint32_t offset)
{
	return file_half(file, offset) | file_half(file, offset + 2) << 16;
}

static void map_bytes(struct file *file, const char *root)
{
	struct stat st;
	char *path;
	void *image;
	int fd;

	if (file->path[0] != '/' || asprintf(&path, "%s%s", root, file->path) < 0)
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	free(path);
	if (fd < 0)
		return;
	if (!fstat(fd, &st) && st.st_size) {
		image = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (image != MAP_FAILED) {
			file->image = image;
			file->size = st.st_size;
		}
	}
	close(fd);
}

struct file *file_get(const char *root, const char *path)
{
	struct file *file;
	size_t i;

	for (i = 0; i < nr_files; i++)
		if (!strcmp(files[i]->path, path))
			return files[i];
	file = grow(NULL, 0, sizeof(*file));
	file->path = strdup(path);
	map_bytes(file, root);
	elf_read(file);
	files = grow(files, nr_files, sizeof(*files));
	files[nr_files++] = file;
	return file;
}

void file_for_each(void (*fn)(struct file *file))
{
	size_t i;

	for (i = 0; i < nr_files; i++)
		fn(files[i]);
}

const char *file_name(const struct file *file)
{
	const char *name = strrchr(file->path, '/');

	return name ? name + 1 : file->path;
}

bool file_outermost(const struct file *file, uint32_t offset)
{
	if (file->start && offset >= file->start && offset < file->start_end)
		return true;
	return file->clone && offset >= file->clone && offset < file->clone_end;
}

/* BL, and BLX to an address or a register */
static bool thumb_call(const struct file *file, uint32_t offset)
{
	uint32_t first = offset >= 4 ? file_half(file, offset - 4) : 0;
	uint32_t last = file_half(file, offset - 2);

	return (last & 0xff87) == 0x4780 ||
	       ((first & 0xf800) == 0xf000 && (last & 0xc000) == 0xc000);
}

static bool arm_call(const struct file *file, uint32_t offset)
{
	uint32_t insn, before;

	if (offset & 3 || offset < 8)
		return false;
	insn = file_word(file, offset - 4);
	before = file_word(file, offset - 8);
	if ((insn & 0xfe000000) == 0xfa000000)
		return true;
	if (insn >> 28 == 0xf)
		return false;
	return (insn & 0x0f000000) == 0x0b000000 || (insn & 0x0ffffff0) == 0x012fff30 ||
	       /* mov lr, pc; then bx, or a load of or move to pc */
	       ((before & 0x0fffffff) == 0x01a0e00f &&
		((insn & 0x0ffffff0) == 0x012fff10 || (insn & 0x0c10f000) == 0x0410f000 ||
		 (insn & 0x0ffffff0) == 0x01a0f000));
}

bool file_call_before(const struct file *file, uint32_t offset)
{
	return offset >= 2 && (thumb_call(file, offset) || arm_call(file, offset));
}

/* mov r7, #__NR_sigreturn or __NR_rt_sigreturn, in ARM or Thumb code; a svc follows */
bool file_sigreturn(const struct file *file, uint32_t offset)
{
	uint32_t insn = file_word(file, offset);

	return insn == 0xe3a07077 || insn == 0xe3a070ad ||
	       insn == 0xdf002777 || insn == 0xdf0027ad ||
	       insn == 0x0777f04f || insn == 0x07adf04f;
}
