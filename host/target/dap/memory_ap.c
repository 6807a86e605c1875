/* SPDX-License-Identifier: MIT */
/* See memory_ap.h. A failed list of transfers is repeated with fewer words, until it succeeds or is hopeless. */
#include "target/dap/memory_ap.h"

#include "base/clock.h"

#include <inttypes.h>
#include <string.h>

#define WINDOW_WORDS (TAR_WINDOW / 4)
/* Fewer words per second than this, because of errors, count as no progress. */
#define WORDS_MIN 128
/* Failures in a row after which a single access is given up, unless the bus is busy. */
#define TRIES_MAX 8

/* A run of count units of 4 bytes or 1 byte, each in one word of the computer. */
struct run {
	uint64_t address;
	size_t count;
	uint32_t unit;
	bool is_repeated; /* all at one address */
	bool is_write;
	bool may_be_absent; /* a bus error means that the word does not exist */
	uint32_t *words;
};

/* The errors of a run, to decide when to give up. */
struct retries {
	uint64_t deadline;  /* for failures, unless enough words arrive in between; 0 = none failed yet */
	uint32_t units;     /* units that arrived since the deadline was set */
	unsigned tries;     /* failures of a single access in a row */
	uint32_t status;    /* CTRL/STAT at the last failure, if known */
	bool may_be_absent; /* see struct run */
};

static void add(struct adi *adi, uint8_t reg, uint32_t *words, uint32_t count)
{
	adi->list[adi->list_count++] = (struct dap_transfer){.reg = reg, .count = count, .words = words};
}

/* Selects the 16-byte window with the access port register at this address. Only a space of more than 32 bits has
 * SELECT1. */
static void add_select(struct adi *adi, uint64_t address)
{
	adi->select_bank = SELECT_SELECT1;
	adi->select_high = (uint32_t)(address >> 32);
	adi->select = (uint32_t)address & ~0xFu;
	if (adi->port.address_bits > 32) {
		add(adi, DP_SELECT, &adi->select_bank, 1);
		add(adi, DP_SELECT1, &adi->select_high, 1);
	}
	add(adi, DP_SELECT, &adi->select, 1);
}

/* Sets up everything: the target may have been reset since the last list. */
static void begin_list(struct adi *adi, uint64_t address, uint32_t csw)
{
	adi->list_count = 0;
	adi->csw_now = csw;
	adi->address_high = (uint32_t)(address >> 32);
	add_select(adi, adi->registers);
	add(adi, DAP_AP | AP_CSW, &adi->csw_now, 1);
	if (adi->has_long_addresses)
		add(adi, DAP_AP | AP_TARH, &adi->address_high, 1);
}

/* CTRL/STAT can be read while a write is still in progress, and does not show its result then; RDBUFF waits for it (IHI
 * 0031, B4.2.3). */
static enum status end_list(struct adi *adi, enum dap_ack *ack, struct error *error)
{
	adi->lists++;
	if (!(adi->list[adi->list_count - 1].reg & DAP_READ))
		add(adi, DP_RDBUFF, &adi->unused, 1);
	add(adi, DP_CTRL_STAT | DAP_READ, &adi->status, 1);
	enum status status = port_transfer(&adi->port, adi->list, adi->list_count, ack, error);
	if (status == STATUS_OK && *ack == DAP_OK)
		*ack = port_judge(adi->status);
	return status;
}

/* Units from address on that one setting of TAR covers. */
static uint32_t units_in_window(const struct run *run, uint64_t address, uint32_t left)
{
	uint32_t units = (TAR_WINDOW - (uint32_t)(address % TAR_WINDOW)) / run->unit;

	return run->is_repeated || units > left ? left : units;
}

/* As many words as the clock transfers in a second, but at least a window and at most a full list. */
static uint32_t max_words(const struct adi *adi)
{
	uint32_t words = adi->port.setup.speed / ADI_WORD_CLOCKS;

	if (words < WINDOW_WORDS)
		return WINDOW_WORDS;
	return words > MEMORY_AP_WORDS_MAX ? MEMORY_AP_WORDS_MAX : words;
}

