// SPDX-License-Identifier: GPL-2.0
/*
 * Unwind tables that are refused, with the errno that uapi/a32uwind.h documents
 * for it and nothing changed; what is listed of one that is not; and the memory that
 * tables share with bodies.
 */
#include <elf.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "ioctl.h"
#include "patience.h"

#define TABLE_MEMORY	"/sys/module/a32uwind/parameters/table_memory"
#define BODY_FILE	"/tmp/a32uwind-bodies"
#define BODY_FILE_SIZE	(4 << 20)

static int load(int ctl, int fd, const void *table, uint32_t len)
{
	return ctl_load_table(ctl, fd, table, len);
}

static int set_table_memory(const char *mib)
{
	int fd = open(TABLE_MEMORY, O_WRONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = write(fd, mib, strlen(mib)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

TEST_F(ioctl, table_of_a_bad_fd_is_refused)
{
	int wr = open(IOCTL_FILE, O_WRONLY | O_CLOEXEC), null = open("/dev/null", O_RDONLY);

	ASSERT_LE(0, wr);
	ASSERT_LE(0, null);
	EXPECT_REFUSED(EBADF, load(self->ctl, -1, ioctl_table, ioctl_table_size));
	EXPECT_REFUSED(EBADF, load(self->ctl, 1000000, ioctl_table, ioctl_table_size));
	EXPECT_REFUSED(EACCES, load(self->ctl, wr, ioctl_table, ioctl_table_size));
	EXPECT_REFUSED(EACCES, load(self->ctl, null, ioctl_table, ioctl_table_size));
	EXPECT_REFUSED(EACCES, load(self->ctl, self->ctl, ioctl_table, ioctl_table_size));
	EXPECT_REFUSED(EBADF, ctl_unload_table(self->ctl, -1));
	EXPECT_REFUSED(EACCES, ctl_unload_table(self->ctl, null));
	EXPECT_REFUSED(ENOENT, ctl_unload_table(self->ctl, self->fd));
	close(wr);
	close(null);
}

TEST_F(ioctl, table_with_a_bad_argument_is_einval)
{
	struct a32_load_table arg = {
		.size = sizeof(arg), .fd = self->fd, .ptr = (uintptr_t)ioctl_table,
		.len = ioctl_table_size, .flags = 1,
	};

	EXPECT_REFUSED(EINVAL, ctl_call(self->ctl, A32_IOC_LOAD_TABLE, &arg));
	arg.ptr = arg.len = 0;
	EXPECT_REFUSED(EINVAL, ctl_call(self->ctl, A32_IOC_UNLOAD_TABLE, &arg));
	arg.flags = 0;
	arg.len = 4;
	EXPECT_REFUSED(EINVAL, ctl_call(self->ctl, A32_IOC_UNLOAD_TABLE, &arg));
	arg.len = 0;
	arg.ptr = 4;
	EXPECT_REFUSED(EINVAL, ctl_call(self->ctl, A32_IOC_UNLOAD_TABLE, &arg));
}

TEST_F(ioctl, table_that_cannot_be_read_is_efault)
{
	static const uint64_t bad[] = { 0, 4, 0xc0008000, 0xfffffff0, 1ULL << 32, ~0ULL };
	struct a32_load_table arg = { .size = sizeof(arg), .fd = self->fd };
	char *page, *table;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		arg.ptr = bad[i];
		arg.len = ioctl_table_size;
		EXPECT_REFUSED_ROW(EFAULT, i, ctl_call(self->ctl, A32_IOC_LOAD_TABLE, &arg));
	}
	page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, page);
	ASSERT_EQ(0, munmap(page + 4096, 4096));
	table = page + 4096 - (ioctl_table_size - 4);
	memcpy(table, ioctl_table, ioctl_table_size - 4);
	EXPECT_REFUSED(EFAULT, load(self->ctl, self->fd, table, ioctl_table_size));
}

TEST_F(ioctl, table_that_is_none_is_ebadmsg)
{
	struct a32_table_header *head = ioctl_table;
	uint32_t size, *word = ioctl_table, old, i;

	for (size = 0; size < ioctl_table_size; size++)
		EXPECT_REFUSED_ROW(EBADMSG, size, load(self->ctl, self->fd, head, size));
	/* All of the header but the build-id, the checksum and the file's size */
	for (i = 0; i < 7; i++) {
		old = word[i];
		word[i] ^= 0x10000;
		EXPECT_REFUSED_ROW(EBADMSG, i, load(self->ctl, self->fd, head, ioctl_table_size));
		word[i] = old + 1;
		EXPECT_REFUSED_ROW(EBADMSG, i, load(self->ctl, self->fd, head, ioctl_table_size));
		word[i] = old;
	}
	/* The last word of the last rule is its padding. */
	word[ioctl_table_size / 4 - 1] |= 0x10000;
	EXPECT_REFUSED(EBADMSG, load(self->ctl, self->fd, head, ioctl_table_size));
}

TEST_F(ioctl, table_of_another_file_is_estale)
{
	struct a32_table_header *head = ioctl_table;

	head->file_size++;
	EXPECT_REFUSED(ESTALE, load(self->ctl, self->fd, head, ioctl_table_size));
	head->file_size--;
	EXPECT_REFUSED(ESTALE, load(self->ctl, self->self, head, ioctl_table_size));
	head->file_size |= 1ULL << 32;
	EXPECT_REFUSED(ESTALE, load(self->ctl, self->fd, head, ioctl_table_size));
}

TEST_F(ioctl, table_without_room_is_efbig)
{
	const uint32_t above = A32_TABLE_SIZE_MAX + 4;

	EXPECT_REFUSED(EFBIG, load(self->ctl, self->fd, ioctl_table, above));
	EXPECT_REFUSED(EFBIG, load(self->ctl, self->fd, ioctl_table, 0xfffffffc));
	ASSERT_EQ(0, set_table_memory("0"));
	EXPECT_REFUSED(EFBIG, load(self->ctl, self->fd, ioctl_table, ioctl_table_size));
	ASSERT_EQ(0, set_table_memory("64"));
	EXPECT_EQ(0, load(self->ctl, self->fd, ioctl_table, ioctl_table_size));
}

/* A table of @nr rows, of 4 bytes each, for the file, which becomes large enough */
static struct a32_table_header *large_table(int fd, uint32_t nr, uint32_t *size)
{
	struct tablefile_row *row = calloc(nr, sizeof(*row));
	struct a32_table_header *head;
	uint32_t i;

	if (!row || ftruncate(fd, 2 * nr))
		return NULL;
	for (i = 0; i < nr; i++)
		row[i] = (struct tablefile_row){ 2 * i, ioctl_rows[i & 1].rule };
	head = tablefile_write(row, nr, 2 * nr, IOCTL_FILE_SIZE, size);
	if (head)
		head->file_size = 2 * nr;
	free(row);
	return head;
}

/* What is refused, replaced and unloaded is given back. */
TEST_F(ioctl, table_memory_comes_back)
{
	struct a32_table_header *head;
	uint32_t size;
	int round;

	head = large_table(self->fd, 120000, &size);
	ASSERT_NE(NULL, head);
	ASSERT_EQ(0, set_table_memory("1"));
	for (round = 0; round < 8; round++)
		EXPECT_EQ(0, load(self->ctl, self->fd, head, size)) TH_LOG("round %d", round);
	for (round = 0; round < 8; round++) {
		((uint32_t *)head)[size / 4 - 1] ^= 0x10000;
		EXPECT_EQ(-EBADMSG, load(self->ctl, self->fd, head, size));
		((uint32_t *)head)[size / 4 - 1] ^= 0x10000;
		EXPECT_EQ(0, ctl_unload_table(self->ctl, self->fd));
		EXPECT_EQ(0, load(self->ctl, self->fd, head, size)) TH_LOG("round %d", round);
	}
	EXPECT_EQ(0, ctl_unload_table(self->ctl, self->fd));
	ASSERT_EQ(0, set_table_memory("64"));
	free(head);
}

/* A file of 4 MiB that has a function with a body. What is known of bodies takes 1/16. */
static int file_with_body(void)
{
	static const struct {
		Elf32_Ehdr ehdr;
		Elf32_Phdr phdr;
		uint32_t code[5];
	} file = {
		.ehdr = {
			.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, EV_CURRENT },
			.e_machine = EM_ARM, .e_phoff = sizeof(file.ehdr),
			.e_phentsize = sizeof(file.phdr), .e_phnum = 1,
		},
		.phdr = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = BODY_FILE_SIZE,
			  .p_memsz = BODY_FILE_SIZE },
		/* push {fp, lr}; mov fp, sp; mov r0, r0; mov sp, fp; pop {fp, pc} */
		.code = { 0xe92d4800, 0xe1a0b00d, 0xe1a00000, 0xe1a0d00b, 0xe8bd8800 },
	};
	int fd = open(BODY_FILE, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	bool failed = write(fd, &file, sizeof(file)) != sizeof(file) ||
		      ftruncate(fd, BODY_FILE_SIZE);

	/* What somebody may write is not gone through. */
	close(fd);
	return failed ? -1 : open(BODY_FILE, O_RDONLY | O_CLOEXEC);
}

