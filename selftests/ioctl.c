// SPDX-License-Identifier: GPL-2.0
/*
 * Malformed requests, whatever they ask for: sizes, pointers and numbers. Each
 * is refused with the errno that uapi/a32uwind.h documents for it, and changes
 * nothing.
 */
#include "ioctl.h"

#define KERNEL_ADDR	((void *)0xc0008000)

TEST_F(ioctl, size_below_first_version_is_einval)
{
	const struct request *r;
	size_t size;

	for_each_request(r) {
		for (size = 0; size < r->size; size++) {
			VALID_ARG(r);
			arg_words[0] = size;
			EXPECT_EQ(-EINVAL, ctl_call(self->ctl, r->cmd, arg_words))
				TH_LOG("%s with size %zu", r->name, size);
		}
		EXPECT_SAME_STATE() TH_LOG("%s", r->name);
	}
}

/* What valid_arg() takes away is put back by the request before it. */
TEST_F(ioctl, larger_size_with_zero_tail_is_served)
{
	static const size_t more[] = { 1, 4, 8, 100 };
	const struct request *r;
	size_t i;

	for_each_request(r) {
		for (i = 0; i < ARRAY_SIZE(more); i++) {
			ctl_tag_part(self->ctl, self->fd, A32_ABI_APCS, 0x1000, 0x2000);
			ctl_tag_range(self->ctl, getpid(), A32_ABI_AAPCS, 0x10000, 0x20000);
			ctl_load_table(self->ctl, self->fd, ioctl_table, ioctl_table_size);
			VALID_ARG(r);
			arg_words[0] = r->size + more[i];
			EXPECT_EQ(0, served(r, ctl_call(self->ctl, r->cmd, arg_words)))
				TH_LOG("%s with %zu more bytes", r->name, more[i]);
		}
	}
}

/* The struct's size is part of an ioctl's number: a newer caller's differs. */
TEST_F(ioctl, number_of_another_version_is_served)
{
	const struct request *r;
	unsigned long cmd;

	for_each_request(r) {
		ctl_tag_part(self->ctl, self->fd, A32_ABI_APCS, 0x1000, 0x2000);
		ctl_tag_range(self->ctl, getpid(), A32_ABI_AAPCS, 0x10000, 0x20000);
		ctl_load_table(self->ctl, self->fd, ioctl_table, ioctl_table_size);
		VALID_ARG(r);
		arg_words[0] = r->size + 16;
		cmd = _IOC(_IOC_DIR(r->cmd), A32_IOC_MAGIC, _IOC_NR(r->cmd), r->size + 16);
		EXPECT_EQ(0, served(r, ctl_call(self->ctl, cmd, arg_words)))
			TH_LOG("%s", r->name);
	}
}

/* The newest struct's size is part of the number. */
TEST_F(ioctl, non_zero_tail_is_e2big)
{
	static const size_t at[] = { 0, 1, 7, 63 };
	const struct request *r;
	size_t i;

	for_each_request(r) {
		size_t known = _IOC_SIZE(r->cmd);

		for (i = 0; i < ARRAY_SIZE(at); i++) {
			VALID_ARG(r);
			arg_words[0] = known + 64;
			((char *)arg_words)[known + at[i]] = 1;
			EXPECT_EQ(-E2BIG, ctl_call(self->ctl, r->cmd, arg_words))
				TH_LOG("%s, tail byte %zu", r->name, at[i]);
		}
		EXPECT_SAME_STATE() TH_LOG("%s", r->name);
	}
}

TEST_F(ioctl, reply_leaves_the_tail_alone)
{
	const struct request *r;
	size_t i;

	for_each_request(r) {
		VALID_ARG(r);
		/* One byte more than is claimed, as a guard. */
		((char *)arg_words)[r->size] = 0x5a;
		ctl_call(self->ctl, r->cmd, arg_words);
		EXPECT_EQ(0x5a, ((char *)arg_words)[r->size]) TH_LOG("%s", r->name);
		for (i = r->size + 1; i < r->size + 64; i++)
			EXPECT_EQ(0, ((char *)arg_words)[i]) TH_LOG("%s", r->name);
	}
}

