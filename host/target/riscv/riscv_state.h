/* SPDX-License-Identifier: MIT */
/* Private to this folder: the state of a connection, its requests and its accesses to memory. */
#ifndef TARGET_RISCV_RISCV_STATE_H
#define TARGET_RISCV_RISCV_STATE_H

#include "target/riscv/dtm.h"
#include "target/riscv/registers.h"
#include "target/riscv/riscv.h"

/* How long a hart may take to halt, to run, to come out of reset or to execute a command. */
#define RISCV_REACTION_TIME 500

/* Maximum words of a block: they fit into one stream of requests; cancel is checked between blocks. */
#define RISCV_BLOCK_WORDS (JTAG_PIPE_STEPS_MAX - 16)

/* A block of units of 4 bytes or 1 byte, each in a uint32_t. */
struct riscv_block {
	uint64_t address;
	uint32_t count, unit;
	uint32_t *words;
	uint32_t result; /* value of the register that reports errors */
};

/* A method of accessing memory. */
struct riscv_memory {
	/* Queue the requests of a block, the last of which reads its result. */
	void (*add_read)(struct riscv *riscv, struct riscv_block *block);
	void (*add_write)(struct riscv *riscv, struct riscv_block *block);
	/* Requests came before earlier ones had completed. */
	bool (*is_too_fast)(uint32_t result);
	/* The error that the result reports, for messages; NULL = none. */
	const char *(*error_of)(uint32_t result);
	const char *result_name;
	/* Called before and after the blocks of an access; NULL = nothing to do. */
	enum status (*begin)(struct riscv *riscv, struct error *error);
	enum status (*end)(struct riscv *riscv, struct error *error);
};

extern const struct riscv_memory riscv_bus;      /* bus.c: while harts run */
extern const struct riscv_memory riscv_program;  /* hart.c: through the program buffer of a halted hart */
extern const struct riscv_memory riscv_abstract; /* hart.c: by abstract commands of a halted hart */

struct riscv {
	struct dtm dtm;
	struct adi_setup setup;
	uint32_t hart;
	const struct riscv_memory *memory;
	uint32_t bus;           /* sbcs as found, with its capabilities */
	unsigned register_size; /* size of the hart's registers, as in commands; 0 = unknown */
	uint64_t saved[2];      /* s0 and s1 of the firmware, while the program buffer uses them */
	bool has_saved, has_implicit_ebreak;
	bool is_connected, is_lost;
	bool is_module_ours; /* dmactive was 0 before */
	uint32_t words_now;  /* current words per block: halved after a failure, doubled after success */
	uint64_t bytes, milliseconds, lists, repeats;
};

const char *riscv_source(const struct riscv *riscv);
/* The value of dmcontrol without a request. */
uint32_t riscv_control(const struct riscv *riscv);
/* Fails if the caller has cancelled. */
enum status riscv_check_cancel(const struct riscv *riscv, struct error *error);
/* Why requests failed, for messages. */
const char *riscv_reason(enum dap_ack ack);
/* Wakes the transport up; *ack is DAP_NO_ACK if it does not answer. */
enum status riscv_wake(struct riscv *riscv, bool from_dormant, enum dap_ack *ack, struct error *error);
/* Makes the requests that add() queues until they succeed, after reconnecting if necessary. attempt: the number of
 * failures so far. */
enum status riscv_make(struct riscv *riscv, void (*add)(struct riscv *riscv, unsigned attempt, void *context),
                       void *context, struct error *error);
/* Read or write a register of the debug module. */
enum status riscv_get(struct riscv *riscv, unsigned address, uint32_t *word, struct error *error);
enum status riscv_set(struct riscv *riscv, unsigned address, uint32_t word, struct error *error);

#endif
