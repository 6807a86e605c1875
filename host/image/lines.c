/* SPDX-License-Identifier: MIT */
/*
 * Source lines of addresses, from the line tables of DWARF. Knows nothing of functions but where they begin and end.
 *
 * The lines of all units are cut into runs, each of rising addresses up to an end_sequence, and the runs sorted, so
 * that a lookup needs neither .debug_aranges (clang writes none) nor a walk over the units.
 */
#include "image/private.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

/* [start, end) and the rows of one unit's table that describe it. */
struct run {
	uint64_t start;
	uint64_t end;
	Dwarf_Lines *rows;
	size_t first;
	size_t count; /* without the row that ends the sequence */
};

/*
 * Code that the linker threw away keeps its lines, at address 0 and up, and libdw sorts them in among those of the same
 * unit that live there. What a unit says of addresses below its dead_end is therefore not believed.
 */
struct unit {
	Dwarf_Lines *rows;
	size_t row_count;
	uint64_t dead_end;
};

struct image_lines {
	Dwarf *dwarf;
	struct unit *units;
	size_t unit_count;
	struct run *runs; /* sorted, not overlapping */
	size_t run_count;
};

/* items with room for one more; NULL if memory is short, items are then as they were. */
static void *grown(void *items, size_t item_size, size_t count)
{
	/* The capacity is the next power of two. */
	bool is_full = (count & (count - 1)) == 0;
	return is_full ? reallocarray(items, count == 0 ? 1 : count * 2, item_size) : items;
}

static bool append_unit(struct image_lines *lines, struct unit unit)
{
	struct unit *units = grown(lines->units, sizeof *units, lines->unit_count);
	if (units == NULL)
		return false;
	lines->units = units;
	lines->units[lines->unit_count++] = unit;
	return true;
}

static bool append_run(struct image_lines *lines, struct run run)
{
	struct run *runs = grown(lines->runs, sizeof *runs, lines->run_count);
	if (runs == NULL)
		return false;
	lines->runs = runs;
	lines->runs[lines->run_count++] = run;
	return true;
}

/* Whether [0, end) of a unit is code in the firmware: a function begins at 0 and one ends at end. */
static bool is_alive_at_zero(const struct image *image, uint64_t end)
{
	const struct image_function *first = image_function_at(image, 0);
	const struct image_function *last = image_function_at(image, end - 1);
	return first != NULL && first->start == 0 && last != NULL && last->end == end;
}

static uint64_t dead_end_of_entry(const struct image *image, Dwarf_Die *entry)
{
	Dwarf_Addr low = 0;
	Dwarf_Addr high = 0;
	if (dwarf_lowpc(entry, &low) != 0 || low != 0 || dwarf_highpc(entry, &high) != 0 || high == 0)
		return 0;
	return is_alive_at_zero(image, high) ? 0 : high;
}

/* The unit itself (assembly has no other entries) and the functions directly in it. */
static uint64_t dead_end_of_unit(const struct image *image, Dwarf_Die *unit)
{
	uint64_t dead_end = dead_end_of_entry(image, unit);
	Dwarf_Die entry;
	Dwarf_Off offset = 0;
	bool more = dwarf_child(unit, &entry) == 0;
	/* A sibling that does not lie behind its brother would make this a ring. */
	while (more && dwarf_dieoffset(&entry) > offset) {
		offset = dwarf_dieoffset(&entry);
		uint64_t end = dwarf_tag(&entry) == DW_TAG_subprogram ? dead_end_of_entry(image, &entry) : 0;
		dead_end = end > dead_end ? end : dead_end;
		more = dwarf_siblingof(&entry, &entry) == 0;
	}
	return dead_end;
}

static bool load_units(const struct image *image, struct image_lines *lines)
{
	Dwarf_CU *cursor = NULL;
	Dwarf_Die entry;
	while (dwarf_get_units(lines->dwarf, cursor, &cursor, NULL, NULL, &entry, NULL) == 0) {
		struct unit unit = {.rows = NULL};
		if (dwarf_getsrclines(&entry, &unit.rows, &unit.row_count) != 0 || unit.row_count == 0)
			continue;
		unit.dead_end = dead_end_of_unit(image, &entry);
		if (!append_unit(lines, unit))
			return false;
	}
	return true;
}

/* Units with one table are brought together, the one that believes least first. */
static int compare_units(const void *left, const void *right)
{
	const struct unit *a = left;
	const struct unit *b = right;
	if (a->rows != b->rows)
		return (uintptr_t)a->rows < (uintptr_t)b->rows ? -1 : 1;
	return (a->dead_end < b->dead_end) - (a->dead_end > b->dead_end);
}

static uint64_t row_address(Dwarf_Lines *rows, size_t index)
{
	Dwarf_Addr address = 0;
	dwarf_lineaddr(dwarf_onesrcline(rows, index), &address);
	return address;
}

