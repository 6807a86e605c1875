/* SPDX-License-Identifier: MIT */
/* See cmsis_dap_probe.h. */
#include "acquire/probe/cmsis_dap_probe.h"

#include "base/clock.h"
#include "base/wait.h"

#include <stdio.h>
#include <string.h>

/* This many lost or wrong packets in a row end a transfer. */
#define LOSSES_MAX 8

/* Milliseconds for each of the last answers, at most six. */
#define CLOSING_TIME 150
/* Milliseconds for packets in flight at an interruption: enough for four long packets at a slow clock. */
#define DRAIN_TIME 1000

enum probe_command {
	INFO = 0x00,
	HOST_STATUS = 0x01,
	CONNECT = 0x02,
	DISCONNECT = 0x03,
	SWJ_PINS = 0x10,
	SWJ_CLOCK = 0x11,
	UNKNOWN = 0xff, /* the answer to an unknown command */
};

/* Items of DAP_Info. */
enum cmsis_dap_info {
	CMSIS_DAP_PROTOCOL = 0x04, /* protocol version, as text */
	CMSIS_DAP_CAPABILITIES = 0xf0,
	CMSIS_DAP_PACKET_COUNT = 0xfe,
	CMSIS_DAP_PACKET_SIZE = 0xff,
};

#define PIN_RESET 0x80 /* nRESET, of DAP_SWJ_Pins */

enum status cmsis_dap_send(struct cmsis_dap_probe *probe, const uint8_t *request, size_t size, struct error *error)
{
	return probe->packets->ops->send(probe->packets, request, size, clock_now() + probe->timeout, error);
}

enum status cmsis_dap_receive(struct cmsis_dap_probe *probe, uint64_t deadline, struct error *error)
{
	return probe->packets->ops->receive(probe->packets, probe->answer, sizeof probe->answer, deadline,
	                                    &probe->answer_size, error);
}

enum status cmsis_dap_fail_mismatch(const struct cmsis_dap_probe *probe, struct error *error)
{
	return status_fail(error,
	                   "%s: the probe's answers do not match the commands; end any other program that uses "
	                   "it, or plug it in again",
	                   probe->source);
}

static enum status fail_unknown_command(const struct cmsis_dap_probe *probe, uint8_t request, struct error *error)
{
	return status_fail(
	        error,
	        "%s: the probe does not know command 0x%02x of CMSIS-DAP (it speaks version %s); update its firmware",
	        probe->source, request, probe->protocol);
}

enum status cmsis_dap_ask(struct cmsis_dap_probe *probe, const uint8_t *request, size_t size, struct error *error)
{
	uint64_t deadline = clock_now() + probe->timeout;
	bool is_other = false; /* an answer, but not to this command */

	probe->answer_size = 0;
	enum status status = cmsis_dap_send(probe, request, size, error);
	do {
		if (status == STATUS_OK)
			status = cmsis_dap_receive(probe, deadline, error);
		if (status != STATUS_OK)
			return is_other && clock_now() >= deadline ? cmsis_dap_fail_mismatch(probe, error) : status;
		if (probe->answer_size > 0 && probe->answer[0] == UNKNOWN)
			return fail_unknown_command(probe, request[0], error);
		if (probe->answer_size > 0 && probe->answer[0] == request[0])
			return probe->answer_size >= 2 ? STATUS_OK : cmsis_dap_fail_mismatch(probe, error);
		probe->answer_size = 0;
		is_other = true;
	} while (clock_now() < deadline);
	return cmsis_dap_fail_mismatch(probe, error);
}

enum status cmsis_dap_ask_for_success(struct cmsis_dap_probe *probe, const uint8_t *request, size_t size,
                                      struct error *error)
{
	enum status status = cmsis_dap_ask(probe, request, size, error);

	if (status == STATUS_OK && probe->answer[1] != 0)
		status = status_fail(error, "%s: the probe refuses command 0x%02x of CMSIS-DAP", probe->source,
		                     request[0]);
	return status;
}

