/* SPDX-License-Identifier: MIT */
/* Options of the target model; swd.h documents each. */
#ifndef PROBE_MODEL_SETUP_H
#define PROBE_MODEL_SETUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Options that are numbers: the field of struct setup, the name, the default. */
#define SETUP_NUMBERS(NUMBER)                     \
	NUMBER(dpidr, "dpidr", 0x2ba01477)        \
	NUMBER(idcode, "idcode", 0x4ba00477)      \
	NUMBER(ir, "ir", 4)                       \
	NUMBER(riscv, "riscv", 0)                 \
	NUMBER(abits, "abits", 7)                 \
	NUMBER(dm, "dm", 2)                       \
	NUMBER(bus, "bus", 7)                     \
	NUMBER(bus_busy, "bus-busy", 0)           \
	NUMBER(bus_zeros, "bus-zeros", 0)         \
	NUMBER(progbuf, "progbuf", 0)             \
	NUMBER(abstract, "abstract", 0)           \
	NUMBER(xlen, "xlen", 32)                  \
	NUMBER(command_busy, "command-busy", 0)   \
	NUMBER(dmi_idle, "dmi-idle", 0)           \
	NUMBER(dmi_busy, "dmi-busy", 0)           \
	NUMBER(dmi_fault, "dmi-fault", 0)         \
	NUMBER(boundary, "boundary", 0)           \
	NUMBER(halted, "halted", 0)               \
	NUMBER(active, "active", 0)               \
	NUMBER(pin_resets_dm, "pin-resets-dm", 0) \
	NUMBER(rp2040, "rp2040", 0)               \
	NUMBER(rp2350, "rp2350", 0)               \
	NUMBER(asize, "asize", 32)                \
	NUMBER(rom_at, "rom-at", 0)               \
	NUMBER(hidden, "hidden", 0)               \
	NUMBER(ap, "ap", 0)                       \
	NUMBER(ap2, "ap2", UINT64_MAX)            \
	NUMBER(wrap, "wrap", 1024)                \
	NUMBER(prot, "prot", 0x7f000000)          \
	NUMBER(sizes, "sizes", 7)                 \
	NUMBER(packed, "packed", 1)               \
	NUMBER(busy, "busy", 0)                   \
	NUMBER(power_up, "power-up", 32)          \
	NUMBER(asleep, "asleep", 0)               \
	NUMBER(stack, "stack", 0)                 \
	NUMBER(pins_off, "pins-off", 0)           \
	NUMBER(deaf, "deaf", 0)                   \
	NUMBER(cache, "cache", 0)                 \
	NUMBER(wait, "wait", 0)                   \
	NUMBER(wait_for_ever, "wait-for-ever", 0) \
	NUMBER(fault, "fault", 0)                 \
	NUMBER(parity, "parity", 0)               \
	NUMBER(silent, "silent", 0)               \
	NUMBER(reset, "reset", 0)                 \
	NUMBER(zeros, "zeros", 0)                 \
	NUMBER(unplug, "unplug", 0)               \
	NUMBER(signal, "signal", 0)

enum mode { MODE_JTAG, MODE_SWD, MODE_DORMANT };

/* Shapes of the ROM tables. */
enum rom { ROM_USUAL, ROM_NESTED, ROM_CYCLIC, ROM_ENDLESS, ROM_FULL, ROM_ASTRAY, ROM_NONE };

enum region_kind { REGION_RAM, REGION_FILE, REGION_ELF };

#define SETUP_REGIONS 8

struct setup {
#define SETUP_FIELD(field, name, usual) uint64_t field;
	SETUP_NUMBERS(SETUP_FIELD)
#undef SETUP_FIELD
	enum mode start;
	enum rom rom;
	const char *qmp; /* NULL: none */
	uint32_t pcs_address;
	uint32_t pcs_size; /* 0: none */
	struct {
		enum region_kind kind;
		uint64_t address;
		uint64_t size;    /* RAM only */
		const char *path; /* file and ELF only */
	} regions[SETUP_REGIONS];
	size_t region_count;
};

/* Reads options, whose strings are not copied. Prints an error and returns false if one is wrong. */
bool setup_read(struct setup *setup, const char *const *options, size_t count);

/* Whether a fault on every Nth event is due at the event with this number, from 1. */
bool setup_is_due(uint64_t every, uint64_t number);

#endif
