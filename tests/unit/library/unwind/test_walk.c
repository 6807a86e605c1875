/* SPDX-License-Identifier: MIT */
/* The target's unwinding compared with the host's, on random functions and stacks. */
#include "../../../../target/recorder/callers.h"
#include "firmware/unwind/table.h"
#include "firmware/unwind/unwind.h"
#include "frames.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define FUNCTIONS 40u
#define ROWS      5u
#define WORDS     512u /* of the stack: a page, between two that cannot be read */
#define STACKS    20000u

/* xorshift32 (Marsaglia, 2003). */
static uint32_t random_state;

static uint32_t draw(uint32_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 17;
	random_state ^= random_state << 5;
	return random_state % below;
}

struct firmware {
	struct frames_row rows[FUNCTIONS][ROWS];
	struct frames_function functions[FUNCTIONS];
	struct image *image;
	struct unwinder *unwinder;
	struct unwind_table table;
	uint64_t code_bytes;
	uint64_t returns[FUNCTIONS * ROWS]; /* addresses after calls, none at the start of a function */
	size_t return_count;
};

static void draw_row(struct frames_row *row, bool is_first)
{
	*row = (struct frames_row){.bytes = 4 * (2 + draw(30)), .from_fp = draw(8) == 0, .up = draw(24)};
	if (!is_first && row->up > 0 && draw(8) != 0)
		row->ra = 1 + draw(row->up);
	if (row->ra != 0 && draw(2) == 0)
		row->fp = 1 + draw(row->up);
	row->is_outermost = draw(40) == 0;
}

/* A call may be the last instruction of its row, but not of its function: the host would doubt such a return. */
static void note_return(struct firmware *firmware, uint64_t address, const struct frames_row *row, bool is_last)
{
	if (row->ra != 0)
		firmware->returns[firmware->return_count++] = address + 4 * (1 + draw(row->bytes / 4 - is_last));
}

static struct firmware *make_firmware(uint32_t seed)
{
	struct firmware *firmware = calloc(1, sizeof *firmware);
	struct error error;

	assert_non_null(firmware);
	random_state = seed;
	for (size_t i = 0; i < FUNCTIONS; i++) {
		firmware->functions[i] = (struct frames_function){firmware->rows[i], 1 + draw(ROWS), 0};
		for (size_t j = 0; j < firmware->functions[i].row_count; j++) {
			draw_row(&firmware->rows[i][j], j == 0);
			note_return(firmware, FRAMES_CODE + firmware->code_bytes, &firmware->rows[i][j],
			            j + 1 == firmware->functions[i].row_count);
			firmware->code_bytes += firmware->rows[i][j].bytes;
		}
	}
	firmware->image = frames_image(firmware->functions, FUNCTIONS);
	assert_int_equal(unwinder_create(firmware->image, &firmware->unwinder, &error), STATUS_OK);
	assert_int_equal(unwind_table_compile(firmware->image, &firmware->table, &error), STATUS_OK);
	return firmware;
}

static void free_firmware(struct firmware *firmware)
{
	unwind_table_free(&firmware->table);
	unwinder_free(firmware->unwinder);
	image_close(firmware->image);
	free(firmware);
}

