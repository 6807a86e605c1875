/* SPDX-License-Identifier: MIT */
/* The backend for GDB servers: QEMU, OpenOCD, J-Link, Black Magic Probe and others, over TCP or a serial port. */
#include "base/clock.h"
#include "target/backend/gdb_remote.h"
#include "target/backend/gdb_servers.h"
#include "target/backend/target.h"
#include "target/channel/channel.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIMEOUT_DEFAULT 5000

/* Numbers of a target behind a probe that scans for targets. */
#define TARGET_DEFAULT 1
#define TARGET_MAX     255

/* How often to read again if zeros stand for a failed read. */
#define OUTDATED_MAX 3

/* QEMU refuses longer reads than this, whatever its PacketSize says. */
#define READ_MAX  ((size_t)0x800)
#define WRITE_MAX ((size_t)0x400)

/* The slowest rate, in bytes of memory per second, after the time-out of the first answer: a server may be slow, as
 * over a serial line, but a pull must end. */
#define READ_RATE_MIN 256u

/* `M`, an address and a size of 16 and 8 digits, two separators, `$#` and the checksum. */
#define WRITE_OVERHEAD ((size_t)32)

/* GDB's default for a stub that does not say, and the smallest usable size. */
#define PACKET_SIZE_DEFAULT ((size_t)400)
#define PACKET_SIZE_MIN     ((size_t)64)

struct gdb {
	struct target target;
	struct gdb_remote remote;
	size_t read_max;     /* bytes of memory per request */
	bool believes_zeros; /* zeros need not be checked, or cannot be */
	bool has_no_target;  /* according to the server */
};

static size_t min_size(size_t value, size_t limit)
{
	return value < limit ? value : limit;
}

static enum status use_features(struct gdb *gdb, const struct gdb_features *features, struct error *error)
{
	const struct gdb_decoder *answer;
	size_t packet_size = features->packet_size ? features->packet_size : PACKET_SIZE_DEFAULT;

	if (packet_size < PACKET_SIZE_MIN)
		return status_fail(error, "%s: the gdb server takes packets of %zu bytes only, at least %zu are needed",
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

static enum status recognise(struct gdb *gdb, const struct gdb_features *features, struct error *error)
{
	const struct gdb_server *server;

	enum status status = gdb_server_recognise(&gdb->remote, features, &server, error);
	gdb->believes_zeros = server == NULL || !server->hides_failures;
	if (server != NULL)
		gdb->remote.detach_requests = server->detach_requests;
	return status;
}

/* target: its number among those that a probe finds; 0 = the current or the first one. */
static enum status find_target(struct gdb *gdb, unsigned target, struct error *error)
{
	const struct gdb_decoder *answer;

	enum status status = gdb_remote_ask(&gdb->remote, "?", &answer, error);
	if (status != STATUS_OK)
		return status;
	bool is_stop = gdb_reply_is_stop(answer->payload, answer->size);
	/* No target is reported as one that exited. */
	gdb->has_no_target = !is_stop || strchr("WX", answer->payload[0]) != NULL;
	if (target > 0 || (is_stop && gdb->has_no_target))
		return gdb_server_attach(&gdb->remote, target > 0 ? target : TARGET_DEFAULT, error);
	if (!is_stop)
		return status_fail(error, "%s: the gdb server has no target (it answered '%.40s' to '?')",
		                   gdb->target.source, (const char *)answer->payload);
	return STATUS_OK;
}

static enum status handshake(struct gdb *gdb, unsigned target, struct error *error)
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
		status = recognise(gdb, &features, error);
	return status != STATUS_OK ? status : find_target(gdb, target, error);
}

static enum status open_serial(const struct source *source, const struct target_setup *setup, struct channel **channel,
                               struct error *error)
{
	const struct channel_ops *uart = channel_find("uart");
	const char *baud = source_value(source, "baud");
	char text[PATH_MAX + sizeof "uart:,baud=" + sizeof source->options[0].value];
	struct source serial;

	if (uart == NULL)
		return status_usage(error, "%s: this bareprof was built without libserialport", source->text);
	snprintf(text, sizeof text, "uart:%s%s%s", source->address, baud != NULL ? ",baud=" : "",
	         baud != NULL ? baud : "");
	enum status status = source_split(text, uart->options, &serial, error);
	if (status == STATUS_OK)
		status = uart->open(&serial, setup->cancel, channel, error);
	if (status == STATUS_OK && (*channel)->note[0] && setup->observer->note != NULL)
		setup->observer->note(setup->observer->context, (*channel)->note);
	return status;
}

static enum status open_channel(const struct source *source, const struct target_setup *setup, unsigned timeout,
                                struct channel **channel, struct error *error)
{
	if (source->address[0] == '/')
		return open_serial(source, setup, channel, error);
	if (source_value(source, "baud") != NULL)
		return status_usage(error, "%s: baud= is for serial ports", source->text);
	return tcp_channel_connect(source->text, source->address, timeout, setup->cancel, channel, error);
}

static bool is_out_of_step(const struct gdb *gdb)
{
	return gdb->remote.lost || gdb->remote.interrupted;
}

/* A server that is out of step may have found a target since. */
static void give_up(struct gdb *gdb, struct error *left)
{
	bool has_nothing_to_leave = gdb->has_no_target && !is_out_of_step(gdb);

	if (gdb_remote_close(&gdb->remote, left) == STATUS_OK || has_nothing_to_leave)
		left->message[0] = 0;
	free(gdb);
}

static enum status gdb_open(const struct source *source, const struct target_setup *setup, struct target **target,
                            struct error *error)
{
	unsigned timeout = TIMEOUT_DEFAULT;
	uint64_t number = 0; /* of a target; 0 = none was named */
	struct channel *channel;

