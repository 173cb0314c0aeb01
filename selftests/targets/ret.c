// SPDX-License-Identifier: GPL-2.0
/*
 * Functions whose return the test probes: all that are named in ret_names[] of
 * uretprobes.c. Those that longjmp() leaves are called JUMPS times in all: ARM's
 * uretprobes keep what they know of each such call until the thread ends, and
 * give up at 64.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>

#include "node.h"
#include "page.h"

#define DEPTH		12	/* as in ret.edges */
#define JUMPS		12
#define LONG		2000000	/* rounds: a call that is left is sampled while it lasts */

struct page *page;
static jmp_buf outer_buf, inner_buf;

LEAF(nested_leaf, 2000)

NODE unsigned int nested_third(unsigned int x)
{
	return mix(nested_leaf(mix(x)));
}

NODE unsigned int nested_second(unsigned int x)
{
	return mix(nested_third(mix(x)));
}

NODE unsigned int nested_first(unsigned int x)
{
	return mix(nested_second(mix(x)));
}

LEAF(probed_leaf, 2000)

NODE unsigned int call_probed_leaf(unsigned int x)
{
	return mix(probed_leaf(mix(x)));
}

LEAF(recurse_leaf, 2000)

NODE unsigned int recurse(unsigned int x, unsigned int depth)
{
	if (!depth)
		return mix(recurse_leaf(x));
	return mix(recurse(x, depth - 1));
}

LEAF(tail_leaf, 2000)

NODE unsigned int tail_target(unsigned int x)
{
	return mix(tail_leaf(x));
}

NODE unsigned int tail(unsigned int x)
{
	return tail_target(mix(x));
}

NODE unsigned int call_tail(unsigned int x)
{
	return mix(tail(mix(x)));
}

LEAF(variadic_leaf, 2000)

NODE unsigned int variadic(unsigned int count, ...)
{
	unsigned int x = 0;
	va_list ap;

	va_start(ap, count);
	while (count--)
		x += va_arg(ap, unsigned int);
	va_end(ap);
	return mix(variadic_leaf(x));
}

LEAF(throw_leaf, LONG / 4)

NODE unsigned int throw(unsigned int x)
{
	x = throw_leaf(x);
	KEEP(x);
	longjmp(inner_buf, 1);
}

LEAF(catch_leaf, LONG)

/* Goes on above a probed call that never returns, and doesn't return either. */
NODE unsigned int catch(unsigned int x)
{
	if (!_setjmp(inner_buf))
		throw(x);
	x = catch_leaf(x);
	KEEP(x);
	longjmp(outer_buf, 1);
}

NODE unsigned int jump(unsigned int x)
{
	static unsigned int jumps;

	if (jumps++ < JUMPS && !_setjmp(outer_buf))
		catch(x);
	return mix(x);
}

NODE unsigned int root(unsigned int x)
{
	x = nested_first(x);
	x = call_probed_leaf(x);
	x = recurse(x, DEPTH);
	x = call_tail(x);
	x += variadic(3, x, 1, 2);
	x = jump(x);
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

	/* Calls that the probes have not seen begin would be mixed with others. */
	while (!*(volatile uint32_t *)&page->go)
		;
	while (!*(volatile uint32_t *)&page->stop)
		x = root(x);
	return 0;
}
