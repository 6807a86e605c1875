/* SPDX-License-Identifier: MIT */
/*
 * What the code of a function is, wherever it and all that it refers to lie: two builds have the same function where
 * its fingerprints are the same. Knows nothing of names.
 */
#ifndef FIRMWARE_CALLS_FINGERPRINT_H
#define FIRMWARE_CALLS_FINGERPRINT_H

#include "firmware/image.h"

/*
 * Left out are: where branches and calls out of the function lead, the numbers of addresses that count from the PC or
 * from gp, those that several instructions make together, whether they are addresses or large constants, and data among
 * code. A branch within the function counts by how many instructions it passes over.
 */
struct fingerprint {
	uint64_t hash;       /* of the instructions, by the finalizer of splitmix64 (Steele, Lea, Flood 2014) */
	size_t instructions; /* that it is of; 0: none was asked for, or there is no code */
};

/* Of fewer instructions too many functions are the same: handlers that return, jumps to another function. */
#define FINGERPRINT_INSTRUCTIONS_MIN 4

/*
 * Fingerprints of functions, by index of their first extent; code that was inlined and has been outlined is that of
 * the function which holds it. Only those are made that wanted is true of, by the same index. False where there is no
 * decoder, or if memory is short; all are 0 then.
 */
bool fingerprints_find(const struct image *image, const bool *wanted, struct fingerprint *fingerprints);

#endif
