/* SPDX-License-Identifier: MIT */
/* Commands to an ST-Link, recovery of lost answers, and the connection to the target. See stlink_state.h. */
#include "acquire/probe/stlink_state.h"

#include "acquire/dap/debug_port.h"
#include "acquire/dap/registers.h"
#include "base/clock.h"
#include "base/wait.h"

#include <stdio.h>
#include <string.h>

/* Attempts to get the answer to a harmless command. */
#define RESYNCHRONISE_TRIES 3
/* Milliseconds for the answer to an interrupted command, which may be long and at a slow clock. */
#define INTERRUPTED_TIME 1000
/* The firmware takes up to this many times as long as the transfer on the wires. */
#define SLOWNESS 4u
/* Milliseconds to wait for the target, which does not answer while it powers up. */
#define CONNECT_TIME  500
#define CONNECT_PAUSE 10u

/* Parameters of STLINK_ENTER_DEBUG: SWD, without a reset. */
#define ENTER_SWD 0xA3

static const struct {
	uint16_t status;
	enum dap_ack ack;
	uint32_t flags;
} meanings[] = {
        {0x80, DAP_OK, 0},
        {0x01, DAP_FAULT, CTRL_STICKYERR}, /* "unknown error", which pyOCD treats as a fault */
        {0x04, DAP_NO_ACK, 0},             /* no device */
        {0x05, DAP_NO_ACK, 0},
        {0x09, DAP_NO_ACK, 0}, /* no IDCODE */
        {0x10, DAP_WAIT, 0},   /* wait of an access port */
        {0x11, DAP_FAULT, CTRL_STICKYERR},
        {0x12, DAP_NO_ACK, 0},
        {0x13, DAP_PROTOCOL_ERROR, 0}, /* parity */
        {0x14, DAP_WAIT, 0},           /* wait of the debug port */
        {0x15, DAP_FAULT, CTRL_STICKYERR},
        {0x16, DAP_NO_ACK, 0},
        {0x17, DAP_PROTOCOL_ERROR, 0},
        {0x18, DAP_FAULT, CTRL_WDATAERR},
        {0x19, DAP_FAULT, CTRL_STICKYERR},
        {0x1A, DAP_FAULT, CTRL_STICKYORUN},
        {0x1D, DAP_FAULT, CTRL_STICKYERR}, /* the access port is not open */
        {0x81, DAP_FAULT, CTRL_STICKYERR},
};
#define MEANINGS (sizeof meanings / sizeof meanings[0])

struct access_result stlink_decode(const uint8_t status[2])
{
	struct access_result result = {.status = status[0] | (uint32_t)status[1] << 8, .ack = DAP_LOST};

	for (size_t i = 0; i < MEANINGS; i++)
		if (meanings[i].status == result.status) {
			result.ack = meanings[i].ack;
			result.flags = meanings[i].flags;
		}
	return result;
}

const char *stlink_reason(const struct access_result *result, char *text, size_t capacity)
{
	if (result->ack != DAP_LOST)
		return port_reason(false, result->ack, result->flags);
	snprintf(text, capacity, "the probe reports error 0x%02x; plug it in again, or update its firmware",
	         result->status);
	return text;
}

bool stlink_has(const struct stlink *stlink, enum stlink_feature feature)
{
	/* The first release with each feature, such as J24, for versions 2 and 3. */
	static const struct {
		unsigned of_2, of_3;
	} releases[] = {
	        [STLINK_HAS_STATUS] = {15, 1},  [STLINK_HAS_CLOCK] = {22, 1},    [STLINK_HAS_PORT_REGISTERS] = {24, 1},
	        [STLINK_OPENS_PORTS] = {28, 1}, [STLINK_CHOOSES_PORT] = {32, 2},
	};

	return stlink->release >= (stlink->hardware >= 3 ? releases[feature].of_3 : releases[feature].of_2);
}

bool stlink_is_cancelled(const struct stlink *stlink)
{
	return !wait_pause(0, stlink->exchange->cancel);
}

/* Milliseconds that the answer to a request may take. */
static uint64_t answer_time(const struct stlink *stlink, const struct stlink_request *request)
{
	/* A quarter of the time-out leaves time to repeat a command whose answer was lost. */
	uint64_t own = stlink->setup.timeout / 4 + 1, words = (request->out_size + request->in_size) / 4;

	if (stlink->access.traffic.speed == 0)
		return own;
	return own + words * ACCESS_WORD_CLOCKS * SLOWNESS * 1000 / stlink->access.traffic.speed;
}

/* Formats up to eight bytes, without zeros at the end. */
static const char *format_bytes(const uint8_t *bytes, size_t size, char *text, size_t capacity)
{
	size_t length = 0;

	while (size > 1 && bytes[size - 1] == 0)
		size--;
	text[0] = '\0';
	for (size_t i = 0; i < size && length < capacity; i++)
		length += (size_t)snprintf(text + length, capacity - length, "%s%02X", i ? " " : "", bytes[i]);
	return text;
}

