/* SPDX-License-Identifier: MIT */
/* A stream of bits on SWDIO: driven levels, direction, and sampled levels. */
#ifndef ACQUIRE_DAP_STREAM_H
#define ACQUIRE_DAP_STREAM_H

#include "acquire/dap/dap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The maximum number of requests per stream, a power of two; the clocks of each request (IHI 0031, B4.2: 8 for the
 * request, 3 for the acknowledge, 33 for data, two turnarounds); and the idle clocks at the end (B4.1). */
#define STREAM_REQUESTS_MAX   512u
#define STREAM_REQUEST_CLOCKS 46u
#define STREAM_IDLE_CLOCKS    8u
#define STREAM_BYTES_MAX      ((STREAM_REQUESTS_MAX * STREAM_REQUEST_CLOCKS + STREAM_IDLE_CLOCKS + 7) / 8)

struct stream {
	unsigned pause; /* idle clocks after each request */
	size_t count;   /* clocks */
	uint8_t bits[STREAM_BYTES_MAX], direction[STREAM_BYTES_MAX], in[STREAM_BYTES_MAX];
};

/* True if a request and the idle clocks at the end fit. */
bool stream_has_room(const struct stream *stream);
/* Adds a request, its data and the pause. reg: see dap_transfer. */
void stream_add_request(struct stream *stream, uint8_t reg, uint32_t word);
/* Adds the idle clocks at the end. */
void stream_add_idle(struct stream *stream);
/* The acknowledge of the request with this index, and its data if their parity is right. The stream must begin with
 * requests, up to this one. */
enum dap_ack stream_ack(const struct stream *stream, size_t index);
bool stream_word(const struct stream *stream, size_t index, uint32_t *word);

#endif
