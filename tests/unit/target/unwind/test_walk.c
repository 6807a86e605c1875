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
#define TABLES    2u
#define GAP       0x4400u /* bytes of code without rows, which divide the table */

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
	uint64_t gap;                       /* where it is in the code */
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

static void free_firmware(void *made)
{
	struct firmware *firmware = made;

	unwind_table_free(&firmware->table);
	unwinder_free(firmware->unwinder);
	free(firmware);
}

static void compile_firmware(struct firmware *firmware, const struct frames_function *functions, size_t count)
{
	release_later(firmware, free_firmware);
	firmware->image = frames_image(functions, count);
	assert_success(unwinder_create(firmware->image, &firmware->unwinder, &failure), &failure);
	assert_success(unwind_table_compile(firmware->image, &firmware->table, &failure), &failure);
}

static struct firmware *make_firmware(uint32_t seed)
{
	struct firmware *firmware = calloc(1, sizeof *firmware);

	assert_non_null(firmware);
	random_state = seed;
	for (size_t i = 0; i < FUNCTIONS; i++) {
		if (i == FUNCTIONS / 4) {
			firmware->functions[i] = (struct frames_function){.bytes = GAP};
			firmware->gap = firmware->code_bytes;
			firmware->code_bytes += GAP;
			continue;
		}
		firmware->functions[i] =
		        (struct frames_function){.rows = firmware->rows[i], .row_count = 1 + draw(ROWS)};
		for (size_t j = 0; j < firmware->functions[i].row_count; j++) {
			draw_row(&firmware->rows[i][j], j == 0);
			note_return(firmware, FRAMES_CODE + firmware->code_bytes, &firmware->rows[i][j],
			            j + 1 == firmware->functions[i].row_count);
			firmware->code_bytes += firmware->rows[i][j].bytes;
		}
	}
	compile_firmware(firmware, firmware->functions, FUNCTIONS);
	return firmware;
}

static void unmap_stack(void *pages)
{
	munmap(pages, 3 * WORDS * 8);
}

