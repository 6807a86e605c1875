/* SPDX-License-Identifier: MIT */
/* Captures of one firmware are added up, and those of another are refused. */
#include "runs.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static struct build_block plain_block(void)
{
	static struct build_block block;

	build_block_defaults(&block);
	block.ranges[0][0] = RUNS_BASE;
	block.ranges[0][1] = RUNS_END;
	block.range_count = 1;
	build_block_sample(&block, RUNS_BASE + 8, 100);
	build_block_arc(&block, RUNS_BASE + 5, RUNS_BASE + 33, UINT32_MAX - 1);
	return block;
}

static struct capture *capture_of(const struct build_block *block, const char *path,
                                  const struct capture_trailer *trailer)
{
	static const struct capture_trailer none;
	size_t size;
	uint8_t *file = file_of_blocks(block, 1, trailer != NULL ? trailer : &none, &size);

	return decode_bytes(path, file, size);
}

static struct capture *plain_capture(void)
{
	const struct build_block block = plain_block();

	return capture_of(&block, "plain.bprof", NULL);
}

TEST(counts_go_beyond_32_bits)
{
	struct build_block block = plain_block();

	block.ticks = 0xFFFFFFF0;
	block.arcs_dropped = block.outside = block.saturated = block.table_full = UINT32_MAX;
	block.ticks_missed = block.reset_count = UINT32_MAX - 1;
	struct capture *captures[3];
	for (unsigned i = 0; i < 3; i++)
		captures[i] = capture_of(&block, "run.bprof", NULL);
	struct capture *sum = merge_runs(captures, 3, false);
	assert_int_equal(sum->block_count, 1);
	const struct capture_block *all = &sum->blocks[0];
	assert_int_equal(all->merged_count, 3);
	assert_int_equal(all->header.minor, 1);
	assert_int_equal(all->header.ticks, 3 * (uint64_t)0xFFFFFFF0);
	assert_int_equal(all->header.arcs_dropped, 3 * (uint64_t)UINT32_MAX);
	assert_int_equal(all->header.samples_outside, 3 * (uint64_t)UINT32_MAX);
	assert_int_equal(all->header.samples_table_full, 3 * (uint64_t)UINT32_MAX);
	assert_int_equal(all->header.saturated, 3 * (uint64_t)UINT32_MAX);
	assert_int_equal(all->header.ticks_missed, 3 * (uint64_t)(UINT32_MAX - 1));
	assert_int_equal(all->header.reset_count, 3 * (uint64_t)(UINT32_MAX - 1));
	assert_arcs(all, "8005>8021 12884901882\n");
	assert_int_equal(all->arcs_saturated, 3);
	assert_cells(all, "8008-800c 300\n");
}

/* The multiples would cancel out if a hash were a sum of products. */
TEST(crafted_arcs_do_not_all_collide)
{
	enum { COUNT = 60000 };
	struct capture *capture = plain_capture();
	struct capture_block *block = &capture->blocks[0];

	block->arcs = realloc(block->arcs, COUNT * sizeof *block->arcs);
	assert_non_null(block->arcs);
	block->arc_count = COUNT;
	for (uint64_t i = 0; i < COUNT; i++)
		block->arcs[i] = (struct capture_arc){~i * UINT64_C(0x9E3779B97F4A7C15), i + 1, 1, CAPTURE_NO_CONTEXT};
	const clock_t start = clock();
	const struct capture *sum = merge_runs(&capture, 1, false);
	assert_time(start, 10);
	assert_int_equal(sum->blocks[0].arc_count, COUNT);
}

/* Each sum is 8 times the one before, so that 2^64 calls are soon reached. */
TEST(counts_stop_at_64_bits)
{
	struct capture *sum = plain_capture();

	for (unsigned i = 0; i < 12; i++) {
		struct capture *many[8] = {sum, sum, sum, sum, sum, sum, sum, sum};

		sum = merge_runs(many, 8, false);
		assert_true(sum->blocks[0].arcs[0].count >= many[0]->blocks[0].arcs[0].count);
	}
	assert_int_equal(sum->blocks[0].arcs[0].count, UINT64_MAX);
	assert_int_equal(sum->blocks[0].cells[0].count, UINT64_C(100) << 36);
	assert_int_equal(sum->blocks[0].header.ticks, UINT64_C(100) << 36);
	assert_int_equal(sum->blocks[0].merged_count, UINT64_C(1) << 36);
}

