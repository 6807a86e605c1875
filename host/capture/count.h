/* SPDX-License-Identifier: MIT */
/* Saturating 64-bit counts. */
#ifndef CAPTURE_COUNT_H
#define CAPTURE_COUNT_H

#include <stdint.h>

static inline uint64_t count_sum(uint64_t left, uint64_t right)
{
	return left + right < left ? UINT64_MAX : left + right;
}

static inline void count_add(uint64_t *sum, uint64_t more)
{
	*sum = count_sum(*sum, more);
}

#endif
