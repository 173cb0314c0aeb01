/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * a32uwind - user call chains for perf on 32-bit ARM: the contract between
 * the module and its users.
 *
 * Control is by ioctl on /dev/a32uwind. Every argument starts with a __u32
 * size that the caller sets to sizeof(its struct). A caller built against a
 * newer header than the module is served as long as the bytes that the module
 * does not know are zero; a caller built against an older header gets and
 * gives the fields it knows. The size that is part of an ioctl's number may
 * differ for the same reason and is not looked at. A refused request changes
 * nothing.
 *
 *   E2BIG      size is larger than the module knows and the rest is not zero
 *   EINVAL     size is below the first version of the struct, an unknown ABI
 *              or flag, a reserved field that is not zero, START >= END,
 *              misaligned bounds
 *   EFAULT     the argument can't be read or written
 *   EBADF      fd is not an open file
 *   EACCES     fd is not a regular file, or is not open for reading
 *   EBADMSG    the unwind table is not one, or not whole, or not as a32table.h
 *              says it has to be
 *   ESTALE     the unwind table is of a file of another size
 *   EFBIG      an unwind table above A32_TABLE_SIZE_MAX; or all of them would
 *              need more memory than the module parameter table_memory allows
 *   ESRCH      no such process, or it has no user memory
 *   ENOENT     no such rule or unwind table; past the last item of a listing
 *   EEXIST     the range overlaps another rule without being equal to it
 *   ENOSPC     more rules than A32_MAX_RULES on one file or process; without
 *              the capability, than A32_MAX_OWN_RULES on the caller's
 *   ENOMEM     out of memory
 *   EPERM      the caller has neither CAP_PERFMON nor CAP_SYS_ADMIN, in the
 *              first user namespace, and it is not about ranges of its own
 *              memory
 *   ENOTTY     no such ioctl
 */
#ifndef _UAPI_A32UWIND_H
#define _UAPI_A32UWIND_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define A32_VERSION		1
#define A32_PATH_MAX		256	/* with the terminating NUL; longer paths lose their head */
#define A32_MAX_RULES		4096	/* parts of one file, ranges of one process */
#define A32_MAX_OWN_RULES	256	/* ranges that a process can have tagged by itself */

/**
 * enum a32_abi - where a function keeps its caller's frame pointer and lr
 * @A32_ABI_NONE: not known; the chain ends there
 * @A32_ABI_APCS: r11 points at the saved pc, lr at -4, sp at -8, fp at -12
 *	(gcc -mapcs-frame)
 * @A32_ABI_AAPCS: r11 points at {caller's fp, lr} (clang -marm,
 *	-mframe-chain=aapcs; AAPCS32 section 6.2.1.4, frame pointer)
 * @A32_ABI_GCC: r11 points at the saved lr, caller's fp at -4; a leaf only
 *	saves fp and r11 points at that (gcc -marm -fno-omit-frame-pointer)
 * @A32_ABI_AAPCS_R7: r7 points at {caller's r7, lr} (clang -mthumb)
 * @A32_ABI_AUTO: in a rule: what the file's own prologues say. The module reads
 *	them once for each file, before code of it is run that needs to know
 * @A32_ABI_NR: number of ABIs that a rule can say
 * @A32_ABI_TABLE: in listings: the file has an unwind table
 * @A32_ABI_MIXED: found by A32_ABI_AUTO: parts of the file follow different
 *	ABIs, so it follows none
 * @A32_ABI_DEFAULT: no rule of its own: what the next less specific rule says
 */
enum a32_abi {
	A32_ABI_NONE		= 0,
	A32_ABI_APCS		= 1,
	A32_ABI_AAPCS		= 2,
	A32_ABI_GCC		= 3,
	A32_ABI_AAPCS_R7	= 4,
	A32_ABI_AUTO		= 5,
	A32_ABI_NR,
	A32_ABI_TABLE		= 253,
	A32_ABI_MIXED		= 254,
	A32_ABI_DEFAULT		= 255,
};

#define A32_ABI_NAMES { "none", "apcs", "aapcs", "gcc", "aapcs-r7", "auto" }

