/* SPDX-License-Identifier: MIT */
/* gmon.out analysed: bins to symbols, arcs in GNU gprof's order, and what filters leave of times. */
#include "../firmware.h"

#include "profile/analysis.h"
#include "test.h"

#define FUNCTIONS 8u
#define SIZE      16u

/* One histogram over all functions, and arcs between them. */
static struct data {
	struct image *image;
	struct filters *filters;
	uint64_t bins[FUNCTIONS * SIZE];
	struct gmon_histogram histogram;
	struct gmon_arc arcs[32];
	struct gmon gmon;
} data;

static int set_up(void **state)
{
	data = (struct data){
	        .image = firmware_create("gmon", FUNCTIONS, SIZE),
	        .filters = filters_create(),
	        .histogram =
	                {
	                        .low = FIRMWARE_BASE,
	                        .high = FIRMWARE_BASE + FUNCTIONS * SIZE,
	                        .bins = data.bins,
	                        .bin_count = FUNCTIONS * SIZE / 2,
	                },
	        .gmon = {.histograms = &data.histogram, .histogram_count = 1, .arcs = data.arcs},
	};
	return 0;
}

static int tear_down(void **state)
{
	filters_free(data.filters);
	return 0;
}

static void add_arc(unsigned caller, unsigned callee, uint64_t count)
{
	data.arcs[data.gmon.arc_count++] =
	        (struct gmon_arc){FIRMWARE_BASE + SIZE * caller + 4, FIRMWARE_BASE + SIZE * callee, count};
}

/* Samples in the middle of a function, wherever the bins end. */
static void add_samples(unsigned function, uint64_t count)
{
	size_t middle = SIZE * function + SIZE / 2;

	data.bins[middle * data.histogram.bin_count / (FUNCTIONS * SIZE)] += count;
}

static void filter(enum filter_list list, bool exclude, const char *symspec)
{
	assert_success(filters_add(data.filters, list, exclude, symspec, &failure), &failure);
}

static const struct profile *analyse(void)
{
	return firmware_run_gmon(data.image, &data.gmon, &(struct analysis_options){.filters = data.filters});
}

EACH_TEST(set_up, tear_down);

TEST(bin_goes_to_symbols_by_their_share_of_it)
{
	/* Three bins over eight functions: 64 units / 3, so that the second bin is units 21 to 42. */
	data.histogram.bin_count = 3;
	data.bins[1] = 64;
	const struct profile *profile = analyse();
	const double units[FUNCTIONS] = {0, 0, 3, 8, 8, 2, 0, 0};
	for (unsigned i = 0; i < FUNCTIONS; i++)
		assert_near(profile->nodes[i].self_time, units[i] * 64 / (64.0 / 3));
	assert_near(profile->total_time, 64);
}

TEST(bins_of_one_byte_are_all_counted)
{
	data.histogram.bin_count = FUNCTIONS * SIZE;
	for (unsigned i = 0; i < SIZE; i++)
		data.bins[SIZE + i] = i + 1;
	const struct profile *profile = analyse();
	assert_near(profile->nodes[1].self_time, SIZE * (SIZE + 1) / 2.0);
	assert_near(profile->total_time, SIZE * (SIZE + 1) / 2.0);
}

TEST(last_symbol_has_its_time)
{
	add_samples(FUNCTIONS - 1, 7);
	assert_near(analyse()->nodes[FUNCTIONS - 1].self_time, 7);
}

TEST(samples_outside_symbols_count_only_in_the_total)
{
	data.histogram.high += SIZE;
	data.histogram.bin_count += SIZE / 2;
	data.bins[data.histogram.bin_count - 1] = 5;
	add_samples(0, 1);
	const struct profile *profile = analyse();
	assert_near(profile->total_time, 6);
	assert_near(profile->wanted_time, 1);
}

TEST(arcs_of_a_caller_come_newest_first)
{
	add_arc(0, 3, 1);
	add_arc(0, 1, 2);
	add_arc(0, 3, 4);
	add_arc(2, 3, 8);
	const struct profile *profile = analyse();
	assert_int_equal(profile->arc_count, 3);
	assert_int_equal(profile->arcs[0].callee, 1);
	assert_int_equal(profile->arcs[1].callee, 3);
	assert_int_equal(profile->arcs[1].count, 5);
	assert_int_equal(profile->arcs[profile->parent_arcs[profile->first_parent[3]]].caller, 2);
	assert_int_equal(profile->nodes[3].calls, 13);
}

