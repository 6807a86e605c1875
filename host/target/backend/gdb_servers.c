/* SPDX-License-Identifier: MIT */
/*
 * See gdb_servers.h. OpenOCD's row and pyOCD's were seen with versions 0.12.0 and 0.13.1, and newer sources of both
 * agree (src/server/gdb_server.c; pyocd/gdbserver/gdbserver.py). Black Magic Probe's part is read out of its
 * src/gdb_main.c and src/command.c.
 */
#include "target/backend/gdb_servers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* OpenOCD halts when a client connects and does nothing when it detaches. A target that its configuration left running
 * (-event gdb-attach {}) cannot be resumed. The digits are GDB's encoding of monitor if {[[target current] curstate] eq
 * "halted"} {resume} */
static const char *const resume_if_halted[] = {
        "qRcmd,"
        "6966207b5b5b7461726765742063757272656e745d2063757273746174655d206571202268616c746564227d207b726573756d657d",
        NULL,
};

/* pyOCD halts at its start, and with --persist a target stays halted after detaching. Except in non-stop mode, it does
 * not answer a continue before the target stops, and accepts no other client until then. */
static const char *const continue_without_waiting[] = {"QNonStop:1", "vCont;c", NULL};

static const struct gdb_server servers[] = {
        {
                .version = "Open On-Chip Debugger",
                .detach_requests = resume_if_halted,
                .hides_failures = true,
        },
        /* pyOCD */
        {
                .detach_requests = continue_without_waiting,
        },
};

/* Runs a `monitor` command (GDB manual, "General Query Packets", qRcmd). *answer is its last reply: OK, an error, empty
 * for an unknown command, or more text. */
static enum status monitor(struct gdb_remote *remote, const char *command, struct gdb_output *output,
                           const struct gdb_decoder **answer, struct error *error)
{
	char request[256];
	size_t length = (size_t)snprintf(request, sizeof request, "qRcmd,");

	*output = (struct gdb_output){0};
	gdb_hex_encode((const uint8_t *)command, strlen(command), request + length);
	request[length + 2 * strlen(command)] = 0;
	remote->output = output;
	enum status status = gdb_remote_ask(remote, request, answer, error);
	remote->output = NULL;
	return status;
}

/* The same, if only its text matters. */
static enum status monitor_text(struct gdb_remote *remote, const char *command, struct gdb_output *output,
                                bool *is_refused, struct error *error)
{
	const struct gdb_decoder *answer;

	enum status status = monitor(remote, command, output, &answer, error);
	if (status)
		return status;
	*is_refused = gdb_reply_is_error(answer->payload, answer->size);
	if (!*is_refused)
		gdb_output_add(output, answer->payload, answer->size);
	return STATUS_OK;
}

enum status gdb_server_recognise(struct gdb_remote *remote, const struct gdb_features *features,
                                 const struct gdb_server **server, struct error *error)
{
	struct gdb_output output;
	bool is_refused;

	*server = NULL;
	enum status status = monitor_text(remote, "version", &output, &is_refused, error);
	for (size_t i = 0; !status && i < sizeof servers / sizeof servers[0]; i++) {
		const char *version = servers[i].version;
		if (version ? strncmp(output.text, version, strlen(version)) == 0 : features->non_stop_mode)
			*server = &servers[i];
	}
	return status;
}

/* Scans by one wire protocol after the other. If no target was found, *output is the last scan's. */
static enum status scan(struct gdb_remote *remote, bool *found, struct gdb_output *output, struct error *error)
{
	/* Newer firmware knows swd_scan by both names. */
	static const char *const commands[] = {"swdp_scan", "jtag_scan"};
	enum status status = STATUS_OK;

	*found = false;
	for (size_t i = 0; status == STATUS_OK && !*found && i < sizeof commands / sizeof commands[0]; i++) {
		const struct gdb_decoder *answer;
		status = monitor(remote, commands[i], output, &answer, error);
		*found = !status && strcmp((const char *)answer->payload, "OK") == 0;
	}
	return status;
}

enum status gdb_server_attach(struct gdb_remote *remote, unsigned target, struct error *error)
{
	const struct gdb_decoder *answer;
	struct gdb_output output;
	bool found;
	char request[32];

	enum status status = scan(remote, &found, &output, error);
	if (status)
		return status;
	if (!found && output.size == 0)
		return status_fail(error, "%s: the gdb server has no target to choose, and looks for none",
		                   remote->where);
	if (!found)
		return status_fail(error, "%s: the gdb server finds no target: %s", remote->where,
		                   gdb_output_last_line(&output));
	snprintf(request, sizeof request, "vAttach;%x", target);
	status = gdb_remote_ask(remote, request, &answer, error);
	if (status || gdb_reply_is_stop(answer->payload, answer->size))
		return status;
	return status_fail(error, "%s: the gdb server cannot attach to target %u (it answered '%.40s')", remote->where,
	                   target, (const char *)answer->payload);
}

/* OpenOCD's Tcl reports a failed read as an error: whether any bit is set. Words are faster than bytes. */
enum status gdb_server_check_zeros(struct gdb_remote *remote, uint64_t address, size_t size, enum gdb_zeros *zeros,
                                   struct error *error)
{
	struct gdb_output output;
	char command[80];
	bool is_refused;
	bool are_words = (address | size) % 4 == 0;

	snprintf(command, sizeof command, "expr [join [read_memory 0x%" PRIx64 " %d %zu] |]", address,
	         are_words ? 32 : 8, are_words ? size / 4 : size);
	enum status status = monitor_text(remote, command, &output, &is_refused, error);
	if (status)
		return status;
	const char *line = gdb_output_last_line(&output);
	*zeros = strcmp(line, "0") == 0 ? GDB_ZEROS_TRUE : GDB_ZEROS_OUTDATED;
	if (!is_refused)
		return STATUS_OK;
	*zeros = GDB_ZEROS_UNKNOWN;
	if (strstr(line, "invalid command name") != NULL) /* before version 0.12.0 */
		return STATUS_OK;
	return status_fail(error, "%s: cannot read %zu bytes at 0x%08" PRIx64 ": the gdb server says '%s'",
	                   remote->where, size, address, line);
}
