/* SPDX-License-Identifier: MIT */
/* Writer of unusual DWARF 4 (32-bit, little-endian), byte by byte. */
#ifndef UNIT_FIRMWARE_LINE_WRITER_H
#define UNIT_FIRMWARE_LINE_WRITER_H

#include <stddef.h>
#include <stdint.h>

struct line_writer {
	uint8_t *bytes; /* to be freed */
	size_t size;
};

void line_writer_bytes(struct line_writer *writer, const void *bytes, size_t size);
void line_writer_number(struct line_writer *writer, uint64_t value, unsigned size);

/* A sequence of one row: size bytes of code (at most 127) at address belong to a line (at most 63) of file 1. */
void line_writer_sequence(struct line_writer *writer, uint32_t address, unsigned size, unsigned line);

/* Builds a table from folders and files, in the form of the format, and a program. Frees both. */
void line_writer_table(struct line_writer *writer, struct line_writer *files, struct line_writer *program);

/* line_writer_unit() appends to .debug_info a unit with only a table at offset; line_writer_unit_form() appends its
 * entry to .debug_abbrev. */
void line_writer_unit(struct line_writer *info, size_t offset);
void line_writer_unit_form(struct line_writer *abbreviations);

#endif