TEST(members_of_a_cycle_are_chained_from_the_first_reached)
{
	add_arc(0, 5, 1);
	add_arc(5, 2, 1);
	add_arc(2, 3, 1);
	add_arc(3, 5, 1);
	add_arc(2, 4, 1);
	add_arc(4, 2, 1);
	const struct profile *profile = analyse();
	assert_int_equal(profile->cycle_count, 1);
	assert_int_equal(profile->cycles[0].member_count, 4);
	/* 5 calls 2, which calls 4 before 3, for 4 was seen last; 4 joins 2, then both and 3 join 5. */
	const size_t chain[] = {5, 2, 4, 3};
	assert_memory_equal(profile->cycles[0].members, chain, sizeof chain);
}

/* 0 calls 1 and 2, both of which call 3; 3 is what takes time. */
static void make_diamond(void)
{
	add_arc(0, 1, 1);
	add_arc(0, 2, 1);
	add_arc(1, 3, 1);
	add_arc(2, 3, 3);
	add_samples(3, 100);
	add_samples(1, 20);
}

TEST(without_filters_everything_is_wanted)
{
	make_diamond();
	const struct profile *profile = analyse();
	assert_near(profile->wanted_time, 120);
	assert_near(profile->nodes[0].wanted.child_time, 120);
	for (unsigned i = 0; i < FUNCTIONS; i++)
		assert_true(profile->nodes[i].wanted.is_shown && profile->nodes[i].wanted.fraction >= 1);
}

TEST(caller_gets_the_time_of_its_own_calls)
{
	make_diamond();
	filter(FILTER_TIME, false, "f1");
	const struct profile *profile = analyse();
	assert_near(profile->nodes[3].wanted.fraction, 0.25);
	assert_near(profile->nodes[3].wanted.self_time, 25);
	assert_near(profile->nodes[1].wanted.child_time, 25);
	assert_near(profile->nodes[2].wanted.child_time, 0);
	assert_near(profile->wanted_time, 45);
}

TEST(graph_of_a_function_contains_it_and_its_callees)
{
	make_diamond();
	filter(FILTER_GRAPH, false, "f2");
	const struct profile *profile = analyse();
	const bool shown[FUNCTIONS] = {false, false, true, true};
	for (unsigned i = 0; i < FUNCTIONS; i++)
		assert_int_equal(profile->nodes[i].wanted.is_shown, shown[i]);
}

TEST(excluded_function_is_not_shown_by_callers)
{
	make_diamond();
	filter(FILTER_GRAPH, true, "f3");
	filter(FILTER_TIME, true, "f3");
	const struct profile *profile = analyse();
	assert_false(profile->nodes[3].wanted.is_shown);
	assert_near(profile->nodes[0].wanted.child_time, 20);
	assert_near(profile->wanted_time, 20);
}

TEST(flat_filter_takes_time_from_the_total)
{
	make_diamond();
	filter(FILTER_FLAT, true, "f3");
	const struct profile *profile = analyse();
	assert_near(profile->total_time, 20);
	assert_near(profile->nodes[3].self_time, 0);
}

TEST(excluded_arc_counts_no_call)
{
	make_diamond();
	assert_success(filters_add_arc(data.filters, true, "f2/f3", &failure), &failure);
	const struct profile *profile = analyse();
	assert_int_equal(profile->nodes[3].calls, 1);
	assert_near(profile->nodes[1].wanted.child_time, 100);
}

TEST(uncalled_cycle_is_shown_if_its_members_are)
{
	add_arc(4, 5, 2);
	add_arc(5, 4, 2);
	add_samples(4, 10);
	const struct profile *profile = analyse();
	assert_int_equal(profile->cycle_count, 1);
	assert_true(profile->cycles[0].wanted.is_shown);
	assert_near(profile->cycles[0].wanted.self_time, 10);
}

TEST(member_of_a_cycle_may_be_excluded)
{
	add_arc(0, 4, 1);
	add_arc(4, 5, 2);
	add_arc(5, 4, 2);
	add_samples(4, 10);
	add_samples(5, 30);
	filter(FILTER_TIME, true, "f5");
	const struct profile *profile = analyse();
	assert_near(profile->cycles[0].self_time, 10);
	assert_near(profile->nodes[0].wanted.child_time, 10);
}
