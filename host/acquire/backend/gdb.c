/* SPDX-License-Identifier: MIT */
/* The backend for GDB servers: QEMU, OpenOCD, J-Link, Black Magic Probe and others, over TCP or a serial port, with
 * workarounds for servers that deviate from GDB's manual. */
#include "acquire/backend/gdb_remote.h"
#include "acquire/channel/channel.h"
#include "acquire/target/target.h"
#include "base/clock.h"
#include "base/wait.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TIMEOUT_DEFAULT 5000

/* Target numbers on a probe that scans for targets. */
#define TARGET_DEFAULT 1
#define TARGET_MAX     255

/* How often to read again if the server answered a failed read with zeros. */
#define OUTDATED_MAX 3

/* QEMU refuses longer reads than this, even if its PacketSize allows them. */
#define READ_MAX  ((size_t)0x800)
#define WRITE_MAX ((size_t)0x400)

/* The slowest rate accepted, in bytes of memory per second, not counting one time-out: a server on a serial line may be
 * slow, but a pull must end. */
#define READ_RATE_MIN 256u

/* `M`, an address and a size of 16 and 8 digits, two separators, `$#` and the checksum. */
#define WRITE_OVERHEAD ((size_t)32)

/* GDB's default for a stub that does not state its size, and the smallest usable size. */
#define PACKET_SIZE_DEFAULT ((size_t)400)
#define PACKET_SIZE_MIN     ((size_t)64)

struct gdb {
	struct target target;
	struct gdb_remote remote;
	size_t read_max;     /* bytes of memory per request */
	bool hides_failures; /* the server answers failed reads with zeros */
	bool has_no_target;  /* according to the server */
};

/* A server that differs from the manual. Servers without a row, such as QEMU and st-util, follow it. */
struct server {
	const char *version; /* start of its answer to `monitor version`; NULL: recognised by its non-stop mode */
	const char *const *detach_requests; /* see gdb_remote.h */
	bool hides_failures;
};

/* OpenOCD halts the target when a client connects, and does nothing when the client detaches. A target that its
 * configuration left running (-event gdb-attach {}) cannot be resumed. The digits are GDB's encoding of monitor if
 * {[[target current] curstate] eq "halted"} {resume} */
static const char *const resume_if_halted[] = {
        "qRcmd,"
        "6966207b5b5b7461726765742063757272656e745d2063757273746174655d206571202268616c746564227d207b726573756d657d",
        NULL,
};

/* pyOCD halts the target when it starts, and with --persist the target stays halted after detaching. Except in non-stop
 * mode, it answers a continue only when the target stops, and accepts no other client until then. */
static const char *const continue_without_waiting[] = {"QNonStop:1", "vCont;c", NULL};

/* Observed with OpenOCD 0.12.0 and pyOCD 0.13.1; newer sources of both do the same (src/server/gdb_server.c;
 * pyocd/gdbserver/gdbserver.py). */
static const struct server servers[] = {
        {.version = "Open On-Chip Debugger", .detach_requests = resume_if_halted, .hides_failures = true},
        {.detach_requests = continue_without_waiting}, /* pyOCD */
};

static size_t min_size(size_t value, size_t limit)
{
	return value < limit ? value : limit;
}

/* Runs a `monitor` command (GDB manual, "General Query Packets", qRcmd). *answer is the last reply: OK, an error, more
 * text, or empty for an unknown command. */
static enum status run_monitor_command(struct gdb *gdb, const char *command, struct gdb_output *output,
                                       const struct gdb_decoder **answer, struct error *error)
{
	char request[256];
	size_t length = (size_t)snprintf(request, sizeof request, "qRcmd,");

	*output = (struct gdb_output){0};
	gdb_hex_encode((const uint8_t *)command, strlen(command), request + length);
	request[length + 2 * strlen(command)] = 0;
	gdb->remote.output = output;
	enum status status = gdb_remote_ask(&gdb->remote, request, answer, error);
	gdb->remote.output = NULL;
	return status;
}

/* Runs a `monitor` command of which only the text matters. */
static enum status monitor_text(struct gdb *gdb, const char *command, struct gdb_output *output, bool *is_refused,
                                struct error *error)
{
	const struct gdb_decoder *answer;

	enum status status = run_monitor_command(gdb, command, output, &answer, error);
	if (status != STATUS_OK)
		return status;
	*is_refused = gdb_reply_is_error(answer->payload, answer->size);
	if (!*is_refused)
		gdb_output_add(output, answer->payload, answer->size);
	return STATUS_OK;
}

static enum status use_features(struct gdb *gdb, const struct gdb_features *features, struct error *error)
{
	const struct gdb_decoder *answer;
	size_t packet_size = features->packet_size ? features->packet_size : PACKET_SIZE_DEFAULT;

