/* SPDX-License-Identifier: MIT */
/* The options of <bareprof/bareprof.h> in these tests, as in firmware with contexts. Comes first. */
#ifndef UNIT_TARGET_CONTEXTS_CONTEXTS_H
#define UNIT_TARGET_CONTEXTS_CONTEXTS_H

#define BAREPROF_CONTEXTS 4

#include "../recorder/arena.h"

#endif
