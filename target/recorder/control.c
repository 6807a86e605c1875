/* SPDX-License-Identifier: MIT */
/*
 * Start, stop, reset and all other requests of the host through the control words.
 *
 * These functions may interrupt one another anywhere. State and gate are one word, which changes by exclusive
 * replacement. So the last change wins, and recording never contradicts the state.
 */
#include "isa.h"
#include "recorder.h"

BAREPROF_CODE(bareprof_state_change) bool bareprof_state_change(uint32_t transition)
{
	volatile struct header *header = block_header();
	uint32_t state;
	uint32_t next;

	do {
		state = block_state(header);
		if (state > BAREPROF_STATE_MAX)
			return false;
		if (transition == TRANSITION_START)
			header->trigger.window = 0;
		next = (state & ~(transition >> 4)) | (transition & 0xFu);
	} while (!isa_replace(&header->gate, BAREPROF_GATE((uintptr_t)header, state),
	                      BAREPROF_GATE((uintptr_t)header, next)));
	return true;
}

BAREPROF_CODE(bareprof_start) void bareprof_start(void)
{
	bareprof_state_change(TRANSITION_START);
}

BAREPROF_CODE(bareprof_stop) void bareprof_stop(void)
{
	bareprof_state_change(TRANSITION_STOP);
}

BAREPROF_CODE(bareprof_reset) void bareprof_reset(void)
{
	bareprof_state_change(TRANSITION_RESET);
}

/* The default limits. Five quarters of the longest period still fit a word. */
#define PERIOD_MIN BAREPROF_DITHERED_PERIOD_MIN
#define PERIOD_MAX 3000000000u

BAREPROF_INLINE bool period_change(volatile struct header *header, uint32_t period)
{
	const struct bareprof_config *config = &bareprof_layout.config;
	uint32_t minimum;
	uint32_t maximum;

	KEEP_ADDRESS(config);
	minimum = config->period_min;
	maximum = config->period_max;
	if (minimum == 0)
		minimum = PERIOD_MIN;
	if (maximum == 0)
		maximum = PERIOD_MAX;
	if (period < minimum || period > maximum || config->set_period == NULL)
		return false;
	config->set_period(period);
	header->period = period;
	return true;
}

/* Transitions by command. A new period begins with a reset. */
static const uint8_t transitions[] = {
        [BAREPROF_COMMAND_START] = TRANSITION_START, [BAREPROF_COMMAND_STOP] = TRANSITION_STOP,
        [BAREPROF_COMMAND_RESET] = TRANSITION_RESET, [BAREPROF_COMMAND_PERIOD] = TRANSITION_RESET,
        [BAREPROF_COMMAND_ARM] = TRANSITION_ARM,
};

/* The words of the trigger are in the order of the commands that set them. */
#define FIRST_WORD (offsetof(struct header, trigger) / 4 - BAREPROF_COMMAND_TRIGGER_START)

/* Returns false if the request is refused. */
BAREPROF_INLINE bool request_execute(volatile struct header *header, uint32_t command)
{
	const uint32_t argument = header->control_argument;

	if (command - 1 >= BAREPROF_COMMAND_ARM)
		return false;
	if (command >= BAREPROF_COMMAND_TRIGGER_START)
		((volatile uint32_t *)header)[FIRST_WORD + command] = argument;
	if (command == BAREPROF_COMMAND_PERIOD && !period_change(header, argument))
		return false;
	bareprof_state_change(transitions[command]);
	return true;
}

BAREPROF_CODE(bareprof_request_serve) void bareprof_request_serve(volatile struct header *header)
{
	const uint32_t request = header->control_request;
	const uint32_t acknowledge = header->control_acknowledge;
	const uint32_t refusal = request | BAREPROF_COMMAND_REFUSED;

	if (acknowledge == request || acknowledge == refusal)
		return;
	header->control_acknowledge = request_execute(header, request & 0xFFu) ? request : refusal;
}