/* Queries DAP_Info: up to capacity bytes, padded with zeros. */
static enum status ask_info(struct cmsis_dap_probe *probe, enum cmsis_dap_info info, void *bytes, size_t capacity,
                            struct error *error)
{
	const uint8_t request[] = {INFO, (uint8_t)info};

	enum status status = cmsis_dap_ask(probe, request, sizeof request, error);
	if (status != STATUS_OK)
		return status;
	size_t size = probe->answer[1];
	if (size > probe->answer_size - 2)
		return cmsis_dap_fail_mismatch(probe, error);
	memset(bytes, 0, capacity);
	memcpy(bytes, probe->answer + 2, size < capacity ? size : capacity);
	return STATUS_OK;
}

static enum status check_size(const struct cmsis_dap_probe *probe, size_t size, struct error *error)
{
	if (size >= CMSIS_DAP_PACKET_MIN)
		return STATUS_OK;
	return status_fail(error, "%s: the probe takes packets of %zu bytes, too few for CMSIS-DAP", probe->source,
	                   size);
}

static enum status query_sizes(struct cmsis_dap_probe *probe, struct error *error)
{
	struct packets *packets = probe->packets;
	uint8_t size_bytes[2], count;

	enum status status = ask_info(probe, CMSIS_DAP_PACKET_SIZE, size_bytes, sizeof size_bytes, error);
	if (status == STATUS_OK)
		status = ask_info(probe, CMSIS_DAP_PACKET_COUNT, &count, 1, error);
	if (status != STATUS_OK)
		return status;
	size_t size = size_bytes[0] | (size_t)size_bytes[1] << 8;
	status = check_size(probe, size, error);
	if (status != STATUS_OK)
		return status;
	/* A packet shorter than the probe's size must end with a short packet of the endpoint. */
	size_t limit = packets->size_max < CMSIS_DAP_PACKET_MAX ? packets->size_max : CMSIS_DAP_PACKET_MAX;
	packets->size_max = size <= limit ? size : limit - 1;
	probe->in_flight_max = count < CMSIS_DAP_IN_FLIGHT_MAX ? count : CMSIS_DAP_IN_FLIGHT_MAX;
	if (probe->in_flight_max > packets->in_flight_max)
		probe->in_flight_max = packets->in_flight_max;
	if (probe->in_flight_max == 0)
		probe->in_flight_max = 1;
	return STATUS_OK;
}

/* Queries the version for messages. Only a plausible version may reach the terminal. */
static enum status query_protocol(struct cmsis_dap_probe *probe, struct error *error)
{
	char text[sizeof probe->protocol];

	enum status status = ask_info(probe, CMSIS_DAP_PROTOCOL, text, sizeof text - 1, error);
	if (status != STATUS_OK)
		return status;
	text[sizeof text - 1] = '\0';
	if (text[0] && strspn(text, "0123456789.") == strlen(text))
		memcpy(probe->protocol, text, sizeof text);
	return STATUS_OK;
}

static enum status query_probe(struct cmsis_dap_probe *probe, struct error *error)
{
	enum status status = check_size(probe, probe->packets->size_max, error);

	if (status == STATUS_OK)
		status = query_protocol(probe, error);
	if (status == STATUS_OK)
		status = ask_info(probe, CMSIS_DAP_CAPABILITIES, &probe->capabilities, 1, error);
	return status != STATUS_OK ? status : query_sizes(probe, error);
}

/* Sets the probe's LED; a failure is ignored. */
static void show_connected(struct cmsis_dap_probe *probe, bool is_connected)
{
	const uint8_t request[] = {HOST_STATUS, 0, is_connected};
	struct error ignored;

	cmsis_dap_ask(probe, request, sizeof request, &ignored);
}

enum status cmsis_dap_probe_open(struct cmsis_dap_probe *probe, struct packets *packets, const char *source,
                                 unsigned timeout, struct error *error)
{
	snprintf(probe->source, sizeof probe->source, "%s", source);
	snprintf(probe->protocol, sizeof probe->protocol, "unknown");
	probe->packets = packets;
	probe->timeout = timeout;
	return query_probe(probe, error);
}