static void trace_command(const struct stlink *stlink, const struct stlink_request *request, size_t received)
{
	const struct target_observer *observer = stlink->setup.observer;
	char command[64], answer[64] = "no answer", line[192];

	if (observer->trace == NULL)
		return;
	if (received > STLINK_COMMAND_SIZE)
		snprintf(answer, sizeof answer, "%zu bytes", received);
	else if (received > 0)
		format_bytes(request->in, received, answer, sizeof answer);
	snprintf(line, sizeof line, "%-36s : %s%s",
	         format_bytes(request->command, STLINK_COMMAND_SIZE, command, sizeof command),
	         request->out_size > 0 ? "data, " : "", request->in_size > 0 ? answer : "done");
	observer->trace(observer->context, line);
}

static enum status ask_once(struct stlink *stlink, const struct stlink_request *request, struct error *error)
{
	const struct exchange_phases phases = {.command = request->command,
	                                       .command_size = STLINK_COMMAND_SIZE,
	                                       .out = request->out,
	                                       .out_size = request->out_size,
	                                       .in = request->in,
	                                       .in_size = request->in_size};
	struct exchange *exchange = stlink->exchange;
	size_t received = 0;

	if (stlink_is_cancelled(stlink))
		return status_fail(error, "%s: interrupted", exchange->source);
	enum status status =
	        exchange->ops->run(exchange, &phases, clock_now() + answer_time(stlink, request), &received, error);
	trace_command(stlink, request, received < request->in_size ? received : request->in_size);
	if (status == STATUS_OK && received != request->in_size)
		return status_fail(error,
		                   "%s: the probe's answers do not match the commands; end any other program that uses "
		                   "it, or plug it in again",
		                   exchange->source);
	return status;
}

bool stlink_resynchronise(struct stlink *stlink)
{
	uint8_t version[sizeof stlink->version];
	const struct stlink_request query = {.command = {STLINK_GET_VERSION}, .in = version, .in_size = sizeof version};
	struct error ignored;

	for (unsigned tries = 0; tries < RESYNCHRONISE_TRIES && !stlink->exchange->is_lost; tries++) {
		stlink->exchange->ops->drain(stlink->exchange,
		                             stlink->exchange->is_interrupted ? INTERRUPTED_TIME : EXCHANGE_SILENCE);
		if (ask_once(stlink, &query, &ignored) == STATUS_OK &&
		    (!stlink->has_version || memcmp(version, stlink->version, sizeof version) == 0))
			return true;
		if (stlink_is_cancelled(stlink))
			return false;
	}
	return false;
}

enum status stlink_ask(struct stlink *stlink, const struct stlink_request *request, struct error *error)
{
	if (stlink->is_silent)
		return status_fail(error, "%s: the probe no longer answers properly", stlink->exchange->source);
	for (;;) {
		enum status status = ask_once(stlink, request, error);

		if (status == STATUS_OK) {
			stlink->losses = 0;
			return STATUS_OK;
		}
		/* After an interruption the probe is still needed to disconnect. */
		if (stlink_is_cancelled(stlink))
			return status;
		stlink->packets_lost++;
		if (stlink->exchange->is_lost || ++stlink->losses > STLINK_LOSSES_MAX ||
		    !stlink_resynchronise(stlink)) {
			stlink->is_lost = !stlink_is_cancelled(stlink);
			stlink->is_silent = stlink->is_lost && !stlink->exchange->is_lost;
			return status;
		}
	}
}

enum status stlink_ask_for_result(struct stlink *stlink, const struct stlink_request *request,
                                  struct access_result *result, struct error *error)
{
	enum status status = stlink_ask(stlink, request, error);

	if (status == STATUS_OK)
		*result = stlink_decode(request->in);
	return status;
}

enum status stlink_open_port(struct stlink *stlink, struct access_result *result, struct error *error)
{
	uint8_t answer[2];
	const struct stlink_request open = {.command = {STLINK_DEBUG, STLINK_OPEN_PORT, (uint8_t)stlink->port},
	                                    .in = answer,
	                                    .in_size = sizeof answer};

	*result = (struct access_result){.ack = DAP_OK};
	if (!stlink->has_port || !stlink_has(stlink, STLINK_OPENS_PORTS))
		return STATUS_OK;
	return stlink_ask_for_result(stlink, &open, result, error);
}

static enum status enter_once(struct stlink *stlink, struct access_result *result, struct error *error)
{
	uint8_t answer[2];
	const struct stlink_request enter = {
	        .command = {STLINK_DEBUG, STLINK_ENTER_DEBUG, ENTER_SWD}, .in = answer, .in_size = sizeof answer};

	stlink->is_connected = true;
	enum status status = stlink_ask_for_result(stlink, &enter, result, error);
	if (status != STATUS_OK || result->ack != DAP_OK)
		return status;
	return stlink_open_port(stlink, result, error);
}

enum status stlink_connect(struct stlink *stlink, struct access_result *result, struct error *error)
{
	const struct clock *clock = stlink->setup.clock;
	const uint64_t deadline = clock->now() + CONNECT_TIME;

	for (;;) {
		enum status status = enter_once(stlink, result, error);

		if (status != STATUS_OK || result->ack == DAP_OK || clock->now() >= deadline)
			return status;
		access_pause(&stlink->setup, CONNECT_PAUSE);
	}
}
