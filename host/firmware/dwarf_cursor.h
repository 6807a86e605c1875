/* SPDX-License-Identifier: MIT */
/* A position in the bytes of a debug section. Private to firmware/. */
#ifndef FIRMWARE_DWARF_CURSOR_H
#define FIRMWARE_DWARF_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reading beyond end gives 0 and leaves the cursor at its end, with is_truncated set. */
struct dwarf_cursor {
	const uint8_t *at, *end;
	bool big_endian;
	bool is_truncated;
};

/* A cursor at offset in section, which is a cursor at its start; is_truncated is set if the offset is outside. */
struct dwarf_cursor dwarf_cursor_at(const struct dwarf_cursor *section, uint64_t offset);
size_t dwarf_cursor_left(const struct dwarf_cursor *cursor);

/* size is 1 to 8. */
uint64_t dwarf_read_number(struct dwarf_cursor *cursor, unsigned size);
/* DWARF 5, 7.6; bits beyond 64 are dropped. It skips signed numbers as well. */
uint64_t dwarf_read_leb128(struct dwarf_cursor *cursor);
void dwarf_skip(struct dwarf_cursor *cursor, uint64_t size);
/* Skips a string with its end and returns its length. */
size_t dwarf_skip_string(struct dwarf_cursor *cursor);

/* Reads the length at the beginning of a unit or table (DWARF 5, 7.4), sets *offset_size and ends the cursor after that
 * length; a length beyond the end counts as truncated. */
void dwarf_read_length(struct dwarf_cursor *cursor, unsigned *offset_size);

#endif
