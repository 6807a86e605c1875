/* SPDX-License-Identifier: MIT */
/* The stacks of a block, as bareprof info prints them. */
#ifndef COMMAND_INFO_STACKS_H
#define COMMAND_INFO_STACKS_H

#include "capture/capture.h"

/* Prints nothing for a block without stacks. */
void info_print_stacks(const struct capture_block *block);

#endif