static void assert_same_bytes(const struct capture *left, const struct capture *right)
{
	size_t left_size, right_size;
	const uint8_t *left_file = written(left, &left_size), *right_file = written(right, &right_size);

	assert_int_equal(left_size, right_size);
	assert_memory_equal(left_file, right_file, left_size);
}

TEST(sum_of_sums_equals_the_sum_of_all)
{
	for (uint32_t seed = 1; seed <= 40; seed++) {
		struct capture *captures[7], *two[2];
		const unsigned granule_sizes[] = {0, 8, 64};

		for (uint32_t i = 0; i < 7; i++)
			captures[i] = random_run(seed * 50 + i, granule_sizes[(seed + i / 3) % 3]);
		uint32_t first = 1 + seed % 6;
		two[0] = merge_runs(captures, first, false);
		two[1] = merge_runs(captures + first, 7 - first, false);
		struct capture *sum = merge_runs(two, 2, false), *all = merge_runs(captures, 7, false);
		assert_same_bytes(sum, all);
	}
}

/* One block of a capture, as a file. */
static const uint8_t *write_block(const struct capture *capture, size_t index, size_t *size)
{
	struct capture one = *capture;

	one.blocks = &capture->blocks[index];
	one.block_count = 1;
	return written(&one, size);
}

static bool has_block(const struct capture *capture, const uint8_t *bytes, size_t size)
{
	bool is_found = false;

	for (size_t i = 0; i < capture->block_count && !is_found; i++) {
		size_t file_size;
		const uint8_t *file = write_block(capture, i, &file_size);

		is_found = file_size == size && memcmp(file, bytes, size) == 0;
	}
	return is_found;
}

/* The blocks of a sum are in the order of their first appearance. */
static void assert_same_blocks(const struct capture *left, const struct capture *right)
{
	assert_int_equal(left->block_count, right->block_count);
	for (size_t i = 0; i < left->block_count; i++) {
		size_t size;
		const uint8_t *file = write_block(left, i, &size);

		assert_true(has_block(right, file, size));
	}
}

static void shuffle(struct capture **captures, uint32_t count, uint32_t *random)
{
	for (uint32_t i = count - 1; i > 0; i--) {
		uint32_t other = next_random(random) % (i + 1);
		struct capture *kept = captures[i];

		captures[i] = captures[other];
		captures[other] = kept;
	}
}

/* Any order, and any grouping of it: boards may be merged as they arrive, and in parallel. */
TEST(order_and_grouping_of_runs_do_not_change_the_sum)
{
	const unsigned granule_sizes[] = {0, 8, 64};

	for (uint32_t seed = 1; seed <= 60; seed++) {
		struct capture *captures[7], *groups[3];
		uint32_t random = seed * 77, count = 0;

		for (uint32_t i = 0; i < 7; i++)
			captures[i] = random_run(seed * 90 + i, granule_sizes[(seed + i / 3) % 3]);
		struct capture *all = merge_runs(captures, 7, false);
		shuffle(captures, 7, &random);
		for (uint32_t i = 0; i < 7; count++) {
			uint32_t size = count == 2 ? 7 - i : 1 + next_random(&random) % (5 + count - i);

			groups[count] = merge_runs(captures + i, size, false);
			i += size;
		}
		assert_same_blocks(merge_runs(groups, count, false), all);
	}
}

static struct capture *merge_two(const struct build_block *left, const struct build_block *right)
{
	return merge_runs(
	        (struct capture *[]){capture_of(left, "left.bprof", NULL), capture_of(right, "right.bprof", NULL)}, 2,
	        true);
}

TEST(different_blocks_stay_separate)
{
	const struct build_block plain = plain_block();
	struct build_block others[8];

	for (unsigned i = 0; i < 8; i++)
		others[i] = plain;
	others[0].core = 1;
	others[1].clock_hz = 2000000;
	others[2].period = 20000;
	others[3].state = 0;
	others[4].identity_size = 4;
	others[5].ranges[0][1] += 4;
	others[6].bin_shift = 3;
	others[7].board = "other";
	for (unsigned i = 0; i < 8; i++) {
		assert_int_equal(merge_two(&plain, &others[i])->block_count, 2);
	}
	assert_int_equal(merge_two(&plain, &plain)->block_count, 1);
}

