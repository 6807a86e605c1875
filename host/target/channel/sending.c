/* SPDX-License-Identifier: MIT */
/* See sending.h. */
#include "target/channel/sending.h"
#include "target/channel/frame.h"

#include <stdlib.h>
#include <string.h>

/* The memory of it, and what came of it. */
static void forget(struct sending *sending)
{
	free(sending->memory);
	*sending = (struct sending){.number = sending->number};
}

static enum status begin(struct sending *sending, const char *where, const struct identity *identity,
                         struct error *error)
{
	uint32_t size = identity_memory_size(&identity->memory);

	if (sending->size != size) {
		forget(sending);
		sending->memory = calloc(size, 1);
		if (sending->memory == NULL)
			return status_fail(error, "%s: out of memory for %u bytes", where, size);
		sending->size = size;
	}
	sending->identity = *identity;
	sending->received = sending->end = 0;
	return STATUS_OK;
}

/* Whether data at this offset belong to a sending whose identity was lost. */
static bool is_of_another(const struct sending *sending, uint32_t offset)
{
	return offset < sending->end || (offset == sending->end && offset > 0 && sending->is_noisy);
}

static bool take_data(struct sending *sending, const uint8_t *content, size_t size)
{
	uint8_t bytes[FRAME_DATA_MAX];
	size_t count;

	if (sending->memory == NULL || size < BAREPROF_DATA_RUNS)
		return false;
	uint32_t offset = (uint32_t)frame_number(content + BAREPROF_DATA_OFFSET, 3);
	if (offset % 4 != 0 || offset >= sending->size)
		return false;
	size_t room = sending->size - offset;
	if (!frame_unpack(content + BAREPROF_DATA_RUNS, size - BAREPROF_DATA_RUNS, bytes,
	                  room < sizeof bytes ? room : sizeof bytes, &count))
		return false;
	if (is_of_another(sending, offset)) {
		sending->number++;
		sending->received = 0;
	}
	sending->is_noisy = false;
	memcpy(sending->memory + offset, bytes, count);
	sending->received += (uint32_t)count;
	sending->end = offset + (uint32_t)count;
	return true;
}

enum status sending_take(struct sending *sending, const char *where, const uint8_t *content, size_t size,
                         bool *is_taken, struct error *error)
{
	struct identity identity;

	*is_taken = false;
	if (content[0] == BAREPROF_FRAME_HEAD(BAREPROF_FRAME_DATA, 0)) {
		*is_taken = take_data(sending, content, size);
		return STATUS_OK;
	}
	if (content[0] != BAREPROF_FRAME_HEAD(BAREPROF_FRAME_IDENTITY, 0))
		return STATUS_OK;
	enum status status = identity_decode(where, content, size, &identity, is_taken, error);
	if (status == STATUS_OK && !*is_taken)
		return status;
	sending->number++;
	if (status == STATUS_OK)
		status = begin(sending, where, &identity, error);
	if (status != STATUS_OK)
		forget(sending);
	return status;
}

void sending_note_noise(struct sending *sending)
{
	sending->is_noisy = true;
}

bool sending_is_complete(const struct sending *sending)
{
	return sending->memory != NULL && sending->received == sending->size;
}

void sending_free(struct sending *sending)
{
	free(sending->memory);
	*sending = (struct sending){0};
}