/* KiB of bodies, once all of them have been found */
static unsigned int bodies(int ctl)
{
	struct a32_info info;
	unsigned int i;

	for (i = 0; i < 500 * patience() && !ctl_info(ctl, &info) && info.pending; i++)
		usleep(10000);
	return info.bodies;
}

/* Nobody has asked for bodies: half of the memory is for tables, and what is gone goes. */
TEST_F(ioctl, bodies_leave_room_for_tables)
{
	const unsigned int each = BODY_FILE_SIZE / 16 / 1024;
	struct a32_table_header *head;
	unsigned int i, known = 0;
	uint32_t size;
	void *map;
	int fd;

	ASSERT_EQ(0, set_table_memory("1"));
	for (i = 0; i < 6; i++) {
		fd = file_with_body();
		ASSERT_LE(0, fd);
		ASSERT_EQ(0, ctl_tag(self->ctl, fd, A32_ABI_AAPCS));
		map = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
		ASSERT_NE(MAP_FAILED, map);
		known = bodies(self->ctl);
		EXPECT_LE(each, known) TH_LOG("file %u", i);
		EXPECT_GE(512, known) TH_LOG("file %u", i);
		munmap(map, 4096);
		ctl_untag(self->ctl, fd);
		unlink(BODY_FILE);
		close(fd);
	}
	/* As much as bodies leave, and more */
	head = large_table(self->fd, 210000, &size);
	ASSERT_NE(NULL, head);
	EXPECT_LT(512 * 1024, size);
	EXPECT_EQ(0, load(self->ctl, self->fd, head, size));
	EXPECT_GT(each, bodies(self->ctl));
	EXPECT_EQ(0, ctl_unload_table(self->ctl, self->fd));
	ASSERT_EQ(0, set_table_memory("64"));
	free(head);
}

