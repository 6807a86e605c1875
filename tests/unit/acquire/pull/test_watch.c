/* SPDX-License-Identifier: MIT */
/* Captures in a row: their names, failures among them, and how they end. */
#include "acquire/pull/watch.h"
#include "command/captures.h"
#include "firmware.h"
#include "session.h"

#include "../sources.h"
#include "test.h"

#include <bareprof/block.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATHS_MAX 8

/* A server whose target counts 100 ticks each time that it runs, and the reports of a watch. */
static struct {
	struct stub stub, other; /* other: where the target is found again */
	struct source source;
	unsigned runs;
	unsigned faulty_run; /* reads fail from this run on */
	enum stub_fault fault;
	bool is_fixed; /* the fault ends when a failure is reported */
	bool recurs;   /* the fault is back at every other run */
	bool moves;    /* after the first failure the target is at the other server */
	unsigned interrupted_run;
	pthread_t puller;
	struct watch_options options;
	struct watch_summary summary;
	char paths[PATHS_MAX][512];
	uint32_t ticks[PATHS_MAX];
	unsigned taken, failed;
	char message[512];
	struct error error;
} watched;

static void serve(const struct stub *stub)
{
	uint8_t *ticks = watched.stub.memory + (FIRMWARE_BLOCK + BAREPROF_OFFSET_TICKS - STUB_BASE);

	if (stub != &watched.stub || stub->request[0] != 'c')
		return;
	watched.runs++;
	ticks[0] = (uint8_t)(ticks[0] + 100);
	ticks[1] = (uint8_t)(ticks[1] + (ticks[0] < 100));
	if (watched.runs == watched.faulty_run)
		watched.stub.fault = watched.fault;
	if (watched.runs == watched.interrupted_run)
		pthread_kill(watched.puller, SIGINT);
}

static void on_taken(void *context, const char *path, const struct pull_summary *summary)
{
	assert_ptr_equal(context, &watched);
	assert_in_range(watched.taken, 0, PATHS_MAX - 1);
	snprintf(watched.paths[watched.taken], sizeof watched.paths[0], "%s", path);
	watched.ticks[watched.taken++] = summary->blocks[0].ticks;
}

static void on_failed(void *context, const char *message)
{
	assert_ptr_equal(context, &watched);
	watched.failed++;
	snprintf(watched.message, sizeof watched.message, "%s", message);
	if (watched.is_fixed)
		watched.stub.fault = STUB_NO_FAULT;
	if (watched.recurs)
		watched.faulty_run += 2;
	if (watched.moves && watched.failed == 1) {
		stub_join(&watched.stub);
		session_start(&watched.other);
		watched.source = *resolved_source(watched.other.source);
	}
}

static const char *name_of(uint32_t number)
{
	return release_later(numbered_name(session.output_path, number), free);
}

static int begin(void **state)
{
	int status = session_begin(state);

	memset(&watched, 0, sizeof watched);
	watched.stub.on_request = serve;
	watched.faulty_run = 1;
	watched.puller = pthread_self();
	watched.options = (struct watch_options){
	        .pull = {.elf_path = session.elf_path, .output_path = session.output_path, .force = true},
	        .milliseconds = 1,
	        .context = &watched,
	        .taken = on_taken,
	        .failed = on_failed,
	};
	session_start(&watched.stub);
	watched.source = *resolved_source(watched.stub.source);
	watched.options.pull.source = &watched.source;
	return status;
}

static int end(void **state)
{
	for (uint32_t number = 1; number <= PATHS_MAX; number++)
		unlink(name_of(number));
	return session_end(state);
}

static enum status watch(void)
{
	enum status status = watch_run(&watched.options, &watched.summary, &watched.error);

	stub_join(watched.moves ? &watched.other : &watched.stub);
	assert_int_equal(watched.summary.taken, watched.taken);
	return status;
}

static void assert_watched(void)
{
	assert_success(watch(), &watched.error);
}

static void assert_name(unsigned index, uint32_t number)
{
	assert_string_equal(watched.paths[index], name_of(number));
}

EACH_TEST(begin, end);

