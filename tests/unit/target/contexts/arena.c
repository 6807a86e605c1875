/* SPDX-License-Identifier: MIT */
/* ../recorder/arena.c for a recorder with contexts: the block is larger, and the library has other symbols. */
#include "contexts.h"

#include "../recorder/arena.c"
