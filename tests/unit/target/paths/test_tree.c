/* SPDX-License-Identifier: MIT */
/* The path tree that ticks grow, and the unwind table that they need for it. */
#include "paths.h"

#include "../../../../target/recorder/callers.h"
#include "firmware/identity.h"
#include "test.h"

#include <string.h>

/* Code that is never run: a leaf function, two functions with frames of two words, and one that ends paths. */
#define CODE   ((uintptr_t)0x10000)
#define LEAF   CODE
#define FIRST  (CODE + 32)
#define SECOND (CODE + 64)
#define OUTER  (CODE + 96)

#define CALL_IN(function) ((function) + 8)

/* One page. Its rows and recipes are in the order of the functions. */
#define ROWS       (BAREPROF_TABLE_HEADER_SIZE + 2u)
#define RECIPES    (ROWS + 4 * 2 + 2)
#define TABLE_SIZE (RECIPES + 4 * 4)
__attribute__((used)) static uint64_t table_bytes[(TABLE_SIZE + 7) / 8];
static struct callers_table *const table = (struct callers_table *)(void *)table_bytes;
static uint16_t *const table_rows = (uint16_t *)(void *)table_bytes + ROWS / 2;
static uint32_t *const table_recipes = (uint32_t *)(void *)table_bytes + RECIPES / 4;

__attribute__((used)) static struct bareprof_unwind_place place = {table_bytes, TABLE_SIZE};
__asm__(".globl bareprof_unwind_place\n.set bareprof_unwind_place, place\n"
        ".globl bareprof_unwind_table\n.set bareprof_unwind_table, table_bytes\n");

static uintptr_t stack[64];

static void finish_table(void)
{
	table->crc = image_crc_bytes(IMAGE_CRC_START, (const uint8_t *)&table->size,
	                             TABLE_SIZE - BAREPROF_TABLE_OFFSET_SIZE);
}

static void make_table(void)
{
	const uint32_t frame = BAREPROF_RECIPE(0, 2, 0, 1);
	const uint32_t recipes[] = {BAREPROF_RECIPE_OF_CALLS(BAREPROF_END_NO_ROW), frame, frame,
	                            BAREPROF_RECIPE_OF_END(BAREPROF_END_ROOT)};
	uint32_t identity[5], folded = 0;

	memcpy(identity, arena_note + 4, sizeof identity);
	for (unsigned i = 0; i < 5; i++)
		folded ^= identity[i];
	*table = (struct callers_table){
	        .magic = BAREPROF_TABLE_MAGIC(sizeof(uintptr_t)),
	        .size = TABLE_SIZE,
	        .identity = folded,
	        .page_count = 1,
	        .recipes = RECIPES,
	        .base = CODE,
	};
	table_rows[-1] = ROWS / 2 + 4;
	for (unsigned i = 0; i < 4; i++)
		table_rows[i] = (uint16_t)BAREPROF_TABLE_ROW(16 * i, i);
	memcpy(table_recipes, recipes, sizeof recipes);
	finish_table();
}

static int begin(void **state)
{
	(void)state;
	memset(stack, 0, sizeof stack);
	arena_begin(8, 16);
	arena_layout.config.stacks[0] = (struct bareprof_range){(const char *)stack, (const char *)(stack + 64)};
	make_table();
	arena_init_and_start();
	return 0;
}

EACH_TEST(begin, NULL);

static void acknowledge(uint32_t clock_units)
{
	(void)clock_units;
}

static void tick_at(uintptr_t pc, uintptr_t lr, uintptr_t sp)
{
	const struct bareprof_interrupted interrupted = {.lr = lr, .sp = sp};

	bareprof_stack_tick(pc, acknowledge, &interrupted);
}

/* A tick in the leaf, which `caller` called, and that the outermost function. */
static void tick_in_leaf(uintptr_t caller)
{
	stack[1] = CALL_IN(OUTER);
	tick_at(LEAF + 4, CALL_IN(caller), (uintptr_t)stack);
}

struct node {
	uintptr_t key;
	uint16_t parent, flags;
	uint32_t count;
};

static struct node node_at(uint32_t index)
{
	const uint8_t *bytes = arena_bytes(arena_item(BAREPROF_SECTION_PATHS, index));
	struct node node;

