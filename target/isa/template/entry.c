/* SPDX-License-Identifier: MIT */
/*
 * To copy for another ISA: the function that -pg calls there. In C if the compiler calls it like any function and names
 * the caller; in assembly (entry.S) if registers must survive that a C function may change. Knows nothing of the table.
 *
 * The gate comes first: until it is open the block may be garbage, and nothing of it may be touched.
 */
#include "recorder/recorder.h"

void _mcount(uintptr_t caller);

void _mcount(uintptr_t caller)
{
	if (block_is_recording())
		bareprof_arc_count(caller, (uintptr_t)__builtin_return_address(0));
}
