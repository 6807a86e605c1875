/* SPDX-License-Identifier: MIT */
/* The backend for QMP, QEMU's own protocol: reads the memory of a running machine, and never writes. QMP can only write
 * memory to a file, so QEMU must run on this computer. */
#include "acquire/backend/qmp_message.h"
#include "acquire/backend/text_server.h"
#include "acquire/channel/tcp.h"
#include "acquire/target/target.h"
#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes per request; interruptions are noticed between two requests. */
#define SAVE_MAX ((size_t)1 << 20)

static const struct text_peer qmp = {
        .name = "QEMU",
        .hint = "is it a QMP socket, and is nobody else connected to it?",
        .end = '\n',
};

struct qemu {
	struct target target;
	struct text_server server;
	char folder[PATH_MAX]; /* private to us; empty = not created */
	char path[PATH_MAX + 8];
	int file; /* reads what QEMU writes to path; -1: not created */
};

/* Waits for the answer to the last command, skipping events. */
static enum status await_qmp_answer(struct qemu *qemu, struct qmp_message *message, struct error *error)
{
	uint64_t deadline = clock_now() + qemu->server.timeout;
	bool has_events = false;
	const char *text;

	for (;; has_events = true) {
		enum status status = text_server_receive(&qemu->server, deadline, &text, error);

		if (status != STATUS_OK && has_events && clock_now() >= deadline)
			return text_server_lose(&qemu->server, "QEMU reports events, but does not answer", error);
		if (status != STATUS_OK)
			return status;
		qmp_message_parse(text, strlen(text), message);
		if (message->kind != QMP_EVENT)
			break;
	}
	if (message->kind == QMP_OTHER)
		return text_server_lose(&qemu->server,
		                        "the peer does not speak QMP: start QEMU with "
		                        "-qmp unix:SOCKET,server=on,wait=off",
		                        error);
	return STATUS_OK;
}

static enum status qemu_ask(struct qemu *qemu, const char *command, struct qmp_message *message, struct error *error)
{
	enum status status = text_server_send(&qemu->server, command, error);

	if (status == STATUS_OK)
		status = await_qmp_answer(qemu, message, error);
	if (status == STATUS_OK && message->kind == QMP_GREETING)
		return text_server_lose(&qemu->server, "QEMU sent a greeting instead of an answer", error);
	return status;
}

/* Sends a command; a refusal is a failure. */
static enum status ask_or_fail(struct qemu *qemu, const char *command, struct qmp_message *message, struct error *error)
{
	enum status status = qemu_ask(qemu, command, message, error);

	if (status == STATUS_OK && message->kind == QMP_ERROR)
		return status_fail(error, "%s: QEMU refuses: %s", qemu->target.source, message->reason);
	return status;
}

static enum status qmp_handshake(struct qemu *qemu, struct error *error)
{
	struct qmp_message message;

	enum status status = await_qmp_answer(qemu, &message, error);
	if (status == STATUS_OK && message.kind != QMP_GREETING)
		status = text_server_lose(&qemu->server, "QEMU sent no greeting", error);
	return status != STATUS_OK ? status : ask_or_fail(qemu, "{\"execute\":\"qmp_capabilities\"}", &message, error);
}

/* Creates the file before QEMU does, because QEMU would let others read it. Uses a private folder, because directly in
 * /tmp Linux keeps even root from opening other users' files (fs.protected_regular). */
static enum status create_file(struct qemu *qemu, struct error *error)
{
	const char *parent = getenv("TMPDIR");
	char absolute[PATH_MAX];

	if (parent == NULL || realpath(parent, absolute) == NULL)
		snprintf(absolute, sizeof absolute, "/tmp");
	int length = snprintf(qemu->folder, sizeof qemu->folder, "%s/bareprof-XXXXXX", absolute);
	if ((size_t)length >= sizeof qemu->folder || mkdtemp(qemu->folder) == NULL) {
		qemu->folder[0] = 0;
		return status_fail(error, "%s: cannot create a folder in %.200s: %s", qemu->target.source, absolute,
		                   strerror(errno));
	}
	snprintf(qemu->path, sizeof qemu->path, "%s/memory", qemu->folder);
	qemu->file = open(qemu->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (qemu->file < 0)
		return status_fail(error, "%s: cannot create %.200s: %s", qemu->target.source, qemu->path,
		                   strerror(errno));
	return STATUS_OK;
}

static enum status qemu_connect(struct qemu *qemu, const char *address, struct error *error)
{
	bool is_path = strchr(address, '/') != NULL || strchr(address, ':') == NULL;