/* Units from the first on that fit into one list. TARH does not count up. */
static uint32_t units_in_list(const struct adi *adi, const struct run *run, size_t first)
{
	size_t left = run->count - first;
	uint64_t address = run->address + (uint64_t)first * run->unit;
	uint64_t below_border = ((address | UINT32_MAX) - address + 1) / run->unit;
	uint32_t max = max_words(adi);

	if (max > adi->words_now)
		max = adi->words_now;
	if (left > max)
		left = max;
	return (uint32_t)(left > below_border && !run->is_repeated ? below_border : left);
}

static enum status move(struct adi *adi, const struct run *run, size_t first, uint32_t count, enum dap_ack *ack,
                        struct error *error)
{
	const uint8_t reg = run->is_write ? DAP_AP | AP_DRW : DAP_AP | AP_DRW | DAP_READ;
	const uint32_t size = run->unit == 4 ? CSW_SIZE_32 : CSW_SIZE_8;
	uint64_t address = run->is_repeated ? run->address : run->address + (uint64_t)first * run->unit;
	uint32_t *word = run->words + first;

	begin_list(adi, address, adi->csw | size | (run->is_repeated ? 0 : CSW_INC));
	for (uint32_t *low = adi->addresses; count > 0; low++) {
		uint32_t units = units_in_window(run, address, count);

		*low = (uint32_t)address;
		add(adi, DAP_AP | AP_TAR, low, 1);
		add(adi, reg, word, units);
		word += units;
		count -= units;
		address += (uint64_t)units * run->unit;
	}
	return end_list(adi, ack, error);
}

static enum status fail(const struct adi *adi, const struct run *run, size_t first, enum dap_ack ack, uint32_t flags,
                        struct error *error)
{
	return status_fail(error, "%s: cannot %s memory at 0x%" PRIx64 " by access port %s: %s", adi->port.dap->source,
	                   run->is_write ? "write" : "read",
	                   run->is_repeated ? run->address : run->address + (uint64_t)first * run->unit, adi->name,
	                   port_reason(port_is_jtag(&adi->port), ack, flags));
}

/* Whether the wire failed, rather than the target or the probe. */
static bool is_damage(enum dap_ack ack, uint32_t status)
{
	return ack == DAP_FAULT ? (status & CTRL_WDATAERR) != 0 : ack == DAP_NO_ACK || ack == DAP_PROTOCOL_ERROR;
}

static bool is_absence(const struct retries *retries, enum dap_ack ack, uint32_t status)
{
	return retries->may_be_absent && ack == DAP_FAULT && status & CTRL_STICKYERR && !is_damage(ack, status);
}

/* The minimum of units that must arrive between errors within the time-out; lower at a clock too slow for it. */
static uint32_t min_units(const struct adi_setup *setup)
{
	uint32_t half = setup->speed / ADI_WORD_CLOCKS / 2;

	return (uint32_t)((uint64_t)(half < WORDS_MIN ? half : WORDS_MIN) * setup->timeout / 1000);
}

/* Recovers, for a retry with fewer words: so frequent errors waste little, and a persistent one is narrowed down to its
 * address. */
static enum status prepare_retry(struct adi *adi, struct retries *retries, uint32_t count, enum dap_ack ack,
                                 bool *is_hopeless, struct error *error)
{
	const struct adi_setup *setup = &adi->port.setup;
	const uint64_t now = clock_now();
	uint32_t status;

	if (retries->deadline == 0 || (now >= retries->deadline && retries->units > min_units(setup))) {
		retries->deadline = now + setup->timeout;
		retries->units = 0;
	}
	if (count == 1)
		retries->tries++;
	*is_hopeless = now >= retries->deadline || (retries->tries >= TRIES_MAX && ack != DAP_WAIT);
	enum status result = port_recover(&adi->port, ack, retries->tries, &status, error);
	if (status != 0)
		retries->status = status;
	if (is_absence(retries, ack, status)) {
		*is_hopeless = true;
	} else {
		adi->words_now = count > 1 ? count / 2 : 1;
		adi->repeats++;
		adi->damaged += is_damage(ack, status);
	}
	if (*is_hopeless)
		adi->port.is_lost = ack != DAP_FAULT;
	return result;
}

