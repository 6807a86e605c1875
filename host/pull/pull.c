/* SPDX-License-Identifier: MIT */
/* The stages of a pull, in order. See pull.h. */
#include "pull/pull.h"

#include "capture/capture.h"
#include "file/file.h"
#include "file/inputs.h"
#include "image/image.h"
#include "pull/control.h"
#include "pull/identity.h"
#include "pull/interrupt.h"
#include "pull/snapshot.h"
#include "pull/trigger.h"

#include <bareprof/block.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct pull {
	const struct pull_options *options;
	struct image *image; /* NULL: none given */
	struct trigger trigger;
	struct access *access;
	char source[sizeof((struct access *)0)->source];
	struct locate_result located;
	struct identity_result identity;
	enum mishap mishap;
	bool is_contradictory;
	const char *remains; /* what was begun in the target and not ended, for the user; NULL = nothing */
	struct snapshot snapshots[LOCATE_BLOCKS_MAX];
	bool has_traffic;
	struct client_traffic traffic;
	struct file_writer writer;
	enum status left; /* how the target was left, apart from whether it was read */
	struct error left_error;
};

static bool wants_control(const struct pull_options *options)
{
	return options->start || options->stop || options->reset || options->arm;
}

/* What a source cannot do is said before it is connected to. */
static enum status check_options(const struct pull_options *options, struct error *error)
{
	const struct access_ops *ops = access_find(options->source);

	if (!ops)
		return STATUS_OK; /* access_open() lists the known ones */
	if (!ops->extent && !options->elf_path)
		return status_usage(error, "pull: %s: needs the firmware: -e FW.elf", options->source);
	if (!ops->write && ops->run && wants_control(options))
		return status_usage(error,
		                    "pull: %s: such a source can be read only; --reset, --start, --arm and --stop need "
		                    "another, such as gdb:",
		                    options->source);
	if (!ops->write && wants_control(options))
		return status_usage(error, "pull: %s: --reset, --start, --arm and --stop need a live target",
		                    options->source);
	if (!ops->run && options->wait_milliseconds > 0)
		return status_usage(error, "pull: %s: --wait needs a live target", options->source);
	return STATUS_OK;
}

static enum status check_output(const struct pull_options *options, struct error *error)
{
	struct file_inputs inputs = {0};

	enum status status = access_list_inputs(options->source, &inputs, error);
	if (!status && options->elf_path)
		status = file_inputs_add(&inputs, options->elf_path, error);
	if (!status)
		status = file_check_output(options->output_path, &inputs, error);
	file_inputs_free(&inputs);
	return status;
}

static enum status open_image(struct pull *pull, struct error *error)
{
	if (!pull->options->elf_path)
		return STATUS_OK;
	enum status status = image_open(pull->options->elf_path, &pull->image, error);
	if (!status && pull->options->arm)
		status = trigger_find(pull->image, pull->options->arm, &pull->trigger, error);
	pull->trigger.ticks = pull->options->ticks;
	if (status || pull->options->force)
		return status;
	return identity_check_layout(pull->image, error);
}

static enum status check_identity(struct pull *pull, struct error *error)
{
	enum status status = STATUS_OK;
	enum identity_verdict verdict = IDENTITY_SAME;

	for (size_t i = 0; !status && i < pull->located.count; i++) {
		status = identity_check(pull->access, pull->image, &pull->located.blocks[i], pull->options->force,
		                        &pull->identity, error);
		if (verdict != IDENTITY_OTHER && pull->identity.verdict != IDENTITY_SAME)
			verdict = pull->identity.verdict;
	}
	pull->identity.verdict = verdict;
	return status;
}

static enum status request_all(struct pull *pull, unsigned command, struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; !status && i < pull->located.count; i++)
		status = control_request(pull->access, &pull->located.blocks[i], command, 0, error);
	for (size_t i = 0; !status && i < pull->located.count && command == BAREPROF_COMMAND_RESET; i++)
		status = control_await_reset(pull->access, &pull->located.blocks[i], error);
	return status;
}

static enum status start_all(struct pull *pull, struct error *error)
{
	enum status status = request_all(pull, BAREPROF_COMMAND_START, error);
	if (!status)
		pull->remains = "the profile runs on, --stop stops it";
	return status;
}

static enum status stop_all(struct pull *pull, struct error *error)
{
	pull->remains = NULL;
	return request_all(pull, BAREPROF_COMMAND_STOP, error);
}

static enum status arm_all(struct pull *pull, struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; !status && i < pull->located.count; i++)
		status = control_arm(pull->access, &pull->located.blocks[i], &pull->trigger, error);
	if (!status)
		pull->remains = "the profile is left armed, --stop stops it";
	return status;
}

