/* SPDX-License-Identifier: MIT */
/*
 * Source lines of addresses, from the DWARF line tables. The rows of all units are divided into runs, each of ascending
 * addresses up to an end_sequence. Runs are sorted, so that a lookup neither walks over the units nor needs
 * .debug_aranges, which clang does not generate.
 */
#include "base/array.h"
#include "base/search.h"
#include "firmware/line_units.h"
#include "firmware/private.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* [start, end) and the rows of one unit's table that describe it. */
struct line_run {
	uint64_t start;
	uint64_t end;
	Dwarf_Lines *rows;
	size_t first;
	size_t count;       /* without the end_sequence row */
	const char *folder; /* folder of the compilation; NULL: unknown */
};

struct image_lines {
	struct line_units units;
	struct line_run *runs; /* sorted, not overlapping */
	size_t run_count;
};

/* Groups units that share a table, the one with the highest discarded_end first. */
static int compare_units(const void *left, const void *right)
{
	const struct line_unit *a = left;
	const struct line_unit *b = right;

	if (a->rows != b->rows)
		return (uintptr_t)a->rows < (uintptr_t)b->rows ? -1 : 1;
	return (a->discarded_end < b->discarded_end) - (a->discarded_end > b->discarded_end);
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

static bool is_live(const struct image *image, const struct line_unit *unit, const struct line_run *run)
{
	return run->start < run->end && run->start >= unit->discarded_end && image_code_at(image, run->start) != NULL;
}

static const char *folder_of(const struct image *image, const struct line_unit *unit)
{
	const char *folder = line_unit_folder(&unit->entry);

	return folder == NULL ? NULL : image_short_name(image, folder);
}

/* Whether the unit's last sequence ends at 2^64. libdw sorts rows by address, so the end of such a sequence, at 0,
 * comes first, and the last row serves as the end. */
static bool ends_at_top(const struct image *image, const struct line_unit *unit)
{
	const struct image_code *code = image_code_at(image, row_address(unit->rows, unit->row_count - 1));

	return code != NULL && code->address + code->size == UINT64_MAX && ends_sequence(unit->rows, 0) &&
	       row_address(unit->rows, 0) == 0;
}

/* True if a function begins between low and high. False if high is below low. */
static bool function_begins_between(const struct image *image, uint64_t low, uint64_t high)
{
	const struct image_private *private = image->private;
	size_t next = first_above(private->functions, private->function_count, sizeof *private->functions,
	                          offsetof(struct image_function, start), low);

	return next < private->function_count && private->functions[next].start < high;
}

/*
 * The first row of the sequence after the one that ends at row `end`. A sequence may have a last row without code, at
 * the same address as its end. Because libdw sorts rows by address, and ends before other rows, such a row comes after
 * the end, like the first row of the next sequence, which would then cover other functions. So it is skipped.
 */
static size_t next_sequence(const struct image *image, const struct line_unit *unit, size_t end)
{
	size_t first = end + 1;

	while (first + 1 < unit->row_count && !ends_sequence(unit->rows, first) &&
	       row_address(unit->rows, first) == row_address(unit->rows, end) &&
	       function_begins_between(image, row_address(unit->rows, first), row_address(unit->rows, first + 1)))
		first++;
	return first;
}

static bool add_line_runs(const struct image *image, struct image_lines *lines, const struct line_unit *unit)
{
	const char *folder = folder_of(image, unit);
	size_t first = 0;

	for (size_t i = 0; i < unit->row_count; i++) {
		if (!ends_sequence(unit->rows, i))
			continue;
		struct line_run run = {
		        .start = row_address(unit->rows, first),
		        .end = row_address(unit->rows, i),
		        .rows = unit->rows,
		        .first = first,
		        .count = i - first,
		        .folder = folder,
		};
		first = next_sequence(image, unit, i);
		if (first == unit->row_count && ends_at_top(image, unit)) {
			run.end = UINT64_MAX;
			run.count++;
		}
		if (run.count > 0 && is_live(image, unit, &run) &&
		    !array_append(&lines->runs, &lines->run_count, &run, sizeof run))
			return false;
	}
	return true;
}

static int compare_line_runs(const void *left, const void *right)
{
	const struct line_run *a = left;
	const struct line_run *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->end < b->end) - (a->end > b->end);
}

/* Where runs overlap, the one that starts last wins. */
static void cut_overlaps(struct image_lines *lines)
{
	for (size_t i = 1; i < lines->run_count; i++)
		if (lines->runs[i - 1].end > lines->runs[i].start)
			lines->runs[i - 1].end = lines->runs[i].start;
}

static void load_runs(const struct image *image, struct image_lines *lines)
{
	struct line_units *units = &lines->units;
	bool ok = true;

	if (units->count > 0)
		qsort(units->items, units->count, sizeof *units->items, compare_units);
	for (size_t i = 0; ok && i < units->count; i++)
		if (i == 0 || units->items[i - 1].rows != units->items[i].rows)
			ok = add_line_runs(image, lines, &units->items[i]);
	if (lines->run_count > 0)
		qsort(lines->runs, lines->run_count, sizeof *lines->runs, compare_line_runs);
	cut_overlaps(lines);
}

/* Always sets image->private->lines except when out of memory; without DWARF there are no runs. */
static struct image_lines *lines_of(const struct image *image)
{
	struct image_private *private = image->private;

	if (private->lines != NULL)
		return private->lines;
	private->lines = calloc(1, sizeof *private->lines);
	if (private->lines == NULL)
		return NULL;
	line_units_load(image, &private->lines->units);
	load_runs(image, private->lines);
	return private->lines;
}