/* The table's item; false when there isn't just one */
static bool find_table(int ctl, struct a32_rule_item *table)
{
	struct a32_rule_item item = {};
	unsigned int nr = 0;

	while (!ctl_next_rule(ctl, &item)) {
		if (item.kind != A32_RULE_TABLE || strcmp(item.path, IOCTL_FILE))
			continue;
		*table = item;
		nr++;
	}
	return nr == 1;
}

TEST_F(ioctl, table_is_listed_with_its_memory)
{
	const struct a32_table_header *head = ioctl_table;
	struct a32_rule_item item;
	struct stat st;

	ASSERT_EQ(0, fstat(self->fd, &st));
	ASSERT_EQ(0, load(self->ctl, self->fd, ioctl_table, ioctl_table_size));
	ASSERT_TRUE(find_table(self->ctl, &item));
	EXPECT_EQ(A32_ABI_TABLE, item.abi);
	EXPECT_EQ(head->nr_rows, item.table_rows);
	EXPECT_LE(ioctl_table_size, item.table_memory);
	EXPECT_GT(ioctl_table_size + 1024, item.table_memory);
	EXPECT_EQ(st.st_ino, item.ino);
	EXPECT_EQ(0, item.stale);
	/* Loaded again, it is another one. */
	ASSERT_EQ(0, load(self->ctl, self->fd, ioctl_table, ioctl_table_size));
	EXPECT_TRUE(find_table(self->ctl, &item));
	/* Rules come and go beside it. */
	ASSERT_EQ(0, ctl_untag(self->ctl, self->fd));
	EXPECT_TRUE(find_table(self->ctl, &item));
	EXPECT_EQ(0, ctl_unload_table(self->ctl, self->fd));
	EXPECT_FALSE(find_table(self->ctl, &item));
	EXPECT_EQ(-ENOENT, ctl_unload_table(self->ctl, self->fd));
}

