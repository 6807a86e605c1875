/* SPDX-License-Identifier: MIT */
/* ../recorder/arena.c for a recorder with a path tree: the block is larger, and the library has other symbols. */
#include "paths.h"

#include "../recorder/arena.c"