static struct build_block with_contexts(const char *second)
{
	static struct build_block block;

	build_block_defaults(&block);
	block.ranges[0][0] = RUNS_BASE;
	block.ranges[0][1] = RUNS_END;
	block.range_count = 1;
	block.granule_capacity = 4;
	block.granule_shift = 4;
	block.bin_bytes = 4;
	block.bin_shift = 6;
	block.context_count = 3;
	block.contexts[0] = "idle";
	block.contexts[1] = second;
	block.contexts[2] = "";
	build_block_granule(&block, RUNS_BASE, 5, 1);
	build_block_sample(&block, RUNS_BASE, 3);
	build_block_arc_of(&block, RUNS_BASE + 1, RUNS_BASE + 33, 6, 7);
	return block;
}

TEST(contexts_are_added_only_if_names_match)
{
	const struct build_block uart = with_contexts("uart");
	const struct build_block dsp = with_contexts("dsp");
	struct capture *same = merge_two(&uart, &uart), *apart = merge_two(&uart, &dsp);

	assert_int_equal(same->block_count, 1);
	const struct capture_block *block = &same->blocks[0];
	assert_true(block->has_contexts);
	assert_string_equal(capture_context_name(block, 0), "idle");
	assert_string_equal(capture_context_name(block, 1), "uart");
	assert_arcs(block, "8001>8021 12@7\n");
	assert_cells(block, "8000-8010 10@1\n8000-8040 6 coarse\n");
	assert_int_equal(block->granule_size, 16);
	assert_int_equal(block->coarse_size, 64);
	assert_int_equal(block->granule_capacity, 4);
	assert_int_equal(apart->block_count, 2);
	assert_string_equal(capture_context_name(&apart->blocks[1], 1), "dsp");
}

static uint64_t switches_of(const struct capture *sum, uint32_t context)
{
	return sum->blocks[0].contexts[context].switches;
}

static struct build_block with_switches(uint32_t switches)
{
	struct build_block block = with_contexts("uart");

	block.counts_switches = true;
	block.switches[1] = switches;
	block.switches[2] = UINT32_MAX;
	return block;
}

TEST(switches_of_a_context_are_added)
{
	const struct build_block left = with_switches(5), right = with_switches(7);
	struct capture *sum = merge_two(&left, &right), *more = merge_runs((struct capture *[]){sum, sum}, 2, false);

	assert_int_equal(sum->block_count, 1);
	assert_int_equal(sum->blocks[0].context_count, 3); /* the last without a name */
	assert_int_equal(switches_of(sum, 0), 0);
	assert_int_equal(switches_of(sum, 1), 12);
	assert_int_equal(switches_of(sum, 2), 2 * (uint64_t)UINT32_MAX);
	assert_int_equal(switches_of(more, 1), 24);
	assert_int_equal(switches_of(more, 2), 4 * (uint64_t)UINT32_MAX);
	assert_int_equal(more->blocks[0].arcs_saturated, 4);
}

TEST(tasks_without_a_context_stay_in_the_last_one)
{
	struct build_block left = with_switches(5), none = with_switches(5), right = with_switches(7);

	left.contexts_refused = 0x80000001;
	right.contexts_refused = 0x3;
	struct capture *sum = merge_two(&left, &right), *more = merge_runs((struct capture *[]){sum, sum}, 2, false);

	assert_int_equal(sum->block_count, 1);
	assert_int_equal(more->blocks[0].contexts_refused, 0x80000003);
	assert_int_equal(more->blocks[0].context_count, 3);
	assert_string_equal(capture_context_name(&more->blocks[0], 1), "uart");
	assert_string_equal(capture_context_name(&more->blocks[0], 2), CAPTURE_OTHER_TASKS);
	assert_int_equal(switches_of(more, 1), 24);
	/* A firmware of the same contexts, from before they were counted. */
	assert_int_equal(merge_two(&left, &none)->block_count, 2);
}

TEST(switches_are_unknown_if_one_did_not_count_them)
{
	const struct build_block counted = with_switches(5), uncounted = with_contexts("uart");
	struct capture *first = merge_two(&counted, &uncounted), *last = merge_two(&uncounted, &counted);

	assert_int_equal(first->block_count, 1);
	assert_int_equal(first->blocks[0].context_count, 2);
	assert_int_equal(switches_of(first, 0), CAPTURE_UNKNOWN);
	assert_int_equal(switches_of(first, 1), CAPTURE_UNKNOWN);
	assert_same_bytes(first, last);
	/* The sum no longer has a third context. */
	struct capture *alone = merge_two(&counted, &counted);
	struct capture *all = merge_runs((struct capture *[]){alone, first}, 2, false);
	assert_int_equal(all->blocks[0].context_count, 2);
}

