/* SPDX-License-Identifier: MIT */
/* Opening, running and closing a target; halting, resetting and keeping awake its core, for every backend that has
 * debug registers. See target.h. */
#include "acquire/target/target.h"

#include "base/wait.h"

#include <stdio.h>
#include <stdlib.h>

/* How long the reset pin is held low: longer than a capacitor on the pin takes to discharge. */
#define RESET_MILLISECONDS 50u

/* Attempts every step even if one fails, and reports the most serious failure. */
static enum status restore_target(struct target *target, struct error *error)
{
	const char *left = NULL;
	struct error ignored;

	if (target->is_held_in_reset && target->ops->drive_reset(target, false, &ignored))
		left = "the target may have been left in reset: plug the probe in again";
	target->is_held_in_reset = false;
	if (keep_awake_end(target, &target->awake, &ignored) && left == NULL)
		left = "the chip's debug part may have been left on while it sleeps: power it off and on";
	if (target->core != NULL && target->core->resume(target, &ignored) != STATUS_OK)
		left = "the core may have been left halted: reset it";
	return left != NULL ? status_fail(error, "%s: %s", target->source, left) : STATUS_OK;
}

static enum status pause_uncancelled(const struct target *target, unsigned milliseconds, struct error *error)
{
	if (wait_pause(milliseconds, target->cancel))
		return STATUS_OK;
	return status_fail(error, "%s: interrupted", target->source);
}

/* Releases the reset pin after a moment. If this fails, restore_target() tries again. */
static enum status end_reset(struct target *target, struct error *error)
{
	enum status status = pause_uncancelled(target, RESET_MILLISECONDS, error);

	if (status == STATUS_OK)
		status = target->ops->drive_reset(target, false, error);
	if (status != STATUS_OK)
		return status;
	target->is_held_in_reset = false;
	return target->core->await_reset(target, error);
}

/* Firmware that sleeps as soon as it runs must be kept awake before it runs. On chips that also reset their debug part
 * this has no effect, and the attempt after the reset must come in time. */
static enum status leave_reset(struct target *target, const struct target_setup *setup, struct error *error)
{
	struct error ignored;

	if (setup->keep_awake && target->ops->read_register != NULL)
		keep_awake_begin(target, &target->awake, &ignored);
	return end_reset(target, error);
}

/* Uses the reset pin if the core cannot be reset by its registers, or sleeps so deeply that they cannot be written.
 * Without a reset pin, reports the core's error. */
static enum status reset_core(struct target *target, struct error *error)
{
	struct error ignored;

	enum status status = target->core->identify(target, error);
	if (status == STATUS_OK)
		status = target->core->reset(target, error);
	if (status == STATUS_OK || target->ops->drive_reset == NULL || !wait_pause(0, target->cancel) ||
	    target->ops->drive_reset(target, true, &ignored) != STATUS_OK)
		return status;
	target->is_held_in_reset = true;
	return end_reset(target, error);
}

static enum status keep_awake(struct target *target, struct error *error)
{
	char note[96];

	if (target->ops->read_register == NULL)
		return status_usage(error, "%s: only chips with a Cortex-M can be kept awake", target->source);
	const uint32_t added = target->awake.added; /* bits that were set under reset */
	enum status status = keep_awake_begin(target, &target->awake, error);
	target->awake.added |= added;
	if (status == STATUS_OK) {
		snprintf(note, sizeof note, "%s kept awake until the end", target->awake.name);
		target_note(target, note);
	}
	return status;
}

/* The order matters: no step may undo an earlier one, and the state after a reset must be restored later. */
static enum status prepare_core(struct target *target, const struct target_setup *setup, struct error *error)
{
	if (!setup->reset_target && !setup->keep_awake && !setup->halt)
		return STATUS_OK;
	enum status status = STATUS_OK;
	if (target_connects_under_reset(setup))
		status = leave_reset(target, setup, error);
	else if (setup->reset_target)
		status = reset_core(target, error);
	if (status == STATUS_OK)
		status = target->core->identify(target, error);
	if (status == STATUS_OK && setup->keep_awake)
		status = keep_awake(target, error);
	if (setup->was_left_halted) {
		target->found_halted = false;
		target->found_dhcsr = 0;
	}
	if (status == STATUS_OK && setup->halt)
		status = target->core->halt(target, error);
	return status;
}

static enum status disconnect_target(struct target *target, struct error *left)
{
	const struct target_ops *ops = target->ops;
	struct error by_backend;

	if (ops->begin_disconnect != NULL)
		ops->begin_disconnect(target);
	enum status restored = restore_target(target, left);
	enum status closed = ops->close != NULL ? ops->close(target, &by_backend) : STATUS_OK;
	if (restored == STATUS_OK && closed != STATUS_OK)
		*left = by_backend;
	if (restored == STATUS_OK && closed == STATUS_OK)
		left->message[0] = 0;
	free(target);
	return restored ? restored : closed;
}

enum status target_open(const struct source *source, const struct target_setup *setup, struct target **target,
                        struct error *error)
{
	const struct target_setup plain = TARGET_SETUP_DEFAULT;
	struct error own_left;

	if (setup == NULL)
		setup = &plain;
	struct error *left = setup->left != NULL ? setup->left : &own_left;
	left->message[0] = 0;
	struct target *opened = calloc(1, source->backend->state_size);
	if (opened == NULL)
		return status_no_memory(error, source->text);
	target_init(opened, source);
	opened->cancel = setup->cancel;
	opened->observer = setup->observer;
	opened->core = source->backend->is_cortex_m ? &core_cortex : NULL;
	enum status status = source->backend->open(opened, source, setup, error);
	opened->is_held_in_reset = status == STATUS_OK && target_connects_under_reset(setup);
	if (status == STATUS_OK)
		status = prepare_core(opened, setup, error);
	if (status == STATUS_OK) {
		*target = opened;
		return STATUS_OK;
	}
	disconnect_target(opened, left);
	return left == &own_left ? status_add(status, error, left) : status;
}

/* A core that a debugger halted stays halted. */
static enum status resume_core(struct target *target, struct error *error)
{
	bool is_halted = false;

	if (target->is_halted)
		return target->core->resume(target, error);
	enum status status = target->core->is_halted(target, &is_halted, error);
	if (status == STATUS_OK && is_halted)
		return status_fail(error, "%s: the core is halted, as a debugger left it: let it run there first",
		                   target->source);
	return status;
}

enum status target_run(struct target *target, unsigned milliseconds, struct error *error)
{
	const struct target_ops *ops = target->ops;
	const bool was_halted = target->core != NULL && target->is_halted;

	if (!ops->is_live)
		return status_fail(error, "%s: has no target that could run", target->source);
	enum status status = target->core != NULL ? resume_core(target, error) : STATUS_OK;
	if (status == STATUS_OK)
		status = ops->run != NULL ? ops->run(target, milliseconds, error)
		                          : pause_uncancelled(target, milliseconds, error);
	if (status == STATUS_OK && was_halted)
		status = target->core->halt(target, error);
	return status;
}

enum status target_close(struct target *target, struct error *left)
{
	left->message[0] = 0;
	return target != NULL ? disconnect_target(target, left) : STATUS_OK;
}
