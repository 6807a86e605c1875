/* SPDX-License-Identifier: MIT */
/* See frame_table.h. */
#include "firmware/unwind/frame_table.h"

#include "base/array.h"
#include "base/search.h"
#include "firmware/dwarf_sections.h"
#include "firmware/private.h"
#include "firmware/unwind/frame_program.h"

#include <string.h>

/* DWARF for the Arm Architecture, 4.1; RISC-V psABI, "DWARF Register Numbers". Thumb's frame pointer is R7. */
static const struct {
	enum image_isa isa;
	struct frame_numbers numbers;
} machines[] = {
        {IMAGE_ISA_ARM, {.sp = 13, .fp = 7, .link = 14}},
        {IMAGE_ISA_RISCV, {.sp = 2, .fp = 8, .link = 1}},
};

static const struct frame_numbers *numbers_of(const struct image *image)
{
	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
		if (machines[i].isa == image->isa)
			return &machines[i].numbers;
	return NULL;
}

bool frame_table_link(const struct image *image, unsigned *number)
{
	const struct frame_numbers *numbers = numbers_of(image);

	if (numbers != NULL)
		*number = numbers->link;
	return numbers != NULL;
}

/* The sections in order of preference: if both describe a function, the first section counts. */
enum { DEBUG_FRAME, EH_FRAME, SECTIONS };

/* An FDE that may describe code of the image. */
struct entry_claim {
	uint64_t low;
	uint64_t high;
	size_t rank;  /* of claims with the same low, the lowest rank counts */
	size_t entry; /* its index in the section */
	unsigned section;
};

struct compilation {
	const struct image *image;
	const struct frame_numbers *numbers;
	struct dwarf_budget budget;
	struct dwarf_sections debug;
	struct frame_section sections[SECTIONS];
	struct frame_state *initial[SECTIONS]; /* the initial state, by CIE */
	bool *is_runnable[SECTIONS];           /* by CIE: its initial state is valid */
	struct entry_claim *claims;
	size_t claim_count;
	size_t function; /* the first one that ends after the last row */
	struct frame_rows *rows;
	bool out_of_memory;
};

/* --- Sections. */

static const struct image_section *find_frame_section(const struct image *image, const char *name)
{
	for (size_t i = 1; i < image->private->section_count; i++) {
		const struct image_section *section = &image->private->sections[i];

		if (strcmp(section->name, name) == 0 && section->type != SHT_NOBITS && section->type != SHT_NULL)
			return section;
	}
	return NULL;
}

/* Finds the bytes of .eh_frame, which is loaded and so never compressed. */
static void open_eh_frame(struct compilation *compilation, struct frame_section *section)
{
	const struct image *image = compilation->image;
	const struct image_section *found = find_frame_section(image, ".eh_frame");

	section->is_eh_frame = true;
	if (found == NULL || (found->flags & SHF_COMPRESSED) != 0)
		return;
	section->address = found->address;
	section->bytes.at = image->private->bytes + found->offset;
	section->bytes.end = section->bytes.at + found->size;
}

/* Runs the programs of all CIEs. */
static bool run_commons(struct compilation *compilation, unsigned number)
{
	struct frame_section *section = &compilation->sections[number];
	size_t count = section->common_count;

	compilation->initial[number] = calloc(count + 1, sizeof *compilation->initial[number]);
	compilation->is_runnable[number] = calloc(count + 1, sizeof *compilation->is_runnable[number]);
	if (compilation->initial[number] == NULL || compilation->is_runnable[number] == NULL)
		return false;
	for (size_t i = 0; i < count; i++)
		compilation->is_runnable[number][i] = frame_program_begin(
		        section, &section->commons[i], compilation->numbers, &compilation->initial[number][i]);
	return true;
}

static bool read_sections(struct compilation *compilation)
{
	const struct image *image = compilation->image;
	static const uint8_t nothing;
	bool ok = true;

	for (unsigned i = 0; i < SECTIONS; i++)
		compilation->sections[i] = (struct frame_section){
		        .bytes = {.at = &nothing, .end = &nothing, .big_endian = image->big_endian},
		        .address_size = image->address_size,
		};
	dwarf_sections_open(image, &compilation->budget, &compilation->debug);
	if (compilation->debug.dwarf != NULL)
		compilation->sections[DEBUG_FRAME].bytes = compilation->debug.frames;
	open_eh_frame(compilation, &compilation->sections[EH_FRAME]);
	for (unsigned i = 0; ok && i < SECTIONS; i++)
		ok = frame_section_read(&compilation->sections[i]) && run_commons(compilation, i);
	return ok;
}

/* --- Claims. */

/* The function at address in the division by size. */
static const struct image_function *sized_function_at(const struct image *image, uint64_t address)
{
	const struct image_private *private = image->private;
	size_t index = first_above(private->functions, private->function_count, sizeof *private->functions,
	                           offsetof(struct image_function, end), address);

	return index < private->function_count && private->functions[index].start <= address
	               ? &private->functions[index]
	               : NULL;
}

/* An FDE with exactly the extent of a function has priority. Linkers keep the FDEs of discarded code in .debug_frame
 * with address 0, so an FDE at 0 counts only if it is exact. */
