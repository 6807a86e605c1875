/* SPDX-License-Identifier: MIT */
/* See riscv.h. Requests to the debug module are tried again, after connecting again if need be, until they succeed or
 * the target was silent or busy for as long as the setup allows. */
#include "target/riscv/riscv.h"

#include "base/clock.h"
#include "base/wait.h"
#include "target/riscv/dtm.h"
#include "target/riscv/registers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Milliseconds to wait for an answer: a target that is being powered up does not answer yet. */
#define CONNECT_TIME 500
/* Milliseconds that the target may be silent or busy while disconnecting. */
#define FINISH_TIME 300
/* How long a hart may take to halt, to run or to come out of reset. */
#define REACTION_TIME 500
/* Milliseconds of ndmreset. */
#define RESET_TIME 10

/* How often an access is made that the bus answers with an error. */
#define BUS_TRIES 3

/* Words of a block: a stream of requests, and a pause between two looks at the descriptor that cancels. */
#define BLOCK_WORDS (JTAG_PIPE_STEPS_MAX - 8)

struct riscv {
	struct dtm dtm;
	struct adi_setup setup;
	uint32_t hart;
	uint32_t bus; /* sbcs as found, with its capabilities */
	bool is_connected, is_lost;
	bool is_module_ours; /* dmactive was 0 before */
	uint32_t words_now;  /* current words per block: halved after a failure, doubled after success */
	uint64_t bytes, milliseconds, lists, repeats;
};

static const char *source_of(const struct riscv *riscv)
{
	return riscv->dtm.jtag.pins->source;
}

static enum status fail_if_cancelled(const struct riscv *riscv, struct error *error)
{
	if (wait_pause(0, riscv->setup.cancel))
		return STATUS_OK;
	return status_fail(error, "%s: interrupted", source_of(riscv));
}

static const char *reason(enum dap_ack ack)
{
	switch (ack) {
	case DAP_WAIT:
		return "the target's debug module stays busy; try a lower clock speed";
	case DAP_FAULT:
		return "the target's debug module fails requests; try a lower clock speed and shorter wires";
	default:
		return "the target does not answer; is it powered, and are TCK, TMS, TDI, TDO and GND connected?";
	}
}

/* --- Requests. */

static uint32_t control(const struct riscv *riscv)
{
	return CONTROL_DMACTIVE | CONTROL_HART(riscv->hart);
}

/* Wakes the transport up; *ack is DAP_NO_ACK if it does not answer. The module is inactive after a reset. */
static enum status wake(struct riscv *riscv, bool from_dormant, enum dap_ack *ack, struct error *error)
{
	uint32_t found = 0;

	enum status status = dtm_connect(&riscv->dtm, from_dormant, error);
	*ack = riscv->dtm.idcode != 0 ? DAP_OK : DAP_NO_ACK;
	if (status != STATUS_OK || *ack != DAP_OK)
		return status;
	dtm_add_read(&riscv->dtm, DM_CONTROL, &found);
	dtm_add_write(&riscv->dtm, DM_CONTROL, control(riscv));
	status = dtm_run(&riscv->dtm, ack, error);
	if (status == STATUS_OK && *ack == DAP_OK && !riscv->is_connected)
		riscv->is_module_ours = !(found & CONTROL_DMACTIVE);
	return status;
}

/* Makes the requests that add() queues until they succeed. attempt: 0, then how often they failed. */
static enum status make(struct riscv *riscv, void (*add)(struct riscv *riscv, unsigned attempt, void *context),
                        void *context, struct error *error)
{
	const uint64_t deadline = clock_now() + riscv->setup.timeout;
	enum dap_ack ack = DAP_OK;

	for (unsigned attempt = 0;; attempt++) {
		enum status status = fail_if_cancelled(riscv, error);

		if (status == STATUS_OK && ack != DAP_OK)
			status = wake(riscv, attempt % 2 == 0, &ack, error);
		if (status == STATUS_OK && ack == DAP_OK) {
			riscv->dtm.pipe.count = 0;
			add(riscv, attempt, context);
			status = dtm_run(&riscv->dtm, &ack, error);
		}
		riscv->is_lost = status != STATUS_OK || ack != DAP_OK;
		if (status != STATUS_OK || ack == DAP_OK)
			return status;
		if (clock_now() >= deadline)
			return status_fail(error, "%s: %s", source_of(riscv), reason(ack));
		riscv->repeats++;
		wait_pause(1, riscv->setup.cancel);
	}
}

/* One register of the debug module. */
struct one {
	unsigned address;
	uint32_t word;
};

