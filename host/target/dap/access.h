/* SPDX-License-Identifier: MIT */
/* Memory of a target through any probe: accesses of any alignment and size are split into blocks, which the probe
 * transfers. A block that failed is repeated with half of its units, until it succeeds or is hopeless. */
#ifndef TARGET_DAP_ACCESS_H
#define TARGET_DAP_ACCESS_H

#include "target/dap/adi.h"

/* Units of memory in a row, or several accesses to one register. */
struct access_block {
	uint64_t address;
	size_t left;        /* units that remain */
	size_t count;       /* of these, the first, which are to be transferred now; the probe may lower it */
	unsigned unit;      /* 4 bytes or 1 byte */
	uint32_t *words;    /* a unit in each, a byte in its lane */
	bool is_write;      /* else it is a read */
	bool is_register;   /* all units have the same address */
	bool may_be_absent; /* a bus error means that the word does not exist */
	const void *detail; /* for the probe; NULL = memory */
};

/* How the target reacted to a transfer. It is kept for the next attempt. */
struct access_result {
	enum dap_ack ack; /* DAP_WAIT: further attempts end only by time */
	uint32_t flags;   /* sticky bits of CTRL/STAT; 0 = unknown */
	uint32_t status;  /* as the probe or the target reports it */
	uint64_t address; /* where memory failed, if the probe reports it */
};

/* A kind of probe. */
struct access_ops {
	/* Transfers the first count units. A failure means that the probe itself does not work. */
	enum status (*transfer)(void *probe, struct access_block *block, struct access_result *result,
	                        struct error *error);
	/* Recovers, so that the block can be repeated. tries: failures in a row before this one. May set result->flags.
	 */
	enum status (*recover)(void *probe, struct access_result *result, unsigned tries, struct error *error);
	/* Fails: the block is given up. */
	enum status (*fail)(void *probe, const struct access_block *block, const struct access_result *result,
	                    struct error *error);
	/* Called before and after access_read() and access_write(); NULL = nothing to do. */
	enum status (*begin)(void *probe, struct error *error);
	enum status (*end)(void *probe, struct error *error);
};

struct access {
	const struct access_ops *ops;
	void *probe; /* for ops */
	const struct adi_setup *setup;
	const char *source;
	char name[48];              /* what leads to memory, for messages */
	uint64_t last;              /* the last address that it reaches */
	bool has_bytes;             /* single bytes can be written */
	uint32_t *words;            /* room for the longest block */
	size_t units_max;           /* of a block, and of these words */
	size_t units_now;           /* halved after a failure, doubled after success */
	struct adi_traffic traffic; /* without the seconds */
	uint64_t milliseconds;

	/* Private: the failures of the current access, to decide when to give up. */
	uint64_t deadline; /* for giving up, unless enough units arrive; 0 = none failed yet */
	size_t units;      /* that arrived since the deadline was set */
	unsigned tries;    /* failures in a row */
	unsigned smallest; /* of these, those of a single unit */
};

/* Any alignment and size, all or nothing. */
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
/* Milliseconds of waiting by the clock of the setup. */
void access_pause(const struct adi_setup *setup, unsigned milliseconds);
struct adi_traffic access_traffic(const struct access *access);

#endif
