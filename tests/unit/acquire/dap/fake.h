/* SPDX-License-Identifier: MIT */
/* A debug port with access ports and memory, reached by a probe that makes whole transfers. */
#ifndef UNIT_ACQUIRE_DAP_FAKE_H
#define UNIT_ACQUIRE_DAP_FAKE_H

#include "acquire/dap/arm_debug.h"
#include "acquire/dap/dap.h"

#define FAKE_BASE        0x20000000u
#define FAKE_SIZE        0x20000u
#define FAKE_PORTS       8
#define FAKE_CPUID       0xE000ED00u
#define FAKE_AHB         0x24770011u
#define FAKE_APB         0x54770002u
#define FAKE_JTAG        0x16880000u
#define FAKE_TRACE_LINES 4096

struct fake_port {
	uint32_t idr, csw;
	uint32_t cfg;
	bool has_core;
	bool is_off;
	bool has_failed; /* every access is an error */
};

struct fake {
	struct dap dap; /* first */
	struct target_setup setup;
	uint8_t memory[FAKE_SIZE];
	struct fake_port ports[FAKE_PORTS];

	/* Properties. */
	uint64_t base;      /* address of its memory */
	uint32_t id;        /* DPIDR */
	bool is_dead;       /* never answers */
	bool is_dormant;    /* until the selection alert */
	bool is_multi_drop; /* an RP2040 */
	bool is_deaf;       /* with is_multi_drop: answers only if selected */
	bool never_powers;
	bool cannot_select;      /* the probe does not know TARGETSEL */
	bool shows_rescue;       /* the rescue port answers in place of the selected one */
	bool is_blank_unpowered; /* without power, access ports read as zeros instead of failing */
	bool fails_late;         /* a failed write shows only in the next access that waits for it */
	uint32_t sizes;          /* supported sizes of an access, a bit for each */
	uint32_t protection;     /* bits of CSW that are stored */

	/* Faults: every Nth access, 0: never. */
	unsigned garble_every;
	unsigned garble_at, lose_at, reset_at; /* once, at that access */

	/* Results. */
	unsigned accesses, words_read, tar_writes, lists, rescues, aborts, wakeups, closed;
	struct access *adi; /* NULL: not connected */
	uint32_t speed, target;
	char lines[FAKE_TRACE_LINES];

	/* State. */
	uint32_t select, control, tar, tar_high;
	uint32_t late; /* flags that CTRL/STAT gets when a write ends */
	bool is_awake; /* there was a line reset, and no protocol error since */
};

/* The only one. It is zero, or was initialized. */
extern struct fake fake;

/* Disconnects, and begins again with a Cortex-M that has one AHB-AP, and random memory. */
void fake_init(void);
struct target_setup fake_setup(void);
/* Connects with fake.setup; fails the test if that fails. */
void fake_connect(void);
void fake_disconnect(void);
/* The fixture of tests. */
int fake_set_up(void **state);
int fake_tear_down(void **state);
/* Reads memory and compares it. */
void fake_check_read(struct access *adi, uint64_t address, const uint8_t *expected, size_t size);
/* Changes a part of memory by a write, and compares all FAKE_SIZE bytes of it. */
void fake_check_write(struct access *adi, uint64_t base, const uint8_t *memory, size_t offset, size_t size);
void fake_check_read_fails(struct access *adi, uint64_t address, size_t size, const char *message);
uint32_t fake_random(uint64_t *seed, uint32_t below);

#endif
