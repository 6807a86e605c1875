/* SPDX-License-Identifier: MIT */
/* Pulls that let the target run before they read: their requests to the recorder, and disruptions that they detect. */
#include "acquire/pull/session.h"
#include "firmware.h"
#include "session.h"

#include "../sources.h"
#include "test.h"

#include <bareprof/block.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* A disruption of a profile of 12,345 ticks, in epoch 1, after one reset: its state afterwards. */
struct event {
	uint32_t epoch, resets, ticks, state;
	bool is_cold;        /* the block was initialized again */
	bool is_late;        /* no block is there at first */
	bool has_no_request; /* the pull only waits */
	enum disruption expected;
};

/* The recorder in the server's memory, and an event during the wait. */
static struct {
	struct stub *stub;
	unsigned commands[8]; /* in order */
	unsigned command_count;
	const struct event *event;
	/* The thread that gets a signal once, when this command is executed; 0: during the wait. */
	pthread_t puller;
	unsigned interrupts_at;
	bool is_interrupting;
} recorder;

static uint8_t *word_at(unsigned offset)
{
	return recorder.stub->memory + (FIRMWARE_BLOCK + offset - STUB_BASE);
}

static uint32_t get(unsigned offset)
{
	return capture_u32(&(struct capture_order){.address_size = 4}, word_at(offset));
}

static void set(unsigned offset, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		word_at(offset)[i] = (uint8_t)(value >> 8 * i);
}

static void set_state(uint32_t state)
{
	set(BAREPROF_OFFSET_GATE, BAREPROF_GATE(FIRMWARE_BLOCK, state));
}

static void execute(unsigned command)
{
	assert_in_range(recorder.command_count, 0, 7);
	recorder.commands[recorder.command_count++] = command;
	if (command == BAREPROF_COMMAND_START)
		set_state(BAREPROF_STATE_RUNNING);
	if (command == BAREPROF_COMMAND_ARM)
		set_state(BAREPROF_STATE_ARMED);
	if (command == BAREPROF_COMMAND_STOP)
		set_state(BAREPROF_STATE_STOPPED);
}

static void disrupt(const struct event *event)
{
	if (event->is_cold) {
		set(BAREPROF_OFFSET_CONTROL_REQUEST, 0);
		set(BAREPROF_OFFSET_CONTROL_ACKNOWLEDGE, 0);
	}
	set(BAREPROF_OFFSET_EPOCH, event->epoch);
	set(BAREPROF_OFFSET_RESET_COUNT, event->resets);
	set(BAREPROF_OFFSET_TICKS, event->ticks);
	set_state(event->state);
	*word_at(BAREPROF_OFFSET_MAGIC) = (uint8_t)(event->is_late ? 0 : 'B');
	recorder.event = NULL;
}

/* Booting and clearing end as soon as the target runs again. */
static void finish(void)
{
	uint32_t state = get(BAREPROF_OFFSET_GATE) - BAREPROF_GATE(FIRMWARE_BLOCK, 0);

	*word_at(BAREPROF_OFFSET_MAGIC) = 'B';
	if (capture_state_is_clearing(state))
		set_state(state - BAREPROF_STATE_CLEARING);
}

/* The target runs: for a request or, if there is none, for the wait. */
static void serve(const struct stub *stub)
{
	uint32_t request = get(BAREPROF_OFFSET_CONTROL_REQUEST);

	if (stub->request[0] != 'c')
		return;
	unsigned command = request == get(BAREPROF_OFFSET_CONTROL_ACKNOWLEDGE) ? 0 : request & 0xFF;
	finish();
	if (command != 0) {
		execute(command);
		set(BAREPROF_OFFSET_CONTROL_ACKNOWLEDGE, request);
	} else if (recorder.event != NULL) {
		disrupt(recorder.event);
	}
	if (recorder.is_interrupting && command == recorder.interrupts_at) {
		pthread_kill(recorder.puller, SIGINT);
		recorder.is_interrupting = false;
	}
}

static enum status pull_from_recorder(struct pull_options options, struct pull_summary *summary, struct error *error)
{
	struct stub stub = {.offers_no_ack = true, .on_request = serve};

	recorder.stub = &stub;
	recorder.command_count = 0;
	options.force = true;
	return session_pull(&stub, options, summary, error);
}

static struct pull_summary pull(struct pull_options options)
{
	struct pull_summary summary;
	struct error error = {.message = ""};

	assert_success(pull_from_recorder(options, &summary, &error), &error);
	return summary;
}

static int begin(void **state)
{
	int status = session_begin(state);

	memset(&recorder, 0, sizeof recorder);
	fake_set_word(&session.fake, FIRMWARE_BLOCK + BAREPROF_OFFSET_EPOCH, 1);
	fake_set_word(&session.fake, FIRMWARE_BLOCK + BAREPROF_OFFSET_RESET_COUNT, 1);
	return status;
}

EACH_TEST(begin, session_end);

/* Counts between the reset and the trigger would come on top of the requested ticks. */
TEST(profile_stays_stopped_from_before_reset_until_armed)
{
	static const unsigned expected[] = {BAREPROF_COMMAND_STOP, BAREPROF_COMMAND_RESET,
	                                    BAREPROF_COMMAND_TRIGGER_START, BAREPROF_COMMAND_TRIGGER_END,
	                                    BAREPROF_COMMAND_ARM};

	fake_set_word(&session.fake, FIRMWARE_BLOCK + BAREPROF_OFFSET_GATE,
	              BAREPROF_GATE(FIRMWARE_BLOCK, BAREPROF_STATE_RUNNING));
	pull((struct pull_options){.arm = "_start", .ticks = 50, .reset = true});
	assert_int_equal(recorder.command_count, 5);
	assert_memory_equal(recorder.commands, expected, sizeof expected);
}

