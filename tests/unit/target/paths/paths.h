/* SPDX-License-Identifier: MIT */
/* The options of <bareprof/bareprof.h> in these tests, as in firmware with a path tree. Comes first. */
#ifndef UNIT_TARGET_PATHS_PATHS_H
#define UNIT_TARGET_PATHS_PATHS_H

#define BAREPROF_PATHS 32

#include "../recorder/arena.h"

#endif
