/* SPDX-License-Identifier: MIT */
/* Writer of unusual ELFs: any class, byte order, sections and symbols. */
#ifndef UNIT_FIRMWARE_ELF_WRITER_H
#define UNIT_FIRMWARE_ELF_WRITER_H

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
	int class; /* ELFCLASS* */
	int order; /* ELFDATA2* */
	unsigned machine;
	unsigned type; /* ET_*; 0 is ET_EXEC */
	const struct elf_writer_section *sections;
	size_t section_count;
	const struct elf_writer_symbol *symbols;
	size_t symbol_count;
};

/* Writes the plan's ELF to path; the test fails if that cannot be done. */
void elf_writer_write(const char *path, const struct elf_writer_plan *plan);

#endif
