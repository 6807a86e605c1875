/* SPDX-License-Identifier: MIT */
/* See recording.h. */
#include "channel/recording.h"
#include "channel/frame.h"
#include "channel/sending.h"

#include <stdlib.h>
#include <string.h>

/* What was found so far. */
struct recording {
	const char *path;
	struct sending sending; /* the last one */
	bool has_frames;
	uint8_t *memory; /* of the last complete one; NULL = none yet */
	size_t memory_size;
	uint64_t address;
};

static enum status keep_memory(struct recording *recording, struct error *error)
{
	const struct sending *sending = &recording->sending;
	uint8_t *memory = realloc(recording->memory, sending->size);

	if (memory == NULL)
		return status_fail(error, "%s: out of memory for %u bytes", recording->path, sending->size);
	memcpy(memory, sending->memory, sending->size);
	recording->memory = memory;
	recording->memory_size = sending->size;
	recording->address = sending->identity.memory.address;
	return STATUS_OK;
}

static enum status take_frame(struct recording *recording, const struct frame_decoder *decoder, struct error *error)
{
	bool is_taken;

	recording->has_frames = true;
	enum status status =
	        sending_take(&recording->sending, recording->path, decoder->content, decoder->size, &is_taken, error);
	if (status || !is_taken || !sending_is_complete(&recording->sending))
		return status;
	return keep_memory(recording, error);
}

static enum status take_stream(struct recording *recording, const uint8_t *stream, size_t size, struct error *error)
{
	struct frame_decoder decoder;
	enum status status = STATUS_OK;

	frame_decoder_init(&decoder);
	for (size_t i = 0; i < size && status == STATUS_OK; i++)
		if (frame_decoder_take(&decoder, stream[i]) == FRAME_GOOD)
			status = take_frame(recording, &decoder, error);
	return status;
}

static enum status fail(const struct recording *recording, struct error *error)
{
	const struct sending *sending = &recording->sending;

	if (sending->memory != NULL)
		return status_fail(error, "%s: of the memory that the target sent, %u of %u bytes are here",
		                   recording->path, sending->received, sending->size);
	if (recording->has_frames)
		return status_fail(error,
		                   "%s: there are frames, but not the one that a sending begins with: record it from "
		                   "before the firmware calls bareprof_send()",
		                   recording->path);
	return status_fail(error, "%s: there are no frames, as bareprof_send() makes them", recording->path);
}

enum status recording_decode(const char *path, const uint8_t *stream, size_t size, uint8_t **memory,
                             size_t *memory_size, uint64_t *address, struct error *error)
{
	struct recording recording = {.path = path};

	enum status status = take_stream(&recording, stream, size, error);
	if (status == STATUS_OK && recording.memory == NULL)
		status = fail(&recording, error);
	sending_free(&recording.sending);
	if (status) {
		free(recording.memory);
		return status;
	}
	*memory = recording.memory;
	*memory_size = recording.memory_size;
	*address = recording.address;
	return STATUS_OK;
}
