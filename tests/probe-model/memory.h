/* SPDX-License-Identifier: MIT */
/* The memory map of a target: RAM, a file that firmware in QEMU runs on, flash, registers of cores. Knows nothing of
 * debug and access ports. */
#ifndef PROBE_MODEL_MEMORY_H
#define PROBE_MODEL_MEMORY_H

#include "setup.h"
#include "swd.h"

struct memory;

/* An access of 1, 2 or 4 bytes at an aligned address; bytes in order of their addresses. */
struct memory_access {
	unsigned core; /* whose registers there are at 0xe0000000 */
	uint64_t address;
	size_t size;
	bool is_cacheable;
	bool is_write;
	uint8_t bytes[4];
};

/* Both must outlive it. NULL, and a line to standard error, if a file is not there. */
struct memory *memory_create(const struct setup *setup, struct swd_counts *counts);
/* False if there is nothing at the address, or it cannot be written. */
bool memory_access(struct memory *memory, struct memory_access *access);
void memory_reset(struct memory *memory);
void *memory_at(struct memory *memory, uint64_t address, size_t size);
void memory_free(struct memory *memory);

#endif
