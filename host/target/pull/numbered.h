/* SPDX-License-Identifier: MIT */
/* Numbered file names. */
#ifndef TARGET_PULL_NUMBERED_H
#define TARGET_PULL_NUMBERED_H

#include <stdint.h>

/* The name with number instead of "%d" or, without one, after a dash before the suffix: run.bprof becomes
 * run-0007.bprof. The caller frees it; NULL = out of memory. */
char *numbered_name(const char *name, uint32_t number);

/* The same for the first number from *number on whose file does not exist; updates *number. */
char *numbered_new_name(const char *name, uint32_t *number);

#endif
