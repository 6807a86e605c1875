/* SPDX-License-Identifier: MIT */
/* Sharing the samples of a cell among the functions in it. */
#include "../firmware.h"

#include "profile/analysis.h"
#include "profile/split.h"
#include "test.h"

#include <math.h>
#include <string.h>

#define FUNCTION(name) "\t.global " name "\n\t.type " name ", %function\n\t.thumb_func\n" name ":\n"
#define END(name)      "\t.size " name ", . - " name "\n"
#define COUNTED        "\tpush {lr}\n\tbl __gnu_mcount_nc\n"

/*
 * Cells have 8 bytes. hot at 0x8008 has a loop from 0x800e to the branch at 0x8018; cold at 0x801a shares the cell of
 * that branch. tiny at 0x8022 has no cell of its own, nor has plain at 0x8028, whose calls nobody counts. pool at
 * 0x802e ends in a literal pool at 0x8034, which shares a cell with next. busy at 0x8052 shares a cell with the loop
 * of idle at 0x8050.
 */
#define HOT    0x8008u
#define COLD   0x801au
#define TINY   0x8022u
#define PLAIN  0x8028u
#define POOL   0x802eu
#define BUSY   0x8052u
#define SHARED 0x8018u
static const char layout[] =
        "\t.syntax unified\n\t.macro nops n\n\t.rept \\n\n\tnop\n\t.endr\n\t.endm\n\t.text\n" FUNCTION(
                "__gnu_mcount_nc") "\tbx lr\n\tnops 3\n" END("__gnu_mcount_nc") FUNCTION("hot") COUNTED
        "1:\tnops 5\n\tb 1b\n" END("hot") FUNCTION("cold") COUNTED "\tbx lr\n" END("cold") FUNCTION("tiny")
                COUNTED END("tiny") FUNCTION("plain") "\tnops 2\n\tbx lr\n" END("plain")
                        FUNCTION("pool") "\tldr r0, 2f\n\tbx lr\n\t.balign 4\n2:\t.word 0x12345678\n" END("pool")
                                FUNCTION("next") "\tnops 8\n" END("next") FUNCTION("idle") COUNTED
        "\tnop\n1:\tb 1b\n" END("idle") FUNCTION("busy") COUNTED "\tnops 12\n" END("busy");

static int set_up(void **state)
{
	int status = firmware_set_up(firmware_assemble("sharing", layout));

	firmware_arc(fixture.capture, 0, HOT | 1, 1);
	return status;
}

/* The samples of a loop with 100 rounds. */
static void sample_hot(void)
{
	firmware_sample(fixture.capture, 0x8008, 0x8010, 100);
	firmware_sample(fixture.capture, 0x8010, 0x8018, 400);
	firmware_sample(fixture.capture, SHARED, SHARED + 8, 100);
}

static const struct profile_node *node_of(const struct profile *profile, const char *name)
{
	return &profile->nodes[firmware_node(profile, name)];
}

static void assert_samples(const struct profile *profile, const char *name, double expected, double tolerance)
{
	double found = node_of(profile, name)->self_samples;

	if (fabs(found - expected) > tolerance)
		fail_msg("%s: %f samples, expected %f", name, found, expected);
}

EACH_TEST(set_up, NULL);

TEST(instrumented_function_without_calls_did_not_run)
{
	sample_hot();
	struct profile *profile = firmware_run(NULL);
	assert_samples(profile, "hot", 600, 1e-9);
	assert_true(node_of(profile, "cold")->self_samples <= 0);
	assert_int_equal(profile->losses.samples_shared, 0);
	assert_near(node_of(profile, "hot")->self_variance, 600e-4);
}

TEST(lost_calls_prove_nothing)
{
	struct capture_block *block = &fixture.capture->blocks[0];

	sample_hot();
	block->header.arcs_dropped = 1;
	struct profile *profile = firmware_run(NULL);
	assert_true(node_of(profile, "cold")->self_samples > 0);

	block->header.arcs_dropped = 0;
	block->arcs_in_flight = 1;
	profile = firmware_run(NULL);
	assert_true(node_of(profile, "cold")->self_samples > 0);
	assert_int_equal(profile->losses.samples_shared, 100);
}

