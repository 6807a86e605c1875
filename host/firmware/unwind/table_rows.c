/* SPDX-License-Identifier: MIT */
/* See table_rows.h. */
#include "firmware/unwind/table_rows.h"

#include "base/array.h"
#include "firmware/private.h"
#include "firmware/unwind/frame_code.h"

#include <stdlib.h>

/* Between functions there is padding up to their alignment, which never runs, so it needs no row. Assembly may also
 * have code there, before a symbol: newlib's strcmp() for Armv7-M does. */
#define PADDING_MAX 15

/* The target looks up a return address this many bytes before it. */
#define BEFORE_RETURN 2u

/* Where the recipe may change. A row always begins at the start of a function. BEFORE_EXIT: where the target looks up
 * the start of a function that may be an exit handler, because tasks have it as their return address. */
enum boundary_kind { BEFORE_EXIT, FRAME_ROW, FUNCTION_END, FUNCTION_START };

struct boundary {
	uint64_t address;
	enum boundary_kind kind;
};

struct boundaries {
	struct boundary *items;
	size_t count;
	bool is_short_of_memory;
};

static void add_boundary(struct boundaries *boundaries, uint64_t address, enum boundary_kind kind)
{
	const struct boundary boundary = {address & ~UINT64_C(1), kind};

	if (!boundaries->is_short_of_memory &&
	    !array_append(&boundaries->items, &boundaries->count, &boundary, sizeof boundary))
		boundaries->is_short_of_memory = true;
}

/* By address; the highest kind at an address comes first. */
static int compare_boundaries(const void *left, const void *right)
{
	const struct boundary *a = left;
	const struct boundary *b = right;

	return a->address != b->address ? (a->address > b->address) - (a->address < b->address)
	                                : (int)b->kind - (int)a->kind;
}

/* True if the function may be the exit handler of a task: RTOSes store its start as the return address of a task. */
static bool may_be_exit(const struct unwinder *unwinder, uint64_t start)
{
	return (unwinder_function(unwinder, start) & FRAME_IS_POINTED_TO) != 0 && !unwinder_is_return(unwinder, start);
}

static bool find_boundaries(const struct image *image, const struct unwinder *unwinder, struct boundaries *boundaries)
{
	const struct image_private *private = image->private;
	const struct frame_rows *frames = unwinder_rows(unwinder);

	for (size_t i = 0; i < frames->count; i++) {
		add_boundary(boundaries, frames->rows[i].low, FRAME_ROW);
		add_boundary(boundaries, frames->rows[i].high, FRAME_ROW);
	}
	for (size_t i = 0; i < private->function_count; i++) {
		add_boundary(boundaries, private->functions[i].start, FUNCTION_START);
		add_boundary(boundaries, private->functions[i].end, FUNCTION_END);
		if (may_be_exit(unwinder, private->functions[i].start))
			add_boundary(boundaries, private->functions[i].start - BEFORE_RETURN, BEFORE_EXIT);
	}
	if (boundaries->count > 0)
		qsort(boundaries->items, boundaries->count, sizeof *boundaries->items, compare_boundaries);
	return !boundaries->is_short_of_memory;
}

/* Words below the caller's stack pointer. False if a recipe cannot express them. */
static bool find_words_below(enum frame_rule rule, int32_t offset, unsigned word, uint32_t max, uint32_t *words)
{
	const int64_t below = -(int64_t)offset;

	*words = rule == FRAME_SAVED ? (uint32_t)(below / word) : 0;
	return rule == FRAME_SAME ||
	       (rule == FRAME_SAVED && below > 0 && below % word == 0 && below / word <= (int64_t)max);
}

/* How a path ends in a function whose return address is unknown or leads nowhere. */
static uint32_t outermost_recipe(unsigned properties)
{
	if ((properties & FRAME_CONTINUES_ENTRY) != 0)
		return BAREPROF_RECIPE_OF_END(BAREPROF_END_ROOT);
	if ((properties & FRAME_IS_HANDLER) != 0)
		return BAREPROF_RECIPE_OF_END(BAREPROF_END_EXCEPTION);
	return (properties & FRAME_IS_POINTED_TO) != 0 ? BAREPROF_RECIPE_OF_END(BAREPROF_END_TASK) : RECIPE_WITHOUT_ROW;
}

/* The recipe of a row in a function that returns. */
static uint32_t frame_recipe(const struct frame_row *row, unsigned address_size)
{
	const int64_t up = row->offset / (int)address_size;
	uint32_t ra = 0;
	uint32_t fp = 0;

	if (row->base == FRAME_FROM_UNKNOWN || row->offset < 0 || row->offset % (int)address_size != 0 ||
	    up > (int64_t)BAREPROF_RECIPE_UP_MAX ||
	    !find_words_below(row->ra, row->ra_offset, address_size, BAREPROF_RECIPE_RA_MAX, &ra) ||
	    !find_words_below(row->fp, row->fp_offset, address_size, BAREPROF_RECIPE_FP_MAX, &fp))
		return RECIPE_WITHOUT_ROW;
	/* A call has overwritten the register. */
	return BAREPROF_RECIPE(row->base == FRAME_FROM_FP, up, fp, ra) |
	       (ra == 0 ? BAREPROF_RECIPE_OF_CALLS(BAREPROF_END_NO_ROW) : 0);
}

/*
 * Only the host knows whether a call can have entered a function. So for the target, functions that the entry point
 * jumps to are the outermost functions of a path unless other code may call them, and functions that never return have
 * no return address from their start on.
 */
