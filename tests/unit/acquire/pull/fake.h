/* SPDX-License-Identifier: MIT */
/* A target of the tests' own: memory with profile blocks, and hooks for a recorder. */
#ifndef UNIT_ACQUIRE_PULL_FAKE_H
#define UNIT_ACQUIRE_PULL_FAKE_H

#include "acquire/target/target.h"
#include "capture/capture.h"

#include <stdbool.h>
#include <stdint.h>

#define FAKE_BASE        UINT64_C(0x20000000)
#define FAKE_SIZE        0x10000u
#define FAKE_ARCS        16u
#define FAKE_BINS        64u
#define FAKE_ARCS_OFFSET ((uint32_t)BAREPROF_HEADER_SIZE(4))
#define FAKE_BINS_OFFSET (FAKE_ARCS_OFFSET + FAKE_ARCS * 12)
#define FAKE_BLOCK_SIZE  (FAKE_BINS_OFFSET + FAKE_BINS * 2)

struct fake {
	struct target target;
	struct target_ops ops; /* may be changed by a test */
	bool big_endian;
	uint8_t memory[FAKE_SIZE];

	unsigned milliseconds; /* how long the target has run */
	unsigned reads, writes;
	uint64_t bytes_read;
	uint64_t written[16]; /* addresses, in order */
	uint64_t unreadable;  /* an address that cannot be read; 0: none, */
	bool loses_target;    /* and the target is lost with it */
	unsigned reconnections;
	/* Called with the target's memory: before each read, and for each millisecond that it runs. NULL: nothing. */
	void (*before_read)(struct fake *fake, uint64_t address, size_t size);
	void (*each_millisecond)(struct fake *fake);
};

void fake_init(struct fake *fake);
/* Puts a block with empty tables at address: stopped, 12,345 ticks. */
void fake_put_block(struct fake *fake, uint64_t address);

uint8_t *fake_at(struct fake *fake, uint64_t address);
uint32_t fake_word(struct fake *fake, uint64_t address);
void fake_set_word(struct fake *fake, uint64_t address, uint32_t value);

#endif
