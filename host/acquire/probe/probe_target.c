/* SPDX-License-Identifier: MIT */
/* See probe_target.h. */
#include "acquire/probe/probe_target.h"

#include "acquire/dap/arm_debug.h"
#include "acquire/dap/jtag_dp.h"
#include "acquire/dap/swd.h"
#include "acquire/riscv/dtm.h"
#include "acquire/riscv/riscv.h"
#include "base/clock.h"
#include "base/wait.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Milliseconds that the target may be silent or busy in a row. */
#define TIMEOUT_DEFAULT 4000u
/* Hz: slow enough for every target and most wires. */
#define SPEED_DEFAULT 1000000u

/* Milliseconds to search for a target on JTAG. */
#define FIND_TIME 500

static struct access *access_of(const struct target *target)
{
	return ((const struct probe_target *)target)->access;
}

enum status probe_target_setup(const struct source *source, const struct target_setup *setup,
                               struct target_setup *probe, struct error *error)
{
	*probe = *setup;
	probe->timeout = TIMEOUT_DEFAULT;
	probe->clock = &clock_system;
	if (setup->speed == 0)
		probe->speed = SPEED_DEFAULT;
	return source_milliseconds(source, "timeout", &probe->timeout, error);
}

enum status probe_target_open(struct target *target, const struct target_setup *setup, struct dap *dap,
                              struct error *error)
{
	return arm_debug_connect(dap, setup, &((struct probe_target *)target)->access, error);
}

/* Reports that a chain answers, but has no supported device. */
static enum status fail_unsupported(const struct jtag *jtag, struct error *error)
{
	char text[JTAG_DEVICES_MAX * sizeof ", 0x01234567"] = "";
	size_t length = 0;

	for (size_t i = 0; i < jtag->device_count; i++)
		length += (size_t)snprintf(text + length, sizeof text - length, "%s0x%08" PRIx32, i > 0 ? ", " : "",
		                           jtag->devices[i].idcode);
	return status_fail(
	        error,
	        "%s: no device of the JTAG chain is supported (IDCODE %s); it must have an Arm debug port, or "
	        "a RISC-V debug transport of version 0.13 or 1.0",
	        jtag->pins->source, text);
}

/* Looks for a debug port or a debug transport. A target that is being powered up does not answer yet. */
static enum status find_debug_interface(struct pins *pins, const struct target_setup *setup, bool *is_riscv,
                                        struct error *error)
{
	const uint64_t deadline = clock_now() + FIND_TIME;
	struct dtm *dtm = malloc(sizeof *dtm);
	bool is_port = false, from_dormant = false;
	uint32_t speed = setup->speed;

	*is_riscv = false;
	if (dtm == NULL)
		return status_no_memory(error, pins->source);
	dtm_init(dtm, pins);
	enum status status = pins->ops->set_speed(pins, &speed, error);
	for (; status == STATUS_OK && !is_port && !*is_riscv && clock_now() < deadline; from_dormant = !from_dormant) {
		status = dtm_connect(dtm, from_dormant, error);
		is_port = jtag_dp_find(&dtm->jtag) < dtm->jtag.device_count;
		*is_riscv = !is_port && dtm->idcode != 0;
		if (status == STATUS_OK && !wait_pause(0, setup->cancel))
			status = status_fail(error, "%s: interrupted", pins->source);
	}
	if (status == STATUS_OK && !is_port && !*is_riscv && dtm->jtag.device_count > 0)
		status = fail_unsupported(&dtm->jtag, error);
	free(dtm);
	return status;
}

/* Registers of the core cannot be accessed while it runs. */
static const struct target_ops riscv_ops = {
        .is_live = true,
        .read = probe_target_read,
        .write = probe_target_write,
        .drive_reset = probe_target_drive_reset,
        .traffic = probe_target_traffic,
        .begin_disconnect = probe_target_begin_disconnect,
        .close = probe_target_close,
};

static enum status open_jtag(struct target *target, const struct target_setup *setup, struct pins *pins,
                             struct error *error)
{
	struct dap *dap;
	bool is_riscv;

	enum status status = target_connects_under_reset(setup) ? pins->ops->drive_reset(pins, true, error) : STATUS_OK;
	if (status == STATUS_OK)
		status = find_debug_interface(pins, setup, &is_riscv, error);
	if (status == STATUS_OK && is_riscv && setup->access_port >= 0)
		status = status_usage(error, "%s: a RISC-V target has no access port to choose", pins->source);
	if (status != STATUS_OK) {
		pins->ops->close(pins);
		return status;
	}
	if (is_riscv) {
		target->ops = &riscv_ops;
		target->core = &core_riscv;
		return riscv_connect(pins, setup, &((struct probe_target *)target)->access, error);
	}
	status = jtag_dp_open(pins, &dap, error);
	return status == STATUS_OK ? probe_target_open(target, setup, dap, error) : status;
}

enum status probe_target_open_pins(struct target *target, const struct target_setup *setup, struct pins *pins,
                                   struct error *error)
{
	const struct pins_ops *ops = pins->ops;
	const bool is_jtag = setup->transport == TARGET_JTAG ||
	                     (setup->transport == TARGET_DEFAULT_TRANSPORT && ops->shift_swd == NULL);
	struct dap *dap;

	if (is_jtag ? ops->shift_jtag == NULL : ops->shift_swd == NULL) {
		enum status status = status_usage(error, "%s: this probe is not wired for %s", pins->source,
		                                  is_jtag ? "JTAG" : "SWD");

		ops->close(pins);
		return status;
	}
	if (is_jtag)
		return open_jtag(target, setup, pins, error);
	enum status status = swd_dap_open(pins, &dap, error);
	return status == STATUS_OK ? probe_target_open(target, setup, dap, error) : status;
}

static enum status probe_target_note_loss(struct target *target, enum status status)
{
	target->is_lost = *access_of(target)->is_lost;
	return status;
}

enum status probe_target_read(struct target *target, uint64_t address, void *buffer, size_t size, struct error *error)
{
	return probe_target_note_loss(target, access_read(access_of(target), address, buffer, size, error));
}

enum status probe_target_write(struct target *target, uint64_t address, const void *bytes, size_t size,
                               struct error *error)
{
	return probe_target_note_loss(target, access_write(access_of(target), address, bytes, size, error));
}

enum status probe_target_read_register(struct target *target, uint64_t address, uint32_t *words, size_t count,
                                       struct error *error)
{
	return probe_target_note_loss(target, access_read_register(access_of(target), address, words, count, error));
}

enum status probe_target_write_register(struct target *target, uint64_t address, uint32_t word, struct error *error)
{
	return probe_target_note_loss(target, access_write_register(access_of(target), address, word, error));
}

enum status probe_target_try_register(struct target *target, uint64_t address, uint32_t *word, struct error *error)
{
	return probe_target_note_loss(target, access_probe(access_of(target), address, word, error));
}

enum status probe_target_drive_reset(struct target *target, bool is_low, struct error *error)
{
	return access_of(target)->ops->drive_reset(access_of(target)->probe, is_low, error);
}

void probe_target_traffic(const struct target *target, struct target_traffic *traffic)
{
	traffic->has_transfers = true;
	traffic->transfers = access_traffic(access_of(target));
}

void probe_target_begin_disconnect(struct target *target)
{
	if (access_of(target) != NULL)
		access_of(target)->ops->finish(access_of(target)->probe);
}

enum status probe_target_close(struct target *target, struct error *error)
{
	(void)error;
	access_close(access_of(target));
	return STATUS_OK;
}
