/* SPDX-License-Identifier: MIT */
/* A pull that lets the target run in between: what it asks of the recorder, and what it tells of a profile that did not
 * stay the one it was. */
#include "firmware.h"
#include "pull/pull.h"
#include "visit.h"

#include <bareprof/block.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* The recorder in the server's memory, and what happens to it during the wait. */
static struct {
	struct stub *stub;
	unsigned commands[8]; /* in order */
	unsigned command_count;
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

static void carry_out(unsigned command)
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

static void serve(const struct stub *stub)
{
	uint32_t request = get(BAREPROF_OFFSET_CONTROL_REQUEST);

	if (stub->request[0] != 'c')
		return;
	if (request != get(BAREPROF_OFFSET_CONTROL_ACKNOWLEDGE))
		carry_out(request & 0xFF);
	set(BAREPROF_OFFSET_CONTROL_ACKNOWLEDGE, request);
}

/* The options beside where from, of which ELF and where to. */
static void pull(struct pull_options options)
{
	struct stub stub = {.on_request = serve};
	struct pull_summary summary;
	struct error error = {""};

	memset(&recorder, 0, sizeof recorder);
	recorder.stub = &stub;
	visit_start(&stub);
	options.source = stub.source;
	options.elf_path = visit.elf_path;
	options.output_path = visit.output_path;
	options.force = true;
	enum status status = pull_run(&options, &summary, &error);
	stub_join(&stub);
	if (status)
		fail_msg("%s", error.message);
}

/* What it counted between the reset and the trigger would come on top of the ticks that were asked for. */
static void profile_stands_still_from_before_the_reset_until_it_is_armed(void **state)
{
	(void)state;
	static const unsigned expected[] = {BAREPROF_COMMAND_STOP, BAREPROF_COMMAND_RESET,
	                                    BAREPROF_COMMAND_TRIGGER_START, BAREPROF_COMMAND_TRIGGER_END,
	                                    BAREPROF_COMMAND_ARM};
	fake_set_word(&visit.fake, FIRMWARE_BLOCK + BAREPROF_OFFSET_GATE,
	              BAREPROF_GATE(FIRMWARE_BLOCK, BAREPROF_STATE_RUNNING));
	pull((struct pull_options){.arm = "_start", .ticks = 50, .reset = true});
	assert_int_equal(recorder.command_count, 5);
	assert_memory_equal(recorder.commands, expected, sizeof expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(profile_stands_still_from_before_the_reset_until_it_is_armed,
	                                        visit_begin, visit_end),
	};
	return cmocka_run_group_tests_name("pull/wait", tests, NULL, NULL);
}
