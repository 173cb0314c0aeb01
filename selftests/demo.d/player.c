// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>

#include "player.h"

static __attribute__((noinline)) unsigned int play_frame(unsigned int x)
{
	x = scene_render(x);
	return work(x, 8);
}

int main(int argc, char **argv)
{
	unsigned int frames = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	unsigned int x = 1;

	while (frames--)
		x = play_frame(x);
	printf("%u\n", x);
	return 0;
}
