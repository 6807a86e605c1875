/* SPDX-License-Identifier: MIT */
/* See table.h. */
#include "firmware/unwind/table.h"

#include "base/array.h"
#include "base/search.h"
#include "firmware/private.h"
#include "firmware/unwind/table_encode.h"

#include <stdlib.h>
#include <string.h>

/* A table covers one piece of code. Larger gaps, such as constants or other memory, divide pieces. The pages of a gap
 * of this size take as many bytes as the recipes of another table. */
#define GAP_MAX 0x4000u

/* A piece of code: rows[first] to rows[last], where the last one begins after its code. */
struct table_piece {
	size_t first, last;
	uint64_t bytes;
};

struct table_pieces {
	struct table_piece *items;
	size_t count;
};

static bool is_gap(const struct table_rows *rows, size_t i)
{
	return rows->rows[i].recipe == RECIPE_WITHOUT_ROW &&
	       rows->rows[i + 1].address - rows->rows[i].address > GAP_MAX;
}

/* The piece with the most code first, because the target looks there first. */
static int compare_table_pieces(const void *left, const void *right)
{
	const struct table_piece *a = left, *b = right;
	int order = compare_numbers(b->bytes, a->bytes);

	return order != 0 ? order : compare_numbers(a->first, b->first);
}

/* The caller frees pieces->items in any case. False when out of memory. */
static bool find_pieces(const struct table_rows *rows, struct table_pieces *pieces)
{
	struct table_piece piece = {0};

	for (size_t i = 0; i < rows->count; i++) {
		piece.last = i;
		piece.bytes = rows->rows[i].address - rows->rows[piece.first].address;
		if (i + 1 < rows->count && !is_gap(rows, i))
			continue;
		if (piece.bytes > 0 && !array_append(&pieces->items, &pieces->count, &piece, sizeof piece))
			return false;
		piece.first = i + 1;
	}
	if (pieces->count > 0)
		qsort(pieces->items, pieces->count, sizeof *pieces->items, compare_table_pieces);
	return true;
}

static uint32_t word_at(const struct image *image, const uint8_t *bytes)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < 4; i++)
		value |= (uint32_t)bytes[image->big_endian ? 3 - i : i] << 8 * i;
	return value;
}

static uint32_t find_identity(const struct image *image)
{
	uint8_t bytes[BAREPROF_IDENTITY_CAPACITY] = {0};
	uint32_t identity = 0;

	memcpy(bytes, image->build_id, image->build_id_size < sizeof bytes ? image->build_id_size : sizeof bytes);
	for (size_t i = 0; i < sizeof bytes; i += 4)
		identity ^= word_at(image, bytes + i);
	return identity;
}

static bool append_table(struct unwind_table *table, const struct unwind_table *piece)
{
	uint8_t *bytes = realloc(table->bytes, table->size + piece->size);

	if (bytes == NULL)
		return false;
	memcpy(bytes + table->size, piece->bytes, piece->size);
	table->bytes = bytes;
	table->size += piece->size;
	table->code_bytes += piece->code_bytes;
	table->row_count += piece->row_count;
	table->recipe_count += piece->recipe_count;
	table->piece_count++;
	return true;
}

/* Encodes the pieces. Each table has the CRC of the one before it, so that the target knows that they belong together.
 */
static enum status encode_pieces(const struct image *image, const struct table_rows *rows,
                                 const struct table_pieces *pieces, struct unwind_table *table, struct error *error)
{
	enum status status = STATUS_OK;
	uint32_t identity = find_identity(image);

	for (size_t i = 0; status == STATUS_OK && i < pieces->count; i++) {
		const struct table_piece *piece = &pieces->items[i];
		const struct table_rows part = {rows->rows + piece->first, piece->last - piece->first + 1};
		const bool is_last = i + 1 == pieces->count;
		struct unwind_table encoded = {0};

		status = table_encode(image, &part, identity, is_last ? 4 : 8, &encoded, error);
		if (status == STATUS_OK && !append_table(table, &encoded))
			status = status_no_memory(error, image->path);
		if (status == STATUS_OK)
			identity = word_at(image, encoded.bytes + BAREPROF_TABLE_OFFSET_CRC);
		unwind_table_free(&encoded);
	}
	return status;
}

/* Records functions without rows, in which paths end. Between functions there are only constants and padding. */
static void note_code_without_rows(const struct image *image, const struct table_rows *rows, struct unwind_table *table)
{
	const struct image_function *last = NULL;

	for (size_t i = 0; i + 1 < rows->count; i++) {
		const struct image_function *function = rows->rows[i].recipe != RECIPE_WITHOUT_ROW
		                                                ? NULL
		                                                : image_function_at(image, rows->rows[i].address);

		if (function == NULL)
			continue;
		table->bytes_without_rows += rows->rows[i + 1].address - rows->rows[i].address;
		if (function == last)
			continue;
		if (table->bare_count < UNWIND_TABLE_NAMED_MAX)
			table->bare[table->bare_count] = function;
		table->bare_count++;
		last = function;
	}
}