	if (packet_size < PACKET_SIZE_MIN)
		return status_fail(error,
		                   "%s: the gdb server accepts only packets of %zu bytes, at least %zu are needed",
		                   gdb->target.source, packet_size, PACKET_SIZE_MIN);
	gdb->read_max = min_size((packet_size - 4) / 2, READ_MAX);
	gdb->target.write_block = min_size((packet_size - WRITE_OVERHEAD) / 2, WRITE_MAX);
	if (!features->no_acknowledge_mode)
		return STATUS_OK;
	enum status status = gdb_remote_ask(&gdb->remote, "QStartNoAckMode", &answer, error);
	if (status == STATUS_OK && strcmp((const char *)answer->payload, "OK") == 0)
		gdb->remote.acknowledges = false;
	return status;
}

static enum status recognise_server(struct gdb *gdb, const struct gdb_features *features, struct error *error)
{
	struct gdb_output output;
	bool is_refused;

	enum status status = monitor_text(gdb, "version", &output, &is_refused, error);
	for (size_t i = 0; status == STATUS_OK && i < sizeof servers / sizeof servers[0]; i++) {
		const char *version = servers[i].version;

		if (version != NULL ? strncmp(output.text, version, strlen(version)) != 0 : !features->non_stop_mode)
			continue;
		gdb->remote.detach_requests = servers[i].detach_requests;
		gdb->hides_failures = servers[i].hides_failures;
	}
	return status;
}

/* Scans with each wire protocol in turn. If no target was found, *output is from the last scan. */
static enum status scan_for_targets(struct gdb *gdb, bool *found, struct gdb_output *output, struct error *error)
{
	/* Newer firmware knows swd_scan by both names. */
	static const char *const commands[] = {"swdp_scan", "jtag_scan"};
	enum status status = STATUS_OK;

	*found = false;
	for (size_t i = 0; status == STATUS_OK && !*found && i < sizeof commands / sizeof commands[0]; i++) {
		const struct gdb_decoder *answer;

		status = run_monitor_command(gdb, commands[i], output, &answer, error);
		*found = status == STATUS_OK && strcmp((const char *)answer->payload, "OK") == 0;
	}
	return status;
}

/* Makes a probe that is its own server (Black Magic Probe) scan for targets, and attaches to the target with this
 * number, from 1. The target halts. */
static enum status attach_to_target(struct gdb *gdb, unsigned target, struct error *error)
{
	const struct gdb_decoder *answer;
	struct gdb_output output;
	bool found;
	char request[32];

	enum status status = scan_for_targets(gdb, &found, &output, error);
	if (status != STATUS_OK)
		return status;
	if (!found && output.size == 0)
		return status_fail(error, "%s: the gdb server has no targets to choose from, and cannot scan for any",
		                   gdb->target.source);
	if (!found)
		return status_fail(error, "%s: the gdb server finds no target: %s", gdb->target.source,
		                   gdb_output_last_line(&output));
	snprintf(request, sizeof request, "vAttach;%x", target);
	status = gdb_remote_ask(&gdb->remote, request, &answer, error);
	if (status != STATUS_OK || gdb_reply_is_stop(answer->payload, answer->size))
		return status;
	return status_fail(error, "%s: the gdb server cannot attach to target %u (it answered '%.40s')",
	                   gdb->target.source, target, (const char *)answer->payload);
}

/* target: number of the target among those that a probe finds; 0: the current or the first one. */
static enum status find_target(struct gdb *gdb, unsigned target, struct error *error)
{
	const struct gdb_decoder *answer;

	enum status status = gdb_remote_ask(&gdb->remote, "?", &answer, error);
	if (status != STATUS_OK)
		return status;
	bool is_stop = gdb_reply_is_stop(answer->payload, answer->size);
	/* A server without a target reports an exited one. */
	gdb->has_no_target = !is_stop || strchr("WX", answer->payload[0]) != NULL;
	if (target > 0 || (is_stop && gdb->has_no_target)) {
		status = attach_to_target(gdb, target > 0 ? target : TARGET_DEFAULT, error);
		gdb->has_no_target &= status != STATUS_OK;
		return status;
	}
	if (!is_stop)
		return status_fail(error, "%s: the gdb server has no target (it answered '%.40s' to '?')",
		                   gdb->target.source, (const char *)answer->payload);
	return STATUS_OK;
}

static enum status gdb_handshake(struct gdb *gdb, unsigned target, struct error *error)
{
	const struct gdb_decoder *answer;
	struct gdb_features features;

	/* pyOCD requires a feature in the request. */
	enum status status = gdb_remote_ask(&gdb->remote, "qSupported:vContSupported+", &answer, error);
	if (status != STATUS_OK)
		return status;
	gdb_features_parse((const char *)answer->payload, &features);
	status = use_features(gdb, &features, error);
	if (status == STATUS_OK)
		status = recognise_server(gdb, &features, error);
	return status != STATUS_OK ? status : find_target(gdb, target, error);
}