TEST(disruptions_during_the_wait_are_detected)
{
	enum { running = BAREPROF_STATE_RUNNING, stopped = BAREPROF_STATE_STOPPED };
	static const struct event events[] = {
	        {.epoch = 1, .resets = 1, .ticks = 12400, .state = running, .expected = DISRUPTION_NONE},
	        {.epoch = 1, .resets = 1, .ticks = 12400, .state = stopped, .expected = DISRUPTION_NONE},
	        {.epoch = 2, .resets = 0, .ticks = 70, .state = running, .expected = DISRUPTION_CLEARED},
	        {1, 1, 12400, BAREPROF_STATE_CLEARING_TO_RUN, .expected = DISRUPTION_CLEARED},
	        {.epoch = 1, .resets = 3, .ticks = 12400, .state = running, .expected = DISRUPTION_RESET},
	        {.epoch = 1, .resets = 2, .ticks = 12400, .state = stopped, .expected = DISRUPTION_RESET_STOPPED},
	        {1, 1, 13000, running, .is_cold = true, .expected = DISRUPTION_LOST},
	        {2, 1, 13000, running, .is_cold = true, .expected = DISRUPTION_LOST},
	        {0, 1, 13000, running, .is_cold = true, .has_no_request = true, .expected = DISRUPTION_LOST},
	        {1, 0, 13000, running, .is_cold = true, .has_no_request = true, .expected = DISRUPTION_LOST},
	        {1, 1, 70, running, .is_cold = true, .has_no_request = true, .expected = DISRUPTION_LOST},
	        {0, 0, 70, stopped, .is_cold = true, .expected = DISRUPTION_LOST},
	        {0, 0, 0, stopped, .is_cold = true, .expected = DISRUPTION_LOST_STOPPED},
	        {0, 0, 0, stopped, .is_cold = true, .is_late = true, .expected = DISRUPTION_LOST_STOPPED},
	};

	for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
		recorder.event = &events[i];
		struct pull_summary summary =
		        pull((struct pull_options){.start = !events[i].has_no_request, .wait_milliseconds = 10});
		if (summary.disruption != events[i].expected)
			fail_msg("event %zu: %d, expected %d", i, (int)summary.disruption, (int)events[i].expected);
	}
}

TEST_WITH(requested_reset_is_reported_if_counts_were_kept, NULL, NULL)
{
	assert_int_equal(disruption_of_requested_reset(&(struct capture_header){.reset_count = 1, .ticks = 1}),
	                 DISRUPTION_REQUESTED);
	assert_int_equal(disruption_of_requested_reset(&(struct capture_header){.reset_count = 1}), DISRUPTION_NONE);
	assert_int_equal(disruption_of_requested_reset(&(struct capture_header){.ticks = 1}), DISRUPTION_NONE);
}

/* Checks the note that the command prints after this event. */
static void assert_prints(const struct event *event, const char *option, const char *value, const char *expected)
{
	struct stub stub = {.offers_no_ack = true, .on_request = serve};
	char printed[4096];

	recorder.event = event;
	recorder.stub = &stub;
	recorder.command_count = 0;
	session_start(&stub);
	char *arguments[] = {
	        "pull", stub.source,    "-f",          "-e", session.elf_path, "-o", session.output_path, "--wait",
	        "0.01", (char *)option, (char *)value, NULL};
	session_run_printing(&stub, arguments, stderr, printed);
	assert_contains(printed, expected);
}

TEST(note_explains_what_a_reset_means_for_the_counts)
{
	static const struct event kept = {1, 2, 12400, BAREPROF_STATE_STOPPED, .is_cold = false};
	static const struct event lost = {0, 0, 0, BAREPROF_STATE_STOPPED, .is_cold = true};
	static const struct event counts = {0, 0, 70, BAREPROF_STATE_RUNNING, .is_cold = true};

	assert_prints(&kept, "--start", NULL,
	              "note: the target was reset during the wait, which undid --start: the counts cover the time "
	              "before it; pull again for more\n");
	assert_prints(&lost, "--arm", "_start",
	              "note: the target was reset during the wait and lost its memory, which undid --arm: nothing was "
	              "counted since; pull again\n");
	assert_prints(&lost, "--console", NULL, "lost its memory, which stopped the profile: nothing was counted");
	assert_prints(&counts, "--start", NULL,
	              "note: the target was reset during the wait and lost its memory: the counts cover the time "
	              "since then\n");
}

TEST(interruption_reports_what_goes_on_in_the_target)
{
	static const struct {
		struct pull_options options;
		unsigned at;
		const char *message;
	} cases[] = {
	        {{.reset = true}, 0, "interrupted"},
	        {{.start = true, .stop = true}, 0, "interrupted; the profile keeps running"},
	        {{.start = true, .stop = true}, BAREPROF_COMMAND_STOP, "interrupted"},
	        {{.arm = "_start"}, 0, "interrupted; the profile is left armed"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct pull_options options = cases[i].options;
		struct pull_summary summary;
		struct error error;

		options.wait_milliseconds = cases[i].at == 0 ? 10000 : 10;
		recorder.interrupts_at = cases[i].at;
		recorder.puller = pthread_self();
		recorder.is_interrupting = true;
		assert_int_equal(pull_from_recorder(options, &summary, &error), STATUS_FAILED);
		assert_string_equal(error.message, cases[i].message);
	}
}
