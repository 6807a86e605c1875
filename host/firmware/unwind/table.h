/* SPDX-License-Identifier: MIT */
/*
 * The unwind table, by which firmware with path trees finds callers: compiled from the frame information of the ELF
 * into the bytes of <bareprof/unwind_table.h>. The same ELF always gives the same bytes, also after objcopy has put
 * them into it.
 */
#ifndef FIRMWARE_UNWIND_TABLE_H
#define FIRMWARE_UNWIND_TABLE_H

#include "firmware/image.h"

#define UNWIND_TABLE_NAMED_MAX 4u

struct unwind_table {
	uint8_t *bytes; /* owned; a table for each piece of code, one after the other */
	size_t size;
	uint64_t code_bytes; /* bytes of code that it covers */
	size_t piece_count, row_count, recipe_count;
	/* Code without rows, in which paths end: its bytes, the number of its functions, and the first of these
	 * functions, which belong to the image. */
	uint64_t bytes_without_rows;
	size_t bare_count;
	const struct image_function *bare[UNWIND_TABLE_NAMED_MAX];
	const struct image_function *called_entry; /* as unwinder_called_entry() */
};

/* On success the caller frees *table by unwind_table_free(). Fails if the image has no frame information. */
enum status unwind_table_compile(const struct image *image, struct unwind_table *table, struct error *error);
void unwind_table_free(struct unwind_table *table);

/* The section of the ELF that is reserved for a table, with its present contents; false if there is none. The bytes
 * belong to the image. */
bool unwind_table_section(const struct image *image, const uint8_t **bytes, uint64_t *size);

/* The name of a section that begins within the section of the table, because objcopy has put a larger table into it
 * than the linker reserved; NULL if there is none. */
const char *unwind_table_displaced_section(const struct image *image);

/* The CRC of the table compiled from an image's frame information. Initially all zero: not compiled yet. */
struct unwind_table_crc {
	bool is_compiled, exists;
	uint32_t value;
};

/*
 * Whether a target with this image may have used a table with this CRC: the table that the ELF contains, or the table
 * compiled from its frame information. *compiled belongs to the image. It is filled when it is first needed, because a
 * capture may have many CRCs.
 */
bool unwind_table_is_of(const struct image *image, uint32_t crc, struct unwind_table_crc *compiled);

#endif
