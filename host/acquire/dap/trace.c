/* SPDX-License-Identifier: MIT */
/* See trace.h. */
#include "acquire/dap/trace.h"

#include "acquire/dap/registers.h"

#include <inttypes.h>
#include <stdio.h>

static const char *debug_port_name(uint32_t select, uint8_t reg)
{
	static const char *const written[] = {"ABORT", "", "SELECT", "TARGETSEL"};
	static const char *const read[] = {"", "", "RESEND", "RDBUFF"};
	/* Registers at address 4, by SELECT.DPBANKSEL. */
	static const char *const banks[16] = {"CTRL/STAT", "DLCR", "TARGETID", "DLPIDR", "EVENTSTAT", "SELECT1"};
	/* Registers at address 0, by SELECT.DPBANKSEL. */
	static const char *const identities[16] = {"DPIDR", "DPIDR1", "BASEPTR0", "BASEPTR1"};
	const unsigned index = reg >> 2 & 3u;

	if (index == 1)
		return banks[select & 0xFu] != NULL ? banks[select & 0xFu] : "?";
	if (reg == DP_DPIDR)
		return identities[select & 0xFu] != NULL ? identities[select & 0xFu] : "?";
	return reg & DAP_READ ? read[index] : written[index];
}

static const char *access_port_name(uint32_t address)
{
	static const char *const names[0x100] = {
	        [AP_CSW] = "CSW", [AP_TAR] = "TAR", [AP_TARH] = "TARH",
	        [AP_DRW] = "DRW", [AP_CFG] = "CFG", [AP_IDR] = "IDR",
	};

	return names[address] != NULL ? names[address] : "?";
}

const char *trace_ack_name(enum dap_ack ack)
{
	static const char *const names[] = {
	        [DAP_OK] = "OK",
	        [DAP_WAIT] = "WAIT",
	        [DAP_FAULT] = "FAULT",
	        [DAP_NO_ACK] = "no answer",
	        [DAP_PROTOCOL_ERROR] = "garbled",
	        [DAP_LOST] = "lost",
	};

	return names[ack];
}

/* The address within the access port or the component. */
static uint32_t register_address(const struct trace *trace, uint8_t reg)
{
	return (trace->select & (trace->has_addresses ? CORESIGHT_SIZE - 0x10u : SELECT_AP_BANK)) | (reg & 0xCu);
}

/* True for a register of a memory access port; sets its *name. */
static bool is_access_port(const struct trace *trace, uint8_t reg, uint32_t *name)
{
	const uint32_t first = trace->has_addresses ? AP_REGISTERS : 0;

	*name = register_address(trace, reg) - first;
	return (reg & DAP_AP) && *name < 0x100;
}

static bool is_register(const struct trace *trace, uint8_t reg, uint32_t wanted)
{
	uint32_t name;

	return is_access_port(trace, reg, &name) && name == wanted;
}

static void note_written_register(struct trace *trace, const struct dap_transfer *transfer)
{
	if (transfer->reg == DP_SELECT)
		trace->select = *transfer->words;
	else if (transfer->reg == DP_SELECT1 && (trace->select & 0xFu) == SELECT_SELECT1)
		trace->select_high = *transfer->words;
	else if (transfer->reg == (DAP_AP | AP_TAR) && is_register(trace, transfer->reg, AP_TAR))
		trace->address = *transfer->words;
}

static void format_register_name(const struct trace *trace, uint8_t reg, char *text, size_t size)
{
	const uint64_t component =
	        (uint64_t)trace->select_high << 32 | (trace->select & ~(uint32_t)(CORESIGHT_SIZE - 1));
	uint32_t name;

	if (!(reg & DAP_AP))
		snprintf(text, size, "DP %s", debug_port_name(trace->select, reg));
	else if (!is_access_port(trace, reg, &name))
		snprintf(text, size, "0x%08" PRIX64, component | register_address(trace, reg));
	else if (trace->has_addresses)
		snprintf(text, size, "AP0x%" PRIX64 " %s", component, access_port_name(name));
	else
		snprintf(text, size, "AP%" PRIu32 " %s", trace->select >> SELECT_AP_SHIFT, access_port_name(name));
}

/* Values are shown for at most this many words: these are usually registers of the core or chip, whose values help
 * most. */
#define WORDS_SHOWN 4

static void format_words(const struct dap_transfer *transfer, char *text, size_t size)
{
	size_t length = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i < transfer->count && transfer->count <= WORDS_SHOWN && length < size; i++)
		length += (size_t)snprintf(text + length, size - length, "%s0x%08" PRIX32, i ? " " : " = ",
		                           transfer->words[i]);
}

/* The address of a memory access and its words if they are few, or a register's value. */
static void format_value(const struct trace *trace, const struct dap_transfer *transfer, bool is_known, char *text,
                         size_t size)
{
	bool is_data = is_register(trace, transfer->reg, AP_DRW);
	char words[sizeof " =" + WORDS_SHOWN * sizeof " 0x01234567"] = "";

	if (is_data && is_known)
		format_words(transfer, words, sizeof words);
	if (is_data)
		snprintf(text, size, "0x%08" PRIX32 " x %" PRIu32 "%s", trace->address, transfer->count, words);
	else if (is_known)
		snprintf(text, size, "0x%08" PRIX32, *transfer->words);
	else
		snprintf(text, size, "-");
}

static void trace_one(struct trace *trace, const struct dap_transfer *transfer, const char *mark, enum dap_ack ack)
{
	char name[32], value[96], line[192];
	bool is_read = (transfer->reg & DAP_READ) != 0;

	format_register_name(trace, transfer->reg, name, sizeof name);
	format_value(trace, transfer, !is_read || ack == DAP_OK, value, sizeof value);
	snprintf(line, sizeof line, "%-12s %-5s %-18s : %s%s", name, is_read ? "read" : "write", value, mark,
	         trace_ack_name(ack));
	trace->observer->trace(trace->observer->context, line);
}

void trace_transfers(struct trace *trace, const struct dap_transfer *transfers, size_t count, enum dap_ack ack)
{
	if (trace->observer->trace == NULL)
		return;
	for (size_t i = 0; i < count; i++) {
		note_written_register(trace, &transfers[i]);
		trace_one(trace, &transfers[i], ack != DAP_OK && count > 1 ? "this or its neighbours: " : "", ack);
	}
}

void trace_sequence(struct trace *trace, const char *name, uint32_t target)
{
	char line[128];

	if (trace->observer->trace == NULL)
		return;
	if (target)
		snprintf(line, sizeof line, "%-12s %-5s 0x%08" PRIX32, name, "write", target);
	else
		snprintf(line, sizeof line, "line: %s", name);
	trace->observer->trace(trace->observer->context, line);
}
