/* SPDX-License-Identifier: MIT */
/* See callers.h. */
#include "callers.h"

#include "isa.h"

BAREPROF_INLINE uint32_t crc_of(const uint8_t *bytes, uint32_t size)
{
	const uint8_t *const end = bytes + size;
	uint32_t crc = 0xFFFFFFFFu;

	while (bytes != end) {
		crc ^= *bytes++;
		for (unsigned bit = 8; bit != 0; bit--)
			crc = crc >> 1 ^ (0xEDB88320u & (0u - (crc & 1u)));
	}
	return ~crc;
}

BAREPROF_INLINE uintptr_t page_of(const struct callers_table *table, uintptr_t address)
{
	return (address - (uintptr_t)table->base) / BAREPROF_TABLE_PAGE_BYTES;
}

BAREPROF_INLINE bool is_valid(const struct callers_table *table, uint32_t capacity, uint32_t identity)
{
	return capacity >= BAREPROF_TABLE_HEADER_SIZE && table->identity == identity &&
	       table->magic == BAREPROF_TABLE_MAGIC(sizeof(uintptr_t)) &&
	       table->size - BAREPROF_TABLE_OFFSET_SIZE <= capacity - BAREPROF_TABLE_OFFSET_SIZE &&
	       crc_of((const uint8_t *)&table->size, table->size - BAREPROF_TABLE_OFFSET_SIZE) == table->crc;
}

BAREPROF_INLINE const struct callers_table *next_table(const struct callers_table *table)
{
	return (const struct callers_table *)(const void *)((const uint8_t *)table + table->size);
}

BAREPROF_CODE(bareprof_callers_count_tables)
uint32_t bareprof_callers_count_tables(const struct callers_table *table, uint32_t capacity, const uint32_t *identity)
{
	uint32_t count = 0;
	uint32_t expected = 0;

	for (unsigned i = 0; i < BAREPROF_IDENTITY_CAPACITY / sizeof *identity; i++)
		expected ^= identity[i];
	while (is_valid(table, capacity, expected)) {
		count++;
		expected = table->crc;
		capacity -= table->size;
		table = next_table(table);
	}
	return count;
}

/* The table with the page of an address, or NULL. */
BAREPROF_INLINE const struct callers_table *find_table(const struct callers_table *table, uint32_t count,
                                                       uintptr_t address)
{
	while (page_of(table, address) >= table->page_count) {
		if (--count == 0)
			return NULL;
		table = next_table(table);
	}
	return table;
}

/* The row of a page that contains an address. The search ends, because the first row begins at the start of the
 * page. */
BAREPROF_INLINE uint32_t find_row(const struct callers_table *table, uintptr_t page, uintptr_t address)
{
	const uint32_t key = (uint16_t)(address << 8) | (BAREPROF_TABLE_RECIPES_MAX - 1u);
	const uint16_t *row = (const uint16_t *)table + table->pages[page];
	uint32_t found;

	do
		found = *--row;
	while (found > key);
	return found;
}

BAREPROF_INLINE uint32_t recipe_of(const struct callers_table *table, uint32_t row)
{
	const uint32_t *recipes = (const uint32_t *)(const void *)((const uint8_t *)table + table->recipes);

	return recipes[BAREPROF_TABLE_ROW_RECIPE(row)];
}

/* How a path ends at a return address outside the code. The return address of a task's entry is 0, or all ones, the
 * value of LR at reset. */
BAREPROF_INLINE uint32_t end_outside(uintptr_t ra, uint32_t otherwise)
{
	if (ra + 1u <= 1u)
		return BAREPROF_END_TASK;
	return isa_is_exception_return(ra) ? BAREPROF_END_EXCEPTION : otherwise;
}

/*
 * A frame must be within the stack and above the previous frame; the innermost function may have no frame yet. Without
 * a row for the innermost function, only LR can show how the path ends.
 */
BAREPROF_CODE(bareprof_callers_find)
void bareprof_callers_find(const struct callers_table *tables, uint32_t count, struct callers_path *path)
{
	const struct callers_table *table = tables;
	uintptr_t address = path->addresses[0];
	uintptr_t sp = path->sp, fp = path->fp, ra = path->lr;
	uintptr_t *last = path->addresses;
	uint32_t end = BAREPROF_END_NO_ROW;

	/* Code outside the tables is divided into pages, too, so that it takes few nodes. */
	if (!isa_pc_is_secure(address))
		*last = address & ~(uintptr_t)(BAREPROF_TABLE_PAGE_BYTES - 1u);
	for (;;) {
		uintptr_t page = page_of(table, address);
		const bool is_innermost = end == BAREPROF_END_NO_ROW;
		uint32_t row, recipe;
		uintptr_t caller_sp, ra_below, fp_below, room;

		if (page >= table->page_count) {
			table = find_table(tables, count, address);
			if (table == NULL) {
				end = end_outside(ra, end);
				break;
			}
			page = page_of(table, address);
		}
		row = find_row(table, page, address);
		recipe = recipe_of(table, row);
		if (is_innermost) {
			*last += BAREPROF_TABLE_ROW_BYTES(row);
		} else if (BAREPROF_RECIPE_IS_BEFORE_EXIT(recipe)) {
			end = BAREPROF_END_TASK;
			break;
		} else if (last != &path->addresses[CALLERS_DEPTH_MAX]) {
			*++last = ra;
		} else {
			end = BAREPROF_END_CUT;
			break;
		}
		if (BAREPROF_RECIPE_HAS_END(recipe) && (!is_innermost || (recipe & BAREPROF_RECIPE_ENDS) != 0)) {
			end = BAREPROF_RECIPE_END(recipe);
			break;
		}
		caller_sp = (recipe & BAREPROF_RECIPE_FROM_FP) != 0 ? fp : sp;
		caller_sp += BAREPROF_RECIPE_UP(recipe) * sizeof(uintptr_t);
		ra_below = BAREPROF_RECIPE_RA(recipe) * sizeof(uintptr_t);
		fp_below = BAREPROF_RECIPE_FP(recipe) * sizeof(uintptr_t);
		room = caller_sp - path->sp;
		end = BAREPROF_END_BAD;
		if ((caller_sp == sp && !is_innermost) || caller_sp - sp > path->stack_end - sp ||
		    caller_sp % sizeof(uintptr_t) != 0 || ra_below > room || fp_below > room)
			break;
		if (ra_below != 0)
			ra = *(const uintptr_t *)(caller_sp - ra_below);
		if (fp_below != 0)
			fp = *(const uintptr_t *)(caller_sp - fp_below);
		sp = caller_sp;
		/* The call is before its return address, which may be in the next row or function. */
		address = ra - 2u;
	}
	path->last = last;
	path->end = end;
}
