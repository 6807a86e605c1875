/* SPDX-License-Identifier: MIT */
/* See runs.h. */
#include "runs.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

uint32_t next_random(uint32_t *random)
{
	*random = *random * 1664525 + 1013904223;
	return *random >> 8;
}

static const char *const names[][3] = {{"idle", "uart", ""}, {"idle", "dsp", "uart"}};

static uint32_t random_count(uint32_t *random)
{
	static const uint32_t counts[] = {1, 2, 7, 1000, 65535, 0x40000000, 0xFFFFFEFF};

	return counts[next_random(random) % 7];
}

/* A firmware either counts switches or does not: a sum of both would lose them. */
static void add_contexts(struct build_block *block, uint32_t *random)
{
	unsigned which = next_random(random) % 3;

	block->context_count = which == 0 ? 0 : 3;
	block->counts_switches = which == 1;
	for (unsigned i = 0; i < block->context_count; i++) {
		block->contexts[i] = names[which - 1][i];
		block->switches[i] = next_random(random) % 4 == 0 ? 0 : random_count(random);
	}
}

static void add_samples(struct build_block *block, uint32_t *random)
{
	uint32_t contexts = block->context_count;

	for (unsigned i = 0; i < 10; i++) {
		uint64_t address = RUNS_BASE + next_random(random) % (RUNS_END - RUNS_BASE);

		if (block->granule_capacity == 0)
			build_block_sample(block, address, 1 + next_random(random) % 6000);
		else if (i % 4 == 3)
			build_block_sample(block, address, 1 + next_random(random) % 100);
		else
			build_block_granule(block, address, 1 + next_random(random) % 100000,
			                    contexts > 0 ? next_random(random) % (contexts + 1) : 0);
	}
}

static void add_arcs(struct build_block *block, uint32_t *random)
{
	for (unsigned i = 0; i < 12; i++) {
		uint64_t caller = RUNS_BASE + (next_random(random) % 128) * 2 + 1;
		uint64_t callee = RUNS_BASE + (next_random(random) % 8) * 32 + 3;

		if (i == 11)
			caller = 0xFFFFFFF9;
		build_block_arc_of(block, caller, callee, random_count(random),
		                   block->context_count > 0 ? next_random(random) % 4 : 0);
	}
}

static void make_block(struct build_block *block, uint32_t *random, unsigned granule_size, unsigned core)
{
	build_block_defaults(block);
	block->core = core;
	block->board = "random";
	block->identity_size = 20;
	memset(block->identity, 0x5A, 20);
	block->clock_hz = next_random(random) % 4 == 0 ? 2000000 : 1000000;
	block->state = next_random(random) % 4 == 0 ? 0 : 2;
	block->ranges[0][0] = RUNS_BASE;
	block->ranges[0][1] = RUNS_END;
	block->range_count = 1;
	if (granule_size > 0) {
		block->granule_capacity = 20 + next_random(random) % 3;
		block->granule_shift = (unsigned)__builtin_ctz(granule_size);
		block->bin_shift = 6;
		block->bin_bytes = 4;
		add_contexts(block, random);
	}
	add_samples(block, random);
	add_arcs(block, random);
	/* The same for all runs, so that a sum loses nothing; test_merge.c adds up different ones. */
	block->minor = 2;
	block->random = next_random(random) % 4;
	block->tick_cost = 60;
	block->outside = next_random(random) % 50;
	block->ticks += block->outside;
	block->ticks_missed = next_random(random) % 5 == 0 ? UINT32_MAX : next_random(random) % 20;
	block->arcs_dropped = random_count(random);
	block->saturated = next_random(random) % 3;
	block->ticks += block->saturated;
	block->reset_count = next_random(random) % 3;
	block->extra_kind = granule_size == 0 && next_random(random) % 8 == 0 ? 77 : 0;
}

struct capture *random_run(uint32_t seed, unsigned granule_size)
{
	static struct build_block blocks[2];
	uint32_t random = seed * 2654435761u;
	const uint32_t skews[2][2] = {{100, 100 + next_random(&random) % 4}, {7, 7}};
	size_t count = 1 + next_random(&random) % 2, size;
	const bool has_skew = next_random(&random) % 3 != 0;
	const struct capture_trailer trailer = {.skews = skews, .skew_count = has_skew ? count : 0, .time = 1};
	char path[32];

	for (unsigned i = 0; i < count; i++)
		make_block(&blocks[i], &random, granule_size, i);
	uint8_t *file = file_of_blocks(blocks, count, &trailer, &size);
	snprintf(path, sizeof path, "run-%u.bprof", seed);
	return decode_bytes(path, file, size);
}

struct capture *merge_runs(struct capture *const *captures, size_t count, bool force)
{
	struct merge *merge = merge_create(force);
	const struct capture *sum = NULL;

	for (size_t i = 0; i < count; i++)
		assert_success(merge_add(merge, captures[i], &failure), &failure);
	assert_success(merge_finish(merge, "sum.bprof", &sum, &failure), &failure);
	struct capture *again = write_and_decode(sum);
	merge_free(merge);
	return again;
}
