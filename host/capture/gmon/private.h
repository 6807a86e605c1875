/* SPDX-License-Identifier: MIT */
/* Steps that the readers of gmon.out and captures share, and addition. Private to gmon/. */
#ifndef CAPTURE_GMON_PRIVATE_H
#define CAPTURE_GMON_PRIVATE_H

#include "capture/gmon/gmon.h"

#include <stdlib.h>

/* The most bins of all ranges together. The size of a capture does not limit the width of its ranges. */
#define GMON_BINS_MAX ((uint64_t)32 << 20)

/* Samples of one bin. */
struct bin_count {
	size_t bin;
	uint64_t count;
};

/*
 * A histogram to be added. One from a file has bins and its offset in the file. One from a capture has no bins (NULL)
 * but a list of counts, so that its memory is bounded by the samples, not by the width of the ranges.
 */
struct incoming {
	struct gmon_histogram histogram;
	struct bin_count *counts;
	size_t count_count;
	size_t offset;
};

/*
 * The contents of one file or capture, kept apart until all of it is read, so that a failure changes nothing. All zero:
 * empty. Arrays have room for the next power of two.
 */
struct addition {
	const char *path;
	bool has_offsets; /* the addition is a file: its histograms have offsets */
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

/* Adds it to *gmon, or fails and leaves *gmon unchanged. Arrays that move to *gmon are removed from the addition. */
enum status addition_join(struct addition *addition, struct gmon *gmon, struct error *error);
void addition_free(struct addition *addition);

/* Refuses a unit that differs from the unit of earlier files. */
enum status unit_check(const char *path, const struct gmon_unit *unit, const struct gmon_unit *earlier,
                       struct error *error);
/* Replaces *unit by more, an equal unit, if more is more exact; a unit of all zeros is unknown. */
void unit_refine(struct gmon_unit *unit, const struct gmon_unit *more);

/* A file being read. */
struct reader {
	const uint8_t *bytes;
	size_t size, at;
	const struct capture_order *order;
	struct addition *addition;
	struct error *error;
};

/* Returns the next count bytes and moves past them; NULL if the file ends before. part names the bytes in the
 * message. */
const uint8_t *reader_take(struct reader *reader, uint64_t count, const char *part);

/* The header of a histogram, in any of the formats. */
struct histogram_header {
	uint64_t low, high, bin_count;
	unsigned bin_size; /* bytes of a counter in the file */
	bool is_signed;    /* counters below 0 count as 0 */
	struct gmon_unit unit;
	size_t offset; /* in the file, for messages */
};

/* Checks the header against earlier ones and adds the bins that follow. */
enum status reader_add_histogram(struct reader *reader, const struct histogram_header *header);
enum status reader_add_arc(struct reader *reader, const struct gmon_arc *arc);

/* A BSD file; format is GMON_BSD, GMON_BSD_44 or GMON_AUTO, which checks the version word. */
enum status reader_read_bsd(struct reader *reader, enum gmon_format format);

#endif
