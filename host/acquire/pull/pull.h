/* SPDX-License-Identifier: MIT */
/* Taking a capture from a target into a file, from the first connection to the last byte. */
#ifndef ACQUIRE_PULL_PULL_H
#define ACQUIRE_PULL_PULL_H

#include "acquire/pull/identity.h"
#include "acquire/pull/locate.h"
#include "acquire/target/target.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Disruptions of a profile while its target ran, detected from two readings of its header, in rising order of
 * severity; the worst of all cores is reported. */
enum disruption {
	DISRUPTION_NONE,
	DISRUPTION_REQUESTED,     /* reset as requested; the old counts were kept */
	DISRUPTION_CLEARED,       /* the firmware cleared the profile, or the clock changed */
	DISRUPTION_RESET,         /* the target was reset; the counts were kept and continue */
	DISRUPTION_RESET_STOPPED, /* the target was reset, and the profile was not started again */
	DISRUPTION_LOST,          /* the target was reset and lost its RAM: counts restarted */
	DISRUPTION_LOST_STOPPED,  /* the target lost its RAM, and nothing was counted since */
	DISRUPTION_COUNT,
};

struct pull_options {
	const struct source *source;
	const char *elf_path;    /* NULL only if the source knows its extent (a dump, a link) */
	const char *output_path; /* "-" is standard output */
	/* Requests to the recorder before the block is read, in this order. */
	bool reset, start;
	const char *arm;            /* instead of start: function whose call starts the profile; NULL: none */
	uint32_t ticks;             /* with arm: ticks after which the profile stops; 0: never */
	unsigned wait_milliseconds; /* how long to let the target run; 0: not at all */
	bool stop;
	bool force;                       /* accept the block of another build */
	const struct target_setup *setup; /* without cancel, which pull sets; NULL: TARGET_SETUP_DEFAULT */
	/* Called with the observer's context when the wait begins, and with 0 when it ends; NULL: no callback. */
	void (*waiting)(void *context, unsigned milliseconds);
	/* Called during a scan of memory for the block, with bytes done and total; total 0: the scan is over. */
	void (*scanning)(void *context, uint64_t done, uint64_t total);
};

struct pull_summary {
	size_t block_count;
	struct {
		uint64_t address;
		uint32_t size;
		uint32_t ticks;
		uint32_t ticks_passed; /* ticks while it was read */
		uint32_t state;
	} blocks[LOCATE_BLOCKS_MAX];
	size_t uninitialised;           /* cores without a block */
	enum identity_verdict identity; /* the worst of all blocks */
	enum disruption disruption;     /* the worst of all blocks, before or during the wait */
	bool is_contradictory;          /* samples and ticks of a block do not add up */
	const char *caution;            /* see struct target_ops; may be NULL */
	struct target_traffic traffic;
};

/* Takes the capture. On failure no output file is left, unless only disconnecting failed: then summary->block_count is
 * not 0. SIGINT, SIGTERM and SIGHUP fail the pull while it is connected. */
enum status pull_run(const struct pull_options *options, struct pull_summary *summary, struct error *error);

#endif
