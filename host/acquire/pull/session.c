/* SPDX-License-Identifier: MIT */
/* See session.h. */
#include "acquire/pull/session.h"

#include "base/file/inputs.h"

#include <bareprof/block.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The number of attempts, and the time between them, to find the block while firmware boots. */
#define BOOT_ROUNDS       10
#define BOOT_MILLISECONDS 100u

enum status pull_session_check_output(const struct pull_session *session, struct error *error)
{
	const struct pull_options *options = session->options;
	struct file_inputs inputs = {0};

	enum status status = options->source->backend->is_file
	                             ? file_inputs_add(&inputs, options->source->address, error)
	                             : STATUS_OK;
	if (status == STATUS_OK && options->elf_path != NULL)
		status = file_inputs_add(&inputs, options->elf_path, error);
	if (status == STATUS_OK)
		status = file_check_output(options->output_path, &inputs, error);
	file_inputs_free(&inputs);
	return status;
}

enum status pull_session_prepare(struct pull_session *session, struct error *error)
{
	if (session->options->elf_path == NULL)
		return STATUS_OK;
	enum status status = image_open(session->options->elf_path, &session->image, error);
	if (status == STATUS_OK)
		status = identity_check_isa(session->image, session->options->source, error);
	if (status == STATUS_OK && session->options->arm != NULL)
		status = trigger_find(session->image, session->options->arm, &session->trigger, error);
	session->trigger.ticks = session->options->ticks;
	if (status != STATUS_OK || session->options->force)
		return status;
	return identity_check_layout(session->image, error);
}

static enum status check_block_identities(struct pull_session *session, struct error *error)
{
	enum status status = STATUS_OK;
	enum identity_verdict verdict = IDENTITY_SAME;

	for (size_t i = 0; status == STATUS_OK && i < session->located.count; i++) {
		status = identity_check(session->target, session->image, &session->located.blocks[i],
		                        session->options->force, &session->identity, error);
		if (verdict != IDENTITY_OTHER && session->identity.verdict != IDENTITY_SAME)
			verdict = session->identity.verdict;
	}
	session->identity.verdict = verdict;
	return status;
}

static enum status request_all(struct pull_session *session, unsigned command, struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < session->located.count; i++)
		status = control_request(session->target, &session->located.blocks[i], command, 0, error);
	for (size_t i = 0; status == STATUS_OK && i < session->located.count && command == BAREPROF_COMMAND_RESET; i++)
		status = control_await_reset(session->target, &session->located.blocks[i], error);
	return status;
}

static enum status start_all(struct pull_session *session, struct error *error)
{
	enum status status = request_all(session, BAREPROF_COMMAND_START, error);

	if (status == STATUS_OK)
		session->remains = "the profile keeps running";
	return status;
}

static enum status stop_all(struct pull_session *session, struct error *error)
{
	session->remains = NULL;
	return request_all(session, BAREPROF_COMMAND_STOP, error);
}

static enum status arm_all(struct pull_session *session, struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < session->located.count; i++)
		status = control_arm(session->target, &session->located.blocks[i], &session->trigger, error);
	if (status == STATUS_OK)
		session->remains = "the profile is left armed";
	return status;
}

static void report_waiting(const struct pull_options *options, unsigned milliseconds)
{
	if (options->waiting != NULL)
		options->waiting(options->setup->observer->context, milliseconds);
}

static enum status read_headers(struct pull_session *session, struct capture_header headers[LOCATE_BLOCKS_MAX],
                                struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < session->located.count; i++)
		status = locate_header_again(session->target, session->located.blocks[i].block_address, &headers[i],
		                             error);
	return status;
}

enum disruption disruption_of_requested_reset(const struct capture_header *after)
{
	return after->reset_count > 0 && after->ticks > 0 ? DISRUPTION_REQUESTED : DISRUPTION_NONE;
}

static enum disruption disruption_between(const struct capture_header *before, const struct capture_header *after)
{
	const bool is_stopped = after->state == BAREPROF_STATE_STOPPED;
	const enum capture_course course = capture_course(before, after);

	if (course == CAPTURE_RESTARTED)
		return is_stopped && after->ticks == 0 ? DISRUPTION_LOST_STOPPED : DISRUPTION_LOST;
	if (course == CAPTURE_CLEARED)
		return DISRUPTION_CLEARED;
	if (after->reset_count != before->reset_count)
		return is_stopped ? DISRUPTION_RESET_STOPPED : DISRUPTION_RESET;
	return DISRUPTION_NONE;
}

static void note_disruption(struct pull_session *session, enum disruption disruption)
{
	session->disruption = disruption > session->disruption ? disruption : session->disruption;
}

/* Notes a disruption, unless the counts are cleared anyway. */
static void note_requested_reset(struct pull_session *session)
{
	for (size_t i = 0; i < session->located.count && !session->options->reset; i++)
		note_disruption(session, disruption_of_requested_reset(&session->located.blocks[i]));
}

static void note_disruptions(struct pull_session *session, const struct capture_header *before,
                             const struct capture_header *after)
{
	for (size_t i = 0; i < session->located.count; i++)
		note_disruption(session, disruption_between(&before[i], &after[i]));
}