uint32_t table_recipe_of(const struct frame_row *row, unsigned properties, unsigned address_size)
{
	if ((properties & FRAME_IS_ENTRY) != 0)
		return BAREPROF_RECIPE_OF_END(BAREPROF_END_ROOT);
	if ((properties & FRAME_IS_TRAP) != 0)
		return BAREPROF_RECIPE_OF_END(BAREPROF_END_EXCEPTION);
	if ((properties & FRAME_CONTINUES_ENTRY) != 0 && (row == NULL || (properties & FRAME_IS_REFERENCED) == 0))
		return BAREPROF_RECIPE_OF_END(BAREPROF_END_ROOT);
	if (row == NULL)
		return (properties & FRAME_IS_HANDLER) != 0 ? BAREPROF_RECIPE_OF_END(BAREPROF_END_EXCEPTION)
		                                            : RECIPE_WITHOUT_ROW;
	if (row->ra == FRAME_NONE)
		return outermost_recipe(properties | FRAME_IS_POINTED_TO);
	if (row->ra == FRAME_SAME && (properties & FRAME_LOSES_RETURN) != 0)
		return outermost_recipe(properties);
	return frame_recipe(row, address_size);
}

/* The first boundary at a later address, at least of this kind. */
static const struct boundary *boundary_after(const struct boundaries *boundaries, size_t i, enum boundary_kind kind)
{
	const uint64_t address = boundaries->items[i].address;

	while (i < boundaries->count && (boundaries->items[i].address == address || boundaries->items[i].kind < kind))
		i++;
	return i < boundaries->count ? &boundaries->items[i] : NULL;
}

/* True if no function contains the code at a boundary, because all functions before it have ended. Relies on the order:
 * the first item of an address has its highest kind. */
static bool is_between_functions(const struct boundaries *boundaries, size_t i)
{
	const struct boundary *items = boundaries->items;

	while (i > 0 && (items[i].kind < FUNCTION_END || items[i - 1].address == items[i].address))
		i--;
	return items[i].kind == FUNCTION_END;
}

/* True if nothing but zeros and instructions without effect are there. */
static bool holds_padding(const struct image *image, uint64_t start, uint64_t end)
{
	/* Thumb's nop, nop.w and mov r8, r8; c.nop and nop of RISC-V. */
	static const uint16_t padding[] = {0, 0xBF00, 0xF3AF, 0x8000, 0x46C0, 0x0001, 0x0013};
	const struct image_code *code = image_code_at(image, start);
	bool is_padding = true;

	for (; is_padding && code != NULL && code->bytes != NULL && start + 2 <= end &&
	       start + 2 - code->address <= code->size;
	     start += 2) {
		const uint8_t *bytes = code->bytes + (start - code->address);
		const unsigned halfword = bytes[0] | (unsigned)bytes[1] << 8;

		is_padding = false;
		for (size_t i = 0; i < sizeof padding / sizeof *padding; i++)
			is_padding |= halfword == padding[i];
	}
	return is_padding;
}

/* The recipe of code before a function that may be an exit handler. Padding never runs. */
static uint32_t recipe_before_exit(uint32_t recipe, bool is_padding)
{
	if (is_padding)
		return BAREPROF_RECIPE_OF_CALLS(BAREPROF_END_TASK);
	if ((recipe & BAREPROF_RECIPE_ENDS) != 0)
		return recipe;
	return (recipe & (BAREPROF_RECIPE_OF_CALLS(0) - 1)) | BAREPROF_RECIPE_OF_CALLS(BAREPROF_END_TASK);
}

/* Adds the row that begins at a boundary, unless it continues the one before. */
static void add_boundary_row(const struct image *image, const struct boundaries *boundaries, size_t i,
                             const struct unwinder *unwinder, uint32_t recipe, struct table_rows *rows)
{
	const struct boundary *boundary = &boundaries->items[i];
	const struct boundary *next = boundary_after(boundaries, i, FRAME_ROW);
	const bool is_between = recipe == RECIPE_WITHOUT_ROW && next != NULL && next->kind == FUNCTION_START &&
	                        next->address - boundary->address <= PADDING_MAX &&
	                        is_between_functions(boundaries, i) &&
	                        holds_padding(image, boundary->address, next->address);
	const bool is_before_exit = next != NULL && next->kind == FUNCTION_START &&
	                            next->address - boundary->address == BEFORE_RETURN &&
	                            may_be_exit(unwinder, next->address);
	const bool is_padding = is_between && !is_before_exit;

	if (is_before_exit)
		recipe = recipe_before_exit(recipe, is_between);
	/* Constants after a function without rows begin a row of their own, so that they do not count as its code. */
	const bool is_hole =
	        boundary->kind == FUNCTION_END && !is_padding && next != NULL && is_between_functions(boundaries, i);
	const bool continues = rows->count > 0 && boundary->kind != FUNCTION_START && next != NULL && !is_hole &&
	                       (is_padding || recipe == rows->rows[rows->count - 1].recipe);

	if (!continues)
		rows->rows[rows->count++] = (struct table_row){boundary->address, recipe};
}

bool table_rows_find(const struct image *image, const struct unwinder *unwinder, struct table_rows *rows)
{
	struct boundaries boundaries = {0};
	const struct frame_rows *frames = unwinder_rows(unwinder);
	const bool found = find_boundaries(image, unwinder, &boundaries);

	*rows = (struct table_rows){.rows = calloc(boundaries.count + 1, sizeof *rows->rows)};
	for (size_t i = 0; found && rows->rows != NULL && i < boundaries.count; i++) {
		const uint64_t address = boundaries.items[i].address;

		if (i == 0 || boundaries.items[i - 1].address != address)
			add_boundary_row(image, &boundaries, i, unwinder,
			                 table_recipe_of(frame_row_at(frames, address),
			                                 unwinder_function(unwinder, address), image->address_size),
			                 rows);
	}
	free(boundaries.items);
	if (!found)
		free(rows->rows);
	return found && rows->rows != NULL;
}
