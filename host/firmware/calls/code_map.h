/* SPDX-License-Identifier: MIT */
/*
 * Where instructions and basic blocks begin, and which functions call an instrumentation hook. Code is hostile, as in
 * calls.h. Knows nothing of samples.
 */
#ifndef FIRMWARE_CALLS_CODE_MAP_H
#define FIRMWARE_CALLS_CODE_MAP_H

#include "firmware/image.h"

struct code_map;

/*
 * Decodes all code of the image. Without a decoder for its instructions every byte counts as an instruction, and every
 * range as a block of its own. NULL if memory is short. The image must outlive the map and keep its functions.
 * O(n log n) in the size of the code.
 */
struct code_map *code_map_create(const struct image *image);
/* NULL is allowed. */
void code_map_free(struct code_map *map);

/* The instructions that begin in [low, high): none in literal pools and jump tables. O(log sections). */
uint64_t code_map_instructions(const struct code_map *map, uint64_t low, uint64_t high);

/*
 * The end of the basic block that contains low, at most high. Its instructions run equally often, as control enters at
 * the first and leaves after the last. A call does not end a block, because it returns.
 */
uint64_t code_map_block_end(const struct code_map *map, uint64_t low, uint64_t high);
/* The first address from low on after which no block begins up to high, high included. */
uint64_t code_map_block_start(const struct code_map *map, uint64_t low, uint64_t high);
/* True if a block begins at address: no instruction before it always runs with it. */
bool code_map_begins_block(const struct code_map *map, uint64_t address);

/* True if the function with this index, or the function that it was inlined into, calls an instrumentation hook. */
bool code_map_is_instrumented(const struct code_map *map, size_t function);

#endif
