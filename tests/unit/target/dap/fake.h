/* SPDX-License-Identifier: MIT */
/* A debug port with access ports and memory behind it, as a probe shows it that makes whole transfers. */
#ifndef UNIT_TARGET_DAP_FAKE_H
#define UNIT_TARGET_DAP_FAKE_H

#include "target/dap/adi.h"
#include "target/dap/dap.h"

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
	struct dap dap;
	uint8_t memory[FAKE_SIZE];
	struct fake_port ports[FAKE_PORTS];

	/* What it is. */
	uint64_t base;      /* of its memory */
	uint32_t id;        /* DPIDR */
	bool is_dead;       /* nothing answers */
	bool is_dormant;    /* until it is woken up by the alert */
	bool is_multi_drop; /* an RP2040 */
	bool is_deaf;       /* none of several debug ports answers that was not selected */
	bool never_powers;
	bool cannot_select;      /* the probe knows nothing of TARGETSEL */
	bool shows_rescue;       /* the rescue port answers, whoever was selected */
	bool is_blank_unpowered; /* access ports read as zeros without power, and no error is told */
	bool tells_writes_late;  /* that one failed shows the next access that waits for it */
	uint32_t sizes;          /* bit of each size of an access */
	uint32_t protection;     /* bits of CSW that are stored */

	/* Faults: every so many accesses, 0 = never. */
	unsigned wait_every, fault_every, silent_every, garble_every;
	unsigned garble_at, lose_at, reset_at; /* once, at that access */
	unsigned hangs_every;                  /* it is busy from there on, */
	bool is_busy;                          /* until DAPABORT */
	bool is_busy_for_ever;

	/* What was done to it. */
	unsigned accesses, words_read, tar_writes, lists, rescues, aborts, wakeups, closed;
	uint32_t speed, target;
	char lines[FAKE_TRACE_LINES];

	/* Its state. */
	uint32_t select, control, tar, tar_high;
	uint32_t late; /* what CTRL/STAT gets when a write is over */
	bool is_awake; /* a line reset was seen, and no protocol error since */
};

/* A Cortex-M with one AHB-AP that is found without trouble; memory of no pattern. */
void fake_init(struct fake *fake);
struct adi_setup fake_setup(void);
/* Fails the test unless it connects. */
struct adi *fake_connect(struct fake *fake, const struct adi_setup *setup);
uint32_t fake_random(uint64_t *seed, uint32_t below);

#endif