/**
 * enum a32_detect - how far A32_ABI_AUTO got with a file
 * @A32_DETECT_DONE: its code has been read
 * @A32_DETECT_NOT_YET: nothing has asked for it so far
 * @A32_DETECT_NO_FILE: memory that no file is behind, or made by the kernel
 * @A32_DETECT_NOT_ELF: not an ELF file
 * @A32_DETECT_NOT_ARM: an ELF file, but not of 32-bit little-endian ARM
 * @A32_DETECT_NO_CODE: an ELF file without a segment that is executable
 * @A32_DETECT_TRUNCATED: it ends before the code that its headers tell of
 * @A32_DETECT_UNREADABLE: reading it failed
 * @A32_DETECT_NR: number of these
 *
 * With all but A32_DETECT_DONE, what is found is A32_ABI_NONE.
 */
enum a32_detect {
	A32_DETECT_DONE		= 0,
	A32_DETECT_NOT_YET,
	A32_DETECT_NO_FILE,
	A32_DETECT_NOT_ELF,
	A32_DETECT_NOT_ARM,
	A32_DETECT_NO_CODE,
	A32_DETECT_TRUNCATED,
	A32_DETECT_UNREADABLE,
	A32_DETECT_NR,
};

#define A32_DETECT_NAMES {						\
	"done", "not looked at", "no file", "not an ELF file",		\
	"not for 32-bit little-endian ARM", "no executable segment",	\
	"truncated", "unreadable",					\
}

/**
 * enum a32_stop - why a chain ended
 * @A32_STOP_OUTERMOST: the thread's outermost frame: it has no return address
 * @A32_STOP_MAX_STACK: perf has no room for more entries
 * @A32_STOP_ABI_NONE: the code follows no known ABI
 * @A32_STOP_NO_MAPPING: the pc or return address is in no executable mapping
 * @A32_STOP_NOT_A_CALL: the instruction before the return address is no call
 * @A32_STOP_NO_PROGRESS: the caller's frame is not above this one
 * @A32_STOP_MISALIGNED: a frame or return address that no code could have
 * @A32_STOP_FAULT: a stack word is not in memory, or not readable
 * @A32_STOP_CODE_FAULT: code that had to be read is not in memory
 * @A32_STOP_UNDECIDED: the code around pc does not say where lr is
 * @A32_STOP_UNPROVEN: the frame register, or sp, was not preserved for certain,
 *	and what it points at is no frame
 * @A32_STOP_BAD_SIGFRAME: a signal trampoline without its signal frame
 * @A32_STOP_SIG_DEPTH: more nested signal frames than a walk follows
 * @A32_STOP_NO_INDEX: the process's mappings are not indexed (yet)
 * @A32_STOP_URETPROBE: a uretprobe has put its own return address in the place
 *	of the true one, which can't be told
 * @A32_STOP_TABLE: the file's unwind table says that it does not know, or knows
 *	it of a sampled frame only
 * @A32_STOP_NO_DATA: the file's unwind table has nothing about that code
 * @A32_STOP_NR: number of reasons
 */
enum a32_stop {
	A32_STOP_OUTERMOST	= 0,
	A32_STOP_MAX_STACK,
	A32_STOP_ABI_NONE,
	A32_STOP_NO_MAPPING,
	A32_STOP_NOT_A_CALL,
	A32_STOP_NO_PROGRESS,
	A32_STOP_MISALIGNED,
	A32_STOP_FAULT,
	A32_STOP_CODE_FAULT,
	A32_STOP_UNDECIDED,
	A32_STOP_UNPROVEN,
	A32_STOP_BAD_SIGFRAME,
	A32_STOP_SIG_DEPTH,
	A32_STOP_NO_INDEX,
	A32_STOP_URETPROBE,
	A32_STOP_TABLE,
	A32_STOP_NO_DATA,
	A32_STOP_NR,
};

#define A32_STOP_NAMES {						\
	"outermost", "max_stack", "abi_none", "no_mapping",		\
	"not_a_call", "no_progress", "misaligned", "fault",		\
	"code_fault", "undecided", "unproven", "bad_sigframe",		\
	"sig_depth", "no_index", "uretprobe", "table_stop",		\
	"no_data",							\
}

/* Room for reasons that later versions add; those past A32_STOP_NR are 0. */
#define A32_STOP_ROOM		32

enum a32_hook {
	A32_HOOK_FTRACE		= 1,
	A32_HOOK_KPROBE		= 2,
};

