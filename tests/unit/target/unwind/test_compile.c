/* SPDX-License-Identifier: MIT */
/* The rows and recipes of unwind tables, and images that have no table. */
#include "firmware/unwind/frame_code.h"
#include "firmware/unwind/table_encode.h"
#include "frames.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static uint32_t number_at(const struct unwind_table *of, size_t offset, size_t size)
{
	uint32_t value = 0;

	assert_true(offset + size <= of->size);
	memcpy(&value, of->bytes + offset, size);
	return value;
}

/* Row `number` of the table. */
static struct table_row row_at(const struct unwind_table *of, size_t number)
{
	const uint32_t page_count = number_at(of, BAREPROF_TABLE_OFFSET_PAGES, 4);
	const size_t place = BAREPROF_TABLE_HEADER_SIZE + 2 * (page_count + number);
	const uint32_t row = number_at(of, place, 2);
	uint32_t page = 0;

	while (2 * number_at(of, BAREPROF_TABLE_HEADER_SIZE + 2 * page, 2) <= place)
		page++;
	return (struct table_row){
	        number_at(of, BAREPROF_TABLE_OFFSET_BASE, 4) + page * BAREPROF_TABLE_PAGE_BYTES +
	                BAREPROF_TABLE_ROW_BYTES(row),
	        number_at(of, number_at(of, BAREPROF_TABLE_OFFSET_RECIPES, 4) + 4 * BAREPROF_TABLE_ROW_RECIPE(row), 4),
	};
}

static void assert_row(const struct unwind_table *of, size_t number, uint64_t address, uint32_t recipe)
{
	const struct table_row row = row_at(of, number);

	assert_int_equal(row.address, address);
	assert_int_equal(row.recipe, recipe);
}

/* The table under test, freed after it. */
static struct unwind_table table;

static int free_table(void **state)
{
	unwind_table_free(&table);
	return 0;
}

static void compile(const struct frames_function *functions, size_t count)
{
	assert_success(unwind_table_compile(frames_image(functions, count), &table, &failure), &failure);
}

EACH_TEST(NULL, free_table);

static const struct frames_row leaf[] = {{16, .up = 0}};
#define LEAF_RECIPE (BAREPROF_RECIPE(0, 0, 0, 0) | BAREPROF_RECIPE_OF_CALLS(BAREPROF_END_NO_ROW))

TEST(handlers_without_return_address_end_paths)
{
	static const struct frame_row returning = {.ra = FRAME_SAME};
	const uint32_t end = BAREPROF_RECIPE_OF_END(BAREPROF_END_EXCEPTION);

	assert_int_equal(table_recipe_of(NULL, FRAME_IS_HANDLER | FRAME_IS_POINTED_TO, 4), end);
	assert_int_equal(table_recipe_of(&returning, FRAME_IS_HANDLER, 4), LEAF_RECIPE);
	assert_int_equal(table_recipe_of(&returning, FRAME_IS_HANDLER | FRAME_IS_POINTED_TO | FRAME_LOSES_RETURN, 4),
	                 end);
	assert_int_equal(table_recipe_of(NULL, FRAME_IS_POINTED_TO, 4), RECIPE_WITHOUT_ROW);
}

TEST(functions_that_the_entry_jumps_to_end_paths_unless_called)
{
	static const struct frame_row saved = {.offset = 16, .ra = FRAME_SAVED, .ra_offset = -4},
	                              lost = {.ra = FRAME_SAME};
	const uint32_t root = BAREPROF_RECIPE_OF_END(BAREPROF_END_ROOT);
	const unsigned named = FRAME_CONTINUES_ENTRY | FRAME_IS_REFERENCED;

	assert_int_equal(table_recipe_of(&saved, FRAME_CONTINUES_ENTRY, 4), root);
	assert_int_equal(table_recipe_of(&saved, named, 4), BAREPROF_RECIPE(0, 4, 0, 1));
	assert_int_equal(table_recipe_of(&lost, named | FRAME_LOSES_RETURN, 4), root);
	assert_int_equal(table_recipe_of(NULL, named, 4), root);
}

TEST(rows_do_not_span_functions)
{
	compile((const struct frames_function[]){{leaf, 1, 0, false, 0}, {leaf, 1, 0, false, 0}}, 2);
	assert_int_equal(table.row_count, 3);
	assert_row(&table, 0, FRAMES_CODE, LEAF_RECIPE);
	assert_row(&table, 1, FRAMES_CODE + 16, LEAF_RECIPE);
	assert_row(&table, 2, FRAMES_CODE + 32, RECIPE_WITHOUT_ROW);
}

