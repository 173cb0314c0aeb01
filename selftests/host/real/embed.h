/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_REAL_EMBED_H
#define A32_REAL_EMBED_H

/* The file WORKLOAD, as a string: the emulator has no files to offer. */
extern const char workload[];
__asm__(".pushsection .rodata\n"
	"workload:\n"
	".incbin \"" WORKLOAD "\"\n"
	".byte 0\n"
	".popsection");

#endif
