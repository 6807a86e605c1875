/* SPDX-License-Identifier: MIT */
/* A pull from a gdb server that ends early, or whose firmware changes: the target goes on, and a file is left only
 * where it is whole. */
#include "capture/capture.h"
#include "firmware.h"
#include "target/pull/pull.h"
#include "visit.h"

#include "../sources.h"
#include "test.h"

#include <bareprof/block.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_t puller;
static int signal_number;

/* The options beside where from, of which ELF and where to. */
static enum status pull_with(struct pull_options options, struct stub *stub, struct pull_summary *summary,
                             struct error *error)
{
	visit_start(stub);
	options.source = resolved_source(stub->source);
	options.elf_path = visit.elf_path;
	options.output_path = visit.output_path;
	enum status status = pull_run(&options, summary, error);
	stub_join(stub);
	return status;
}

static enum status pull(struct stub *stub, struct pull_summary *summary, struct error *error)
{
	return pull_with((struct pull_options){.force = true}, stub, summary, error);
}

static void send_signal(const struct stub *stub)
{
	if (stub->request[0] == 'm')
		pthread_kill(puller, signal_number);
}

EACH_TEST(visit_begin, visit_end);

TEST(signal_ends_the_session_and_leaves_no_file)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	puller = pthread_self();
	for (size_t i = 0; i < 3; i++) {
		struct stub stub = {.fault = STUB_SILENCE, .on_request = send_signal};
		struct pull_summary summary;
		struct error error;
		sigset_t held;
		signal_number = signals[i];
		assert_int_equal(pull(&stub, &summary, &error), STATUS_FAILED);
		assert_string_equal(error.message, "interrupted");
		assert_string_equal(stub.log, "qr?mD");
		assert_int_equal(summary.block_count, 0);
		assert_int_not_equal(access(visit.output_path, F_OK), 0);
		sigprocmask(SIG_BLOCK, NULL, &held);
		assert_false(sigismember(&held, signals[i]));
	}
}

static void send_interrupt_in_the_greeting(const struct stub *stub)
{
	if (stub->request[0] == '?')
		pthread_kill(puller, SIGINT);
}

TEST(signal_while_connecting_tells_how_the_target_was_left)
{
	struct stub stub = {
	        .fault = STUB_CLOSES_INSTEAD, .fault_at = '?', .on_request = send_interrupt_in_the_greeting};
	struct pull_summary summary;
	struct error error;
	static const char begin[] = "interrupted; gdb:";

	puller = pthread_self();
	assert_int_equal(pull(&stub, &summary, &error), STATUS_FAILED);
	assert_memory_equal(error.message, begin, sizeof begin - 1);
	assert_non_null(strstr(error.message, "the target may have been left halted"));
}

TEST(signal_that_is_ignored_stays_ignored)
{
	struct stub stub = {.on_request = send_signal};
	struct pull_summary summary;
	struct error error;

	puller = pthread_self();
	signal_number = SIGHUP;
	signal(SIGHUP, SIG_IGN);
	enum status status = pull(&stub, &summary, &error);
	signal(SIGHUP, SIG_DFL);
	if (status != STATUS_OK)
		fail_msg("%s", error.message);
}

TEST(capture_outlives_a_leave_taking_that_failed)
{
	struct stub stub = {.fault = STUB_CLOSES_INSTEAD, .fault_at = 'D'};
	struct pull_summary summary;
	struct capture *capture;
	struct error error;

	assert_int_equal(pull(&stub, &summary, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, " is written, but gdb:"));
	assert_non_null(strstr(error.message, "the target may have been left halted"));
	assert_int_equal(summary.block_count, 1);
	if (capture_open(visit.output_path, &capture, &error) != STATUS_OK)
		fail_msg("%s", error.message);
	capture_close(capture);
}

