/* SPDX-License-Identifier: MIT */
/* Counters of a block, 1 to 8 bytes wide. */
#include "capture/sections.h"

#include <bareprof/block.h>

uint64_t capture_counter(const struct capture_order *order, const uint8_t *bytes, unsigned size)
{
	switch (size) {
	case 1:
		return bytes[0];
	case 2:
		return capture_u16(order, bytes);
	case 4:
		return capture_u32(order, bytes);
	default:
		return capture_u64(order, bytes);
	}
}

/* Counters of 32 bits stop a little before their end, because interrupts may add at the same time. */
bool counter_is_saturated(uint64_t count, unsigned size)
{
	return count >= (size == 4 ? BAREPROF_COUNTER_LIMIT : UINT64_MAX >> (64 - 8 * size));
}

enum status decoder_out_of_memory(struct decoder *decoder)
{
	return status_fail(decoder->error, "%s: out of memory", decoder->where);
}