TEST_F(ioctl, absurd_size_is_refused)
{
	static const uint32_t sizes[] = { 0x10000000, 0x7fffffff, 0x80000000, 0xfffffffc,
		0xffffffff };
	const struct request *r;
	size_t i;
	int ret;

	for_each_request(r) {
		for (i = 0; i < ARRAY_SIZE(sizes); i++) {
			VALID_ARG(r);
			arg_words[0] = sizes[i];
			ret = ctl_call(self->ctl, r->cmd, arg_words);
			EXPECT_TRUE(ret == -E2BIG || ret == -EFAULT)
				TH_LOG("%s with size %#x: %d", r->name, sizes[i], ret);
		}
		EXPECT_SAME_STATE() TH_LOG("%s", r->name);
	}
}

TEST_F(ioctl, bad_pointer_is_efault)
{
	static void *const bad[] = { NULL, (void *)4, KERNEL_ADDR, (void *)0xfffffff0,
		(void *)0xffff0000 };
	const struct request *r;
	size_t i;

	for_each_request(r) {
		for (i = 0; i < ARRAY_SIZE(bad); i++)
			EXPECT_EQ(-EFAULT, ctl_call(self->ctl, r->cmd, bad[i]))
				TH_LOG("%s at %p", r->name, bad[i]);
		EXPECT_SAME_STATE() TH_LOG("%s", r->name);
	}
}

TEST_F(ioctl, argument_that_runs_into_an_unmapped_page_is_efault)
{
	const struct request *r;
	char *page;

	page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, page);
	ASSERT_EQ(0, munmap(page + 4096, 4096));
	for_each_request(r) {
		VALID_ARG(r);
		memcpy(page + 4096 - (r->size - 4), arg_words, r->size - 4);
		EXPECT_EQ(-EFAULT, ctl_call(self->ctl, r->cmd, page + 4096 - (r->size - 4)))
			TH_LOG("%s", r->name);
		/* The last word that is there is part of the size only. */
		memcpy(page + 4094, arg_words, 2);
		EXPECT_EQ(-EFAULT, ctl_call(self->ctl, r->cmd, page + 4094))
			TH_LOG("%s", r->name);
		EXPECT_SAME_STATE() TH_LOG("%s", r->name);
	}
}

TEST_F(ioctl, reply_to_a_read_only_page_is_efault)
{
	const struct request *r;
	void *page;
	int ret;

	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, page);
	for_each_request(r) {
		if (_IOC_DIR(r->cmd) != (_IOC_READ | _IOC_WRITE))
			continue;
		ASSERT_EQ(0, mprotect(page, 4096, PROT_READ | PROT_WRITE));
		memcpy(page, VALID_ARG(r), r->size);
		ASSERT_EQ(0, mprotect(page, 4096, PROT_READ));
		ret = served(r, ctl_call(self->ctl, r->cmd, page));
		EXPECT_TRUE(ret == -EFAULT || (!ret && r->cmd == A32_IOC_NEXT_WANTED))
			TH_LOG("%s: %d", r->name, ret);
		EXPECT_SAME_STATE() TH_LOG("%s", r->name);
	}
}

TEST_F(ioctl, misaligned_argument_is_served)
{
	char *arg = (char *)arg_words + 4097;
	struct a32_info info;

	memset(&info, 0, sizeof(info));
	info.size = sizeof(info);
	memcpy(arg, &info, sizeof(info));
	EXPECT_EQ(0, ctl_call(self->ctl, A32_IOC_INFO, arg));
	memcpy(&info, arg, sizeof(info));
	EXPECT_EQ(A32_VERSION, info.version);
}

TEST_F(ioctl, unknown_request_is_enotty)
{
	unsigned int nr;

	for (nr = _IOC_NR(A32_IOC_NEXT_WANTED) + 1; nr < 256; nr++)
		EXPECT_EQ(-ENOTTY, ctl_call(self->ctl, _IOWR(A32_IOC_MAGIC, nr, struct a32_info),
					    arg_words));
	for (nr = 0; nr < 16; nr++) {
		EXPECT_EQ(-ENOTTY, ctl_call(self->ctl, _IOWR(0xA2, nr, struct a32_info),
					    arg_words));
		EXPECT_EQ(-ENOTTY, ctl_call(self->ctl, _IOWR(0, nr, struct a32_info), arg_words));
	}
	EXPECT_SAME_STATE();
}

TEST_HARNESS_MAIN