	memcpy(&node.key, bytes + BAREPROF_PATH_KEY(sizeof(uintptr_t)), sizeof node.key);
	memcpy(&node.parent, bytes + BAREPROF_PATH_PARENT(sizeof(uintptr_t)), 2);
	memcpy(&node.flags, bytes + BAREPROF_PATH_FLAGS(sizeof(uintptr_t)), 2);
	memcpy(&node.count, bytes + BAREPROF_PATH_COUNT(sizeof(uintptr_t)), 4);
	return node;
}

static uint32_t nodes_in_use(void)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < BAREPROF_PATHS; i++)
		count += node_at(i).flags != 0;
	return count;
}

/* The index of the only node with these fields. */
static uint32_t find(uint32_t parent, uintptr_t key, uint32_t flags)
{
	uint32_t found = BAREPROF_PATHS;

	for (uint32_t i = 0; i < BAREPROF_PATHS; i++) {
		const struct node node = node_at(i);

		if (node.parent != parent || node.key != key || node.flags != flags)
			continue;
		assert_int_equal(found, BAREPROF_PATHS);
		found = i;
	}
	assert_true(found < BAREPROF_PATHS);
	return found;
}

/* Index of the root of paths without a context that end so. */
static uint32_t find_root(uint32_t end)
{
	return find(BAREPROF_PATH_NO_PARENT, UINT32_MAX, BAREPROF_PATH_IS_ROOT | end << 8);
}

/* The leaf of paths from `caller`, see tick_in_leaf(). */
static struct node find_leaf(uintptr_t caller)
{
	const uint32_t outer = find(find_root(BAREPROF_END_ROOT), CALL_IN(OUTER), BAREPROF_PATH_IS_CALL);

	return node_at(find(find(outer, CALL_IN(caller), BAREPROF_PATH_IS_CALL), LEAF, BAREPROF_PATH_IS_LEAF));
}

static uint32_t total(unsigned item)
{
	return arena_word(arena_item(BAREPROF_SECTION_STACK_TOTALS, item));
}

TEST(path_is_counted_below_its_root)
{
	tick_in_leaf(FIRST);
	assert_int_equal(nodes_in_use(), 4);
	assert_int_equal(find_leaf(FIRST).count, 1);
	assert_int_equal(total(BAREPROF_STACK_TOTAL_OFFERED), 1);
	assert_int_equal(total(BAREPROF_STACK_TOTAL_TABLE_CRC), table->crc);
}

TEST(paths_share_the_nodes_that_they_have_in_common)
{
	tick_in_leaf(FIRST);
	tick_in_leaf(FIRST);
	tick_in_leaf(SECOND);
	assert_int_equal(nodes_in_use(), 6);
	assert_int_equal(find_leaf(FIRST).count, 2);
	assert_int_equal(find_leaf(SECOND).count, 1);
}

TEST(end_of_a_path_is_in_its_root)
{
	stack[1] = 0xFFFFFFF9u;
	tick_at(FIRST + 4, 0, (uintptr_t)stack);
	assert_int_equal(node_at(find(find_root(BAREPROF_END_EXCEPTION), FIRST, BAREPROF_PATH_IS_LEAF)).count, 1);
	assert_int_equal(nodes_in_use(), 2);
}

TEST(full_tree_counts_the_paths_that_it_loses)
{
	uint32_t counted = 0;

	for (uintptr_t page = 0; page < 100; page++)
		tick_at(0x20000 + 256 * page, 0, (uintptr_t)stack);
	for (uint32_t i = 0; i < BAREPROF_PATHS; i++)
		counted += node_at(i).count;
	assert_in_range(counted, BAREPROF_PATHS / 2, BAREPROF_PATHS - 1);
	assert_int_equal(counted, nodes_in_use() - 1);
	assert_int_equal(total(BAREPROF_STACK_TOTAL_TREE_FULL), 100 - counted);
}

