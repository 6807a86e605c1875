/* SPDX-License-Identifier: MIT */
/* The stages of a pull, in order. See pull.h. */
#include "acquire/pull/pull.h"

#include "acquire/pull/interrupt.h"
#include "acquire/pull/session.h"
#include "base/file/file.h"

/* Runs a session. However it ends, the target is left running. */
static enum status run_pull_session(struct pull_session *session, int cancel, struct error *error)
{
	enum status status = pull_session_open(session, cancel, error);

	if (status == STATUS_OK)
		status = pull_session_control(session, error);
	if (status == STATUS_OK)
		status = pull_session_read(session, error);
	pull_session_close(session);
	return status ? status_add(status, error, &session->left) : STATUS_OK;
}

/* A signal must not leave a target halted. Without a live target, signals keep their default action, so that a blocking
 * read of a file can be ended. */
static enum status pull_guarded(struct pull_session *session, struct error *error)
{
	struct interrupt interrupt = {.descriptor = -1};

	enum status status =
	        session->options->source->backend->is_live ? interrupt_defer(&interrupt, error) : STATUS_OK;
	if (status == STATUS_OK)
		status = run_pull_session(session, interrupt.descriptor, error);
	return interrupt_release(&interrupt) ? pull_session_fail_interrupted(session, error) : status;
}

enum status pull_run(const struct pull_options *options, struct pull_summary *summary, struct error *error)
{
	struct pull_session session = {.options = options};
	struct file_writer writer = {0};

	*summary = (struct pull_summary){0};
	enum status status = pull_session_check_output(&session, error);
	if (status == STATUS_OK)
		status = pull_session_prepare(&session, error);
	/* The output is created before connecting, so that the target is not disturbed if it cannot be written. */
	if (status == STATUS_OK)
		status = file_create(&writer, options->output_path, error);
	if (status == STATUS_OK)
		status = pull_guarded(&session, error);
	if (status == STATUS_OK)
		status = pull_session_write(&session, &writer, summary, error);
	if (status == STATUS_OK && session.left.message[0])
		status = status_fail(error, "%s is written, but %s", options->output_path, session.left.message);
	file_discard(&writer);
	pull_session_release(&session);
	return status;
}
