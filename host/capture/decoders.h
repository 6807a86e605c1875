/* SPDX-License-Identifier: MIT */
/* The decoders of the parts of a capture, and what they share. Private to capture/; docs/FORMAT.md has the bytes. */
#ifndef CAPTURE_DECODERS_H
#define CAPTURE_DECODERS_H

#include "capture/capture.h"

/* Decodes the block at bytes, of which size bytes are there. On failure *block may hold memory: free it too. */
enum status block_decode(const char *where, const uint8_t *bytes, size_t size, struct capture_block *block,
                         struct error *error);
void block_free(struct capture_block *block);

/* True if the bytes begin a trailer. */
bool trailer_is_at(const uint8_t *bytes, size_t size);

/* Decodes the trailer at offset of the file and checks that it is the file's end and that its checksum holds. */
enum status trailer_decode(const char *path, const uint8_t *file, size_t size, size_t offset, struct capture *capture,
                           struct error *error);

/* A block being decoded. */
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

/* True if a counter of 1, 2, 4 or 8 bytes is at its maximum. */
bool counter_is_saturated(uint64_t count, unsigned size);

#endif
