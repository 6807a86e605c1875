/* SPDX-License-Identifier: MIT */
/* Model of a target's memory: RAM, files shared with a firmware in QEMU, flash, and the registers of cores. */
#ifndef PROBE_MODEL_MEMORY_H
#define PROBE_MODEL_MEMORY_H

#include "setup.h"
#include "swd.h"

struct memory;

/* An access of 1, 2 or 4 bytes at an aligned address; bytes are in order of addresses. */
struct memory_access {
	unsigned core; /* whose registers are at 0xe0000000 */
	uint64_t address;
	size_t size;
	bool is_cacheable;
	bool is_write;
	uint8_t bytes[4];
};

/* Setup and counts must outlive the memory. Prints an error and returns NULL if a file cannot be used. */
struct memory *memory_create(const struct setup *setup, struct swd_counts *counts);
/* Returns false if the address is outside memory, or read-only. */
bool memory_access(struct memory *memory, struct memory_access *access);
void memory_reset(struct memory *memory);
/* Lets the firmware run, or halts it. */
void memory_let_run(struct memory *memory, bool runs);
/* The program counter of the halted firmware; 0 without one. */
uint32_t memory_program_counter(struct memory *memory);
/* Returns memory for tests to look at, or NULL. */
void *memory_at(struct memory *memory, uint64_t address, size_t size);
void memory_free(struct memory *memory);

#endif
