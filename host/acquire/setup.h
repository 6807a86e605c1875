/* SPDX-License-Identifier: MIT */
/* How to reach a target, in addition to its SOURCE. One setup is passed on from the command line to the debug port. */
#ifndef ACQUIRE_SETUP_H
#define ACQUIRE_SETUP_H

#include "acquire/observer.h"
#include "base/clock.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Observes nothing. */
extern const struct target_observer target_nobody; /* target.c */

/* The wires between a probe and its target. */
enum target_transport {
	TARGET_DEFAULT_TRANSPORT, /* SWD if the probe supports it */
	TARGET_SWD,
	TARGET_JTAG,
};

struct target_setup {
	/* Once this descriptor is readable, every call except target_close() fails, and target_close() takes less than
	 * two seconds. -1: nothing cancels. */
	int cancel;
	/* Receives the target's text, the progress of reads and more. It and its context must outlive the target. */
	const struct target_observer *observer;
	/* If opening fails: receives the changes to the target that could not be undone; empty if none. NULL: they are
	 * added to the error. */
	struct error *left;
	enum target_transport transport;
	uint32_t speed;       /* clock of the debug port in Hz; 0: the default */
	int64_t access_port;  /* number or, with ADIv6, address; -1: the first port that leads to the core's memory */
	int core;             /* -1: the first */
	bool halt;            /* halt the core, except during target_run(); restored on closing */
	bool was_left_halted; /* with halt: a lost connection left the core halted; it had been running */
	bool reset_target;    /* reset the target first */
	bool under_reset;     /* with reset_target: by the reset pin, held low while connecting */
	bool keep_awake;      /* keep the chip's debug part on during sleep; restored on closing */

	/* For a debug probe, set by its backend. */
	unsigned timeout;          /* milliseconds that the target may be silent or busy in a row */
	const struct clock *clock; /* for retries */
};

/* Changes nothing in the target. */
#define TARGET_SETUP_DEFAULT                                                            \
	{                                                                               \
		.cancel = -1, .observer = &target_nobody, .access_port = -1, .core = -1 \
	}

/* Whether the reset pin is held low while connecting; target_open() releases it. */
static inline bool target_connects_under_reset(const struct target_setup *setup)
{
	return setup->reset_target && setup->under_reset;
}

#endif
