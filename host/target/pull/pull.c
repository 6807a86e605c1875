/* SPDX-License-Identifier: MIT */
/* The stages of a pull, in order. See pull.h. */
#include "target/pull/pull.h"

#include "base/file/file.h"
#include "base/file/inputs.h"
#include "target/pull/interrupt.h"
#include "target/pull/record.h"
#include "target/pull/session.h"

static enum status check_output(const struct pull_options *options, struct error *error)
{
	struct file_inputs inputs = {0};

	enum status status = options->source->backend->is_file
	                             ? file_inputs_add(&inputs, options->source->address, error)
	                             : STATUS_OK;
	if (!status && options->elf_path)
		status = file_inputs_add(&inputs, options->elf_path, error);
	if (!status)
		status = file_check_output(options->output_path, &inputs, error);
	file_inputs_free(&inputs);
	return status;
}

/* Everything between connecting and disconnecting. However it ends, the target is told to run on. */
static enum status converse(struct visit *visit, int cancel, struct error *error)
{
	enum status status = visit_open(visit, cancel, error);
	if (!status)
		status = visit_control(visit, error);
	if (!status)
		status = visit_read(visit, error);
	visit_close(visit);
	return status ? status_add(status, error, &visit->left) : STATUS_OK;
}

/* A signal must not leave a target halted. Without a target it does what it always does, also where a file blocks. */
static enum status visit_target(struct visit *visit, struct error *error)
{
	struct interrupt interrupt = {.descriptor = -1};

	enum status status = visit->options->source->backend->is_live ? interrupt_hold(&interrupt, error) : STATUS_OK;
	if (!status)
		status = converse(visit, interrupt.descriptor, error);
	return interrupt_release(&interrupt) ? visit_fail_interrupted(visit, error) : status;
}

enum status pull_run(const struct pull_options *options, struct pull_summary *summary, struct error *error)
{
	struct visit visit = {.options = options};
	struct file_writer writer = {0};

	*summary = (struct pull_summary){0};
	enum status status = check_output(options, error);
	if (!status)
		status = visit_prepare(&visit, error);
	/* Before the target is touched: what cannot be written need not be read. */
	if (!status)
		status = file_create(&writer, options->output_path, error);
	if (!status)
		status = visit_target(&visit, error);
	if (!status)
		status = record_write(&visit, &writer, summary, error);
	if (!status && visit.left.message[0])
		status = status_fail(error, "%s is written, but %s", options->output_path, visit.left.message);
	file_discard(&writer);
	visit_release(&visit);
	return status;
}