#ifdef HAVE_LIBSERIALPORT
static const struct channel_ops *const uart = &channel_uart;
#else
static const struct channel_ops *const uart = NULL;
#endif

static enum status open_serial(const struct target *target, const struct source *source, struct channel **channel,
                               struct error *error)
{
	const char *baud = source_value(source, "baud");
	char text[PATH_MAX + sizeof "uart:,baud=" + sizeof source->options[0].value];
	struct source serial;

	if (uart == NULL)
		return status_usage(error, "%s: this bareprof was built without libserialport", source->text);
	snprintf(text, sizeof text, "uart:%s%s%s", source->address, baud != NULL ? ",baud=" : "",
	         baud != NULL ? baud : "");
	enum status status = source_split(text, uart->syntax.options, &serial, error);
	if (status == STATUS_OK)
		status = uart->open(&serial, target->cancel, channel, error);
	if (status == STATUS_OK && (*channel)->note[0])
		target_note(target, (*channel)->note);
	return status;
}

static enum status open_channel(const struct target *target, const struct source *source, unsigned timeout,
                                struct channel **channel, struct error *error)
{
	if (source->address[0] == '/')
		return open_serial(target, source, channel, error);
	if (source_value(source, "baud") != NULL)
		return status_usage(error, "%s: baud= is for serial ports", source->text);
	const enum status status =
	        tcp_channel_connect(source->text, source->address, timeout, target->cancel, channel, error);

	if (status == STATUS_FAILED && wait_pause(0, target->cancel))
		status_fail(error, "%s; is the gdb server running there?", error->message);
	return status;
}

static enum status gdb_open(struct target *target, const struct source *source, const struct target_setup *setup,
                            struct error *error)
{
	struct gdb *gdb = (struct gdb *)target;
	unsigned timeout = TIMEOUT_DEFAULT;
	uint64_t number = 0; /* number of a target; 0: none was named */
	struct channel *channel;

	(void)setup;
	enum status status = source_milliseconds(source, "timeout", &timeout, error);
	if (status == STATUS_OK)
		status = source_number(source, "target", 1, TARGET_MAX, &number, error);
	if (status == STATUS_OK)
		status = open_channel(target, source, timeout, &channel, error);
	if (status != STATUS_OK)
		return status;
	gdb_remote_init(&gdb->remote, target, channel, timeout);
	return gdb_handshake(gdb, (unsigned)number, error);
}

/* A server without a target cannot have left one halted, unless it is out of step: then it may have found a target
 * since. */
static enum status gdb_close(struct target *target, struct error *error)
{
	struct gdb *gdb = (struct gdb *)target;
	bool has_nothing_to_leave = gdb->has_no_target && !target->is_lost;

	if (gdb->remote.channel == NULL)
		return STATUS_OK;
	enum status status = gdb_remote_close(&gdb->remote, error);
	return has_nothing_to_leave ? STATUS_OK : status;
}

static enum status fail_refused(const struct gdb *gdb, const char *what, uint64_t address, size_t size,
                                const struct gdb_decoder *answer, struct error *error)
{
	return status_fail(error, "%s: cannot %s %zu bytes at 0x%08" PRIx64 ": the gdb server answered '%.40s'%s",
	                   gdb->target.source, what, size, address, (const char *)answer->payload,
	                   answer->size == 0                                   ? " (not supported)"
	                   : gdb_reply_is_error(answer->payload, answer->size) ? ""
	                                                                       : ", which does not answer the request");
}

/* Requests up to size bytes; a server may answer with fewer, but at least one. */
static enum status ask_for(struct gdb *gdb, uint64_t address, uint8_t *bytes, size_t size, size_t *got,
                           struct error *error)
{
	const struct gdb_decoder *answer;
	char request[64];

	size = min_size(size, gdb->read_max);
	snprintf(request, sizeof request, "m%" PRIx64 ",%zx", address, size);
	enum status status = gdb_remote_ask(&gdb->remote, request, &answer, error);
	if (status != STATUS_OK)
		return status;
	if (answer->size == 0 || answer->size > 2 * size || !gdb_hex_decode(answer->payload, answer->size, bytes))
		return fail_refused(gdb, "read", address, size, answer, error);
	*got = answer->size / 2;
	return STATUS_OK;
}

static bool are_all_zeros(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i])
			return false;
	return true;
}

/* Checks whether zeros are in the memory: OpenOCD's Tcl interpreter reports a failed read as an error. Otherwise the
 * command returns whether any bit is set. Words are faster than bytes. */
static enum status check_zeros(struct gdb *gdb, uint64_t address, size_t size, bool *are_real, struct error *error)
{
	struct gdb_output output;
	char command[80];
	bool is_refused;
	bool are_words = (address | size) % 4 == 0;

