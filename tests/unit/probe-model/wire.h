/* SPDX-License-Identifier: MIT */
/* A host's side of the two wires: bits, and transfers as in the figures of IHI 0031, B4. A test fails if the target
 * deviates. */
#ifndef UNIT_PROBE_MODEL_WIRE_H
#define UNIT_PROBE_MODEL_WIRE_H

#include "../../probe-model/swd.h"

/* Acknowledges; GARBLED is that of a read with wrong parity. */
enum { OK = 1, WAIT = 2, FAULT = 4, SILENT = 7, GARBLED = 8 };

/* Requests: start, APnDP, RnW, A[2:3], parity, stop, park, the first lowest. */
enum {
	READ_DPIDR = 0xa5,
	WRITE_ABORT = 0x81,
	READ_STATUS = 0x8d,
	WRITE_CONTROL = 0xa9,
	WRITE_SELECT = 0xb1,
	READ_RESEND = 0x95,
	READ_RDBUFF = 0xbd,
	WRITE_TARGETSEL = 0x99,
	READ_CSW = 0x87,
	WRITE_CSW = 0xa3,
	READ_TAR = 0xaf,
	WRITE_TAR = 0x8b,
	READ_BANK_2 = 0xb7,
	READ_DRW = 0x9f,
	WRITE_DRW = 0xbb,
};

#define DPIDR   0x2ba01477u
#define POWER   0x50000000u
#define POWERED 0xf0000000u

struct wire {
	struct swd_target *target;
	char *options;
	unsigned turnaround;
	bool always_data;
};
extern struct wire wire; /* the only one */

/* Opens a target with options separated by blanks. */
void wire_open(const char *options);
void wire_close(void);
void wire_drive(uint64_t bits, unsigned count);
void wire_drive_bytes(const char *bytes, size_t count);
uint64_t wire_sample(unsigned count);
unsigned wire_parity(uint32_t word);
void wire_reset(void);
void wire_switch_to_swd(void);
/* Sends a request. Returns its acknowledge. */
unsigned wire_ask(unsigned request);
/* Makes a transfer. Returns its acknowledge. word may be NULL. */
unsigned wire_read(unsigned request, uint32_t *word);
unsigned wire_write(unsigned request, uint32_t word);
void wire_assert_reads(unsigned request, uint32_t expected);
void wire_assert_writes(unsigned request, uint32_t word);
void wire_power_up(void);
/* Connects, powers up and selects the first access port. */
void wire_connect(void);
/* Sets TAR, for words from address on. */
void wire_begin_at(uint32_t address);
uint32_t wire_peek(uint32_t address);
void wire_poke(uint32_t address, uint32_t word);

#endif
