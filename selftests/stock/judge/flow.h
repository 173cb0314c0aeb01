/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether a call can have led to an address: where a direct call goes to, and
 * all that is reached from there by jumps, tail calls included. Nothing here
 * knows how the unwinder under test decodes an instruction.
 */
#ifndef STOCK_FLOW_H
#define STOCK_FLOW_H

#include "file.h"
#include "process.h"

enum flow {
	FLOW_YES,
	FLOW_NO,
	FLOW_UNKNOWN,	/* through a register, or to where no jump goes: a landing pad */
};

/**
 * flow_leads() - whether the call that ends at @ret can have led to @offset
 * @proc: the process; it says which file defines a symbol
 * @caller: file of the call
 * @ret: the return address, an offset in @caller
 * @callee: file of the entry above it in a chain; NULL when not known
 * @offset: that entry, an offset in @callee
 */
enum flow flow_leads(const struct process *proc, struct file *caller, uint32_t ret,
		     struct file *callee, uint32_t offset);

#endif /* STOCK_FLOW_H */