static void add_read(struct riscv *riscv, unsigned attempt, void *context)
{
	struct one *one = context;

	(void)attempt;
	dtm_add_read(&riscv->dtm, one->address, &one->word);
}

static void add_write(struct riscv *riscv, unsigned attempt, void *context)
{
	const struct one *one = context;

	(void)attempt;
	dtm_add_write(&riscv->dtm, one->address, one->word);
}

static enum status get(struct riscv *riscv, unsigned address, uint32_t *word, struct error *error)
{
	struct one one = {.address = address};

	enum status status = make(riscv, add_read, &one, error);
	*word = one.word;
	return status;
}

static enum status set(struct riscv *riscv, unsigned address, uint32_t word, struct error *error)
{
	struct one one = {.address = address, .word = word};

	return make(riscv, add_write, &one, error);
}

/* Waits until the bits of dmstatus are set. */
static enum status await_status(struct riscv *riscv, uint32_t bits, const char *what, struct error *error)
{
	const uint64_t deadline = clock_now() + REACTION_TIME;
	uint32_t word;

	do {
		enum status status = get(riscv, DM_STATUS, &word, error);

		if (status != STATUS_OK || (word & bits) == bits)
			return status;
	} while (clock_now() < deadline);
	return status_fail(error, "%s: the hart did not %s in %d ms (dmstatus 0x%08" PRIx32 ")", source_of(riscv), what,
	                   REACTION_TIME, word);
}

/* --- Memory. */

/* A block of units of 4 bytes or 1 byte, each in one word of the computer. */
struct block {
	uint64_t address;
	uint32_t count, unit;
	uint32_t *words;
	uint32_t bus; /* sbcs at the end */
};

static void add_address(struct riscv *riscv, uint64_t address)
{
	if (BUS_ASIZE(riscv->bus) > 32)
		dtm_add_write(&riscv->dtm, DM_SBADDRESS1, (uint32_t)(address >> 32));
	dtm_add_write(&riscv->dtm, DM_SBADDRESS0, (uint32_t)address);
}

static uint32_t access_size(const struct block *block)
{
	return BUS_ACCESS(block->unit == 4 ? 2u : 0u);
}

/* A block that failed is tried with fewer words. */
static void shorten(struct block *block, unsigned attempt)
{
	if (attempt > 0 && block->count > 1)
		block->count /= 2;
}

/* Each read of sbdata0 starts the next access, except the last. */
static void add_block_read(struct riscv *riscv, unsigned attempt, void *context)
{
	struct block *block = context;
	const uint32_t bus = BUS_CLEAR | BUS_AUTOINCREMENT | access_size(block);
	struct dtm *dtm = &riscv->dtm;

	shorten(block, attempt);
	dtm_add_write(dtm, DM_SBCS, bus | BUS_READ_ON_ADDR | (block->count > 1 ? BUS_READ_ON_DATA : 0));
	add_address(riscv, block->address);
	for (uint32_t i = 0; i + 1 < block->count; i++)
		dtm_add_read(dtm, DM_SBDATA0, &block->words[i]);
	if (block->count > 1)
		dtm_add_write(dtm, DM_SBCS, BUS_AUTOINCREMENT | access_size(block));
	dtm_add_read(dtm, DM_SBDATA0, &block->words[block->count - 1]);
	dtm_add_read(dtm, DM_SBCS, &block->bus);
}

static void add_block_write(struct riscv *riscv, unsigned attempt, void *context)
{
	struct block *block = context;
	struct dtm *dtm = &riscv->dtm;

	shorten(block, attempt);
	dtm_add_write(dtm, DM_SBCS, BUS_CLEAR | BUS_AUTOINCREMENT | access_size(block));
	add_address(riscv, block->address);
	for (uint32_t i = 0; i < block->count; i++)
		dtm_add_write(dtm, DM_SBDATA0, block->words[i]);
	dtm_add_read(dtm, DM_SBCS, &block->bus);
}

/* The errors of sbcs.sberror, by number. */
static const char *bus_error(uint32_t bus)
{
	static const char *const names[8] = {
	        [1] = "the target's bus does not answer in time",
	        [2] = "no memory is there, or it is protected",
	        [3] = "the bus refuses the alignment",
	        [4] = "the bus refuses the size of the access",
	};
	const char *name = names[(bus & BUS_ERROR) >> 12];

	return name != NULL ? name : "the target's bus answers with an error";
}

/* The bus may be slower than requests: then the module reports that it was busy, and the words are wrong. A transfer
 * that is still going on at the end is as good as one that was too slow. */
