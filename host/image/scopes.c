/* SPDX-License-Identifier: MIT */
/* See scopes.h. */
#include "image/scopes.h"

#include "array/grown.h"
#include "image/private.h"

#include <dwarf.h>
#include <stdlib.h>

/*
 * What is nested deeper is left out: libdw walks over all that an entry holds to find the next one at its side, so that
 * each level costs the time of a walk.
 */
#define DEPTH_MAX 100

/* A range of a scope, as DWARF has it. */
struct scope_range {
	uint64_t low, high;
	size_t scope;
	unsigned depth;
};

/* The walk over one unit's tree. */
struct scope_walk {
	const struct image *image;
	const struct line_unit *unit;
	size_t unit_index;
	struct scopes *scopes;
	struct scope_range *ranges;
	size_t range_count;
	uint64_t ranges_left;
	Dwarf_Off last_offset; /* of the entry that was visited last; each lies behind it */
};

/* An entry on the way down, and the innermost scope that it lies in. */
struct level {
	Dwarf_Die entry;
	size_t scope;
};

static bool holds_code(int tag)
{
	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		return true;
	default:
		return false;
	}
}

static bool append_range(struct scope_walk *walk, struct scope_range range)
{
	/* Of code that the linker threw away, or no code at all. */
	if (range.low >= range.high || range.low < walk->unit->dead_end ||
	    image_code_at(walk->image, range.low) == NULL)
		return true;
	struct scope_range *ranges = grown(walk->ranges, sizeof *ranges, walk->range_count);
	if (ranges == NULL)
		return false;
	walk->ranges = ranges;
	walk->ranges[walk->range_count++] = range;
	return true;
}

/* False: it is enough. */
static bool add_ranges(struct scope_walk *walk, Dwarf_Die *entry, size_t scope, unsigned depth)
{
	Dwarf_Addr base = 0, low = 0, high = 0;
	ptrdiff_t offset = 0;
	while ((offset = dwarf_ranges(entry, offset, &base, &low, &high)) > 0) {
		if (walk->ranges_left == 0)
			return false;
		walk->ranges_left--;
		if (!append_range(walk, (struct scope_range){low, high, scope, depth}))
			return false;
	}
	return true;
}