TEST(code_between_functions_has_no_row_and_padding_needs_none)
{
	static const uint32_t nop = 0x00000013, addi = 0x00150513;

	compile((const struct frames_function[]){{leaf, 1, 0, false, nop},
	                                         {leaf, 1, 0, false, addi},
	                                         {leaf, 1, 0, false, 0}},
	        3);
	assert_int_equal(table.row_count, 5);
	assert_row(&table, 0, FRAMES_CODE, LEAF_RECIPE);
	assert_row(&table, 1, FRAMES_CODE + 24, LEAF_RECIPE);
	assert_row(&table, 2, FRAMES_CODE + 40, RECIPE_WITHOUT_ROW);
	assert_row(&table, 3, FRAMES_CODE + 48, LEAF_RECIPE);
}

TEST(equal_recipes_of_a_function_are_one_row)
{
	static const struct frames_row rows[] = {
	        {8, .up = 4, .ra = 1}, {8, .up = 4, .ra = 1}, {8, .from_fp = true, .up = 2, .ra = 1, .fp = 2}};

	compile(&(const struct frames_function){rows, 3, 0, false, 0}, 1);
	assert_int_equal(table.row_count, 3);
	assert_row(&table, 0, FRAMES_CODE, BAREPROF_RECIPE(0, 4, 0, 1));
	assert_row(&table, 1, FRAMES_CODE + 16, BAREPROF_RECIPE(1, 2, 2, 1));
}

TEST(each_page_begins_with_a_row)
{
	static const struct frames_row rows[] = {{12, .up = 0}, {600, .up = 4, .ra = 1}};

	compile(&(const struct frames_function){rows, 2, 0, false, 0}, 1);
	assert_row(&table, 1, FRAMES_CODE + 12, BAREPROF_RECIPE(0, 4, 0, 1));
	assert_row(&table, 2, FRAMES_CODE + 256, BAREPROF_RECIPE(0, 4, 0, 1));
	assert_row(&table, 3, FRAMES_CODE + 512, BAREPROF_RECIPE(0, 4, 0, 1));
}

TEST(function_without_a_return_address_ends_paths)
{
	static const struct frames_row rows[] = {{16, .up = 1, .ra = 1, .is_outermost = true}};

	compile(&(const struct frames_function){rows, 1, 0, false, 0}, 1);
	assert_row(&table, 0, FRAMES_CODE, BAREPROF_RECIPE_OF_END(BAREPROF_END_TASK));
}

/* No call returns to the exit handler: it is the return address of a task. */
TEST(row_before_an_exit_handler_ends_paths_at_a_task)
{
	compile((const struct frames_function[]){{leaf, 1, 0, false, 0}, {leaf, 1, 0, true, 0}}, 2);
	assert_int_equal(table.row_count, 4);
	assert_row(&table, 0, FRAMES_CODE, LEAF_RECIPE);
	assert_row(&table, 1, FRAMES_CODE + 14, BAREPROF_RECIPE_OF_CALLS(BAREPROF_END_TASK));
	assert_row(&table, 2, FRAMES_CODE + 16, LEAF_RECIPE);
}

TEST(call_may_return_to_the_start_of_a_function)
{
	static const struct frames_row calling[] = {{16, .up = 2, .ra = 1}};

	compile((const struct frames_function[]){{calling, 1, 0, false, 0}, {leaf, 1, 0, true, 0}}, 2);
	assert_int_equal(table.row_count, 3);
	assert_row(&table, 1, FRAMES_CODE + 16, LEAF_RECIPE);
}

TEST(function_without_rows_has_one_that_ends_paths)
{
	compile((const struct frames_function[]){{leaf, 1, 0, false, 0},
	                                         {NULL, 0, 64, false, 0},
	                                         {leaf, 1, 0, false, 0}},
	        3);
	assert_int_equal(table.bytes_without_rows, 64);
	assert_row(&table, 1, FRAMES_CODE + 16, RECIPE_WITHOUT_ROW);
	assert_row(&table, 2, FRAMES_CODE + 80, LEAF_RECIPE);
}

/* Constants among code, or other memory. The second table has the CRC of the first one. */
TEST(pieces_of_code_have_tables_of_their_own)
{
	static const struct frames_row rows[] = {{32, .up = 4, .ra = 1}};
	const struct frames_function functions[] = {
	        {leaf, 1, 0, false, 0}, {NULL, 0, 0x4004, false, 0}, {rows, 1, 0, false, 0}};

	compile(functions, 3);
	const uint32_t size = number_at(&table, BAREPROF_TABLE_OFFSET_SIZE, 4);
	struct unwind_table second = {.bytes = table.bytes + size, .size = table.size - size};

	assert_int_equal(table.piece_count, 2);
	assert_int_equal(table.code_bytes, 16 + 32);
	assert_int_equal(size % 8, 0);
	assert_int_equal(number_at(&second, BAREPROF_TABLE_OFFSET_SIZE, 4), second.size);
	assert_int_equal(number_at(&second, BAREPROF_TABLE_OFFSET_IDENTITY, 4),
	                 number_at(&table, BAREPROF_TABLE_OFFSET_CRC, 4));
	assert_row(&table, 1, FRAMES_CODE + 16 + 0x4004, BAREPROF_RECIPE(0, 4, 0, 1));
	assert_row(&second, 0, FRAMES_CODE, LEAF_RECIPE);
	assert_int_equal(table.bytes_without_rows, 0x4004);
	assert_int_equal(table.bare_count, 1);
	assert_string_equal(table.bare[0]->name, "f1");
}