static void tell_waiting(const struct pull_options *options, unsigned milliseconds)
{
	if (options->waiting)
		options->waiting(options->setup->observer->context, milliseconds);
}

static enum status read_headers(struct pull *pull, struct capture_header headers[LOCATE_BLOCKS_MAX],
                                struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; !status && i < pull->located.count; i++)
		status = locate_header_again(pull->access, pull->located.blocks[i].block_address, &headers[i], error);
	return status;
}

static void note_mishaps(struct pull *pull, const struct capture_header *before, const struct capture_header *after)
{
	for (size_t i = 0; i < pull->located.count; i++) {
		enum mishap mishap = mishap_between(&before[i], &after[i]);
		pull->mishap = mishap > pull->mishap ? mishap : pull->mishap;
	}
}

static enum status let_target_work(struct pull *pull, struct error *error)
{
	struct capture_header before[LOCATE_BLOCKS_MAX], after[LOCATE_BLOCKS_MAX];

	enum status status = read_headers(pull, before, error);
	if (status)
		return status;
	tell_waiting(pull->options, pull->options->wait_milliseconds);
	status = access_run(pull->access, pull->options->wait_milliseconds, error);
	tell_waiting(pull->options, 0);
	if (!status)
		status = read_headers(pull, after, error);
	if (!status)
		note_mishaps(pull, before, after);
	return status;
}

static enum status control(struct pull *pull, struct error *error)
{
	const struct pull_options *options = pull->options;
	enum status status = STATUS_OK;

	/* A profile that runs would count until its trigger is set. */
	if (options->arm)
		status = stop_all(pull, error);
	if (!status && options->reset)
		status = request_all(pull, BAREPROF_COMMAND_RESET, error);
	if (!status && options->start)
		status = start_all(pull, error);
	if (!status && options->arm)
		status = arm_all(pull, error);
	if (!status && options->wait_milliseconds > 0)
		status = let_target_work(pull, error);
	if (!status && options->stop)
		status = stop_all(pull, error);
	return status;
}

static enum status take_snapshots(struct pull *pull, struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; !status && i < pull->located.count; i++)
		status = snapshot_take(pull->access, pull->located.blocks[i].block_address, &pull->snapshots[i], error);
	return status;
}

/* A target that ran for a while may have been flashed: what was read must be of the firmware that was found. The code
 * is read anew only where the block has no build-id. */
static enum status check_kept(struct pull *pull, struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; !status && i < pull->located.count; i++)
		status = identity_check_kept(pull->access, &pull->located.blocks[i], &pull->snapshots[i].header, error);
	if (status || pull->options->wait_milliseconds == 0)
		return status;
	return check_identity(pull, error);
}

static enum status read_target(struct pull *pull, struct error *error)
{
	enum status status = locate_blocks(pull->access, pull->image, &pull->located, error);
	if (!status)
		status = check_identity(pull, error);
	if (!status)
		status = control(pull, error);
	if (!status)
		status = take_snapshots(pull, error);
	if (!status)
		status = check_kept(pull, error);
	return status;
}

/* Everything between connecting and disconnecting. However it ends, the target is told to run on. */
static enum status converse(struct pull *pull, int cancel, struct error *error)
{
	struct access_setup setup = ACCESS_SETUP_PLAIN;

	if (pull->options->setup)
		setup = *pull->options->setup;
	setup.cancel = cancel;
	enum status status = access_open(pull->options->source, &setup, &pull->access, error);
	if (status)
		return status;
	memcpy(pull->source, pull->access->source, sizeof pull->source);
	status = read_target(pull, error);
	pull->has_traffic = access_traffic(pull->access, &pull->traffic);
	pull->left = access_close(pull->access, &pull->left_error);
	return status;
}

/* A signal must not leave a target halted. Without a target it does what it always does, also where a file blocks. */
static enum status visit_target(struct pull *pull, struct error *error)
{
	const struct access_ops *ops = access_find(pull->options->source);
	struct interrupt interrupt = {.descriptor = -1};

	enum status status = ops && ops->run ? interrupt_hold(&interrupt, error) : STATUS_OK;
	if (!status)
		status = converse(pull, interrupt.descriptor, error);
	if (!interrupt_release(&interrupt))
		return status;
	const char *rest = pull->left ? pull->left_error.message : pull->remains;
	return rest ? status_fail(error, "interrupted; %s", rest) : status_fail(error, "interrupted");
}

