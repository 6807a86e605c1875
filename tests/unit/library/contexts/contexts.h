/* SPDX-License-Identifier: MIT */
/* What these tests tell the compiler of <bareprof/bareprof.h>, as a firmware with contexts does. Comes first. */
#ifndef UNIT_LIBRARY_CONTEXTS_CONTEXTS_H
#define UNIT_LIBRARY_CONTEXTS_CONTEXTS_H

#define BAREPROF_CONTEXTS 4

#include "../recorder/arena.h"

#endif
