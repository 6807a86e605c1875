/* SPDX-License-Identifier: MIT */
/* See visit.h. */
#include "target/pull/session.h"

#include "target/pull/control.h"

#include <bareprof/block.h>
#include <stdlib.h>
#include <string.h>

/* What firmware may take from its reset to bareprof_init(): looked for so often, so long apart. */
#define BOOT_ROUNDS       10
#define BOOT_MILLISECONDS 100u

/* The ELF of this computer's own build has a block at an address that the target may have as well. */
static enum status check_isa(const struct visit *visit, struct error *error)
{
	const struct source *source = visit->options->source;
	const struct image *image = visit->image;

	if (!source->backend->is_cortex_m || (image->isa == IMAGE_ISA_ARM && image->address_size == 4))
		return STATUS_OK;
	return status_fail(error, "%s: is not for a Cortex-M, and %s reaches no other core", visit->options->elf_path,
	                   source->text);
}

enum status visit_prepare(struct visit *visit, struct error *error)
{
	if (!visit->options->elf_path)
		return STATUS_OK;
	enum status status = image_open(visit->options->elf_path, &visit->image, error);
	if (!status)
		status = check_isa(visit, error);
	if (!status && visit->options->arm)
		status = trigger_find(visit->image, visit->options->arm, &visit->trigger, error);
	visit->trigger.ticks = visit->options->ticks;
	if (status || visit->options->force)
		return status;
	return identity_check_layout(visit->image, error);
}

static enum status check_identity(struct visit *visit, struct error *error)
{
	enum status status = STATUS_OK;
	enum identity_verdict verdict = IDENTITY_SAME;

	for (size_t i = 0; !status && i < visit->located.count; i++) {
		status = identity_check(visit->target, visit->image, &visit->located.blocks[i], visit->options->force,
		                        &visit->identity, error);
		if (verdict != IDENTITY_OTHER && visit->identity.verdict != IDENTITY_SAME)
			verdict = visit->identity.verdict;
	}
	visit->identity.verdict = verdict;
	return status;
}

static enum status request_all(struct visit *visit, unsigned command, struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; !status && i < visit->located.count; i++)
		status = control_request(visit->target, &visit->located.blocks[i], command, 0, error);
	for (size_t i = 0; !status && i < visit->located.count && command == BAREPROF_COMMAND_RESET; i++)
		status = control_await_reset(visit->target, &visit->located.blocks[i], error);
	return status;
}

static enum status start_all(struct visit *visit, struct error *error)
{
	enum status status = request_all(visit, BAREPROF_COMMAND_START, error);
	if (!status)
		visit->remains = "the profile runs on";
	return status;
}

static enum status stop_all(struct visit *visit, struct error *error)
{
	visit->remains = NULL;
	return request_all(visit, BAREPROF_COMMAND_STOP, error);
}

static enum status arm_all(struct visit *visit, struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; !status && i < visit->located.count; i++)
		status = control_arm(visit->target, &visit->located.blocks[i], &visit->trigger, error);
	if (!status)
		visit->remains = "the profile is left armed";
	return status;
}

static void tell_waiting(const struct pull_options *options, unsigned milliseconds)
{
	if (options->waiting)
		options->waiting(options->setup->observer->context, milliseconds);
}

static enum status read_headers(struct visit *visit, struct capture_header headers[LOCATE_BLOCKS_MAX],
                                struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; !status && i < visit->located.count; i++)
		status = locate_header_again(visit->target, visit->located.blocks[i].block_address, &headers[i], error);
	return status;
}

static void note_mishap(struct visit *visit, enum mishap mishap)
{
	visit->mishap = mishap > visit->mishap ? mishap : visit->mishap;
}

/* Counts that are cleared all the same are not worth a word. */
static void note_asked_reset(struct visit *visit)
{
	for (size_t i = 0; i < visit->located.count && !visit->options->reset; i++)
		note_mishap(visit, mishap_of_asked_reset(&visit->located.blocks[i]));
}

static void note_mishaps(struct visit *visit, const struct capture_header *before, const struct capture_header *after)
{
	for (size_t i = 0; i < visit->located.count; i++)
		note_mishap(visit, mishap_between(&before[i], &after[i]));
}

enum status visit_let_run(struct visit *visit, unsigned milliseconds, struct error *error)
{
	struct capture_header before[LOCATE_BLOCKS_MAX], after[LOCATE_BLOCKS_MAX];

	enum status status = read_headers(visit, before, error);
	if (status)
		return status;
	visit->has_run = true;
	tell_waiting(visit->options, milliseconds);
	status = target_run(visit->target, milliseconds, error);
	tell_waiting(visit->options, 0);
	if (!status)
		status = read_headers(visit, after, error);
	if (!status)
		note_mishaps(visit, before, after);
	return status;
}

