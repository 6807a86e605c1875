/* SPDX-License-Identifier: MIT */
/* See table_encode.h. */
#include "firmware/unwind/table_encode.h"

#include "firmware/identity.h"

#include <stdlib.h>
#include <string.h>

#define PAGE ((uint64_t)BAREPROF_TABLE_PAGE_BYTES)

struct recipe {
	uint32_t recipe;
	size_t rows; /* number of rows with this recipe */
};

struct recipes {
	struct recipe *recipes; /* in ascending order */
	size_t count;
};

struct encoder {
	const struct image *image;
	const struct table_rows *rows;
	struct recipes recipes;
	uint64_t base;
	size_t page_count;
	size_t row_count; /* including rows added at the start of pages */
	uint8_t *bytes;
	size_t size;
};

static int compare_recipes(const void *left, const void *right)
{
	const struct recipe *a = left;
	const struct recipe *b = right;

	return (a->recipe > b->recipe) - (a->recipe < b->recipe);
}

/* The most frequent first. */
static int compare_frequencies(const void *left, const void *right)
{
	const struct recipe *a = left;
	const struct recipe *b = right;

	return a->rows != b->rows ? (a->rows < b->rows) - (a->rows > b->rows) : compare_recipes(left, right);
}

static void merge_equal_recipes(struct recipes *recipes)
{
	size_t kept = 0;

	qsort(recipes->recipes, recipes->count, sizeof *recipes->recipes, compare_recipes);
	for (size_t i = 1; i < recipes->count; i++)
		if (recipes->recipes[i].recipe == recipes->recipes[kept].recipe)
			recipes->recipes[kept].rows += recipes->recipes[i].rows;
		else
			recipes->recipes[++kept] = recipes->recipes[i];
	recipes->count = kept + 1;
}

/* RECIPE_WITHOUT_ROW is always among them. */
static bool collect_recipes(const struct table_rows *rows, struct recipes *recipes)
{
	recipes->recipes = calloc(rows->count + 1, sizeof *recipes->recipes);
	if (recipes->recipes == NULL)
		return false;
	for (size_t i = 0; i < rows->count; i++)
		recipes->recipes[i] = (struct recipe){rows->rows[i].recipe, 1};
	recipes->recipes[rows->count] = (struct recipe){RECIPE_WITHOUT_ROW, SIZE_MAX / 2};
	recipes->count = rows->count + 1;
	merge_equal_recipes(recipes);
	if (recipes->count > BAREPROF_TABLE_RECIPES_MAX) {
		qsort(recipes->recipes, recipes->count, sizeof *recipes->recipes, compare_frequencies);
		recipes->count = BAREPROF_TABLE_RECIPES_MAX;
		qsort(recipes->recipes, recipes->count, sizeof *recipes->recipes, compare_recipes);
	}
	return true;
}

static const struct recipe *find_recipe(const struct recipes *recipes, uint32_t recipe)
{
	return bsearch(&(struct recipe){recipe, 0}, recipes->recipes, recipes->count, sizeof *recipes->recipes,
	               compare_recipes);
}

static void replace_rare_recipes(const struct recipes *recipes, const struct table_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		if (find_recipe(recipes, rows->rows[i].recipe) == NULL)
			rows->rows[i].recipe = RECIPE_WITHOUT_ROW;
}

static void put_table_number(const struct encoder *encoder, size_t offset, unsigned size, uint64_t value)
{
	for (unsigned i = 0; i < size; i++)
		encoder->bytes[offset + (encoder->image->big_endian ? size - 1 - i : i)] = (uint8_t)(value >> 8 * i);
}

static size_t rows_offset(const struct encoder *encoder)
{
	return BAREPROF_TABLE_HEADER_SIZE + 2 * encoder->page_count;
}

static size_t recipes_offset(const struct encoder *encoder)
{
	return (rows_offset(encoder) + 2 * encoder->row_count + 3) / 4 * 4;
}

/* Calls found() for each row of the table in order, including rows added where a page begins within a row. */
static void each_row(struct encoder *encoder,
                     void (*found)(struct encoder *encoder, uint64_t address, uint32_t recipe, size_t number))
{
	const struct table_row *rows = encoder->rows->rows;
	uint32_t recipe = RECIPE_WITHOUT_ROW;
	size_t next = 0;
	size_t number = 0;

	for (size_t page = 0; page < encoder->page_count; page++) {
		const uint64_t start = encoder->base + page * PAGE;

		if (next == encoder->rows->count || rows[next].address != start)
			found(encoder, start, recipe, number++);
		for (; next < encoder->rows->count && rows[next].address < start + PAGE; next++) {
			recipe = rows[next].recipe;
			found(encoder, rows[next].address, recipe, number++);
		}
	}
	encoder->row_count = number;
}

