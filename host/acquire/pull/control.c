/* SPDX-License-Identifier: MIT */
/* See control.h. */
#include "acquire/pull/control.h"

#include "base/clock.h"

#include <bareprof/block.h>
#include <inttypes.h>
#include <string.h>

/* A round is as long as all before it, within these limits. The first ones are short, because most recorders answer in
 * them; an emulator on a busy machine may need a longer one to run at all. */
#define SHORTEST_ROUND_MILLISECONDS 10u
#define LONGEST_ROUND_MILLISECONDS  100u

#define REPLY_MILLISECONDS 2000u

/* On a slow line, this much of the target's time is enough when this much of the host's has passed. */
#define SLOW_REPLY_MILLISECONDS 500u
#define HOST_REPLY_MILLISECONDS 5000u

/* The maximum number of times that progress restarts the timer while a block is cleared. */
#define SLOWEST_RESET_ROUNDS 64u

/* How long a recorder may take to react. This is measured in the target's time and in the host's, because reads between
 * rounds may take long on a slow line. */
struct reply_timer {
	unsigned waited; /* milliseconds that the target ran */
	uint64_t deadline;
};

static const char silence[] = "is the sampling timer running and its interrupt enabled?";

static struct reply_timer reply_timer_begin(void)
{
	return (struct reply_timer){.deadline = clock_now() + HOST_REPLY_MILLISECONDS};
}

static bool reply_timer_is_over(const struct reply_timer *timer)
{
	return timer->waited >= REPLY_MILLISECONDS ||
	       (timer->waited >= SLOW_REPLY_MILLISECONDS && clock_now() >= timer->deadline);
}

/* Lets the target run for one round. */
static enum status reply_timer_run(struct reply_timer *timer, struct target *target, struct error *error)
{
	unsigned round = timer->waited;

	if (round < SHORTEST_ROUND_MILLISECONDS)
		round = SHORTEST_ROUND_MILLISECONDS;
	if (round > LONGEST_ROUND_MILLISECONDS)
		round = LONGEST_ROUND_MILLISECONDS;
	timer->waited += round;
	return target_run(target, round, error);
}

static void encode_u32(const struct capture_order *order, uint32_t value, uint8_t *bytes)
{
	for (unsigned i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(value >> 8 * (order->big_endian ? 3 - i : i));
}

static enum status read_block_word(struct target *target, const struct capture_header *block, unsigned offset,
                                   uint32_t *value, struct error *error)
{
	uint8_t bytes[4];
	enum status status = target_read(target, block->block_address + offset, bytes, sizeof bytes, error);

	*value = status ? 0 : capture_u32(&block->order, bytes);
	return status;
}

static enum status write_block_word(struct target *target, const struct capture_header *block, unsigned offset,
                                    uint32_t value, struct error *error)
{
	uint8_t bytes[4];

	encode_u32(&block->order, value, bytes);
	return target_write(target, block->block_address + offset, bytes, sizeof bytes, error);
}

struct command_text {
	const char *name;
	const char *doing; /* state of the profile during the request */
};

static const struct command_text *command_text(unsigned command)
{
	static const struct command_text texts[] = {
	        {"do that", "asked for that"},
	        [BAREPROF_COMMAND_START] = {"start", "started"},
	        [BAREPROF_COMMAND_STOP] = {"stop", "stopped"},
	        [BAREPROF_COMMAND_RESET] = {"reset", "reset"},
	        [BAREPROF_COMMAND_PERIOD] = {"change the period", "given another period"},
	        [BAREPROF_COMMAND_TRIGGER_START] = {"set the start of the trigger", "armed"},
	        [BAREPROF_COMMAND_TRIGGER_END] = {"set the end of the trigger", "armed"},
	        [BAREPROF_COMMAND_ARM] = {"arm", "armed"},
	};

	return &texts[command < sizeof texts / sizeof *texts ? command : 0];
}

/* Adds the purpose of the failed access to the error; the backend does not know it. */
static enum status fail_while(unsigned command, struct error *error)
{
	const struct error cause = *error;

	return status_fail(error, "%s (while the profile was being %s)", cause.message, command_text(command)->doing);
}

/* Picks a sequence number that differs from the last acknowledgement and from a pending request. */
static enum status new_request(struct target *target, const struct capture_header *block, unsigned command,
                               uint32_t *request, struct error *error)
{
	uint32_t last, acknowledged;

	enum status status = read_block_word(target, block, BAREPROF_OFFSET_CONTROL_REQUEST, &last, error);
	if (status == STATUS_OK)
		status = read_block_word(target, block, BAREPROF_OFFSET_CONTROL_ACKNOWLEDGE, &acknowledged, error);
	if (status != STATUS_OK)
		return status;
	uint32_t sequence = ((last >> 8) + 1) & 0xFFFFFF;
	if (sequence == acknowledged >> 8)
		sequence = (sequence + 1) & 0xFFFFFF;
	*request = BAREPROF_REQUEST(sequence, command);
	return STATUS_OK;
}

static enum status send_control_request(struct target *target, const struct capture_header *block, unsigned command,
                                        uint32_t argument, uint32_t *request, struct error *error)
{
	enum status status = new_request(target, block, command, request, error);

	if (status == STATUS_OK)
		status = write_block_word(target, block, BAREPROF_OFFSET_CONTROL_ARGUMENT, argument, error);
	return status != STATUS_OK ? status
	                           : write_block_word(target, block, BAREPROF_OFFSET_CONTROL_REQUEST, *request, error);
}

/* *answer: the last acknowledgement seen, to this request or, after the time-out, to an earlier one. */
static enum status await_acknowledgement(struct target *target, const struct capture_header *block, uint32_t request,
                                         uint32_t *answer, struct error *error)
{
	struct reply_timer timer = reply_timer_begin();
	enum status status = STATUS_OK;

	*answer = 0;
	while (status == STATUS_OK && (*answer & ~(uint32_t)BAREPROF_COMMAND_REFUSED) != request &&
	       !reply_timer_is_over(&timer)) {
		status = reply_timer_run(&timer, target, error);
		if (status == STATUS_OK)
			status = read_block_word(target, block, BAREPROF_OFFSET_CONTROL_ACKNOWLEDGE, answer, error);
	}
	return status;
}

enum status control_request(struct target *target, const struct capture_header *block, unsigned command,
                            uint32_t argument, struct error *error)
{
	uint32_t request, answer;

	enum status status = send_control_request(target, block, command, argument, &request, error);
	if (status == STATUS_OK)
		status = await_acknowledgement(target, block, request, &answer, error);
	if (status != STATUS_OK)
		return fail_while(command, error);
	if (answer == request)
		return STATUS_OK;
	if (answer == (request | BAREPROF_COMMAND_REFUSED))
		return status_fail(error, "%s: the recorder at 0x%08" PRIx64 " refused to %s", target->source,
		                   block->block_address, command_text(command)->name);
	return status_fail(error, "%s: asked to %s, the recorder at 0x%08" PRIx64 " did not answer: %s", target->source,
	                   command_text(command)->name, block->block_address, silence);
}

enum status control_arm(struct target *target, const struct capture_header *block, const struct trigger *trigger,
                        struct error *error)
{
	const struct {
		unsigned command;
		uint32_t argument;
	} requests[] = {{BAREPROF_COMMAND_TRIGGER_START, trigger->start},
	                {BAREPROF_COMMAND_TRIGGER_END, trigger->end},
	                {BAREPROF_COMMAND_ARM, trigger->ticks}};
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < sizeof requests / sizeof *requests; i++)
		status = control_request(target, block, requests[i].command, requests[i].argument, error);
	return status;
}

