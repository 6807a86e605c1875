/* SPDX-License-Identifier: MIT */
/*
 * A template for another ISA: the function that -pg calls. Write it in C if the compiler calls it like any function and
 * passes the caller. Write it in assembly (entry.S) if it must preserve registers that a C function may change, or if
 * calls must be cheaper: the entries of the other ISAs test the gate and search the first slots themselves.
 */
#include "recorder/recorder.h"

void _mcount(uintptr_t caller);

BAREPROF_CODE(_mcount) void _mcount(uintptr_t caller)
{
	bareprof_arc(caller, (uintptr_t)__builtin_return_address(0));
}
