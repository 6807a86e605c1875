/* SPDX-License-Identifier: MIT */
/* Runs programs and compares what they print. Knows nothing of profiles. */
#ifndef ORACLE_RUN_H
#define ORACLE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Starts words (ending in NULL), with its outputs in files NAME.out and NAME.err. Ends the program where it cannot. */
pid_t run_start(const char *name, char *const *words);

/* The exit status; 128 and the signal's number if it ended by one. */
int run_wait(pid_t child);

/* A file as a string, the caller's to free. */
char *run_read(const char *path, size_t *size);

#endif
