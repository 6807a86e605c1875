/* SPDX-License-Identifier: MIT */
/*
 * A firmware of thirty functions whose call graph has paths that part and meet, a cycle, recursion and an interrupt,
 * and captures of it that are drawn from a distribution that is known.
 */
#ifndef TESTS_RUNS_H
#define TESTS_RUNS_H

#include "diff/compare.h"
#include "profile/analysis/poisson.h"

#define RUNS_FUNCTIONS    30
#define RUNS_CAPTURES_MAX 10
#define RUNS_PLANTED      15 /* the function that can be made slower: of one caller, calls none */
#define RUNS_PLANTED_NAME "f15"
#define RUNS_CALLER_NAME  "f2" /* its caller, which has others */
#define RUNS_ROUND_NAME   "f1" /* what all work is done by */

/* What the samples of a capture are drawn by. */
struct runs_law {
	double means[RUNS_FUNCTIONS]; /* samples of each function, if the capture is of the usual length */
	bool has_lengths;             /* captures are of half to one and a half of that */
	double variation;             /* of each function from run to run, in proportion: log-normal */
	bool is_timed; /* a timer ends each capture: so many samples in all; else each function has a Poisson number */
	bool is_noiseless; /* the means themselves */
};

/* Two builds, the same but for where captures are of. */
struct runs {
	struct image *images[BUILD_COUNT];
	struct capture *captures[BUILD_COUNT][RUNS_CAPTURES_MAX];
	size_t capture_counts[BUILD_COUNT];
	struct random random;
};

/* Writes ELFs to the folder $BUILD/unit; name keeps programs that run at the same time apart. */
void runs_set_up(struct runs *runs, const char *name);
void runs_tear_down(struct runs *runs);

/* Means that are as unlike as those of a firmware's functions are, the most is thirty times the least; samples in all.
 */
struct runs_law runs_law_of_all(double samples);
/* Means of 1 to 5. */
struct runs_law runs_law_of_few(void);
/* As of all, but that the planted function has so many, which is a twentieth of all. */
struct runs_law runs_law_of_planted(double samples);

/* Draws all captures of a build anew. */
void runs_draw(struct runs *runs, enum build build, const struct runs_law *law);

/* Fails the program if that fails. The caller frees the comparison. */
struct comparison *runs_compare(const struct runs *runs, const struct compare_options *options);

#endif