/* Which rule gave a mapping its ABI; the more specific first. */
enum a32_rule_kind {
	A32_RULE_RANGE		= 1,	/* a range of one process */
	A32_RULE_PART		= 2,	/* a part of a file */
	A32_RULE_FILE		= 3,	/* a whole file */
	A32_RULE_DEFAULT	= 4,	/* the default */
	A32_RULE_SPECIAL	= 5,	/* the kernel's own: vdso, sigpage, uprobes */
	A32_RULE_TABLE		= 6,	/* the file's unwind table, before all of these */
};

/**
 * struct a32_info - A32_IOC_INFO: what is running
 * @size: sizeof(struct a32_info)
 * @version: A32_VERSION of the module
 * @hook: enum a32_hook
 * @enabled: 1 when chains are walked by this module, 0 for the stock walker
 * @default_abi: enum a32_abi
 * @processes: processes whose mappings are indexed
 * @files: files that are mapped executable, or have a rule
 * @rules: rules on files, parts and ranges
 * @missed: samples that the hook could not see (kprobe only)
 * @reserved: 0
 * @bodies: KiB of what is known of functions' bodies, in all files
 * @pending: files whose functions are being gone through
 */
struct a32_info {
	__u32 size;
	__u32 version;
	__u32 hook;
	__u32 enabled;
	__u32 default_abi;
	__u32 processes;
	__u32 files;
	__u32 rules;
	__u32 missed;
	__u32 reserved;
	__u32 bodies;
	__u32 pending;
};

/**
 * struct a32_set - A32_IOC_SET_DEFAULT, A32_IOC_SET_ENABLED
 * @size: sizeof(struct a32_set)
 * @value: enum a32_abi but A32_ABI_DEFAULT, or 0 and 1
 */
struct a32_set {
	__u32 size;
	__u32 value;
};

/**
 * struct a32_tag_file - A32_IOC_TAG_FILE, A32_IOC_UNTAG_FILE
 * @size: sizeof(struct a32_tag_file)
 * @fd: the file, open for reading
 * @abi: enum a32_abi; 0 to untag
 * @flags: 0, or A32_UNTAG_STALE
 * @start: first file offset in bytes, a multiple of 2; 0 with @end 0: the file
 * @end: file offset behind the last byte, a multiple of 2
 *
 * The file is known by device, inode, size and modification time from then
 * on: a changed or replaced file no longer follows the rule. Tagging the same
 * part again replaces its ABI. Tagging a file drops the rules on what it was
 * before it changed, and on what stood under its name. Untagging with both
 * offsets 0 drops all rules on the file and its parts, those before a change
 * included; without any it is ENOENT. A32_UNTAG_STALE drops the rules of all
 * files that were replaced, changed or removed; @fd is not looked at then.
 */
struct a32_tag_file {
	__u32 size;
	__s32 fd;
	__u32 abi;
	__u32 flags;
	__u64 start;
	__u64 end;
};

#define A32_UNTAG_STALE		1	/* a32_tag_file.flags */

/**
 * struct a32_tag_range - A32_IOC_TAG_RANGE, A32_IOC_UNTAG_RANGE
 * @size: sizeof(struct a32_tag_range)
 * @pid: the process, as the caller sees it
 * @abi: enum a32_abi; 0 to untag
 * @flags: 0
 * @start: first address, bit 0 clear
 * @end: address behind the last byte, bit 0 clear; in user space
 *
 * The rule goes with the process's memory: a fork inherits it, an exec or the
 * last exit drops it. Tagging the same range again replaces its ABI. Untagging
 * takes the very range that was tagged.
 *
 * Any user may do this with @pid its own process: a JIT compiler says what its
 * code looks like. No more than A32_MAX_OWN_RULES ranges can come of that.
 */
struct a32_tag_range {
	__u32 size;
	__s32 pid;
	__u32 abi;
	__u32 flags;
	__u32 start;
	__u32 end;
};

/**
 * struct a32_load_table - A32_IOC_LOAD_TABLE, A32_IOC_UNLOAD_TABLE
 * @size: sizeof(struct a32_load_table)
 * @fd: the file, open for reading
 * @ptr: address of its unwind table (a32table.h); 0 to unload
 * @len: bytes of that; 0 to unload
 * @flags: 0
 *
 * From then on, all frames in that file are followed by the table, in all
 * processes, and rules on it have no effect. The table is copied and checked
 * whole; one that the file had before goes. It belongs to the file as a rule
 * does: a changed or replaced file has none. Loading one also drops those of
 * what the file was before it changed, and of what stood under its name;
 * A32_UNTAG_STALE those of all files that were replaced, changed or removed.
 */
