/* SPDX-License-Identifier: MIT */
/* Memory of a target through a debug port (IHI 0031, ADIv5; IHI 0074, ADIv6): connecting, power-up, choice of the
 * access port, and accesses that survive WAIT, FAULT and wire errors. The core is neither halted nor reset. */
#ifndef TARGET_DAP_ADI_H
#define TARGET_DAP_ADI_H

#include "base/clock.h"
#include "target/dap/dap.h"

/* Clocks per word of a long transfer (IHI 0031, B4.2), to convert time to words. */
#define ADI_WORD_CLOCKS 47u

struct adi;

struct adi_setup {
	uint32_t speed; /* Hz */
	/* Number or, with ADIv6, address; -1 = the first that leads to memory (with core: to that core). */
	int64_t access_port;
	int core;         /* -1 = any; on a device with one debug port per core (RP2040), selects the port */
	int cancel;       /* descriptor, -1 = none */
	unsigned timeout; /* milliseconds that the target may be silent or busy in a row */
	bool under_reset; /* hold the reset pin low while connecting; released after a failure, else by the caller */
	const struct clock *clock;                      /* for retries */
	void (*trace)(void *context, const char *line); /* receives a line per transfer; NULL = no trace */
	/* Receives the number of bytes that a read has read so far; NULL = not needed. */
	void (*progress)(void *context, uint64_t done, uint64_t total);
	void *context;
};

/* Statistics for the user. */
struct adi_traffic {
	uint64_t bytes;          /* bytes of memory */
	double seconds;          /* that they took */
	uint64_t lists, repeats; /* lists of transfers: all, and those that were repeated; also while choosing the
	                            access port */
	uint64_t damaged;        /* lists of these that were repeated because of wire errors */
	unsigned packets_lost;   /* see struct dap */
	uint32_t speed;          /* clock in Hz */
	bool is_speed_limit;     /* see struct dap */
};

/* Connects. Owns dap, which is closed on failure, too. */
enum status adi_connect(struct dap *dap, const struct adi_setup *setup, struct adi **adi, struct error *error);
/* See dap_ops.drive_reset. */
enum status adi_drive_reset(struct adi *adi, bool is_reset, struct error *error);
/* Begins to disconnect: from now on nothing cancels, and accesses work even after an interruption. */
void adi_finish(struct adi *adi);
/* Whether the probe is gone, or the target silent or busy: further accesses would fail just as slowly. */
bool adi_is_lost(const struct adi *adi);
/* Powers down what it powered up, and closes the debug port. NULL is allowed. */
void adi_close(struct adi *adi);

struct adi_traffic adi_traffic(const struct adi *adi);

/* Any alignment and size, all or nothing. */
enum status adi_read(struct adi *adi, uint64_t address, void *bytes, size_t size, struct error *error);
/* Reads an aligned word that may not exist: a bus error fails at once, without a retry. */
enum status adi_probe(struct adi *adi, uint64_t address, uint32_t *word, struct error *error);
enum status adi_write(struct adi *adi, uint64_t address, const void *bytes, size_t size, struct error *error);
/* The aligned word at address, read count times in a row. */
enum status adi_read_repeatedly(struct adi *adi, uint64_t address, uint32_t *words, size_t count, struct error *error);

#endif
