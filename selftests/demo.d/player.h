/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program as a set-top box might have it: each library comes from another
 * vendor and compiler, and a frame goes through each of them twice.
 */
#ifndef DEMO_PLAYER_H
#define DEMO_PLAYER_H

unsigned int scene_render(unsigned int x);
unsigned int codec_decode(unsigned int x);
unsigned int mixer_blend(unsigned int x);
unsigned int screen_update(unsigned int x);
unsigned int codec_filter(unsigned int x);
unsigned int scene_shade(unsigned int x);
unsigned int mixer_add(unsigned int x);
unsigned int screen_pixel(unsigned int x);

/* Some arithmetic that no compiler can leave out or take out of its loop. */
static inline __attribute__((always_inline)) unsigned int work(unsigned int x, unsigned int rounds)
{
	while (rounds--) {
		x = x * 33 ^ x >> 5;
		__asm__ volatile("" : "+r"(x));
	}
	return x;
}

#endif /* DEMO_PLAYER_H */
