/* SPDX-License-Identifier: MIT */
/* The RAM of ../target/arena.h for a recorder with contexts: the block is larger and the names of the library differ.
 * Knows nothing else. */
#include "contexts.h"

#include "../recorder/arena.c"
