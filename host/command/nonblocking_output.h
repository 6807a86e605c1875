/* SPDX-License-Identifier: MIT */
/*
 * Text for a reader that may not read, as that of a pipe: who prints need not wait for it. What it does not take is
 * kept as far as there is room, the rest is dropped and counted. Private to command/.
 */
#ifndef COMMAND_NONBLOCKING_OUTPUT_H
#define COMMAND_NONBLOCKING_OUTPUT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Beside what a pipe holds itself. */
#define OUTLET_CAPACITY ((size_t)1 << 16)

struct outlet {
	FILE *stream; /* print here; what was printed is offered to the reader at each fflush() */
	int descriptor;
	bool is_shared; /* with others, for whom its flags are to be as they were: */
	int flags;
	int patience; /* milliseconds that who prints waits for the reader where there is no room; -1 = for ever */
	char held[OUTLET_CAPACITY];
	size_t held_size;
	uint64_t dropped; /* bytes */
	int failure;      /* errno of the write that failed, behind which nothing is written; 0 = none did */
};

/* Prints to the descriptor, which stays the caller's. */
enum status outlet_open(struct outlet *outlet, int descriptor, int patience, struct error *error);
/* Offers the reader once more what it did not take. */
void outlet_offer(struct outlet *outlet);
/* Drops what the reader does not take, once it has taken nothing for so many milliseconds, -1 = never. An outlet that
 * is all zero may be closed, too; counts and failure stay. */
void outlet_close(struct outlet *outlet, int milliseconds);

#endif
