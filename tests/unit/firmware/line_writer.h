/* SPDX-License-Identifier: MIT */
/* Writer of unusual DWARF 4 (32-bit, little-endian), byte by byte. */
#ifndef UNIT_FIRMWARE_LINE_WRITER_H
#define UNIT_FIRMWARE_LINE_WRITER_H

#include "elf_writer.h"

#include <stddef.h>
#include <stdint.h>

struct line_writer {
	uint8_t *bytes; /* freed after the test */
	size_t size;
	size_t capacity;
};

void line_writer_bytes(struct line_writer *writer, const void *bytes, size_t size);
void line_writer_number(struct line_writer *writer, uint64_t value, unsigned size);

/* A sequence of one row: size bytes of code (at most 127) at address belong to a line (at most 63) of file 1. */
void line_writer_sequence(struct line_writer *writer, uint32_t address, unsigned size, unsigned line);

/* Builds a table from encoded folders and files and a program. */
void line_writer_table(struct line_writer *writer, struct line_writer *files, struct line_writer *program);

/* Appends to .debug_info a unit with only a table at offset. */
void line_writer_unit(struct line_writer *info, size_t offset);

/*
 * Opens an ELF with code from 0x1000 to 0x10FF, which is one function and one section of this name, and with these
 * debug sections. info NULL: a unit with the table at 0. flags: of .debug_line.
 */
struct image *line_writer_image(const char *name, struct line_writer *lines, uint64_t flags, struct line_writer *info);
/* The same with these functions instead of one. */
struct image *line_writer_image_of(const struct elf_writer_symbol *functions, size_t count, struct line_writer *lines);

#endif
