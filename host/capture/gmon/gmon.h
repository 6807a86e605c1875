/* SPDX-License-Identifier: MIT */
/*
 * gmon.out, the profile data of gprof (GNU gprof manual, "Profiling Data File Format"; BSD gprof, gmon.h): read, added
 * up, written, and exchanged with captures. Integers in the file have the target's byte order, which
 * the reader must know. Files are untrusted: sizes are checked, and memory is bounded by the size of the file.
 */
#ifndef CAPTURE_GMON_GMON_H
#define CAPTURE_GMON_GMON_H

#include "base/status.h"
#include "capture/capture.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The unit of one sample. */
struct gmon_unit {
	double hertz;       /* samples per second, or per unit of another dimension; 0: unknown, as in old BSD files */
	bool is_exact;      /* from a capture; files have whole hertz only */
	char dimension[16]; /* GMON_SECONDS; NUL-terminated, as in the file: escape before printing */
	char abbreviation;  /* 's' */
};
#define GMON_SECONDS "seconds"
#define GMON_SAMPLES "samples" /* with 1 Hz: the rate is unknown */

/* Whether the rate is unknown, so that times can only be given in samples. */
bool gmon_counts_samples(const struct gmon_unit *unit);
/* Whether the rate is known and in samples per second. */
bool gmon_counts_seconds(const struct gmon_unit *unit);
/* Rounds a rate to the whole number that a file can hold; false if the rounding error would be too large. */
bool gmon_whole_hertz(double hertz, uint32_t *whole);

/* Samples on [low, high), in bins of one size, which need not be a whole number of bytes. */
struct gmon_histogram {
	uint64_t low, high;
	uint64_t *bins; /* saturating */
	size_t bin_count;
};

/*
 * The width of bins. GNU gprof measures code in whole units of two bytes and ignores a remainder. Bins narrower than
 * that are measured in bytes here, unlike in GNU gprof.
 */
struct gmon_scale {
	unsigned unit; /* bytes */
	double units_per_bin;
};
struct gmon_scale gmon_scale_of(const struct gmon_histogram *histogram);

/* One recorded arc. from: an address inside the caller, as recorded; self: one inside the callee. */
struct gmon_arc {
	uint64_t from, self;
	uint64_t count; /* saturating; 0: a static call that was not made */
};

/* How often the basic block at address was entered. */
struct gmon_basic_block {
	uint64_t address, count;
};

/* The numbers of records in a file. */
struct gmon_records {
	unsigned version; /* of the format; 0 for BSD's */
	size_t histograms, arcs, basic_blocks;
};

/* All zero: nothing recorded. */
struct gmon {
	struct gmon_histogram *histograms; /* in the order in which their ranges were first seen; none overlap */
	size_t histogram_count;
	struct gmon_arc *arcs; /* in the order of the files; a pair may occur several times */
	size_t arc_count;
	struct gmon_basic_block *basic_blocks; /* in the order of the files */
	size_t basic_block_count;
	struct gmon_unit unit;        /* valid if has_histogram */
	size_t file_count;            /* files added so far */
	struct gmon_records records;  /* of the file added last */
	bool has_histogram, has_arcs; /* there was a record of the kind, even an empty one */
};

enum gmon_format {
	GMON_AUTO,   /* version 1 (or 0) if it begins with "gmon", else one of the two below */
	GMON_MAGIC,  /* version 1 only */
	GMON_BSD,    /* old BSD's header: low, high, count */
	GMON_BSD_44, /* 4.4BSD's longer header, with version and rate */
};

/* Whether the file begins with the magic of version 1. The BSD formats have no magic. */
bool gmon_is(const uint8_t *bytes, size_t size);

/*
 * Adds the contents of a file to *gmon, which may be all zero. On failure *gmon is unchanged. Truncated files, counts
 * that do not fit the file, unknown records and versions are refused, as are histograms that partly overlap, or differ
 * in scale by more than 1e-6, in rate or in dimension. Rates of captures must be equal; the rate of a file must be the
 * rate that gmon_encode() would write for the captures. path is for messages, which name the offset, too.
 */
enum status gmon_decode(const char *path, const uint8_t *bytes, size_t size, const struct capture_order *order,
                        enum gmon_format format, struct gmon *gmon, struct error *error);
void gmon_free(struct gmon *gmon);

/*
 * Encodes gmon.out, version 1; the caller frees *file. Counts that do not fit a record (16 bits for a bin, 32 for an
 * arc) become further records, which readers add up. Too many of them are an error, and so is a rate that whole hertz
 * cannot represent. name is for messages.
 */
enum status gmon_encode(const char *name, const struct gmon *gmon, const struct capture_order *order, uint8_t **file,
                        size_t *size, struct error *error);

/*
 * Adds a capture. Each sampled range becomes a histogram of the capture's bins or granules, without coarse bins. Each
 * arc becomes a record from the recorded return address. If the rate is unknown, the dimension is samples. It is an
 * error if ranges share a bin or are too wide together, or if rates differ. On failure *gmon is unchanged.
 */
enum status gmon_add_capture(struct gmon *gmon, const struct capture *capture, struct error *error);

/*
 * Converts gmon.out to a capture without a board. Bins become cells, widened to whole bytes, and the rate becomes a
 * clock. There are as many blocks as are needed to hold all ranges. A dimension other than seconds or samples is an
 * error. Basic blocks are only counted. The caller closes *capture. path is kept for messages.
 */
enum status gmon_to_capture(const char *path, const struct gmon *gmon, const struct capture_order *order,
                            struct capture **capture, struct error *error);

#endif
