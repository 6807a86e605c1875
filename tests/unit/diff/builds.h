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

/* The builds of the current test. */
extern struct builds builds;

/* Functions of these names, blank between them, of size bytes each; one called recorder is the recorder's code. Builds
 * that are neither assembled nor compiled have main, step, filter and log, at other addresses and in another order in
 * the new build, where they are half as large again. */
void builds_assemble(enum build build, const char *functions, unsigned size);
void builds_assemble_both(const char *functions, unsigned size);

/* One source file, with options. */
void builds_compile(enum build build, const char *source, const char *options);

/* Begins another capture of a build, which later calls add to. */
void builds_capture(enum build build);
void builds_sample(enum build build, const char *function, uint64_t count);
/* Samples that found the core asleep. */
void builds_sleep(enum build build, uint64_t count);
/* Samples of the code of one function that was inlined into another. */
void builds_sample_inlined(enum build build, const char *host, const char *inlined, uint64_t count);
/* caller NULL: the hardware. */
void builds_call(enum build build, const char *caller, const char *callee, uint64_t count);

/* Makes the calls of a function the unit of work, or something else. */
void builds_choose_unit(enum compare_unit unit, const char *function);

/* Compares the builds; the test fails if that fails. */
const struct comparison *builds_compare(void);
/* The test fails if the comparison succeeds, or with another message. */
void builds_refuse(const char *message);

/* The row with this name in either build; the test fails if there is none. */
const struct compare_row *builds_row(const struct comparison *comparison, const char *name);
const struct compare_change *builds_change(const struct comparison *comparison, const char *name,
                                           enum compare_quantity quantity);

int builds_set_up(void **state);
int builds_tear_down(void **state);

#endif