static enum status move(struct riscv *riscv, struct block *block, bool is_write, struct error *error)
{
	for (unsigned tries = 0;; riscv->repeats++) {
		riscv->lists++;
		enum status status = make(riscv, is_write ? add_block_write : add_block_read, block, error);
		if (status != STATUS_OK)
			return status;
		if (!(block->bus & (BUS_BUSY_ERROR | BUS_BUSY | BUS_ERROR)))
			return STATUS_OK;
		if (block->bus & BUS_ERROR && ++tries == BUS_TRIES)
			return status_fail(error, "%s: cannot %s memory at 0x%" PRIx64 ": %s (sbcs 0x%08" PRIx32 ")",
			                   source_of(riscv), is_write ? "write" : "read", block->address,
			                   bus_error(block->bus), block->bus);
		if (!(block->bus & BUS_ERROR) && !dtm_slow_down(&riscv->dtm))
			return status_fail(error, "%s: the target's bus stays busy; try a lower clock speed",
			                   source_of(riscv));
	}
}

static enum status check_range(const struct riscv *riscv, uint64_t address, size_t size, struct error *error)
{
	const unsigned bits = BUS_ASIZE(riscv->bus);
	const uint64_t last = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;

	if (size == 0 || (address <= last && size - 1 <= last - address))
		return STATUS_OK;
	return status_fail(error, "%s: the system bus reaches no memory at 0x%" PRIx64 " of %zu bytes",
	                   source_of(riscv), address, size);
}

/* Moves whole units. */
static enum status move_units(struct riscv *riscv, uint64_t address, uint32_t *words, size_t count, uint32_t unit,
                              bool is_write, struct error *error)
{
	enum status status = STATUS_OK;

	while (status == STATUS_OK && count > 0) {
		struct block block = {.address = address,
		                      .count = count < riscv->words_now ? (uint32_t)count : riscv->words_now,
		                      .unit = unit,
		                      .words = words};

		status = move(riscv, &block, is_write, error);
		/* A short block at the end does not make the next one shorter. */
		if (riscv->words_now < 2 * block.count || block.count < count)
			riscv->words_now = 2 * block.count < BLOCK_WORDS ? 2 * block.count : BLOCK_WORDS;
		address += (uint64_t)block.count * unit;
		words += block.count;
		count -= block.count;
	}
	return status;
}

static enum status read_words(struct riscv *riscv, uint64_t address, uint8_t *bytes, size_t size, struct error *error)
{
	enum status status = STATUS_OK;
	uint32_t words[BLOCK_WORDS];

	while (status == STATUS_OK && size > 0) {
		const size_t skip = address % 4, max = BLOCK_WORDS * 4 - skip, part = size < max ? size : max;

		status = move_units(riscv, address - skip, words, (skip + part + 3) / 4, 4, false, error);
		for (size_t i = 0; i < part; i++)
			bytes[i] = (uint8_t)(words[(skip + i) / 4] >> 8 * ((skip + i) % 4));
		bytes += part;
		address += part;
		size -= part;
	}
	return status;
}

static enum status write_bytes(struct riscv *riscv, uint64_t address, const uint8_t *bytes, size_t size, uint32_t unit,
                               struct error *error)
{
	uint32_t words[BLOCK_WORDS];
	enum status status = STATUS_OK;

	while (status == STATUS_OK && size > 0) {
		const size_t part = size < BLOCK_WORDS * unit ? size : BLOCK_WORDS * unit;

		memset(words, 0, sizeof words);
		for (size_t i = 0; i < part; i++)
			words[i / unit] |= (uint32_t)bytes[i] << 8 * (i % unit);
		status = move_units(riscv, address, words, part / unit, unit, true, error);
		bytes += part;
		address += part;
		size -= part;
	}
	return status;
}

/* Adds an access that began at this time to the statistics. */
static enum status count(struct riscv *riscv, enum status status, size_t size, uint64_t since)
{
	riscv->milliseconds += clock_now() - since;
	riscv->bytes += status == STATUS_OK ? size : 0;
	return status;
}

enum status riscv_read(struct riscv *riscv, uint64_t address, void *bytes, size_t size, struct error *error)
{
	const uint64_t since = clock_now();

	enum status status = check_range(riscv, address, size, error);
	if (status == STATUS_OK)
		status = read_words(riscv, address, bytes, size, error);
	return count(riscv, status, size, since);
}

/* A part of a word is written by bytes if the bus can, else with the rest of the word as it was. */
static enum status write_part(struct riscv *riscv, uint64_t address, const uint8_t *bytes, size_t size,
                              struct error *error)
{
	uint8_t word[4];

