/* SPDX-License-Identifier: MIT */
/* See transmission.h. */
#include "acquire/channel/transmission.h"
#include "acquire/channel/frame.h"

#include <stdlib.h>
#include <string.h>

static bool is_possible_memory(const struct client_identity *memory)
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
	*is_valid = frame >= BAREPROF_FRAME_MIN && is_possible_memory(&identity->memory);
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

/* Resets the transmission, except for its number. */
static void forget_memory(struct transmission *transmission)
{
	free(transmission->memory);
	*transmission = (struct transmission){.number = transmission->number};
}

static enum status begin_transmission(struct transmission *transmission, const char *where,
                                      const struct identity *identity, struct error *error)
{
	uint32_t size = identity_memory_size(&identity->memory);

	if (transmission->size != size) {
		forget_memory(transmission);
		transmission->memory = calloc(size, 1);
		if (transmission->memory == NULL)
			return status_no_memory(error, where);
		transmission->size = size;
	}
	transmission->identity = *identity;
	transmission->received = transmission->end = 0;
	return STATUS_OK;
}

/* Whether data at this offset belong to a transmission whose identity was lost. */
static bool is_of_another(const struct transmission *transmission, uint32_t offset)
{
	return offset < transmission->end || (offset == transmission->end && offset > 0 && transmission->is_noisy);
}

static bool take_data_frame(struct transmission *transmission, const uint8_t *content, size_t size)
{
	uint8_t bytes[FRAME_DATA_MAX];
	uint32_t offset;
	size_t count;

	if (transmission->memory == NULL ||
	    !frame_decode_data(content, size, 0, transmission->size, &offset, bytes, &count))
		return false;
	if (is_of_another(transmission, offset)) {
		transmission->number++;
		transmission->received = 0;
	}
	transmission->is_noisy = false;
	memcpy(transmission->memory + offset, bytes, count);
	transmission->received += (uint32_t)count;
	transmission->end = offset + (uint32_t)count;
	return true;
}

enum status transmission_take(struct transmission *transmission, const char *where, const uint8_t *content, size_t size,
                              bool *is_taken, struct error *error)
{
	struct identity identity;

	*is_taken = false;
	if (content[0] == BAREPROF_FRAME_HEAD(BAREPROF_FRAME_DATA, 0)) {
		*is_taken = take_data_frame(transmission, content, size);
		return STATUS_OK;
	}
	if (content[0] != BAREPROF_FRAME_HEAD(BAREPROF_FRAME_IDENTITY, 0))
		return STATUS_OK;
	enum status status = identity_decode(where, content, size, &identity, is_taken, error);
	if (status == STATUS_OK && !*is_taken)
		return status;
	transmission->number++;
	if (status == STATUS_OK)
		status = begin_transmission(transmission, where, &identity, error);
	if (status != STATUS_OK)
		forget_memory(transmission);
	return status;
}

void transmission_note_noise(struct transmission *transmission)
{
	transmission->is_noisy = true;
}

bool transmission_is_complete(const struct transmission *transmission)
{
	return transmission->memory != NULL && transmission->received == transmission->size;
}

void transmission_free(struct transmission *transmission)
{
	free(transmission->memory);
	*transmission = (struct transmission){0};
}
