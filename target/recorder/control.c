/* SPDX-License-Identifier: MIT */
/*
 * Start, stop, reset and the clock, asked for by the application or by the host through the control words. Knows
 * nothing of tables.
 *
 * These calls may interrupt one another anywhere. The state changes by exclusive replacement, and the gate is made to
 * follow the state by whoever changed it, until both agree: so the last change wins and the gate never contradicts it.
 */
#include "isa.h"
#include "recorder.h"

static uint32_t gate_of_state(const volatile struct header *header, uint32_t state)
{
	if (state == BAREPROF_STATE_RUNNING)
		return GATE_OPEN(header);
	return state == BAREPROF_STATE_ARMED ? GATE_ARMED(header) : GATE_CLOSED(header);
}

void bareprof_state_change(uint32_t off, uint32_t on)
{
	volatile struct header *header = block_header();
	uint32_t state;

	if (!block_is_initialised(header))
		return;
	do {
		state = header->state;
	} while (!isa_replace(&header->state, state, (((state - 1) & ~off) | on) + 1));
	do {
		state = header->state;
		header->gate = gate_of_state(header, state);
	} while (header->state != state);
}

void bareprof_start(void)
{
	bareprof_state_change(STATE_BIT_ARMED, STATE_BIT_RUNNING);
}

void bareprof_stop(void)
{
	bareprof_state_change(STATE_BIT_ARMED | STATE_BIT_RUNNING, 0);
}

void bareprof_reset(void)
{
	bareprof_state_change(0, STATE_BIT_CLEARING);
}

/* The gate closes first: nothing is counted at the new rate into the old epoch. */
void bareprof_clock_changed(uint32_t hz)
{
	volatile struct header *header = block_header();

	if (!block_is_initialised(header))
		return;
	bareprof_reset();
	header->clock_hz = hz;
}

static bool period_change(volatile struct header *header, uint32_t period)
{
	if (bareprof_layout.config.set_period == NULL || period == 0)
		return false;
	bareprof_reset();
	bareprof_layout.config.set_period(period);
	header->period = period;
	return true;
}

/* False: refused. */
static bool request_execute(volatile struct header *header, uint32_t command)
{
	const uint32_t argument = header->control_argument;

	switch (command) {
	case BAREPROF_COMMAND_START:
		bareprof_start();
		return true;
	case BAREPROF_COMMAND_STOP:
		bareprof_stop();
		return true;
	case BAREPROF_COMMAND_RESET:
		bareprof_reset();
		return true;
	case BAREPROF_COMMAND_PERIOD:
		return period_change(header, argument);
	case BAREPROF_COMMAND_TRIGGER_START:
		header->trigger_start = argument;
		return true;
	case BAREPROF_COMMAND_TRIGGER_END:
		header->trigger_end = argument;
		return true;
	case BAREPROF_COMMAND_ARM:
		bareprof_arm_for(argument);
		return true;
	default:
		return false;
	}
}

void bareprof_request_serve(volatile struct header *header)
{
	const uint32_t request = header->control_request;
	const uint32_t refusal = request | BAREPROF_COMMAND_REFUSED;

	if ((header->control_acknowledge | BAREPROF_COMMAND_REFUSED) == refusal)
		return;
	header->control_acknowledge = request_execute(header, request & 0xFFu) ? request : refusal;
}
