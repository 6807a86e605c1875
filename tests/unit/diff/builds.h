/* SPDX-License-Identifier: MIT */
/* Two builds of a firmware for tests of the comparison: real ELFs, with captures made in memory. */
#ifndef UNIT_DIFF_BUILDS_H
#define UNIT_DIFF_BUILDS_H

#include "diff/compare.h"

#define BUILDS_CAPTURES 16

/* One build, with adjacent functions. */
struct build_under_test {
	struct image *image;
	struct capture *captures[BUILDS_CAPTURES];
	size_t capture_count;
};

struct builds {
	struct build_under_test sides[BUILD_COUNT];
	struct compare_options options; /* as the command's defaults: 95 %, 1 %, with errors of totals */
	struct comparison *comparison;  /* the last one; freed with the builds */
};

/* Functions of these names, blank between them, of size bytes each; one called recorder is the recorder's code. name
 * distinguishes the files of tests. */
void builds_assemble(struct builds *builds, enum build build, const char *name, const char *functions, unsigned size);

/* One source file, with options. */
void builds_compile(struct builds *builds, enum build build, const char *name, const char *source, const char *options);

/* Begins another capture of a build, which later calls add to. */
void builds_capture(struct builds *builds, enum build build);
void builds_sample(struct builds *builds, enum build build, const char *function, uint64_t count);
/* Samples that found the core asleep. */
void builds_sleep(struct builds *builds, enum build build, uint64_t count);
/* Samples of the code of one function that was inlined into another. */
void builds_sample_inlined(struct builds *builds, enum build build, const char *host, const char *inlined,
                           uint64_t count);
/* caller NULL: the hardware. */
void builds_call(struct builds *builds, enum build build, const char *caller, const char *callee, uint64_t count);

/* Compares the builds; the test fails if that fails. */
const struct comparison *builds_compare(struct builds *builds);
/* Returns the message of a failure; the test fails if the comparison succeeds. */
const char *builds_refuse(struct builds *builds);

/* The row with this name in either build; the test fails if there is none. */
const struct compare_row *builds_row(const struct comparison *comparison, const char *name);
const struct compare_change *builds_change(const struct comparison *comparison, const char *name,
                                           enum compare_quantity quantity);

int builds_set_up(void **state);
int builds_tear_down(void **state);

#endif