	if (riscv->bus & BUS_HAS_8)
		return write_bytes(riscv, address, bytes, size, 1, error);
	enum status status = read_words(riscv, address - address % 4, word, 4, error);
	if (status != STATUS_OK)
		return status;
	memcpy(word + address % 4, bytes, size);
	return write_bytes(riscv, address - address % 4, word, 4, 4, error);
}

enum status riscv_write(struct riscv *riscv, uint64_t address, const void *bytes, size_t size, struct error *error)
{
	const uint64_t since = clock_now();
	const size_t head = (size_t)(-address % 4) < size ? (size_t)(-address % 4) : size;
	const size_t whole = (size - head) / 4 * 4, tail = size - head - whole;
	const uint8_t *next = bytes;

	enum status status = check_range(riscv, address, size, error);
	if (status == STATUS_OK && head > 0)
		status = write_part(riscv, address, next, head, error);
	if (status == STATUS_OK && whole > 0)
		status = write_bytes(riscv, address + head, next + head, whole, 4, error);
	if (status == STATUS_OK && tail > 0)
		status = write_part(riscv, address + head + whole, next + head + whole, tail, error);
	return count(riscv, status, size, since);
}

/* --- The hart. */

enum status riscv_is_halted(struct riscv *riscv, bool *is_halted, struct error *error)
{
	uint32_t word;

	enum status status = get(riscv, DM_STATUS, &word, error);
	*is_halted = (word & STATUS_HALTED) != 0;
	return status;
}

enum status riscv_halt(struct riscv *riscv, struct error *error)
{
	enum status status = set(riscv, DM_CONTROL, control(riscv) | CONTROL_HALTREQ, error);

	if (status == STATUS_OK)
		status = await_status(riscv, STATUS_HALTED, "halt", error);
	return status != STATUS_OK ? status : set(riscv, DM_CONTROL, control(riscv), error);
}

enum status riscv_resume(struct riscv *riscv, struct error *error)
{
	enum status status = set(riscv, DM_CONTROL, control(riscv) | CONTROL_RESUMEREQ, error);

	if (status == STATUS_OK)
		status = await_status(riscv, STATUS_RESUMEACK, "resume", error);
	return status != STATUS_OK ? status : set(riscv, DM_CONTROL, control(riscv), error);
}

enum status riscv_reset(struct riscv *riscv, struct error *error)
{
	enum status status = set(riscv, DM_CONTROL, control(riscv) | CONTROL_ACKHAVERESET, error);

	if (status == STATUS_OK)
		status = set(riscv, DM_CONTROL, control(riscv) | CONTROL_NDMRESET, error);
	if (status != STATUS_OK)
		return status;
	wait_pause(RESET_TIME, riscv->setup.cancel);
	status = set(riscv, DM_CONTROL, control(riscv), error);
	return status != STATUS_OK ? status : await_status(riscv, STATUS_HAVERESET, "reset", error);
}

enum status riscv_read_pc(struct riscv *riscv, uint64_t *pc, struct error *error)
{
	uint32_t state = 0, low = 0;

	enum status status = set(riscv, DM_COMMAND, COMMAND_READ(COMMAND_32) | REGISTER_DPC, error);
	if (status == STATUS_OK)
		status = get(riscv, DM_ABSTRACTCS, &state, error);
	if (status == STATUS_OK && state & ABSTRACT_ERROR)
		status = set(riscv, DM_ABSTRACTCS, ABSTRACT_ERROR, error); /* clears it */
	if (status == STATUS_OK && state & (ABSTRACT_ERROR | ABSTRACT_BUSY))
		return status_fail(error, "%s: the program counter cannot be read (abstractcs 0x%08" PRIx32 ")",
		                   source_of(riscv), state);
	if (status == STATUS_OK)
		status = get(riscv, DM_DATA0, &low, error);
	*pc = low;
	return status;
}

enum status riscv_drive_reset(struct riscv *riscv, bool is_reset, struct error *error)
{
	struct pins *pins = riscv->dtm.jtag.pins;

	return pins->ops->drive_reset(pins, is_reset, error);
}

/* --- The connection. */

static enum status check_module(struct riscv *riscv, struct error *error)
{
	const char *source = source_of(riscv);
	uint32_t word;

