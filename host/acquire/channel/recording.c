/* SPDX-License-Identifier: MIT */
/* See recording.h. */
#include "acquire/channel/recording.h"
#include "acquire/channel/frame.h"
#include "acquire/channel/transmission.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct recording_search {
	const char *path;
	struct transmission transmission; /* the current transmission */
	bool has_frames;
	struct recording found;            /* the last complete transmission; memory is NULL until there is one */
	unsigned number;                   /* number of `found`, from 1 */
	uint32_t best_received, best_size; /* the best transmission after `found`, or of all; size 0: none */
	bool is_unknown;                   /* there is an unusable transmission, */
	struct error unknown;              /* for this reason */
};

static enum status keep_memory(struct recording_search *search, struct error *error)
{
	const struct transmission *transmission = &search->transmission;
	uint8_t *memory = realloc(search->found.memory, transmission->size);

	if (memory == NULL)
		return status_no_memory(error, search->path);
	memcpy(memory, transmission->memory, transmission->size);
	search->found = (struct recording){memory, transmission->size, transmission->identity.memory.address, ""};
	search->number = transmission->number;
	search->best_received = search->best_size = 0;
	return STATUS_OK;
}

static void note_best(struct recording_search *search)
{
	const struct transmission *transmission = &search->transmission;

	if (search->best_size > 0 &&
	    search->best_size - search->best_received <= transmission->size - transmission->received)
		return;
	search->best_received = transmission->received;
	search->best_size = transmission->size;
}

static enum status take_frame(struct recording_search *search, const struct frame_decoder *decoder, struct error *error)
{
	bool is_taken;

	search->has_frames = true;
	if (transmission_take(&search->transmission, search->path, decoder->content, decoder->size, &is_taken,
	                      &search->unknown) != STATUS_OK) {
		search->is_unknown = true;
		return STATUS_OK;
	}
	if (!is_taken)
		return STATUS_OK;
	if (transmission_is_complete(&search->transmission))
		return keep_memory(search, error);
	note_best(search);
	return STATUS_OK;
}

static enum status take_stream(struct recording_search *search, const uint8_t *stream, size_t size, struct error *error)
{
	struct frame_decoder decoder;
	enum status status = STATUS_OK;

	frame_decoder_init(&decoder);
	for (size_t i = 0; i < size && status == STATUS_OK; i++) {
		enum frame_event event = frame_decoder_take(&decoder, stream[i]);

		if (event == FRAME_NOISE)
			transmission_note_noise(&search->transmission);
		if (event == FRAME_GOOD)
			status = take_frame(search, &decoder, error);
	}
	return status;
}

struct translation {
	bool is_encoded; /* each byte from 0x80 on became two, as in UTF-8 */
	bool has_ends;   /* each LF became CR LF */
	const char *what;
};

static const struct translation translations[] = {
        {false, true, "each LF became CR LF"},
        {true, false, "they were encoded as UTF-8"},
        {true, true, "they were encoded as UTF-8, and each LF became CR LF"},
};

/* The original of the byte at stream[*at]; moves *at to the last byte of its translation. */
static uint8_t undo_translation(const struct translation *translation, const uint8_t *stream, size_t size, size_t *at)
{
	const uint8_t *next = stream + *at;
	bool is_last = *at + 1 == size;

	if (!is_last && translation->has_ends && next[0] == '\r' && next[1] == '\n') {
		++*at;
		return '\n';
	}
	if (!is_last && translation->is_encoded && (next[0] & 0xFE) == 0xC2 && (next[1] & 0xC0) == 0x80) {
		++*at;
		return (uint8_t)(next[0] << 6 | (next[1] & 0x3F));
	}
	return next[0];
}

static size_t count_good_frames(const struct translation *translation, const uint8_t *stream, size_t size)
{
	struct frame_decoder decoder;
	size_t count = 0;

	frame_decoder_init(&decoder);
	for (size_t i = 0; i < size; i++)
		count += frame_decoder_take(&decoder, undo_translation(translation, stream, size, &i)) == FRAME_GOOD;
	return count;
}

/* For messages: a known translation that, if undone, makes more frames of stream[0..size) intact. NULL: none. */
static const char *find_translation(const uint8_t *stream, size_t size)
{
	static const struct translation none;
	const struct translation *best = &none;
	size_t max = count_good_frames(&none, stream, size);

	for (size_t i = 0; i < sizeof translations / sizeof translations[0]; i++) {
		size_t count = count_good_frames(&translations[i], stream, size);

		if (count > max) {
			max = count;
			best = &translations[i];
		}
	}
	return best->what;
}

static enum status fail_unusable(const struct recording_search *search, const uint8_t *stream, size_t size,
                                 struct error *error)
{
	char which[64] = "";
	const char *translation = find_translation(stream, size);

	if (search->is_unknown) {
		*error = search->unknown;
		return STATUS_FAILED;
	}
	if (translation != NULL)
		return status_fail(error, "%s: the bytes were translated like text: %s; record them raw", search->path,
		                   translation);
	if (search->transmission.number > 1)
		snprintf(which, sizeof which, ", in the best of %u transmissions", search->transmission.number);
	if (search->best_size > 0)
		return status_fail(
		        error, "%s: the file has %u of %u bytes of the target's memory%s: record another transmission",
		        search->path, search->best_received, search->best_size, which);
	if (search->has_frames)
		return status_fail(error,
		                   "%s: the first frame of the transmission is missing: start recording before the "
		                   "firmware calls bareprof_send()",
		                   search->path);
	return status_fail(error, "%s: no frames of bareprof_send() in it", search->path);
}

/* Describes which transmission was chosen, and why later ones were not. */
static void describe_choice(const struct recording_search *search, char *note, size_t capacity)
{
	unsigned count = search->transmission.number;

	if (search->number < count && search->best_size > 0)
		snprintf(note, capacity,
		         "transmission %u of %u was taken, the last complete one: at least %u of %u bytes of a later "
		         "one "
		         "are missing",
		         search->number, count, search->best_size - search->best_received, search->best_size);
	else if (search->number < count)
		snprintf(note, capacity, "transmission %u of %u was taken, the last readable one: %.300s",
		         search->number, count, search->unknown.message);
	else if (count > 1)
		snprintf(note, capacity, "transmission %u of %u was taken, the last one", search->number, count);
}

enum status recording_decode(const char *path, const uint8_t *stream, size_t size, struct recording *recording,
                             struct error *error)
{
	struct recording_search search = {.path = path};

	enum status status = take_stream(&search, stream, size, error);
	if (status == STATUS_OK && search.found.memory == NULL)
		status = fail_unusable(&search, stream, size, error);
	if (status != STATUS_OK) {
		free(search.found.memory);
	} else {
		*recording = search.found;
		describe_choice(&search, recording->note, sizeof recording->note);
	}
	transmission_free(&search.transmission);
	return status;
}
