/* SPDX-License-Identifier: MIT */
/*
 * Calls as the instructions of the firmware tell them, whether they ever ran or not: the static call graph (Graham,
 * Kessler, McKusick 1982, section 4). One decoder file per instruction set. Code is hostile: it may end inside an
 * instruction, lie about what is data, and jump anywhere. Knows nothing of profiles.
 */
#ifndef FIRMWARE_CALLS_CALLS_H
#define FIRMWARE_CALLS_CALLS_H

#include "firmware/image.h"

enum call_kind {
	CALL_DIRECT,   /* the target is in the instruction, or in registers that instructions before it set to constants
	                */
	CALL_TAIL,     /* a jump to the entry of another function: the callee returns to the caller's caller */
	CALL_INDIRECT, /* a call, no jump, through a register or memory: the target is not known, and 0 */
	CALL_ADDRESS,  /* no call: the address of a function is taken here, in code or data */
};

/* No call instruction of any ISA is longer (Intel SDM, Volume 2, 2.3.11). */
#define CALL_LENGTH_MAX 15

struct call {
	uint64_t site;   /* the address of the instruction; of the word of data, where an address lies in data */
	uint64_t target; /* entry of the callee, Thumb bit removed; what a veneer leads to, not the veneer */
	enum call_kind kind;
	uint8_t length; /* of the instruction; 0 of a word of data */
};

struct calls {
	struct call *items; /* by rising site */
	size_t count;
};

/* True if there is a decoder for the image's instructions. */
bool calls_can_decode(const struct image *image);

/*
 * Finds the calls in all code of the image, whatever its functions are divided by. Jumps within a function are no
 * calls. Targets outside of all code are left out. Fails where there is no decoder. Freed by calls_free(), also after a
 * failure. O(n log n) in the size of code and data.
 */
enum status calls_find(const struct image *image, struct calls *calls, struct error *error);
void calls_free(struct calls *calls);

#endif
