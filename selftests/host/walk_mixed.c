// SPDX-License-Identifier: GPL-2.0
/*
 * ARM and Thumb functions in one file: in each instruction set, the other's code
 * reads as anything.
 */
#include "tap.h"
#include "walk_cases.h"

static struct thread t;

static u32 put(u32 at, const u16 *code, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		at = thread_code(&t, at, code[i], 2);
	return at;
}

#define PUT(at, code)	put(at, code, sizeof(code) / sizeof((code)[0]))

/*
 * Thumb code where the ABI is APCS, which counts from ip in ARM code:
 *	30002:	mov	fp, ip
 *	30004:	bl	38000
 */
static void thumb_with_apcs(void)
{
	static const u16 code[] = { 0x46e3, 0xf007, 0xfffc };
	static const u32 chain[] = { FUNCTION_AT + 2 };

	thread_init(&t, A32_ABI_APCS, false);
	PUT(FUNCTION_AT + 2, code);
	t.r[PC] = FUNCTION_AT + 2;
	t.r[IP] = CFA + 16;
	t.cpsr = 1 << 5;
	tap_result(walk_stops(&t, A32_STOP_UNDECIDED, 1, chain),
		   "Thumb code where the ABI is APCS");
}

void walk_mixed(void)
{
	thumb_with_apcs();
}
