/* SPDX-License-Identifier: MIT */
/* See jtag.h. Between scans the chain is in Run-Test/Idle or in Update; the next scan begins with the same TMS in
 * both. */
#include "acquire/dap/jtag.h"

#include <string.h>

/* TMS from these states to the shift states, first bit lowest (figure 6-1). The last bit of a scan leaves the state;
 * then one high bit leads to Update. */
#define TO_SHIFT_DR      0x1u
#define TO_SHIFT_DR_BITS 3u
#define TO_SHIFT_IR      0x3u
#define TO_SHIFT_IR_BITS 4u
#define RESET_BITS       6u /* Test-Logic-Reset from any state, then Run-Test/Idle */
#define RESET_TMS        0x1Fu

/* IHI 0031 B5.2.2: line reset, 0xE73C, then a JTAG reset. */
static const uint8_t swd_to_jtag[] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x3C, 0xE7, 0xFF};
/* IHI 0031 B5.3.4: eight ones, selection alert, four zeros, activation code 0x0A of JTAG, then a JTAG reset. */
static const uint8_t dormant_to_jtag[] = {0xFF, 0x92, 0xF3, 0x09, 0x62, 0x95, 0x2D, 0x85, 0x86, 0xE9,
                                          0xAF, 0xDD, 0xE3, 0xA2, 0x0E, 0xBC, 0x19, 0xA0, 0xF0, 0xFF};

/* An instruction of all ones bypasses a device (8.4.1); longer ones than this do not exist. */
#define BYPASS               UINT32_MAX
#define INSTRUCTION_BITS_MAX 32u
#define INSTRUCTION_BITS_MIN 4u
/* The maximum length of the chain's instruction registers, and of its data registers after a reset, that is
 * examined. */
#define CHAIN_BITS 512u

static void add_bit(struct jtag *jtag, bool tms, bool tdi)
{
	const uint8_t mask = (uint8_t)(1u << jtag->count % 8);
	uint8_t *to_tms = &jtag->tms[jtag->count / 8], *to_tdi = &jtag->tdi[jtag->count / 8];

	if (mask == 1)
		*to_tms = *to_tdi = 0;
	if (tms)
		*to_tms |= mask;
	if (tdi)
		*to_tdi |= mask;
	jtag->count++;
}

static void add_tms_bits(struct jtag *jtag, uint64_t tms, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		add_bit(jtag, (tms >> i & 1) != 0, true);
}

/* Bits of a scan; is_last: the last of them leaves the state. */
static void add_scan(struct jtag *jtag, uint64_t bits, unsigned count, bool is_last)
{
	for (unsigned i = 0; i < count; i++)
		add_bit(jtag, is_last && i + 1 == count, (bits >> i & 1) != 0);
}

void jtag_select(struct jtag *jtag, size_t device)
{
	jtag->selected = device;
	jtag->instruction = BYPASS;
}

void jtag_begin(struct jtag *jtag)
{
	jtag->count = 0;
}

/* Clocks of a scan in addition to its bits: for a change of instruction, and for bypassed devices. */
static size_t scan_overhead(const struct jtag *jtag)
{
	size_t clocks = TO_SHIFT_DR_BITS + TO_SHIFT_IR_BITS + 3 + jtag->idle;

	for (size_t i = 0; i < jtag->device_count; i++)
		clocks += jtag->devices[i].instruction_bits + 1;
	return clocks;
}

bool jtag_has_room(const struct jtag *jtag, unsigned scans, unsigned bits)
{
	return jtag->count + scans * (scan_overhead(jtag) + bits) <= JTAG_CLOCKS_MAX;
}

void jtag_add_instruction(struct jtag *jtag, uint32_t instruction)
{
	if (jtag->instruction == instruction)
		return;
	jtag->instruction = instruction;
	add_tms_bits(jtag, TO_SHIFT_IR, TO_SHIFT_IR_BITS);
	for (size_t i = 0; i < jtag->device_count; i++)
		add_scan(jtag, i == jtag->selected ? instruction : BYPASS, jtag->devices[i].instruction_bits,
		         i + 1 == jtag->device_count);
	add_bit(jtag, true, true);
}

size_t jtag_add_data(struct jtag *jtag, uint64_t bits, unsigned count)
{
	const size_t after = jtag->device_count - 1 - jtag->selected;

	add_tms_bits(jtag, TO_SHIFT_DR, TO_SHIFT_DR_BITS);
	add_scan(jtag, 0, (unsigned)jtag->selected, false);
	const size_t place = jtag->count;
	add_scan(jtag, bits, count, after == 0);
	add_scan(jtag, 0, (unsigned)after, true);
	add_bit(jtag, true, true);
	for (unsigned i = 0; i < jtag->idle; i++)
		add_bit(jtag, false, true);
	return place;
}

