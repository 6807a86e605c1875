/* SPDX-License-Identifier: MIT */
/* A mixer of bits, for hash tables and for draws that are the same in each run. */
#ifndef CAPTURE_MIX_H
#define CAPTURE_MIX_H

#include <stdint.h>

/* The finalizer of splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014). */
static inline uint64_t mix_bits(uint64_t value)
{
	value = (value ^ value >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
	return value ^ value >> 31;
}

#endif