	enum status status = get(riscv, DM_STATUS, &word, error);
	if (status != STATUS_OK)
		return status;
	const uint32_t version = word & STATUS_VERSION;
	if (version != STATUS_0_13 && version != STATUS_1_0)
		return status_fail(error,
		                   "%s: the debug module is of a version that is not supported (dmstatus 0x%08" PRIx32
		                   "); use OpenOCD",
		                   source, word);
	if (!(word & STATUS_AUTHENTICATED))
		return status_fail(error, "%s: the debug module is locked (dmstatus 0x%08" PRIx32 ")", source, word);
	if (word & STATUS_NONEXISTENT)
		return status_usage(error, "%s: there is no hart %" PRIu32, source, riscv->hart);
	if (word & STATUS_UNAVAILABLE)
		return status_fail(error, "%s: hart %" PRIu32 " is not available; is it powered?", source, riscv->hart);
	return STATUS_OK;
}

static enum status check_bus(struct riscv *riscv, struct error *error)
{
	enum status status = get(riscv, DM_SBCS, &riscv->bus, error);

	if (status != STATUS_OK ||
	    (BUS_VERSION(riscv->bus) == BUS_VERSION_1 && BUS_ASIZE(riscv->bus) > 0 && riscv->bus & BUS_HAS_32))
		return status;
	return status_fail(error,
	                   "%s: the debug module has no system bus for words (sbcs 0x%08" PRIx32
	                   "), so memory cannot be read while the hart runs; use OpenOCD, which halts it",
	                   source_of(riscv), riscv->bus);
}

static enum status await_transport(struct riscv *riscv, struct error *error)
{
	const uint64_t deadline = clock_now() + CONNECT_TIME;
	enum dap_ack ack;

	for (bool from_dormant = false;; from_dormant = !from_dormant) {
		enum status status = fail_if_cancelled(riscv, error);

		if (status == STATUS_OK)
			status = wake(riscv, from_dormant, &ack, error);
		if (status != STATUS_OK || ack == DAP_OK)
			return status;
		if (clock_now() >= deadline)
			return status_fail(error, "%s: %s", source_of(riscv), reason(ack));
	}
}

static enum status connect_module(struct riscv *riscv, struct error *error)
{
	struct pins *pins = riscv->dtm.jtag.pins;

	enum status status = pins->ops->set_speed(pins, &riscv->setup.speed, error);
	if (status == STATUS_OK)
		status = await_transport(riscv, error);
	riscv->is_connected = status == STATUS_OK;
	if (status == STATUS_OK)
		status = check_module(riscv, error);
	if (status == STATUS_OK)
		status = check_bus(riscv, error);
	riscv->lists = riscv->repeats = 0;
	return status;
}

enum status riscv_connect(struct pins *pins, const struct adi_setup *setup, struct riscv **riscv, struct error *error)
{
	struct riscv *opened = calloc(1, sizeof *opened);

	*riscv = NULL;
	if (opened == NULL) {
		enum status status = status_no_memory(error, pins->source);

		pins->ops->close(pins);
		return status;
	}
	dtm_init(&opened->dtm, pins);
	opened->setup = *setup;
	opened->words_now = BLOCK_WORDS;
	opened->hart = setup->core < 0 ? 0 : (uint32_t)setup->core;
	enum status status = connect_module(opened, error);
	if (status != STATUS_OK)
		riscv_close(opened);
	else
		*riscv = opened;
	return status;
}

void riscv_finish(struct riscv *riscv)
{
	struct error ignored;

	/* An interrupted target is not lost. */
	if (fail_if_cancelled(riscv, &ignored) != STATUS_OK)
		riscv->is_lost = false;
	riscv->setup.cancel = -1;
	if (riscv->setup.timeout > FINISH_TIME)
		riscv->setup.timeout = FINISH_TIME;
	riscv->dtm.jtag.pins->ops->finish(riscv->dtm.jtag.pins);
}

bool riscv_is_lost(const struct riscv *riscv)
{
	return riscv->is_lost;
}

void riscv_close(struct riscv *riscv)
{
	struct error ignored;

	if (riscv == NULL)
		return;
	riscv_finish(riscv);
	if (riscv->is_connected && riscv->is_module_ours && !riscv->is_lost)
		set(riscv, DM_CONTROL, 0, &ignored);
	riscv->dtm.jtag.pins->ops->close(riscv->dtm.jtag.pins);
	free(riscv);
}

struct adi_traffic riscv_traffic(const struct riscv *riscv)
{
	return (struct adi_traffic){
	        .bytes = riscv->bytes,
	        .seconds = (double)riscv->milliseconds / 1000,
	        .lists = riscv->lists,
	        .repeats = riscv->repeats,
	        .packets_lost = riscv->dtm.jtag.pins->packets_lost,
	        .speed = riscv->setup.speed,
	};
}