/* Each sum is twice the one before, so that 2^64 switches are soon reached. */
TEST(switches_beyond_64_bits_are_unknown)
{
	const struct build_block block = with_switches(1);
	struct capture *sum = merge_two(&block, &block);

	for (unsigned i = 0; i < 63; i++) {
		sum = merge_runs((struct capture *[]){sum, sum}, 2, false);
		assert_int_equal(switches_of(sum, 1), i < 62 ? UINT64_C(4) << i : CAPTURE_UNKNOWN);
	}
	assert_int_equal(switches_of(sum, 0), 0);
}

/* One counted too many, the other fewer than it may have lost: their sum alone would look consistent. */
TEST(contradiction_is_not_lost_in_the_sum)
{
	struct build_block wrong = plain_block(), sound = wrong;

	wrong.ticks -= 5;
	sound.ticks += 10;
	sound.saturated = 10;
	struct capture *sum = merge_two(&wrong, &sound);
	struct capture *again = merge_runs(&sum, 1, false);
	assert_int_equal(sum->block_count, 1);
	assert_int_equal(capture_sum_samples(&sum->blocks[0]).balance, CAPTURE_DOES_NOT_ADD_UP);
	assert_int_equal(capture_sum_samples(&again->blocks[0]).balance, CAPTURE_DOES_NOT_ADD_UP);
}

TEST(values_unknown_in_one_capture_are_unknown_in_the_sum)
{
	const uint32_t skews[1][2] = {{5, 9}};
	const struct capture_trailer trailer = {.skews = skews, .skew_count = 1};
	struct build_block block = plain_block();
	struct capture *known = capture_of(&block, "known.bprof", &trailer);

	block.ticks_missed = UINT32_MAX;
	struct capture *unknown = capture_of(&block, "unknown.bprof", NULL);
	struct capture *pairs[][2] = {{known, known}, {known, unknown}};
	struct capture *sum = merge_runs(pairs[0], 2, false);
	assert_true(sum->blocks[0].has_skew);
	assert_int_equal(sum->blocks[0].ticks_after - sum->blocks[0].ticks_before, 8);
	assert_int_equal(sum->blocks[0].header.ticks_missed, 0);
	sum = merge_runs(pairs[1], 2, false);
	assert_false(sum->blocks[0].has_skew);
	assert_int_equal(sum->blocks[0].header.ticks_missed, CAPTURE_UNKNOWN);
}

/* The tick cost of a sum is unknown if that of one run is. Fixed distances in one run make those of the sum fixed. */
TEST(costs_and_distances_are_added_up)
{
	static const struct {
		unsigned minors[2];
		uint32_t randoms[2], costs[2];
		bool has_cost;
		enum capture_distances distances;
	} cases[] = {
	        {{2, 2}, {1, 2}, {60, 64}, true, CAPTURE_DISTANCES_RANDOM},
	        {{2, 2}, {1, 0}, {60, 64}, true, CAPTURE_DISTANCES_FIXED},
	        {{2, 2}, {0, 1}, {60, 0}, false, CAPTURE_DISTANCES_FIXED},
	        {{0, 2}, {0, 1}, {60, 64}, false, CAPTURE_DISTANCES_UNKNOWN},
	        {{0, 2}, {0, 0}, {60, 64}, false, CAPTURE_DISTANCES_FIXED},
	};

	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct build_block blocks[2] = {plain_block(), plain_block()};

		for (unsigned j = 0; j < 2; j++) {
			blocks[j].minor = cases[i].minors[j];
			blocks[j].random = cases[i].randoms[j];
			blocks[j].tick_cost = cases[i].costs[j];
		}
		struct capture *sum = merge_two(&blocks[0], &blocks[1]);
		struct capture *reversed = merge_two(&blocks[1], &blocks[0]);
		assert_int_equal(sum->block_count, 1);
		assert_int_equal(sum->blocks[0].has_tick_cost, cases[i].has_cost);
		assert_int_equal(sum->blocks[0].tick_cost, cases[i].has_cost ? 100 * 60 + 100 * 64 : 0);
		assert_int_equal(sum->blocks[0].distances, cases[i].distances);
		assert_int_equal(reversed->blocks[0].tick_cost, sum->blocks[0].tick_cost);
		assert_int_equal(reversed->blocks[0].distances, sum->blocks[0].distances);
	}
}

