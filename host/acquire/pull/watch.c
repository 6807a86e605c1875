/* SPDX-License-Identifier: MIT */
/* See watch.h. */
#include "acquire/pull/watch.h"

#include "acquire/pull/interrupt.h"
#include "acquire/pull/session.h"
#include "base/file/file.h"
#include "base/wait.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PLACE "%d"

struct watch {
	const struct watch_options *options;
	struct pull_session session;
	struct interrupt interrupt;
	struct watch_summary *summary;
	uint32_t number;   /* number of the next file */
	unsigned failures; /* failures in a row */
};

/* The start of a name's suffix, or the end of the name. The dot of a folder or of a hidden file begins no suffix. */
static size_t find_suffix(const char *name)
{
	const char *slash = strrchr(name, '/');
	const char *last = slash != NULL ? slash + 1 : name;
	const char *dot = strrchr(last, '.');

	return dot != NULL && dot != last ? (size_t)(dot - name) : strlen(name);
}

char *numbered_name(const char *name, uint32_t number)
{
	const char *place = strstr(name, PLACE);
	size_t before = place != NULL ? (size_t)(place - name) : find_suffix(name);
	const char *after = place != NULL ? place + strlen(PLACE) : name + before;
	size_t capacity = strlen(name) + sizeof "-4294967295";
	char *numbered = malloc(capacity);

	if (numbered != NULL)
		snprintf(numbered, capacity, "%.*s%s%04" PRIu32 "%s", (int)before, name, place != NULL ? "" : "-",
		         number, after);
	return numbered;
}

/* The name with the first number from *number on whose file does not exist; updates *number. */
static char *new_name(const char *name, uint32_t *number)
{
	struct stat ignored;

	for (;; ++*number) {
		char *numbered = numbered_name(name, *number);

		if (numbered == NULL || lstat(numbered, &ignored) != 0)
			return numbered;
		free(numbered);
	}
}

static bool is_interrupted(const struct watch *watch)
{
	return !wait_pause(0, watch->interrupt.descriptor);
}

static bool is_over(const struct watch *watch)
{
	return is_interrupted(watch) || (watch->options->count != 0 && watch->summary->taken == watch->options->count);
}

/* Reconnects to a lost target. */
static enum status run_or_reconnect(struct watch *watch, struct error *error)
{
	struct pull_session *session = &watch->session;

	if (session->target != NULL)
		return pull_session_let_run(session, watch->options->milliseconds, error);
	wait_pause(watch->options->milliseconds, watch->interrupt.descriptor);
	return pull_session_open(session, watch->interrupt.descriptor, error);
}

static enum status read_target(struct watch *watch, bool is_first, struct error *error)
{
	if (is_first)
		return pull_session_read(&watch->session, error);
	watch->session.disruption = DISRUPTION_NONE;
	enum status status = run_or_reconnect(watch, error);
	return status != STATUS_OK ? status : pull_session_read(&watch->session, error);
}

/* Counts a failed read, unless it was interrupted. */
static enum status note_failed_read(struct watch *watch, struct error *error)
{
	if (is_interrupted(watch))
		return STATUS_OK;
	if (watch->session.target != NULL && watch->session.target->is_lost)
		pull_session_close(&watch->session);
	watch->summary->failed++;
	if (++watch->failures == WATCH_FAILURES_MAX)
		return STATUS_FAILED;
	status_add(STATUS_FAILED, error, &watch->session.left);
	watch->options->failed(watch->options->context, error->message);
	return STATUS_OK;
}

static enum status take_capture(struct watch *watch, const char *path, bool is_first, struct error *error)
{
	struct file_writer writer;
	struct pull_summary summary;

	enum status status = file_create(&writer, path, error);
	if (status != STATUS_OK)
		return status;
	if (read_target(watch, is_first, error) != STATUS_OK) {
		file_discard(&writer);
		return note_failed_read(watch, error);
	}
	status = pull_session_write(&watch->session, &writer, &summary, error);
	file_discard(&writer);
	if (status != STATUS_OK)
		return status;
	watch->failures = 0;
	watch->summary->taken++;
	watch->options->taken(watch->options->context, path, &summary);
	return STATUS_OK;
}

static enum status name_next(struct watch *watch, char **path, struct error *error)
{
	*path = new_name(watch->options->pull.output_path, &watch->number);
	return *path != NULL ? STATUS_OK : status_no_memory(error, watch->options->pull.output_path);
}

static enum status take_next(struct watch *watch, bool is_first, struct error *error)
{
	char *path;

	enum status status = name_next(watch, &path, error);
	if (status != STATUS_OK)
		return status;
	status = take_capture(watch, path, is_first, error);
	free(path);
	return status;
}

static enum status take_all(struct watch *watch, struct error *error)
{
	enum status status = pull_session_open(&watch->session, watch->interrupt.descriptor, error);

	if (status == STATUS_OK)
		status = pull_session_control(&watch->session, error);
	for (bool is_first = true; status == STATUS_OK && !is_over(watch); is_first = false)
		status = take_next(watch, is_first, error);
	pull_session_close(&watch->session);
	return status;
}

static enum status watch_target(struct watch *watch, struct error *error)
{
	enum status status = interrupt_defer(&watch->interrupt, error);

	if (status != STATUS_OK)
		return status;
	status = take_all(watch, error);
	watch->summary->remains = watch->session.remains;
	bool came = interrupt_release(&watch->interrupt);
	if (came && watch->summary->taken == 0)
		return pull_session_fail_interrupted(&watch->session, error);
	return status_add(status, error, &watch->session.left);
}

/* Call it before connecting, so that the target is not disturbed if the output cannot be written. */
static enum status check_watch_output(struct watch *watch, struct error *error)
{
	struct file_writer writer = {0};
	char *path = NULL;

	enum status status = name_next(watch, &path, error);
	if (status == STATUS_OK)
		status = file_create(&writer, path, error);
	file_discard(&writer);
	free(path);
	return status;
}

enum status watch_run(const struct watch_options *options, struct watch_summary *summary, struct error *error)
{
	struct watch watch = {
	        .options = options,
	        .session = {.options = &options->pull},
	        .interrupt = {.descriptor = -1},
	        .summary = summary,
	        .number = 1,
	};

	*summary = (struct watch_summary){0};
	enum status status = pull_session_prepare(&watch.session, error);
	if (status == STATUS_OK)
		status = check_watch_output(&watch, error);
	if (status == STATUS_OK)
		status = watch_target(&watch, error);
	pull_session_release(&watch.session);
	return status;
}
