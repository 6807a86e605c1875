/* SPDX-License-Identifier: MIT */
/* See memory_ap.h. */
#include "dap/memory_ap.h"

#include "wait/clock.h"

#include <inttypes.h>
#include <string.h>

#define WINDOW_WORDS (TAR_WINDOW / 4)
/* Fewer in a second, because of errors, are as good as none. */
#define WORDS_LEAST 128
/* A single access that fails so often in a row, other than for a busy bus, is given up. */
#define TRIES_MAX 8

/* What goes to or comes from memory: count units of 4 bytes, or of 1, a word of the computer for each. */
struct run {
	uint64_t address;
	uint32_t count;
	uint32_t unit;
	bool is_repeated; /* all at the same address */
	bool is_write;
	uint32_t *words;
};

/* How the wire does at present. */
struct struggle {
	uint64_t deadline; /* of failures, unless enough arrives between them; 0 = there was none */
	uint32_t units;    /* that arrived since that was set */
	unsigned tries;    /* of a single access, in a row */
	uint32_t status;   /* CTRL/STAT at the last failure, as far as known */
};

static void add(struct memory_ap *memory, uint8_t reg, uint32_t *words, uint32_t count)
{
	memory->list[memory->list_count++] = (struct dap_transfer){.reg = reg, .count = count, .words = words};
}

/* Nothing is taken for granted of what an earlier list wrote: the target may have been reset since. */
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

static enum status end_list(struct memory_ap *memory, enum dap_ack *ack, struct error *error)
{
	memory->lists++;
	add(memory, DP_CTRL_STAT | DAP_READ, &memory->status, 1);
	enum status status = port_transfer(memory->port, memory->list, memory->list_count, ack, error);
	if (status == STATUS_OK && *ack == DAP_OK)
		*ack = port_judge(memory->status);
	return status;
}

/* The units from address on that one setting of TAR is good for. */
static uint32_t units_in_window(const struct run *run, uint64_t address, uint32_t left)
{
	uint32_t units = (TAR_WINDOW - (uint32_t)(address % TAR_WINDOW)) / run->unit;

	return run->is_repeated || units > left ? left : units;
}

/* How many units from the first on fit into one list. TARH does not count up. */
static uint32_t units_in_list(const struct memory_ap *memory, const struct run *run, uint32_t first)
{
	uint32_t left = run->count - first;
	uint64_t address = run->address + (uint64_t)first * run->unit;
	uint64_t below_border = ((address | UINT32_MAX) - address + 1) / run->unit;

	if (left > memory->words_now)
		left = memory->words_now;
	return left > below_border && !run->is_repeated ? (uint32_t)below_border : left;
}