static enum status reset_under_way(struct target *target, const struct capture_header *block, bool *under_way,
                                   uint32_t *progress, struct error *error)
{
	uint32_t gate;

	enum status status = read_block_word(target, block, BAREPROF_OFFSET_GATE, &gate, error);
	if (status == STATUS_OK)
		status = read_block_word(target, block, BAREPROF_OFFSET_LEFT_TO_CLEAR, progress, error);
	*under_way = status == STATUS_OK && capture_state_is_clearing(gate - BAREPROF_GATE(block->block_address, 0));
	return status;
}

enum status control_await_reset(struct target *target, const struct capture_header *block, struct error *error)
{
	/* A value that rises, or falls in tiny steps, must not prolong the wait without end. */
	const uint32_t max = block->block_size, min_step = block->block_size / SLOWEST_RESET_ROUNDS;
	uint32_t lowest = 0, left = 0;
	bool under_way = false;

	enum status status = reset_under_way(target, block, &under_way, &lowest, error);
	bool has_begun = lowest > 0;
	lowest = lowest < max ? lowest : max;
	struct reply_timer timer = reply_timer_begin();
	while (status == STATUS_OK && under_way && !reply_timer_is_over(&timer)) {
		status = reply_timer_run(&timer, target, error);
		if (status == STATUS_OK)
			status = reset_under_way(target, block, &under_way, &left, error);
		/* The value is 0 before the first step. From then on only a decrease counts as progress, so that a
		 * target that keeps restarting is given up. */
		if (status == STATUS_OK && (has_begun ? left < lowest && lowest - left >= min_step : left > 0)) {
			has_begun = true;
			lowest = left < max ? left : max;
			timer = reply_timer_begin();
		}
	}
	if (status != STATUS_OK)
		return fail_while(BAREPROF_COMMAND_RESET, error);
	if (!under_way)
		return STATUS_OK;
	return status_fail(error, "%s: the reset of the block at 0x%08" PRIx64 " does not come to an end: %s",
	                   target->source, block->block_address, silence);
}

enum status trigger_find(const struct image *image, const char *function, struct trigger *trigger, struct error *error)
{
	const struct image_function *found = NULL;

	for (size_t i = 0; i < image->function_count; i++) {
		const struct image_function *candidate = &image->functions[i];

		if (strcmp(candidate->name, function) != 0)
			continue;
		if (found != NULL)
			return status_fail(error,
			                   "%s: %.100s is ambiguous: code of this name is at 0x%08" PRIx64
			                   " and at 0x%08" PRIx64,
			                   image->path, function, found->start, candidate->start);
		found = candidate;
	}
	if (found == NULL)
		return status_fail(error, "%s: there is no function %.100s", image->path, function);
	if (found->end > UINT32_MAX)
		return status_fail(error, "%s: %.100s is above 4 GB, where the recorder takes no trigger", image->path,
		                   function);
	if (image_is_recorder(image, found->start))
		return status_fail(error, "%s: %.100s is the recorder's own code, whose calls are not counted",
		                   image->path, function);
	trigger->start = (uint32_t)found->start;
	trigger->end = (uint32_t)found->end;
	return STATUS_OK;
}
