// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that follow another convention than their file: oddasm.S, and
 * libgcc's 64-bit division, which is linked into whatever divides.
 */
#include <string.h>
#include <sys/mman.h>

#include "node.h"
#include "page.h"

unsigned int saved_lr(unsigned int x), lr_is_text(unsigned int x);
unsigned int lr_is_stack(unsigned int x), lr_moved(unsigned int x);
unsigned int lr_moved_stacked(unsigned int x), frame_is_number(unsigned int x);
unsigned int between(unsigned int x), between_moved(unsigned int x);
unsigned int number_between(unsigned int x), first_of_two(unsigned int x);

struct page *page;

/* Functions with records, and as callers of what is to be found. */
#define CALLER(name)							\
NODE unsigned int call_##name(unsigned int x)				\
{									\
	return mix(name(mix(x)));					\
}

#define CALLEE(name)							\
LEAF(name##_leaf, 20)							\
									\
NODE unsigned int name(unsigned int x)					\
{									\
	return mix(name##_leaf(x));					\
}

CALLER(saved_lr)
CALLER(lr_is_text)
CALLER(lr_is_stack)
CALLER(lr_moved)
CALLER(lr_moved_stacked)
CALLER(frame_is_number)
CALLER(between)
CALLER(between_moved)
CALLER(number_between)
CALLER(first_of_two)

CALLEE(between_callee)
CALLEE(between_moved_callee)
CALLEE(number_between_callee)

NODE unsigned int divide(unsigned int x)
{
	uint64_t a = (uint64_t)x << 20 | x, b = (x & 0xff) + 1ull;

	OPAQUE(b);
	return mix((unsigned int)(a / b));
}

NODE unsigned int root(unsigned int x)
{
	x = divide(x);
	x = call_saved_lr(x);
	x = call_lr_is_text(x);
	x = call_lr_is_stack(x);
	x = call_lr_moved(x);
	x = call_lr_moved_stacked(x);
	x = call_frame_is_number(x);
	x = call_between(x);
	x = call_between_moved(x);
	x = call_number_between(x);
	x = call_first_of_two(x);
	return mix(x);
}

int main(void)
{
	unsigned int x = 1;

	page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_SHARED,
		    PAGE_FD, 0);
	if (page == MAP_FAILED)
		return 1;
	page->main_ra = RETURN_ADDRESS();
	page->ready = 1;

	while (!*(volatile uint32_t *)&page->stop)
		x = root(x);
	return 0;
}
