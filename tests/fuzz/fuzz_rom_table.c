/* SPDX-License-Identifier: MIT */
/*
 * ROM tables and access ports of a malicious ADIv6 target: every word in the space of its debug port comes from the
 * input, as do the width of addresses and some acknowledges. Connecting ends after a bounded number of transfers, and
 * one access port is in use or there is an error.
 */
#include "fuzz.h"

#include "acquire/dap/arm_debug.h"
#include "acquire/dap/dap.h"
#include "acquire/dap/registers.h"
#include "base/wait.h"

#include <string.h>

/* The maximum of accesses: 1,024 windows of ROM tables, 256 components, as many access ports, and retries. */
#define WORDS_MAX 200000u

static struct bench {
	struct dap dap; /* the first field, so that the host gets its address */
	const uint8_t *input;
	size_t left; /* of the input */
	uint32_t select, control;
	bool is_faulty;
	unsigned words;
} bench;

static uint8_t next_byte(void)
{
	if (bench.left == 0)
		return 0;
	bench.left--;
	return *bench.input++;
}

static uint32_t next_word(void)
{
	uint32_t word = next_byte();

	for (unsigned shift = 8; shift < 32; shift += 8)
		word |= (uint32_t)next_byte() << shift;
	return word;
}

/* The right value if the input says so: random ones would rarely pass for a component. */
static uint32_t plausible(uint32_t right)
{
	return next_byte() % 8 != 7 ? right : next_word();
}

static uint32_t read_component(uint32_t offset)
{
	static const uint32_t architectures[] = {DEVARCH_ROM_TABLE, DEVARCH_MEMORY_AP, DEVARCH_UNKNOWN_AP, 0};
	static const uint32_t identity[] = {0x0D, 0x90, 0x05, 0xB1};

	if (offset >= CORESIGHT_CIDR0)
		return plausible(identity[(offset - CORESIGHT_CIDR0) / 4]);
	switch (offset) {
	case CORESIGHT_DEVARCH:
		return plausible(DEVARCH_PRESENT | architectures[next_byte() % 4]);
	case CORESIGHT_DEVID:
		return plausible(next_byte() % 2);
	case AP_REGISTERS | AP_IDR:
		return plausible(0x34770000u | next_byte() % 16);
	case AP_REGISTERS | AP_CSW:
		return plausible(CSW_DEVICE_EN | CSW_SIZE_32 | CSW_INC);
	default:
		return offset < ROM_TABLE_SIZE ? plausible((uint32_t)next_byte() << 12 | ROM_ENTRY_PRESENT)
		                               : next_word();
	}
}

static uint32_t read_debug_port(uint8_t reg)
{
	static const uint8_t widths[] = {32, 12, 20, 40, 48, 52, 64, 0};
	const uint32_t bank = bench.select & 0xFu;

	if (reg == DP_RDBUFF)
		return 0;
	if (reg == DP_DPIDR)
		return bank == 0                 ? 0x4C013477
		       : bank == SELECT_DPIDR1   ? plausible(widths[next_byte() % sizeof widths])
		       : bank == SELECT_BASEPTR0 ? plausible(BASEPTR_VALID)
		                                 : next_word();
	return bank == 0
	               ? bench.control | (bench.control & CTRL_POWER_REQ) << 1 | (bench.is_faulty ? CTRL_STICKYERR : 0)
	               : 0;
}

static void write_register(uint8_t reg, uint32_t word)
{
	if (reg == DP_ABORT)
		bench.is_faulty = false;
	else if (reg == DP_SELECT)
		bench.select = word;
	else if (reg == DP_CTRL_STAT && (bench.select & 0xFu) == 0)
		bench.control = word & CTRL_POWER_REQ;
}

static enum dap_ack access_word(uint8_t reg, uint32_t *word)
{
	require(bench.words++ < WORDS_MAX);
	if (reg & DAP_AP && next_byte() == 0xFF)
		bench.is_faulty = true;
	if (bench.is_faulty && reg & DAP_AP)
		return DAP_FAULT;
	if (!(reg & DAP_READ))
		write_register(reg, *word);
	else if (reg & DAP_AP)
		*word = read_component((bench.select & 0xFF0u) | (reg & 0xCu));
	else
		*word = read_debug_port(reg);
	return DAP_OK;
}

static enum status transfer(struct dap *dap, const struct dap_transfer *transfers, size_t count, enum dap_ack *ack,
                            struct error *error)
{
	(void)dap;
	(void)error;
	*ack = DAP_OK;
	for (size_t i = 0; *ack == DAP_OK && i < count; i++)
		for (uint32_t word = 0; *ack == DAP_OK && word < transfers[i].count; word++)
			*ack = access_word(transfers[i].reg, &transfers[i].words[word]);
	return STATUS_OK;
}

static enum status send_bits(struct dap *dap, const uint8_t *bits, unsigned count, struct error *error)
{
	(void)dap;
	(void)bits;
	(void)count;
	(void)error;
	bench.select &= ~0xFu;
	return STATUS_OK;
}

static enum status select_target(struct dap *dap, uint32_t target, struct error *error)
{
	(void)dap;
	(void)target;
	(void)error;
	return STATUS_OK;
}

static enum status set_speed(struct dap *dap, uint32_t *speed, struct error *error)
{
	(void)dap;
	(void)speed;
	(void)error;
	return STATUS_OK;
}

static void ignore(struct dap *dap)
{
	(void)dap;
}

static const struct dap_ops dap_ops = {
        .send_bits = send_bits,
        .select_target = select_target,
        .transfer = transfer,
        .set_speed = set_speed,
        .finish = ignore,
        .close = ignore,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct target_setup setup = {.speed = 1000000,
	                             .access_port = -1,
	                             .core = -1,
	                             .cancel = -1,
	                             .timeout = 1,
	                             .clock = &clock_system,
	                             .observer = &target_nobody};
	struct error error = {.message = ""};
	struct access *adi = NULL;
	uint8_t bytes[64];

	bench = (struct bench){.dap = {.ops = &dap_ops, .source = "fuzz"}, .input = data, .left = size};
	setup.core = next_byte() % 4 - 1;
	if (arm_debug_connect(&bench.dap, &setup, &adi, &error) != STATUS_OK) {
		require(adi == NULL && strncmp(error.message, "fuzz: ", 6) == 0);
		return 0;
	}
	access_read(adi, 0x20000000, bytes, sizeof bytes, &error);
	access_close(adi);
	return 0;
}
