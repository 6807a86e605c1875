/* SPDX-License-Identifier: MIT */
/* See debug_port.h. */
#include "target/backend/debug_port.h"

#include "base/wait.h"
#include "target/dap/adi.h"
#include "target/dap/cortex.h"
#include "target/dap/families.h"

#include <stdio.h>
#include <stdlib.h>

/* Hz: what every target and most wires stand. */
#define SPEED_DEFAULT 1000000u

/* How long the reset pin is held. What a capacitor there needs to be empty is less. */
#define RESET_MILLISECONDS 50u

/* Bytes between one telling of the progress and the next: as many as the clock moves in a quarter of a second, but not
 * so few that what it takes to begin a read would count. */
#define PROGRESS_STEP_MIN ((size_t)1024)
#define PROGRESS_STEP_MAX ((size_t)16384)

struct debug_port {
	struct target target;
	const struct client_observer *observer;
	int cancel;
	struct adi *adi;
	struct cortex_memory memory;
	struct cortex core;
	struct families_awake awake;
	bool is_held_in_reset; /* by us */
};

/* Cortex-M is little-endian there, whatever it is elsewhere (Armv7-M ARM, A3.3.1: the System Control Space). */
static enum status read_word(void *context, uint32_t address, uint32_t *word, struct error *error)
{
	return adi_read_repeatedly(((struct debug_port *)context)->adi, address, word, 1, error);
}

static enum status probe_word(void *context, uint32_t address, uint32_t *word, struct error *error)
{
	return adi_probe(((struct debug_port *)context)->adi, address, word, error);
}

static enum status write_word(void *context, uint32_t address, uint32_t word, struct error *error)
{
	const uint8_t bytes[] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};

	return adi_write(((struct debug_port *)context)->adi, address, bytes, sizeof bytes, error);
}

/* Everything is tried; what weighs most of what may have been left is told. */
static enum status leave_core(struct debug_port *port, struct error *error)
{
	const char *left = NULL;
	struct error ignored;

	if (port->is_held_in_reset && adi_drive_reset(port->adi, false, &ignored))
		left = "the target may have been left in reset: plug the probe in again";
	port->is_held_in_reset = false;
	if (families_let_sleep(&port->memory, &port->awake, &ignored) && !left)
		left = "the chip's debug part may have been left on while it sleeps: power it off and on";
	if (cortex_leave(&port->core, &ignored))
		left = "the core may have been left halted: reset it";
	return left ? status_fail(error, "%s: %s", port->target.source, left) : STATUS_OK;
}

/* One that was begun is ended by leave_core() at the latest. */
static enum status reset_by_pin(struct debug_port *port, struct error *error)
{
	port->is_held_in_reset = true;
	enum status status = adi_drive_reset(port->adi, true, error);
	if (!status && !wait_pause(RESET_MILLISECONDS, port->cancel))
		status = status_fail(error, "%s: interrupted", port->target.source);
	if (!status)
		status = adi_drive_reset(port->adi, false, error);
	if (status)
		return status;
	port->is_held_in_reset = false;
	return cortex_await_reset(&port->core, error);
}

/* By the pin where the core does not do it itself, or sleeps so that nothing of it can be written. */
static enum status reset_target(struct debug_port *port, struct error *error)
{
	struct error by_itself;

	enum status status = cortex_meet(&port->core, &port->memory, &by_itself);
	if (!status)
		status = cortex_reset(&port->core, &by_itself);
	return status ? reset_by_pin(port, error) : STATUS_OK;
}

static enum status keep_awake(struct debug_port *port, struct error *error)
{
	char note[96];

	enum status status = families_keep_awake(&port->memory, &port->awake, error);
	if (status || !port->observer->note)
		return status;
	snprintf(note, sizeof note, "%s kept awake until the end", port->awake.name);
	port->observer->note(port->observer->context, note);
	return STATUS_OK;
}

/* In the order in which one does not undo the other. What a reset left is what was found. */
static enum status do_as_asked(struct debug_port *port, const struct target_setup *setup, struct error *error)
{
	if (!setup->reset_target && !setup->keep_awake && !setup->halt)
		return STATUS_OK;
	enum status status = setup->reset_target ? reset_target(port, error) : STATUS_OK;
	if (!status)
		status = cortex_meet(&port->core, &port->memory, error);
	if (!status && setup->keep_awake)
		status = keep_awake(port, error);
	if (setup->was_left_halted)
		port->core.found_dhcsr = 0;
	if (!status && setup->halt)
		status = cortex_halt(&port->core, error);
	return status;
}

