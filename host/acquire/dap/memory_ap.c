/* SPDX-License-Identifier: MIT */
/* See memory_ap.h. Each block of an access is a list of transfers. */
#include "acquire/dap/memory_ap.h"

#include <inttypes.h>
#include <stdio.h>

/* Registers in one 16-byte window, at the address of the block. */
struct register_window {
	uint32_t *written; /* word to write to the first register; NULL: no write */
	uint32_t *read;    /* room for the words read from count registers */
	unsigned count;
	bool is_component; /* a component, which may be absent */
};

static void add_transfer(struct adi *adi, uint8_t reg, uint32_t *words, uint32_t count)
{
	adi->list[adi->list_count++] = (struct dap_transfer){.reg = reg, .count = count, .words = words};
}

/* Selects the 16-byte window with the access port register at this address. SELECT1 exists only if addresses have more
 * than 32 bits. */
static void add_select(struct adi *adi, uint64_t address)
{
	adi->select_bank = SELECT_SELECT1;
	adi->select_high = (uint32_t)(address >> 32);
	adi->select = (uint32_t)address & ~0xFu;
	if (adi->port.address_bits > 32) {
		add_transfer(adi, DP_SELECT, &adi->select_bank, 1);
		add_transfer(adi, DP_SELECT1, &adi->select_high, 1);
	}
	add_transfer(adi, DP_SELECT, &adi->select, 1);
}

/* Sets up all registers again, because the target may have been reset since the last list. */
static void begin_list(struct adi *adi, uint64_t address, uint32_t csw)
{
	adi->list_count = 0;
	adi->csw_now = csw;
	adi->address_high = (uint32_t)(address >> 32);
	add_select(adi, adi->registers);
	add_transfer(adi, DAP_AP | AP_CSW, &adi->csw_now, 1);
	if (adi->access.last > UINT32_MAX)
		add_transfer(adi, DAP_AP | AP_TARH, &adi->address_high, 1);
}

/* Reads RDBUFF, which waits for the last write, before CTRL/STAT: during a write CTRL/STAT can be read, but does not
 * show the result (IHI 0031, B4.2.3). */
static enum status end_list(struct adi *adi, enum dap_ack *ack, struct error *error)
{
	if (!(adi->list[adi->list_count - 1].reg & DAP_READ))
		add_transfer(adi, DP_RDBUFF, &adi->unused, 1);
	add_transfer(adi, DP_CTRL_STAT | DAP_READ, &adi->status, 1);
	enum status status = port_transfer(&adi->port, adi->list, adi->list_count, ack, error);
	if (status == STATUS_OK && *ack == DAP_OK)
		*ack = port_judge(adi->status);
	return status;
}

/* Adds the words of an access to memory. TARH does not count up. */
static void add_memory(struct adi *adi, struct access_block *block)
{
	const uint8_t reg = block->is_write ? DAP_AP | AP_DRW : DAP_AP | AP_DRW | DAP_READ;
	const uint32_t size = block->unit == 4 ? CSW_SIZE_32 : CSW_SIZE_8;
	const uint64_t below_border = ((block->address | UINT32_MAX) - block->address + 1) / block->unit;
	uint64_t address = block->address;
	uint32_t *word = block->words;

	if (!block->is_register && block->count > below_border)
		block->count = (size_t)below_border;
	begin_list(adi, address, adi->csw | size | (block->is_register ? 0 : CSW_INC));
	uint32_t left = (uint32_t)block->count;
	for (uint32_t *low = adi->addresses; left > 0; low++) {
		uint32_t units = (TAR_WINDOW - (uint32_t)(address % TAR_WINDOW)) / block->unit;

		if (block->is_register || units > left)
			units = left;
		*low = (uint32_t)address;
		add_transfer(adi, DAP_AP | AP_TAR, low, 1);
		add_transfer(adi, reg, word, units);
		word += units;
		left -= units;
		address += (uint64_t)units * block->unit;
	}
}

/* Writes and reads in one list, with no reset in between. */
static void add_window(struct adi *adi, uint64_t address, const struct register_window *window)
{
	const uint8_t reg = DAP_AP | (address & 0xCu);

	adi->list_count = 0;
	add_select(adi, address);
	if (window->written != NULL)
		add_transfer(adi, reg, window->written, 1);
	for (unsigned i = 0; i < window->count; i++)
		add_transfer(adi, (uint8_t)(reg + 4 * i) | DAP_READ, window->read + i, 1);
}

enum status memory_ap_transfer(void *probe, struct access_block *block, struct access_result *result,
                               struct error *error)
{
	struct adi *adi = probe;

	if (block->detail != NULL)
		add_window(adi, block->address, block->detail);
	else
		add_memory(adi, block);
	return end_list(adi, &result->ack, error);
}

enum status memory_ap_recover(void *probe, struct access_result *result, unsigned tries, struct error *error)
{
	struct adi *adi = probe;
	uint32_t flags;

	enum status status = port_recover(&adi->port, result->ack, tries, &flags, error);
	if (flags != 0)
		result->flags = flags;
	return status;
}

enum status memory_ap_fail(void *probe, const struct access_block *block, const struct access_result *result,
                           struct error *error)
{
	struct adi *adi = probe;
	const struct register_window *window = block->detail;
	const char *reason = port_reason(port_is_jtag(&adi->port), result->ack, result->flags);
	const char *source = adi->access.source, *name = adi->access.name;