static void count_row(struct encoder *encoder, uint64_t address, uint32_t recipe, size_t number)
{
	(void)encoder, (void)address, (void)recipe, (void)number;
}

static void put_row(struct encoder *encoder, uint64_t address, uint32_t recipe, size_t number)
{
	const uint64_t distance = address - encoder->base;
	const size_t place = rows_offset(encoder) + 2 * number;

	/* Later rows of the page replace the place after this one. */
	put_table_number(encoder, BAREPROF_TABLE_HEADER_SIZE + 2 * (distance / PAGE), 2, place / 2 + 1);
	put_table_number(encoder, place, 2,
	                 BAREPROF_TABLE_ROW(distance % PAGE / 2, (unsigned)(find_recipe(&encoder->recipes, recipe) -
	                                                                    encoder->recipes.recipes)));
}

static void put_table_header(const struct encoder *encoder, uint32_t identity)
{
	put_table_number(encoder, BAREPROF_TABLE_OFFSET_MAGIC, 4, BAREPROF_TABLE_MAGIC(encoder->image->address_size));
	put_table_number(encoder, BAREPROF_TABLE_OFFSET_SIZE, 4, encoder->size);
	put_table_number(encoder, BAREPROF_TABLE_OFFSET_IDENTITY, 4, identity);
	put_table_number(encoder, BAREPROF_TABLE_OFFSET_PAGES, 4, encoder->page_count);
	put_table_number(encoder, BAREPROF_TABLE_OFFSET_RECIPES, 4, recipes_offset(encoder));
	put_table_number(encoder, BAREPROF_TABLE_OFFSET_BASE, 8, encoder->base);
}

static void put_table(struct encoder *encoder, uint32_t identity)
{
	put_table_header(encoder, identity);
	for (size_t i = 0; i < encoder->recipes.count; i++)
		put_table_number(encoder, recipes_offset(encoder) + 4 * i, 4, encoder->recipes.recipes[i].recipe);
	each_row(encoder, put_row);
	put_table_number(encoder, BAREPROF_TABLE_OFFSET_CRC, 4,
	                 image_crc_bytes(IMAGE_CRC_START, encoder->bytes + BAREPROF_TABLE_OFFSET_SIZE,
	                                 encoder->size - BAREPROF_TABLE_OFFSET_SIZE));
}

static enum status encode_table(struct encoder *encoder, uint32_t identity, size_t alignment,
                                struct unwind_table *table, struct error *error)
{
	const struct table_rows *rows = encoder->rows;
	const uint64_t end = rows->rows[rows->count - 1].address;

	encoder->base = rows->rows[0].address / PAGE * PAGE;
	encoder->page_count = (size_t)((end - encoder->base + PAGE - 1) / PAGE);
	each_row(encoder, count_row);
	if (rows_offset(encoder) / 2 + encoder->row_count > BAREPROF_TABLE_PLACE_MAX)
		return status_fail(error, "%s: an unwind table would need %zu pages and rows, and can have %zu",
		                   encoder->image->path, encoder->page_count + encoder->row_count,
		                   BAREPROF_TABLE_PLACE_MAX - BAREPROF_TABLE_HEADER_SIZE / (size_t)2);
	encoder->size = recipes_offset(encoder) + 4 * encoder->recipes.count;
	encoder->size = (encoder->size + alignment - 1) / alignment * alignment;
	encoder->bytes = calloc(1, encoder->size);
	if (encoder->bytes == NULL)
		return status_no_memory(error, encoder->image->path);
	put_table(encoder, identity);
	*table = (struct unwind_table){
	        .bytes = encoder->bytes,
	        .size = encoder->size,
	        .code_bytes = end - rows->rows[0].address,
	        .piece_count = 1,
	        .row_count = encoder->row_count,
	        .recipe_count = encoder->recipes.count,
	};
	return STATUS_OK;
}

enum status table_encode(const struct image *image, const struct table_rows *rows, uint32_t identity, size_t alignment,
                         struct unwind_table *table, struct error *error)
{
	struct encoder encoder = {.image = image, .rows = rows};
	enum status status = STATUS_OK;

	if (!collect_recipes(rows, &encoder.recipes))
		return status_no_memory(error, image->path);
	replace_rare_recipes(&encoder.recipes, rows);
	status = encode_table(&encoder, identity, alignment, table, error);
	free(encoder.recipes.recipes);
	return status;
}
