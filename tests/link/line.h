/* SPDX-License-Identifier: MIT */
/* One direction of a serial line: bytes come out no faster than its bit rate allows, in real time. Bytes travel from
 * the moment they are put, even if nothing polls the line, as on a UART that is fed from a ring buffer. */
#ifndef TESTS_LINK_LINE_H
#define TESTS_LINK_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINE_CAPACITY 1024

struct line {
	uint64_t byte_nanoseconds; /* 0: no delay */
	uint64_t free_at;          /* when the last byte arrives */
	size_t first, count;
	uint8_t bytes[LINE_CAPACITY];
};

/* Nanoseconds of a monotonic clock. */
uint64_t line_clock(void);
static inline uint64_t earlier(uint64_t left, uint64_t right)
{
	return left < right ? left : right;
}

/* A byte takes ten bits; 0: no delay. */
void line_open(struct line *line, unsigned long bits_per_second);
/* Puts as many bytes as there is room for; returns how many. */
size_t line_put(struct line *line, const uint8_t *bytes, size_t size);
/* The number of bytes that have arrived and are contiguous, at *bytes. */
size_t line_arrived(const struct line *line, const uint8_t **bytes);
void line_drop(struct line *line, size_t size);
/* When to look for bytes again: in a millisecond, or earlier if the last byte arrives; UINT64_MAX: the line is empty.
 */
uint64_t line_due(const struct line *line);

#endif
