/* SPDX-License-Identifier: MIT */
/* Writer of unusual ELFs: any class, byte order, sections and symbols. */
#ifndef UNIT_FIRMWARE_ELF_WRITER_H
#define UNIT_FIRMWARE_ELF_WRITER_H

#include "firmware/image.h"

#include <gelf.h>
#include <stddef.h>

struct elf_writer_section {
	const char *name;
	uint32_t type;
	uint64_t flags;
	uint64_t address;
	uint64_t size;
	const void *bytes; /* NULL: as many zeros */
};

struct elf_writer_symbol {
	const char *name;
	uint64_t value;
	uint64_t size;
	unsigned binding, type;
	unsigned section; /* 1 is the first one of the plan */
};

struct elf_writer_plan {
	int class;        /* ELFCLASS*; 0 is ELFCLASS32 */
	int order;        /* ELFDATA2*; 0 is ELFDATA2LSB */
	unsigned machine; /* EM_*; 0 is EM_ARM */
	unsigned type;    /* ET_*; 0 is ET_EXEC */
	const struct elf_writer_section *sections;
	size_t section_count; /* 0: .text with 0x100 zeros at ELF_WRITER_TEXT */
	const struct elf_writer_symbol *symbols;
	size_t symbol_count;
};

#define ELF_WRITER_TEXT 0x1000

/* For a plan: arrays with their sizes. */
#define ELF_SECTIONS(array) .sections = (array), .section_count = sizeof(array) / sizeof *(array)
#define ELF_SYMBOLS(array)  .symbols = (array), .symbol_count = sizeof(array) / sizeof *(array)

/* Writes the plan's ELF to path; the test fails if that is impossible. */
void elf_writer_write(const char *path, const struct elf_writer_plan *plan);
/* Writes it to a temporary file and opens it; the test fails on errors. The image is closed after the test. */
struct image *elf_writer_image(const struct elf_writer_plan *plan);

#endif