/* Entered before recording began, and still at work. */
TEST(samples_of_its_own_show_that_a_function_ran)
{
	sample_hot();
	fixture.capture->blocks[0].arcs[0].callee = PLAIN;
	struct profile *profile = firmware_run(NULL);
	assert_samples(profile, "hot", 600, 1e-9);
	assert_true(node_of(profile, "cold")->self_samples <= 0);
}

/* It called something: it is a caller. */
TEST(callers_have_run)
{
	sample_hot();
	firmware_arc(fixture.capture, COLD + 7, PLAIN | 1, 1);
	struct profile *profile = firmware_run(NULL);
	assert_int_equal(profile->losses.samples_shared, 100);
}

TEST(slow_instruction_does_not_show_that_its_neighbour_ran)
{
	sample_hot();
	fixture.capture->blocks[0].cells[2].count = 300; /* an instruction may take three times as long */
	struct profile *profile = firmware_run(NULL);
	assert_true(node_of(profile, "cold")->self_samples <= 0);
}

/* It may have been entered before recording began: its neighbour cannot have that many samples. */
TEST(function_without_a_sampled_cell_of_its_own_may_have_run)
{
	firmware_arc(fixture.capture, 0, BUSY | 1, 1);
	firmware_sample(fixture.capture, BUSY - 2, BUSY + 6, 5000);
	firmware_sample(fixture.capture, BUSY + 6, BUSY + 14, 40);
	firmware_sample(fixture.capture, BUSY + 14, BUSY + 22, 40);
	struct profile *profile = firmware_run(NULL);
	assert_samples(profile, "idle", 4990, 10);
	assert_samples(profile, "busy", 90, 10);
}

TEST(one_of_several_uncalled_functions_has_run)
{
	firmware_sample(fixture.capture, 0x8020, 0x8028, 10);
	struct profile *profile = firmware_run(NULL);
	assert_true(node_of(profile, "cold")->self_samples > 0);
	assert_true(node_of(profile, "tiny")->self_samples > 0);
}

/* Instructions of the loop have 100 samples each, and its branch is one of them; the rest of cold has none. */
TEST(block_has_the_same_sample_rate_in_each_cell)
{
	sample_hot();
	firmware_arc(fixture.capture, HOT + 7, COLD | 1, 1);
	struct profile *profile = firmware_run(NULL);
	assert_samples(profile, "hot", 600, 1);
	assert_samples(profile, "cold", 0, 1);

	fixture.capture->blocks[0].cells[2].count = 700;
	firmware_sample(fixture.capture, SHARED + 8, SHARED + 16, 300);
	profile = firmware_run(NULL);
	assert_samples(profile, "hot", 600, 40);
	assert_samples(profile, "cold", 900, 60);
}

TEST(data_in_code_has_no_samples)
{
	firmware_sample(fixture.capture, 0x8034, 0x803c, 80);
	struct profile *profile = firmware_run(NULL);
	assert_samples(profile, "next", 80, 1e-9);
	assert_true(node_of(profile, "pool")->self_samples <= 0);
	assert_int_equal(profile->losses.samples_shared, 0);
}

/* Another build, perhaps: the row of the function is better than none. */
TEST(samples_only_in_data_belong_to_its_function)
{
	firmware_sample(fixture.capture, 0x8034, 0x8038, 3);
	struct profile *profile = firmware_run(NULL);
	assert_samples(profile, "pool", 3, 1e-9);
}

TEST(function_sampled_only_in_shared_cells_is_marked)
{
	firmware_arc(fixture.capture, HOT + 7, POOL | 1, 1);
	firmware_sample(fixture.capture, 0x8028, 0x8030, 40);
	struct profile *profile = firmware_run(NULL);
	const struct profile_node *plain = node_of(profile, "plain");
	assert_true(plain->is_only_shared && plain->self_samples > 0);
	assert_true(sqrt(plain->self_variance) >= plain->self_time);
	assert_false(node_of(profile, "pool")->is_only_shared); /* it was called */

	firmware_arc(fixture.capture, HOT + 7, PLAIN | 1, 1);
	profile = firmware_run(NULL);
	assert_false(node_of(profile, "plain")->is_only_shared);
}

