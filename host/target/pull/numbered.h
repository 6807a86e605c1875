/* SPDX-License-Identifier: MIT */
/* Names of files that are numbered. Knows nothing of what is in them. */
#ifndef TARGET_PULL_NUMBERED_H
#define TARGET_PULL_NUMBERED_H

#include <stdint.h>

/*
 * The name, the caller's to be freed, with number in place of its "%d" or, where there is none, behind a dash in front
 * of its suffix: run.bprof becomes run-0007.bprof. NULL = out of memory.
 */
char *numbered_name(const char *name, uint32_t number);

/* The same of the first number from *number on whose file is not there yet, which *number becomes. */
char *numbered_new_name(const char *name, uint32_t *number);

#endif
