/* SPDX-License-Identifier: MIT */
/* Methods of reading a core's program counter. */
#ifndef ACQUIRE_SAMPLE_SAMPLER_H
#define ACQUIRE_SAMPLE_SAMPLER_H

#include "acquire/sample/stack_copies.h"
#include "acquire/target/target.h"

struct sampler {
	bool halts; /* the core is halted during read() */
	/* Prepares the core. *trace_was_enabled, the state of its trace unit before, is passed to end(), which is also
	 * called after a failure. */
	enum status (*begin)(struct target *target, bool *trace_was_enabled, struct error *error);
	/* Reads the program counter count times in a row; UINT32_MAX: the core was asleep or unavailable. Also copies
	 * the stack at each read, unless stacks is NULL; only a sampler that halts can do this. */
	enum status (*read)(struct target *target, uint32_t *words, size_t count, struct stack_copies *stacks,
	                    struct error *error);
	/* Fails if the samples since begin() are meaningless. */
	enum status (*check)(struct target *target, struct error *error);
	/* Restores the core. */
	enum status (*end)(struct target *target, bool trace_was_enabled, struct error *error);
};

extern const struct sampler sampler_pcsr;    /* pcsr.c: a Cortex-M, while it runs */
extern const struct sampler sampler_halting; /* halting.c: any core that can be halted */

#endif
