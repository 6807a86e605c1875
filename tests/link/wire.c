/* SPDX-License-Identifier: MIT */
/* See wire.h. */
#include "wire.h"

#include <time.h>

#define LOOK_NANOSECONDS 1000000u

uint64_t wire_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void wire_open(struct wire *wire, unsigned long bits_per_second)
{
	*wire = (struct wire){.byte_nanoseconds = bits_per_second ? 10000000000u / bits_per_second : 0};
}

size_t wire_put(struct wire *wire, const uint8_t *bytes, size_t size)
{
	const uint64_t now = wire_clock();

	if (wire->free_at < now)
		wire->free_at = now;
	if (size > WIRE_CAPACITY - wire->count)
		size = WIRE_CAPACITY - wire->count;
	for (size_t i = 0; i < size; i++)
		wire->bytes[(wire->first + wire->count++) % WIRE_CAPACITY] = bytes[i];
	wire->free_at += size * wire->byte_nanoseconds;
	return size;
}

/* The bytes under way are back to back and end at free_at: those before them are through. */
static size_t count_arrived(const struct wire *wire)
{
	const uint64_t now = wire_clock();

	if (wire->byte_nanoseconds == 0 || wire->free_at <= now)
		return wire->count;
	const uint64_t under_way = (wire->free_at - now + wire->byte_nanoseconds - 1) / wire->byte_nanoseconds;
	return under_way < wire->count ? wire->count - (size_t)under_way : 0;
}

size_t wire_arrived(const struct wire *wire, const uint8_t **bytes)
{
	const size_t arrived = count_arrived(wire);
	const size_t straight = WIRE_CAPACITY - wire->first;

	*bytes = wire->bytes + wire->first;
	return arrived < straight ? arrived : straight;
}

void wire_drop(struct wire *wire, size_t size)
{
	wire->first = (wire->first + size) % WIRE_CAPACITY;
	wire->count -= size;
}

uint64_t wire_due(const struct wire *wire)
{
	const uint64_t soon = wire_clock() + LOOK_NANOSECONDS;

	if (wire->count == 0)
		return UINT64_MAX;
	return wire->free_at < soon ? wire->free_at : soon;
}
