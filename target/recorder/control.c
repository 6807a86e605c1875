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

static void gate_follow_state(volatile struct header *header)
{
	uint32_t state;

	do {
		state = header->state;
		header->gate = state == BAREPROF_STATE_RUNNING ? block_gate_open() : block_gate_closed();
	} while (header->state != state);
}

void bareprof_state_change(uint32_t off, uint32_t on)
{
	volatile struct header *header = block_header();
	uint32_t state;

	do {
		state = header->state;
	} while (!isa_replace(&header->state, state, (((state - 1) & ~off) | on) + 1));
	gate_follow_state(header);
}

void bareprof_start(void)
{
	if (block_is_initialised())
		bareprof_state_change(0, STATE_BIT_RUNNING);
}

void bareprof_stop(void)
{
	if (block_is_initialised())
		bareprof_state_change(STATE_BIT_RUNNING, 0);
}

void bareprof_reset(void)
{
	if (block_is_initialised())
		bareprof_state_change(0, STATE_BIT_CLEARING);
}

/* The gate closes first: nothing is counted at the new rate into the old epoch. */
void bareprof_clock_changed(uint32_t hz)
{
	if (!block_is_initialised())
		return;
	bareprof_state_change(0, STATE_BIT_CLEARING);
	block_header()->clock_hz = hz;
}

static bool period_change(volatile struct header *header)
{
	const uint32_t period = header->control_argument;

	if (bareprof_layout.config.set_period == NULL || period == 0)
		return false;
	bareprof_state_change(0, STATE_BIT_CLEARING);
	bareprof_layout.config.set_period(period);
	header->period = period;
	return true;
}

/* False: refused. */
static bool request_execute(volatile struct header *header, uint32_t command)
{
	switch (command) {
	case BAREPROF_COMMAND_START:
		bareprof_state_change(0, STATE_BIT_RUNNING);
		return true;
	case BAREPROF_COMMAND_STOP:
		bareprof_state_change(STATE_BIT_RUNNING, 0);
		return true;
	case BAREPROF_COMMAND_RESET:
		bareprof_state_change(0, STATE_BIT_CLEARING);
		return true;
	case BAREPROF_COMMAND_PERIOD:
		return period_change(header);
	default:
		return false;
	}
}

void bareprof_request_serve(void)
{
	volatile struct header *header = block_header();
	const uint32_t request = header->control_request;
	const uint32_t refusal = request | BAREPROF_COMMAND_REFUSED;

	if ((header->control_acknowledge | BAREPROF_COMMAND_REFUSED) == refusal)
		return;
	header->control_acknowledge = request_execute(header, request & 0xFFu) ? request : refusal;
}