static const struct line_run *run_at(const struct image *image, uint64_t address)
{
	const struct image_lines *lines = lines_of(image);

	if (lines == NULL)
		return NULL;
	size_t next = first_above(lines->runs, lines->run_count, sizeof *lines->runs, offsetof(struct line_run, start),
	                          address);
	if (next == 0 || address >= lines->runs[next - 1].end)
		return NULL;
	return &lines->runs[next - 1];
}

/* The number of rows of the run before address. */
static size_t rows_before(const struct line_run *run, uint64_t address)
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

static bool begins_sized_function(const struct image *image, uint64_t address)
{
	const struct image_function *function = image_sized_function_at(image, address);

	return function != NULL && function->start == address;
}

/* The last of several rows at an address describes the instruction. */
static Dwarf_Line *row_of_instruction(const struct line_run *run, uint64_t address)
{
	/* A run may end at the end of the address space but never includes the last address, so address + 1 does not
	 * overflow. */
	size_t last = rows_before(run, address + 1);

	return last == 0 ? NULL : dwarf_onesrcline(run->rows, run->first + last - 1);
}

static bool begins_statement(const struct line_run *run, size_t index)
{
	bool begins = false;

	dwarf_linebeginstatement(dwarf_onesrcline(run->rows, run->first + index), &begins);
	return begins;
}

/* The first row at address that begins a statement, because earlier rows may belong to the previous code; otherwise the
 * first row. */
static Dwarf_Line *first_statement(const struct line_run *run, size_t first, uint64_t address)
{
	for (size_t i = first; i < run->count && row_address(run->rows, run->first + i) == address; i++)
		if (begins_statement(run, i))
			return dwarf_onesrcline(run->rows, run->first + i);
	return dwarf_onesrcline(run->rows, run->first + first);
}

/* At the start of a function its first statement counts, because later rows may belong to a function inlined at its
 * top. */
static Dwarf_Line *row_at(const struct image *image, const struct line_run *run, uint64_t address)
{
	size_t first = rows_before(run, address);
	bool has_own_row = first < run->count && row_address(run->rows, run->first + first) == address;

	if (has_own_row && begins_sized_function(image, address))
		return first_statement(run, first, address);
	return row_of_instruction(run, address);
}

static bool read_row(const struct image *image, Dwarf_Line *row, const char **file, int *line)
{
	const char *name = row == NULL ? NULL : dwarf_linesrc(row, NULL, NULL);

	name = name == NULL ? NULL : image_short_name(image, name);
	int number = 0;
	/* DWARF 5, 6.2.2: line 0 is code without a source line. */
	if (name == NULL || dwarf_lineno(row, &number) != 0 || number <= 0)
		return false;
	*file = name;
	*line = number;
	return true;
}

bool image_has_lines(const struct image *image)
{
	const struct image_lines *lines = lines_of(image);

	return lines != NULL && lines->run_count > 0;
}

bool image_line(const struct image *image, uint64_t address, const char **file, int *line)
{
	const struct line_run *run = run_at(image, address);

	return run != NULL && read_row(image, row_at(image, run, address), file, line);
}

const char *image_line_folder(const struct image *image, uint64_t address)
{
	const struct line_run *run = run_at(image, address);

	return run == NULL ? NULL : run->folder;
}

bool image_instruction_line(const struct image *image, uint64_t address, const char **file, int *line)
{
	const struct line_run *run = run_at(image, address);

	return run != NULL && read_row(image, row_of_instruction(run, address), file, line);
}

struct line_units *image_line_units(const struct image *image)
{
	struct image_lines *lines = lines_of(image);

	return lines == NULL ? NULL : &lines->units;
}

/* Whether there is a non-empty line table. */
static bool has_table(const struct image *image)
{
	for (size_t i = 1; i < image->private->section_count; i++) {
		const struct image_section *section = &image->private->sections[i];
		bool is_table = strcmp(section->name, ".debug_line") == 0 || strcmp(section->name, ".zdebug_line") == 0;

		if (is_table && section->type != SHT_NOBITS && section->type != SHT_NULL && section->size > 0)
			return true;
	}
	return false;
}

const char *image_unreadable_lines(const struct image *image)
{
	const struct image_lines *lines = image->private->lines;

	if (lines == NULL)
		return NULL;
	if (lines->units.budget.exceeded != NULL)
		return lines->units.budget.exceeded;
	return lines->units.count == 0 && has_table(image)
	               ? "it is damaged, or compressed in an unknown way: objcopy --decompress-debug-sections may help"
	               : NULL;
}

static uint64_t end_of_row(const struct line_run *run, size_t index)
{
	uint64_t end = index + 1 < run->count ? row_address(run->rows, run->first + index + 1) : run->end;

	return end < run->end ? end : run->end;
}

static void each_line_of_run(const struct image *image, const struct line_run *run, image_line_found found,
                             void *context)
{
	for (size_t i = 0; i < run->count; i++) {
		const char *file;
		int line;
		uint64_t low = row_address(run->rows, run->first + i);
		uint64_t high = end_of_row(run, i);

		/* The last of several rows at an address owns its bytes. */
		if (low < high && read_row(image, dwarf_onesrcline(run->rows, run->first + i), &file, &line))
			found(context, low, high, file, line);
	}
}

void image_each_row(const struct image *image, image_line_found found, void *context)
{
	const struct image_lines *lines = lines_of(image);

	for (size_t i = 0; lines != NULL && i < lines->run_count; i++)
		each_line_of_run(image, &lines->runs[i], found, context);
}

void image_lines_free(struct image_lines *lines)
{
	if (lines == NULL)
		return;
	line_units_free(&lines->units);
	free(lines->runs);
	free(lines);
}
