/* SPDX-License-Identifier: MIT */
/* The function that triggers a profile must exist, once, below 4 GB. */
#include "acquire/pull/control.h"
#include "test.h"

static struct image_function functions[] = {
        {.name = "main", .start = 0x100, .end = 0x140},
        {.name = "twice", .start = 0x140, .end = 0x150},
        {.name = "helper", .start = 0x150, .end = 0x160},
        {.name = "twice", .start = 0x160, .end = 0x170},
        {.name = "last", .start = 0xFFFFFF00, .end = 0xFFFFFFFF},
        {.name = "across", .start = 0xFFFFFFFF, .end = 0x100000010},
        {.name = "high", .start = 0x100000010, .end = 0x100000020},
};
static const struct image image = {
        .path = "fw.elf", .functions = functions, .function_count = sizeof functions / sizeof *functions};

TEST(function_is_found_by_its_whole_name)
{
	struct trigger trigger = {.ticks = 5};

	assert_success(trigger_find(&image, "helper", &trigger, &failure), &failure);
	assert_int_equal(trigger.start, 0x150);
	assert_int_equal(trigger.end, 0x160);
	assert_int_equal(trigger.ticks, 5);
	assert_success(trigger_find(&image, "last", &trigger, &failure), &failure);
	assert_int_equal(trigger.end, 0xFFFFFFFF);
}

static void assert_refused(const char *function, const char *message)
{
	struct trigger trigger;

	assert_int_equal(trigger_find(&image, function, &trigger, &failure), STATUS_FAILED);
	assert_string_equal(failure.message, message);
}

TEST(missing_and_ambiguous_functions_are_refused)
{
	assert_refused("help", "fw.elf: there is no function help");
	assert_refused("helpers", "fw.elf: there is no function helpers");
	assert_refused("", "fw.elf: there is no function ");
	assert_refused("twice", "fw.elf: twice is ambiguous: code of this name is at 0x00000140 and at 0x00000160");
}

TEST(code_above_4_gb_is_refused)
{
	assert_refused("across", "fw.elf: across is above 4 GB, where the recorder takes no trigger");
	assert_refused("high", "fw.elf: high is above 4 GB, where the recorder takes no trigger");
}
