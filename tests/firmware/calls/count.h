/* SPDX-License-Identifier: MIT */
/*
 * A firmware's own count of its calls, for the test that compares the profile with it. With COUNT_CALLS each function
 * begins with COUNT(its name); otherwise the macro is empty.
 */
#ifndef FIRMWARE_CALLS_COUNT_H
#define FIRMWARE_CALLS_COUNT_H

#include "board.h"

#include <stdint.h>

#ifdef COUNT_CALLS

#ifdef __cplusplus
extern "C" {
#endif

/* Counts one call of the function that contains pc. name is its name for the output, call_site its return address. */
void count_call(const char *name, const void *call_site, uintptr_t pc);

/* Begin and end counting; call them with interrupts masked, together with bareprof_start() and bareprof_stop(). */
void call_counts_begin(void);
void call_counts_end(void);

/* Writes a line `calls NAME CALL-SITE PC N` per call site and function to the console; addresses are hexadecimal. */
void call_counts_write(void);

#ifdef __cplusplus
}
#endif

#define COUNT(name) count_call(#name, __builtin_return_address(0), core_program_counter())

#else

#define COUNT(name) ((void)0)

CORE_INLINE void call_counts_begin(void)
{
}

CORE_INLINE void call_counts_end(void)
{
}

CORE_INLINE void call_counts_write(void)
{
}

#endif

#endif