struct a32_load_table {
	__u32 size;
	__s32 fd;
	__u64 ptr;
	__u32 len;
	__u32 flags;
};

/**
 * struct a32_rule_item - A32_IOC_NEXT_RULE: list rules on files, one a call
 * @size: sizeof(struct a32_rule_item)
 * @cursor: in: 0 or what the last call gave; out: for the next call
 * @kind: A32_RULE_FILE, A32_RULE_PART or A32_RULE_RANGE; A32_RULE_TABLE for an
 *	unwind table
 * @abi: enum a32_abi; A32_ABI_TABLE with A32_RULE_TABLE
 * @start: file offset, or address
 * @end: file offset, or address; 0 with A32_RULE_FILE and A32_RULE_TABLE
 * @ino: the file's inode number, 0 with A32_RULE_RANGE
 * @major: the file's device
 * @minor: the file's device
 * @pid: A32_RULE_RANGE: a process with that memory; else 0
 * @stale: 1 when the file under @path was replaced or changed;
 *	A32_STALE_ELSEWHERE when @path counts from another root than the caller's,
 *	that of a container or chroot, so that it is not looked at
 * @path: the file's name when it was tagged
 * @found: what A32_ABI_AUTO has found of the file: enum a32_abi but
 *	A32_ABI_AUTO, A32_ABI_MIXED included; 0 with A32_RULE_RANGE
 * @detect: enum a32_detect: why @found is what it is
 * @table_memory: A32_RULE_TABLE: bytes of the kernel's memory that it takes
 * @table_rows: A32_RULE_TABLE: its rows
 *
 * ENOENT past the last one. Callers of before A32_ABI_AUTO get no @found, those
 * of before A32_RULE_TABLE no @table_memory.
 */
struct a32_rule_item {
	__u32 size;
	__u32 kind;
	__u64 cursor;
	__u32 abi;
	__s32 pid;
	__u64 start;
	__u64 end;
	__u64 ino;
	__u32 major;
	__u32 minor;
	__u32 stale;
	__u32 reserved;
	char path[A32_PATH_MAX];
	__u32 found;
	__u32 detect;
	__u32 table_memory;
	__u32 table_rows;
};

#define A32_STALE_ELSEWHERE	2	/* a32_rule_item.stale */

/**
 * struct a32_map_item - A32_IOC_NEXT_MAP: one executable range of a process
 * @size: sizeof(struct a32_map_item)
 * @pid: the process
 * @start: in: list the first range that ends above it; out: its start
 * @end: out: address behind its last byte; @start for the next call
 * @abi: the ABI in force, or A32_ABI_TABLE
 * @rule: enum a32_rule_kind
 * @offset: file offset of @start in bytes
 * @path: the mapped file's name, or [vdso], [sigpage], [uprobes], [anon]
 * @says: what @rule says: @abi, A32_ABI_TABLE included, or A32_ABI_AUTO
 * @found: what A32_ABI_AUTO has found of the file, as in struct a32_rule_item
 * @detect: enum a32_detect: why @found is what it is
 * @reserved: 0
 *
 * ENOENT past the last one. Callers of before A32_ABI_AUTO get neither @says
 * nor @found.
 */
struct a32_map_item {
	__u32 size;
	__s32 pid;
	__u32 start;
	__u32 end;
	__u32 abi;
	__u32 rule;
	__u64 offset;
	char path[A32_PATH_MAX];
	__u32 says;
	__u32 found;
	__u32 detect;
	__u32 reserved;
};

/**
 * struct a32_stats - A32_IOC_STATS, A32_IOC_NEXT_FILE_STATS: counts
 * @size: sizeof(struct a32_stats)
 * @reserved: 0
 * @cursor: NEXT_FILE_STATS: in: 0 or what the last call gave; out: for the
 *	next call
 * @samples: user chains asked for; of a file: those whose pc lies in it
 * @frames: entries given to perf; of a file: those that lie in it
 * @stop: chains by the reason they ended for; of a file: those that ended in it
 * @path: NEXT_FILE_STATS: the file's name
 *
 * A32_IOC_STATS gives the totals. @samples is the sum of @stop there.
 * A32_IOC_RESET_STATS sets all of them to 0.
 */