static bool is_scope(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

/* Sets *scope where the entry is one. False: it is enough. */
static bool visit(struct scope_walk *walk, Dwarf_Die *entry, unsigned depth, size_t *scope)
{
	int tag = dwarf_tag(entry);
	if (!is_scope(tag))
		return true;
	struct scopes *scopes = walk->scopes;
	struct scope *items = grown(scopes->items, sizeof *items, scopes->count);
	if (items == NULL)
		return false;
	scopes->items = items;
	scopes->items[scopes->count] = (struct scope){
	        .entry = *entry,
	        .caller = tag == DW_TAG_inlined_subroutine ? *scope : SCOPE_NONE,
	        .unit = walk->unit_index,
	};
	*scope = scopes->count++;
	return add_ranges(walk, entry, *scope, depth);
}

/* An entry that does not lie behind all that were visited would make the tree a ring. */
static bool is_behind(struct scope_walk *walk, Dwarf_Die *entry)
{
	Dwarf_Off offset = dwarf_dieoffset(entry);
	bool is_new = offset != (Dwarf_Off)-1 && offset > walk->last_offset;
	walk->last_offset = is_new ? offset : walk->last_offset;
	return is_new;
}

/* Goes on to the entry's first child, where that may have code, or else to what follows. False: there is nothing. */
static bool step(struct scope_walk *walk, struct level *levels, unsigned *depth)
{
	struct level *level = &levels[*depth];
	Dwarf_Die next;
	if (*depth + 1 < DEPTH_MAX && holds_code(dwarf_tag(&level->entry)) && dwarf_child(&level->entry, &next) == 0 &&
	    is_behind(walk, &next)) {
		levels[*depth + 1] = (struct level){.entry = next, .scope = level->scope};
		++*depth;
		return true;
	}
	for (; *depth > 0; --*depth) {
		level = &levels[*depth];
		if (dwarf_siblingof(&level->entry, &next) == 0 && is_behind(walk, &next)) {
			*level = (struct level){.entry = next, .scope = levels[*depth - 1].scope};
			return true;
		}
	}
	return false;
}

/* False: it is enough. */
static bool walk_unit(struct scope_walk *walk)
{
	struct level levels[DEPTH_MAX] = {{.entry = walk->unit->entry, .scope = SCOPE_NONE}};
	unsigned depth = 1;
	walk->last_offset = dwarf_dieoffset(&levels[0].entry);
	if (dwarf_child(&levels[0].entry, &levels[1].entry) != 0 || !is_behind(walk, &levels[1].entry))
		return true;
	levels[1].scope = SCOPE_NONE;
	do {
		if (!visit(walk, &levels[depth].entry, depth, &levels[depth].scope))
			return false;
	} while (step(walk, levels, &depth));
	return true;
}

/* Outer ranges first. */
static int compare_ranges(const void *left, const void *right)
{
	const struct scope_range *a = left;
	const struct scope_range *b = right;
	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	return (a->scope > b->scope) - (a->scope < b->scope);
}

/* One pass over sorted ranges. */
struct settling {
	const struct scope_range **open; /* begun and perhaps not ended, the innermost on top */
	size_t open_count;
	uint64_t position; /* all before it has its scope */
	struct scope_stretch *stretches;
	size_t count;
};

static void emit(struct settling *settling, uint64_t low, uint64_t high, size_t scope)
{
	struct scope_stretch *next = &settling->stretches[settling->count];
	if (settling->count > 0 && next[-1].scope == scope && next[-1].high == low) {
		next[-1].high = high;
		return;
	}
	*next = (struct scope_stretch){low, high, scope};
	settling->count++;
}

/* Gives the bytes up to limit to the ranges that are open. Each round ends one of them or reaches the limit. */
static void advance(struct settling *settling, uint64_t limit)
{
	while (settling->open_count > 0 && settling->position < limit) {
		const struct scope_range *innermost = settling->open[settling->open_count - 1];
		if (innermost->high <= settling->position) {
			settling->open_count--;
			continue;
		}
		uint64_t end = innermost->high < limit ? innermost->high : limit;
		emit(settling, settling->position, end, innermost->scope);
		settling->position = end;
	}
}

static void settle_ranges(struct settling *settling, struct scope_range *ranges, size_t count)
{
	qsort(ranges, count, sizeof *ranges, compare_ranges);
	for (size_t i = 0; i < count; i++) {
		advance(settling, ranges[i].low);
		settling->position = ranges[i].low;
		settling->open[settling->open_count++] = &ranges[i];
	}
	advance(settling, UINT64_MAX);
}

static void settle(struct scopes *scopes, struct scope_range *ranges, size_t count)
{
	struct settling settling = {
	        .open = calloc(count + 1, sizeof *settling.open),
	        /* A stretch begins where a range begins or where one inside it ends. */
	        .stretches = calloc(2 * count + 1, sizeof *settling.stretches),
	};
	if (settling.open != NULL && settling.stretches != NULL && count > 0)
		settle_ranges(&settling, ranges, count);
	free(settling.open);
	scopes->stretches = settling.stretches;
	scopes->stretch_count = settling.count;
}

void scopes_load(const struct image *image, const struct line_units *units, struct scopes *scopes)
{
	*scopes = (struct scopes){.items = NULL};
	struct scope_walk walk = {.image = image, .scopes = scopes, .ranges_left = units->debug_size};
	bool go_on = true;
	for (size_t i = 0; i < units->count && go_on; i++) {
		walk.unit = &units->items[i];
		walk.unit_index = i;
		go_on = walk_unit(&walk);
	}
	settle(scopes, walk.ranges, walk.range_count);
	free(walk.ranges);
}

void scopes_free(struct scopes *scopes)
{
	free(scopes->items);
	free(scopes->stretches);
}

const struct scope_stretch *scopes_stretch_at(const struct scopes *scopes, uint64_t address)
{
	size_t low = 0;
	size_t high = scopes->stretch_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (scopes->stretches[middle].high <= address)
			low = middle + 1;
		else
			high = middle;
	}
	bool holds = low < scopes->stretch_count && scopes->stretches[low].low <= address;
	return holds ? &scopes->stretches[low] : NULL;
}
