/* SPDX-License-Identifier: MIT */
/* A stretch of memory that is being fetched: which words are there, which were asked for, which are neither. Knows
 * nothing of frames. Offsets and sizes are in bytes, of whole words. */
#ifndef TARGET_CHANNEL_WINDOW_H
#define TARGET_CHANNEL_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

struct window {
	uint32_t offset, size;
	uint32_t missing; /* bytes that did not come */
	uint8_t *bytes;   /* from offset on */

	/* Private. */
	uint8_t *states;    /* of each word */
	uint32_t first;     /* no word before this one is still to be asked for */
	uint32_t asked_end; /* every word before this one was asked for at least once */
};

/* All of it is missing. False if there is not enough memory. */
bool window_init(struct window *window, uint32_t offset, uint32_t size);
/* Also a window of zeros. */
void window_free(struct window *window);

struct window_range {
	uint32_t offset, size;
	bool is_repeat; /* it was asked for before */
};

/*
 * Takes the first stretch that is missing and was not asked for, at most size bytes, and has it asked for. What is
 * there already lies within the stretch where it is too little to be worth two requests. False if there is none.
 */
bool window_ask(struct window *window, uint32_t size, struct window_range *stretch);
/* What was asked for from offset to end will not come: it is to be asked for again. */
void window_release(struct window *window, uint32_t offset, uint32_t end);
/* These bytes came; how many of them were missing. They must lie within the window. */
uint32_t window_fill(struct window *window, uint32_t offset, const uint8_t *bytes, uint32_t size);

#endif
