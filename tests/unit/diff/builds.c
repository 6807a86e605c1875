/* SPDX-License-Identifier: MIT */
/* See builds.h. */
#include "builds.h"

#include "../profile/firmware.h"
#include "firmware/calls/calls.h"
#include "test.h"

#include <bareprof/block.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 256

struct builds builds;

/* Tests run one after the other, so they can use the same files. */
static const char *const names[BUILD_COUNT] = {[BUILD_OLD] = "compare-old", [BUILD_NEW] = "compare-new"};

void builds_assemble(enum build build, const char *functions, unsigned size)
{
	char source[16384], words[4096], *rest = words;
	size_t length = (size_t)snprintf(source, sizeof source, "\t.syntax unified\n\t.text\n");

	snprintf(words, sizeof words, "%s", functions);
	for (const char *word; (word = strsep(&rest, " ")) != NULL;) {
		bool is_recorder = strcmp(word, "recorder") == 0;

		length += (size_t)snprintf(source + length, sizeof source - length,
		                           "%s\t.global %s\n\t.type %s, %%function\n\t.thumb_func\n%s:\n"
		                           "\t.rept %u\n\tblx r3\n\t.endr\n\t.size %s, %u\n%s",
		                           is_recorder ? "\t.global bareprof_code_start\nbareprof_code_start:\n" : "",
		                           word, word, word, size / 2, word, size,
		                           is_recorder ? "\t.global bareprof_code_end\nbareprof_code_end:\n" : "");
	}
	assert_true(length < sizeof source);
	builds.sides[build].image = firmware_assemble(names[build], source);
}

void builds_assemble_both(const char *functions, unsigned size)
{
	for (enum build build = 0; build < BUILD_COUNT; build++)
		builds_assemble(build, functions, size);
}

void builds_compile(enum build build, const char *source, const char *options)
{
	char path[256], command[1024];

	snprintf(path, sizeof path, "%s/unit/%s.elf", getenv("BUILD"), names[build]);
	snprintf(command, sizeof command,
	         "arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -g -nostdlib -Wl,-e,start -Wl,-Ttext=%#x %s %s -o %s",
	         FIRMWARE_BASE, options, source, path);
	assert_int_equal(system(command), 0);
	builds.sides[build].image = firmware_open(path);
}

void builds_capture(enum build build)
{
	struct build_under_test *side = &builds.sides[build];

	assert_true(side->capture_count < BUILDS_CAPTURES);
	side->captures[side->capture_count++] = firmware_capture(ROOM, ROOM);
}

static struct capture *last_capture(enum build build)
{
	struct build_under_test *side = &builds.sides[build];

	if (side->capture_count == 0)
		builds_capture(build);
	return side->captures[side->capture_count - 1];
}

static uint64_t start_of(enum build build, const char *function)
{
	uint64_t start = 0;

	if (builds.sides[build].image == NULL)
		builds_assemble(build, build == BUILD_OLD ? "main step filter log" : "log filter main step",
		                build == BUILD_OLD ? 32 : 48);
	if (!image_symbol(builds.sides[build].image, function, &start))
		fail_msg("no function %s", function);
	return start & ~UINT64_C(1);
}

void builds_sample(enum build build, const char *function, uint64_t count)
{
	uint64_t start = start_of(build, function);

	firmware_sample(last_capture(build), start, start + 2, count);
}

void builds_sleep(enum build build, uint64_t count)
{
	firmware_sample(last_capture(build), BAREPROF_PC_UNAVAILABLE, BAREPROF_PC_UNAVAILABLE + UINT64_C(1), count);
}

/* The first instruction of a function is not inlined. */
#define ENTRY 4

void builds_sample_inlined(enum build build, const char *host, const char *inlined, uint64_t count)
{
	uint64_t start = start_of(build, host);
	const struct image *image = builds.sides[build].image;
	const struct image_function *function = image_function_at(image, start);
	struct image_inline innermost = {.name = ""};
	uint64_t address = function->start + ENTRY;

	while (address < function->end &&
	       (image_inlines(image, address, &innermost, 1) == 0 || strcmp(innermost.name, inlined) != 0))
		address += 2;
	if (address >= function->end)
		fail_msg("nothing of %s in %s", inlined, host);
	firmware_sample(last_capture(build), address, address + 2, count);
}

/* The return address of the caller's first call of the callee, or of its first call through a pointer; otherwise the
 * address after its first instruction, which is a call in code of builds_assemble(). */
static uint64_t return_address(enum build build, const char *caller, uint64_t callee)
{
	uint64_t start = start_of(build, caller), end = start, found = start + 2;
	const struct image *image = builds.sides[build].image;
	struct calls calls;
	struct error error;

	for (size_t i = 0; i < image->function_count; i++)
		if (image->functions[i].start == start)
			end = image->functions[i].end;
	assert_int_equal(calls_find(image, &calls, &error), STATUS_OK);
	for (size_t i = calls.count; i-- > 0;) {
		const struct call *call = &calls.items[i];
		bool is_it = (call->kind == CALL_DIRECT && call->target == callee) || call->kind == CALL_INDIRECT;

		if (is_it && call->site >= start && call->site < end)
			found = call->site + call->length;
	}
	calls_free(&calls);
	return found;
}

void builds_call(enum build build, const char *caller, const char *callee, uint64_t count)
{
	uint64_t start = start_of(build, callee);
	uint64_t site = caller == NULL ? 0xFFFFFFF9u : return_address(build, caller, start) + 1;

	firmware_arc(last_capture(build), site, start + 1, count);
}

void builds_choose_unit(enum compare_unit unit, const char *function)
{
	builds.options.has_unit = true;
	builds.options.unit = unit;
	builds.options.function = function;
}

static enum status compare(struct error *error)
{
	struct compare_input inputs[BUILD_COUNT];

	for (enum build build = 0; build < BUILD_COUNT; build++) {
		struct build_under_test *side = &builds.sides[build];

		last_capture(build);
		inputs[build] = (struct compare_input){
		        .image = side->image,
		        .captures = (const struct capture *const *)side->captures,
		        .capture_count = side->capture_count,
		};
	}
	comparison_free(builds.comparison);
	builds.comparison = NULL;
	return compare_builds(inputs, &builds.options, &builds.comparison, error);
}

const struct comparison *builds_compare(void)
{
	assert_success(compare(&failure), &failure);
	return builds.comparison;
}

void builds_refuse(const char *message)
{
	assert_failure(compare(&failure), &failure, message);
	assert_null(builds.comparison);
}

const struct compare_row *builds_row(const struct comparison *comparison, const char *name)
{
	size_t row = comparison_find(comparison, name);

	if (row == PAIRING_NONE)
		fail_msg("no row %s", name);
	return &comparison->rows[row];
}

const struct compare_change *builds_change(const struct comparison *comparison, const char *name,
                                           enum compare_quantity quantity)
{
	return &builds_row(comparison, name)->changes[quantity];
}

int builds_set_up(void **state)
{
	builds = (struct builds){.options = {.confidence = 0.95, .min_change = 0.01, .total_errors = true}};
	return 0;
}

int builds_tear_down(void **state)
{
	comparison_free(builds.comparison);
	return 0;
}
