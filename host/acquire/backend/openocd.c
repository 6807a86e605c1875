/* SPDX-License-Identifier: MIT */
/* The backend for OpenOCD's Tcl server (OpenOCD User's Guide, "Tcl Scripting API", "Tcl RPC server"). The target keeps
 * running, and a failed read is an error; OpenOCD's gdb server answers with zeros. Halting and resetting are left to
 * OpenOCD, which polls the core itself. */
#include "acquire/backend/tcl_answer.h"
#include "acquire/backend/text_server.h"
#include "acquire/channel/tcp.h"
#include "acquire/target/target.h"
#include "base/clock.h"
#include "base/wait.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* OpenOCD's default (User's Guide, "TCP/IP Ports"). */
#define ADDRESS_DEFAULT "localhost:6666"

/* Words per command. With so few, a slow probe answers in time, and the answer, 11 characters per word, fits the
 * buffer. */
#define READ_MAX   ((size_t)1024)
#define REPEAT_MAX ((size_t)1024)
#define WRITE_MAX  ((size_t)64)

#define COMMAND_CAPACITY ((size_t)2048)

/* Characters of an answer that a message shows. */
#define SHOWN 160

struct openocd {
	struct target target;
	struct text_server server;
	char target_name[64];
	bool is_big_endian;
};

static const struct text_peer peer = {
        .name = "OpenOCD",
        .hint = "is it the port of its Tcl server (tcl_port, 6666)?",
        .end = '\x1a', /* User's Guide, "Tcl RPC server" */
};

/* Runs a command; *result is its result or, if *ok is false, its error. */
static enum status run_command(struct openocd *openocd, const char *command, bool *ok, const char **result,
                               struct error *error)
{
	char request[COMMAND_CAPACITY + sizeof TCL_CATCH];
	const char *text;

	snprintf(request, sizeof request, TCL_CATCH, command);
	enum status status = text_server_send(&openocd->server, request, error);
	if (status == STATUS_OK)
		status = text_server_receive(&openocd->server, clock_now() + openocd->server.timeout, &text, error);
	if (status != STATUS_OK)
		return status;
	const char *answer = tcl_answer_result(text, ok);
	if (answer == NULL)
		return text_server_lose(&openocd->server,
		                        "the peer is not the Tcl server of OpenOCD, which is at tcl_port, 6666", error);
	*result = answer;
	return STATUS_OK;
}

/* Runs a command whose error is a failure. */
static enum status openocd_ask(struct openocd *openocd, const char **result, struct error *error, const char *format,
                               ...) __attribute__((format(printf, 4, 5)));
static enum status openocd_ask(struct openocd *openocd, const char **result, struct error *error, const char *format,
                               ...)
{
	char command[COMMAND_CAPACITY];
	va_list arguments;
	bool ok = false;

	*result = "";
	va_start(arguments, format);
	vsnprintf(command, sizeof command, format, arguments);
	va_end(arguments);
	enum status status = run_command(openocd, command, &ok, result, error);
	if (status == STATUS_OK && !ok)
		return status_fail(error, "%s: OpenOCD says to '%.40s': %.*s", openocd->target.source, command,
		                   (int)strcspn(*result, "\r\n"), *result);
	return status;
}

/* Whether a name has no characters that are special to Tcl; names become part of commands. */
static bool is_plain_name(const char *name)
{
	for (; *name; name++)
		if (strchr("[]{}$\\\";# \t\r\n", *name) != NULL)
			return false;
	return true;
}

static enum status use_current_target(struct openocd *openocd, struct error *error)
{
	const char *name;

	enum status status = openocd_ask(openocd, &name, error, "target current");
	if (status != STATUS_OK)
		return status;
	if (!name[0] || strlen(name) >= sizeof openocd->target_name || !is_plain_name(name))
		return status_fail(error, "%s: OpenOCD has no current target: is a target in its configuration?",
		                   openocd->target.source);
	memcpy(openocd->target_name, name, strlen(name) + 1);
	return STATUS_OK;
}

