/* SPDX-License-Identifier: MIT */
/* See identity.h. */
#include "target/channel/identity.h"
#include "target/channel/frame.h"

static bool is_possible(const struct client_identity *memory)
{
	uint64_t size = (uint64_t)memory->block_size * memory->block_count;
	return memory->block_size > 0 && memory->block_size % 4 == 0 && size <= BAREPROF_MEMORY_MAX &&
	       memory->address <= UINT64_MAX - size;
}

enum status identity_decode(const char *where, const uint8_t *content, size_t size, struct identity *identity,
                            bool *is_valid, struct error *error)
{
	*is_valid = false;
	if (size <= BAREPROF_IDENTITY_VERSION)
		return STATUS_OK;
	if (content[BAREPROF_IDENTITY_VERSION] != BAREPROF_LINK_VERSION)
		return status_fail(error, "%s: the firmware speaks version %u of the link, this bareprof version %u",
		                   where, content[BAREPROF_IDENTITY_VERSION], BAREPROF_LINK_VERSION);
	if (size != BAREPROF_IDENTITY_END)
		return STATUS_OK;
	unsigned frame = (unsigned)frame_number(content + BAREPROF_IDENTITY_FRAME, 2);
	identity->memory.address = frame_number(content + BAREPROF_IDENTITY_ADDRESS, 8);
	identity->memory.block_size = (uint32_t)frame_number(content + BAREPROF_IDENTITY_BLOCK_SIZE, 3);
	identity->memory.block_count = content[BAREPROF_IDENTITY_BLOCKS] + 1u;
	identity->frame = frame < BAREPROF_FRAME_MAX ? frame : BAREPROF_FRAME_MAX;
	*is_valid = frame >= BAREPROF_FRAME_MIN && is_possible(&identity->memory);
	return STATUS_OK;
}

bool identity_is_same(const struct client_identity *one, const struct client_identity *other)
{
	return one->address == other->address && one->block_size == other->block_size &&
	       one->block_count == other->block_count;
}

uint32_t identity_memory_size(const struct client_identity *identity)
{
	return identity->block_size * identity->block_count;
}
