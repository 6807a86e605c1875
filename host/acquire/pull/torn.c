/* SPDX-License-Identifier: MIT */
/* See torn.h. When a slot is read a second time, the recorder, which runs in an interrupt, has finished writing it. */
#include "acquire/pull/torn.h"

#include <bareprof/block.h>

/* The maximum number of slots to read again, because each costs a round trip. A recorder writes fewer at once. */
#define TORN_MAX 64u

static bool holds_zeros(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i] != 0)
			return false;
	return true;
}

/* Whether an arc's caller may have been read before it was written. The recorder writes the callee after the caller,
 * but the caller is read first. A caller that stays 0 belongs to a task's first function. */
static bool is_torn_arc(const struct capture_section *section, const uint8_t *item, unsigned width)
{
	return section->item_size >= 2 * width && holds_zeros(item, width) && !holds_zeros(item + width, width);
}

/* The number at the front of a slice is 0 until the rest of the slice has been written. */
static bool is_torn_slice(const struct capture_section *section, const struct capture_order *order, const uint8_t *item)
{
	return section->item_size >= BAREPROF_SLICE_SIZE(order->address_size, 0) &&
	       capture_u32(order, item + BAREPROF_SLICE_NUMBER) !=
	               capture_u32(order, item + BAREPROF_SLICE_NUMBER_AGAIN(section->item_size));
}

static bool is_torn(const struct capture_section *section, const struct capture_order *order, const uint8_t *item)
{
	switch (section->kind) {
	case BAREPROF_SECTION_ARCS:
		return is_torn_arc(section, item, order->address_size);
	case BAREPROF_SECTION_SLICES:
		return (section->parameter & BAREPROF_SLICES_WEIGHTED) == 0 && is_torn_slice(section, order, item);
	default:
		return false;
	}
}

/* Only the caller can be missing from an arc. */
static size_t size_to_read(const struct capture_section *section, const struct capture_order *order)
{
	return section->kind == BAREPROF_SECTION_ARCS ? order->address_size : section->item_size;
}

enum status torn_read_again(struct target *target, const struct capture_section *section, struct snapshot *snapshot,
                            struct error *error)
{
	const struct capture_header *header = &snapshot->header;
	enum status status = STATUS_OK;
	unsigned count = 0;

	if (header->state == BAREPROF_STATE_STOPPED)
		return STATUS_OK;
	for (uint32_t i = 0; status == STATUS_OK && i < section->capacity && count < TORN_MAX; i++) {
		const size_t offset = section->offset + (size_t)i * section->item_size;

		if (!is_torn(section, &header->order, snapshot->bytes + offset))
			continue;
		status = target_read(target, header->block_address + offset, snapshot->bytes + offset,
		                     size_to_read(section, &header->order), error);
		count++;
	}
	return status;
}
