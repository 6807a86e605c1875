/* SPDX-License-Identifier: MIT */
/* The part of a capture that was recorded since an earlier capture of the same profile: its counts minus the earlier
 * ones. */
#include "capture/capture.h"

#include "capture/count.h"
#include "capture/decoders.h"
#include "capture/stacks.h"

#include <stdlib.h>
#include <string.h>

/* Cells or arcs. */
struct kind {
	size_t size;
	int (*compare)(const void *left, const void *right); /* by key */
	size_t count;                                        /* offset of the count, a uint64_t */
};

static const struct kind cell_kind = {sizeof(struct capture_cell), capture_compare_cells,
                                      offsetof(struct capture_cell, count)};
static const struct kind arc_kind = {sizeof(struct capture_arc), capture_compare_arcs,
                                     offsetof(struct capture_arc, count)};

/* Items of one kind, which belong to a block. */
struct items {
	const struct kind *kind;
	char *array;
	size_t count;
};

static struct items cells_of(const struct capture_block *block)
{
	return (struct items){&cell_kind, (char *)block->cells, block->cell_count};
}

static struct items arcs_of(const struct capture_block *block)
{
	return (struct items){&arc_kind, (char *)block->arcs, block->arc_count};
}

static char *interval_item_at(const struct items *items, size_t index)
{
	return items->array + index * items->kind->size;
}

static uint64_t *count_at(const struct items *items, size_t index)
{
	return (uint64_t *)(void *)(interval_item_at(items, index) + items->kind->count);
}

/* Sorts the items and adds up those with the same key. */
static void combine_equal_items(struct items *items)
{
	size_t kept = 0;

	if (items->count > 0)
		qsort(items->array, items->count, items->kind->size, items->kind->compare);
	for (size_t i = 0; i < items->count; i++) {
		const char *item = interval_item_at(items, i);

		if (kept > 0 && items->kind->compare(interval_item_at(items, kept - 1), item) == 0)
			count_add(count_at(items, kept - 1), *count_at(items, i));
		else
			memmove(interval_item_at(items, kept++), item, items->kind->size);
	}
	items->count = kept;
}

/* Finds the count of the earlier item with the same key, from *next on; 0 if there is none. False if an earlier key is
 * gone or the count fell: tables and counts only grow. Both lists must be combined. */
static bool find_earlier(const struct items *items, size_t index, const struct items *earlier, size_t *next,
                         uint64_t *count)
{
	int order = *next < earlier->count
	                    ? items->kind->compare(interval_item_at(earlier, *next), interval_item_at(items, index))
	                    : 1;

	*count = order == 0 ? *count_at(earlier, *next) : 0;
	*next += order == 0;
	return order >= 0 && *count <= *count_at(items, index);
}

/* True if no item is gone and no count fell. Both lists must be combined. */
static bool have_grown(const struct items *items, const struct items *earlier)
{
	size_t next = 0;
	uint64_t count;

	for (size_t i = 0; i < items->count; i++)
		if (!find_earlier(items, i, earlier, &next, &count))
			return false;
	return next == earlier->count;
}

/* Subtracts earlier counts from items that have_grown(), and drops items whose count becomes 0. */
static void subtract_earlier_items(struct items *items, const struct items *earlier)
{
	size_t kept = 0, next = 0;
	uint64_t count;

	for (size_t i = 0; i < items->count; i++) {
		find_earlier(items, i, earlier, &next, &count);
		*count_at(items, i) -= count;
		if (*count_at(items, i) > 0)
			memmove(interval_item_at(items, kept++), interval_item_at(items, i), items->kind->size);
	}
	items->count = kept;
}

/* The counts in a header that only grow. */
static const size_t header_counts[] = {
        offsetof(struct capture_header, reset_count),     offsetof(struct capture_header, ticks),
        offsetof(struct capture_header, samples_outside), offsetof(struct capture_header, samples_table_full),
        offsetof(struct capture_header, arcs_dropped),    offsetof(struct capture_header, saturated),
};

#define HEADER_COUNTS (sizeof header_counts / sizeof header_counts[0])

static uint64_t *header_count(const struct capture_header *header, size_t index)
{
	return (uint64_t *)(void *)((char *)(uintptr_t)header + header_counts[index]);
}

static bool header_has_grown(const struct capture_header *header, const struct capture_header *earlier)
{
	for (size_t i = 0; i < HEADER_COUNTS; i++)
		if (*header_count(header, i) < *header_count(earlier, i))
			return false;
	return true;
}

/* The difference of counts that may be unknown. */
static uint64_t known_since(uint64_t count, uint64_t earlier)
{
	if (count == CAPTURE_UNKNOWN || earlier == CAPTURE_UNKNOWN)
		return CAPTURE_UNKNOWN;
	return count > earlier ? count - earlier : 0;
}

static void subtract_header(struct capture_header *header, const struct capture_header *earlier)
{
	for (size_t i = 0; i < HEADER_COUNTS; i++)
		*header_count(header, i) -= *header_count(earlier, i);
	header->ticks_missed = known_since(header->ticks_missed, earlier->ticks_missed);
}

static void subtract_switches(struct capture_block *block, const struct capture_block *earlier)
{
	for (size_t i = 0; i < block->context_count && i < earlier->context_count; i++)
		block->contexts[i].switches = known_since(block->contexts[i].switches, earlier->contexts[i].switches);
}

/* The constant part of the cost per tick, over all ticks. */
static uint64_t fixed_cost(const struct capture_block *block)
{
	const uint64_t measured = cost_of_ticks(&block->stack_totals, block->header.ticks);

	return block->tick_cost > measured ? block->tick_cost - measured : 0;
}