enum status pull_session_let_run(struct pull_session *session, unsigned milliseconds, struct error *error)
{
	struct capture_header before[LOCATE_BLOCKS_MAX] = {{.major = 0}}, after[LOCATE_BLOCKS_MAX] = {{.major = 0}};

	enum status status = read_headers(session, before, error);
	if (status != STATUS_OK)
		return status;
	session->has_run = true;
	report_waiting(session->options, milliseconds);
	status = target_run(session->target, milliseconds, error);
	report_waiting(session->options, 0);
	if (status == STATUS_OK)
		status = read_headers(session, after, error);
	if (status == STATUS_OK)
		note_disruptions(session, before, after);
	return status;
}

enum status pull_session_control(struct pull_session *session, struct error *error)
{
	const struct pull_options *options = session->options;
	enum status status = STATUS_OK;

	/* A running profile is stopped first: it would count before its trigger is set. */
	if (options->arm != NULL)
		status = stop_all(session, error);
	if (status == STATUS_OK && options->reset)
		status = request_all(session, BAREPROF_COMMAND_RESET, error);
	if (status == STATUS_OK && options->start)
		status = start_all(session, error);
	if (status == STATUS_OK && options->arm != NULL)
		status = arm_all(session, error);
	if (status == STATUS_OK && options->wait_milliseconds > 0)
		status = pull_session_let_run(session, options->wait_milliseconds, error);
	if (status == STATUS_OK && options->stop)
		status = stop_all(session, error);
	return status;
}

static void forget_snapshots(struct pull_session *session)
{
	for (size_t i = 0; i < LOCATE_BLOCKS_MAX; i++) {
		free(session->snapshots[i].bytes);
		session->snapshots[i].bytes = NULL;
	}
}

static enum status take_snapshots(struct pull_session *session, struct error *error)
{
	enum status status = STATUS_OK;

	forget_snapshots(session);
	for (size_t i = 0; status == STATUS_OK && i < session->located.count; i++)
		status = snapshot_take(session->target, session->located.blocks[i].block_address,
		                       &session->snapshots[i], error);
	return status;
}

/* Checks that the blocks still belong to the firmware that was found, because the target may have been flashed while it
 * ran. Its code is read again only if the block has no build-id. */
static enum status check_kept(struct pull_session *session, struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < session->located.count; i++)
		status = identity_check_kept(session->target, &session->located.blocks[i],
		                             &session->snapshots[i].header, error);
	if (status != STATUS_OK || !session->has_run)
		return status;
	return check_block_identities(session, error);
}

enum status pull_session_read(struct pull_session *session, struct error *error)
{
	enum status status = take_snapshots(session, error);

	return status != STATUS_OK ? status : check_kept(session, error);
}

static enum status locate_now(struct pull_session *session, struct error *error)
{
	const struct pull_options *options = session->options;
	const struct locate_scan scan = {
	        .clock = &clock_system,
	        .progress = options->setup != NULL ? options->scanning : NULL,
	        .context = options->setup != NULL ? options->setup->observer->context : NULL,
	};

	return locate_blocks(session->target, session->image, &scan, &session->located, error);
}

/* Lets the target run first, because memory that a reset does not clear still holds the old block. */
static enum status locate_after_reset(struct pull_session *session, struct error *error)
{
	enum status status = STATUS_FAILED;

	for (unsigned round = 0; status && !session->target->is_lost && round < BOOT_ROUNDS; round++) {
		status = target_run(session->target, BOOT_MILLISECONDS, error);
		if (status != STATUS_OK)
			return status;
		status = locate_now(session, error);
	}
	return status;
}

static bool resets_target(const struct pull_session *session)
{
	const struct target_setup *setup = session->options->setup;

	return setup != NULL && setup->reset_target && !session->was_connected;
}

enum status pull_session_connect(struct pull_session *session, int cancel, struct error *error)
{
	struct target_setup setup = TARGET_SETUP_DEFAULT;
	struct error left;

	if (session->options->setup != NULL)
		setup = *session->options->setup;
	setup.cancel = cancel;
	/* Probes reach RISC-V only over JTAG. */
	if (session->image != NULL && session->image->isa == IMAGE_ISA_RISCV &&
	    setup.transport == TARGET_DEFAULT_TRANSPORT)
		setup.transport = TARGET_JTAG;
	setup.left = &left;
	setup.reset_target = resets_target(session);
	setup.was_left_halted = setup.halt && session->left.message[0];
	enum status status = target_open(session->options->source, &setup, &session->target, error);
	/* Keeps the report of the last connection if no new one was made. */
	if (status == STATUS_OK || left.message[0])
		session->left = left;
	if (status == STATUS_OK) {
		session->was_connected = true;
		memcpy(session->source, session->target->source, sizeof session->source);
	}
	return status;
}

enum status pull_session_open(struct pull_session *session, int cancel, struct error *error)
{
	const bool is_reset = resets_target(session);

