/* SPDX-License-Identifier: MIT */
/* Bookkeeping for a range of memory being fetched: words that arrived, words that were requested, and the rest. Offsets
 * and sizes are in bytes, but multiples of a word. */
#ifndef ACQUIRE_CHANNEL_WINDOW_H
#define ACQUIRE_CHANNEL_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

struct window {
	uint32_t offset, size;
	uint32_t missing; /* bytes that have not arrived */
	uint8_t *bytes;   /* the memory, from offset on */

	/* Private. */
	uint8_t *states;    /* one per word */
	uint32_t first;     /* all words before this one were requested */
	uint32_t asked_end; /* all words before this one were requested at least once */
};

/* Starts with everything missing. False if memory runs out. */
bool window_init(struct window *window, uint32_t offset, uint32_t size);
/* A zeroed window is allowed. */
void window_free(struct window *window);

struct window_range {
	uint32_t offset, size;
	bool is_repeat; /* the range was requested before */
};

/* Picks the first missing range that was not requested yet, at most size bytes, and marks it as requested. A short gap
 * of words that already arrived may lie within it, if a separate request would cost more. False if there is none. */
bool window_ask(struct window *window, uint32_t size, struct window_range *range);
/* The rest of a request, from offset to end, is lost and must be requested again. */
void window_release(struct window *window, uint32_t offset, uint32_t end);
/* Stores bytes that arrived, which must lie within the window; returns how many were missing. */
uint32_t window_fill(struct window *window, uint32_t offset, const uint8_t *bytes, uint32_t size);

#endif
