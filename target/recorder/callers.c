/* SPDX-License-Identifier: MIT */
/* See callers.h. */
#include "callers.h"

#include "isa.h"

#define PAGE_HALFWORDS (BAREPROF_TABLE_PAGE_BYTES / 2u)

uint32_t bareprof_callers_crc(const uint8_t *bytes, uint32_t size)
{
	uint32_t crc = 0xFFFFFFFFu;

	for (; size != 0; size--) {
		crc ^= *bytes++;
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (0xEDB88320u & (0u - (crc & 1u)));
	}
	return ~crc;
}

bool bareprof_callers_table_is_valid(const struct callers_table *table, uint32_t capacity, uint32_t identity)
{
	return table->magic == BAREPROF_TABLE_MAGIC && table->size - BAREPROF_TABLE_HEADER_SIZE <= capacity &&
	       table->size <= capacity && table->version == BAREPROF_TABLE_VERSION &&
	       table->address_size == sizeof(uintptr_t) && table->identity == identity &&
	       bareprof_callers_crc((const uint8_t *)&table->size, table->size - BAREPROF_TABLE_OFFSET_SIZE) ==
	               table->crc;
}

/* The row of a page that contains a halfword; the first row of each page begins where the page does. */
static inline uint32_t find_row(const uint16_t *pages, const uint16_t *rows, uintptr_t halfword)
{
	const uint32_t key = (uint16_t)BAREPROF_TABLE_ROW((uint32_t)halfword, 0) | (BAREPROF_TABLE_RECIPES_MAX - 1u);
	const uint16_t *row = rows + pages[halfword / PAGE_HALFWORDS + 1];
	uint32_t found;

	do
		found = *--row;
	while (found > key);
	return found;
}

/* The registers of a function on the path: of the innermost one as interrupted, of the others at their calls. */
struct frame {
	uintptr_t sp;
	uintptr_t fp;
	uintptr_t ra;
};

#define GOES_ON BAREPROF_ENDS

/*
 * Moves to the caller's frame and returns GOES_ON, or returns how the path ends. A frame must be within the stack and
 * above the one before, and only the innermost function may still have its return address in the register.
 */
static inline uint32_t leave(struct frame *frame, uint32_t recipe, uintptr_t stack_start, uintptr_t stack_end,
                             bool is_innermost)
{
	const uintptr_t from = (recipe & BAREPROF_RECIPE_FROM_FP) != 0 ? frame->fp : frame->sp;
	const uintptr_t caller_sp = from + BAREPROF_RECIPE_UP(recipe) * sizeof(uintptr_t);
	const uintptr_t size = caller_sp - frame->sp;
	const uintptr_t room = caller_sp - stack_start;
	const uintptr_t ra_below = BAREPROF_RECIPE_RA(recipe) * sizeof(uintptr_t);
	const uintptr_t fp_below = BAREPROF_RECIPE_FP(recipe) * sizeof(uintptr_t);

	if (ra_below == 0 && !is_innermost)
		return BAREPROF_END_NO_ROW;
	if ((size == 0 && !is_innermost) || size > stack_end - frame->sp || caller_sp % sizeof(uintptr_t) != 0 ||
	    ra_below > room || fp_below > room)
		return BAREPROF_END_BAD;
	if (ra_below != 0)
		frame->ra = *(const uintptr_t *)(caller_sp - ra_below);
	if (fp_below != 0)
		frame->fp = *(const uintptr_t *)(caller_sp - fp_below);
	frame->sp = caller_sp;
	return GOES_ON;
}

/* How a path ends at a return address outside the code. That of a task's entry is 0, or all ones, the value of LR at
 * reset. */
static inline uint32_t end_outside(uintptr_t ra)
{
	if (ra + 1u <= 1u)
		return BAREPROF_END_TASK;
	return isa_is_exception_return(ra) ? BAREPROF_END_EXCEPTION : BAREPROF_END_BAD;
}

void bareprof_callers_find(const struct callers_table *table, const struct callers_registers *registers,
                           uintptr_t stack_end, struct callers_path *path)
{
	const uintptr_t base = (uintptr_t)table->base;
	const uint32_t page_count = table->page_count;
	const uint16_t *pages = (const uint16_t *)(table->recipes + table->recipe_count);
	const uint16_t *rows = pages + page_count + 1;
	struct frame frame = {registers->sp, registers->fp, registers->lr};
	uintptr_t halfword = (registers->pc - base) / 2u;
	uint32_t depth = 0;
	uint32_t end = BAREPROF_END_NO_ROW;

	/* Code outside the table is divided into pages, too, so that it takes few nodes. */
	path->leaf = isa_pc_is_secure(registers->pc) ? registers->pc
	                                             : registers->pc & ~(uintptr_t)(BAREPROF_TABLE_PAGE_BYTES - 1u);
	while (halfword / PAGE_HALFWORDS < page_count) {
		const uint32_t row = find_row(pages, rows, halfword);
		const uint32_t recipe = table->recipes[BAREPROF_TABLE_ROW_RECIPE(row)];

		if (depth == 0)
			path->leaf = base + 2u * (halfword / PAGE_HALFWORDS * PAGE_HALFWORDS +
			                          BAREPROF_TABLE_ROW_HALFWORD(row));
		end = BAREPROF_RECIPE_END(recipe);
		if (BAREPROF_RECIPE_IS_END(recipe))
			break;
		end = leave(&frame, recipe, registers->sp, stack_end, depth == 0);
		if (end != GOES_ON)
			break;
		/* The call is before its return address, which may be in the next row or function. */
		halfword = (frame.ra - base) / 2u - 1u;
		if (halfword / PAGE_HALFWORDS >= page_count) {
			end = end_outside(frame.ra);
			break;
		}
		end = BAREPROF_END_CUT;
		if (depth == CALLERS_DEPTH_MAX)
			break;
		path->returns[depth++] = frame.ra;
	}
	path->depth = depth;
	path->end = end;
}
