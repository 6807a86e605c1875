/* SPDX-License-Identifier: MIT */
/* See runs.h. */
#include "runs.h"

#include "../unit/profile/firmware.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define FUNCTION_SIZE 32
#define ROUNDS        1000 /* of a capture of the usual length */
#define LENGTHS       11   /* 0.5, 0.6, ... 1.5 times the usual length */
#define HARDWARE      RUNS_FUNCTIONS
#define HANDLER_SITE  0xFFFFFFF9u

/* For each round. */
static const struct {
	unsigned caller, callee, calls;
} arcs[] = {
        {0, 1, 1},
        {1, 2, 2},
        {1, 3, 1},
        {1, 4, 3},
        {1, 5, 1},
        /* Paths that meet again. */
        {2, 6, 2},
        {3, 6, 4},
        {6, 7, 3},
        /* A cycle with two entries. */
        {4, 8, 1},
        {5, 9, 1},
        {8, 9, 2},
        {9, 10, 1},
        {10, 8, 1},
        {10, 11, 2},
        /* An interrupt that shares a callee with the rest. */
        {HARDWARE, 12, 1},
        {12, 13, 1},
        {5, 13, 2},
        /* Recursion. */
        {3, 14, 1},
        {14, 14, 3},
        /* The rest is nearly a tree. */
        {2, RUNS_PLANTED, 5},
        {2, 16, 1},
        {2, 17, 3},
        {3, 18, 1},
        {3, 19, 2},
        {4, 19, 1},
        {4, 20, 1},
        {6, 21, 1},
        {7, 22, 2},
        {8, 22, 1},
        {11, 23, 1},
        {13, 24, 1},
        {16, 25, 2},
        {17, 25, 1},
        {18, 26, 1},
        {19, 27, 1},
        {26, 27, 1},
        {27, 28, 1},
        {28, 29, 2},
        {1, 29, 1},
};

#define ARC_COUNT (sizeof arcs / sizeof *arcs)

void runs_set_up(struct runs *runs, const char *name)
{
	static const char *const builds[BUILD_COUNT] = {"old", "new"};
	char path[64];

	*runs = (struct runs){.random = {7}};
	for (size_t build = 0; build < BUILD_COUNT; build++) {
		snprintf(path, sizeof path, "%s-%s", name, builds[build]);
		runs->images[build] = firmware_create(path, RUNS_FUNCTIONS, FUNCTION_SIZE);
		for (size_t i = 0; i < RUNS_CAPTURES_MAX; i++)
			runs->captures[build][i] = firmware_capture(RUNS_FUNCTIONS, ARC_COUNT);
	}
}

/* Zipf's law with the sum 1, in an order that is independent of the call graph. */
static double part_of(size_t function)
{
	double sum = 0;

	for (size_t i = 1; i <= RUNS_FUNCTIONS; i++)
		sum += 1 / (double)i;
	return 1 / (double)(1 + function * 7 % RUNS_FUNCTIONS) / sum;
}

struct runs_law runs_law_of_all(double samples)
{
	struct runs_law law = {.variation = 0};

	for (size_t i = 0; i < RUNS_FUNCTIONS; i++)
		law.means[i] = samples * part_of(i);
	return law;
}

struct runs_law runs_law_of_few(void)
{
	struct runs_law law = {.variation = 0};

	for (size_t i = 0; i < RUNS_FUNCTIONS; i++)
		law.means[i] = 1 + (double)(i % 5);
	return law;
}

struct runs_law runs_law_of_planted(double samples)
{
	struct runs_law law = runs_law_of_all(19 * samples / (1 - part_of(RUNS_PLANTED)));

	law.means[RUNS_PLANTED] = samples;
	return law;
}

/* Box, Muller: "A note on the generation of random normal deviates", 1958. */
static double draw_normal(struct random *random)
{
	double radius = sqrt(-2 * log(1 - random_unit(random)));

	return radius * cos(2 * acos(-1) * random_unit(random));
}