enum status cmsis_dap_connect(struct cmsis_dap_probe *probe, enum cmsis_dap_port port, struct error *error)
{
	const uint8_t request[] = {CONNECT, (uint8_t)port};
	const char *name = port == CMSIS_DAP_SWD ? "SWD" : "JTAG";

	/* The bits of the capabilities are in the order of the ports. */
	if (!(probe->capabilities & port))
		return status_fail(error, "%s: the probe does not speak %s", probe->source, name);
	enum status status = cmsis_dap_ask(probe, request, sizeof request, error);
	if (status == STATUS_OK && probe->answer[1] != port)
		status = status_fail(error, "%s: the probe does not switch to %s; does another program use it?",
		                     probe->source, name);
	if (status != STATUS_OK)
		return status;
	probe->is_connected = true;
	show_connected(probe, true);
	return STATUS_OK;
}

static bool cmsis_dap_is_cancelled(const struct cmsis_dap_probe *probe)
{
	return !wait_pause(0, probe->packets->cancel);
}

/* Discards answers in flight. The answer to a command of another kind shows that none is left. */
static bool drain_answers(struct cmsis_dap_probe *probe)
{
	struct error ignored;
	uint8_t count;

	packets_drain(probe->packets);
	if (ask_info(probe, CMSIS_DAP_PACKET_COUNT, &count, 1, &ignored) != STATUS_OK)
		return false;
	probe->answered = probe->sent;
	return true;
}

/* Lowers the number of packets in flight: the probe may lose packets if there are too many. A cancelled wait does not
 * count: the probe is still needed to disconnect. */
bool cmsis_dap_resynchronise(struct cmsis_dap_probe *probe)
{
	probe->in_flight_max = 1;
	probe->packets_lost++;
	if (!cmsis_dap_is_cancelled(probe) && ++probe->losses <= LOSSES_MAX && drain_answers(probe))
		return true;
	probe->is_lost = !cmsis_dap_is_cancelled(probe);
	return false;
}

enum status cmsis_dap_set_speed(struct cmsis_dap_probe *probe, uint32_t speed, struct error *error)
{
	uint8_t request[1 + 4] = {SWJ_CLOCK};

	cmsis_dap_put_word(request + 1, speed);
	enum status status = cmsis_dap_ask(probe, request, sizeof request, error);
	if (status == STATUS_OK && probe->answer[1] != 0)
		status = status_fail(error, "%s: the probe has no clock of %u Hz or less", probe->source, speed);
	return status;
}

enum status cmsis_dap_drive_reset(struct cmsis_dap_probe *probe, bool is_low, struct error *error)
{
	const uint8_t request[] = {SWJ_PINS, is_low ? 0 : PIN_RESET, PIN_RESET, 0, 0, 0, 0};

	/* The state of the pins in the answer is ignored, because they may not have settled. */
	probe->is_reset_low |= is_low;
	enum status status = cmsis_dap_ask(probe, request, sizeof request, error);
	if (status == STATUS_OK)
		probe->is_reset_low = is_low;
	return status;
}

static void shorten_timeout(struct cmsis_dap_probe *probe, unsigned milliseconds)
{
	if (probe->timeout > milliseconds)
		probe->timeout = milliseconds;
}

void cmsis_dap_finish(struct cmsis_dap_probe *probe)
{
	probe->packets->cancel = -1;
	if (probe->sent != probe->answered && !probe->is_lost) {
		shorten_timeout(probe, DRAIN_TIME);
		probe->is_lost = !drain_answers(probe);
	}
	shorten_timeout(probe, CLOSING_TIME);
}

void cmsis_dap_probe_close(struct cmsis_dap_probe *probe)
{
	static const uint8_t disconnect[] = {DISCONNECT};
	struct error ignored;

	cmsis_dap_finish(probe);
	if (probe->is_reset_low)
		cmsis_dap_drive_reset(probe, false, &ignored);
	if (probe->is_connected) {
		show_connected(probe, false);
		cmsis_dap_ask(probe, disconnect, sizeof disconnect, &ignored);
	}
	probe->packets->ops->close(probe->packets);
}
