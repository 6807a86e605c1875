/* SPDX-License-Identifier: MIT */
/* See line_pieces.h. */
#include "profile/lines/line_pieces.h"

#include "base/array.h"
#include "base/search.h"

#include <stdlib.h>
#include <string.h>

static void add_cut(struct line_pieces *pieces, uint64_t address)
{
	pieces->out_of_memory |= !array_append(&pieces->cuts, &pieces->cut_count, &address, sizeof address);
}

static void find_cuts(struct line_pieces *pieces, const struct image *image)
{
	for (size_t i = 0; i < image->function_count; i++) {
		add_cut(pieces, image->functions[i].start);
		add_cut(pieces, image->functions[i].end);
	}
	if (pieces->cut_count > 0)
		qsort(pieces->cuts, pieces->cut_count, sizeof *pieces->cuts, order_numbers);
}

/* The first cut after address. */
static size_t cut_after(const struct line_pieces *pieces, uint64_t address)
{
	return first_above(pieces->cuts, pieces->cut_count, sizeof *pieces->cuts, 0, address);
}

static void add_pieces(void *context, uint64_t low, uint64_t high, const char *file, int line)
{
	struct line_pieces *pieces = context;

	for (size_t cut = cut_after(pieces, low); low < high && !pieces->out_of_memory; cut++) {
		uint64_t end = cut < pieces->cut_count && pieces->cuts[cut] < high ? pieces->cuts[cut] : high;
		const struct line_piece piece = {.low = low, .high = end, .file = file, .line = line};

		if (end > low)
			pieces->out_of_memory |= !array_append(&pieces->items, &pieces->count, &piece, sizeof piece);
		low = end;
	}
}

bool line_pieces_find(struct line_pieces *pieces, const struct image *image)
{
	find_cuts(pieces, image);
	image_each_line(image, add_pieces, pieces);
	return !pieces->out_of_memory;
}

void line_pieces_free(struct line_pieces *pieces)
{
	free(pieces->items);
	free(pieces->cuts);
}

size_t line_pieces_after(const struct line_pieces *pieces, uint64_t address)
{
	return first_above(pieces->items, pieces->count, sizeof *pieces->items, offsetof(struct line_piece, high),
	                   address);
}

static bool share_cell(const struct line_piece *piece, const struct line_piece *next, uint64_t cell_size)
{
	bool is_other = piece->line != next->line || strcmp(piece->file, next->file) != 0;

	return is_other && (piece->high - 1) / cell_size == next->low / cell_size;
}

/* The first sampled piece at or after from. */
static size_t sampled_piece(const struct line_pieces *pieces, size_t from)
{
	while (from < pieces->count && pieces->items[from].samples <= 0)
		from++;
	return from;
}

static double samples_per_byte(const struct line_piece *piece)
{
	return piece->samples / (double)(piece->high - piece->low);
}

/* The samples of a piece in the cell at its start or at its end, in proportion to its bytes there. */
static double samples_in_end_cell(const struct line_piece *piece, uint64_t cell_size, bool at_start)
{
	uint64_t low = at_start ? piece->low : (piece->high - 1) / cell_size * cell_size;
	uint64_t high = at_start ? piece->low / cell_size * cell_size + cell_size : piece->high;

	low = low > piece->low ? low : piece->low;
	high = high < piece->high ? high : piece->high;
	return samples_per_byte(piece) * (double)(high - low);
}

static double shared_samples(const struct line_pieces *pieces, uint64_t cell_size)
{
	double shared = 0;

	for (size_t i = sampled_piece(pieces, 0), next; i < pieces->count; i = next) {
		next = sampled_piece(pieces, i + 1);
		if (next < pieces->count && share_cell(&pieces->items[i], &pieces->items[next], cell_size))
			shared += samples_in_end_cell(&pieces->items[i], cell_size, false) +
			          samples_in_end_cell(&pieces->items[next], cell_size, true);
	}
	return shared;
}

uint64_t line_pieces_separating_size(const struct line_pieces *pieces, uint64_t cell_size, double part)
{
	uint64_t largest = 1;
	double all = 0;

	for (size_t i = 0; i < pieces->count; i++)
		all += pieces->items[i].samples;
	while (largest < cell_size / 2 + cell_size % 2)
		largest *= 2;
	for (uint64_t smaller = largest; smaller > 0 && smaller < cell_size; smaller /= 2)
		if (shared_samples(pieces, smaller) < part * all)
			return smaller;
	return 0;
}
