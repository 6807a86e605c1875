/* SPDX-License-Identifier: MIT */
/*
 * A firmware of thirty functions whose call graph has paths that part and meet, a cycle, recursion and an interrupt,
 * and captures of it, drawn from a known distribution.
 */
#ifndef TESTS_RUNS_H
#define TESTS_RUNS_H

#include "diff/compare.h"
#include "profile/errors/poisson.h"

#define RUNS_FUNCTIONS    30
#define RUNS_CAPTURES_MAX 10
#define RUNS_PLANTED      15 /* the function that can be made slower: it has one caller and calls none */
#define RUNS_PLANTED_NAME "f15"
#define RUNS_CALLER_NAME  "f2" /* its caller, which has others */
#define RUNS_ROUND_NAME   "f1" /* the root that does all work */

/* The distribution of the samples of a capture. */
struct runs_law {
	double means[RUNS_FUNCTIONS]; /* samples of each function in a capture of the usual length */
	bool has_lengths;             /* captures have 0.5 to 1.5 times that length */
	double variation;             /* of each function from run to run, in proportion: log-normal */
	bool is_timed; /* a timer ends each capture, so their total is fixed; else each function has a Poisson number */
	bool is_noiseless; /* the means themselves */
};

/* Two builds that differ only in their captures. */
struct runs {
	struct image *images[BUILD_COUNT];
	struct capture *captures[BUILD_COUNT][RUNS_CAPTURES_MAX];
	size_t capture_counts[BUILD_COUNT];
	struct random random;
};

/* Writes ELFs to the folder $BUILD/unit; name keeps programs that run at the same time apart. release_down_to(0) closes
 * images and captures. */
void runs_set_up(struct runs *runs, const char *name);

/* Means as different as a real firmware's, the largest thirty times the smallest; samples is their sum. */
struct runs_law runs_law_of_all(double samples);
/* Means of 1 to 5. */
struct runs_law runs_law_of_few(void);
/* Like runs_law_of_all(), with this mean for the planted function, which is a twentieth of all samples. */
struct runs_law runs_law_of_planted(double samples);

/* Draws all captures of a build again. */
void runs_draw(struct runs *runs, enum build build, const struct runs_law *law);

/* Ends the program if that fails. The caller frees the comparison. */
struct comparison *runs_compare(const struct runs *runs, const struct compare_options *options);

#endif
