/* SPDX-License-Identifier: MIT */
/*
 * probes ARCS PERCENT [rebased]: fills a table with some of the arcs of a file (lines `CALLER CALLEE`, hexadecimal),
 * until so much of it is taken, and looks each of them up again. Prints a line `TRIALS AVERAGE WORST LONGEST`: probes
 * per stored arc, on average over all trials and in the worst of them, and the most that one arc takes. A file with too
 * few arcs for the table makes no trial.
 *
 * Half of the trials take arcs as they stand in the file, one stretch of code, and half take them from everywhere.
 */
#include "observed.h"

#include <bareprof/bareprof.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARCS_MAX 65536u
#define TRIALS   64u

struct arc {
	uintptr_t caller;
	uintptr_t callee;
};

static struct arc arcs[ARCS_MAX];
static uint32_t arc_count;

/* Places that were looked at since the last look began; a place is marked with the number of the look. */
static uint32_t marks[ARCS_MAX];
static uint32_t look;
static uint32_t places_looked_at;

static void observe(uintptr_t address)
{
	const uintptr_t offset = address - (uintptr_t)observed_table.start;

	if (offset >= (uintptr_t)observed_table.places * observed_table.place_size)
		return;
	uint32_t *mark = &marks[offset / observed_table.place_size];
	places_looked_at += *mark != look;
	*mark = look;
}

/* What the compiler calls before each access (gcc/asan.cc, kernel-address). */
#define OBSERVER(name)                                   \
	void __asan_##name##_noabort(uintptr_t address); \
	void __asan_##name##_noabort(uintptr_t address)  \
	{                                                \
		observe(address);                        \
	}
#define OBSERVER_OF_SIZE(name)                                        \
	void __asan_##name##_noabort(uintptr_t address, size_t size); \
	void __asan_##name##_noabort(uintptr_t address, size_t size)  \
	{                                                             \
		(void)size;                                           \
		observe(address);                                     \
	}
OBSERVER(load1)
OBSERVER(load2)
OBSERVER(load4)
OBSERVER(load8)
OBSERVER(load16)
OBSERVER(store1)
OBSERVER(store2)
OBSERVER(store4)
OBSERVER(store8)
OBSERVER(store16)
OBSERVER_OF_SIZE(loadN)
OBSERVER_OF_SIZE(storeN)

static bool read_arcs(const char *path)
{
	FILE *file = fopen(path, "r");

	if (file == NULL) {
		perror(path);
		return false;
	}
	while (arc_count < ARCS_MAX &&
	       fscanf(file, "%" SCNxPTR " %" SCNxPTR, &arcs[arc_count].caller, &arcs[arc_count].callee) == 2)
		arc_count++;
	fclose(file);
	return true;
}

/* As if the code began where bareprof_text_start is, for tables that keep offsets from there. */
static void rebase_arcs(void)
{
	uintptr_t lowest = UINTPTR_MAX;

	for (uint32_t i = 0; i < arc_count; i++) {
		lowest = arcs[i].caller < lowest ? arcs[i].caller : lowest;
		lowest = arcs[i].callee < lowest ? arcs[i].callee : lowest;
	}
	const uintptr_t distance = (uintptr_t)bareprof_text_start - (lowest & ~(uintptr_t)0xFFF);
	for (uint32_t i = 0; i < arc_count; i++) {
		arcs[i].caller += distance;
		arcs[i].callee += distance;
	}
}

/* xorshift32: G. Marsaglia, "Xorshift RNGs". */
static uint32_t random_next(void)
{
	static uint32_t state = 2463534242u;

	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state;
}

/* The first `wanted` of the result are the arcs of a trial. */
static void choose(struct arc *chosen, uint32_t wanted, uint32_t trial)
{
	const uint32_t first = (uint32_t)((uint64_t)arc_count * trial / TRIALS);

	for (uint32_t i = 0; i < arc_count; i++)
		chosen[i] = arcs[(first + i) % arc_count];
	for (uint32_t i = 0; trial % 2 != 0 && i < wanted; i++) {
		const uint32_t other = i + random_next() % (arc_count - i);
		const struct arc kept = chosen[i];

		chosen[i] = chosen[other];
		chosen[other] = kept;
	}
}

struct result {
	uint64_t probes;
	uint32_t longest;
};

static struct result try(const struct arc *chosen, uint32_t wanted)
{
	struct result result = {0};

	observed_begin();
	for (uint32_t i = 0; i < wanted; i++)
		bareprof_arc(chosen[i].caller, chosen[i].callee);
	for (uint32_t i = 0; i < wanted; i++) {
		look++;
		places_looked_at = 0;
		bareprof_arc(chosen[i].caller, chosen[i].callee);
		result.probes += places_looked_at;
		if (places_looked_at > result.longest)
			result.longest = places_looked_at;
	}
	return result;
}

int main(int argc, char **argv)
{
	static struct arc chosen[ARCS_MAX];

	if (argc < 3 || !read_arcs(argv[1])) {
		fputs("usage: probes ARCS PERCENT [rebased]\n", stderr);
		return 2;
	}
	if (argc > 3)
		rebase_arcs();
	const uint32_t slots = observed_table.places * observed_table.arcs_per_place;
	const uint32_t wanted = (uint32_t)((uint64_t)slots * strtoul(argv[2], NULL, 10) / 100);
	uint64_t probes = 0;
	double worst = 0;
	uint32_t longest = 0;
	uint32_t trials = 0;

	for (; wanted <= arc_count && trials < TRIALS; trials++) {
		choose(chosen, wanted, trials);
		const struct result result = try(chosen, wanted);
		const double average = (double)result.probes / wanted;

		probes += result.probes;
		worst = average > worst ? average : worst;
		longest = result.longest > longest ? result.longest : longest;
	}
	if (trials == 0)
		puts("0 0 0 0");
	else
		printf("%u %.3f %.3f %u\n", trials, (double)probes / (double)trials / wanted, worst, longest);
	return 0;
}
