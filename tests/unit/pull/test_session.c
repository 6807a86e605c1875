/* SPDX-License-Identifier: MIT */
/* A pull from a gdb server that ends early: the target goes on, and a file is left only where it is whole. */
#include "capture/capture.h"
#include "pull/pull.h"
#include "visit.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static pthread_t puller;
static int signal_number;

static enum status pull(struct stub *stub, struct pull_summary *summary, struct error *error)
{
	visit_start(stub);
	struct pull_options options = {
	        .source = stub->source, .elf_path = visit.elf_path, .output_path = visit.output_path, .force = true};
	enum status status = pull_run(&options, summary, error);
	stub_join(stub);
	return status;
}

static void send_signal(const struct stub *stub)
{
	if (stub->request[0] == 'm')
		pthread_kill(puller, signal_number);
}

static void signal_ends_the_session_and_leaves_no_file(void **state)
{
	(void)state;
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
		assert_string_equal(stub.log, "q?mD");
		assert_int_equal(summary.block_count, 0);
		assert_int_not_equal(access(visit.output_path, F_OK), 0);
		sigprocmask(SIG_BLOCK, NULL, &held);
		assert_false(sigismember(&held, signals[i]));
	}
}

static void signal_that_is_ignored_stays_ignored(void **state)
{
	(void)state;
	struct stub stub = {.on_request = send_signal};
	struct pull_summary summary;
	struct error error;

	puller = pthread_self();
	signal_number = SIGHUP;
	signal(SIGHUP, SIG_IGN);
	enum status status = pull(&stub, &summary, &error);
	signal(SIGHUP, SIG_DFL);
	if (status)
		fail_msg("%s", error.message);
}

static void capture_outlives_a_leave_taking_that_failed(void **state)
{
	(void)state;
	struct stub stub = {.fault = STUB_CLOSES_INSTEAD, .fault_at = 'D'};
	struct pull_summary summary;
	struct capture *capture;
	struct error error;

	assert_int_equal(pull(&stub, &summary, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, " is written, but gdb:"));
	assert_non_null(strstr(error.message, "the target may have been left halted"));
	assert_int_equal(summary.block_count, 1);
	if (capture_open(visit.output_path, &capture, &error))
		fail_msg("%s", error.message);
	capture_close(capture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(signal_ends_the_session_and_leaves_no_file, visit_begin, visit_end),
	        cmocka_unit_test_setup_teardown(signal_that_is_ignored_stays_ignored, visit_begin, visit_end),
	        cmocka_unit_test_setup_teardown(capture_outlives_a_leave_taking_that_failed, visit_begin, visit_end),
	};
	return cmocka_run_group_tests_name("pull/session", tests, NULL, NULL);
}
