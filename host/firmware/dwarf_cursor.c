/* SPDX-License-Identifier: MIT */
/* See dwarf_cursor.h. */
#include "firmware/dwarf_cursor.h"

#include "firmware/bits.h"

#include <string.h>

struct dwarf_cursor dwarf_cursor_at(const struct dwarf_cursor *section, uint64_t offset)
{
	struct dwarf_cursor cursor = *section;

	dwarf_skip(&cursor, offset);
	return cursor;
}

size_t dwarf_cursor_left(const struct dwarf_cursor *cursor)
{
	return (size_t)(cursor->end - cursor->at);
}

void dwarf_skip(struct dwarf_cursor *cursor, uint64_t size)
{
	size_t left = dwarf_cursor_left(cursor);

	cursor->is_truncated |= size > left;
	/* An empty section has a NULL pointer, to which even 0 must not be added. */
	if (left > 0)
		cursor->at += size > left ? left : size;
}

uint64_t dwarf_read_number(struct dwarf_cursor *cursor, unsigned size)
{
	const uint8_t *bytes = cursor->at;

	dwarf_skip(cursor, size);
	return cursor->is_truncated ? 0 : number_at(bytes, size, cursor->big_endian);
}

uint64_t dwarf_read_leb128(struct dwarf_cursor *cursor)
{
	uint64_t value = 0;

	for (unsigned shift = 0;; shift += 7) {
		uint8_t byte = (uint8_t)dwarf_read_number(cursor, 1);

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7F) << shift;
		if ((byte & 0x80) == 0)
			return value;
	}
}

size_t dwarf_skip_string(struct dwarf_cursor *cursor)
{
	size_t left = dwarf_cursor_left(cursor);
	const uint8_t *end = left == 0 ? NULL : memchr(cursor->at, 0, left);
	size_t length = end == NULL ? left : (size_t)(end - cursor->at);

	dwarf_skip(cursor, (uint64_t)length + 1);
	return length;
}

void dwarf_read_length(struct dwarf_cursor *cursor, unsigned *offset_size)
{
	uint64_t length = dwarf_read_number(cursor, 4);

	*offset_size = length == UINT32_MAX ? 8 : 4;
	if (length == UINT32_MAX)
		length = dwarf_read_number(cursor, 8);
	cursor->is_truncated |= length > dwarf_cursor_left(cursor);
	if (!cursor->is_truncated)
		cursor->end = cursor->at + length;
}