/* Moves the whole run. The access port must be open. */
static enum status move_run(struct adi *adi, const struct run *run, struct error *error)
{
	struct retries retries = {.may_be_absent = run->may_be_absent};
	size_t first = 0;
	bool is_hopeless = false;
	enum dap_ack ack;

	while (first < run->count) {
		uint32_t count = units_in_list(adi, run, first);
		enum status status = move(adi, run, first, count, &ack, error);

		if (status == STATUS_OK && ack == DAP_OK) {
			first += count;
			/* A short run does not make the next list shorter. */
			if (adi->words_now < 2 * count)
				adi->words_now = 2 * count;
			retries.units += count;
			retries.tries = 0;
			retries.status = 0;
			continue;
		}
		if (status == STATUS_OK)
			status = prepare_retry(adi, &retries, count, ack, &is_hopeless, error);
		if (status != STATUS_OK)
			return status;
		if (is_hopeless)
			return fail(adi, run, first, ack, retries.status, error);
	}
	return STATUS_OK;
}

/* An access to registers in one 16-byte window. */
struct window {
	uint64_t address;  /* address of the first register, also for SELECT1 and SELECT */
	uint32_t *written; /* to the first register; NULL = no write */
	uint32_t *read;    /* then from each of count registers */
	unsigned count;
	bool is_component; /* a component, which may be absent */
};

static enum status fail_window(const struct adi *adi, const struct window *window, enum dap_ack ack, uint32_t status,
                               struct error *error)
{
	const char *reason = port_reason(port_is_jtag(&adi->port), ack, status);

	if (window->is_component)
		return status_fail(error, "%s: cannot read the debug component at 0x%" PRIX64 ": %s",
		                   adi->port.dap->source, window->address & ~(uint64_t)(CORESIGHT_SIZE - 1), reason);
	return status_fail(error, "%s: cannot set up access port %s: %s", adi->port.dap->source, adi->name, reason);
}

/* Writes and reads in one list, with no reset in between. */
static enum status access_window(struct adi *adi, const struct window *window, struct error *error)
{
	const uint8_t reg = DAP_AP | (window->address & 0xCu);
	struct retries retries = {.may_be_absent = window->is_component};
	bool is_hopeless = false;
	enum dap_ack ack;

	for (;;) {
		adi->list_count = 0;
		add_select(adi, window->address);
		if (window->written != NULL)
			add(adi, reg, window->written, 1);
		for (unsigned i = 0; i < window->count; i++)
			add(adi, (uint8_t)(reg + 4 * i) | DAP_READ, window->read + i, 1);
		enum status status = end_list(adi, &ack, error);
		if (status == STATUS_OK && ack == DAP_OK)
			return STATUS_OK;
		if (status == STATUS_OK)
			status = prepare_retry(adi, &retries, 1, ack, &is_hopeless, error);
		if (status != STATUS_OK)
			return status;
		if (is_hopeless)
			return fail_window(adi, window, ack, retries.status, error);
	}
}

/* Writes and then reads the access port register at this offset. NULL = skip the write or the read. */
static enum status access_register(struct adi *adi, uint8_t address, uint32_t *written, uint32_t *read,
                                   struct error *error)
{
	const struct window window = {
	        .address = adi->registers | address, .written = written, .read = read, .count = read != NULL};

	return access_window(adi, &window, error);
}

enum status memory_ap_read_component(struct adi *adi, uint64_t address, uint32_t *words, unsigned count,
                                     struct error *error)
{
	const struct window window = {.address = address, .read = words, .count = count, .is_component = true};

	return access_window(adi, &window, error);
}

static enum status check_range(const struct adi *adi, uint64_t address, size_t size, struct error *error)
{
	const uint64_t last = adi->has_long_addresses ? UINT64_MAX : UINT32_MAX;

	if (size == 0 || (address <= last && size - 1 <= last - address))
		return STATUS_OK;
	return status_fail(error, "%s: access port %s reaches no memory at 0x%" PRIx64 " of %zu bytes",
	                   adi->port.dap->source, adi->name, address, size);
}

