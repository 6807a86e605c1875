/* SPDX-License-Identifier: MIT */
/* Running programs and reading their output. */
#ifndef ORACLE_RUN_H
#define ORACLE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Starts words (ending in NULL), with its outputs in files NAME.out and NAME.err. Ends the program if that fails. */
pid_t run_start(const char *name, char *const *words);

/* The exit status; 128 plus the number of the signal that ended the program. */
int run_wait(pid_t child);

/* Reads a file as a string. The caller frees it. */
char *run_read(const char *path, size_t *size);

#endif