static enum status connect_to(struct debug_port *port, const struct target_setup *setup, unsigned timeout,
                              struct dap *dap, struct error *error)
{
	const struct adi_setup adi = {
	        .speed = setup->speed > 0 ? setup->speed : SPEED_DEFAULT,
	        .access_port = setup->access_port,
	        .core = setup->core,
	        .cancel = setup->cancel,
	        .timeout = timeout,
	        .trace = setup->observer->trace,
	        .context = setup->observer->context,
	};

	enum status status = adi_connect(dap, &adi, &port->adi, error);
	if (status)
		return status;
	status = do_as_asked(port, setup, error);
	if (status) {
		adi_finish(port->adi);
		leave_core(port, setup->left);
		adi_close(port->adi);
	}
	return status;
}

enum status debug_port_open(const struct target_ops *ops, const char *source, const struct target_setup *setup,
                            unsigned timeout, struct dap *dap, struct target **target, struct error *error)
{
	struct debug_port *port = calloc(1, sizeof *port);
	if (!port) {
		dap->ops->close(dap);
		return status_fail(error, "%s: out of memory", source);
	}
	target_init(&port->target, ops, source);
	port->observer = setup->observer;
	port->cancel = setup->cancel;
	port->memory = (struct cortex_memory){port->target.source, port, read_word, write_word, probe_word};
	port->core.memory = &port->memory;
	enum status status = connect_to(port, setup, timeout, dap, error);
	if (status)
		free(port);
	else
		*target = &port->target;
	return status;
}

/* The words of a second are the bytes of a quarter. Whole words, so that none is read twice. */
static size_t progress_step(uint32_t speed)
{
	size_t bytes = speed / ADI_WORD_CLOCKS / 4 * 4;

	if (bytes < PROGRESS_STEP_MIN)
		return PROGRESS_STEP_MIN;
	return bytes < PROGRESS_STEP_MAX ? bytes : PROGRESS_STEP_MAX;
}

enum status debug_port_read(struct target *target, uint64_t address, void *buffer, size_t size, struct error *error)
{
	struct debug_port *port = (struct debug_port *)target;
	const size_t step = progress_step(adi_traffic(port->adi).speed);
	uint8_t *bytes = buffer;
	enum status status = STATUS_OK;

	for (size_t done = 0, count; !status && done < size; done += count) {
		count = size - done < step ? size - done : step;
		status = adi_read(port->adi, address + done, bytes + done, count, error);
		if (!status && port->observer->progress)
			port->observer->progress(port->observer->context, done + count, size);
	}
	target->is_lost = adi_is_lost(port->adi);
	return status;
}

enum status debug_port_read_repeatedly(struct target *target, uint64_t address, uint32_t *words, size_t count,
                                       struct error *error)
{
	struct debug_port *port = (struct debug_port *)target;

	enum status status = adi_read_repeatedly(port->adi, address, words, count, error);
	target->is_lost = adi_is_lost(port->adi);
	return status;
}

enum status debug_port_write(struct target *target, uint64_t address, const void *bytes, size_t size,
                             struct error *error)
{
	struct debug_port *port = (struct debug_port *)target;

	enum status status = adi_write(port->adi, address, bytes, size, error);
	target->is_lost = adi_is_lost(port->adi);
	return status;
}

/* A core that was halted by us runs meanwhile; what somebody else halted stays so. */
static enum status let_run(struct debug_port *port, bool *was_halted, struct error *error)
{
	bool is_standing = false;

	*was_halted = port->core.is_halted;
	if (*was_halted)
		return cortex_leave(&port->core, error);
	enum status status = cortex_look(&port->core, &is_standing, error);
	if (!status && is_standing)
		return status_fail(error, "%s: the core stands still, as a debugger left it: let it run there first",
		                   port->target.source);
	return status;
}

enum status debug_port_run(struct target *target, unsigned milliseconds, struct error *error)
{
	struct debug_port *port = (struct debug_port *)target;
	bool was_halted;

	enum status status = let_run(port, &was_halted, error);
	if (!status && !wait_pause(milliseconds, port->cancel))
		status = status_fail(error, "%s: interrupted", target->source);
	if (!status && was_halted)
		status = cortex_halt(&port->core, error);
	target->is_lost = adi_is_lost(port->adi);
	return status;
}

void debug_port_traffic(const struct target *target, struct target_traffic *traffic)
{
	traffic->has_transfers = true;
	traffic->transfers = adi_traffic(((const struct debug_port *)target)->adi);
}

enum status debug_port_close(struct target *target, struct error *error)
{
	struct debug_port *port = (struct debug_port *)target;

	adi_finish(port->adi);
	enum status status = leave_core(port, error);
	adi_close(port->adi);
	free(port);
	return status;
}
