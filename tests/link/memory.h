/* SPDX-License-Identifier: MIT */
/* The profile block of the native target, and what is in it. Knows nothing of pipes. */
#ifndef TESTS_LINK_MEMORY_H
#define TESTS_LINK_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Lays out a block and fills it as CONTENT says; the profile is stopped then, and the same for the same seed.
 *	empty		as bareprof_init() leaves it
 *	sparse		a slot in twenty has calls or samples
 *	full		more calls and samples than the tables hold
 *	random		tables of bytes of which none is 0, whatever they count
 *	running		as full, and the profile is running
 *	block:FILE	a block of 32-bit firmware that begins FILE, moved to where this one lies
 * False: there is no such content.
 */
bool memory_fill(const char *content, uint32_t seed);
/* What RAM holds when power comes back. */
void memory_garble(uint32_t seed);
/* A tick of the sampling timer, and a few calls. May interrupt anything. */
void memory_tick(void);
size_t memory_size(void);
const uint8_t *memory_bytes(void);

#endif
