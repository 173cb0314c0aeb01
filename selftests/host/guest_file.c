// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "guest_call.h"

/* What a call on the host has returned */
static u32 result(long ret)
{
	return ret < 0 ? guest_error(errno) : (u32)ret;
}

u32 guest_new_fd(struct guest *g, int fd)
{
	u32 i;

	for (i = 3; i < GUEST_FDS; i++) {
		if (!g->fd[i]) {
			g->fd[i] = fd + 1;
			return i;
		}
	}
	close(fd);
	return guest_error(EMFILE);
}

int guest_open(struct guest *g, const char *path, int flags)
{
	struct open_how how = { .flags = O_RDONLY | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT };
	int root, fd;

	errno = ENOENT;
	if (!g->root || (flags & O_ACCMODE) != O_RDONLY)
		return -1;
	root = open(g->root, O_PATH | O_DIRECTORY);
	fd = syscall(SYS_openat2, root, path, &how, sizeof(how));
	close(root);
	return fd;
}

static const char *string_at(struct guest *g, u32 addr)
{
	return guest_at(g, addr, 1);
}

static u32 open_path(struct guest *g, u32 addr, u32 flags)
{
	const char *path = string_at(g, addr);
	int fd;

	if (!path)
		return guest_error(EFAULT);
	fd = guest_open(g, path, flags);
	return fd < 0 ? guest_error(errno) : guest_new_fd(g, fd);
}

static u32 do_open(struct guest *g, const u32 *r)
{
	return open_path(g, r[0], r[1]);
}

static u32 do_openat(struct guest *g, const u32 *r)
{
	return open_path(g, r[1], r[2]);
}

static u32 do_close(struct guest *g, const u32 *r)
{
	int fd = guest_fd(g, r[0]);

	if (fd < 0)
		return guest_error(EBADF);
	if (r[0] > 2)
		close(fd);
	g->fd[r[0]] = 0;
	return 0;
}

static u32 do_read(struct guest *g, const u32 *r)
{
	void *buf = guest_at(g, r[1], r[2]);

	return buf ? result(read(guest_fd(g, r[0]), buf, r[2])) : guest_error(EFAULT);
}

/* A 64-bit argument is in an even pair of registers. */
static u32 do_pread64(struct guest *g, const u32 *r)
{
	void *buf = guest_at(g, r[1], r[2]);
	u64 offset = r[4] | (u64)r[5] << 32;

	return buf ? result(pread(guest_fd(g, r[0]), buf, r[2], offset)) : guest_error(EFAULT);
}

static u32 write_out(struct guest *g, u32 fd, const void *buf, u32 size)
{
	/* Files are open for reading only; an eventfd can be written to. */
	if (fd != 1 && fd != 2)
		return result(write(guest_fd(g, fd), buf, size));
	if (g->talk || fd == 2)
		fwrite(buf, 1, size, stderr);
	return size;
}

static u32 do_write(struct guest *g, const u32 *r)
{
	void *buf = guest_at(g, r[1], r[2]);

	return buf ? write_out(g, r[0], buf, r[2]) : guest_error(EFAULT);
}

static u32 do_writev(struct guest *g, const u32 *r)
{
	const u32 *iov = guest_at(g, r[1], 8 * r[2]);
	u32 done = 0, i;

	for (i = 0; iov && i < r[2]; i++) {
		const u32 piece[3] = { r[0], iov[2 * i], iov[2 * i + 1] };
		u32 ret = do_write(g, piece);

		if (ret > piece[2])
			return ret;
		done += ret;
	}
	return iov ? done : guest_error(EFAULT);
}

static u32 do_lseek(struct guest *g, const u32 *r)
{
	return result(lseek(guest_fd(g, r[0]), (s32)r[1], r[2]));
}

static u32 do_llseek(struct guest *g, const u32 *r)
{
	off_t at = lseek(guest_fd(g, r[0]), (u64)r[1] << 32 | r[2], r[4]);
	u64 *result_at = guest_at(g, r[3], 8);

	if (at < 0)
		return guest_error(errno);
	if (!result_at)
		return guest_error(EFAULT);
	memcpy(result_at, &at, 8);
	return 0;
}

/* struct stat64 in arch/arm/include/uapi/asm/stat.h; EABI aligns 64 bits to 8. */
struct guest_stat {
	u64 dev;
	u32 pad0, ino32, mode, nlink, uid, gid;
	u64 rdev;
	u64 pad3;
	u64 size;
	u32 blksize, pad4;
	u64 blocks;
	u32 atime, atime_nsec, mtime, mtime_nsec, ctime, ctime_nsec;
	u64 ino;
};

