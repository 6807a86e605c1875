/* SPDX-License-Identifier: MIT */
/* ../recorder/arena.c for a recorder with filtered slices: the block is larger, and the library has other symbols. */
#include "filter.h"

#include "../recorder/arena.c"
