/* SPDX-License-Identifier: MIT */
/* What swd_open() is told, see swd.h for each option. Knows nothing of what they do. */
#ifndef PROBE_MODEL_SETUP_H
#define PROBE_MODEL_SETUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum number {
	NUMBER_DPIDR,
	NUMBER_RP2040,
	NUMBER_AP,
	NUMBER_AP2,
	NUMBER_WRAP,
	NUMBER_PROT,
	NUMBER_SIZES,
	NUMBER_PACKED,
	NUMBER_BUSY,
	NUMBER_POWER_UP,
	NUMBER_ASLEEP,
	NUMBER_DEAF,
	NUMBER_CACHE,
	NUMBER_WAIT,
	NUMBER_WAIT_FOR_EVER,
	NUMBER_FAULT,
	NUMBER_PARITY,
	NUMBER_SILENT,
	NUMBER_RESET,
	NUMBER_ZEROS,
	NUMBER_UNPLUG,
	NUMBERS
};

enum mode { MODE_JTAG, MODE_SWD, MODE_DORMANT };

enum stretch_kind { STRETCH_RAM, STRETCH_FILE, STRETCH_ELF };

#define SETUP_STRETCHES 8

struct setup {
	uint64_t numbers[NUMBERS];
	enum mode start;
	const char *qmp; /* NULL = none */
	uint32_t pcs_address;
	uint32_t pcs_size; /* 0 = none */
	struct {
		enum stretch_kind kind;
		uint64_t address;
		uint64_t size;    /* of ram */
		const char *path; /* of file and elf */
	} stretches[SETUP_STRETCHES];
	size_t stretch_count;
};

/* Strings are not copied. False, and a line to standard error, if an option is wrong. */
bool setup_read(struct setup *setup, const char *const *options, size_t count);

/* Whether this is an every-Nth one of what a fault is about; at counts from 1. */
bool setup_strikes(const struct setup *setup, enum number fault, uint64_t at);

#endif
