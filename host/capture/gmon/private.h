/* SPDX-License-Identifier: MIT */
/* What the readers of gmon.out share, and how what they read is added up. Private to gmon/. */
#ifndef CAPTURE_GMON_PRIVATE_H
#define CAPTURE_GMON_PRIVATE_H

#include "capture/gmon/gmon.h"

#include <stdlib.h>

/* Of all ranges together where captures tell them: nothing else bounds these. */
#define GMON_BINS_MAX ((uint64_t)32 << 20)

/* Samples of one bin. */
struct bin_count {
	size_t bin;
	uint64_t count;
};

/*
 * A histogram on its way in: of a file, with its bins, and where in the file it stood; of a capture, without bins
 * (NULL), as the counts to add to them. So a capture costs what it holds, however wide its ranges are.
 */
struct incoming {
	struct gmon_histogram histogram;
	struct bin_count *counts;
	size_t count_count;
	size_t offset;
};

/*
 * What one file or one capture adds, kept apart until all of it is read, so that a failure leaves nothing behind. All
 * zero: nothing. Arrays have room for the next power of two.
 */
struct addition {
	const char *path;
	bool has_offsets; /* the offsets of histograms mean something */
	struct incoming *histograms;
	size_t histogram_count;
	struct gmon_arc *arcs;
	size_t arc_count;
	struct gmon_basic_block *basic_blocks;
	size_t basic_block_count;
	struct gmon_unit unit;
	bool has_histogram, has_arcs;
	struct gmon_records records;
};

/* Adds it to *gmon, or fails and leaves *gmon as it is. What was taken over is no longer in the addition. */
enum status addition_join(struct addition *addition, struct gmon *gmon, struct error *error);
void addition_free(struct addition *addition);

/* Refuses a unit that is not the one of what came before. */
enum status unit_check(const char *path, const struct gmon_unit *unit, const struct gmon_unit *earlier,
                       struct error *error);
/* Of two that are the same the one that tells more; an unit of all zeros tells nothing. */
void unit_take(struct gmon_unit *unit, const struct gmon_unit *more);

enum status addition_out_of_memory(const struct addition *addition, struct error *error);

/* A file while it is read. */
struct reader {
	const uint8_t *bytes;
	size_t size, at;
	const struct capture_order *order;
	struct addition *addition;
	struct error *error;
};

/* The next count bytes, of which the reader steps over; NULL: the file ends before, *error says within what. */
const uint8_t *reader_take(struct reader *reader, uint64_t count, const char *what);

/* What stands before the bins of a histogram, in any of the formats. */
struct histogram_header {
	uint64_t low, high, bin_count;
	unsigned bin_size; /* bytes of a counter in the file */
	bool is_signed;    /* counters below 0 are none */
	struct gmon_unit unit;
	size_t offset; /* in the file, for messages */
};

/* Checks the header against what came before and adds the bins that follow. */
enum status reader_add_histogram(struct reader *reader, const struct histogram_header *header);
enum status reader_add_arc(struct reader *reader, const struct gmon_arc *arc);

/* A BSD file; format is GMON_BSD, GMON_BSD_44 or GMON_AUTO, which tells by the version word. */
enum status reader_read_bsd(struct reader *reader, enum gmon_format format);

#endif
