/* SPDX-License-Identifier: MIT */
/*
 * A ring of bytes for one writer and one reader.
 *
 * Each side writes only its own count, after it has finished with the bytes. So a side that interrupts the other finds
 * only complete bytes and free room. On one core it is enough that the compiler keeps this order.
 */
#include "compiler.h"

#include <bareprof/ring.h>

BAREPROF_INLINE void keep_order(void)
{
	__asm__ volatile("" : : : "memory");
}

BAREPROF_CODE(bareprof_ring_put) size_t bareprof_ring_put(struct bareprof_ring *ring, const uint8_t *bytes, size_t size)
{
	const uint32_t put = ring->put;
	const uint32_t room = ring->mask + 1 - (put - ring->taken);
	const uint32_t count = size < room ? (uint32_t)size : room;

	keep_order();
	for (uint32_t i = 0; i < count; i++)
		ring->bytes[(put + i) & ring->mask] = bytes[i];
	keep_order();
	ring->put = put + count;
	return count;
}

BAREPROF_CODE(bareprof_ring_take) size_t bareprof_ring_take(struct bareprof_ring *ring, uint8_t *bytes, size_t size)
{
	const uint32_t taken = ring->taken;
	const uint32_t there = ring->put - taken;
	const uint32_t count = size < there ? (uint32_t)size : there;

	keep_order();
	for (uint32_t i = 0; i < count; i++)
		bytes[i] = ring->bytes[(taken + i) & ring->mask];
	keep_order();
	ring->taken = taken + count;
	return count;
}