static enum status use_named_target(struct openocd *openocd, const struct source *source, const char *name,
                                    struct error *error)
{
	const char *names;

	if (!is_plain_name(name))
		return source_refuse(source, "target", error,
		                     "expected the name of a target, as 'targets' in OpenOCD lists it");
	enum status status = openocd_ask(openocd, &names, error, "target names");
	if (status == STATUS_OK && !tcl_answer_has(names, name))
		return status_fail(error, "%s: OpenOCD has no target %s; it has: %.*s", openocd->target.source, name,
		                   SHOWN, names);
	memcpy(openocd->target_name, name, strlen(name) + 1);
	return status;
}

static enum status check_examined(struct openocd *openocd, struct error *error)
{
	const char *answer;

	enum status status = openocd_ask(openocd, &answer, error, "%s was_examined", openocd->target_name);
	if (status == STATUS_OK && strcmp(answer, "1") != 0)
		return status_fail(error,
		                   "%s: OpenOCD has not reached the target %s yet: is it wired and powered? See "
		                   "its own messages",
		                   openocd->target.source, openocd->target_name);
	if (status == STATUS_OK)
		status = openocd_ask(openocd, &answer, error, "%s cget -endian", openocd->target_name);
	if (status == STATUS_OK)
		openocd->is_big_endian = strcmp(answer, "big") == 0;
	return status;
}

/* --- Memory */

