/* SPDX-License-Identifier: MIT */
/* The options of <bareprof/bareprof.h> in these tests, as in firmware with filtered slices. Comes first. */
#ifndef UNIT_TARGET_FILTER_FILTER_H
#define UNIT_TARGET_FILTER_FILTER_H

#define BAREPROF_STACKS       4
#define BAREPROF_STACK_BYTES  1024
#define BAREPROF_STACK_FILTER 80

#include "../recorder/arena.h"

#endif
