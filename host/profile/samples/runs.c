/* SPDX-License-Identifier: MIT */
/*
 * See runs.h. An instrumented function counts as not run if no call was lost, it is neither caller nor callee of any
 * call, and no cell of its own has a sample. A function that was entered before recording began and still runs is a
 * caller, or spends its time in cells of its own. A function smaller than a cell may have no cell of its own: it still
 * counts as run if the samples in its cells are too many for the other functions there.
 */
#include "profile/samples/runs.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

bool runs_prepare(struct runs *runs)
{
	size_t count = runs->profile->image->function_count;

	runs->densities = calloc(count + 1, sizeof *runs->densities);
	runs->instructions = calloc(count + 1, sizeof *runs->instructions);
	runs->is_admitted = calloc(count + 1, sizeof *runs->is_admitted);
	if (runs->densities == NULL || runs->instructions == NULL || runs->is_admitted == NULL)
		return false;
	for (size_t i = 0; i < count; i++)
		runs->instructions[i] = -1;
	return presence_find(&runs->presence, runs->profile);
}

void runs_free(struct runs *runs)
{
	presence_free(&runs->presence);
	free(runs->parts);
	free(runs->densities);
	free(runs->instructions);
	free(runs->is_admitted);
}

/* --- Parts. */

static bool add_function_part(struct runs *runs, size_t function, uint64_t low, uint64_t high, double instructions)
{
	const struct group_part part = {
	        .low = low,
	        .high = high,
	        .function = function,
	        .node = profile_node_of_function(runs->profile, function),
	        .instructions = instructions,
	};

	return part.node != PROFILE_NONE && array_append(&runs->parts, &runs->part_count, &part, sizeof part);
}

/* One part for each block of the function in [low, high). */
static bool add_block_parts(struct runs *runs, size_t function, uint64_t low, uint64_t high)
{
	for (uint64_t end; low < high; low = end) {
		end = code_map_block_end(runs->map, low, high);
		uint64_t instructions = code_map_instructions(runs->map, low, end);
		if (instructions > 0 && !add_function_part(runs, function, low, end, (double)instructions))
			return false;
	}
	return true;
}

typedef bool (*part_maker)(struct runs *runs, size_t function, uint64_t low, uint64_t high);

static bool add_byte_part(struct runs *runs, size_t function, uint64_t low, uint64_t high)
{
	return add_function_part(runs, function, low, high, (double)(high - low));
}

static bool add_functions_of_cell(struct runs *runs, const struct cell *cell, part_maker make)
{
	const struct image *image = runs->profile->image;

	for (size_t i = image_first_function_after(image, cell->low);
	     i < image->function_count && image->functions[i].start < cell->high; i++) {
		const struct image_function *function = &image->functions[i];
		uint64_t low = function->start > cell->low ? function->start : cell->low;
		uint64_t high = function->end < cell->high ? function->end : cell->high;

		if (high > low && !make(runs, i, low, high))
			return false;
	}
	return true;
}

/* Samples in a cell where no instruction begins may come from another build: they are shared by bytes. */
static bool find_parts(struct runs *runs, struct cell *cell)
{
	cell->first = runs->part_count;
	bool ok = add_functions_of_cell(runs, cell, add_block_parts);
	if (ok && runs->part_count == cell->first)
		ok = add_functions_of_cell(runs, cell, add_byte_part);
	cell->end = runs->part_count;
	cell->is_restricted = false;
	return ok;
}

/* --- Functions that cannot have run. */

static bool is_of_one_function(const struct runs *runs, const struct cell *cell)
{
	for (size_t i = cell->first + 1; i < cell->end; i++)
		if (runs->parts[i].function != runs->parts[cell->first].function)
			return false;
	return cell->end > cell->first;
}

static void note_proof(struct runs *runs, const struct cell *cell)
{
	if (is_of_one_function(runs, cell))
		runs->is_admitted[image_whole_function(runs->profile->image, runs->parts[cell->first].function)] = true;
}

static bool can_have_run(const struct runs *runs, const struct group_part *part)
{
	return !runs->excludes_functions || runs->profile->nodes[part->node].kind == PROFILE_BAREPROF ||
	       !code_map_is_instrumented(runs->map, part->function) ||
	       runs->is_admitted[image_whole_function(runs->profile->image, part->function)] ||
	       presence_has(&runs->presence, part->function);
}

/* If the calls rule out every function in a cell, any of them may have run. */
static void note_contradiction(struct runs *runs, const struct cell *cell)
{
	for (size_t i = cell->first; i < cell->end; i++)
		if (can_have_run(runs, &runs->parts[i]))
			return;
	for (size_t i = cell->first; i < cell->end; i++)
		runs->is_admitted[image_whole_function(runs->profile->image, runs->parts[i].function)] = true;
}

/* Leaves out the parts of functions that did not run. */
static void restrict_cell(struct runs *runs, struct cell *cell, size_t *kept)
{
	size_t first = *kept;

	for (size_t i = cell->first; i < cell->end; i++)
		if (can_have_run(runs, &runs->parts[i]))
			runs->parts[(*kept)++] = runs->parts[i];
		else
			cell->is_restricted = true;
	cell->first = first;
	cell->end = *kept;
}

