/* SPDX-License-Identifier: MIT */
/*
 * Arbitrary rows and stacks for the target's unwinding. The first bytes are rows, from which a valid table is encoded;
 * the next ones are registers, as distances from the stack or the code, and the rest is the stack. An arbitrary table
 * is refused unless its CRC holds. The sanitizer detects loads outside the stack and the table.
 */
#include "fuzz.h"

#include "../../target/recorder/callers.h"
#include "firmware/unwind/table_encode.h"

#include <string.h>

#define CODE      0x10000u
#define ROWS_MAX  64u
#define ROW_BYTES 6u

/* Takes a number from the input; 0 at its end. */
static uint64_t take(const uint8_t **data, size_t *size, size_t bytes)
{
	uint64_t value = 0;
	const size_t taken = bytes < *size ? bytes : *size;

	memcpy(&value, *data, taken);
	*data += taken;
	*size -= taken;
	return value;
}

static struct table_row take_row(const uint8_t **data, size_t *size, uint64_t address)
{
	const uint64_t bits = take(data, size, ROW_BYTES - 1);
	const unsigned end = bits >> 32 & 0xFF;
	const uint32_t recipe = BAREPROF_RECIPE(bits & 1, bits >> 1 & 0xFF, bits >> 9 & 0xFF, bits >> 17 & 0x7F);

	return (struct table_row){address, end < BAREPROF_ENDS       ? BAREPROF_RECIPE_OF_END(end)
	                                   : end < 2 * BAREPROF_ENDS ? recipe | BAREPROF_RECIPE_OF_CALLS(end / 2)
	                                                             : recipe};
}

static struct unwind_table take_table(const uint8_t **data, size_t *size)
{
	static const struct image image = {.path = "", .address_size = sizeof(uintptr_t)};
	struct table_row items[ROWS_MAX + 1];
	struct table_rows rows = {items, 0};
	struct unwind_table table;
	struct error error;
	uint64_t address = CODE;
	const size_t count = 1 + take(data, size, 1) % ROWS_MAX;

	while (rows.count < count) {
		items[rows.count++] = take_row(data, size, address);
		address += 2 * (1 + take(data, size, 1));
	}
	items[rows.count++] = (struct table_row){address, RECIPE_WITHOUT_ROW};
	require(table_encode(&image, &rows, 0, 4, &table, &error) == STATUS_OK);
	return table;
}

static bool is_valid(const struct callers_table *table, size_t size)
{
	const uint32_t identity[BAREPROF_IDENTITY_CAPACITY / 4] = {table->identity};

	return bareprof_callers_count_tables(table, (uint32_t)size, identity) == 1;
}

static void check_table(const uint8_t *data, size_t size)
{
	struct callers_table *table = calloc(1, size + sizeof *table);

	require(table != NULL);
	memcpy(table, data, size);
	if (size >= BAREPROF_TABLE_HEADER_SIZE)
		is_valid(table, size);
	free(table);
}

/* An address near the stack or in the code, or any. */
static uintptr_t take_address(const uint8_t **data, size_t *size, uintptr_t stack)
{
	const uint64_t kind = take(data, size, 1);

	if (kind < 100)
		return stack + take(data, size, 2);
	return kind < 200 ? CODE + (uintptr_t)take(data, size, 2) : (uintptr_t)take(data, size, 8);
}

static uintptr_t *take_stack(const uint8_t **data, size_t *size, size_t *count)
{
	uintptr_t *stack = malloc(*size * sizeof *stack + 1);

	require(stack != NULL);
	for (*count = 0; *size > 0; ++*count)
		stack[*count] = take_address(data, size, (uintptr_t)stack);
	return stack;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_table(data, size);
	struct unwind_table table = take_table(&data, &size);
	const struct callers_table *valid = (const struct callers_table *)(const void *)table.bytes;
	struct callers_path path = {
	        .addresses[0] = CODE + (uintptr_t)take(&data, &size, 2),
	        .lr = CODE + (uintptr_t)take(&data, &size, 2),
	};
	const uint64_t fp = take(&data, &size, 2);
	const uint64_t sp = take(&data, &size, 1);
	size_t words;
	uintptr_t *stack = take_stack(&data, &size, &words);

	path.sp = (uintptr_t)(stack + (sp < words ? sp : words));
	path.fp = (uintptr_t)stack + (uintptr_t)fp;
	path.stack_end = (uintptr_t)(stack + words);
	require(is_valid(valid, table.size));
	bareprof_callers_find(valid, 1, &path);
	require(path.last >= path.addresses && path.last <= &path.addresses[CALLERS_DEPTH_MAX] &&
	        path.end < BAREPROF_ENDS);
	free(stack);
	unwind_table_free(&table);
	return 0;
}