static uint64_t *map_stack(void)
{
	uint8_t *pages = mmap(NULL, 3 * WORDS * 8, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(pages != MAP_FAILED);
	assert_int_equal(mprotect(pages + WORDS * 8, WORDS * 8, PROT_READ | PROT_WRITE), 0);
	release_later(pages, unmap_stack);
	return (uint64_t *)(void *)(pages + WORDS * 8);
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

static struct callers_path draw_registers(const struct firmware *firmware, uint64_t *stack)
{
	uint64_t pc = 4 * draw((uint32_t)(firmware->code_bytes - GAP) / 4);

	for (size_t i = 0; i < WORDS; i++)
		stack[i] = draw_word(firmware, stack);
	return (struct callers_path){
	        .addresses[0] = FRAMES_CODE + pc + (pc < firmware->gap ? 0 : GAP),
	        .lr = draw_word(firmware, stack),
	        .sp = (uintptr_t)(stack + draw(WORDS)),
	        .fp = draw_word(firmware, stack),
	        .stack_end = (uintptr_t)(stack + WORDS),
	};
}

static size_t depth_of(const struct callers_path *path)
{
	return (size_t)(path->last - path->addresses);
}

static bool paths_are_equal(const struct callers_path *target, const uint64_t *returns, size_t depth, unsigned end)
{
	bool is_equal = depth > CALLERS_DEPTH_MAX
	                        ? depth_of(target) == CALLERS_DEPTH_MAX && target->end == BAREPROF_END_CUT
	                        : depth_of(target) == depth && target->end == end;

	for (size_t i = 0; is_equal && i < depth_of(target); i++)
		is_equal = target->addresses[i + 1] == returns[i];
	return is_equal;
}

/* How many of the paths are not the host's. */
static unsigned count_differences(const struct firmware *firmware, const uint8_t *table, unsigned *depths)
{
	static uint64_t returns[UNWIND_DEPTH_MAX];
	uint64_t *stack = map_stack();
	unsigned different = 0;

	for (unsigned i = 0; i < STACKS; i++) {
		struct callers_path target = draw_registers(firmware, stack);
		const struct unwind_stack copied = {
		        .pc = target.addresses[0],
		        .lr = target.lr,
		        .sp = target.sp,
		        .fp = target.fp,
		        .bytes = (const uint8_t *)target.sp,
		        .size = target.stack_end - target.sp,
		        .is_whole = true,
		};
		struct unwind_path host = {.returns = returns};

		bareprof_callers_find((const struct callers_table *)(const void *)table, TABLES, &target);
		unwind(firmware->unwinder, &copied, &host);
		*depths += (unsigned)depth_of(&target);
		different += !paths_are_equal(&target, host.returns, host.depth, host.end);
	}
	return different;
}

TEST(random_stacks_give_the_paths_of_the_host)
{
	unsigned depths = 0;

	for (uint32_t seed = 1; seed <= 10; seed++) {
		struct firmware *firmware = make_firmware(seed);

		assert_int_equal(count_differences(firmware, firmware->table.bytes, &depths), 0);
	}
	assert_true(depths > 2 * 10 * STACKS);
}

/* Each row begins one instruction later, except for those that begin a page. */
static uint8_t *copy_with_shifted_rows(const struct unwind_table *table)
{
	uint8_t *copy = release_later(malloc(table->size), free);
	uint32_t pages, recipes;

	assert_non_null(copy);
	memcpy(copy, table->bytes, table->size);
	memcpy(&pages, copy + BAREPROF_TABLE_OFFSET_PAGES, sizeof pages);
	memcpy(&recipes, copy + BAREPROF_TABLE_OFFSET_RECIPES, sizeof recipes);
	for (size_t at = BAREPROF_TABLE_HEADER_SIZE + 2 * pages; at < recipes; at += 2) {
		uint16_t row;

		memcpy(&row, copy + at, sizeof row);
		if (BAREPROF_TABLE_ROW_BYTES(row) != 0)
			row = (uint16_t)(row + BAREPROF_TABLE_ROW(2, 0));
		memcpy(copy + at, &row, sizeof row);
	}
	return copy;
}

TEST(shifted_rows_give_other_paths)
{
	struct firmware *firmware = make_firmware(1);
	uint8_t *shifted = copy_with_shifted_rows(&firmware->table);
	unsigned depths = 0;

	assert_true(count_differences(firmware, shifted, &depths) > STACKS / 100);
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
		struct callers_path path = draw_registers(firmware, stack);

		path.sp = pointers[draw(4)];
		path.fp = values[draw(sizeof values / sizeof *values)];
		path.lr = values[draw(sizeof values / sizeof *values)];
		stack[draw(WORDS)] = values[draw(sizeof values / sizeof *values)];
		bareprof_callers_find(table_of(firmware), TABLES, &path);
		assert_true(depth_of(&path) <= CALLERS_DEPTH_MAX && path.end < BAREPROF_ENDS);
	}
}

/* A function with a frame of two words, called from its own second instruction for ever; code without rows, a leaf
 * function, and the exit handler of tasks. */
static const struct frames_row recursive_rows[] = {{4, .up = 0}, {16, .up = 2, .ra = 1}};
static const struct frames_row leaf_rows[] = {{16, .up = 0}};
static const struct frames_function recursive[] = {{.rows = recursive_rows, .row_count = 2},
                                                   {.bytes = 32},
                                                   {.rows = leaf_rows, .row_count = 1},
                                                   {.rows = leaf_rows, .row_count = 1, .is_pointed_to = true}};
#define RECURSIVE_RETURN (FRAMES_CODE + 12)
#define WITHOUT_ROWS     (FRAMES_CODE + 20)
#define TASK_EXIT        (FRAMES_CODE + 68)

struct recursion {
	struct firmware *firmware;
	uint64_t stack[256];
};

static struct recursion begin_recursion(void)
{
	struct recursion recursion = {calloc(1, sizeof *recursion.firmware), {0}};

	assert_non_null(recursion.firmware);
	compile_firmware(recursion.firmware, recursive, sizeof recursive / sizeof *recursive);
	for (size_t i = 1; i < 256; i += 2)
		recursion.stack[i] = RECURSIVE_RETURN;
	return recursion;
}

/* Returns the depth of the path. */
static size_t find_recursion(struct recursion *recursion, uintptr_t pc, size_t calls, struct callers_path *path)
{
	*path = (struct callers_path){
	        .addresses[0] = pc,
	        .lr = RECURSIVE_RETURN,
	        .sp = (uintptr_t)(recursion->stack + 256 - 2 * calls),
	        .stack_end = (uintptr_t)(recursion->stack + 256),
	};
	bareprof_callers_find(table_of(recursion->firmware), 1, path);
	return depth_of(path);
}

TEST(path_that_is_too_deep_is_cut)
{
	struct recursion recursion = begin_recursion();
	struct callers_path path;

	assert_int_equal(find_recursion(&recursion, FRAMES_CODE + 8, CALLERS_DEPTH_MAX + 1, &path), CALLERS_DEPTH_MAX);
	assert_int_equal(path.end, BAREPROF_END_CUT);
	recursion.stack[255] = 0;
	assert_int_equal(find_recursion(&recursion, FRAMES_CODE + 8, CALLERS_DEPTH_MAX + 1, &path), CALLERS_DEPTH_MAX);
	assert_int_equal(path.end, BAREPROF_END_TASK);
	assert_int_equal(path.addresses[0], FRAMES_CODE + 4);
}

TEST(exception_return_ends_a_path)
{
	struct recursion recursion = begin_recursion();
	struct callers_path path;

	recursion.stack[253] = 0xFFFFFFF9u;
	assert_int_equal(find_recursion(&recursion, FRAMES_CODE + 8, 3, &path), 1);
	assert_int_equal(path.end, BAREPROF_END_EXCEPTION);
}

/* Also for code that is interrupted right before the exit handler, which is not what ends there. */
TEST(return_to_an_exit_handler_ends_a_task)
{
	struct recursion recursion = begin_recursion();
	struct callers_path path;

	recursion.stack[253] = TASK_EXIT;
	assert_int_equal(find_recursion(&recursion, FRAMES_CODE + 8, 3, &path), 1);
	assert_int_equal(path.end, BAREPROF_END_TASK);
	recursion.stack[253] = 0;
	assert_int_equal(find_recursion(&recursion, TASK_EXIT - 2, 3, &path), 2);
	assert_int_equal(path.end, BAREPROF_END_TASK);
	assert_int_equal(path.addresses[0], TASK_EXIT - 2);
}

TEST(path_from_outside_the_table_is_its_page_alone)
{
	struct recursion recursion = begin_recursion();
	static const uintptr_t outside[] = {0, 1000, FRAMES_CODE - 2, FRAMES_CODE + 256, UINTPTR_MAX - 1};
	struct callers_path path;

	for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
		assert_int_equal(find_recursion(&recursion, outside[i], 3, &path), 0);
		assert_int_equal(path.end, BAREPROF_END_NO_ROW);
		assert_int_equal(path.addresses[0], outside[i] / 256 * 256);
	}
}