static void unpack(const uint32_t *words, size_t skip, uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(words[(skip + i) / 4] >> 8 * ((skip + i) % 4));
}

/* Reads whole words: memory cannot be read by parts of words. */
static enum status read_memory(struct adi *adi, uint64_t address, void *bytes, size_t size, struct error *error)
{
	uint8_t *next = bytes;

	enum status status = check_range(adi, address, size, error);
	while (status == STATUS_OK && size > 0) {
		const uint32_t skip = (uint32_t)(address % 4), max = MEMORY_AP_WORDS_MAX * 4 - skip;
		const uint32_t part = size > max ? max : (uint32_t)size;
		const struct run run = {
		        .address = address - skip, .count = (skip + part + 3) / 4, .unit = 4, .words = adi->words};

		status = move_run(adi, &run, error);
		if (status == STATUS_OK)
			unpack(adi->words, skip, next, part);
		next += part;
		address += part;
		size -= part;
	}
	return status;
}

/* Bytes go in their lane of the word (IHI 0031, C2.2, "byte lanes"). */
static enum status write_units(struct adi *adi, uint64_t address, const uint8_t *bytes, uint32_t count, uint32_t unit,
                               struct error *error)
{
	const struct run run = {
	        .address = address, .count = count, .unit = unit, .is_write = true, .words = adi->words};

	memset(adi->words, 0, count * sizeof *adi->words);
	for (uint32_t i = 0; i < count * unit; i++)
		adi->words[i / unit] |= (uint32_t)bytes[i] << 8 * ((address + i) % 4);
	return move_run(adi, &run, error);
}

/* An access port without byte accesses writes back the rest of the word as it was. */
static enum status write_within_word(struct adi *adi, uint64_t address, const uint8_t *bytes, uint32_t count,
                                     struct error *error)
{
	uint8_t word[4];

	if (adi->has_bytes)
		return write_units(adi, address, bytes, count, 1, error);
	enum status status = read_memory(adi, address - address % 4, word, 4, error);
	if (status != STATUS_OK)
		return status;
	memcpy(word + address % 4, bytes, count);
	return write_units(adi, address - address % 4, word, 1, 4, error);
}

/* Adds an access that began at this time to the statistics. */
static enum status count(struct adi *adi, enum status status, uint64_t bytes, uint64_t since)
{
	adi->milliseconds += clock_now() - since;
	adi->bytes += status == STATUS_OK ? bytes : 0;
	return status;
}

enum status adi_read(struct adi *adi, uint64_t address, void *bytes, size_t size, struct error *error)
{
	uint64_t since = clock_now();

	return count(adi, read_memory(adi, address, bytes, size, error), size, since);
}

enum status adi_write(struct adi *adi, uint64_t address, const void *bytes, size_t size, struct error *error)
{
	const uint64_t since = clock_now(), all = size;
	const uint8_t *next = bytes;

	enum status status = check_range(adi, address, size, error);
	while (status == STATUS_OK && size > 0) {
		uint32_t skip = (uint32_t)(address % 4), part;

		if (skip != 0 || size < 4) {
			part = size < 4 - skip ? (uint32_t)size : 4 - skip;
			status = write_within_word(adi, address, next, part, error);
		} else {
			part = size / 4 > MEMORY_AP_WORDS_MAX ? MEMORY_AP_WORDS_MAX * 4 : (uint32_t)(size / 4 * 4);
			status = write_units(adi, address, next, part / 4, 4, error);
		}
		next += part;
		address += part;
		size -= part;
	}
	return count(adi, status, all, since);
}

static enum status read_at_word(struct adi *adi, const struct run *run, struct error *error)
{
	uint64_t since = clock_now();

	if (run->address % 4 != 0)
		return status_fail(error, "%s: 0x%" PRIx64 " is not the address of a word", adi->port.dap->source,
		                   run->address);
	enum status status = check_range(adi, run->address, 4, error);
	if (status == STATUS_OK)
		status = move_run(adi, run, error);
	return count(adi, status, (uint64_t)run->count * 4, since);
}