	enum status status = pull_session_connect(session, cancel, error);
	if (status != STATUS_OK)
		return status;
	status = is_reset ? locate_after_reset(session, error) : locate_now(session, error);
	if (status == STATUS_OK && is_reset)
		note_requested_reset(session);
	if (status == STATUS_OK)
		status = check_block_identities(session, error);
	if (status != STATUS_OK)
		pull_session_close(session);
	return status;
}

void pull_session_close(struct pull_session *session)
{
	if (session->target == NULL)
		return;
	session->traffic = target_traffic(session->target);
	target_close(session->target, &session->left);
	session->target = NULL;
}

enum status pull_session_fail_interrupted(const struct pull_session *session, struct error *error)
{
	const char *rest = session->left.message[0] ? session->left.message : session->remains;

	return rest != NULL ? status_fail(error, "interrupted; %s", rest) : status_fail(error, "interrupted");
}

void pull_session_release(struct pull_session *session)
{
	forget_snapshots(session);
	if (session->image != NULL)
		image_close(session->image);
}

/* Concatenates all blocks. */
static enum status join_blocks(const struct pull_session *session, uint8_t **bytes, size_t *size, struct error *error)
{
	*size = 0;
	for (size_t i = 0; i < session->located.count; i++)
		*size += session->snapshots[i].header.block_size;
	*bytes = malloc(*size + 1); /* not 0 */
	if (*bytes == NULL)
		return status_no_memory(error, session->source);
	uint8_t *next = *bytes;
	for (size_t i = 0; i < session->located.count; i++) {
		memcpy(next, session->snapshots[i].bytes, session->snapshots[i].header.block_size);
		next += session->snapshots[i].header.block_size;
	}
	return STATUS_OK;
}

enum status pull_session_encode(const struct pull_session *session, uint8_t **file, size_t *file_size,
                                struct error *error)
{
	uint32_t skews[LOCATE_BLOCKS_MAX][2];
	uint8_t *bytes;
	size_t size;

	for (size_t i = 0; i < session->located.count; i++) {
		skews[i][0] = (uint32_t)session->snapshots[i].ticks_before;
		skews[i][1] = (uint32_t)session->snapshots[i].ticks_after;
	}
	const struct capture_trailer trailer = {
	        .source = session->source,
	        .time = time(NULL),
	        .has_code_crc = session->identity.has_code_crc,
	        .code_crc = session->identity.code_crc,
	        .skews = (const uint32_t(*)[2])skews,
	        .skew_count = session->located.count,
	};
	enum status status = join_blocks(session, &bytes, &size, error);
	if (status != STATUS_OK)
		return status;
	status = capture_encode(bytes, size, &trailer, file, file_size, error);
	free(bytes);
	return status;
}

/* A capture that no other command could read is a failure. */
static enum status check_encoded_capture(const struct pull_session *session, const uint8_t *file, size_t size,
                                         bool *is_contradictory, struct error *error)
{
	struct capture *capture;

	*is_contradictory = false;
	enum status status = capture_decode(session->source, file, size, &capture, error);
	if (status != STATUS_OK)
		return status;
	for (size_t i = 0; i < capture->block_count; i++)
		*is_contradictory |= capture_sum_samples(&capture->blocks[i]).balance == CAPTURE_DOES_NOT_ADD_UP;
	capture_close(capture);
	return STATUS_OK;
}

enum status pull_session_write_file(const struct pull_session *session, uint8_t *file, size_t size,
                                    struct file_writer *writer, bool *is_contradictory, struct error *error)
{
	enum status status = check_encoded_capture(session, file, size, is_contradictory, error);

	/* The stream keeps a write error, and file_commit() reports it. */
	if (status == STATUS_OK)
		fwrite(file, 1, size, writer->stream);
	free(file);
	return status == STATUS_OK ? file_commit(writer, error) : status;
}

static void summarise_pull(const struct pull_session *session, bool is_contradictory, struct pull_summary *summary)
{
	*summary = (struct pull_summary){
	        .block_count = session->located.count,
	        .uninitialised = session->located.uninitialised,
	        .identity = session->identity.verdict,
	        .disruption = session->disruption,
	        .is_contradictory = is_contradictory,
	        .caution = session->options->source->backend->caution,
	        .traffic = session->traffic,
	};
	for (size_t i = 0; i < session->located.count; i++) {
		const struct capture_header *header = &session->snapshots[i].header;

		summary->blocks[i].address = header->block_address;
		summary->blocks[i].size = header->block_size;
		summary->blocks[i].ticks = (uint32_t)header->ticks; /* 32 bits in a block */
		summary->blocks[i].ticks_passed =
		        (uint32_t)(session->snapshots[i].ticks_after - session->snapshots[i].ticks_before);
		summary->blocks[i].state = header->state;
	}
}

enum status pull_session_write(const struct pull_session *session, struct file_writer *writer,
                               struct pull_summary *summary, struct error *error)
{
	bool is_contradictory;
	uint8_t *file;
	size_t size;

	enum status status = pull_session_encode(session, &file, &size, error);
	if (status == STATUS_OK)
		status = pull_session_write_file(session, file, size, writer, &is_contradictory, error);
	if (status == STATUS_OK)
		summarise_pull(session, is_contradictory, summary);
	return status;
}
