/* SPDX-License-Identifier: MIT */
/*
 * The memory of a target behind a debug port (IHI 0031, ADIv5): connecting, power-up, choice of the access port, reads
 * and writes that survive WAIT, FAULT and garbled bits. The core is neither halted nor reset. Knows nothing of probes
 * and of what the memory holds.
 */
#ifndef TARGET_DAP_ADI_H
#define TARGET_DAP_ADI_H

#include "target/dap/dap.h"

/* Clocks that a word takes of many in a row (IHI 0031, B4.2): for how many words go into some time. */
#define ADI_WORD_CLOCKS 47u

struct adi;

struct adi_setup {
	uint32_t speed;   /* Hz */
	int access_port;  /* -1 = the first that leads to memory (and, with core, to that core) */
	int core;         /* -1 = any; of a device with one debug port per core (RP2040), that */
	int cancel;       /* descriptor, -1 = none */
	unsigned timeout; /* milliseconds that the target may be silent, or busy, in a row */
	void (*trace)(void *context, const char *line); /* a line for each transfer; NULL = nobody is told */
	void *context;
};

/* What was moved so far, for the user. */
struct adi_traffic {
	uint64_t bytes;          /* of memory */
	double seconds;          /* that they took */
	uint64_t lists, repeats; /* of transfers: all, and those that were made again; of the choice of the access
	                            port, too, */
	uint64_t damaged;        /* and of these, again because the wire garbled them */
	unsigned packets_lost;   /* see struct dap */
	uint32_t speed;          /* Hz, as it was asked for */
};

/* Connects. Takes dap over, also on failure. */
enum status adi_connect(struct dap *dap, const struct adi_setup *setup, struct adi **adi, struct error *error);
/* See dap_ops.drive_reset. */
enum status adi_drive_reset(struct adi *adi, bool is_reset, struct error *error);
/* From now on nothing cancels what is waited for, and what an interruption ended may go on: the target is taken leave
 * of. */
void adi_finish(struct adi *adi);
/* Whether something failed because the probe is gone, or the target silent or busy: more would fail, and as slowly. */
bool adi_is_lost(const struct adi *adi);
/* Powers down what was powered up, and closes the debug port. NULL is allowed. */
void adi_close(struct adi *adi);

struct adi_traffic adi_traffic(const struct adi *adi);

/* Any alignment and size, all or nothing. */
enum status adi_read(struct adi *adi, uint64_t address, void *bytes, size_t size, struct error *error);
/* A word at an aligned address where there may be nothing: an error of the bus fails at once, and is no repetition. */
enum status adi_probe(struct adi *adi, uint64_t address, uint32_t *word, struct error *error);
enum status adi_write(struct adi *adi, uint64_t address, const void *bytes, size_t size, struct error *error);
/* The aligned word at address, read count times in a row. */
enum status adi_read_repeatedly(struct adi *adi, uint64_t address, uint32_t *words, size_t count, struct error *error);

#endif