static bool ends_sequence(Dwarf_Lines *rows, size_t index)
{
	bool ends = false;
	dwarf_lineendsequence(dwarf_onesrcline(rows, index), &ends);
	return ends;
}

static bool is_believed(const struct image *image, const struct unit *unit, const struct run *run)
{
	return run->start < run->end && run->start >= unit->dead_end && image_code_at(image, run->start) != NULL;
}

static bool add_runs(const struct image *image, struct image_lines *lines, const struct unit *unit)
{
	size_t first = 0;
	for (size_t i = 0; i < unit->row_count; i++) {
		if (!ends_sequence(unit->rows, i))
			continue;
		struct run run = {
		        .start = row_address(unit->rows, first),
		        .end = row_address(unit->rows, i),
		        .rows = unit->rows,
		        .first = first,
		        .count = i - first,
		};
		first = i + 1;
		if (run.count > 0 && is_believed(image, unit, &run) && !append_run(lines, run))
			return false;
	}
	return true;
}

static int compare_runs(const void *left, const void *right)
{
	const struct run *a = left;
	const struct run *b = right;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->end < b->end) - (a->end > b->end);
}

/* Of runs that overlap, the one that starts last is believed. */
static void cut_overlaps(struct image_lines *lines)
{
	for (size_t i = 1; i < lines->run_count; i++)
		if (lines->runs[i - 1].end > lines->runs[i].start)
			lines->runs[i - 1].end = lines->runs[i].start;
}

static bool load_runs(const struct image *image, struct image_lines *lines)
{
	if (lines->unit_count == 0)
		return true;
	qsort(lines->units, lines->unit_count, sizeof *lines->units, compare_units);
	for (size_t i = 0; i < lines->unit_count; i++) {
		bool is_repeated = i > 0 && lines->units[i - 1].rows == lines->units[i].rows;
		if (!is_repeated && !add_runs(image, lines, &lines->units[i]))
			return false;
	}
	if (lines->run_count > 0)
		qsort(lines->runs, lines->run_count, sizeof *lines->runs, compare_runs);
	cut_overlaps(lines);
	return true;
}

/* Always leaves something at image->private->lines unless memory is short: no DWARF means no runs. */
static struct image_lines *lines_of(const struct image *image)
{
	struct image_private *private = image->private;
	if (private->lines != NULL)
		return private->lines;
	private->lines = calloc(1, sizeof *private->lines);
	if (private->lines == NULL)
		return NULL;
	private->lines->dwarf = dwarf_begin_elf(private->elf, DWARF_C_READ, NULL);
	if (private->lines->dwarf != NULL && load_units(image, private->lines))
		load_runs(image, private->lines);
	return private->lines;
}

static const struct run *run_at(const struct image_lines *lines, uint64_t address)
{
	size_t low = 0;
	size_t high = lines->run_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (lines->runs[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || address >= lines->runs[low - 1].end)
		return NULL;
	return &lines->runs[low - 1];
}

/* How many rows of the run lie before address. */
static size_t rows_before(const struct run *run, uint64_t address)
{
	size_t low = 0;
	size_t high = run->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (row_address(run->rows, run->first + middle) < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool begins_function(const struct image *image, uint64_t address)
{
	const struct image_function *function = image_function_at(image, address);
	return function != NULL && function->start == address;
}

/*
 * The row of an address in the run. Of several at one address the last describes the instruction, but where a function
 * begins the first: the others may already be those of a function inlined at its top.
 */
static Dwarf_Line *row_at(const struct image *image, const struct run *run, uint64_t address)
{
	size_t first = rows_before(run, address);
	bool has_own_row = first < run->count && row_address(run->rows, run->first + first) == address;
	if (has_own_row && begins_function(image, address))
		return dwarf_onesrcline(run->rows, run->first + first);
	/* The run may reach the end of the address space, but not beyond: there is a next address. */
	size_t last = rows_before(run, address + 1);
	return last == 0 ? NULL : dwarf_onesrcline(run->rows, run->first + last - 1);
}

bool image_line(const struct image *image, uint64_t address, const char **file, int *line)
{
	const struct image_lines *lines = lines_of(image);
	const struct run *run = lines == NULL ? NULL : run_at(lines, address);
	Dwarf_Line *row = run == NULL ? NULL : row_at(image, run, address);
	const char *name = row == NULL ? NULL : dwarf_linesrc(row, NULL, NULL);
	int number = 0;
	/* DWARF 5, 6.2.2: line 0 is code that belongs to no line. */
	if (name == NULL || dwarf_lineno(row, &number) != 0 || number <= 0)
		return false;
	*file = name;
	*line = number;
	return true;
}

void image_lines_free(struct image_lines *lines)
{
	if (lines == NULL)
		return;
	dwarf_end(lines->dwarf);
	free(lines->units);
	free(lines->runs);
	free(lines);
}
