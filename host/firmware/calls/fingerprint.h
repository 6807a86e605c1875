/* SPDX-License-Identifier: MIT */
/* Fingerprints of functions that do not depend on addresses: a function is the same in two builds if its fingerprints
 * are equal. */
#ifndef FIRMWARE_CALLS_FINGERPRINT_H
#define FIRMWARE_CALLS_FINGERPRINT_H

#include "firmware/image.h"

/*
 * A fingerprint excludes targets of branches and calls out of the function, numbers relative to the PC or gp, numbers
 * formed by several instructions, be they addresses or large constants, and data among code. A branch within the
 * function counts by the number of instructions it skips.
 */
struct fingerprint {
	uint64_t hash;       /* hash of the instructions, with the finalizer of splitmix64 (Steele, Lea, Flood 2014) */
	size_t instructions; /* number of instructions; 0: not requested, or no code */
};

/* With fewer instructions too many functions are equal: handlers that return at once, jumps to another function. */
#define FINGERPRINT_INSTRUCTIONS_MIN 4

/*
 * Computes the fingerprints of the functions where wanted is true. Both arrays are indexed by the first extent of a
 * function. Split inlined code counts as part of the function that contains it. False without a decoder or when out of
 * memory; then all are 0.
 */
bool fingerprints_find(const struct image *image, const bool *wanted, struct fingerprint *fingerprints);

#endif
