/* SPDX-License-Identifier: MIT */
/*
 * One direction of a serial line: bytes come out as many, and as late, as its bit rate lets them, in real time. However
 * late it is looked at, what is in it was under way since it was put there: as a UART that is fed from a ring.
 */
#ifndef TESTS_LINK_WIRE_H
#define TESTS_LINK_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIRE_CAPACITY 1024

struct wire {
	uint64_t byte_nanoseconds; /* 0 = as quick as may be */
	uint64_t free_at;          /* when the last byte that was put is through */
	size_t first, count;
	uint8_t bytes[WIRE_CAPACITY];
};

/* Nanoseconds on a clock that only goes forward. */
uint64_t wire_clock(void);
/* Of ten bits to a byte; 0 = as quick as may be. */
void wire_open(struct wire *wire, unsigned long bits_per_second);
/* Puts as many as there is room for; how many. */
size_t wire_put(struct wire *wire, const uint8_t *bytes, size_t size);
/* How many bytes are through, in one piece from *bytes on. */
size_t wire_arrived(const struct wire *wire, const uint8_t **bytes);
void wire_drop(struct wire *wire, size_t size);
/* When the next bytes are worth a look: a millisecond of them, or the last; UINT64_MAX: never. */
uint64_t wire_due(const struct wire *wire);

#endif
