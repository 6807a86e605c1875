/* SPDX-License-Identifier: MIT */
/* What a program's main() calls around its work. */
#ifndef REAL_PROFILING_H
#define REAL_PROFILING_H

#include <stdbool.h>

/* Starts the board, the sampling timer and the profile. */
void profiling_begin(void);
/* Stops the profile, says on the console whether the work came out right, and waits to be read. */
void profiling_end(bool is_right) __attribute__((noreturn));

#endif