TEST_WITH(number_replaces_its_placeholder_or_precedes_the_suffix, NULL, NULL)
{
	static const struct {
		const char *name;
		uint32_t number;
		const char *expected;
	} names[] = {
	        {"run.bprof", 1, "run-0001.bprof"},
	        {"a.b/run", 23, "a.b/run-0023"},
	        {"a/.run", 4, "a/.run-0004"},
	        {"run.of.day.bprof", 12345, "run.of.day-12345.bprof"},
	        {"%d-run.bprof", 7, "0007-run.bprof"},
	        {"100%.bprof", UINT32_MAX, "100%-4294967295.bprof"},
	        {"%d%d%s", 1, "0001%d%s"},
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_string_equal(release_later(numbered_name(names[i].name, names[i].number), free),
		                    names[i].expected);
}

TEST(captures_share_a_connection_and_overwrite_no_file)
{
	assert_int_equal(symlink("nowhere", name_of(2)), 0);
	watched.options.count = 3;
	assert_watched();
	assert_int_equal(watched.taken, 3);
	assert_int_equal(watched.summary.failed, 0);
	for (unsigned i = 0; i < 3; i++) {
		assert_name(i, i == 0 ? 1 : i + 2);
		assert_int_equal(watched.ticks[i], 12345 + 100 * i);
		firmware_open_capture(watched.paths[i]);
	}
	assert_int_not_equal(access("nowhere", F_OK), 0);
}

TEST(failed_capture_is_reported_and_the_next_one_taken)
{
	watched.options.count = 2;
	watched.fault = STUB_ERROR;
	watched.is_fixed = true;
	assert_watched();
	assert_int_equal(watched.failed, 1);
	assert_int_equal(watched.summary.failed, 1);
	assert_contains(watched.message, "the gdb server answered 'E01'");
	assert_name(0, 1);
	assert_name(1, 2);
}

TEST(only_failures_in_a_row_end_the_watch)
{
	watched.options.count = WATCH_FAILURES_MAX + 2;
	watched.fault = STUB_ERROR;
	watched.is_fixed = watched.recurs = true;
	assert_watched();
	assert_int_equal(watched.summary.failed, WATCH_FAILURES_MAX + 1);
}

TEST(watch_reconnects_to_a_lost_target)
{
	watched.options.count = 2;
	watched.fault = STUB_CLOSES_INSTEAD;
	watched.moves = true;
	assert_watched();
	assert_int_equal(watched.failed, 1);
	assert_int_equal(watched.ticks[1], 12345);
}

/* Only the failed run is reported. */
TEST(watch_reconnects_to_a_target_lost_while_it_ran)
{
	watched.options.count = 3;
	watched.stub.fault_at = 'c'; /* the second one */
	watched.fault = STUB_CLOSES_INSTEAD;
	watched.moves = true;
	assert_watched();
	assert_int_equal(watched.failed, 1);
}

TEST(target_without_its_block_after_reconnecting_is_refused)
{
	watched.fault = STUB_CLOSES_INSTEAD;
	watched.moves = true;
	watched.other.fault = STUB_ERROR;
	assert_failure(watch(), &watched.error, "");
	assert_int_equal(watched.taken, 1);
	assert_int_equal(watched.summary.failed, WATCH_FAILURES_MAX);
}

TEST_WITH(failures_in_a_row_are_bounded, NULL, NULL)
{
	/* The last error also reports how the target was left, after all attempts to reconnect. */
	static const struct {
		enum stub_fault fault;
		const char *failure, *left;
	} cases[] = {
	        {STUB_ERROR, "the gdb server answered 'E01'", ""},
	        {STUB_CLOSES_INSTEAD, "cannot connect", "the target may have been left halted"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		begin(state);
		watched.fault = cases[i].fault;
		assert_failure(watch(), &watched.error, cases[i].failure);
		assert_contains(watched.error.message, cases[i].left);
		assert_int_equal(watched.taken, 1);
		assert_int_equal(watched.failed, WATCH_FAILURES_MAX - 1);
		assert_int_equal(watched.summary.failed, WATCH_FAILURES_MAX);
		assert_int_equal(access(watched.paths[0], F_OK), 0);
		end(state);
	}
}

TEST(signal_ends_the_watch_and_leaves_the_target_running)
{
	sigset_t held;

	watched.options.milliseconds = 60000;
	watched.interrupted_run = 1;
	assert_watched();
	assert_int_equal(watched.taken, 1);
	assert_int_equal(watched.failed, 0);
	assert_int_equal(watched.stub.log[strlen(watched.stub.log) - 1], 'D');
	sigprocmask(SIG_BLOCK, NULL, &held);
	assert_false(sigismember(&held, SIGINT));
}

TEST(signal_before_the_first_capture_is_an_interruption)
{
	watched.options.pull.wait_milliseconds = 60000;
	watched.interrupted_run = 1;
	assert_failure(watch(), &watched.error, "interrupted");
	assert_int_equal(watched.taken, 0);
}

TEST(unwritable_file_is_reported_before_connecting)
{
	watched.options.pull.output_path = "no/such/folder/x.bprof";
	assert_failure(watch_run(&watched.options, &watched.summary, &watched.error), &watched.error,
	               "no/such/folder/x-0001.bprof");
	assert_string_equal(watched.stub.log, "");
	watched.options.pull.output_path = session.output_path;
	watched.options.count = 1;
	assert_watched();
}

TEST(each_capture_prints_a_line)
{
	char printed[4096], expected[1024];
	char *arguments[] = {
	        "pull",  watched.stub.source, "-f", "-e", session.elf_path, "-o", session.output_path, "--watch",
	        "0.001", "--count",           "2",  NULL};

	watched.stub.memory[FIRMWARE_BLOCK + BAREPROF_OFFSET_GATE - STUB_BASE] =
	        (uint8_t)BAREPROF_GATE(FIRMWARE_BLOCK, BAREPROF_STATE_RUNNING);
	session_run_printing(&watched.stub, arguments, stderr, printed);
	for (unsigned i = 0; i < 2; i++) {
		snprintf(expected, sizeof expected,
		         "%s: 12,%u45 ticks, running, identity not checked, 0 ticks passed while it was read\n",
		         name_of(i + 1), 3 + i);
		assert_contains(printed, expected);
	}
	assert_contains(printed, "\n2 captures taken\n");
}