enum status adi_read_repeatedly(struct adi *adi, uint64_t address, uint32_t *words, size_t times, struct error *error)
{
	const struct run run = {.address = address, .count = times, .unit = 4, .is_repeated = true, .words = words};

	return read_at_word(adi, &run, error);
}

enum status adi_probe(struct adi *adi, uint64_t address, uint32_t *word, struct error *error)
{
	const struct run run = {.address = address, .count = 1, .unit = 4, .may_be_absent = true, .words = word};

	return read_at_word(adi, &run, error);
}

static enum status check_configuration(struct adi *adi, struct error *error)
{
	uint32_t configuration = 0;

	enum status status = access_register(adi, AP_CFG, NULL, &configuration, error);
	if (status != STATUS_OK)
		return status;
	adi->has_long_addresses = (configuration & CFG_LONG_ADDRESS) != 0;
	if (configuration & CFG_BIG_ENDIAN)
		return status_fail(error, "%s: access port %s leads to a big-endian bus, which is not supported",
		                   adi->port.dap->source, adi->name);
	return STATUS_OK;
}

/* Bits that an access port does not implement are not stored (IHI 0031, C2.6.4). Implementation-defined settings
 * stay, except that all errors must be reported; reads by an AHB-AP go through the data cache if it allows that. */
static enum status choose_csw(struct adi *adi, uint32_t idr, struct error *error)
{
	const uint32_t cacheable = ports_kind(idr) == PORT_AHB ? CSW_CACHEABLE : 0;
	const uint32_t errors = adi->port.address_bits != 0 ? CSW_ERRORS : 0;
	const uint32_t kept = adi->csw_found & ~(CSW_SIZE_MASK | CSW_INC_MASK | errors);
	uint32_t for_bytes = kept | CSW_SIZE_8 | CSW_INC, for_words = kept | cacheable | CSW_SIZE_32 | CSW_INC;
	uint32_t bytes = 0, words = 0;

	enum status status = access_register(adi, AP_CSW, &for_bytes, &bytes, error);
	if (status == STATUS_OK)
		status = access_register(adi, AP_CSW, &for_words, &words, error);
	if (status != STATUS_OK)
		return status;
	if ((words & (CSW_SIZE_MASK | CSW_INC_MASK)) != (CSW_SIZE_32 | CSW_INC))
		return status_fail(error, "%s: access port %s cannot read words in a row (CSW 0x%08" PRIX32 ")",
		                   adi->port.dap->source, adi->name, words);
	adi->has_bytes = (bytes & (CSW_SIZE_MASK | CSW_INC_MASK)) == (CSW_SIZE_8 | CSW_INC);
	adi->csw = kept | (words & CSW_CACHEABLE);
	return STATUS_OK;
}

static void use_port(struct adi *adi, uint64_t number)
{
	const bool is_address = adi->port.address_bits != 0;

	adi->registers = is_address ? number + AP_REGISTERS : number << SELECT_AP_SHIFT;
	ports_name(number, is_address, adi->name);
}

enum status memory_ap_identify(struct adi *adi, uint64_t number, uint32_t *idr, struct error *error)
{
	use_port(adi, number);
	return access_register(adi, AP_IDR, NULL, idr, error);
}

enum status memory_ap_open(struct adi *adi, uint64_t number, uint32_t idr, struct error *error)
{
	use_port(adi, number);
	adi->words_now = MEMORY_AP_WORDS_FIRST;
	adi->has_long_addresses = false;
	enum status status = access_register(adi, AP_CSW, NULL, &adi->csw_found, error);
	if (status == STATUS_OK && !(adi->csw_found & CSW_DEVICE_EN))
		return status_fail(error, "%s: access port %s is switched off; is the target locked?",
		                   adi->port.dap->source, adi->name);
	if (status == STATUS_OK)
		status = check_configuration(adi, error);
	return status == STATUS_OK ? choose_csw(adi, idr, error) : status;
}

void memory_ap_close(struct adi *adi)
{
	struct error ignored;

	if (!adi->port.is_lost)
		access_register(adi, AP_CSW, &adi->csw_found, NULL, &ignored);
}