static u32 put_stat(struct guest *g, u32 addr, const struct stat *st)
{
	struct guest_stat *to = guest_at(g, addr, sizeof(*to));

	if (!to)
		return guest_error(EFAULT);
	*to = (struct guest_stat){
		.dev = 1, .ino32 = st->st_ino, .ino = st->st_ino, .mode = st->st_mode, .nlink = 1,
		.size = st->st_size, .blksize = GUEST_PAGE, .blocks = (st->st_size + 511) / 512,
	};
	return 0;
}

static u32 do_fstat64(struct guest *g, const u32 *r)
{
	struct stat st = { .st_mode = S_IFIFO | 0600 };
	int fd = guest_fd(g, r[0]);

	if (fd < 0)
		return guest_error(EBADF);
	if (r[0] > 2 && fstat(fd, &st))
		return guest_error(errno);
	return put_stat(g, r[1], &st);
}

static u32 stat_path(struct guest *g, u32 path, u32 to)
{
	const char *name = string_at(g, path);
	struct stat st;
	int fd;

	if (!name)
		return guest_error(EFAULT);
	fd = guest_open(g, name, O_RDONLY);
	if (fd < 0)
		return guest_error(errno);
	fstat(fd, &st);
	close(fd);
	return put_stat(g, to, &st);
}

static u32 do_stat64(struct guest *g, const u32 *r)
{
	return stat_path(g, r[0], r[1]);
}

static u32 do_fstatat64(struct guest *g, const u32 *r)
{
	const char *name = string_at(g, r[1]);

	if (name && !*name)
		return do_fstat64(g, (const u32[]){ r[0], r[2] });
	return stat_path(g, r[1], r[2]);
}

/* struct statx is the same everywhere. */
static u32 do_statx(struct guest *g, const u32 *r)
{
	struct statx *to = guest_at(g, r[4], sizeof(*to));
	const char *name = string_at(g, r[1]);
	int fd, ret;

	if (!to || !name)
		return guest_error(EFAULT);
	if (!*name)
		return result(statx(guest_fd(g, r[0]), "", AT_EMPTY_PATH, r[3], to));
	fd = guest_open(g, name, O_RDONLY);
	if (fd < 0)
		return guest_error(errno);
	ret = statx(fd, "", AT_EMPTY_PATH, r[3], to);
	close(fd);
	return result(ret);
}

static u32 access_path(struct guest *g, u32 path)
{
	int fd;

	if (!string_at(g, path))
		return guest_error(EFAULT);
	fd = guest_open(g, string_at(g, path), O_RDONLY);
	if (fd < 0)
		return guest_error(errno);
	close(fd);
	return 0;
}

static u32 do_access(struct guest *g, const u32 *r)
{
	return access_path(g, r[0]);
}

static u32 do_faccessat(struct guest *g, const u32 *r)
{
	return access_path(g, r[1]);
}

static u32 do_readlink(struct guest *g, const u32 *r)
{
	return guest_error(EINVAL);
}

static u32 do_getdents64(struct guest *g, const u32 *r)
{
	void *buf = guest_at(g, r[1], r[2]);

	if (!buf)
		return guest_error(EFAULT);
	return result(syscall(SYS_getdents64, guest_fd(g, r[0]), buf, r[2]));
}

static u32 do_getcwd(struct guest *g, const u32 *r)
{
	char *buf = guest_at(g, r[0], 2);

	if (!buf)
		return guest_error(EFAULT);
	memcpy(buf, "/", 2);
	return 2;
}

static u32 do_ioctl(struct guest *g, const u32 *r)
{
	return guest_error(ENOTTY);
}

static u32 do_fcntl64(struct guest *g, const u32 *r)
{
	if (guest_fd(g, r[0]) < 0)
		return guest_error(EBADF);
	switch (r[1]) {
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
		return guest_new_fd(g, dup(guest_fd(g, r[0])));
	default:
		return 0;
	}
}

const struct guest_call guest_file_calls[] = {
	{ 3, do_read }, { 4, do_write }, { 5, do_open }, { 6, do_close }, { 19, do_lseek },
	{ 33, do_access }, { 54, do_ioctl }, { 85, do_readlink }, { 140, do_llseek },
	{ 146, do_writev }, { 180, do_pread64 }, { 183, do_getcwd }, { 195, do_stat64 },
	{ 196, do_stat64 }, { 197, do_fstat64 }, { 217, do_getdents64 }, { 221, do_fcntl64 },
	{ 322, do_openat }, { 327, do_fstatat64 }, { 332, do_readlink }, { 334, do_faccessat },
	{ 397, do_statx }, { 439, do_faccessat }, { }
};