TEST(bad_stack_pointer_leaves_the_function_alone)
{
	static const uintptr_t bad[] = {0, 4, UINTPTR_MAX, UINTPTR_MAX - 7};

	for (unsigned i = 0; i < 4; i++)
		tick_at(FIRST + 4, CALL_IN(OUTER), bad[i]);
	tick_at(LEAF + 4, CALL_IN(OUTER), (uintptr_t)stack + 1);
	tick_at(LEAF + 4, CALL_IN(OUTER), (uintptr_t)(stack + 64) + 8);
	assert_int_equal(total(BAREPROF_STACK_TOTAL_BAD), 6);
	assert_int_equal(node_at(find(find_root(BAREPROF_END_BAD), FIRST, BAREPROF_PATH_IS_LEAF)).count, 4);
	assert_int_equal(node_at(find(find_root(BAREPROF_END_BAD), LEAF, BAREPROF_PATH_IS_LEAF)).count, 2);
	assert_int_equal(nodes_in_use(), 3);
}

TEST(stack_ends_where_the_range_does)
{
	stack[63] = CALL_IN(OUTER);
	tick_at(FIRST + 4, 0, (uintptr_t)(stack + 62));
	tick_at(FIRST + 4, 0, (uintptr_t)(stack + 63));
	find(find_root(BAREPROF_END_ROOT), CALL_IN(OUTER), BAREPROF_PATH_IS_CALL);
	assert_int_equal(node_at(find(find_root(BAREPROF_END_BAD), FIRST, BAREPROF_PATH_IS_LEAF)).count, 1);
	assert_int_equal(total(BAREPROF_STACK_TOTAL_BAD), 0);
}

static void assert_no_tree(void)
{
	arena_init_and_start();
	tick_in_leaf(FIRST);
	assert_int_equal(nodes_in_use(), 0);
	assert_int_equal(total(BAREPROF_STACK_TOTAL_OFFERED), 1);
	assert_int_equal(total(BAREPROF_STACK_TOTAL_TABLE_CRC), 0);
}

TEST(table_of_another_build_makes_no_tree)
{
	table->identity++;
	finish_table();
	assert_no_tree();
}

TEST(damaged_table_makes_no_tree)
{
	table_rows[2]++;
	assert_no_tree();
}

TEST(missing_table_makes_no_tree)
{
	memset(table_bytes, 0, sizeof table_bytes);
	assert_no_tree();
}

TEST(warm_reset_keeps_the_tree)
{
	tick_in_leaf(FIRST);
	arena_init_and_start();
	tick_in_leaf(FIRST);
	assert_int_equal(find_leaf(FIRST).count, 2);
	assert_int_equal(arena_word(BAREPROF_OFFSET_RESET_COUNT), 1);
}

TEST(warm_reset_with_another_table_starts_over)
{
	tick_in_leaf(FIRST);
	table_recipes[2] = BAREPROF_RECIPE(0, 4, 0, 1);
	finish_table();
	arena_init_and_start();
	assert_int_equal(nodes_in_use(), 0);
	assert_int_equal(arena_word(BAREPROF_OFFSET_RESET_COUNT), 0);
	assert_int_equal(total(BAREPROF_STACK_TOTAL_TABLE_CRC), table->crc);
}

TEST(reset_request_empties_the_tree_and_keeps_its_table)
{
	tick_in_leaf(FIRST);
	bareprof_reset();
	arena_finish_reset();
	assert_int_equal(nodes_in_use(), 0);
	assert_int_equal(total(BAREPROF_STACK_TOTAL_OFFERED), 0);
	assert_int_equal(total(BAREPROF_STACK_TOTAL_TABLE_CRC), table->crc);
	tick_in_leaf(FIRST);
	assert_int_equal(find_leaf(FIRST).count, 1);
}

TEST(count_stops_at_its_limit)
{
	tick_in_leaf(FIRST);
	for (uint32_t i = 0; i < BAREPROF_PATHS; i++)
		if (node_at(i).count != 0)
			arena_set_word(arena_item(BAREPROF_SECTION_PATHS, i) + BAREPROF_PATH_COUNT(sizeof(uintptr_t)),
			               BAREPROF_COUNTER_LIMIT - 1);
	tick_in_leaf(FIRST);
	tick_in_leaf(FIRST);
	assert_int_equal(find_leaf(FIRST).count, BAREPROF_COUNTER_LIMIT);
	assert_int_equal(arena_word(BAREPROF_OFFSET_SATURATED), 1);
}

TEST(tick_without_registers_offers_no_stack)
{
	bareprof_tick(LEAF + 4, acknowledge);
	assert_int_equal(total(BAREPROF_STACK_TOTAL_OFFERED), 0);
	assert_int_equal(nodes_in_use(), 0);
}