	snprintf(command, sizeof command, "expr [join [read_memory 0x%" PRIx64 " %d %zu] |]", address,
	         are_words ? 32 : 8, are_words ? size / 4 : size);
	enum status status = monitor_text(gdb, command, &output, &is_refused, error);
	if (status != STATUS_OK)
		return status;
	const char *line = gdb_output_last_line(&output);
	*are_real = is_refused || strcmp(line, "0") == 0;
	if (!is_refused)
		return STATUS_OK;
	if (strstr(line, "invalid command name") == NULL)
		return status_fail(error, "%s: cannot read %zu bytes at 0x%08" PRIx64 ": the gdb server says '%s'",
		                   gdb->target.source, size, address, line);
	/* OpenOCD before 0.12.0 lacks the command. */
	gdb->hides_failures = false;
	target_note(&gdb->target, "this OpenOCD answers failed reads with zeros, which cannot be verified: put "
	                          "'gdb_report_data_abort enable' into its configuration, or use openocd:");
	return STATUS_OK;
}

/* Like ask_for(), but verifies zeros that may hide a failure, and reads again if the memory is not zero. */
static enum status read_verified(struct gdb *gdb, uint64_t address, uint8_t *bytes, size_t size, size_t *got,
                                 struct error *error)
{
	for (int tries = 0; tries < OUTDATED_MAX; tries++) {
		bool are_real = true;
		enum status status = ask_for(gdb, address, bytes, size, got, error);

		if (status == STATUS_OK && gdb->hides_failures && are_all_zeros(bytes, *got))
			status = check_zeros(gdb, address, *got, &are_real, error);
		if (status != STATUS_OK || are_real)
			return status;
	}
	return status_fail(error,
	                   "%s: cannot read %zu bytes at 0x%08" PRIx64 ": the gdb server answers with zeros that "
	                   "are not in the memory",
	                   gdb->target.source, *got, address);
}

static enum status check_read_rate(struct gdb *gdb, uint64_t begin, size_t done, struct error *error)
{
	if (clock_now() - begin <= gdb->remote.timeout + (uint64_t)done * 1000 / READ_RATE_MIN)
		return STATUS_OK;
	gdb->target.is_lost = true;
	return status_fail(error, "%s: the gdb server is too slow: %zu bytes in %.1f s, expected %u a second at least",
	                   gdb->target.source, done, (double)(clock_now() - begin) / 1000, READ_RATE_MIN);
}

static enum status gdb_read(struct target *target, uint64_t address, void *buffer, size_t size, struct error *error)
{
	struct gdb *gdb = (struct gdb *)target;
	uint8_t *bytes = buffer;
	uint64_t begin = clock_now();

	for (size_t done = 0; done < size;) {
		size_t got = 0;
		enum status status = read_verified(gdb, address + done, bytes + done, size - done, &got, error);

		done += got;
		if (status == STATUS_OK && target->observer->progress != NULL)
			target->observer->progress(target->observer->context, done, size);
		if (status == STATUS_OK && done < size)
			status = check_read_rate(gdb, begin, done, error);
		if (status != STATUS_OK)
			return status;
	}
	return STATUS_OK;
}

static enum status gdb_write(struct target *target, uint64_t address, const void *bytes, size_t size,
                             struct error *error)
{
	struct gdb *gdb = (struct gdb *)target;
	const struct gdb_decoder *answer;
	char request[WRITE_OVERHEAD + 2 * WRITE_MAX + 1];

	int length = snprintf(request, sizeof request, "M%" PRIx64 ",%zx:", address, size);
	gdb_hex_encode(bytes, size, request + length);
	request[(size_t)length + 2 * size] = 0;
	enum status status = gdb_remote_ask(&gdb->remote, request, &answer, error);
	if (status == STATUS_OK && strcmp((const char *)answer->payload, "OK") != 0)
		return fail_refused(gdb, "write", address, size, answer, error);
	return status;
}

static enum status gdb_run(struct target *target, unsigned milliseconds, struct error *error)
{
	return gdb_remote_run(&((struct gdb *)target)->remote, milliseconds, error);
}

const struct target_ops backend_gdb = {
        .syntax = {.scheme = "gdb",
                   .synopsis = ":HOST:PORT|DEVICE[,timeout=SECONDS][,target=N][,baud=N]",
                   .summary = "a gdb server: QEMU, OpenOCD, pyOCD, J-Link, Black Magic Probe; it may halt the core",
                   .options = {"timeout", "target", "baud"}},
        .caution = "a gdb server may halt the core while it is connected",
        .is_live = true,
        .capabilities = TARGET_HAS_TEXT,
        .state_size = sizeof(struct gdb),
        .open = gdb_open,
        .read = gdb_read,
        .write = gdb_write,
        .run = gdb_run,
        .close = gdb_close,
};