static uint64_t *map_stack(void)
{
	uint8_t *pages = mmap(NULL, 3 * WORDS * 8, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(pages != MAP_FAILED);
	assert_int_equal(mprotect(pages + WORDS * 8, WORDS * 8, PROT_READ | PROT_WRITE), 0);
	return (uint64_t *)(void *)(pages + WORDS * 8);
}

static void unmap_stack(uint64_t *stack)
{
	munmap(stack - WORDS, 3 * WORDS * 8);
}

static uint64_t draw_word(const struct firmware *firmware, const uint64_t *stack)
{
	switch (draw(40)) {
	case 0:
		return 0;
	case 1:
		return UINT64_MAX;
	case 2:
		return (uint64_t)random_state << 32 | draw(UINT32_MAX);
	case 3:
		return FRAMES_CODE + firmware->code_bytes + 0x1000 + draw(64);
	case 4:
	case 5:
	case 6:
		return (uint64_t)(uintptr_t)(stack + draw(WORDS + 8));
	case 7:
		return (uint64_t)(uintptr_t)stack + draw(8 * WORDS);
	default:
		return firmware->returns[draw((uint32_t)firmware->return_count)];
	}
}

static struct callers_registers draw_registers(const struct firmware *firmware, uint64_t *stack)
{
	for (size_t i = 0; i < WORDS; i++)
		stack[i] = draw_word(firmware, stack);
	return (struct callers_registers){
	        .pc = FRAMES_CODE + 4 * draw((uint32_t)firmware->code_bytes / 4),
	        .lr = draw_word(firmware, stack),
	        .sp = (uintptr_t)(stack + draw(WORDS)),
	        .fp = draw_word(firmware, stack),
	};
}

static bool paths_are_equal(const struct callers_path *target, const uint64_t *returns, size_t depth, unsigned end)
{
	bool is_equal = depth > CALLERS_DEPTH_MAX
	                        ? target->depth == CALLERS_DEPTH_MAX && target->end == BAREPROF_END_CUT
	                        : target->depth == depth && target->end == end;

	for (size_t i = 0; is_equal && i < target->depth; i++)
		is_equal = target->returns[i] == returns[i];
	return is_equal;
}

/* How many of the paths are not the host's. */
static unsigned count_differences(const struct firmware *firmware, const uint8_t *table, unsigned *depths)
{
	static uint64_t returns[UNWIND_DEPTH_MAX];
	uint64_t *stack = map_stack();
	unsigned different = 0;

	for (unsigned i = 0; i < STACKS; i++) {
		const struct callers_registers registers = draw_registers(firmware, stack);
		const uintptr_t end = (uintptr_t)(stack + WORDS);
		const struct unwind_stack copied = {
		        .pc = registers.pc,
		        .lr = registers.lr,
		        .sp = registers.sp,
		        .fp = registers.fp,
		        .bytes = (const uint8_t *)registers.sp,
		        .size = end - registers.sp,
		        .is_whole = true,
		};
		struct unwind_path host = {.returns = returns};
		struct callers_path target;

		bareprof_callers_find((const struct callers_table *)(const void *)table, &registers, end, &target);
		unwind(firmware->unwinder, &copied, &host);
		*depths += target.depth;
		different += !paths_are_equal(&target, host.returns, host.depth, host.end);
	}
	unmap_stack(stack);
	return different;
}

TEST(random_stacks_give_the_paths_of_the_host)
{
	unsigned depths = 0;

	for (uint32_t seed = 1; seed <= 10; seed++) {
		struct firmware *firmware = make_firmware(seed);

		assert_int_equal(count_differences(firmware, firmware->table.bytes, &depths), 0);
		free_firmware(firmware);
	}
	assert_true(depths > 2 * 10 * STACKS);
}

/* Each row begins one instruction later, except for those that begin a page. */
static uint8_t *copy_with_shifted_rows(const struct unwind_table *table)
{
	uint8_t *copy = malloc(table->size);
	uint32_t pages;
	uint16_t recipes;

	assert_non_null(copy);
	memcpy(copy, table->bytes, table->size);
	memcpy(&pages, copy + BAREPROF_TABLE_OFFSET_PAGES, sizeof pages);
	memcpy(&recipes, copy + BAREPROF_TABLE_OFFSET_RECIPES, sizeof recipes);
	uint8_t *rows = copy + BAREPROF_TABLE_HEADER_SIZE + 4 * recipes + 2 * (pages + 1);
	for (size_t i = 0; i < table->row_count; i++) {
		uint16_t row;

		memcpy(&row, rows + 2 * i, sizeof row);
		if (BAREPROF_TABLE_ROW_HALFWORD(row) != 0)
			row = (uint16_t)(row + BAREPROF_TABLE_ROW(2, 0));
		memcpy(rows + 2 * i, &row, sizeof row);
	}
	return copy;
}

TEST(shifted_rows_give_other_paths)
{
	struct firmware *firmware = make_firmware(1);
	uint8_t *shifted = copy_with_shifted_rows(&firmware->table);
	unsigned depths = 0;

	assert_true(count_differences(firmware, shifted, &depths) > STACKS / 100);
	free(shifted);
	free_firmware(firmware);
}

static const struct callers_table *table_of(const struct firmware *firmware)
{
	return (const struct callers_table *)(const void *)firmware->table.bytes;
}

/* Registers with the extreme values that a broken program may leave; the stack's neighbours cannot be read. */
TEST(hostile_registers_read_nothing_outside_the_stack)
{
	struct firmware *firmware = make_firmware(2);
	uint64_t *stack = map_stack();
	const uintptr_t end = (uintptr_t)(stack + WORDS);
	const uintptr_t values[] = {0,
	                            1,
	                            7,
	                            8,
	                            INTPTR_MAX,
	                            UINTPTR_MAX,
	                            UINTPTR_MAX - 7,
	                            end,
	                            end - 8,
	                            end + 8,
	                            (uintptr_t)stack,
	                            (uintptr_t)stack - 8,
	                            (uintptr_t)stack + 1};
	const uintptr_t pointers[] = {(uintptr_t)stack, end - 8, end - 16, end};

	for (unsigned i = 0; i < STACKS; i++) {
		struct callers_registers registers = draw_registers(firmware, stack);
		struct callers_path path;

		registers.sp = pointers[draw(4)];
		registers.fp = values[draw(sizeof values / sizeof *values)];
		registers.lr = values[draw(sizeof values / sizeof *values)];
		stack[draw(WORDS)] = values[draw(sizeof values / sizeof *values)];
		bareprof_callers_find(table_of(firmware), &registers, end, &path);
		assert_true(path.depth <= CALLERS_DEPTH_MAX && path.end < BAREPROF_ENDS);
	}
	unmap_stack(stack);
	free_firmware(firmware);
}

/* A function with a frame of two words, called from its own second instruction for ever. */
static const struct frames_row recursive_rows[] = {{4, .up = 0}, {16, .up = 2, .ra = 1}};
static const struct frames_function recursive[] = {{recursive_rows, 2, 0}, {NULL, 0, 32}};
#define RECURSIVE_RETURN (FRAMES_CODE + 12)
#define WITHOUT_ROWS     (FRAMES_CODE + 20)

struct recursion {
	struct firmware *firmware;
	uint64_t stack[256];
};

static struct recursion begin_recursion(void)
{
	struct recursion recursion = {calloc(1, sizeof *recursion.firmware), {0}};
	struct error error;

	assert_non_null(recursion.firmware);
	recursion.firmware->image = frames_image(recursive, 2);
	assert_int_equal(unwinder_create(recursion.firmware->image, &recursion.firmware->unwinder, &error), STATUS_OK);
	assert_int_equal(unwind_table_compile(recursion.firmware->image, &recursion.firmware->table, &error),
	                 STATUS_OK);
	for (size_t i = 1; i < 256; i += 2)
		recursion.stack[i] = RECURSIVE_RETURN;
	return recursion;
}

static struct callers_path find_recursion(struct recursion *recursion, uintptr_t pc, size_t calls)
{
	const struct callers_registers registers = {
	        .pc = pc, .lr = RECURSIVE_RETURN, .sp = (uintptr_t)(recursion->stack + 256 - 2 * calls)};
	struct callers_path path;

	bareprof_callers_find(table_of(recursion->firmware), &registers, (uintptr_t)(recursion->stack + 256), &path);
	return path;
}

TEST(path_that_is_too_deep_is_cut)
{
	struct recursion recursion = begin_recursion();
	struct callers_path path = find_recursion(&recursion, FRAMES_CODE + 8, CALLERS_DEPTH_MAX + 1);

	assert_int_equal(path.end, BAREPROF_END_CUT);
	assert_int_equal(path.depth, CALLERS_DEPTH_MAX);
	recursion.stack[255] = 0;
	path = find_recursion(&recursion, FRAMES_CODE + 8, CALLERS_DEPTH_MAX + 1);
	assert_int_equal(path.end, BAREPROF_END_TASK);
	assert_int_equal(path.depth, CALLERS_DEPTH_MAX);
	assert_int_equal(path.leaf, FRAMES_CODE + 4);
	free_firmware(recursion.firmware);
}

TEST(exception_return_ends_a_path)
{
	struct recursion recursion = begin_recursion();

	recursion.stack[253] = 0xFFFFFFF9u;
	const struct callers_path path = find_recursion(&recursion, FRAMES_CODE + 8, 3);

	assert_int_equal(path.end, BAREPROF_END_EXCEPTION);
	assert_int_equal(path.depth, 1);
	free_firmware(recursion.firmware);
}

TEST(path_from_outside_the_table_is_its_page_alone)
{
	struct recursion recursion = begin_recursion();
	static const uintptr_t outside[] = {0, 1000, FRAMES_CODE - 2, FRAMES_CODE + 256, UINTPTR_MAX - 1};

	for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
		const struct callers_path path = find_recursion(&recursion, outside[i], 3);

		assert_int_equal(path.end, BAREPROF_END_NO_ROW);
		assert_int_equal(path.depth, 0);
		assert_int_equal(path.leaf, outside[i] / 256 * 256);
	}
	free_firmware(recursion.firmware);
}

