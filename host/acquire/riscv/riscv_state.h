/* SPDX-License-Identifier: MIT */
/* The state of a connection, its requests and its accesses to memory. Private to this folder. */
#ifndef ACQUIRE_RISCV_RISCV_STATE_H
#define ACQUIRE_RISCV_RISCV_STATE_H

#include "acquire/dap/access.h"
#include "acquire/riscv/dtm.h"
#include "acquire/riscv/registers.h"
#include "acquire/riscv/riscv.h"

/* How long a hart may take to halt, to run, to come out of reset or to execute a command. */
#define RISCV_REACTION_TIME 500

/* The maximum number of words in a block, which fit into one stream of requests. cancel is checked between blocks. */
#define RISCV_BLOCK_WORDS (JTAG_PIPE_STEPS_MAX - 16)

/* A method of accessing memory. */
struct riscv_memory {
	/* Queue the requests of a block. The last request reads the result: the register that reports errors. */
	void (*add_read)(struct riscv *riscv, const struct access_block *block, uint32_t *result);
	void (*add_write)(struct riscv *riscv, const struct access_block *block, uint32_t *result);
	/* Requests came before earlier ones had completed. */
	bool (*is_too_fast)(uint32_t result);
	/* The error that the result reports, for messages; NULL: none. */
	const char *(*error_of)(uint32_t result);
	const char *result_name;
	/* See struct probe_ops. */
	enum status (*begin)(struct riscv *riscv, struct error *error);
	enum status (*end)(struct riscv *riscv, struct error *error);
};

extern const struct riscv_memory riscv_bus;      /* bus.c: while harts run */
extern const struct riscv_memory riscv_program;  /* hart.c: through the program buffer of a halted hart */
extern const struct riscv_memory riscv_abstract; /* hart.c: by abstract commands of a halted hart */

struct riscv {
	struct dtm dtm;
	struct target_setup setup;
	uint32_t hart;
	const struct riscv_memory *memory;
	uint32_t bus;           /* sbcs as found, with its capabilities */
	unsigned register_size; /* size of the hart's registers, as in commands; 0: unknown */
	uint64_t saved[2];      /* s0 and s1 of the firmware, while the program buffer uses them */
	bool has_saved, has_implicit_ebreak;
	bool is_connected, is_lost;
	bool is_module_ours; /* dmactive was 0 before */
	enum dap_ack ack; /* how the last requests ended; unless DAP_OK, the transport must be woken up before others */
	unsigned wakeups; /* wake-ups since ack was last DAP_OK */
	struct access access;
	uint32_t words[RISCV_BLOCK_WORDS];
};

const char *riscv_source(const struct riscv *riscv);
/* The value of dmcontrol without a request. */
uint32_t riscv_control(const struct riscv *riscv);
/* Fails if the caller has cancelled. */
enum status riscv_check_cancel(const struct riscv *riscv, struct error *error);
/* Why requests failed, for messages. */
const char *riscv_reason(enum dap_ack ack);
/* Makes the requests that add() queues once, after waking the transport up if the last ones failed. riscv->ack says how
 * they ended. add may be NULL. */
enum status riscv_attempt(struct riscv *riscv, void (*add)(struct riscv *riscv, void *context), void *context,
                          struct error *error);
/* Repeats riscv_attempt() until it succeeds. */
enum status riscv_make(struct riscv *riscv, void (*add)(struct riscv *riscv, void *context), void *context,
                       struct error *error);
/* Read or write a register of the debug module. */
enum status riscv_get(struct riscv *riscv, unsigned address, uint32_t *word, struct error *error);
enum status riscv_set(struct riscv *riscv, unsigned address, uint32_t word, struct error *error);

/* For struct probe_ops; the probe is a struct riscv. */
enum status riscv_transfer(void *probe, struct access_block *block, struct access_result *result, struct error *error);
enum status riscv_recover(void *probe, struct access_result *result, unsigned tries, struct error *error);
enum status riscv_fail(void *probe, const struct access_block *block, const struct access_result *result,
                       struct error *error);
enum status riscv_begin(void *probe, struct error *error);
enum status riscv_end(void *probe, struct error *error);

#endif