enum status visit_control(struct visit *visit, struct error *error)
{
	const struct pull_options *options = visit->options;
	enum status status = STATUS_OK;

	/* A profile that runs would count until its trigger is set. */
	if (options->arm)
		status = stop_all(visit, error);
	if (!status && options->reset)
		status = request_all(visit, BAREPROF_COMMAND_RESET, error);
	if (!status && options->start)
		status = start_all(visit, error);
	if (!status && options->arm)
		status = arm_all(visit, error);
	if (!status && options->wait_milliseconds > 0)
		status = visit_let_run(visit, options->wait_milliseconds, error);
	if (!status && options->stop)
		status = stop_all(visit, error);
	return status;
}

static void forget_snapshots(struct visit *visit)
{
	for (size_t i = 0; i < LOCATE_BLOCKS_MAX; i++) {
		free(visit->snapshots[i].bytes);
		visit->snapshots[i].bytes = NULL;
	}
}

static enum status take_snapshots(struct visit *visit, struct error *error)
{
	enum status status = STATUS_OK;

	forget_snapshots(visit);
	for (size_t i = 0; !status && i < visit->located.count; i++)
		status = snapshot_take(visit->target, visit->located.blocks[i].block_address, &visit->snapshots[i],
		                       error);
	return status;
}

/* A target that ran for a while may have been flashed: what was read must be of the firmware that was found. The code
 * is read anew only where the block has no build-id. */
static enum status check_kept(struct visit *visit, struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; !status && i < visit->located.count; i++)
		status = identity_check_kept(visit->target, &visit->located.blocks[i], &visit->snapshots[i].header,
		                             error);
	if (status || !visit->has_run)
		return status;
	return check_identity(visit, error);
}

enum status visit_read(struct visit *visit, struct error *error)
{
	enum status status = take_snapshots(visit, error);
	return status ? status : check_kept(visit, error);
}

static enum status locate_now(struct visit *visit, struct error *error)
{
	const struct pull_options *options = visit->options;
	const struct locate_scan scan = {
	        .clock = &clock_system,
	        .progress = options->setup && options->setup->observer ? options->scanning : NULL,
	        .context = options->setup && options->setup->observer ? options->setup->observer->context : NULL,
	};

	return locate_blocks(visit->target, visit->image, &scan, &visit->located, error);
}

/* The target runs first: in memory that a reset does not clear, the block of before is still there. */
static enum status locate_after_reset(struct visit *visit, struct error *error)
{
	enum status status = STATUS_FAILED;

	for (unsigned round = 0; status && !visit->target->is_lost && round < BOOT_ROUNDS; round++) {
		status = target_run(visit->target, BOOT_MILLISECONDS, error);
		if (status)
			return status;
		status = locate_now(visit, error);
	}
	return status;
}

static enum status locate(struct visit *visit, bool was_reset, struct error *error)
{
	if (was_reset)
		return locate_after_reset(visit, error);
	return locate_now(visit, error);
}

enum status visit_open(struct visit *visit, int cancel, struct error *error)
{
	struct target_setup setup = TARGET_SETUP_DEFAULT;
	struct error left;

	if (visit->options->setup)
		setup = *visit->options->setup;
	setup.cancel = cancel;
	setup.left = &left;
	setup.reset_target = setup.reset_target && !visit->was_connected;
	setup.was_left_halted = setup.halt && visit->left.message[0];
	enum status status = target_open(visit->options->source, &setup, &visit->target, error);
	/* How the last connection left the target stays told where there was no other. */
	if (!status || left.message[0])
		visit->left = left;
	if (status)
		return status;
	visit->was_connected = true;
	memcpy(visit->source, visit->target->source, sizeof visit->source);
	status = locate(visit, setup.reset_target, error);
	if (!status && setup.reset_target)
		note_asked_reset(visit);
	if (!status)
		status = check_identity(visit, error);
	if (status)
		visit_close(visit);
	return status;
}

void visit_close(struct visit *visit)
{
	if (!visit->target)
		return;
	visit->traffic = target_traffic(visit->target);
	target_close(visit->target, &visit->left);
	visit->target = NULL;
}

enum status visit_fail_interrupted(const struct visit *visit, struct error *error)
{
	const char *rest = visit->left.message[0] ? visit->left.message : visit->remains;
	return rest ? status_fail(error, "interrupted; %s", rest) : status_fail(error, "interrupted");
}

void visit_release(struct visit *visit)
{
	forget_snapshots(visit);
	if (visit->image)
		image_close(visit->image);
}
