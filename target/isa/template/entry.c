/* SPDX-License-Identifier: MIT */
/*
 * A template for another ISA: the function that -pg calls there. Write it in C if the compiler calls it like any
 * function and passes the caller; in assembly (entry.S) if registers must survive that a C function may change, or if
 * calls must cost less: an entry may test the gate and look into the first slots itself, as those of the other folders
 * do.
 */
#include "recorder/recorder.h"

void _mcount(uintptr_t caller);

void _mcount(uintptr_t caller)
{
	bareprof_arc(caller, (uintptr_t)__builtin_return_address(0));
}
