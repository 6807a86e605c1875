/* SPDX-License-Identifier: MIT */
/*
 * Calls found by decoding the firmware, executed or not: the static call graph (Graham, Kessler, McKusick 1982, section
 * 4). One decoder file per instruction set. Code is untrusted: it may end inside an instruction, mislabel data, and
 * jump anywhere.
 */
#ifndef FIRMWARE_CALLS_CALLS_H
#define FIRMWARE_CALLS_CALLS_H

#include "firmware/image.h"

enum call_kind {
	CALL_DIRECT,   /* the target is in the instruction, or in registers set to constants by earlier instructions */
	CALL_TAIL,     /* a jump to the entry of another function: the callee returns to the caller's caller */
	CALL_INDIRECT, /* a call through a register or memory; target is 0. Such jumps are not recorded */
	CALL_ADDRESS,  /* not a call: code or data takes the address of a function */
};

struct call {
	uint64_t site;   /* address of the instruction, or of the data word that holds an address */
	uint64_t target; /* entry of the callee, Thumb bit removed; veneers are followed */
	enum call_kind kind;
	uint8_t length; /* bytes of the instruction; 0 for a data word */
};

struct calls {
	struct call *items; /* in ascending order of site */
	size_t count;
};

/* Whether there is a decoder for the image's instruction set. */
bool calls_can_decode(const struct image *image);

/*
 * Finds the calls in all code of the image, independent of its current division. Jumps within a function are not calls.
 * Targets outside all code are omitted. None are found without a decoder. Freed by calls_free(), also after a failure.
 * O(n log n) in the size of code and data.
 */
enum status calls_find(const struct image *image, struct calls *calls, struct error *error);
void calls_free(struct calls *calls);

#endif