/* The first failure says why, and nothing but the second what is to be done. */
TEST(leave_taking_that_failed_is_told_behind_the_failure_before_it)
{
	struct stub stub = {.fault = STUB_CLOSES_INSTEAD, .fault_at = 'm'};
	struct pull_summary summary;
	struct error error;

	assert_int_equal(pull(&stub, &summary, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "(request 'm"));
	assert_non_null(strstr(error.message, "the target may have been left halted"));
}

/* What is in the target's memory from when it first runs on. */
static struct {
	struct stub *stub;
	uint64_t address;
	const char *bytes;
	size_t size;
} flashed;

static void flash(const struct stub *stub)
{
	if (stub->request[0] == 'c')
		memcpy(flashed.stub->memory + (flashed.address - STUB_BASE), flashed.bytes, flashed.size);
}

static void assert_flashing_is_told(const char *message, bool force)
{
	struct stub stub = {.on_request = flash};
	struct pull_summary summary;
	struct error error = {.message = ""};

	flashed.stub = &stub;
	assert_int_equal(
	        pull_with((struct pull_options){.wait_milliseconds = 10, .force = force}, &stub, &summary, &error),
	        STATUS_FAILED);
	if (strstr(error.message, message) == NULL)
		fail_msg("%s", error.message);
	assert_int_not_equal(access(visit.output_path, F_OK), 0);
}

TEST(firmware_that_was_flashed_during_the_wait_is_told)
{
	static const char build_id[] = {BAREPROF_IDENTITY_BUILD_ID, 2, 0, 0, 0x12, (char)0xAB};
	_Static_assert(BAREPROF_OFFSET_IDENTITY_SIZE == BAREPROF_OFFSET_IDENTITY_KIND + 1, "build_id");
	flashed.address = FIRMWARE_BLOCK + BAREPROF_OFFSET_IDENTITY_KIND;
	flashed.bytes = build_id;
	flashed.size = sizeof build_id;
	assert_flashing_is_told("the target runs another firmware than when the pull began, build 12ab and not without "
	                        "an id: was it flashed meanwhile?",
	                        true);
}

TEST(block_that_is_gone_after_the_wait_is_told)
{
	static const char nothing[FAKE_BLOCK_SIZE];
	flashed.address = FIRMWARE_BLOCK;
	flashed.bytes = nothing;
	flashed.size = sizeof nothing;
	assert_flashing_is_told("the block at 0x20001000 now reads as zeros: was the target reset and is not yet in "
	                        "bareprof_init(), or does it sleep (WFI)? A debugger then needs its debug part kept on",
	                        true);
	flashed.bytes = "x";
	flashed.size = 1;
	assert_flashing_is_told("the block at 0x20001000 is there no more: was the target flashed", true);
}

/* Without a build-id the code says which firmware it is: that of firmware.S, here in memory that the server has. */
TEST(code_that_was_flashed_during_the_wait_is_told)
{
	static const uint8_t code[] = {0x00, 0x00, 0x01, 0x20, 0x09, 0x00, 0x00, 0x20, 0xFF, 0xF7, 0xFE, 0xBF};
	firmware_build(visit.elf_path, "-DSYMBOLS -Wl,-Ttext=0x20000000 -Wl,-Tbss=0x20000100");
	memcpy(fake_at(&visit.fake, FAKE_BASE), code, sizeof code);
	fake_put_block(&visit.fake, FIRMWARE_BLOCK + 0x100);
	struct pull_summary summary;
	struct error error = {.message = ""};
	assert_int_equal(pull_with((struct pull_options){.wait_milliseconds = 10}, &(struct stub){0}, &summary, &error),
	                 STATUS_OK);
	assert_int_equal(summary.identity, IDENTITY_SAME);
	unlink(visit.output_path);
	flashed.address = FAKE_BASE + 8;
	flashed.bytes = "\x00\xBF";
	flashed.size = 2;
	assert_flashing_is_told("the code in the target (CRC-32 ", false);
}
