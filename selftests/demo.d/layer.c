// SPDX-License-Identifier: GPL-2.0
/*
 * One library of the player: OUTER calls OUTER_NEXT, INNER calls INNER_NEXT,
 * which are in other libraries. The innermost of all has no INNER_NEXT.
 */
#include "player.h"

unsigned int OUTER(unsigned int x)
{
	x = work(x, 4);
	x = OUTER_NEXT(x);
	return work(x, 4);
}

unsigned int INNER(unsigned int x)
{
	x = work(x, 20);
#ifdef INNER_NEXT
	x = INNER_NEXT(x);
#endif
	return work(x, 20);
}