struct a32_stats {
	__u32 size;
	__u32 reserved;
	__u64 cursor;
	__u64 samples;
	__u64 frames;
	__u64 stop[A32_STOP_ROOM];
	char path[A32_PATH_MAX];
};

/**
 * struct a32_wanted - A32_IOC_NEXT_WANTED: a file that wants an unwind table
 * @size: sizeof(struct a32_wanted)
 * @lost: files that the module has forgotten before they were listed, since it
 *	was loaded
 * @cursor: in: 0 or what the last call gave; out: for the next call
 * @mtime_sec: the file's modification time
 * @ino: its inode number
 * @file_size: its bytes
 * @mtime_nsec: nanoseconds of @mtime_sec
 * @major: its device
 * @minor: its device
 * @pid: a process that has it mapped executable now, the one that was sampled if
 *	it is still there; or 0
 * @start: where: /proc/PID/map_files/START-END is the file as long as that is
 *	so, with START and END in hexadecimal and without leading zeros
 * @end: address behind the last byte
 * @path: its name, as the process saw it that mapped it first
 *
 * A chain has ended in that file because it follows no ABI: A32_ABI_AUTO has
 * found none in it, or several. It is listed until it has a table, or a rule
 * other than A32_ABI_AUTO; when these have gone, it is listed anew once
 * a chain ends in it. A file that is changed or replaced is another one.
 *
 * ENOENT past the last one; from then on, poll() waits for another, and says
 * POLLIN. To those who may not ask it says POLLERR.
 *
 * There is no queue that could be full: files are kept in mind as long as they
 * are mapped, and up to 1024 of those that aren't any more. One that is lost is
 * listed when it is mapped, and a chain ends in it, another time.
 */
struct a32_wanted {
	__u32 size;
	__u32 lost;
	__u64 cursor;
	__s64 mtime_sec;
	__u64 ino;
	__u64 file_size;
	__u32 mtime_nsec;
	__u32 major;
	__u32 minor;
	__s32 pid;
	__u32 start;
	__u32 end;
	char path[A32_PATH_MAX];
};

#define A32_IOC_MAGIC		0xA3
#define A32_IOC_INFO		_IOWR(A32_IOC_MAGIC, 0, struct a32_info)
#define A32_IOC_SET_DEFAULT	_IOW(A32_IOC_MAGIC, 1, struct a32_set)
#define A32_IOC_SET_ENABLED	_IOW(A32_IOC_MAGIC, 2, struct a32_set)
#define A32_IOC_TAG_FILE	_IOW(A32_IOC_MAGIC, 3, struct a32_tag_file)
#define A32_IOC_UNTAG_FILE	_IOW(A32_IOC_MAGIC, 4, struct a32_tag_file)
#define A32_IOC_TAG_RANGE	_IOW(A32_IOC_MAGIC, 5, struct a32_tag_range)
#define A32_IOC_UNTAG_RANGE	_IOW(A32_IOC_MAGIC, 6, struct a32_tag_range)
#define A32_IOC_NEXT_RULE	_IOWR(A32_IOC_MAGIC, 7, struct a32_rule_item)
#define A32_IOC_NEXT_MAP	_IOWR(A32_IOC_MAGIC, 8, struct a32_map_item)
#define A32_IOC_STATS		_IOWR(A32_IOC_MAGIC, 9, struct a32_stats)
#define A32_IOC_NEXT_FILE_STATS	_IOWR(A32_IOC_MAGIC, 10, struct a32_stats)
#define A32_IOC_RESET_STATS	_IO(A32_IOC_MAGIC, 11)
#define A32_IOC_LOAD_TABLE	_IOW(A32_IOC_MAGIC, 12, struct a32_load_table)
#define A32_IOC_UNLOAD_TABLE	_IOW(A32_IOC_MAGIC, 13, struct a32_load_table)
#define A32_IOC_NEXT_WANTED	_IOWR(A32_IOC_MAGIC, 14, struct a32_wanted)

#endif /* _UAPI_A32UWIND_H */
