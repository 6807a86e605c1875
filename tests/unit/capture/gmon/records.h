/* SPDX-License-Identifier: MIT */
/*
 * Builds gmon.out files record by record, in either byte order and address size. Written from GNU gprof's manual and
 * facts about BSD's header; shares no code with the host tool.
 */
#ifndef UNIT_CAPTURE_GMON_RECORDS_H
#define UNIT_CAPTURE_GMON_RECORDS_H

#include "capture/gmon/gmon.h"

struct records {
	struct capture_order order;
	uint8_t bytes[4096];
	size_t size;
};

/* All byte orders and address sizes. */
extern const struct capture_order orders[4];

void put(struct records *records, uint64_t value, unsigned size);
void put_address(struct records *records, uint64_t value);
void put_text(struct records *records, const char *text, size_t size);

/* An empty file of a version. */
struct records begin_file(const struct capture_order *order, uint32_t version);
/* The record of a histogram up to its bins, at 100 Hz in seconds. */
void put_histogram(struct records *records, uint64_t low, uint64_t high, uint32_t bin_count);
void put_histogram_of(struct records *records, uint64_t low, uint64_t high, uint32_t bin_count, uint32_t hertz,
                      const char *dimension, char abbreviation);
void put_arc(struct records *records, uint64_t from, uint64_t self, uint32_t count);

/* Files that were added up, freed by free_files(): a tear-down for EACH_TEST(). */
extern struct gmon gmon;
int free_files(void **state);

/* Adds a file that must be accepted to gmon, or to nothing. */
void decode(const struct records *records, enum gmon_format format);
void decode_alone(const struct records *records, enum gmon_format format);
/* The file must be refused with a message that holds each of the words (ended by NULL), and leave gmon unchanged. */
void refuse(const struct records *records, enum gmon_format format, ...);

/* Fails unless the description of gmon is as expected. Its lines are "N files", then "HERTZ DIMENSION ABBREVIATION" if
 * it has a histogram, "LOW-HIGH BIN BIN..." for each histogram, "calls" if it has arcs, "FROM>SELF COUNT" for each arc,
 * and "ADDRESS COUNT" for each basic block. */
void assert_gmon(const struct gmon *described, const char *expected);

#endif
