/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a sampled program and the test that samples it share: the test passes a
 * file of this size as descriptor PAGE_FD.
 */
#ifndef _TARGETS_PAGE_H
#define _TARGETS_PAGE_H

#include <stdint.h>

#define PAGE_FD		100
#define PAGE_SIGNALS	4096
#define ASMCO_STACK	65536

/**
 * struct page_signal - one run of a signal handler
 * @begin: CLOCK_MONOTONIC ns, after everything else here was stored
 * @end: the same, at the handler's end; 0 until then
 * @pc: interrupted pc, bit 0 clear
 * @resume: what the handler makes of it at its end
 * @ra: the handler's return address, bit 0 clear
 * @outer: index of the run that this one interrupted, or -1
 */
struct page_signal {
	uint64_t begin;
	uint64_t end;
	uint32_t pc;
	uint32_t resume;
	uint32_t ra;
	int32_t outer;
};

/**
 * struct page - the shared page
 * @ready: set when everything is mapped and the tree runs
 * @stop: set by the test to end the program
 * @main_ra: where main() returns to in libc, bit 0 clear
 * @thread_ra: where a thread's start function returns to, bit 0 clear
 * @co_ra: the same of a coroutine's function, in libc
 * @asmco_ra: the same of one with a switch of its own
 * @clone_ra: the same of a thread made with clone()
 * @asmco_stack: that coroutine's stack, ASMCO_STACK bytes
 * @signals: how many of @signal are in use
 * @go: set by a test that has more to do before the program goes on
 */
struct page {
	uint32_t ready;
	uint32_t stop;
	uint32_t main_ra;
	uint32_t thread_ra;
	uint32_t co_ra;
	uint32_t asmco_ra;
	uint32_t clone_ra;
	uint32_t asmco_stack;
	uint32_t signals;
	uint32_t go;
	struct page_signal signal[PAGE_SIGNALS];
};

#endif /* _TARGETS_PAGE_H */