/* A function that ran in one context need not have run in another, and parts add up to the whole. */
TEST(each_context_has_functions_of_its_own)
{
	struct capture_block *block = &fixture.capture->blocks[0];

	block->has_contexts = true;
	firmware_arc(fixture.capture, 0, COLD | 1, 1);
	firmware_sample(fixture.capture, 0x8010, 0x8018, 400);
	firmware_sample(fixture.capture, SHARED, SHARED + 8, 100);
	firmware_sample(fixture.capture, SHARED, SHARED + 8, 60);
	firmware_sample(fixture.capture, 0x8020, 0x8028, 30);
	for (unsigned i = 0; i < 4; i++)
		block->arcs[i / 2].context = block->cells[i].context = i / 2;
	struct profile *profile = firmware_run(NULL);
	assert_samples(profile, "hot", 500, 1e-9);
	assert_samples(profile, "cold", 90, 1e-9);
	assert_success(analysis_split(profile, ANALYSIS_BY_CONTEXT, &(struct analysis_options){0}, &failure), &failure);
	assert_samples(profile->parts[0].profile, "hot", 500, 1e-9);
	assert_samples(profile->parts[1].profile, "cold", 90, 1e-9);
}

/* 20,000 cells of as many contexts, and as many of one: neither may take the square of the time. */
TEST(many_contexts_and_cells_are_linear)
{
	struct capture *many = firmware_capture(40000, 1);
	struct image *image = firmware_create("sharing-many", 2000, 6);

	for (unsigned i = 0; i < 20000; i++) {
		firmware_sample(many, FIRMWARE_BASE + i % 1500 * 8, FIRMWARE_BASE + i % 1500 * 8 + 8, 1);
		many->blocks[0].cells[i].context = i;
		firmware_sample(many, FIRMWARE_BASE + i % 1500 * 8, FIRMWARE_BASE + i % 1500 * 8 + 8, 1);
	}
	struct profile *profile = firmware_analyse(image, many);
	assert_true(fabs(profile->total_samples - 40000) < 1e-3);
	(void)fixture;
}

/* One block without end: the code between two samples may be as long as the file. */
TEST(long_blocks_are_read_by_words)
{
	struct capture *many = firmware_capture(40000, 1);
	struct image *image = firmware_assemble(
	        "sharing-long",
	        "\t.syntax unified\n\t.text\n" FUNCTION("long") "\t.rept 300000\n\tnop\n\t.endr\n" END("long"));

	for (unsigned i = 0; i < 40000; i++) {
		firmware_sample(many, FIRMWARE_BASE + 8 * i, FIRMWARE_BASE + 8 * i + 4, 1);
		many->blocks[0].cells[i].context = i;
	}
	struct profile *profile = firmware_analyse(image, many);
	assert_samples(profile, "long", 40000, 1e-3);
}

/* Cells that each lie on all of the code; in one context, or each in its own. */
static void assert_repetitions(unsigned count, bool own_contexts, bool expected)
{
	struct capture *capture = firmware_capture(count, 1);
	struct image *image = firmware_create("sharing-repeated", 500, 0x100);

	for (unsigned i = 0; i < count; i++) {
		firmware_sample(capture, FIRMWARE_BASE + i, FIRMWARE_BASE + i + 0x40000, 1);
		capture->blocks[0].cells[i].context = own_contexts ? i : CAPTURE_NO_CONTEXT;
	}
	const struct capture *captures[] = {capture};
	struct profile *profile = NULL;
	enum status status = profile_create(image, captures, 1, NULL, &profile, &failure);
	if (status == STATUS_OK)
		status = analysis_assign_samples(profile, &failure);
	assert_int_equal(status == STATUS_OK, expected);
	assert_true(expected || strstr(failure.message, "too many times over: is a capture damaged?") != NULL);
	profile_free(profile);
}

TEST(cells_that_cover_code_repeatedly_are_refused)
{
	assert_repetitions(2, false, true);
	assert_repetitions(8, false, false);
	assert_repetitions(100, true, true);
	assert_repetitions(200, true, false);
}