/* A factor with the mean 1. */
static double draw_factor(double variation, struct random *random)
{
	double variance = log1p(variation * variation);

	return variation > 0 ? exp(sqrt(variance) * draw_normal(random) - variance / 2) : 1;
}

static double draw_count(const struct runs_law *law, double mean, struct random *random)
{
	struct poisson poisson = poisson_prepare(mean);

	return law->is_noiseless ? mean : poisson_draw(&poisson, random);
}

/* A given number of samples in all; each is of a function with the probability of its part. */
static void draw_timed(const double *means, double samples, double *counts, struct random *random)
{
	double sums[RUNS_FUNCTIONS], sum = 0;

	for (size_t i = 0; i < RUNS_FUNCTIONS; i++) {
		sums[i] = sum += means[i];
		counts[i] = 0;
	}
	for (size_t i = 0; (double)i < samples; i++) {
		double place = random_unit(random) * sum;
		size_t low = 0, high = RUNS_FUNCTIONS - 1;

		while (low < high) {
			size_t middle = (low + high) / 2;

			if (sums[middle] <= place)
				low = middle + 1;
			else
				high = middle;
		}
		counts[low]++;
	}
}

static void draw_samples(struct capture *capture, const struct runs_law *law, double length, struct random *random)
{
	double means[RUNS_FUNCTIONS], counts[RUNS_FUNCTIONS], samples = 0;

	for (size_t i = 0; i < RUNS_FUNCTIONS; i++) {
		means[i] = law->means[i] * length * draw_factor(law->variation, random);
		counts[i] = draw_count(law, means[i], random);
		samples += law->means[i] * length;
	}
	if (law->is_timed)
		draw_timed(means, round(samples), counts, random);
	capture->blocks[0].cell_count = 0;
	capture->blocks[0].header.ticks = 0;
	for (size_t i = 0; i < RUNS_FUNCTIONS; i++) {
		uint64_t start = FIRMWARE_BASE + i * FUNCTION_SIZE;

		if (counts[i] > 0)
			firmware_sample(capture, start, start + 2, (uint64_t)round(counts[i]));
	}
}

static void count_calls(struct capture *capture, uint64_t rounds)
{
	capture->blocks[0].arc_count = 0;
	for (size_t i = 0; i < ARC_COUNT; i++) {
		uint64_t site = FIRMWARE_BASE + arcs[i].caller * FUNCTION_SIZE + 3;

		firmware_arc(capture, arcs[i].caller == HARDWARE ? HANDLER_SITE : site,
		             FIRMWARE_BASE + arcs[i].callee * FUNCTION_SIZE + 1, rounds * arcs[i].calls);
	}
}

void runs_draw(struct runs *runs, enum build build, const struct runs_law *law)
{
	for (size_t i = 0; i < runs->capture_counts[build]; i++) {
		struct capture *capture = runs->captures[build][i];
		double length = law->has_lengths ? 0.5 + 0.1 * floor(random_unit(&runs->random) * LENGTHS) : 1;

		draw_samples(capture, law, length, &runs->random);
		count_calls(capture, (uint64_t)round(length * ROUNDS));
	}
}

struct comparison *runs_compare(const struct runs *runs, const struct compare_options *options)
{
	struct compare_input inputs[BUILD_COUNT];
	struct comparison *comparison = NULL;
	struct error error = {.message = ""};

	for (size_t build = 0; build < BUILD_COUNT; build++)
		inputs[build] = (struct compare_input){
		        .image = runs->images[build],
		        .captures = (const struct capture *const *)runs->captures[build],
		        .capture_count = runs->capture_counts[build],
		};
	if (compare_builds(inputs, options, &comparison, &error) == STATUS_OK)
		return comparison;
	fprintf(stderr, "%s\n", error.message);
	exit(1);
}