static enum status move(struct memory_ap *memory, const struct run *run, uint32_t first, uint32_t count,
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

static enum status fail(const struct memory_ap *memory, const struct run *run, uint32_t first, enum dap_ack ack,
                        uint32_t flags, struct error *error)
{
	return status_fail(error, "%s: cannot %s memory at 0x%" PRIx64 " by access port %u: %s",
	                   memory->port->dap->source, run->is_write ? "write" : "read",
	                   run->is_repeated ? run->address : run->address + (uint64_t)first * run->unit, memory->number,
	                   port_reason(ack, flags));
}

/* Fewer words at once the next time: so errors that come again and again spoil few, and the address of one that stays
 * is found. */
static enum status overcome(struct memory_ap *memory, struct struggle *struggle, uint32_t count, enum dap_ack ack,
                            bool *is_over, struct error *error)
{
	const uint64_t now = clock_now();
	uint32_t status;

	memory->repeats++;
	if (struggle->deadline == 0 || (now >= struggle->deadline && struggle->units > memory->units_least)) {
		struggle->deadline = now + memory->port->setup.timeout;
		struggle->units = 0;
	}
	memory->words_now = count > 1 ? count / 2 : 1;
	if (count == 1)
		struggle->tries++;
	*is_over = now >= struggle->deadline || (struggle->tries >= TRIES_MAX && ack != DAP_WAIT);
	enum status result = port_recover(memory->port, ack, struggle->tries, &status, error);
	if (status != 0)
		struggle->status = status;
	return result;
}

static enum status make_run(struct memory_ap *memory, const struct run *run, struct error *error)
{
	struct struggle struggle = {0};
	uint32_t first = 0;
	bool is_over = false;
	enum dap_ack ack;

	while (first < run->count) {
		uint32_t count = units_in_list(memory, run, first);
		enum status status = move(memory, run, first, count, &ack, error);
		if (status == STATUS_OK && ack == DAP_OK) {
			first += count;
			memory->words_now = 2 * count > memory->words_max ? memory->words_max : 2 * count;
			struggle.units += count;
			struggle.tries = 0;
			struggle.status = 0;
			continue;
		}
		if (status == STATUS_OK)
			status = overcome(memory, &struggle, count, ack, &is_over, error);
		if (status != STATUS_OK)
			return status;
		if (is_over) {
			memory->port->is_lost = ack != DAP_FAULT;
			return fail(memory, run, first, ack, struggle.status, error);
		}
	}
	return STATUS_OK;
}

static enum status check_range(const struct memory_ap *memory, uint64_t address, size_t size, struct error *error)
{
	const uint64_t last = memory->has_long_addresses ? UINT64_MAX : UINT32_MAX;

	if (size == 0 || (address <= last && size - 1 <= last - address))
		return STATUS_OK;
	return status_fail(error, "%s: access port %u reaches no memory at 0x%" PRIx64 " of %zu bytes",
	                   memory->port->dap->source, memory->number, address, size);
}

static void unpack(const uint32_t *words, size_t skip, uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(words[(skip + i) / 4] >> 8 * ((skip + i) % 4));
}

/* Words around what begins or ends within one: memory holds no part of a word. */
enum status memory_ap_read(struct memory_ap *memory, uint64_t address, void *bytes, size_t size, struct error *error)
{
	uint8_t *next = bytes;

	enum status status = check_range(memory, address, size, error);
	while (status == STATUS_OK && size > 0) {
		const uint32_t skip = (uint32_t)(address % 4), most = MEMORY_AP_WORDS_MAX * 4 - skip;
		const uint32_t part = size > most ? most : (uint32_t)size;
		const struct run run = {
		        .address = address - skip, .count = (skip + part + 3) / 4, .unit = 4, .words = memory->words};
		status = make_run(memory, &run, error);
		if (status == STATUS_OK)
			unpack(memory->words, skip, next, part);
		next += part;
		address += part;
		size -= part;
	}
	return status;
}

static enum status write_words(struct memory_ap *memory, uint64_t address, const uint8_t *bytes, uint32_t count,
                               struct error *error)
{
	for (uint32_t i = 0; i < count; i++, bytes += 4)
		memory->words[i] = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
		                   (uint32_t)bytes[3] << 24;
	return make_run(
	        memory,
	        &(struct run){.address = address, .count = count, .unit = 4, .is_write = true, .words = memory->words},
	        error);
}

/* A byte stands in the lane that it has in its word (IHI 0031, C2.2, "byte lanes"). */
static enum status write_single_bytes(struct memory_ap *memory, uint64_t address, const uint8_t *bytes, uint32_t count,
                                      struct error *error)
{
	for (uint32_t i = 0; i < count; i++)
		memory->words[i] = (uint32_t)bytes[i] << 8 * ((address + i) % 4);
	return make_run(
	        memory,
	        &(struct run){.address = address, .count = count, .unit = 1, .is_write = true, .words = memory->words},
	        error);
}

/* Where there are only words, the bytes beside are written as they were just before. */
static enum status write_within_word(struct memory_ap *memory, uint64_t address, const uint8_t *bytes, uint32_t count,
                                     struct error *error)
{
	uint8_t word[4];

	if (memory->has_bytes)
		return write_single_bytes(memory, address, bytes, count, error);
	enum status status = memory_ap_read(memory, address - address % 4, word, 4, error);
	if (status != STATUS_OK)
		return status;
	memcpy(word + address % 4, bytes, count);
	return write_words(memory, address - address % 4, word, 1, error);
}

enum status memory_ap_write(struct memory_ap *memory, uint64_t address, const void *bytes, size_t size,
                            struct error *error)
{
	const uint8_t *next = bytes;

	enum status status = check_range(memory, address, size, error);
	while (status == STATUS_OK && size > 0) {
		uint32_t skip = (uint32_t)(address % 4), part;
		if (skip != 0 || size < 4) {
			part = size < 4 - skip ? (uint32_t)size : 4 - skip;
			status = write_within_word(memory, address, next, part, error);
		} else {
			part = size / 4 > MEMORY_AP_WORDS_MAX ? MEMORY_AP_WORDS_MAX * 4 : (uint32_t)(size / 4 * 4);
			status = write_words(memory, address, next, part / 4, error);
		}
		next += part;
		address += part;
		size -= part;
	}
	return status;
}

enum status memory_ap_read_repeatedly(struct memory_ap *memory, uint64_t address, uint32_t *words, size_t count,
                                      struct error *error)
{
	enum status status = check_range(memory, address, 4, error);

	if (status == STATUS_OK && address % 4 != 0)
		status = status_fail(error, "%s: 0x%" PRIx64 " is not the address of a word", memory->port->dap->source,
		                     address);
	while (status == STATUS_OK && count > 0) {
		const uint32_t part = count > MEMORY_AP_WORDS_MAX ? MEMORY_AP_WORDS_MAX : (uint32_t)count;
		const struct run run = {
		        .address = address, .count = part, .unit = 4, .is_repeated = true, .words = words};
		status = make_run(memory, &run, error);
		words += part;
		count -= part;
	}
	return status;
}

/* One register of the access port, through what the wire does to it. */
static enum status access_register(struct memory_ap *memory, uint8_t address, bool is_write, uint32_t *word,
                                   struct error *error)
{
	const uint8_t reg = DAP_AP | (address & 0xCu) | (is_write ? 0 : DAP_READ);
	struct struggle struggle = {0};
	bool is_over = false;
	enum dap_ack ack;

	for (;;) {
		memory->list_count = 0;
		memory->select = memory->number << SELECT_AP_SHIFT | (address & SELECT_AP_BANK);
		add(memory, DP_SELECT, &memory->select, 1);
		add(memory, reg, word, 1);
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

/* What of csw the access port has: what it lacks is not stored (IHI 0031, C2.6.4). */
static enum status try_csw(struct memory_ap *memory, uint32_t csw, uint32_t *stored, struct error *error)
{
	enum status status = access_register(memory, AP_CSW, true, &csw, error);

	return status == STATUS_OK ? access_register(memory, AP_CSW, false, stored, error) : status;
}

static enum status check_configuration(struct memory_ap *memory, struct error *error)
{
	uint32_t configuration = 0;

	enum status status = access_register(memory, AP_CFG, false, &configuration, error);
	if (status != STATUS_OK)
		return status;
	memory->has_long_addresses = (configuration & CFG_LONG_ADDRESS) != 0;
	if (configuration & CFG_BIG_ENDIAN)
		return status_fail(error, "%s: access port %u leads to a big-endian bus, which is not supported",
		                   memory->port->dap->source, memory->number);
	return STATUS_OK;
}

/* Settings of the implementation stay; of an AHB, reads go through a data cache if it lets them. */
static enum status choose_csw(struct memory_ap *memory, uint32_t idr, struct error *error)
{
	const uint32_t cacheable = memory_ap_kind(idr) == MEMORY_AP_AHB ? CSW_CACHEABLE : 0;
	const uint32_t kept = memory->csw_found & ~(CSW_SIZE_MASK | CSW_INC_MASK);
	uint32_t bytes = 0, words = 0;

	enum status status = try_csw(memory, kept | CSW_SIZE_8 | CSW_INC, &bytes, error);
	if (status == STATUS_OK)
		status = try_csw(memory, kept | cacheable | CSW_SIZE_32 | CSW_INC, &words, error);
	if (status != STATUS_OK)
		return status;
	if ((words & (CSW_SIZE_MASK | CSW_INC_MASK)) != (CSW_SIZE_32 | CSW_INC))
		return status_fail(error, "%s: access port %u cannot read words in a row (CSW 0x%08" PRIX32 ")",
		                   memory->port->dap->source, memory->number, words);
	memory->has_bytes = (bytes & (CSW_SIZE_MASK | CSW_INC_MASK)) == (CSW_SIZE_8 | CSW_INC);
	memory->csw = kept | (words & CSW_CACHEABLE);
	return STATUS_OK;
}

static uint32_t words_in_a_second(uint32_t speed)
{
	uint32_t words = speed / ADI_WORD_CLOCKS;

	if (words < WINDOW_WORDS)
		return WINDOW_WORDS;
	return words > MEMORY_AP_WORDS_MAX ? MEMORY_AP_WORDS_MAX : words;
}

/* A slow clock moves no more than it can. */
static uint32_t least_units(const struct adi_setup *setup)
{
	uint32_t half = setup->speed / ADI_WORD_CLOCKS / 2;

	return (uint32_t)((uint64_t)(half < WORDS_LEAST ? half : WORDS_LEAST) * setup->timeout / 1000);
}

enum memory_ap_kind memory_ap_kind(uint32_t idr)
{
	static const enum memory_ap_kind kinds[16] = {
	        [1] = MEMORY_AP_AHB, [2] = MEMORY_AP_APB, [4] = MEMORY_AP_AXI, [5] = MEMORY_AP_AHB,
	        [6] = MEMORY_AP_APB, [7] = MEMORY_AP_AXI, [8] = MEMORY_AP_AHB,
	};

	return IDR_CLASS(idr) == IDR_CLASS_MEMORY ? kinds[IDR_TYPE(idr)] : MEMORY_AP_OTHER;
}

enum status memory_ap_identify(struct memory_ap *memory, struct port *port, unsigned number, uint32_t *idr,
                               struct error *error)
{
	memory->port = port;
	memory->number = number;
	return access_register(memory, AP_IDR, false, idr, error);
}

enum status memory_ap_open(struct memory_ap *memory, uint32_t idr, struct error *error)
{
	memory->words_max = memory->words_now = words_in_a_second(memory->port->setup.speed);
	memory->units_least = least_units(&memory->port->setup);
	memory->has_long_addresses = false;
	enum status status = access_register(memory, AP_CSW, false, &memory->csw_found, error);
	if (status == STATUS_OK && !(memory->csw_found & CSW_DEVICE_EN))
		return status_fail(error, "%s: access port %u is switched off; is the target locked?",
		                   memory->port->dap->source, memory->number);
	if (status == STATUS_OK)
		status = check_configuration(memory, error);
	return status == STATUS_OK ? choose_csw(memory, idr, error) : status;
}

void memory_ap_close(struct memory_ap *memory)
{
	enum dap_ack ack;
	struct error ignored;

	begin_list(memory, 0, memory->csw_found);
	end_list(memory, &ack, &ignored);
}
