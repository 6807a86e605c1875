/* SPDX-License-Identifier: MIT */
/* See jtag_pipe.h. */
#include "acquire/dap/jtag_pipe.h"

#include "acquire/dap/pause.h"

#include <string.h>

/* After this many early requests in a row the pipe gives up. */
#define WAITS_MAX 16
/* Minimum requests per stream. */
#define BURST_MIN 8u

/* Sends as many steps as fit, and a flush that returns the last result. */
static enum status send_burst(struct jtag_pipe *pipe, size_t *sent, struct error *error)
{
	struct jtag *jtag = pipe->jtag;
	size_t i = 0;

	jtag_begin(jtag);
	for (; i < pipe->count && i < pipe->burst && jtag_has_room(jtag, 2, pipe->bits); i++) {
		jtag_add_instruction(jtag, pipe->steps[i].instruction);
		pipe->places[i] = jtag_add_data(jtag, pipe->steps[i].bits, pipe->bits);
	}
	pipe->places[i] = pipe->ops->add_flush(pipe->device);
	*sent = i;
	return jtag_run(jtag, error);
}

static enum dap_ack decode_scan(const struct jtag_pipe *pipe, size_t place, uint32_t *word)
{
	return pipe->ops->decode(pipe->device, jtag_bits(pipe->jtag, place, pipe->bits), word);
}

/* Takes the result of a step from a scan, unless the scan came too early. */
static enum dap_ack take_result(const struct jtag_pipe *pipe, const struct jtag_step **step, size_t place)
{
	uint32_t word;
	enum dap_ack ack = decode_scan(pipe, place, &word);

	if (ack != DAP_OK || *step == NULL)
		return ack;
	if ((*step)->destination != NULL)
		*(*step)->destination = word;
	*step = NULL;
	return DAP_OK;
}

/* Takes the results of the steps that were sent. After a WAIT, the last of the *taken steps was still in progress: the
 * next scan that is not too early returns its result. *outstanding: that step if no scan of this stream returned its
 * result; else NULL. */
static enum dap_ack take_results(const struct jtag_pipe *pipe, size_t sent, size_t *taken,
                                 const struct jtag_step **outstanding)
{
	const struct jtag_step *none = NULL;
	enum dap_ack ack = take_result(pipe, &none, pipe->places[0]);

	*taken = 0;
	*outstanding = NULL;
	while (ack == DAP_OK && *taken < sent) {
		*outstanding = &pipe->steps[(*taken)++];
		ack = take_result(pipe, outstanding, pipe->places[*taken]);
	}
	for (size_t i = *taken + 1; ack == DAP_WAIT && *outstanding != NULL && i <= sent; i++)
		take_result(pipe, outstanding, pipe->places[i]);
	return ack;
}

/* Restarts the device as soon as it is ready, asking at growing intervals. step: the step whose result is outstanding;
 * NULL: none. */
static enum status restart_device(struct jtag_pipe *pipe, const struct jtag_step *step, enum dap_ack *ack,
                                  struct error *error)
{
	struct jtag *jtag = pipe->jtag;
	const unsigned idle = jtag->idle;
	enum status status = STATUS_OK;

	for (unsigned waits = 0; status == STATUS_OK && *ack == DAP_WAIT && waits < WAITS_MAX; waits++) {
		jtag_begin(jtag);
		const size_t place = pipe->ops->add_restart(pipe->device);
		status = jtag_run(jtag, error);
		if (status == STATUS_OK)
			*ack = take_result(pipe, &step, place);
		jtag->idle = 2 * jtag->idle < PAUSE_MAX ? 2 * jtag->idle + 1 : PAUSE_MAX;
	}
	jtag->idle = idle;
	return status;
}

/* Shortens the next stream after a request that came too early, because all later requests of the stream must be sent
 * again. */
static void adapt_burst(struct jtag_pipe *pipe, enum dap_ack ack, size_t taken)
{
	if (ack == DAP_WAIT)
		pipe->burst = 2 * taken > BURST_MIN ? 2 * taken : BURST_MIN;
	else if (pipe->burst < JTAG_PIPE_STEPS_MAX)
		pipe->burst *= 2;
}

static void adapt_pause(const struct jtag_pipe *pipe, enum dap_ack ack, size_t taken)
{
	struct jtag *jtag = pipe->jtag;

	jtag->idle = pause_next(jtag->idle, ack == DAP_WAIT, taken);
	if (jtag->idle < pipe->idle_min)
		jtag->idle = pipe->idle_min;
}

enum status jtag_pipe_run(struct jtag_pipe *pipe, enum dap_ack *ack, struct error *error)
{
	enum status status = STATUS_OK;
	unsigned waits = 0;

	/* The examined chain may lack the device. */
	*ack = pipe->jtag->selected < pipe->jtag->device_count ? DAP_OK : DAP_NO_ACK;
	if (pipe->burst == 0)
		pipe->burst = JTAG_PIPE_STEPS_MAX;
	while (status == STATUS_OK && *ack == DAP_OK && pipe->count > 0) {
		const struct jtag_step *outstanding;
		size_t sent, taken;

		status = send_burst(pipe, &sent, error);
		if (status != STATUS_OK)
			break;
		*ack = take_results(pipe, sent, &taken, &outstanding);
		adapt_pause(pipe, *ack, taken);
		adapt_burst(pipe, *ack, taken);
		waits = taken > 0 ? 0 : waits + 1;
		if (waits < WAITS_MAX)
			status = restart_device(pipe, outstanding, ack, error);
		pipe->count -= taken;
		memmove(pipe->steps, pipe->steps + taken, pipe->count * sizeof *pipe->steps);
	}
	pipe->count = 0;
	return status;
}
