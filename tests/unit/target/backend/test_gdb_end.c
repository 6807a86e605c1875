/* SPDX-License-Identifier: MIT */
/* How a session with a GDB stub ends when it is interrupted, too slow, or not taken leave of: never silently halted. */
#include "../sources.h"
#include "base/clock.h"
#include "stub.h"
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Far more than any of these tests waits; under a sanitizer on a busy machine, a second may become several. */
#define LONG_TIMEOUT "60"
#define SOON         10000

static int cancel[2];

static int open_cancel(void **state)
{
	return pipe(cancel);
}

static int close_cancel(void **state)
{
	close(cancel[0]);
	close(cancel[1]);
	return 0;
}

static void interrupt_the_host(const struct stub *stub)
{
	if (strchr("mc", stub->request[0]) != NULL)
		assert_int_equal(write(cancel[1], "x", 1), 1);
}

static struct target *connect_to(struct stub *stub, const char *timeout)
{
	char source[128];
	struct target *target;
	struct error error;
	struct target_setup setup = TARGET_SETUP_DEFAULT;

	setup.cancel = cancel[0];
	stub_start(stub);
	snprintf(source, sizeof source, "%s,timeout=%s", stub->source, timeout);
	if (open_source(source, &setup, &target, &error) != STATUS_OK)
		fail_msg("%s", error.message);
	return target;
}

static void assert_says(const struct error *error, const char *part)
{
	if (strstr(error->message, part) == NULL)
		fail_msg("'%s' does not say '%s'", error->message, part);
}

EACH_TEST(open_cancel, close_cancel);

/* With an answer that never comes, and with one that comes behind the interruption. */
TEST(interrupted_read_takes_leave_at_once)
{
	static const enum stub_fault faults[] = {STUB_SILENCE, STUB_NO_FAULT};
	for (size_t i = 0; i < 2; i++) {
		struct stub stub = {.fault = faults[i], .on_request = interrupt_the_host};
		struct error error;
		uint8_t bytes[16];
		char byte;
		struct target *target = connect_to(&stub, LONG_TIMEOUT);
		uint64_t begin = clock_now();
		assert_int_equal(target_read(target, STUB_BASE, bytes, sizeof bytes, &error), STATUS_FAILED);
		assert_says(&error, "interrupted");
		assert_int_equal(target_close(target, &error), STATUS_OK);
		assert_true(clock_now() - begin < SOON);
		stub_join(&stub);
		assert_string_equal(stub.log, "qr?mD");
		assert_int_equal(read(cancel[0], &byte, 1), 1);
	}
}

TEST(interrupted_run_stops_the_target_and_takes_leave)
{
	struct stub stub = {.on_request = interrupt_the_host};
	struct error error;

	struct target *target = connect_to(&stub, LONG_TIMEOUT);
	uint64_t begin = clock_now();
	assert_int_equal(target_run(target, 60000, &error), STATUS_FAILED);
	assert_says(&error, "interrupted");
	assert_int_equal(target_run(target, 60000, &error), STATUS_FAILED);
	assert_int_equal(target_close(target, &error), STATUS_OK);
	assert_true(clock_now() - begin < SOON);
	stub_join(&stub);
	assert_string_equal(stub.log, "qr?c^D");
}

TEST(stub_that_hangs_up_on_detaching_may_be_halted)
{
	struct stub stub = {.fault = STUB_CLOSES_INSTEAD, .fault_at = 'D'};
	struct error error;

	struct target *target = connect_to(&stub, LONG_TIMEOUT);
	assert_int_equal(target_close(target, &error), STATUS_FAILED);
	assert_says(&error, ": the target may have been left halted: the other end closed the connection");
	stub_join(&stub);
}

static void take_your_time(const struct stub *stub)
{
	if (stub->request[0] == 'm')
		usleep(20000);
}

/* Each answer is in time and gives a byte. */
TEST(stub_that_trickles_is_given_up)
{
	static uint8_t bytes[STUB_SIZE];
	struct stub stub = {.fault = STUB_ONE_BYTE, .on_request = take_your_time};
	struct error error;

	struct target *target = connect_to(&stub, "0.5");
	uint64_t begin = clock_now();
	assert_int_equal(target_read(target, STUB_BASE, bytes, sizeof bytes, &error), STATUS_FAILED);
	assert_says(&error, "the gdb server is too slow: ");
	assert_true(clock_now() - begin < SOON);
	assert_int_equal(target_close(target, &error), STATUS_OK);
	stub_join(&stub);
}
