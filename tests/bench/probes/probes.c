/* SPDX-License-Identifier: MIT */
/*
 * probes ARCS PERCENT: how many slots the recorder reads per arc. Fills a table of TABLE slots with arcs of a file
 * (lines `CALLER CALLEE`, hexadecimal) to the given percentage, and looks each of them up again. Prints a line `TRIALS
 * AVERAGE WORST LONGEST`: probes per stored arc, on average over all trials and in the worst of them, and the maximum
 * for one arc. Without enough arcs in the file for the table, it makes no trial.
 *
 * Half of the trials take adjacent arcs of the file, half take arcs from all over it. The recorder is compiled so that
 * it calls a function before each of its reads and writes (-fsanitize=kernel-address with calls), which counts the
 * slots.
 */
#include <bareprof/bareprof.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

BAREPROF_DEFINE(TABLE, BAREPROF_BINS(16), .board = "bench");

_Alignas(8) const char bareprof_text_start[16] = {0};
const char bareprof_text_end[1] = {0};

#define ARCS_MAX 65536u
#define TRIALS   64u

struct arc {
	uintptr_t caller;
	uintptr_t callee;
};

static struct arc arcs[ARCS_MAX];
static uint32_t arc_count;

/* Slots that were read since the current look-up began; each is marked with the number of the look-up. */
static uint32_t marks[TABLE];
static uint32_t look;
static uint32_t slots_read;

static void observe(uintptr_t address)
{
	const uintptr_t slot = (address - (uintptr_t)bareprof_block - BAREPROF_ARCS_OFFSET) / BAREPROF_ARC_SIZE;

	if (slot >= TABLE)
		return;
	slots_read += marks[slot] != look;
	marks[slot] = look;
}

/* The functions that the compiler calls before each access (gcc/asan.cc, kernel-address). */
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

	/* Without its magic the block is written again, with an empty table. */
	bareprof_block[0] = 0;
	bareprof_init();
	bareprof_start();
	for (uint32_t i = 0; i < wanted; i++)
		bareprof_arc(chosen[i].caller, chosen[i].callee);
	for (uint32_t i = 0; i < wanted; i++) {
		look++;
		slots_read = 0;
		bareprof_arc(chosen[i].caller, chosen[i].callee);
		result.probes += slots_read;
		if (slots_read > result.longest)
			result.longest = slots_read;
	}
	return result;
}

int main(int argc, char **argv)
{
	static struct arc chosen[ARCS_MAX];

	if (argc < 3 || !read_arcs(argv[1])) {
		fputs("usage: probes ARCS PERCENT\n", stderr);
		return 2;
	}
	const uint32_t wanted = (uint32_t)(TABLE * strtoul(argv[2], NULL, 10) / 100);
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