static bool find_parts_of_cells(struct runs *runs, struct cell *cells, size_t count)
{
	size_t kept = 0;

	runs->part_count = 0;
	for (size_t i = 0; i < count; i++) {
		if (!find_parts(runs, &cells[i]))
			return false;
		note_proof(runs, &cells[i]);
	}
	for (size_t i = 0; i < count; i++)
		note_contradiction(runs, &cells[i]);
	for (size_t i = 0; i < count; i++)
		restrict_cell(runs, &cells[i], &kept);
	runs->part_count = kept;
	return true;
}

/* --- Evidence from other cells. */

static double instructions_of_function(struct runs *runs, size_t function)
{
	const struct image_function *code = &runs->profile->image->functions[function];
	double *count = &runs->instructions[function];

	if (*count < 0)
		*count = (double)code_map_instructions(runs->map, code->start, code->end);

	return *count;
}

/* Sums up each function's code and samples outside shared cells; if cells may be missing, uses only unshared cells.
 */
static void sum_densities(struct runs *runs, const struct cell *cells, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		bool is_own = is_of_one_function(runs, &cells[i]);

		for (size_t j = cells[i].first; j < cells[i].end; j++) {
			const struct group_part *part = &runs->parts[j];
			struct density *density = &runs->densities[part->function];

			if (!density->is_known && cells[i].is_complete)
				density->instructions = instructions_of_function(runs, part->function);
			density->is_known = true;
			if (is_own != cells[i].is_complete)
				density->instructions += is_own ? part->instructions : -part->instructions;
		}
		if (is_own)
			runs->densities[runs->parts[cells[i].first].function].samples += (double)cells[i].count;
	}
}

static void forget_densities(struct runs *runs)
{
	for (size_t i = 0; i < runs->part_count; i++)
		runs->densities[runs->parts[i].function] = (struct density){.is_known = false};
}

/* Finds the part of the last block of a cell that lies between this cell and the next one. */
static void find_gap_after(const struct runs *runs, struct cell *cell, uint64_t limit)
{
	uint64_t low = runs->parts[cell->end - 1].high;

	if (limit > low && !code_map_begins_block(runs->map, low) && cell->is_complete)
		cell->gap_after =
		        (double)code_map_instructions(runs->map, low, code_map_block_end(runs->map, low, limit));
}

static void find_gap_before(const struct runs *runs, struct cell *cell, uint64_t limit)
{
	uint64_t high = runs->parts[cell->first].low;

	if (!code_map_begins_block(runs->map, high) && cell->is_complete)
		cell->gap_before =
		        (double)code_map_instructions(runs->map, code_map_block_start(runs->map, limit, high), high);
}

static bool is_one_block(const struct runs *runs, const struct cell *cell, const struct cell *next)
{
	uint64_t low = runs->parts[cell->end - 1].high, high = runs->parts[next->first].low;

	return !code_map_begins_block(runs->map, low) && !code_map_begins_block(runs->map, high) &&
	       code_map_block_start(runs->map, low, high) == low;
}

static void link_cells(const struct runs *runs, struct cell *cells, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct cell *cell = &cells[i], *before = i > 0 ? &cells[i - 1] : NULL;
		bool has_before = before != NULL && before->end > before->first;

		cell->is_linked = false;
		cell->gap_before = cell->gap_after = 0;
		if (cell->end == cell->first)
			continue;
		find_gap_after(runs, cell, i + 1 < count ? cells[i + 1].low : UINT64_MAX);
		cell->is_linked = has_before && is_one_block(runs, before, cell);
		if (cell->is_linked)
			cell->gap_before = before->gap_after;
		else
			find_gap_before(runs, cell, before != NULL ? before->high : 0);
	}
}

/* --- Functions that must have run. */

/* Readmits functions that the calls rule out but that must have run. */
static bool readmit_functions(struct runs *runs, const struct cell_run *run)
{
	const struct image *image = runs->profile->image;
	bool any = false;

	for (size_t i = 0; i < run->cell_count; i++) {
		const struct cell *cell = &run->cells[i];

		if (!cell->is_restricted || !apportion_is_short(run, cell))
			continue;
		for (size_t f = image_first_function_after(image, cell->low);
		     f < image->function_count && image->functions[f].start < cell->high; f++)
			runs->is_admitted[image_whole_function(image, f)] = true;
		any = true;
	}
	return any;
}

static void forget_admissions(struct runs *runs)
{
	for (size_t i = 0; i < runs->part_count; i++)
		runs->is_admitted[image_whole_function(runs->profile->image, runs->parts[i].function)] = false;
}

static bool share_once(struct runs *runs, struct cell_run *run)
{
	if (!find_parts_of_cells(runs, run->cells, run->cell_count))
		return false;
	run->parts = runs->parts;
	run->densities = runs->densities;
	sum_densities(runs, run->cells, run->cell_count);
	link_cells(runs, run->cells, run->cell_count);
	apportion_samples(run);
	forget_densities(runs);
	return true;
}

bool runs_share_samples(struct runs *runs, struct cell *cells, size_t count)
{
	struct cell_run run = {.cells = cells, .cell_count = count};

	runs->excludes_functions = presence_choose(&runs->presence, &cells[0].source);
	bool ok = share_once(runs, &run);
	if (ok && readmit_functions(runs, &run))
		ok = share_once(runs, &run);
	forget_admissions(runs);
	return ok;
}
