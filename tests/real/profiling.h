/* SPDX-License-Identifier: MIT */
/* The functions that a program's main() calls before and after its work. */
#ifndef REAL_PROFILING_H
#define REAL_PROFILING_H

#include <stdbool.h>

/* Prepares the C library; profiling_begin() calls it first. */
void libc_init(void);
/* Starts the board, the sampling timer and the profile. */
void profiling_begin(void);
/* Stops the profile, prints on the console whether the result is right, and waits to be read. */
void profiling_end(bool is_right) __attribute__((noreturn));

#endif
