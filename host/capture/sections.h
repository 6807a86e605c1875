/* SPDX-License-Identifier: MIT */
/* The decoders of the sections of a block, and what they share. Private to capture/; docs/FORMAT.md has the bytes. */
#ifndef CAPTURE_SECTIONS_H
#define CAPTURE_SECTIONS_H

#include "capture/capture.h"

struct decoder {
	const char *where;
	const uint8_t *bytes;
	struct capture_block *block;
	struct error *error;
};

enum status decode_bins(struct decoder *decoder, const struct capture_section *section);
enum status decode_granules(struct decoder *decoder, const struct capture_section *section);
enum status decode_coarse(struct decoder *decoder, const struct capture_section *section);
enum status decode_arcs(struct decoder *decoder, const struct capture_section *section);
enum status decode_code_ranges(struct decoder *decoder, const struct capture_section *section);
enum status decode_totals(struct decoder *decoder, const struct capture_section *section);
enum status decode_contexts(struct decoder *decoder, const struct capture_section *section);

/* Makes room for more cells. Their number is trusted: the caller has checked it against the size of the block. */
enum status reserve_cells(struct decoder *decoder, size_t more);

/* Cells of several sections in the order of their addresses; false when memory runs out. */
bool sort_cells(struct capture_block *block);

enum status decoder_out_of_memory(struct decoder *decoder);

/* True if a counter of 1, 2, 4 or 8 bytes is at its maximum. */
bool counter_is_saturated(uint64_t count, unsigned size);

#endif
