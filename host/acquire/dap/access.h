/* SPDX-License-Identifier: MIT */
/* Memory of a target through any probe: accesses of any alignment and size are split into blocks, which the probe
 * transfers. A block that failed is repeated with half of its units, until it succeeds or is hopeless. */
#ifndef ACQUIRE_DAP_ACCESS_H
#define ACQUIRE_DAP_ACCESS_H

#include "acquire/dap/dap.h"
#include "acquire/setup.h"

/* Clocks per word of a long transfer (IHI 0031, B4.2), to convert time to words. */
#define ACCESS_WORD_CLOCKS 47u

/* Statistics for the user. A list is the transfers of one attempt at a block, also while choosing the access port. */
struct probe_traffic {
	uint64_t bytes;          /* bytes of memory */
	double seconds;          /* duration of these accesses */
	uint64_t lists, repeats; /* all lists; lists that failed and were repeated */
	uint64_t damaged;        /* repeats because of wire errors */
	unsigned packets_lost;   /* see struct dap */
	uint32_t speed;          /* clock in Hz */
	bool is_speed_limit;     /* see struct dap */
};

/* Units of memory in a row, or several accesses to one register. */
struct access_block {
	uint64_t address;
	size_t left;        /* units that remain */
	size_t count;       /* units to transfer now; the probe may lower it */
	unsigned unit;      /* 4 bytes or 1 byte */
	uint32_t *words;    /* one unit per word; a single byte is in its lane */
	bool is_write;      /* otherwise a read */
	bool is_register;   /* all units have the same address */
	bool may_be_absent; /* a bus error means that the word does not exist */
	const void *detail; /* for the probe; NULL: memory */
};

/* How the target reacted to a transfer, kept for the next attempt. */
struct access_result {
	enum dap_ack ack; /* DAP_WAIT: only a time-out ends further attempts */
	uint32_t flags;   /* sticky bits of CTRL/STAT; 0: unknown */
	uint32_t status;  /* as the probe or the target reports it */
	uint64_t address; /* address of the failed access, if the probe reports it */
};

struct probe_ops {
	/* Transfers the first count units. A failure means that the probe itself does not work. */
	enum status (*transfer)(void *probe, struct access_block *block, struct access_result *result,
	                        struct error *error);
	/* Recovers, so that the block can be repeated. tries: failures in a row before this one. May set result->flags.
	 */
	enum status (*recover)(void *probe, struct access_result *result, unsigned tries, struct error *error);
	/* Always fails; fills *error with the reason for giving up the block. */
	enum status (*fail)(void *probe, const struct access_block *block, const struct access_result *result,
	                    struct error *error);
	/* Called before and after each access_read() and access_write(); NULL: nothing to do. */
	enum status (*begin)(void *probe, struct error *error);
	enum status (*end)(void *probe, struct error *error);
	/* Drives the reset pin low, or releases it. */
	enum status (*drive_reset)(void *probe, bool is_low, struct error *error);
	/* Begins to disconnect: from now on nothing cancels, and accesses work even after an interruption. */
	void (*finish)(void *probe);
	/* Disconnects, and closes the probe. */
	void (*close)(void *probe);
};

/* A connection to the memory of a target. The probe sets it up; the functions below use it. */
struct access {
	const struct probe_ops *ops;
	void *probe; /* for ops */
	const struct target_setup *setup;
	const char *source;
	const bool *is_lost; /* the probe is gone, or the target silent or busy: further accesses would fail just
	                        as slowly */
	const unsigned *packets_lost; /* see struct probe_traffic */
	const bool *is_speed_limit;   /* see struct probe_traffic; NULL: false */
	char name[48];                /* name of the port or bus, for messages: "access port 0" */
	uint64_t last;                /* the last address that the port or bus reaches */
	bool has_bytes;               /* single bytes can be written */
	uint32_t *words;              /* room for the longest block */
	size_t units_max;             /* maximum size of a block, and of words */
	size_t units_now;             /* halved after a failure, doubled after success */
	struct probe_traffic
	        traffic; /* without seconds and the values that the pointers above refer to: see access_traffic() */
	uint64_t milliseconds; /* duration of all accesses */

	/* Private: the failures of the current access, to decide when to give up. */
	uint64_t deadline; /* time to give up, unless enough units arrive; 0: no failure yet */
	size_t units;      /* units that arrived since the deadline was set */
	unsigned tries;    /* failures in a row */
	unsigned smallest; /* failures in a row with a single unit */
};

/* Reads or writes memory of any alignment and size, all or nothing. */
enum status access_read(struct access *access, uint64_t address, void *bytes, size_t size, struct error *error);
enum status access_write(struct access *access, uint64_t address, const void *bytes, size_t size, struct error *error);
/* Reads the aligned word at address count times in a row. */
enum status access_read_register(struct access *access, uint64_t address, uint32_t *words, size_t count,
                                 struct error *error);
enum status access_write_register(struct access *access, uint64_t address, uint32_t word, struct error *error);
/* Reads an aligned word that may not exist: a bus error fails at once, without a retry. */
enum status access_probe(struct access *access, uint64_t address, uint32_t *word, struct error *error);
/* Transfers all units of a block to or from block->words, without a check of the address, and without statistics of
 * bytes. */
enum status access_move(struct access *access, struct access_block *block, struct error *error);
/* Waits by the clock of the setup, or until cancelled. */
void access_pause(const struct target_setup *setup, unsigned milliseconds);
/* The number of words per block at this clock in Hz: about a quarter of a second, in whole windows of TAR, at most max.
 * Short blocks let reads report progress and be cancelled. */
size_t access_words_max(uint32_t speed, size_t max);
struct probe_traffic access_traffic(const struct access *access);
/* Disconnects from the target and closes the probe. NULL is allowed. */
void access_close(struct access *access);

#endif
