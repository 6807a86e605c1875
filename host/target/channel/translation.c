/* SPDX-License-Identifier: MIT */
/* See translation.h. */
#include "target/channel/translation.h"

#include "target/channel/frame.h"

#include <stdbool.h>

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

/* The byte that stream[*at..size) was translated from; moves *at to the last byte of its translation. */
static uint8_t undo(const struct translation *translation, const uint8_t *stream, size_t size, size_t *at)
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

static size_t count_frames(const struct translation *translation, const uint8_t *stream, size_t size)
{
	struct frame_decoder decoder;
	size_t count = 0;

	frame_decoder_init(&decoder);
	for (size_t i = 0; i < size; i++)
		count += frame_decoder_take(&decoder, undo(translation, stream, size, &i)) == FRAME_GOOD;
	return count;
}

const char *translation_find(const uint8_t *stream, size_t size)
{
	static const struct translation none;
	const struct translation *best = &none;
	size_t max = count_frames(&none, stream, size);

	for (size_t i = 0; i < sizeof translations / sizeof translations[0]; i++) {
		size_t count = count_frames(&translations[i], stream, size);
		if (count > max) {
			max = count;
			best = &translations[i];
		}
	}
	return best->what;
}
