/* SPDX-License-Identifier: MIT */
/* Decoders for the parts of a capture (docs/FORMAT.md), and their common helpers. Private to capture/. */
#ifndef CAPTURE_DECODERS_H
#define CAPTURE_DECODERS_H

#include "capture/capture.h"

/* Decodes the block at the start of bytes[0..size). The caller frees *block, also after a failure. */
enum status block_decode(const char *where, const uint8_t *bytes, size_t size, struct capture_block *block,
                         struct error *error);
void block_free(struct capture_block *block);

/* Whether the bytes begin with the magic of a trailer. */
bool trailer_is_at(const uint8_t *bytes, size_t size);

/* Decodes the trailer at offset. Checks that the file ends with it and that its checksum matches. */
enum status trailer_decode(const char *path, const uint8_t *file, size_t size, size_t offset, struct capture *capture,
                           struct error *error);

/* A block being decoded. */
struct block_decoder {
	const char *where;
	const uint8_t *bytes;
	struct capture_block *block;
	struct error *error;
};

enum status decode_bins(struct block_decoder *decoder, const struct capture_section *section);
enum status decode_granules(struct block_decoder *decoder, const struct capture_section *section);
enum status decode_coarse(struct block_decoder *decoder, const struct capture_section *section);
enum status decode_arcs(struct block_decoder *decoder, const struct capture_section *section);
enum status decode_code_ranges(struct block_decoder *decoder, const struct capture_section *section);
enum status decode_totals(struct block_decoder *decoder, const struct capture_section *section);
enum status decode_contexts(struct block_decoder *decoder, const struct capture_section *section);
enum status decode_slices(struct block_decoder *decoder, const struct capture_section *section);
enum status decode_path_nodes(struct block_decoder *decoder, const struct capture_section *section);
enum status decode_stack_totals(struct block_decoder *decoder, const struct capture_section *section);

/* Makes room for more cells. The caller must have checked their number against the size of the block. */
enum status reserve_cells(struct block_decoder *decoder, size_t more);

/* Sorts the cells of all sections by address; false when out of memory. */
bool sort_cells(struct capture_block *block);

/* The maximum room for a stack in a slice, so that a slice and its weight fit into an item of a section. */
#define SLICE_ROOM_MAX 0x8000

/* Gives slices without a weight an equal part of the ticks that offered one. */
void weigh_slices(struct capture_block *block);

/* Extrapolates the cost of ticks from the measured ones; 0 if none were measured. */
uint64_t cost_of_ticks(const struct capture_stack_totals *totals, uint64_t ticks);

/* Whether a counter of 1, 2, 4 or 8 bytes is at its maximum. */
bool counter_is_saturated(uint64_t count, unsigned size);

#endif
