/* SPDX-License-Identifier: MIT */
/* Captures become pictures: intervals, resets, freezing, captures that cannot be used. */
#include "../profile/firmware.h"
#include "top/header.h"

#include <bareprof/block.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE 16u

static struct top_model model;
static char elf_path[256];

static int set_up(void **state)
{
	int result = firmware_set_up(firmware_create("top-model", 4, SIZE));

	snprintf(elf_path, sizeof elf_path, "%s", fixture.image->path);
	model = (struct top_model){.elf_path = elf_path, .source = "test:"};
	return result;
}

static int tear_down(void **state)
{
	top_model_free(&model);
	return 0;
}

EACH_TEST(set_up, tear_down);

/* A capture with this many samples in f0, taken at a time in milliseconds. */
static struct feed_news news_of(uint64_t samples, uint64_t taken)
{
	struct feed_news news = {.capture = firmware_create_capture(1, 0), .taken = taken};

	firmware_sample(news.capture, FIRMWARE_BASE, FIRMWARE_BASE + SIZE, samples);
	news.capture->blocks[0].header.state = BAREPROF_STATE_RUNNING;
	return news;
}

static void add(uint64_t samples, uint64_t taken)
{
	const struct feed_news news = news_of(samples, taken);

	top_model_add(&model, &news);
}

static double samples_of(enum top_window window)
{
	const struct profile *profile;
	struct error error;

	assert_int_equal(top_picture_profile(model.shown, window, &profile, &error), STATUS_OK);
	return profile->total_samples;
}

static void assert_state(uint64_t now, const char *expected)
{
	struct printed *printed = printed_begin();

	top_print_state(&model, now, printed->stream);
	assert_contains(printed_text(printed), expected);
}

TEST(first_picture_has_no_interval)
{
	add(100, 5000);
	assert_int_equal(top_picture_window(model.shown, TOP_INTERVAL), TOP_SINCE_START);
	assert_true(samples_of(TOP_SINCE_START) == 100);
}

TEST(interval_ends_with_the_latest_capture)
{
	add(100, 5000);
	add(130, 6500);
	assert_int_equal(top_picture_window(model.shown, TOP_INTERVAL), TOP_INTERVAL);
	assert_true(samples_of(TOP_INTERVAL) == 30);
	assert_true(samples_of(TOP_SINCE_START) == 130);
	assert_int_equal(model.shown->milliseconds, 1500);
	assert_state(6600, "running, pulled 0.1 s ago");
	assert_int_equal(model.event, TOP_NO_EVENT);
}

TEST(frozen_picture_stays_while_captures_arrive)
{
	add(100, 5000);
	top_model_freeze(&model, true);
	for (unsigned i = 1; i < 4; i++)
		add(100 + i, 5000 + i);
	assert_true(samples_of(TOP_SINCE_START) == 100);
	top_model_freeze(&model, false);
	assert_true(samples_of(TOP_SINCE_START) == 103);
	assert_true(samples_of(TOP_INTERVAL) == 1);
}

TEST(frozen_picture_is_freed_with_the_model)
{
	add(100, 5000);
	top_model_freeze(&model, true);
	add(101, 5001);
}

TEST(reset_is_shown_for_a_while)
{
	add(100, 5000);
	add(40, 6000);
	assert_true(samples_of(TOP_INTERVAL) == 40);
	assert_state(8000, "target reset 2 s ago, 40 ticks so far");
	add(50, 8500);
	assert_true(samples_of(TOP_INTERVAL) == 10);
	assert_state(9000, "target reset 3 s ago, 50 ticks so far");
	assert_state(17000, "running, pulled 8.5 s ago");
}

TEST(reset_that_keeps_counts_is_distinguished)
{
	struct feed_news news = news_of(140, 6000);

	add(100, 5000);
	news.capture->blocks[0].header.reset_count = 1;
	top_model_add(&model, &news);
	assert_true(samples_of(TOP_INTERVAL) == 40);
	assert_state(6000, "target reset 0 s ago, counts continue");
}

TEST(failure_keeps_the_picture_and_says_when_it_began)
{
	struct feed_news news = {.is_failing = true, .failing_since = 6000, .next_try = 9000, .failures = 1};

	add(100, 5000);
	snprintf(news.failure.message, sizeof news.failure.message, "test: \033gone");
	top_model_add(&model, &news);
	assert_state(8000, "no capture for 2 s: test: \\x1bgone; next try in 1 s");
	assert_true(samples_of(TOP_SINCE_START) == 100);
	news = news_of(120, 9000);
	news.failures = 1;
	top_model_add(&model, &news);
	assert_state(9000, "running, pulled 0.0 s ago; connected again 0 s ago");
	assert_true(samples_of(TOP_INTERVAL) == 20);
}

TEST(capture_of_another_build_is_not_used)
{
	struct feed_news news = news_of(200, 6000);

	add(100, 5000);
	news.capture->has_code_crc = true;
	news.capture->code_crc = 1;
	top_model_add(&model, &news);
	assert_true(samples_of(TOP_SINCE_START) == 100);
	assert_state(6000, "capture not used: test.bprof: ");
	add(130, 7000);
	assert_true(samples_of(TOP_INTERVAL) == 30);
	assert_state(7000, "running");
}

TEST(reloaded_elf_begins_without_an_interval)
{
	struct feed_news news = news_of(200, 6000);

	add(100, 5000);
	news.reloads = 1;
	top_model_add(&model, &news);
	assert_int_equal(top_picture_window(model.shown, TOP_INTERVAL), TOP_SINCE_START);
	assert_state(6000, "ELF read again 0 s ago");
}

TEST(elf_that_is_gone_keeps_the_picture)
{
	struct feed_news news = news_of(200, 6000);

	add(100, 5000);
	news.reloads = 1;
	model.elf_path = "/nonexistent.elf";
	top_model_add(&model, &news);
	assert_true(samples_of(TOP_SINCE_START) == 100);
	assert_state(6000, "capture not used: /nonexistent.elf: ");
	model.elf_path = elf_path;
}

TEST(profile_that_stands_still_is_a_warning)
{
	add(100, 5000);
	add(100, 6000);
	assert_state(6000, "no ticks in the last interval: is the core halted or asleep?");
}

TEST(stopped_profile_is_a_warning)
{
	struct feed_news news = news_of(100, 5000);

	news.capture->blocks[0].header.state = BAREPROF_STATE_STOPPED;
	top_model_add(&model, &news);
	assert_state(5000, "stopped, pulled 0.0 s ago; nothing is counted until the profile runs");
}

/* Losses before the interval are not shown. */
TEST(losses_are_those_of_the_window)
{
	struct feed_news first = news_of(100, 5000), second = news_of(150, 6000);
	const struct profile *profile;
	struct error error;
	char text[512] = "";
	FILE *stream = fmemopen(text, sizeof text, "w");

	first.capture->blocks[0].header.arcs_dropped = 1000;
	second.capture->blocks[0].header.arcs_dropped = 1007;
	top_model_add(&model, &first);
	top_model_add(&model, &second);
	assert_int_equal(top_picture_profile(model.shown, TOP_INTERVAL, &profile, &error), STATUS_OK);
	assert_true(top_print_losses(profile, stream));
	fclose(stream);
	assert_string_equal(text, "Losses    7 calls that found the arc table full");
}