	adi->port.is_lost = result->ack != DAP_FAULT;
	if (window == NULL)
		return status_fail(error, "%s: cannot %s memory at 0x%" PRIx64 " by %s: %s", source,
		                   block->is_write ? "write" : "read", block->address, name, reason);
	if (window->is_component)
		return status_fail(error, "%s: cannot read the debug component at 0x%" PRIX64 ": %s", source,
		                   block->address & ~(uint64_t)(CORESIGHT_SIZE - 1), reason);
	return status_fail(error, "%s: cannot set up %s: %s", source, name, reason);
}

static enum status access_window(struct adi *adi, uint64_t address, const struct register_window *window,
                                 struct error *error)
{
	return access_move(&adi->access,
	                   &(struct access_block){.address = address,
	                                          .left = 1,
	                                          .unit = 4,
	                                          .words = adi->words,
	                                          .may_be_absent = window->is_component,
	                                          .detail = window},
	                   error);
}

/* Writes and then reads the access port register at this offset. NULL: skip the write or the read. */
static enum status access_ap_register(struct adi *adi, uint8_t address, uint32_t *written, uint32_t *read,
                                      struct error *error)
{
	const struct register_window window = {.written = written, .read = read, .count = read != NULL};

	return access_window(adi, adi->registers | address, &window, error);
}

enum status memory_ap_read_component(struct adi *adi, uint64_t address, uint32_t *words, unsigned count,
                                     struct error *error)
{
	const struct register_window window = {.read = words, .count = count, .is_component = true};

	return access_window(adi, address, &window, error);
}

static enum status check_configuration(struct adi *adi, struct error *error)
{
	uint32_t configuration = 0;

	enum status status = access_ap_register(adi, AP_CFG, NULL, &configuration, error);
	if (status != STATUS_OK)
		return status;
	adi->access.last = configuration & CFG_LONG_ADDRESS ? UINT64_MAX : UINT32_MAX;
	if (configuration & CFG_BIG_ENDIAN)
		return status_fail(error, "%s: %s leads to a big-endian bus, which is not supported",
		                   adi->access.source, adi->access.name);
	return STATUS_OK;
}

/* Bits that an access port does not implement are not stored (IHI 0031, C2.6.4). Implementation-defined settings are
 * kept, except that all errors must be reported. Reads by an AHB-AP go through the data cache if the port allows
 * that. */
static enum status choose_csw(struct adi *adi, uint32_t idr, struct error *error)
{
	const uint32_t cacheable = ports_kind(idr) == PORT_AHB ? CSW_CACHEABLE : 0;
	const uint32_t errors = adi->port.address_bits != 0 ? CSW_ERRORS : 0;
	const uint32_t kept = adi->csw_found & ~(CSW_SIZE_MASK | CSW_INC_MASK | errors);
	uint32_t for_bytes = kept | CSW_SIZE_8 | CSW_INC, for_words = kept | cacheable | CSW_SIZE_32 | CSW_INC;
	uint32_t bytes = 0, words = 0;

	enum status status = access_ap_register(adi, AP_CSW, &for_bytes, &bytes, error);
	if (status == STATUS_OK)
		status = access_ap_register(adi, AP_CSW, &for_words, &words, error);
	if (status != STATUS_OK)
		return status;
	if ((words & (CSW_SIZE_MASK | CSW_INC_MASK)) != (CSW_SIZE_32 | CSW_INC))
		return status_fail(error, "%s: %s cannot read words in a row (CSW 0x%08" PRIX32 ")", adi->access.source,
		                   adi->access.name, words);
	adi->access.has_bytes = (bytes & (CSW_SIZE_MASK | CSW_INC_MASK)) == (CSW_SIZE_8 | CSW_INC);
	adi->csw = kept | (words & CSW_CACHEABLE);
	return STATUS_OK;
}

static void use_port(struct adi *adi, uint64_t number)
{
	const bool is_address = adi->port.address_bits != 0;
	char name[PORT_NAME_SIZE];

	adi->registers = is_address ? number + AP_REGISTERS : number << SELECT_AP_SHIFT;
	ports_name(number, is_address, name);
	snprintf(adi->access.name, sizeof adi->access.name, "access port %s", name);
}

enum status memory_ap_identify(struct adi *adi, uint64_t number, uint32_t *idr, struct error *error)
{
	use_port(adi, number);
	return access_ap_register(adi, AP_IDR, NULL, idr, error);
}

enum status memory_ap_open(struct adi *adi, uint64_t number, uint32_t idr, struct error *error)
{
	use_port(adi, number);
	adi->access.units_now = MEMORY_AP_WORDS_FIRST;
	adi->access.last = UINT32_MAX;
	enum status status = access_ap_register(adi, AP_CSW, NULL, &adi->csw_found, error);
	if (status == STATUS_OK && !(adi->csw_found & CSW_DEVICE_EN))
		return status_fail(error, "%s: %s is switched off; is the target locked?", adi->access.source,
		                   adi->access.name);
	if (status == STATUS_OK)
		status = check_configuration(adi, error);
	return status == STATUS_OK ? choose_csw(adi, idr, error) : status;
}

void memory_ap_close(struct adi *adi)
{
	struct error ignored;

	if (!adi->port.is_lost)
		access_ap_register(adi, AP_CSW, &adi->csw_found, NULL, &ignored);
}
