/* SPDX-License-Identifier: MIT */
/* Finding an item by a number in a sorted array. */
#include "base/search.h"
#include "test.h"

#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static size_t search(const uint64_t *numbers, size_t count, uint64_t value)
{
	return first_above(numbers, count, sizeof *numbers, 0, value);
}

TEST(first_item_above_a_value_is_found)
{
	static const uint64_t numbers[] = {10, 20, 30, UINT64_MAX};

	assert_int_equal(search(numbers, 4, 0), 0);
	assert_int_equal(search(numbers, 4, 9), 0);
	assert_int_equal(search(numbers, 4, 10), 1);
	assert_int_equal(search(numbers, 4, 29), 2);
	assert_int_equal(search(numbers, 4, 30), 3);
	assert_int_equal(search(numbers, 4, UINT64_MAX), 4);
	assert_int_equal(search(numbers, 3, 30), 3);
}

TEST(item_after_equal_numbers_is_found)
{
	static const uint64_t numbers[] = {10, 20, 20, 20, 30};

	assert_int_equal(search(numbers, COUNT(numbers), 19), 1);
	assert_int_equal(search(numbers, COUNT(numbers), 20), 4);
}

TEST(empty_array_has_no_item)
{
	assert_int_equal(search(NULL, 0, 5), 0);
}

TEST(numbers_can_be_members_of_items)
{
	static const struct {
		uint64_t start, end;
		char name;
	} items[] = {{90, 10, 'a'}, {80, 20, 'b'}, {70, 30, 'c'}};

	assert_int_equal(first_above(items, COUNT(items), sizeof *items, sizeof(uint64_t), 10), 1);
	assert_int_equal(first_above(items, COUNT(items), sizeof *items, sizeof(uint64_t), 25), 2);
}

TEST(first_item_from_a_value_is_found)
{
	static const uint64_t numbers[] = {0, 20, 20, UINT64_MAX};

	assert_int_equal(first_from(numbers, 4, sizeof *numbers, 0, 0), 0);
	assert_int_equal(first_from(numbers, 4, sizeof *numbers, 0, 20), 1);
	assert_int_equal(first_from(numbers, 4, sizeof *numbers, 0, 21), 3);
	assert_int_equal(first_from(numbers, 3, sizeof *numbers, 0, UINT64_MAX), 3);
}

TEST(numbers_can_have_four_bytes)
{
	static const struct {
		uint32_t caller, callee;
	} items[] = {{1, 10}, {1, 20}, {1, UINT32_MAX}};

	assert_int_equal(first_number_from(items, 3, sizeof *items, 4, 4, 11), 1);
	assert_int_equal(first_number_from(items, 3, sizeof *items, 4, 4, UINT32_MAX), 2);
	assert_int_equal(first_number_from(items, 3, sizeof *items, 4, 4, UINT64_C(1) << 32), 3);
}
