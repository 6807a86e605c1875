/* SPDX-License-Identifier: MIT */
/* Slices and path trees: copies, sums and differences. Private to capture/. */
#ifndef CAPTURE_STACKS_H
#define CAPTURE_STACKS_H

#include "capture/capture.h"
#include "capture/tally.h"

/* The size of a slice's stack in memory: the words and, before them in a filtered slice, the bits of kept words. */
size_t slice_memory_size(const struct capture_slice *slice, unsigned address_size);

/* Copies the stack to memory and lets the slice refer to the copy. Returns the end of the copy. */
uint8_t *slice_move(struct capture_slice *slice, unsigned address_size, uint8_t *memory);

/* A sum of trees is a tally of nodes, in which each path occurs once and parents come before their children. */

/* Adds a tree whose parents come first to a sum, initially all zero; counts stop at 2^64 - 1. False when out of
 * memory. */
bool path_tree_add(struct tally *tree, const struct capture_path_node *nodes, size_t count);

/* Puts the nodes into an order that depends on their paths only, by depth. Nothing may be added afterwards. False when
 * out of memory. */
bool path_tree_sort(struct tally *tree);

/* Copies the nodes whose places are not 0 to kept, which may be nodes itself, and overwrites places. The parents of
 * kept nodes must be kept. Returns the number of kept nodes. */
size_t paths_keep(const struct capture_path_node *nodes, size_t count, uint32_t *places,
                  struct capture_path_node *kept);

/* Finds the paths that were counted since the earlier block, in *tree. *has_grown is false if a count fell, because the
 * blocks then belong to different trees. False when out of memory. */
bool paths_since(const struct capture_block *block, const struct capture_block *earlier, struct tally *tree,
                 bool *has_grown);

/* True if the block's totals can be a later reading of the store of the earlier ones. */
bool stack_totals_have_grown(const struct capture_block *block, const struct capture_block *earlier);

/* Subtracts the earlier totals, and keeps the slices that were taken since. */
void subtract_stacks(struct capture_block *block, const struct capture_block *earlier);

#endif
