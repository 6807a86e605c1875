/* SPDX-License-Identifier: MIT */
/* A target through a debug probe: the part that all probes share. */
#ifndef ACQUIRE_PROBE_PROBE_TARGET_H
#define ACQUIRE_PROBE_PROBE_TARGET_H

#include "acquire/dap/pins.h"
#include "acquire/target/target.h"
#include "acquire/usb/devices.h"

struct probe_target {
	struct target target;
	struct access *access; /* NULL: not connected */
};

/* Completes the setup of a target for the probe of this source. */
enum status probe_target_setup(const struct source *source, const struct target_setup *setup,
                               struct target_setup *probe, struct error *error);

/* For target_ops.open(), after the probe was opened: connects to the target. setup is complete. Closes dap, also after
 * a failure. */
enum status probe_target_open(struct target *target, const struct target_setup *setup, struct dap *dap,
                              struct error *error);

/* The same for a probe that only moves bits; over JTAG the target may also be RISC-V. Closes pins, also on failure. */
enum status probe_target_open_pins(struct target *target, const struct target_setup *setup, struct pins *pins,
                                   struct error *error);

/* The rest of the row of a probe, which also has `usb`. Capabilities may also include TARGET_CAN_CHOOSE_TRANSPORT. */
#define PROBE_TARGET_CAPABILITIES                                                                                  \
	(TARGET_CAN_CONNECT_UNDER_RESET | TARGET_CAN_SET_SPEED | TARGET_CAN_CHOOSE_PORT | TARGET_CAN_CHOOSE_CORE | \
	 TARGET_CONTROLS_CORE | TARGET_CAN_TRACE)
#define PROBE_TARGET_OPS                                                                                           \
	.state_size = sizeof(struct probe_target), .list = usb_devices_list, .is_live = true, .is_cortex_m = true, \
	.read = probe_target_read, .write = probe_target_write, .read_register = probe_target_read_register,       \
	.write_register = probe_target_write_register, .try_register = probe_target_try_register,                  \
	.drive_reset = probe_target_drive_reset, .traffic = probe_target_traffic,                                  \
	.begin_disconnect = probe_target_begin_disconnect, .close = probe_target_close

enum status probe_target_read(struct target *target, uint64_t address, void *buffer, size_t size, struct error *error);
enum status probe_target_write(struct target *target, uint64_t address, const void *bytes, size_t size,
                               struct error *error);
enum status probe_target_read_register(struct target *target, uint64_t address, uint32_t *words, size_t count,
                                       struct error *error);
enum status probe_target_write_register(struct target *target, uint64_t address, uint32_t word, struct error *error);
enum status probe_target_try_register(struct target *target, uint64_t address, uint32_t *word, struct error *error);
enum status probe_target_drive_reset(struct target *target, bool is_low, struct error *error);
void probe_target_traffic(const struct target *target, struct target_traffic *traffic);
void probe_target_begin_disconnect(struct target *target);
enum status probe_target_close(struct target *target, struct error *error);

#endif