/* A core that never ran has no effect on the others. */
TEST(block_without_ticks_leaves_cost_and_distances_known)
{
	struct build_block ran = plain_block(), idle = plain_block();

	ran.minor = 2;
	ran.random = 1;
	ran.tick_cost = 60;
	idle.ticks = 0;
	memset(idle.bins, 0, sizeof idle.bins);
	struct capture *sum = merge_two(&idle, &ran);
	assert_true(sum->blocks[0].has_tick_cost);
	assert_int_equal(sum->blocks[0].tick_cost, 100 * 60);
	assert_int_equal(sum->blocks[0].distances, CAPTURE_DISTANCES_RANDOM);
}

static void assert_refused(struct capture *first, struct capture *second, bool force, const char *words)
{
	struct merge *merge = merge_create(force);

	assert_success(merge_add(merge, first, &failure), &failure);
	enum status status = merge_add(merge, second, &failure);
	assert_int_equal(status, words != NULL ? STATUS_FAILED : STATUS_OK);
	if (words != NULL)
		assert_contains(failure.message, words);
	merge_free(merge);
}

TEST(captures_of_other_targets_are_refused)
{
	struct build_block block = plain_block();
	struct capture *first = capture_of(&block, "first.bprof", NULL);

	block.big_endian = true;
	struct capture *big = capture_of(&block, "big.bprof", NULL);
	block.big_endian = false;
	block.address_size = 8;
	struct capture *wide = capture_of(&block, "wide.bprof", NULL);
	assert_refused(first, big, true, "big.bprof: recorded by a 32-bit big-endian target, first.bprof by a 32-bit");
	assert_refused(first, wide, true, "wide.bprof: recorded by a 64-bit");
}

TEST(captures_of_other_builds_are_refused_unless_forced)
{
	struct build_block block = plain_block();
	struct capture *none = capture_of(&block, "none.bprof", NULL);

	block.identity_size = 20;
	struct capture *first = capture_of(&block, "first.bprof", NULL);
	block.identity[19] = 1;
	struct capture *other = capture_of(&block, "other.bprof", NULL);
	assert_refused(first, other, false, "other.bprof: recorded by another build than first.bprof (build-id");
	assert_refused(first, other, true, NULL);
	assert_refused(none, other, false, NULL);
	assert_refused(other, none, false, NULL);
}

TEST(common_code_crc_is_kept)
{
	const struct build_block block = plain_block();
	const struct capture_trailer one = {.has_code_crc = true, .code_crc = 1};
	const struct capture_trailer two = {.has_code_crc = true, .code_crc = 2};
	struct capture *first = capture_of(&block, "first.bprof", &one);
	struct capture *other = capture_of(&block, "other.bprof", &two);
	struct capture *none = capture_of(&block, "none.bprof", NULL);

	assert_refused(first, other, false, "other.bprof: recorded by another build than first.bprof (code");
	struct capture *pairs[][2] = {{first, first}, {first, other}, {first, none}, {none, first}};
	for (unsigned i = 0; i < 4; i++) {
		struct capture *sum = merge_runs(pairs[i], 2, true);

		assert_int_equal(sum->has_code_crc, i == 0);
		assert_int_equal(i == 0 ? sum->code_crc : 1, 1);
	}
}

/* Adding the same addresses again needs no more memory. */
TEST(memory_is_bounded_by_the_sum)
{
	struct merge *merge = merge_create(false);
	struct capture *capture = random_run(3, 8);
	const struct capture *sum;
	size_t used_before = 0;

	for (unsigned run = 1; run <= 20000; run++) {
		assert_success(merge_add(merge, capture, &failure), &failure);
		if (run == 1000)
			used_before = allocated();
	}
	assert_true(allocated() <= used_before + 4096);
	assert_success(merge_finish(merge, "sum", &sum, &failure), &failure);
	assert_int_equal(sum->blocks[0].merged_count, 20000);
	assert_true(sum->blocks[0].arc_count <= capture->blocks[0].arc_count);
	merge_free(merge);
}