TEST(frame_that_no_recipe_can_express_ends_paths)
{
	static const struct frames_row rows[] = {{8, .up = 1023, .ra = 128}, {8, .up = 1023, .ra = 127, .fp = 255}};

	compile(&(const struct frames_function){rows, 2, 0, false, 0}, 1);
	assert_row(&table, 0, FRAMES_CODE, RECIPE_WITHOUT_ROW);
	assert_row(&table, 1, FRAMES_CODE + 8, BAREPROF_RECIPE(0, 1023, 255, 127));
}

TEST(image_without_frame_information_is_refused)
{
	struct image *image = frames_image(&(const struct frames_function){NULL, 0, 64, false, 0}, 1);

	assert_failure(unwind_table_compile(image, &table, &failure), &failure, "no frame information");
}

TEST(table_of_another_build_is_recognised_by_its_crc)
{
	compile((const struct frames_function[]){{leaf, 1, 0, false, 0}, {leaf, 1, 0, false, 0}}, 2);
	struct image *image =
	        frames_image((const struct frames_function[]){{leaf, 1, 0, false, 0}, {leaf, 1, 0, false, 0}}, 2);
	struct image *other =
	        frames_image((const struct frames_function[]){{leaf, 1, 0, false, 0}, {leaf, 1, 4, false, 0}}, 2);
	const uint32_t crc = number_at(&table, BAREPROF_TABLE_OFFSET_CRC, 4);

	struct unwind_table_crc of_image = {0}, of_other = {0};

	assert_true(unwind_table_is_of(image, crc, &of_image));
	assert_false(unwind_table_is_of(image, crc + 1, &of_image));
	assert_false(unwind_table_is_of(other, crc, &of_other));
	/* It is compiled once: a capture may have a CRC for each of its blocks. */
	of_other = (struct unwind_table_crc){.is_compiled = true, .exists = true, .value = crc + 2};
	assert_true(unwind_table_is_of(other, crc + 2, &of_other));
}

/* Rows of 2 bytes, for which no functions are needed. */
static struct table_rows make_rows(size_t count, size_t recipe_count)
{
	struct table_rows rows = {release_later(calloc(count, sizeof *rows.rows), free), count};

	assert_non_null(rows.rows);
	for (size_t i = 0; i < count; i++)
		rows.rows[i] = (struct table_row){FRAMES_CODE + 2 * i, BAREPROF_RECIPE(0, i % recipe_count, 0, 1)};
	return rows;
}

TEST(rarest_recipes_have_no_room_and_end_paths)
{
	const struct image image = {.path = "x", .address_size = 4};
	struct table_rows rows = make_rows(1500, 600);

	assert_success(table_encode(&image, &rows, 0, 4, &table, &failure), &failure);
	assert_int_equal(table.recipe_count, BAREPROF_TABLE_RECIPES_MAX);
	for (size_t i = 0; i < rows.count; i++) {
		const bool has_room = i % 600 < BAREPROF_TABLE_RECIPES_MAX - 1;

		assert_row(&table, i, rows.rows[i].address, has_room ? rows.rows[i].recipe : RECIPE_WITHOUT_ROW);
	}
}

TEST(more_rows_than_a_table_can_have_are_refused)
{
	const struct image image = {.path = "x", .address_size = 4};
	/* 128 rows for each of 507 pages, 115 for one more, and the numbers of the pages are as many as there may be.
	 */
	struct table_rows rows = make_rows(507 * 128 + 115 + 1, 2);

	assert_failure(table_encode(&image, &rows, 0, 4, &table, &failure), &failure,
	               "65520 pages and rows, and can have 65519");
	rows.count--;
	assert_success(table_encode(&image, &rows, 0, 4, &table, &failure), &failure);
}

TEST(integers_are_in_the_byte_order_of_the_target)
{
	const struct image image = {.path = "x", .address_size = 4, .big_endian = true};
	struct table_rows rows = make_rows(3, 2);

	assert_success(table_encode(&image, &rows, 0x12345678, 4, &table, &failure), &failure);
	assert_memory_equal(table.bytes, "\x04\x32UP", 4);
	assert_memory_equal(table.bytes + BAREPROF_TABLE_OFFSET_IDENTITY, "\x12\x34\x56\x78", 4);
}
