/* SPDX-License-Identifier: MIT */
/* See memory_list.h. */
#include "target/dap/memory_list.h"

#include "base/clock.h"

#include <inttypes.h>

#define WINDOW_WORDS (TAR_WINDOW / 4)
/* Fewer words per second, because of errors, count as none. */
#define WORDS_MIN 128
/* A single access that fails so often in a row, except for a busy bus, is given up. */
#define TRIES_MAX 8

/* The state of a run with errors. */
struct struggle {
	uint64_t deadline;  /* for failures, unless enough words arrive in between; 0 = none failed yet */
	uint32_t units;     /* units that arrived since the deadline was set */
	unsigned tries;     /* failures of a single access in a row */
	uint32_t status;    /* CTRL/STAT at the last failure, if known */
	bool may_be_absent; /* see struct memory_list_run */
};

static void add(struct memory_ap *memory, uint8_t reg, uint32_t *words, uint32_t count)
{
	memory->list[memory->list_count++] = (struct dap_transfer){.reg = reg, .count = count, .words = words};
}

/* Sets up everything: the target may have been reset since the last list. */
static void begin_list(struct memory_ap *memory, uint64_t address, uint32_t csw)
{
	memory->list_count = 0;
	memory->select = memory->number << SELECT_AP_SHIFT;
	memory->csw_now = csw;
	memory->address_high = (uint32_t)(address >> 32);
	add(memory, DP_SELECT, &memory->select, 1);
	add(memory, DAP_AP | AP_CSW, &memory->csw_now, 1);
	if (memory->has_long_addresses)
		add(memory, DAP_AP | AP_TARH, &memory->address_high, 1);
}

/* CTRL/STAT can be read while a write is still in progress, and does not show its result then; RDBUFF waits for it (IHI
 * 0031, B4.2.3). */
static enum status end_list(struct memory_ap *memory, enum dap_ack *ack, struct error *error)
{
	memory->lists++;
	if (!(memory->list[memory->list_count - 1].reg & DAP_READ))
		add(memory, DP_RDBUFF, &memory->unused, 1);
	add(memory, DP_CTRL_STAT | DAP_READ, &memory->status, 1);
	enum status status = port_transfer(memory->port, memory->list, memory->list_count, ack, error);
	if (status == STATUS_OK && *ack == DAP_OK)
		*ack = port_judge(memory->status);
	return status;
}

/* Units from address on that one setting of TAR covers. */
static uint32_t units_in_window(const struct memory_list_run *run, uint64_t address, uint32_t left)
{
	uint32_t units = (TAR_WINDOW - (uint32_t)(address % TAR_WINDOW)) / run->unit;

	return run->is_repeated || units > left ? left : units;
}

/* As many words as a second allows, between a window and a full list. */
static uint32_t words_at_most(const struct memory_ap *memory)
{
	uint32_t words = memory->port->setup.speed / ADI_WORD_CLOCKS;

	if (words < WINDOW_WORDS)
		return WINDOW_WORDS;
	return words > MEMORY_AP_WORDS_MAX ? MEMORY_AP_WORDS_MAX : words;
}

/* Units from the first on that fit into one list. TARH does not count up. */
static uint32_t units_in_list(const struct memory_ap *memory, const struct memory_list_run *run, size_t first)
{
	size_t left = run->count - first;
	uint64_t address = run->address + (uint64_t)first * run->unit;
	uint64_t below_border = ((address | UINT32_MAX) - address + 1) / run->unit;
	uint32_t max = words_at_most(memory);

	if (max > memory->words_now)
		max = memory->words_now;
	if (left > max)
		left = max;
	return (uint32_t)(left > below_border && !run->is_repeated ? below_border : left);
}

static enum status move(struct memory_ap *memory, const struct memory_list_run *run, size_t first, uint32_t count,
                        enum dap_ack *ack, struct error *error)
{
	const uint8_t reg = run->is_write ? DAP_AP | AP_DRW : DAP_AP | AP_DRW | DAP_READ;
	const uint32_t size = run->unit == 4 ? CSW_SIZE_32 : CSW_SIZE_8;
	uint64_t address = run->is_repeated ? run->address : run->address + (uint64_t)first * run->unit;
	uint32_t *word = run->words + first;

	begin_list(memory, address, memory->csw | size | (run->is_repeated ? 0 : CSW_INC));
	for (uint32_t *low = memory->addresses; count > 0; low++) {
		uint32_t units = units_in_window(run, address, count);
		*low = (uint32_t)address;
		add(memory, DAP_AP | AP_TAR, low, 1);
		add(memory, reg, word, units);
		word += units;
		count -= units;
		address += (uint64_t)units * run->unit;
	}
	return end_list(memory, ack, error);
}