enum status jtag_run(struct jtag *jtag, struct error *error)
{
	add_bit(jtag, false, true);
	return jtag->pins->ops->shift_jtag(jtag->pins, jtag->tms, jtag->tdi, jtag->tdo, jtag->count, error);
}

uint64_t jtag_bits(const struct jtag *jtag, size_t place, unsigned count)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < count; i++, place++)
		bits |= (uint64_t)(jtag->tdo[place / 8] >> place % 8 & 1) << i;
	return bits;
}

static void add_wakeup(struct jtag *jtag, bool from_dormant)
{
	const uint8_t *bytes = from_dormant ? dormant_to_jtag : swd_to_jtag;
	const size_t size = from_dormant ? sizeof dormant_to_jtag : sizeof swd_to_jtag;

	for (size_t i = 0; i < size; i++)
		add_tms_bits(jtag, bytes[i], 8);
	add_tms_bits(jtag, RESET_TMS, RESET_BITS);
}

/* After a reset a device's data register is its IDCODE, which begins with a one, or a bypass bit, which is zero
 * (8.4.3). After the chain come ones, which look like an IDCODE of all ones; that IDCODE is not valid (12.1.1). */
static void find_devices(struct jtag *jtag, size_t place)
{
	const size_t end = place + CHAIN_BITS - 32;

	while (jtag->device_count < JTAG_DEVICES_MAX && place < end) {
		struct jtag_device *device = &jtag->devices[jtag->device_count];
		const uint32_t idcode = (uint32_t)jtag_bits(jtag, place, 32);

		if (idcode == UINT32_MAX)
			return;
		*device = (struct jtag_device){.idcode = idcode & 1 ? idcode : 0};
		place += idcode & 1 ? 32 : 1;
		jtag->device_count++;
	}
	jtag->device_count = 0;
}

/* The total length of the instruction registers: their captured bits come out, then the zeros and ones that were
 * shifted in. */
static unsigned chain_length(const struct jtag *jtag, size_t place)
{
	unsigned length = 0;

	while (length < CHAIN_BITS && jtag_bits(jtag, place + CHAIN_BITS + length, 1) == 0)
		length++;
	return length;
}

/* A captured instruction ends in 01 (7.1.1), so a device may begin wherever these bits occur. Instructions shorter than
 * INSTRUCTION_BITS_MIN bits are not expected. */
static bool divide_chain(struct jtag *jtag, size_t place, unsigned length)
{
	unsigned at = 0;

	for (size_t i = 0; i < jtag->device_count; i++) {
		unsigned bits = INSTRUCTION_BITS_MIN;

		if (jtag_bits(jtag, place + at, 2) != 1)
			return false;
		while (at + bits < length && jtag_bits(jtag, place + at + bits, 2) != 1)
			bits++;
		if (i + 1 == jtag->device_count)
			bits = length - at;
		if (at + bits > length || bits > INSTRUCTION_BITS_MAX)
			return false;
		jtag->devices[i].instruction_bits = bits;
		at += bits;
	}
	return at == length;
}

static enum status measure_instructions(struct jtag *jtag, struct error *error)
{
	jtag_begin(jtag);
	add_tms_bits(jtag, TO_SHIFT_IR, TO_SHIFT_IR_BITS);
	const size_t place = jtag->count;
	for (unsigned i = 0; i < CHAIN_BITS / 64; i++)
		add_scan(jtag, 0, 64, false);
	for (unsigned i = 0; i < CHAIN_BITS / 64; i++)
		add_scan(jtag, UINT64_MAX, 64, i + 1 == CHAIN_BITS / 64);
	add_bit(jtag, true, true);
	enum status status = jtag_run(jtag, error);
	if (status == STATUS_OK && !divide_chain(jtag, place, chain_length(jtag, place)))
		jtag->device_count = 0;
	return status;
}

enum status jtag_examine(struct jtag *jtag, bool from_dormant, struct error *error)
{
	jtag->device_count = jtag->selected = 0;
	jtag->instruction = BYPASS;
	jtag_begin(jtag);
	add_wakeup(jtag, from_dormant);
	add_tms_bits(jtag, TO_SHIFT_DR, TO_SHIFT_DR_BITS);
	const size_t place = jtag->count;
	for (unsigned i = 0; i < CHAIN_BITS / 64; i++)
		add_scan(jtag, UINT64_MAX, 64, i + 1 == CHAIN_BITS / 64);
	add_bit(jtag, true, true);
	enum status status = jtag_run(jtag, error);
	if (status != STATUS_OK)
		return status;
	find_devices(jtag, place);
	return jtag->device_count > 0 ? measure_instructions(jtag, error) : STATUS_OK;
}