/* Numbers come in the byte order of the target (User's Guide, "read_memory"). */
static void to_target_order(const struct openocd *openocd, uint32_t word, uint8_t bytes[4])
{
	for (unsigned i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(word >> 8 * (openocd->is_big_endian ? 3 - i : i));
}

static enum status parse_words(struct openocd *openocd, const char *answer, uint32_t *words, size_t count,
                               struct error *error)
{
	if (tcl_answer_words(answer, words, count))
		return STATUS_OK;
	return status_fail(error, "%s: OpenOCD did not return %zu words of memory, but '%.40s'", openocd->target.source,
	                   count, answer);
}

static enum status read_target_words(struct openocd *openocd, uint64_t address, uint32_t *words, size_t count,
                                     struct error *error)
{
	const char *answer;

	enum status status = openocd_ask(openocd, &answer, error, "%s read_memory 0x%" PRIx64 " 32 %zu",
	                                 openocd->target_name, address, count);
	return status != STATUS_OK ? status : parse_words(openocd, answer, words, count, error);
}

/* Reads whole words, so that a probe makes one transfer of four bytes. */
static enum status openocd_read(struct target *target, uint64_t address, void *buffer, size_t size, struct error *error)
{
	struct openocd *openocd = (struct openocd *)target;
	const size_t skipped = address % 4;
	uint8_t *bytes = buffer;
	uint32_t words[READ_MAX];
	uint8_t word[4];

	enum status status = read_target_words(openocd, address - skipped, words, (skipped + size + 3) / 4, error);
	for (size_t i = 0; status == STATUS_OK && i < size; i++) {
		to_target_order(openocd, words[(skipped + i) / 4], word);
		bytes[i] = word[(skipped + i) % 4];
	}
	return status;
}

static enum status openocd_read_register(struct target *target, uint64_t address, uint32_t *words, size_t count,
                                         struct error *error)
{
	struct openocd *openocd = (struct openocd *)target;
	enum status status = STATUS_OK;

	for (size_t done = 0, batch; status == STATUS_OK && done < count; done += batch) {
		const char *answer;

		batch = count - done < REPEAT_MAX ? count - done : REPEAT_MAX;
		status = openocd_ask(openocd, &answer, error,
		                     "set l {}; for {set i 0} {$i < %zu} {incr i} {lappend l [%s read_memory 0x%" PRIx64
		                     " 32 1]}; set l",
		                     batch, openocd->target_name, address);
		if (status == STATUS_OK)
			status = parse_words(openocd, answer, words + done, batch, error);
	}
	return status;
}

/* Writes words if all are aligned, so that the target sees one write per word; otherwise bytes. */
static enum status openocd_write(struct target *target, uint64_t address, const void *bytes, size_t size,
                                 struct error *error)
{
	struct openocd *openocd = (struct openocd *)target;
	const uint8_t *next = bytes;
	size_t width = address % 4 == 0 && size % 4 == 0 ? 4 : 1;
	char list[COMMAND_CAPACITY - 256] = "";
	const char *answer;
	size_t length = 0;

	for (size_t i = 0; i < size; i += width) {
		uint32_t number = 0;

		for (size_t at = 0; at < width; at++)
			number |= (uint32_t)next[i + at] << 8 * (openocd->is_big_endian ? width - 1 - at : at);
		length += (size_t)snprintf(list + length, sizeof list - length, " 0x%" PRIx32, number);
	}
	return openocd_ask(openocd, &answer, error, "%s write_memory 0x%" PRIx64 " %zu {%s}", openocd->target_name,
	                   address, 8 * width, list);
}

static enum status openocd_write_register(struct target *target, uint64_t address, uint32_t word, struct error *error)
{
	uint8_t bytes[4];

	to_target_order((struct openocd *)target, word, bytes);
	return openocd_write(target, address, bytes, sizeof bytes, error);
}

static enum status openocd_run(struct target *target, unsigned milliseconds, struct error *error)
{
	struct openocd *openocd = (struct openocd *)target;
	const char *state;

	enum status status = openocd_ask(openocd, &state, error, "%s curstate", openocd->target_name);
	if (status == STATUS_OK && (strcmp(state, "halted") == 0 || strcmp(state, "reset") == 0))
		return status_fail(error, "%s: the target %s is in the state '%s'; 'resume' in OpenOCD lets it run",
		                   target->source, openocd->target_name, state);
	return status != STATUS_OK ? status : text_server_pause(&openocd->server, milliseconds, error);
}

static enum status openocd_close(struct target *target, struct error *error)
{
	(void)error; /* nothing was changed in the target */
	text_server_close(&((struct openocd *)target)->server);
	return STATUS_OK;
}

/* Messages name the address even if it is the default. */
static enum status openocd_connect(struct openocd *openocd, const char *address, struct error *error)
{
	struct text_server *server = &openocd->server;
	const char *where = address[0] ? openocd->target.source : "openocd:" ADDRESS_DEFAULT;

	enum status status =
	        tcp_connect(where, address[0] ? address : ADDRESS_DEFAULT, server->timeout, &server->tcp, error);
	if (status == STATUS_FAILED && wait_pause(0, server->tcp.cancel))
		status_fail(error, "%s; is OpenOCD running, with its Tcl server there (tcl_port)?", error->message);
	return status;
}

static enum status openocd_open(struct target *target, const struct source *source, const struct target_setup *setup,
                                struct error *error)
{
	struct openocd *openocd = (struct openocd *)target;
	const char *name = source_value(source, "target");

	(void)setup;
	target->read_block = 4 * READ_MAX;
	target->write_block = 4 * WRITE_MAX;
	enum status status = text_server_init(&openocd->server, target, &peer, source, error);
	if (status == STATUS_OK)
		status = openocd_connect(openocd, source->address, error);
	if (status == STATUS_OK)
		status = name != NULL ? use_named_target(openocd, source, name, error)
		                      : use_current_target(openocd, error);
	return status != STATUS_OK ? status : check_examined(openocd, error);
}

const struct target_ops backend_openocd = {
        .syntax = {.scheme = "openocd",
                   .synopsis = "[:HOST:PORT][,target=NAME][,timeout=SECONDS]",
                   .summary = "OpenOCD's Tcl server, by default localhost:6666: the target keeps running",
                   .options = {"target", "timeout"}},
        .is_live = true,
        .state_size = sizeof(struct openocd),
        .open = openocd_open,
        .read = openocd_read,
        .write = openocd_write,
        .read_register = openocd_read_register,
        .write_register = openocd_write_register,
        .run = openocd_run,
        .close = openocd_close,
};
