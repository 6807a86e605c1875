/* SPDX-License-Identifier: MIT */
/* Declarations shared by the files of firmware/: the opened ELF of struct image. Private to this folder. */
#ifndef FIRMWARE_PRIVATE_H
#define FIRMWARE_PRIVATE_H

#include "firmware/image.h"

#include <gelf.h>

/* A checked section header: contents lie within the file, and allocated sections within the address space. */
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
struct scopes;
struct line_units;

struct image_private {
	char *path;
	uint8_t *bytes; /* the file */
	size_t size;
	Elf *elf;
	struct image_section *sections;
	size_t section_count;
	Elf_Data *symbols;                /* NULL: no symbol table */
	Elf_Data *symbol_section_indices; /* for more than 65,279 sections, otherwise NULL */
	size_t symbol_count;
	const struct image_section *symbol_names;
	struct image_function *functions; /* by the sizes of symbols, independent of the current division */
	size_t function_count;
	struct image_function *divided; /* by the current rule; NULL: by size */
	struct image_lines *lines;      /* NULL until the first image_line() */
	struct scopes *scopes;          /* NULL until the first image_inlines() */
	void *names;                    /* a search tree of copies of names, see names.c */
};

/* One entry of the symbol table. */
struct elf_symbol {
	const char *name;
	uint64_t value; /* Thumb bit removed from functions */
	uint64_t size;
	unsigned type;    /* STT_* */
	unsigned binding; /* STB_* */
	bool defined;
	const struct image_section *section; /* NULL: absolute, undefined, or of an invalid section */
};

/* The stages of opening an image, in order. Each fills its part of *image. */
enum status image_load_regions(struct image *image, struct error *error);
enum status image_load_symbols(struct image *image, struct error *error);
enum status image_load_recorder(struct image *image, struct error *error);
enum status image_load_functions(struct image *image, struct error *error);
/* Firmware without a build-id is identified by its hash, see identity.h. */
void image_find_build_id(struct image *image);

/* The string at offset in a string table; "" if it is not within the table or not terminated. O(1). */
const char *image_string(const struct image *image, const struct image_section *table, uint64_t offset);

/* A copy of name, cut to IMAGE_NAME_MAX bytes and owned by the image; NULL when out of memory. */
const char *image_keep_name(const struct image *image, const char *name);
/* Returns name itself if it is short enough, otherwise a shortened copy, one per pointer. name must live as long as the
 * image. */
const char *image_short_name(const struct image *image, const char *name);
void image_names_free(void *names);

/* Divides the code into other functions, which the image then owns. */
void image_replace_functions(struct image *image, struct image_function *functions, size_t count);

/* STT_FUNC or STT_GNU_IFUNC. */
bool image_names_function(const struct elf_symbol *symbol);
/* Whether a symbol is in code; true also for data among code. */
bool image_names_code(const struct elf_symbol *symbol);
/* True for mapping symbols and compiler-internal labels. */
bool image_is_internal_label(const char *name);

/* The sized function that owns address, independent of the current division, or NULL. O(log n). */
const struct image_function *image_sized_function_at(const struct image *image, uint64_t address);

bool image_is_code(const struct image_section *section);
/* Like image_is_code(), including empty sections, such as those that linker scripts provide for code in RAM. */
bool image_is_for_code(const struct image_section *section);

/* Reads entry index of the symbol table; false if it is unreadable. */
bool image_symbol_at(const struct image *image, size_t index, struct elf_symbol *symbol);

/* 0 for global, 1 for weak and 2 for local symbols. */
unsigned image_binding_rank(unsigned binding);

/* The DWARF units that have lines; NULL when out of memory. */
struct line_units *image_line_units(const struct image *image);
/* Like image_each_line(), but not split where inlined functions begin and end. */
void image_each_row(const struct image *image, image_line_found found, void *context);
/* The scopes from DWARF, empty without it; NULL when out of memory. */
const struct scopes *image_scopes(const struct image *image);
void image_lines_free(struct image_lines *lines);
void image_scopes_free(struct scopes *scopes);

#endif
