/* SPDX-License-Identifier: MIT */
/*
 * A target's memory and debug registers through a backend: a debug probe, a debug server, a link or a file. One file
 * per backend, one line each in backend/table.c. Knows nothing of blocks and images.
 */
#ifndef ACQUIRE_TARGET_TARGET_H
#define ACQUIRE_TARGET_TARGET_H

#include "acquire/channel/channel.h"
#include "acquire/channel/client.h"
#include "acquire/channel/source.h"
#include "acquire/dap/access.h"
#include "acquire/setup.h"
#include "acquire/target/core.h"
#include "acquire/target/keep_awake.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct target;

/* Capabilities of a backend beyond reading and writing memory. */
enum target_capability {
	TARGET_CAN_SET_SPEED = 1,
	TARGET_CAN_CHOOSE_PORT = 2,
	TARGET_CAN_CHOOSE_CORE = 4,
	TARGET_CAN_HALT = 8,
	TARGET_CAN_RESET = 16,
	TARGET_CAN_KEEP_AWAKE = 32,
	TARGET_CAN_TRACE = 64, /* reports each transfer to observer->trace */
	TARGET_HAS_TEXT = 128, /* passes on what the target prints to observer->text */
	TARGET_CAN_CHOOSE_TRANSPORT = 256,
	TARGET_CAN_CONNECT_UNDER_RESET = 512,
};

/* Every backend with debug registers can do these, through core.h and keep_awake.c. */
#define TARGET_CONTROLS_CORE (TARGET_CAN_HALT | TARGET_CAN_RESET | TARGET_CAN_KEEP_AWAKE)

/* Statistics for the user. */
struct target_traffic {
	bool has_frames; /* frames is set: the target is a link */
	struct link_traffic frames;
	bool has_transfers; /* transfers is set: the backend is a probe */
	struct probe_traffic transfers;
};

/* A backend. A NULL function means that the backend does not support it. */
struct target_ops {
	struct source_syntax syntax; /* for a link, the channel's syntax applies */
	const char *caution;         /* a side effect on the target; NULL: none */

	bool is_file;          /* the address is the path of a file */
	bool is_live;          /* the target runs, or could run */
	bool is_cortex_m;      /* its core is a Cortex-M, unless open() finds another kind */
	unsigned capabilities; /* flags of enum target_capability */

	size_t state_size; /* size of the backend's state, which begins with struct target */
	/* Connects. The state is zero except for target->ops, source, cancel, observer and core. The caller halts,
	 * resets and keeps awake, and calls close() also after a failure. */
	enum status (*open)(struct target *target, const struct source *source, const struct target_setup *setup,
	                    struct error *error);
	/* How USB devices of this kind are recognised, and a function that calls found() for each attached one. */
	const struct usb_kind *usb;
	enum status (*list)(const struct usb_kind *usb, device_found found, void *context, struct error *error);

	/* Reads or writes memory, all or nothing, at most target->read_block or write_block bytes. Writes are made in
	 * ascending order of addresses. */
	enum status (*read)(struct target *target, uint64_t address, void *buffer, size_t size, struct error *error);
	enum status (*write)(struct target *target, uint64_t address, const void *bytes, size_t size,
	                     struct error *error);

	/* Reads the aligned word at address count times in a row, as fast as possible, while the core runs. Registers
	 * are in this computer's byte order. */
	enum status (*read_register)(struct target *target, uint64_t address, uint32_t *words, size_t count,
	                             struct error *error);
	enum status (*write_register)(struct target *target, uint64_t address, uint32_t word, struct error *error);
	/* Reads a word that may not exist, without retrying after a bus error. NULL: use read_register. */
	enum status (*try_register)(struct target *target, uint64_t address, uint32_t *word, struct error *error);
	/* Drives the reset pin low, or releases it. */
	enum status (*drive_reset)(struct target *target, bool is_low, struct error *error);

	/* Lets the target run for some time, or fails if it does not run. NULL: it runs anyway. */
	enum status (*run)(struct target *target, unsigned milliseconds, struct error *error);
	/* The bounds of the source's memory, if it has no other. */
	void (*extent)(const struct target *target, uint64_t *address, uint64_t *size);
	/* Fills in *traffic, which is zero before. */
	void (*traffic)(const struct target *target, struct target_traffic *traffic);
	/* The target is about to be closed: nothing cancels any more, and time-outs become short. */
	void (*begin_disconnect)(struct target *target);
	/* Disconnects, and frees everything but the state. Fails if the target could not be left running. NULL: there
	 * is nothing to do. */
	enum status (*close)(struct target *target, struct error *error);
};

/* The state of every backend begins with this. */
struct target {
	const struct target_ops *ops;
	char source[256];               /* as the user typed it, perhaps cut, for messages */
	size_t read_block, write_block; /* set by open(); 0: no limit, and reads report their progress themselves */
	bool is_lost;                   /* the source is gone or silent: further calls would fail just as slowly */
	int cancel;                     /* cancel of target_setup */
	const struct target_observer *observer; /* not NULL */
	/* Control of the core, chosen by ops->is_cortex_m unless open() changes it; NULL: none. */
	const struct core_ops *core;
	bool found_halted;    /* the core was halted when it was identified */
	bool is_halted;       /* core->halt() halted it */
	uint32_t found_dhcsr; /* DHCSR of a Cortex-M */
	struct kept_awake awake;
	bool is_held_in_reset; /* drive_reset() holds the reset pin low */
};

/* Initializes the beginning of a backend's state. */
void target_init(struct target *target, const struct source *source);
/* Passes a note to the observer. */
void target_note(const struct target *target, const char *text);

/* Connects to a source, then resets the target, keeps it awake and halts it as setup says. setup must be within the
 * backend's capabilities; NULL: TARGET_SETUP_DEFAULT. */
enum status target_open(const struct source *source, const struct target_setup *setup, struct target **target,
                        struct error *error);
/* Undoes what target_open() changed in the target, disconnects and frees; NULL is allowed. *left: the changes that
 * could not be undone; empty if none. */
enum status target_close(struct target *target, struct error *left);

enum status target_read(struct target *target, uint64_t address, void *buffer, size_t size, struct error *error);
enum status target_write(struct target *target, uint64_t address, const void *bytes, size_t size, struct error *error);
/* See target_ops. */
enum status target_read_register(struct target *target, uint64_t address, uint32_t *words, size_t count,
                                 struct error *error);
enum status target_write_register(struct target *target, uint64_t address, uint32_t word, struct error *error);
/* False if the source may have memory anywhere. */
bool target_extent(const struct target *target, uint64_t *address, uint64_t *size);
/* Lets the target run, then halts it again if setup requests a halt. */
enum status target_run(struct target *target, unsigned milliseconds, struct error *error);
struct target_traffic target_traffic(const struct target *target);

#endif
