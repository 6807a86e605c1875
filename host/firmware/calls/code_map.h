/* SPDX-License-Identifier: MIT */
/* A map of the starts of instructions and basic blocks, and of the functions that call an instrumentation hook. Code is
 * untrusted, as in calls.h. */
#ifndef FIRMWARE_CALLS_CODE_MAP_H
#define FIRMWARE_CALLS_CODE_MAP_H

#include "firmware/image.h"

struct code_map;

/*
 * Decodes all code of the image. Without a decoder every byte counts as an instruction, and every range as one block.
 * NULL when out of memory. The image must outlive the map and keep its functions. O(n log n) in the size of the code.
 */
struct code_map *code_map_create(const struct image *image);
/* NULL is allowed. */
void code_map_free(struct code_map *map);

/* False for an ISA without a decoder. */
bool code_map_is_decoded(const struct code_map *map);

/* The number of instructions that begin in [low, high), not counting literal pools and jump tables. O(log sections). */
uint64_t code_map_instructions(const struct code_map *map, uint64_t low, uint64_t high);

/* The end of the basic block that contains low, at most high. All instructions of a block run equally often, because
 * control enters at the first and leaves after the last. A call does not end a block, because it returns. */
uint64_t code_map_block_end(const struct code_map *map, uint64_t low, uint64_t high);
/* The start of the basic block that contains high, at least low: no block begins after it, up to and including high. */
uint64_t code_map_block_start(const struct code_map *map, uint64_t low, uint64_t high);
/* Whether a block begins at address, so that no earlier instruction always runs with it. */
bool code_map_begins_block(const struct code_map *map, uint64_t address);

/* Whether the function with this index, or the function that it was inlined into, calls an instrumentation hook. */
bool code_map_is_instrumented(const struct code_map *map, size_t function);

/* Whether any code calls one; true for an ISA without a decoder. */
bool code_map_has_hook_calls(const struct code_map *map);

#endif