TEST(path_from_code_without_rows_is_its_function_alone)
{
	struct recursion recursion = begin_recursion();
	const struct callers_path path = find_recursion(&recursion, WITHOUT_ROWS + 8, 3);

	assert_int_equal(path.end, BAREPROF_END_NO_ROW);
	assert_int_equal(path.depth, 0);
	assert_int_equal(path.leaf, WITHOUT_ROWS);
	free_firmware(recursion.firmware);
}

TEST(only_the_whole_table_of_this_build_is_valid)
{
	struct firmware *firmware = make_firmware(3);
	const uint32_t size = (uint32_t)firmware->table.size;

	assert_true(bareprof_callers_table_is_valid(table_of(firmware), size, 0));
	assert_true(bareprof_callers_table_is_valid(table_of(firmware), size + 100, 0));
	assert_false(bareprof_callers_table_is_valid(table_of(firmware), size, 1));
	assert_false(bareprof_callers_table_is_valid(table_of(firmware), size - 1, 0));
	for (uint32_t i = 0; i < size; i++) {
		firmware->table.bytes[i] ^= 1;
		assert_false(bareprof_callers_table_is_valid(table_of(firmware), size, 0));
		firmware->table.bytes[i] ^= 1;
	}
	free_firmware(firmware);
}

/* A CRC over as many bytes as a size says that is less than that of the header, or 4 GB. */
TEST(table_with_a_wrong_size_is_not_read)
{
	static const uint32_t sizes[] = {0, 4, 8, 31, UINT32_MAX};
	struct firmware *firmware = make_firmware(3);

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		memcpy(firmware->table.bytes + BAREPROF_TABLE_OFFSET_SIZE, &sizes[i], 4);
		assert_false(bareprof_callers_table_is_valid(table_of(firmware), (uint32_t)firmware->table.size, 0));
	}
	free_firmware(firmware);
}
