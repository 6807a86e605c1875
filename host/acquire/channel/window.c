/* SPDX-License-Identifier: MIT */
/* See window.h. */
#include "acquire/channel/window.h"

#include <stdlib.h>
#include <string.h>

#define WORD 4

/* The longest gap that is fetched again to save a request. It costs about as much as a request, the head of its answer
 * and the pause between them. */
#define BRIDGE_WORDS 16

enum { MISSING, ASKED, THERE };

bool window_init(struct window *window, uint32_t offset, uint32_t size)
{
	*window = (struct window){.offset = offset, .size = size, .missing = size};
	window->bytes = calloc(size, 1);
	window->states = calloc(size / WORD, 1);
	if (window->bytes != NULL && window->states != NULL)
		return true;
	window_free(window);
	return false;
}

void window_free(struct window *window)
{
	free(window->bytes);
	free(window->states);
	*window = (struct window){0};
}

/* The end of the range that begins with this word: after its last missing word. */
static uint32_t range_end(const struct window *window, uint32_t begin, uint32_t limit)
{
	uint32_t end = begin;

	for (uint32_t word = begin; word < limit && word - end <= BRIDGE_WORDS; word++) {
		if (window->states[word] == ASKED)
			break;
		if (window->states[word] == MISSING)
			end = word + 1;
	}
	return end;
}

bool window_ask(struct window *window, uint32_t size, struct window_range *range)
{
	uint32_t count = window->size / WORD, begin = window->first;

	while (begin < count && window->states[begin] != MISSING)
		begin++;
	window->first = begin;
	if (begin == count)
		return false;
	uint32_t end = range_end(window, begin, size / WORD < count - begin ? begin + size / WORD : count);
	for (uint32_t word = begin; word < end; word++)
		if (window->states[word] == MISSING)
			window->states[word] = ASKED;
	range->offset = window->offset + begin * WORD;
	range->size = (end - begin) * WORD;
	range->is_repeat = begin < window->asked_end;
	if (window->asked_end < end)
		window->asked_end = end;
	window->first = end;
	return true;
}

void window_release(struct window *window, uint32_t offset, uint32_t end)
{
	uint32_t begin = (offset - window->offset) / WORD;

	for (uint32_t word = begin; word < (end - window->offset) / WORD; word++)
		if (window->states[word] == ASKED)
			window->states[word] = MISSING;
	if (window->first > begin)
		window->first = begin;
}

uint32_t window_fill(struct window *window, uint32_t offset, const uint8_t *bytes, uint32_t size)
{
	uint32_t begin = (offset - window->offset) / WORD, fresh = 0;

	for (uint32_t word = begin; word < begin + size / WORD; word++) {
		fresh += window->states[word] == THERE ? 0 : WORD;
		window->states[word] = THERE;
	}
	memcpy(window->bytes + begin * WORD, bytes, size);
	window->missing -= fresh;
	return fresh;
}
