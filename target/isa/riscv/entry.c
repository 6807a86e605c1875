/* SPDX-License-Identifier: MIT */
/*
 * What GCC's -pg calls on RISC-V: an ordinary call with the return address into the caller as its argument, made after
 * the prologue. So C will do. Knows nothing of the table.
 */
#include "recorder/recorder.h"

void _mcount(uintptr_t caller);

void _mcount(uintptr_t caller)
{
	if (block_is_recording())
		bareprof_arc_count(caller, (uintptr_t)__builtin_return_address(0));
}
