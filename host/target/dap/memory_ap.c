/* SPDX-License-Identifier: MIT */
/* See memory_ap.h. */
#include "target/dap/memory_ap.h"

#include "target/dap/memory_list.h"

#include <inttypes.h>
#include <string.h>

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

/* Reads whole words: memory cannot be read by parts of words. */
enum status memory_ap_read(struct memory_ap *memory, uint64_t address, void *bytes, size_t size, struct error *error)
{
	uint8_t *next = bytes;

	enum status status = check_range(memory, address, size, error);
	while (status == STATUS_OK && size > 0) {
		const uint32_t skip = (uint32_t)(address % 4), max = MEMORY_AP_WORDS_MAX * 4 - skip;
		const uint32_t part = size > max ? max : (uint32_t)size;
		const struct memory_list_run run = {
		        .address = address - skip, .count = (skip + part + 3) / 4, .unit = 4, .words = memory->words};
		status = memory_list_move(memory, &run, error);
		if (status == STATUS_OK)
			unpack(memory->words, skip, next, part);
		next += part;
		address += part;
		size -= part;
	}
	return status;
}

/* Bytes go in their lane of the word (IHI 0031, C2.2, "byte lanes"). */
static enum status write_units(struct memory_ap *memory, uint64_t address, const uint8_t *bytes, uint32_t count,
                               uint32_t unit, struct error *error)
{
	const struct memory_list_run run = {
	        .address = address, .count = count, .unit = unit, .is_write = true, .words = memory->words};

	memset(memory->words, 0, count * sizeof *memory->words);
	for (uint32_t i = 0; i < count * unit; i++)
		memory->words[i / unit] |= (uint32_t)bytes[i] << 8 * ((address + i) % 4);
	return memory_list_move(memory, &run, error);
}

/* An access port without byte accesses writes back the rest of the word as it was. */
static enum status write_within_word(struct memory_ap *memory, uint64_t address, const uint8_t *bytes, uint32_t count,
                                     struct error *error)
{
	uint8_t word[4];

	if (memory->has_bytes)
		return write_units(memory, address, bytes, count, 1, error);
	enum status status = memory_ap_read(memory, address - address % 4, word, 4, error);
	if (status != STATUS_OK)
		return status;
	memcpy(word + address % 4, bytes, count);
	return write_units(memory, address - address % 4, word, 1, 4, error);
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
			status = write_units(memory, address, next, part / 4, 4, error);
		}
		next += part;
		address += part;
		size -= part;
	}
	return status;
}

static enum status read_at_word(struct memory_ap *memory, const struct memory_list_run *run, struct error *error)
{
	if (run->address % 4 != 0)
		return status_fail(error, "%s: 0x%" PRIx64 " is not the address of a word", memory->port->dap->source,
		                   run->address);
	enum status status = check_range(memory, run->address, 4, error);
	return status == STATUS_OK ? memory_list_move(memory, run, error) : status;
}

enum status memory_ap_read_repeatedly(struct memory_ap *memory, uint64_t address, uint32_t *words, size_t count,
                                      struct error *error)
{
	const struct memory_list_run run = {
	        .address = address, .count = count, .unit = 4, .is_repeated = true, .words = words};

	return read_at_word(memory, &run, error);
}

enum status memory_ap_probe(struct memory_ap *memory, uint64_t address, uint32_t *word, struct error *error)
{
	const struct memory_list_run run = {
	        .address = address, .count = 1, .unit = 4, .may_be_absent = true, .words = word};

	return read_at_word(memory, &run, error);
}

static enum status check_configuration(struct memory_ap *memory, struct error *error)
{
	uint32_t configuration = 0;

	enum status status = memory_list_access(memory, AP_CFG, NULL, &configuration, error);
	if (status != STATUS_OK)
		return status;
	memory->has_long_addresses = (configuration & CFG_LONG_ADDRESS) != 0;
	if (configuration & CFG_BIG_ENDIAN)
		return status_fail(error, "%s: access port %u leads to a big-endian bus, which is not supported",
		                   memory->port->dap->source, memory->number);
	return STATUS_OK;
}

/* What an access port lacks is not stored (IHI 0031, C2.6.4). Settings of the implementation stay; of an AHB, reads go
 * through a data cache if it lets them. */
static enum status choose_csw(struct memory_ap *memory, uint32_t idr, struct error *error)
{
	const uint32_t cacheable = memory_ap_kind(idr) == MEMORY_AP_AHB ? CSW_CACHEABLE : 0;
	const uint32_t kept = memory->csw_found & ~(CSW_SIZE_MASK | CSW_INC_MASK);
	uint32_t for_bytes = kept | CSW_SIZE_8 | CSW_INC, for_words = kept | cacheable | CSW_SIZE_32 | CSW_INC;
	uint32_t bytes = 0, words = 0;

	enum status status = memory_list_access(memory, AP_CSW, &for_bytes, &bytes, error);
	if (status == STATUS_OK)
		status = memory_list_access(memory, AP_CSW, &for_words, &words, error);
	if (status != STATUS_OK)
		return status;
	if ((words & (CSW_SIZE_MASK | CSW_INC_MASK)) != (CSW_SIZE_32 | CSW_INC))
		return status_fail(error, "%s: access port %u cannot read words in a row (CSW 0x%08" PRIX32 ")",
		                   memory->port->dap->source, memory->number, words);
	memory->has_bytes = (bytes & (CSW_SIZE_MASK | CSW_INC_MASK)) == (CSW_SIZE_8 | CSW_INC);
	memory->csw = kept | (words & CSW_CACHEABLE);
	return STATUS_OK;
}

enum memory_ap_kind memory_ap_kind(uint32_t idr)
{
	static const enum memory_ap_kind kinds[16] = {
	        [1] = MEMORY_AP_AHB, [2] = MEMORY_AP_APB, [4] = MEMORY_AP_AXI, [5] = MEMORY_AP_AHB,
	        [6] = MEMORY_AP_APB, [7] = MEMORY_AP_AXI, [8] = MEMORY_AP_AHB,
	};

	return IDR_CLASS(idr) == IDR_CLASS_MEMORY ? kinds[IDR_TYPE(idr)] : MEMORY_AP_OTHER;
}

enum status memory_ap_identify(struct memory_ap *memory, unsigned number, uint32_t *idr, struct error *error)
{
	memory->number = number;
	return memory_list_access(memory, AP_IDR, NULL, idr, error);
}

enum status memory_ap_open(struct memory_ap *memory, unsigned number, uint32_t idr, struct error *error)
{
	memory->number = number;
	memory->words_now = MEMORY_AP_WORDS_FIRST;
	memory->has_long_addresses = false;
	enum status status = memory_list_access(memory, AP_CSW, NULL, &memory->csw_found, error);
	if (status == STATUS_OK && !(memory->csw_found & CSW_DEVICE_EN))
		return status_fail(error, "%s: access port %u is switched off; is the target locked?",
		                   memory->port->dap->source, memory->number);
	if (status == STATUS_OK)
		status = check_configuration(memory, error);
	return status == STATUS_OK ? choose_csw(memory, idr, error) : status;
}

void memory_ap_close(struct memory_ap *memory)
{
	struct error ignored;

	if (!memory->port->is_lost)
		memory_list_access(memory, AP_CSW, &memory->csw_found, NULL, &ignored);
}
