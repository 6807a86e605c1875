/* SPDX-License-Identifier: MIT */
/* See line.h. */
#include "line.h"

#include <time.h>

#define LOOK_NANOSECONDS 1000000u

uint64_t line_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void line_open(struct line *line, unsigned long bits_per_second)
{
	*line = (struct line){.byte_nanoseconds = bits_per_second ? 10000000000u / bits_per_second : 0};
}

size_t line_put(struct line *line, const uint8_t *bytes, size_t size)
{
	const uint64_t now = line_clock();

	if (line->free_at < now)
		line->free_at = now;
	if (size > LINE_CAPACITY - line->count)
		size = LINE_CAPACITY - line->count;
	for (size_t i = 0; i < size; i++)
		line->bytes[(line->first + line->count++) % LINE_CAPACITY] = bytes[i];
	line->free_at += size * line->byte_nanoseconds;
	return size;
}

/* Bytes under way are back to back, and the last one arrives at free_at. All others have arrived. */
static size_t count_arrived(const struct line *line)
{
	const uint64_t now = line_clock();

	if (line->byte_nanoseconds == 0 || line->free_at <= now)
		return line->count;
	const uint64_t under_way = (line->free_at - now + line->byte_nanoseconds - 1) / line->byte_nanoseconds;
	return under_way < line->count ? line->count - (size_t)under_way : 0;
}

size_t line_arrived(const struct line *line, const uint8_t **bytes)
{
	const size_t arrived = count_arrived(line);
	const size_t straight = LINE_CAPACITY - line->first;

	*bytes = line->bytes + line->first;
	return arrived < straight ? arrived : straight;
}

void line_drop(struct line *line, size_t size)
{
	line->first = (line->first + size) % LINE_CAPACITY;
	line->count -= size;
}

uint64_t line_due(const struct line *line)
{
	const uint64_t soon = line_clock() + LOOK_NANOSECONDS;

	if (line->count == 0)
		return UINT64_MAX;
	return line->free_at < soon ? line->free_at : soon;
}
