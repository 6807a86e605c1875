/* SPDX-License-Identifier: MIT */
/* Writes DWARF 4 (32-bit, little-endian) that no compiler would, byte by byte. Knows nothing of image/. */
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

/* Wraps up folders and files, in the form of the format, and a program to a table. Takes over both. */
void line_writer_table(struct line_writer *writer, struct line_writer *files, struct line_writer *program);

/* In .debug_info: a unit with nothing but a table at offset; in .debug_abbrev: what such units refer to. */
void line_writer_unit(struct line_writer *info, size_t offset);
void line_writer_unit_form(struct line_writer *abbreviations);

#endif