static void add_entry_claim(struct compilation *compilation, unsigned number, size_t index)
{
	const struct frame_entry *entry = &compilation->sections[number].entries[index];
	const struct image_function *function = sized_function_at(compilation->image, entry->low);
	bool is_exact = function != NULL && function->start == entry->low && function->end == entry->high;
	const struct entry_claim claim = {
	        .low = entry->low,
	        .high = entry->high,
	        .rank = is_exact ? compilation->claim_count : SIZE_MAX / 2 + compilation->claim_count,
	        .entry = index,
	        .section = number,
	};

	if (function != NULL && (is_exact || entry->low != 0) && compilation->is_runnable[number][entry->common] &&
	    !array_append(&compilation->claims, &compilation->claim_count, &claim, sizeof claim))
		compilation->out_of_memory = true;
}

static int compare_entry_claims(const void *left, const void *right)
{
	const struct entry_claim *a = left, *b = right;
	int order = compare_numbers(a->low, b->low);

	return order != 0 ? order : compare_numbers(a->rank, b->rank);
}

/* Sorts the claims, keeps one claim for each low, and ends each where the next begins. */
static void order_claims(struct compilation *compilation)
{
	struct entry_claim *claims = compilation->claims;
	size_t kept = 0;

	if (compilation->claim_count == 0)
		return;
	qsort(claims, compilation->claim_count, sizeof *claims, compare_entry_claims);
	for (size_t i = 0; i < compilation->claim_count; i++)
		if (kept == 0 || claims[kept - 1].low != claims[i].low)
			claims[kept++] = claims[i];
	for (size_t i = 0; i + 1 < kept; i++)
		if (claims[i].high > claims[i + 1].low)
			claims[i].high = claims[i + 1].low;
	compilation->claim_count = kept;
}

/* --- Rows. */

static bool continues_row(const struct frame_row *before, const struct frame_row *row)
{
	return before->high == row->low && before->base == row->base && before->offset == row->offset &&
	       before->ra == row->ra && before->ra_offset == row->ra_offset && before->fp == row->fp &&
	       before->fp_offset == row->fp_offset;
}

/* Adds a row of one function, or extends the last one. */
static bool add_frame_row(struct compilation *compilation, const struct image_function *function,
                          const struct frame_row *row)
{
	struct frame_rows *rows = compilation->rows;
	struct frame_row *last = rows->count == 0 ? NULL : &rows->rows[rows->count - 1];
	bool extends = last != NULL && last->low >= function->start && continues_row(last, row);

	if (extends)
		last->high = row->high;
	else if (!array_append(&rows->rows, &rows->count, row, sizeof *row))
		compilation->out_of_memory = true;
	return !compilation->out_of_memory;
}

/* Divides [low, high) into rows of one function each. */
static bool add_state(void *context, uint64_t low, uint64_t high, const struct frame_state *state)
{
	struct compilation *compilation = context;
	const struct image_private *private = compilation->image->private;
	struct frame_row row = frame_state_row(state, compilation->numbers);

	for (; compilation->function < private->function_count; compilation->function++) {
		const struct image_function *function = &private->functions[compilation->function];

		if (function->start >= high)
			break;
		row.low = low > function->start ? low : function->start;
		row.high = high < function->end ? high : function->end;
		if (row.low < row.high && !add_frame_row(compilation, function, &row))
			return false;
		if (function->end > high)
			break;
	}
	return true;
}

static void run_claims(struct compilation *compilation)
{
	for (size_t i = 0; i < compilation->claim_count && !compilation->out_of_memory; i++) {
		const struct entry_claim *claim = &compilation->claims[i];
		const struct frame_section *section = &compilation->sections[claim->section];
		struct frame_entry entry = section->entries[claim->entry];

		entry.high = claim->high;
		frame_program_run(section, &entry, compilation->numbers,
		                  &compilation->initial[claim->section][entry.common], add_state, compilation);
	}
}

static bool compile_frame_rows(struct compilation *compilation)
{
	if (!read_sections(compilation))
		return false;
	for (unsigned i = 0; i < SECTIONS; i++)
		for (size_t j = 0; j < compilation->sections[i].entry_count; j++)
			add_entry_claim(compilation, i, j);
	if (!compilation->out_of_memory)
		order_claims(compilation);
	run_claims(compilation);
	return !compilation->out_of_memory;
}

static void free_compilation(struct compilation *compilation)
{
	for (unsigned i = 0; i < SECTIONS; i++) {
		frame_section_free(&compilation->sections[i]);
		free(compilation->initial[i]);
		free(compilation->is_runnable[i]);
	}
	free(compilation->claims);
	dwarf_sections_close(&compilation->debug);
}

bool frame_table_read(const struct image *image, struct frame_rows *rows)
{
	struct compilation compilation = {
	        .image = image,
	        .numbers = numbers_of(image),
	        .budget = dwarf_budget_of(image->private->size),
	        .rows = rows,
	};

	*rows = (struct frame_rows){.rows = NULL};
	if (compilation.numbers == NULL)
		return true;
	bool ok = compile_frame_rows(&compilation);
	free_compilation(&compilation);
	return ok;
}
