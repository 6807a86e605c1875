/* SPDX-License-Identifier: MIT */
/* The profile block of the native target. */
#ifndef TESTS_LINK_MEMORY_H
#define TESTS_LINK_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Lays out a block and fills it with CONTENT, which depends only on the seed; the profile is stopped, except `running`.
 *	empty		as bareprof_init() leaves it
 *	sparse		a slot in twenty has calls or samples
 *	full		more calls and samples than the tables hold
 *	random		tables of random bytes, none of them 0
 *	running		like full, and the profile is running
 *	block:FILE	the block of a 32-bit firmware at the start of FILE, relocated to this address
 * False: unknown content, or FILE holds no block.
 */
bool memory_fill(const char *content, uint32_t seed);
/* Random RAM, as after a power cycle. */
void memory_garble(uint32_t seed);
/* A tick of the sampling timer, and a few calls, for a signal handler. */
void memory_tick(void);
size_t memory_size(void);
const uint8_t *memory_bytes(void);

#endif