/* Replaces the cost of all ticks by the cost of the ticks since the earlier block. fixed: the constant part of the
 * cost. The earlier totals of stacks have already been subtracted. */
static void scale_tick_cost(struct capture_block *block, uint64_t fixed, uint64_t ticks)
{
	if (block->header.ticks == 0)
		return;
	if (block->stack_totals.timed == 0)
		fixed = block->tick_cost;
	block->tick_cost = count_sum(fixed / block->header.ticks * ticks, cost_of_ticks(&block->stack_totals, ticks));
}

/* paths: the paths since the earlier block; the block adopts their nodes. */
static void subtract_block(struct capture_block *block, const struct capture_block *earlier, struct tally *paths)
{
	struct items cells = cells_of(block), arcs = arcs_of(block);
	const struct items earlier_cells = cells_of(earlier), earlier_arcs = arcs_of(earlier);

	subtract_earlier_items(&cells, &earlier_cells);
	subtract_earlier_items(&arcs, &earlier_arcs);
	block->cell_count = cells.count;
	block->arc_count = arcs.count;
	free(block->path_nodes);
	block->path_nodes = paths->items;
	block->path_node_count = paths->count;
	paths->items = NULL;
	const uint64_t fixed = fixed_cost(block);
	subtract_stacks(block, earlier);
	scale_tick_cost(block, fixed, block->header.ticks - earlier->header.ticks);
	subtract_header(&block->header, &earlier->header);
	subtract_switches(block, earlier);
	block->earlier_skew = earlier->has_skew ? earlier->ticks_after - earlier->ticks_before : UINT32_MAX;
}

enum capture_course capture_course(const struct capture_header *before, const struct capture_header *after)
{
	const bool has_forgotten = before->control_acknowledge != 0 && after->control_acknowledge == 0;

	if (has_forgotten || after->epoch < before->epoch ||
	    (after->epoch == before->epoch &&
	     (after->ticks < before->ticks || after->reset_count < before->reset_count)))
		return CAPTURE_RESTARTED;
	if (after->epoch != before->epoch || capture_state_is_clearing(after->state))
		return CAPTURE_CLEARED;
	return CAPTURE_CONTINUES;
}

static bool is_of_same_block(const struct capture_header *left, const struct capture_header *right)
{
	return left->core == right->core && left->block_address == right->block_address &&
	       left->identity_size == right->identity_size &&
	       memcmp(left->identity, right->identity, sizeof left->identity) == 0;
}

static const struct capture_block *find_block(const struct capture *capture, const struct capture_header *header)
{
	for (size_t i = 0; i < capture->block_count; i++)
		if (is_of_same_block(&capture->blocks[i].header, header))
			return &capture->blocks[i];
	return NULL;
}

/* Compares all counts, because a target may have counted for longer since its reset than before it. */
static enum capture_course course_of(const struct capture_block *block, const struct capture_block *earlier)
{
	const struct items cells = cells_of(block), arcs = arcs_of(block);
	const struct items earlier_cells = cells_of(earlier), earlier_arcs = arcs_of(earlier);
	const enum capture_course course = capture_course(&earlier->header, &block->header);

	if (course != CAPTURE_CONTINUES)
		return course;
	return header_has_grown(&block->header, &earlier->header) && stack_totals_have_grown(block, earlier) &&
	                       have_grown(&cells, &earlier_cells) && have_grown(&arcs, &earlier_arcs)
	               ? CAPTURE_CONTINUES
	               : CAPTURE_RESTARTED;
}

static void combine_blocks(struct capture *capture)
{
	for (size_t i = 0; i < capture->block_count; i++) {
		struct items cells = cells_of(&capture->blocks[i]), arcs = arcs_of(&capture->blocks[i]);

		combine_equal_items(&cells);
		combine_equal_items(&arcs);
		capture->blocks[i].cell_count = cells.count;
		capture->blocks[i].arc_count = arcs.count;
	}
}

/* A copy with combined items. */
static struct capture *copy_combined(const struct capture *capture)
{
	struct capture *copy = capture_select(capture, &(struct capture_selection){0});

	if (copy != NULL)
		combine_blocks(copy);
	return copy;
}

static bool subtract_if_continued(struct capture_block *block, const struct capture_block *earlier,
                                  enum capture_course *course)
{
	struct tally paths = {0};
	bool has_grown;
	const bool has_memory = paths_since(block, earlier, &paths, &has_grown);

	if (has_memory) {
		*course = course_of(block, earlier);
		if (*course == CAPTURE_CONTINUES && !has_grown)
			*course = CAPTURE_RESTARTED;
		if (*course == CAPTURE_CONTINUES)
			subtract_block(block, earlier, &paths);
	}
	tally_free(&paths);
	return has_memory;
}

/* False when out of memory. */
static bool subtract_capture(struct capture *capture, const struct capture *earlier, enum capture_course *course)
{
	for (size_t i = 0; i < capture->block_count; i++) {
		struct capture_block *block = &capture->blocks[i];
		const struct capture_block *before = find_block(earlier, &block->header);
		enum capture_course of_block = CAPTURE_RESTARTED;

		if (before != NULL && !subtract_if_continued(block, before, &of_block))
			return false;
		*course = of_block > *course ? of_block : *course;
	}
	return true;
}

struct capture *capture_since(const struct capture *capture, const struct capture *earlier, enum capture_course *course)
{
	struct capture *interval = copy_combined(capture), *before = copy_combined(earlier);

	*course = CAPTURE_CONTINUES;
	if (interval == NULL || before == NULL || !subtract_capture(interval, before, course)) {
		capture_close(interval);
		interval = NULL;
	}
	capture_close(before);
	return interval;
}
