/* SPDX-License-Identifier: MIT */
/* ../recorder/arena.c for a recorder with slices: the block is larger, and the library has other symbols. */
#include "stacks.h"

#include "../recorder/arena.c"