	struct gdb *gdb = calloc(1, sizeof *gdb);
	if (gdb == NULL)
		return status_fail(error, "%s: out of memory", source->text);
	target_init(&gdb->target, source);
	enum status status = source_milliseconds(source, "timeout", &timeout, error);
	if (status == STATUS_OK)
		status = source_number(source, "target", 1, TARGET_MAX, &number, error);
	if (status == STATUS_OK)
		status = open_channel(source, setup, timeout, &channel, error);
	if (status != STATUS_OK) {
		free(gdb);
		return status;
	}
	gdb_remote_init(&gdb->remote, gdb->target.source, channel, timeout, setup->observer);
	status = handshake(gdb, (unsigned)number, error);
	if (status != STATUS_OK)
		give_up(gdb, setup->left);
	else
		*target = &gdb->target;
	return status;
}

static enum status refused(const struct gdb *gdb, const char *what, uint64_t address, size_t size,
                           const struct gdb_decoder *answer, struct error *error)
{
	return status_fail(error, "%s: cannot %s %zu bytes at 0x%08" PRIx64 ": the gdb server answered '%.40s'%s",
	                   gdb->target.source, what, size, address, (const char *)answer->payload,
	                   answer->size == 0                                   ? " (not supported)"
	                   : gdb_reply_is_error(answer->payload, answer->size) ? ""
	                                                                       : ", which is no answer to that");
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
		return refused(gdb, "read", address, size, answer, error);
	*got = answer->size / 2;
	return STATUS_OK;
}

static bool is_zero(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i])
			return false;
	return true;
}

static void believe_zeros(struct gdb *gdb)
{
	const struct client_observer *observer = gdb->remote.observer;

	gdb->believes_zeros = true;
	if (observer->note != NULL)
		observer->note(observer->context,
		               "this OpenOCD answers reads that fail with zeros, and cannot be asked about them: put "
		               "'gdb_report_data_abort enable' into its configuration, or use openocd:");
}

/* The same, but checks zeros that may stand for a failure. */
static enum status read_some(struct gdb *gdb, uint64_t address, uint8_t *bytes, size_t size, size_t *got,
                             struct error *error)
{
	for (int tries = 0; tries < OUTDATED_MAX; tries++) {
		enum gdb_zeros zeros = GDB_ZEROS_TRUE;
		enum status status = ask_for(gdb, address, bytes, size, got, error);
		if (status == STATUS_OK && !gdb->believes_zeros && is_zero(bytes, *got))
			status = gdb_server_check_zeros(&gdb->remote, address, *got, &zeros, error);
		if (status != STATUS_OK)
			return status;
		if (zeros == GDB_ZEROS_UNKNOWN)
			believe_zeros(gdb);
		if (zeros != GDB_ZEROS_OUTDATED)
			return STATUS_OK;
	}
	return status_fail(error,
	                   "%s: cannot read %zu bytes at 0x%08" PRIx64 ": the gdb server answers with zeros that "
	                   "are not there",
	                   gdb->target.source, *got, address);
}

static void pass_on_loss(struct gdb *gdb)
{
	gdb->target.is_lost = is_out_of_step(gdb);
}

static enum status check_rate(struct gdb *gdb, uint64_t begin, size_t done, struct error *error)
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
		enum status status = read_some(gdb, address + done, bytes + done, size - done, &got, error);
		pass_on_loss(gdb);
		done += got;
		if (status == STATUS_OK && gdb->remote.observer->progress != NULL)
			gdb->remote.observer->progress(gdb->remote.observer->context, done, size);
		if (status == STATUS_OK && done < size)
			status = check_rate(gdb, begin, done, error);
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
	pass_on_loss(gdb);
	if (status == STATUS_OK && strcmp((const char *)answer->payload, "OK") != 0)
		return refused(gdb, "write", address, size, answer, error);
	return status;
}

static enum status gdb_run(struct target *target, unsigned milliseconds, struct error *error)
{
	struct gdb *gdb = (struct gdb *)target;

	enum status status = gdb_remote_run(&gdb->remote, milliseconds, error);
	pass_on_loss(gdb);
	return status;
}

static enum status gdb_close(struct target *target, struct error *error)
{
	struct gdb *gdb = (struct gdb *)target;
	enum status status = gdb_remote_close(&gdb->remote, error);
	free(gdb);
	return status;
}

const struct target_ops backend_gdb = {
        .scheme = "gdb",
        .synopsis = ":HOST:PORT|DEVICE[,timeout=SECONDS][,target=N][,baud=N]",
        .summary = "a gdb server: QEMU, OpenOCD, pyOCD, J-Link, Black Magic Probe; it may halt the core",
        .caution = "a gdb server may halt the core while it is connected",
        .options = {"timeout", "target", "baud"},
        .is_live = true,
        .capabilities = TARGET_HAS_TEXT,
        .open = gdb_open,
        .read = gdb_read,
        .write = gdb_write,
        .run = gdb_run,
        .close = gdb_close,
};
