// SPDX-License-Identifier: GPL-2.0
/*
 * jit.c - code that is made at run time, in perf's call chains
 *
 * Code of a just-in-time compiler is in no file, so nobody can say for it which
 * frame ABI it follows, and chains end there, with the reason abi_none. The
 * process itself knows, and it can say so without any privilege, by an ioctl on
 * /dev/a32uwind:
 *
 *	arm-linux-gnueabihf-gcc -O2 -marm -fno-omit-frame-pointer -I../uapi -o jit jit.c
 *	perf record -g ./jit 3 && perf report
 *
 * Then there is main() in the chains, below two functions without a name:
 *
 *	jit.c		calls outer
 *	outer		made at run time, calls inner
 *	inner		made at run time, counts down
 *
 * "./jit -n 3" does not say so, to see what happens then.
 *
 * All that a compiler has to do for it: keep a frame record in each of its
 * functions, the same kind in all of them, and tell the kernel about the memory
 * that it puts them in, once, before or after they are written.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "a32uwind.h"

#define SIZE	4096		/* of the code, rounded up to pages */

/*
 * The AAPCS's frame record: r11 points at {caller's r11, lr}. So each function
 * begins with "push {fp, lr}; mov fp, sp", and this is A32_ABI_AAPCS.
 */
static const uint32_t code[] = {
	/* outer: */
	0xe92d4800,	/*	push	{fp, lr}	*/
	0xe1a0b00d,	/*	mov	fp, sp		*/
	0xeb000000,	/*	bl	inner		*/
	0xe8bd8800,	/*	pop	{fp, pc}	*/
	/* inner: */
	0xe92d4800,	/*	push	{fp, lr}	*/
	0xe1a0b00d,	/*	mov	fp, sp		*/
	0xe2500001,	/* 1:	subs	r0, r0, #1	*/
	0x1afffffd,	/*	bne	1b		*/
	0xe8bd8800,	/*	pop	{fp, pc}	*/
};

/* Makes the code, and returns where it is. */
static void *compile(void)
{
	void *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	memcpy(memory, code, sizeof(code));
	if (mprotect(memory, SIZE, PROT_READ | PROT_EXEC))
		return NULL;
	__builtin___clear_cache(memory, (char *)memory + sizeof(code));
	return memory;
}

/*
 * Says which ABI some of this process's memory follows. That lasts until it is
 * said otherwise, or the process ends or execs another program; a fork inherits
 * it. The device is not needed any more afterwards, and while it is open the
 * module can't be unloaded.
 */
static int tag(const void *memory, size_t size, uint32_t abi)
{
	struct a32_tag_range range = {
		.size = sizeof(range), .pid = getpid(), .abi = abi,
		.start = (uintptr_t)memory, .end = (uintptr_t)memory + size,
	};
	int fd, err;

	fd = open("/dev/a32uwind", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	err = ioctl(fd, A32_IOC_TAG_RANGE, &range);
	close(fd);
	return err;
}

int main(int argc, char **argv)
{
	int says = argc < 2 || strcmp(argv[1], "-n");
	const char *seconds = argv[says ? 1 : 2];
	time_t end = time(NULL) + (seconds ? atoi(seconds) : 1);
	void (*outer)(unsigned int count) = compile();

	if (!outer) {
		perror("no memory for code");
		return 1;
	}
	/* Without the module all is as it ever was: that is no reason not to run. */
	if (says && tag(outer, SIZE, A32_ABI_AAPCS))
		perror("/dev/a32uwind");
	printf("made at run time: 0x%lx\n", (unsigned long)outer);
	fflush(stdout);
	while (time(NULL) < end)
		outer(1000000);
	return 0;
}