static enum status compile_rows(const struct image *image, const struct table_rows *rows, struct unwind_table *table,
                                struct error *error)
{
	struct table_pieces pieces = {0};
	enum status status = STATUS_OK;

	if (!find_pieces(rows, &pieces))
		status = status_no_memory(error, image->path);
	else if (pieces.count == 0 || pieces.items[0].bytes >= UINT32_MAX)
		status = status_fail(error, "%s: no code for an unwind table", image->path);
	else if (pieces.count > BAREPROF_TABLES_MAX)
		status = status_fail(error,
		                     "%s: constants divide the code into %zu pieces, and an unwind table can have %u: "
		                     "keep constants apart from code in the linker script",
		                     image->path, pieces.count, BAREPROF_TABLES_MAX);
	else
		status = encode_pieces(image, rows, &pieces, table, error);
	if (status == STATUS_OK)
		note_code_without_rows(image, rows, table);
	else
		unwind_table_free(table);
	free(pieces.items);
	return status;
}

static enum status compile_table(const struct image *image, const struct unwinder *unwinder, struct unwind_table *table,
                                 struct error *error)
{
	struct table_rows rows;

	if (!table_rows_find(image, unwinder, &rows))
		return status_no_memory(error, image->path);
	enum status status = compile_rows(image, &rows, table, error);
	if (status == STATUS_OK)
		table->called_entry = unwinder_called_entry(unwinder);
	free(rows.rows);
	return status;
}

enum status unwind_table_compile(const struct image *image, struct unwind_table *table, struct error *error)
{
	struct unwinder *unwinder;

	*table = (struct unwind_table){0};
	if (image->isa != IMAGE_ISA_ARM && image->isa != IMAGE_ISA_RISCV)
		return status_fail(error, "%s: unwind tables are for Arm and RISC-V", image->path);
	enum status status = unwinder_create(image, &unwinder, error);

	if (status != STATUS_OK)
		return status;
	if (unwinder_row_count(unwinder) == 0)
		status = status_fail(error, "%s: no frame information: compile with -g and do not strip", image->path);
	else
		status = compile_table(image, unwinder, table, error);
	unwinder_free(unwinder);
	return status;
}

void unwind_table_free(struct unwind_table *table)
{
	free(table->bytes);
	*table = (struct unwind_table){0};
}

static const struct image_section *find_table_section(const struct image *image)
{
	const struct image_private *private = image->private;

	for (size_t i = 1; i < private->section_count; i++)
		if (strcmp(private->sections[i].name, UNWIND_TABLE_SECTION) == 0 &&
		    private->sections[i].type == SHT_PROGBITS)
			return &private->sections[i];
	return NULL;
}

bool unwind_table_section(const struct image *image, const uint8_t **bytes, uint64_t *size)
{
	const struct image_section *section = find_table_section(image);

	if (section == NULL)
		return false;
	*bytes = image->private->bytes + section->offset;
	*size = section->size;
	return true;
}

const char *unwind_table_displaced_section(const struct image *image)
{
	const struct image_private *private = image->private;
	const struct image_section *of_table = find_table_section(image);

	if (of_table == NULL)
		return NULL;
	for (size_t i = 1; i < private->section_count; i++) {
		const struct image_section *section = &private->sections[i];

		if (section != of_table && (section->flags & SHF_ALLOC) != 0 && section->size != 0 &&
		    section->address >= of_table->address && section->address - of_table->address < of_table->size)
			return section->name;
	}
	return NULL;
}

static void compile_crc(const struct image *image, struct unwind_table_crc *compiled)
{
	struct unwind_table table;
	struct error error;

	*compiled = (struct unwind_table_crc){.is_compiled = true};
	if (unwind_table_compile(image, &table, &error) != STATUS_OK || table.bytes == NULL)
		return;
	compiled->exists = true;
	compiled->value = word_at(image, table.bytes + BAREPROF_TABLE_OFFSET_CRC);
	unwind_table_free(&table);
}

bool unwind_table_is_of(const struct image *image, uint32_t crc, struct unwind_table_crc *compiled)
{
	const uint8_t *bytes;
	uint64_t size;

	if (unwind_table_section(image, &bytes, &size) && size >= BAREPROF_TABLE_HEADER_SIZE &&
	    word_at(image, bytes + BAREPROF_TABLE_OFFSET_MAGIC) == BAREPROF_TABLE_MAGIC(image->address_size) &&
	    word_at(image, bytes + BAREPROF_TABLE_OFFSET_CRC) == crc)
		return true;
	if (!compiled->is_compiled)
		compile_crc(image, compiled);
	return compiled->exists && compiled->value == crc;
}
