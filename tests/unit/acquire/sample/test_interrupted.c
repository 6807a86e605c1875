/* SPDX-License-Identifier: MIT */
/* A signal during sampling is a failure before the target is changed. Afterwards it ends sampling early and keeps the
 * samples. */
#include "../backend/speaker.h"
#include "../pull/firmware.h"
#include "acquire/sample/sample.h"
#include "base/clock.h"

#include "../sources.h"
#include "test.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Far longer than any of these tests takes, also on a busy machine. */
#define LONG_TIMEOUT "60"
#define SOON         10000

#define TRCENA 0x01000000u

/* An OpenOCD with a Cortex-M3 whose registers can be read, but not its memory. */
static struct {
	struct speaker speaker;
	const char *interrupts_at; /* part of a request */
	bool is_silent_then;
	pthread_t sampler;

	unsigned long demcr;
	bool was_enabled;
	const char *elf_path, *output_path;
	struct sample_summary summary;
	struct error error;
} test;

static unsigned long register_at(unsigned long address)
{
	switch (address) {
	case 0xE000101C:
		return 0x10;
	case 0xE000EDFC:
		return test.demcr;
	default:
		return address == 0xE000ED00 ? 0x412FC230 : 0;
	}
}

/* A command that reads a register repeatedly returns a list. */
static void read_register(const char *request, char *answer, size_t capacity)
{
	const char *count = strstr(request, "$i < ");

	unsigned long value = register_at(strtoul(strstr(request, "read_memory ") + 12, NULL, 16));
	size_t length = (size_t)snprintf(answer, capacity, "%s", count != NULL ? "0" : "1 failed to read memory");

	for (unsigned long left = count != NULL ? strtoul(count + 5, NULL, 10) : 0; left > 0; left--)
		length += (size_t)snprintf(answer + length, capacity - length, " 0x%lx", value);
}

static void write_register(const char *request, char *answer, size_t capacity)
{
	test.demcr = strtoul(strchr(strstr(request, "write_memory "), '{') + 1, NULL, 16);
	test.was_enabled = test.was_enabled || (test.demcr & TRCENA) != 0;
	snprintf(answer, capacity, "0 ");
}

static void answer_well(const char *request, char *answer, size_t capacity)
{
	if (strstr(request, "read_memory ") != NULL)
		read_register(request, answer, capacity);
	else if (strstr(request, "write_memory ") != NULL)
		write_register(request, answer, capacity);
	else if (strstr(request, "target current") != NULL)
		snprintf(answer, capacity, "0 cpu");
	else
		snprintf(answer, capacity, strstr(request, "cget") != NULL ? "0 little" : "0 1");
}

static bool answer(struct speaker *speaker, const char *request)
{
	static char text[65536];

	if (strstr(request, test.interrupts_at) != NULL) {
		pthread_kill(test.sampler, SIGINT);
		if (test.is_silent_then)
			return true;
	}
	answer_well(request, text, sizeof text);
	return speaker_say(speaker, text) && speaker_say(speaker, "\x1a");
}

static int begin(void **state)
{
	memset(&test, 0, sizeof test);
	test.speaker = (struct speaker){.end = '\x1a', .answer = answer};
	test.sampler = pthread_self();
	test.elf_path = firmware_file("elf");
	test.output_path = firmware_file("bprof");
	firmware_build(test.elf_path, "");
	return 0;
}

static int end(void **state)
{
	unlink(test.elf_path);
	unlink(test.output_path);
	return 0;
}

static enum status sample_until_interrupted(void)
{
	char source[64];
	struct sample_options options = {.pull.output_path = test.output_path, .milliseconds = 60000, .rate = 10000};
	uint64_t start = clock_now();

	options.pull.elf_path = test.elf_path;
	speaker_start(&test.speaker);
	snprintf(source, sizeof source, "openocd:%s,timeout=" LONG_TIMEOUT, test.speaker.address);
	options.pull.source = resolved_source(source);
	enum status status = sample_run(&options, &test.summary, &test.error);
	speaker_join(&test.speaker);
	assert_true(clock_now() - start < SOON);
	return status;
}

static void expect_interruption(const char *part_of_request)
{
	test.interrupts_at = part_of_request;
	test.is_silent_then = true;
	assert_int_equal(sample_until_interrupted(), STATUS_FAILED);
	assert_string_equal(test.error.message, "interrupted");
	assert_false(test.was_enabled);
	assert_int_not_equal(access(test.output_path, F_OK), 0);
}

EACH_TEST(begin, end);

TEST(signal_while_connecting_is_an_interruption)
{
	expect_interruption("target current");
}

TEST(signal_while_the_code_is_compared_is_an_interruption)
{
	expect_interruption("read_memory ");
}

TEST(signal_while_sampling_keeps_samples_and_restores_the_core)
{
	test.interrupts_at = "0xe000101c";
	enum status status = sample_until_interrupted();
	assert_success(status, &test.error);
	assert_true(test.summary.end.is_cut_short);
	assert_true(test.summary.reads > 0);
	assert_true(test.was_enabled);
	assert_int_equal(test.demcr & TRCENA, 0);
	assert_int_equal(access(test.output_path, F_OK), 0);
}
