/* SPDX-License-Identifier: MIT */
/* A capture taken from a target into a file, from the first connection to the last byte. Prints nothing. */
#ifndef TARGET_PULL_PULL_H
#define TARGET_PULL_PULL_H

#include "base/status.h"
#include "target/backend/target.h"
#include "target/pull/disruption.h"
#include "target/pull/identity.h"
#include "target/pull/locate.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pull_options {
	const struct source *source;
	const char *elf_path;    /* NULL only for a source that knows its extent (a dump, a link) */
	const char *output_path; /* "-" is standard output */
	/* What is asked of the recorder before the block is read, in this order. */
	bool reset, start;
	const char *arm;            /* instead of start: the function whose call starts the profile; NULL: none */
	uint32_t ticks;             /* with arm: the profile stops after so many; 0 = it does not */
	unsigned wait_milliseconds; /* time for the target to run; 0 = none */
	bool stop;
	bool force;                       /* take the block of another build */
	const struct target_setup *setup; /* but cancel, which is pull's own; NULL = TARGET_SETUP_DEFAULT */
	/* Is told, with the context of the setup's observer, that the wait begins, and with 0 that it is over; NULL =
	 * nobody is. */
	void (*waiting)(void *context, unsigned milliseconds);
	/* The same for a scan of memory for the block: bytes done of the total; total 0: the scan is over. */
	void (*scanning)(void *context, uint64_t done, uint64_t total);
};

struct pull_summary {
	size_t block_count;
	struct {
		uint64_t address;
		uint32_t size;
		uint32_t ticks;
		uint32_t ticks_passed; /* while it was read */
		uint32_t state;
	} blocks[LOCATE_BLOCKS_MAX];
	size_t uninitialised;           /* further cores whose block was not there */
	enum identity_verdict identity; /* of the blocks and the ELF: the worst */
	enum disruption disruption;     /* before and during the wait, to any block: the worst */
	bool is_contradictory;          /* samples and ticks of a block do not add up */
	const char *caution;            /* see struct target_ops; may be NULL */
	struct target_traffic traffic;
};

/*
 * Takes the capture. On failure no output file is left, except where only the leave-taking from the target failed: then
 * summary->block_count is not 0. SIGINT, SIGTERM and SIGHUP are a failure while there is a target to take leave of.
 */
enum status pull_run(const struct pull_options *options, struct pull_summary *summary, struct error *error);

#endif