/* All blocks, one behind the other. */
static enum status join_blocks(const struct pull *pull, uint8_t **bytes, size_t *size, struct error *error)
{
	*size = 0;
	for (size_t i = 0; i < pull->located.count; i++)
		*size += pull->snapshots[i].header.block_size;
	*bytes = malloc(*size + 1); /* never none at all */
	if (!*bytes)
		return status_fail(error, "%s: out of memory for blocks of %zu bytes", pull->source, *size);
	uint8_t *next = *bytes;
	for (size_t i = 0; i < pull->located.count; i++) {
		memcpy(next, pull->snapshots[i].bytes, pull->snapshots[i].header.block_size);
		next += pull->snapshots[i].header.block_size;
	}
	return STATUS_OK;
}

static enum status encode(const struct pull *pull, uint8_t **file, size_t *file_size, struct error *error)
{
	uint32_t skews[LOCATE_BLOCKS_MAX][2];
	uint8_t *bytes;
	size_t size;

	for (size_t i = 0; i < pull->located.count; i++) {
		skews[i][0] = (uint32_t)pull->snapshots[i].ticks_before;
		skews[i][1] = (uint32_t)pull->snapshots[i].ticks_after;
	}
	const struct capture_trailer trailer = {
	        .source = pull->source,
	        .time = time(NULL),
	        .has_code_hash = pull->identity.has_code_hash,
	        .code_hash = pull->identity.code_hash,
	        .skews = (const uint32_t(*)[2])skews,
	        .skew_count = pull->located.count,
	};
	enum status status = join_blocks(pull, &bytes, &size, error);
	if (status)
		return status;
	status = capture_encode(bytes, size, &trailer, file, file_size, error);
	free(bytes);
	return status;
}

/* What no other command could read is no capture. */
static enum status check_capture(struct pull *pull, const uint8_t *file, size_t size, struct error *error)
{
	struct capture *capture;

	enum status status = capture_decode(pull->source, file, size, &capture, error);
	if (status)
		return status;
	for (size_t i = 0; i < capture->block_count; i++)
		pull->is_contradictory |= capture_sum_samples(&capture->blocks[i]).balance == CAPTURE_DOES_NOT_ADD_UP;
	capture_close(capture);
	return STATUS_OK;
}

static enum status write_capture(struct pull *pull, struct error *error)
{
	uint8_t *file;
	size_t size;

	enum status status = encode(pull, &file, &size, error);
	if (status)
		return status;
	status = check_capture(pull, file, size, error);
	if (status) {
		free(file);
		return status;
	}
	/* A write that fails is kept by the stream and told by file_commit(). */
	fwrite(file, 1, size, pull->writer.stream);
	free(file);
	return file_commit(&pull->writer, error);
}

static void summarise(const struct pull *pull, struct pull_summary *summary)
{
	*summary = (struct pull_summary){
	        .block_count = pull->located.count,
	        .uninitialised = pull->located.uninitialised,
	        .identity = pull->identity.verdict,
	        .mishap = pull->mishap,
	        .is_contradictory = pull->is_contradictory,
	        .caution = access_find(pull->options->source)->caution,
	        .has_traffic = pull->has_traffic,
	        .traffic = pull->traffic,
	};
	for (size_t i = 0; i < pull->located.count; i++) {
		const struct capture_header *header = &pull->snapshots[i].header;
		summary->blocks[i].address = header->block_address;
		summary->blocks[i].size = header->block_size;
		summary->blocks[i].ticks = (uint32_t)header->ticks; /* 32 bits in a block */
		summary->blocks[i].ticks_passed =
		        (uint32_t)(pull->snapshots[i].ticks_after - pull->snapshots[i].ticks_before);
		summary->blocks[i].state = header->state;
	}
}

static void release(struct pull *pull)
{
	for (size_t i = 0; i < LOCATE_BLOCKS_MAX; i++)
		free(pull->snapshots[i].bytes);
	file_discard(&pull->writer);
	if (pull->image)
		image_close(pull->image);
}

enum status pull_run(const struct pull_options *options, struct pull_summary *summary, struct error *error)
{
	struct pull pull = {.options = options};

	*summary = (struct pull_summary){0};
	enum status status = check_options(options, error);
	if (!status)
		status = check_output(options, error);
	if (!status)
		status = open_image(&pull, error);
	/* Before the target is touched: what cannot be written need not be read. */
	if (!status)
		status = file_create(&pull.writer, options->output_path, error);
	if (!status)
		status = visit_target(&pull, error);
	if (!status)
		status = write_capture(&pull, error);
	if (!status)
		summarise(&pull, summary);
	if (!status && pull.left)
		status = status_fail(error, "%s is written, but %s", options->output_path, pull.left_error.message);
	release(&pull);
	return status;
}