/* The program's own text, whatever rules there are on it */
TEST_F(ioctl, table_is_in_force_in_the_map)
{
	uintptr_t pc = (uintptr_t)&find_table & ~1;
	struct a32_map_item map;
	struct stat st;
	uint32_t size;
	void *table;

	ASSERT_EQ(0, fstat(self->self, &st));
	table = tablefile_write(ioctl_rows, 1, 0x1002, st.st_size, &size);
	ASSERT_NE(NULL, table);
	ASSERT_EQ(0, load(self->ctl, self->self, table, size));
	ASSERT_EQ(0, ctl_map_at(self->ctl, getpid(), pc, &map));
	EXPECT_EQ(A32_ABI_TABLE, map.abi);
	EXPECT_EQ(A32_RULE_TABLE, map.rule);
	EXPECT_EQ(A32_ABI_TABLE, map.says);
	ASSERT_EQ(0, ctl_unload_table(self->ctl, self->self));
	ASSERT_EQ(0, ctl_map_at(self->ctl, getpid(), pc, &map));
	EXPECT_EQ(A32_ABI_GCC, map.abi);
	EXPECT_EQ(A32_RULE_FILE, map.rule);
	free(table);
}

TEST_F(ioctl, table_of_a_changed_file_is_stale)
{
	struct a32_tag_file stale = {
		.size = sizeof(stale), .fd = -1, .flags = A32_UNTAG_STALE,
	};
	struct a32_rule_item item;

	ASSERT_EQ(0, load(self->ctl, self->fd, ioctl_table, ioctl_table_size));
	ASSERT_EQ(4, pwrite(self->fd, "new!", 4, 0));
	ASSERT_EQ(0, fsync(self->fd));
	usleep(50000);
	ASSERT_EQ(4, pwrite(self->fd, "newer", 4, 0));
	ASSERT_TRUE(find_table(self->ctl, &item));
	EXPECT_EQ(1, item.stale);
	EXPECT_EQ(-ENOENT, ctl_unload_table(self->ctl, self->fd));
	EXPECT_EQ(0, ctl_call(self->ctl, A32_IOC_UNTAG_FILE, &stale));
	EXPECT_FALSE(find_table(self->ctl, &item));
}

/* The table of what the file was goes when it gets another one. */
TEST_F(ioctl, table_replaces_that_of_a_changed_file)
{
	struct a32_rule_item item;

	ASSERT_EQ(0, load(self->ctl, self->fd, ioctl_table, ioctl_table_size));
	usleep(50000);
	ASSERT_EQ(4, pwrite(self->fd, "new!", 4, 0));
	ASSERT_EQ(0, load(self->ctl, self->fd, ioctl_table, ioctl_table_size));
	ASSERT_TRUE(find_table(self->ctl, &item));
	EXPECT_EQ(0, item.stale);
}

TEST_HARNESS_MAIN
