/* SPDX-License-Identifier: MIT */
/* Copies of the stack of a halted core: one per sample, or a uniform sample of the copies if there are too many. */
#ifndef ACQUIRE_SAMPLE_STACK_COPIES_H
#define ACQUIRE_SAMPLE_STACK_COPIES_H

#include "acquire/target/target.h"
#include "capture/capture.h"

#include <stdint.h>

/* Bytes of stack in a copy. */
#define STACKS_BYTES_DEFAULT 512u
#define STACKS_BYTES_MAX     32768u

struct stack_copies {
	uint32_t bytes; /* maximum number of bytes to copy, from the stack pointer up */
	unsigned address_size;
	bool is_cortex_m; /* then the addresses of devices, which must not be read, are known */
	/* The end of the firmware's main stack, and the end of memory above some stack; 0: unknown. */
	uint64_t end, memory_end;

	unsigned short random[3]; /* state of erand48() */
	struct capture_slice *slices;
	uint8_t *memory; /* bytes for each slice */
	size_t count, capacity;
	uint64_t offered, examined, bad;
};

/* bytes: at most STACKS_BYTES_MAX, a multiple of 8. Freed by stack_copies_free(). */
void stack_copies_begin(struct stack_copies *stacks, unsigned address_size, uint32_t bytes, uint64_t seed);
void stack_copies_free(struct stack_copies *stacks);

/* Copies the stack of the halted core. If the stack's memory cannot be read, only the registers are kept. */
enum status stack_copies_take(struct stack_copies *stacks, struct target *target,
                              const struct core_registers *registers, struct error *error);

/* Sets the block's slices, with weights that add up to its ticks. stacks still owns them. */
void stack_copies_file(struct stack_copies *stacks, struct capture_block *block);

#endif