TEST(path_from_code_without_rows_is_its_function_alone)
{
	struct recursion recursion = begin_recursion();
	struct callers_path path;

	assert_int_equal(find_recursion(&recursion, WITHOUT_ROWS + 8, 3, &path), 0);
	assert_int_equal(path.end, BAREPROF_END_NO_ROW);
	assert_int_equal(path.addresses[0], WITHOUT_ROWS);
}

/* Built without a build-id, whose words are then 0. */
static uint32_t count_tables(const struct firmware *firmware, uint32_t capacity)
{
	static const uint32_t none[BAREPROF_IDENTITY_CAPACITY / 4];

	return bareprof_callers_count_tables(table_of(firmware), capacity, none);
}

/* A table after a damaged one is not used either. */
TEST(only_whole_tables_are_valid)
{
	struct firmware *firmware = make_firmware(3);
	const uint32_t size = (uint32_t)firmware->table.size, first = table_of(firmware)->size;

	assert_int_equal(count_tables(firmware, size), TABLES);
	assert_int_equal(count_tables(firmware, size - 1), 1);
	assert_int_equal(count_tables(firmware, first), 1);
	assert_int_equal(count_tables(firmware, first - 1), 0);
	assert_int_equal(count_tables(firmware, 0), 0);
	for (uint32_t i = 0; i < size; i++) {
		firmware->table.bytes[i] ^= 1;
		assert_int_equal(count_tables(firmware, size), i < first ? 0 : 1);
		firmware->table.bytes[i] ^= 1;
	}
}

TEST(each_word_of_the_build_id_must_match)
{
	struct firmware *firmware = make_firmware(3);

	for (unsigned i = 0; i < BAREPROF_IDENTITY_CAPACITY / 4; i++) {
		uint32_t identity[BAREPROF_IDENTITY_CAPACITY / 4] = {0};

		identity[i] = 1u << i;
		assert_int_equal(
		        bareprof_callers_count_tables(table_of(firmware), (uint32_t)firmware->table.size, identity), 0);
	}
}

/* A CRC over as many bytes as a size says that is less than that of the header, or 4 GB. */
TEST(table_with_a_wrong_size_is_not_read)
{
	static const uint32_t sizes[] = {0, 4, 8, 31, UINT32_MAX};
	struct firmware *firmware = make_firmware(3);

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		memcpy(firmware->table.bytes + BAREPROF_TABLE_OFFSET_SIZE, &sizes[i], 4);
		assert_int_equal(count_tables(firmware, (uint32_t)firmware->table.size), 0);
	}
}