static enum status fail(const struct memory_ap *memory, const struct memory_list_run *run, size_t first,
                        enum dap_ack ack, uint32_t flags, struct error *error)
{
	return status_fail(error, "%s: cannot %s memory at 0x%" PRIx64 " by access port %u: %s",
	                   memory->port->dap->source, run->is_write ? "write" : "read",
	                   run->is_repeated ? run->address : run->address + (uint64_t)first * run->unit, memory->number,
	                   port_reason(ack, flags));
}

/* Whether the wire failed, rather than the target or the probe. */
static bool is_damage(enum dap_ack ack, uint32_t status)
{
	return ack == DAP_FAULT ? (status & CTRL_WDATAERR) != 0 : ack == DAP_NO_ACK || ack == DAP_PROTOCOL_ERROR;
}

static bool is_absence(const struct struggle *struggle, enum dap_ack ack, uint32_t status)
{
	return struggle->may_be_absent && ack == DAP_FAULT && status & CTRL_STICKYERR && !is_damage(ack, status);
}

/* Units that must arrive, between errors, within the time-out. A slow clock moves no more than it can. */
static uint32_t least_units(const struct adi_setup *setup)
{
	uint32_t half = setup->speed / ADI_WORD_CLOCKS / 2;

	return (uint32_t)((uint64_t)(half < WORDS_MIN ? half : WORDS_MIN) * setup->timeout / 1000);
}

/* Repeats with fewer words: so frequent errors spoil little, and a persistent one is narrowed down to its address. */
static enum status overcome(struct memory_ap *memory, struct struggle *struggle, uint32_t count, enum dap_ack ack,
                            bool *is_over, struct error *error)
{
	const struct adi_setup *setup = &memory->port->setup;
	const uint64_t now = clock_now();
	uint32_t status;

	if (struggle->deadline == 0 || (now >= struggle->deadline && struggle->units > least_units(setup))) {
		struggle->deadline = now + setup->timeout;
		struggle->units = 0;
	}
	if (count == 1)
		struggle->tries++;
	*is_over = now >= struggle->deadline || (struggle->tries >= TRIES_MAX && ack != DAP_WAIT);
	enum status result = port_recover(memory->port, ack, struggle->tries, &status, error);
	if (status != 0)
		struggle->status = status;
	if (is_absence(struggle, ack, status)) {
		*is_over = true;
	} else {
		memory->words_now = count > 1 ? count / 2 : 1;
		memory->repeats++;
		memory->damaged += is_damage(ack, status);
	}
	if (*is_over)
		memory->port->is_lost = ack != DAP_FAULT;
	return result;
}

enum status memory_list_move(struct memory_ap *memory, const struct memory_list_run *run, struct error *error)
{
	struct struggle struggle = {.may_be_absent = run->may_be_absent};
	size_t first = 0;
	bool is_over = false;
	enum dap_ack ack;

	while (first < run->count) {
		uint32_t count = units_in_list(memory, run, first);
		enum status status = move(memory, run, first, count, &ack, error);
		if (status == STATUS_OK && ack == DAP_OK) {
			first += count;
			/* A short run does not make the next list shorter. */
			if (memory->words_now < 2 * count)
				memory->words_now = 2 * count;
			struggle.units += count;
			struggle.tries = 0;
			struggle.status = 0;
			continue;
		}
		if (status == STATUS_OK)
			status = overcome(memory, &struggle, count, ack, &is_over, error);
		if (status != STATUS_OK)
			return status;
		if (is_over)
			return fail(memory, run, first, ack, struggle.status, error);
	}
	return STATUS_OK;
}

enum status memory_list_access(struct memory_ap *memory, uint8_t address, uint32_t *written, uint32_t *read,
                               struct error *error)
{
	const uint8_t reg = DAP_AP | (address & 0xCu);
	struct struggle struggle = {0};
	bool is_over = false;
	enum dap_ack ack;

	for (;;) {
		memory->list_count = 0;
		memory->select = memory->number << SELECT_AP_SHIFT | (address & SELECT_AP_BANK);
		add(memory, DP_SELECT, &memory->select, 1);
		if (written != NULL)
			add(memory, reg, written, 1);
		if (read != NULL)
			add(memory, reg | DAP_READ, read, 1);
		enum status status = end_list(memory, &ack, error);
		if (status == STATUS_OK && ack == DAP_OK)
			return STATUS_OK;
		if (status == STATUS_OK)
			status = overcome(memory, &struggle, 1, ack, &is_over, error);
		if (status != STATUS_OK)
			return status;
		if (is_over)
			return status_fail(error, "%s: cannot set up access port %u: %s", memory->port->dap->source,
			                   memory->number, port_reason(ack, struggle.status));
	}
}
