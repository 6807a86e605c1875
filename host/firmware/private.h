/* SPDX-License-Identifier: MIT */
/* What the files of image/ share: the opened ELF behind struct image. Nothing outside this folder includes it. */
#ifndef FIRMWARE_PRIVATE_H
#define FIRMWARE_PRIVATE_H

#include "firmware/image.h"

#include <gelf.h>

/* A section header, checked: what is not SHT_NOBITS lies within the file, what is allocated within the address space.
 */
struct image_section {
	const char *name; /* "" if the ELF gives none */
	uint32_t type;
	uint64_t flags;
	uint64_t address;
	uint64_t offset;
	uint64_t size;
	uint32_t link;
};

struct image_lines;
struct image_scopes;
struct scope;
struct scopes;
struct line_units;
struct image_name;

struct image_private {
	char *path;
	uint8_t *bytes; /* the file */
	size_t size;
	Elf *elf;
	unsigned machine; /* EM_* */
	struct image_section *sections;
	size_t section_count;
	Elf_Data *symbols;                /* NULL: there is no symbol table */
	Elf_Data *symbol_section_indices; /* for ELFs with more than 65,279 sections, else NULL */
	size_t symbol_count;
	const struct image_section *symbol_names;
	struct image_function *functions; /* as symbols say how long they are, however the image is divided */
	size_t function_count;
	struct image_function *divided; /* by another rule; NULL: not yet */
	struct image_lines *lines;      /* NULL until the first image_line() */
	struct image_scopes *scopes;    /* NULL until the first image_inlines() */
	struct image_name *names;       /* those that are not the ELF's own */
	void *cut_names;                /* a tree of the long ones among those, by what they were cut from */
};

/* One entry of the symbol table. */
struct elf_symbol {
	const char *name;
	uint64_t value; /* Thumb bit removed from functions */
	uint64_t size;
	unsigned type;    /* STT_* */
	unsigned binding; /* STB_* */
	bool defined;
	const struct image_section *section; /* NULL: absolute, undefined, or in no section that there is */
};

/* Stages of opening an image, in this order: each adds its part to *image. */
enum status image_load_regions(struct image *image, struct error *error);
enum status image_load_build_id(struct image *image, struct error *error);
enum status image_load_symbols(struct image *image, struct error *error);
enum status image_load_functions(struct image *image, struct error *error);

/* The string at offset in a string table, "" if it does not lie in there or does not end in there. O(1). */
const char *image_string(const struct image *image, const struct image_section *table, uint64_t offset);

/* A copy of name, cut to IMAGE_NAME_MAX bytes, that lives as long as the image; NULL if memory is short. */
const char *image_keep_name(const struct image *image, const char *name);
/* name itself if it is short enough, else such a copy, the same for the same name. name must live as long, too. */
const char *image_short_name(const struct image *image, const char *name);
void image_names_free(struct image_name *names, void *cut_names);

/* Whether a symbol names code; also data among code does. */
bool image_names_code(const struct elf_symbol *symbol);
/* True of mapping symbols and the compiler's own labels. */
bool image_is_internal_label(const char *name);

/* The sized function that owns address, however the image is divided, or NULL. O(log n). */
const struct image_function *image_sized_function_at(const struct image *image, uint64_t address);

bool image_is_code(const struct image_section *section);
/* The same, empty ones too: what linker scripts have for code that a firmware may have in RAM, say. */
bool image_is_for_code(const struct image_section *section);

/* Entry index of the symbol table; false if it cannot be read. */
bool image_symbol_at(const struct image *image, size_t index, struct elf_symbol *symbol);

/* 0 for global symbols, 1 for weak, 2 for local ones. */
unsigned image_binding_rank(unsigned binding);

/* The units of DWARF that have lines; NULL if memory is short. */
struct line_units *image_line_units(const struct image *image);
/* As image_line(), but always of the instruction at address, also where a function begins. */
bool image_instruction_line(const struct image *image, uint64_t address, const char **file, int *line);
/* As image_each_line(), but not cut where inlined functions begin and end. */
void image_each_row(const struct image *image, image_line_found found, void *context);
/* From DWARF, without which there are none; NULL if memory is short. */
const struct scopes *image_scopes(const struct image *image);
void image_lines_free(struct image_lines *lines);
void image_scopes_free(struct image_scopes *scopes);

#endif