	if (!address[0])
		return status_usage(error, "%s: expected the path of QEMU's QMP socket, or HOST:PORT",
		                    qemu->target.source);
	return (is_path ? tcp_connect_local : tcp_connect)(qemu->target.source, address, qemu->server.timeout,
	                                                   &qemu->server.tcp, error);
}

static enum status qemu_open(struct target *target, const struct source *source, const struct target_setup *setup,
                             struct error *error)
{
	struct qemu *qemu = (struct qemu *)target;

	(void)setup;
	target->read_block = SAVE_MAX;
	qemu->file = -1;
	enum status status = text_server_init(&qemu->server, target, &qmp, source, error);
	if (status == STATUS_OK)
		status = qemu_connect(qemu, source->address, error);
	if (status == STATUS_OK)
		status = qmp_handshake(qemu, error);
	return status != STATUS_OK ? status : create_file(qemu, error);
}

static enum status qemu_close(struct target *target, struct error *error)
{
	struct qemu *qemu = (struct qemu *)target;

	(void)error; /* nothing to restore: the machine was never stopped */
	text_server_close(&qemu->server);
	if (qemu->file >= 0) {
		close(qemu->file);
		unlink(qemu->path);
	}
	if (qemu->folder[0])
		rmdir(qemu->folder);
	return STATUS_OK;
}

/* Reads what QEMU wrote, which must be complete. */
static enum status read_file(struct qemu *qemu, uint8_t *bytes, size_t size, struct error *error)
{
	struct stat file;
	size_t done = 0;

	for (ssize_t count = 1; done < size && count > 0; done += count > 0 ? (size_t)count : 0)
		count = pread(qemu->file, bytes + done, size - done, (off_t)done);
	if (done == size && fstat(qemu->file, &file) == 0 && (uintmax_t)file.st_size == size)
		return STATUS_OK;
	return status_fail(error,
	                   "%s: QEMU reported %zu bytes written to %.200s, but they are not there: does it run on "
	                   "this computer, and see its files?",
	                   qemu->target.source, size, qemu->path);
}

static enum status save_memory(struct qemu *qemu, uint64_t address, size_t size, struct error *error)
{
	struct qmp_message message;

	if (ftruncate(qemu->file, 0) < 0)
		return status_fail(error, "%s: cannot empty %.200s: %s", qemu->target.source, qemu->path,
		                   strerror(errno));
	char *command = qmp_command_save(address, size, qemu->path);
	if (command == NULL)
		return status_no_memory(error, qemu->target.source);
	enum status status = qemu_ask(qemu, command, &message, error);
	free(command);
	if (status == STATUS_OK && message.kind == QMP_ERROR)
		return status_fail(error,
		                   "%s: QEMU cannot save %zu bytes at 0x%08" PRIx64
		                   ": %s (it must be able to write to that file: same user, not in a container)",
		                   qemu->target.source, size, address, message.reason);
	return status;
}

static enum status qemu_read(struct target *target, uint64_t address, void *buffer, size_t size, struct error *error)
{
	struct qemu *qemu = (struct qemu *)target;

	enum status status = save_memory(qemu, address, size, error);
	return status != STATUS_OK ? status : read_file(qemu, buffer, size, error);
}

static enum status qemu_run(struct target *target, unsigned milliseconds, struct error *error)
{
	struct qemu *qemu = (struct qemu *)target;
	struct qmp_message message;

	enum status status = ask_or_fail(qemu, "{\"execute\":\"query-status\"}", &message, error);
	if (status == STATUS_OK && !message.is_running)
		return status_fail(error, "%s: the machine is paused; 'cont' in QEMU's monitor lets it run",
		                   target->source);
	return status != STATUS_OK ? status : text_server_pause(&qemu->server, milliseconds, error);
}

const struct target_ops backend_qemu = {
        .syntax = {.scheme = "qemu",
                   .synopsis = ":SOCKET[,timeout=SECONDS]",
                   .summary = "QEMU's QMP socket, or HOST:PORT: the machine keeps running; it can be read only",
                   .options = {"timeout"}},
        .is_live = true,
        .state_size = sizeof(struct qemu),
        .open = qemu_open,
        .read = qemu_read,
        .run = qemu_run,
        .close = qemu_close,
};
