/* SPDX-License-Identifier: MIT */
/* See ftdi_chip.h. */
#include "ftdi_chip.h"

#include <string.h>

enum { TCK = 0x01, TDI = 0x02, TDO = 0x04, TMS = 0x08 };

/* Bits of a data shift (3.2). */
enum {
	OUT_FALLING = 0x01,
	BITS = 0x02,
	IN_FALLING = 0x04,
	LOWEST_FIRST = 0x08,
	WRITES = 0x10,
	READS = 0x20,
	IS_TMS = 0x40
};

/* Other commands. */
enum {
	SET_LOW = 0x80,
	READ_LOW = 0x81,
	SET_HIGH = 0x82,
	READ_HIGH = 0x83,
	LOOPBACK_ON = 0x84,
	LOOPBACK_OFF = 0x85,
	SET_DIVISOR = 0x86,
	FLUSH = 0x87,
	DIVIDE_BY_5_OFF = 0x8A,
	DIVIDE_BY_5_ON = 0x8B,
	THREE_PHASES_OFF = 0x8D,
	CLOCK_BITS = 0x8E,
	CLOCK_BYTES = 0x8F,
	ADAPTIVE_OFF = 0x97,
	BAD_COMMAND = 0xFA,
};

static const struct ftdi_board boards[] = {
        {"ft232h", "Single RS232-HS", 0x0403, 0x6014, 0x0900, 1, 0, 1024, PIN_OPEN_DRAIN, 0x0010, 0},
        {"ft2232h", "Dual RS232-HS", 0x0403, 0x6010, 0x0700, 2, 0, 4096, PIN_OPEN_DRAIN, 0x0010, 0},
        {"ft4232h", "Quad RS232-HS", 0x0403, 0x6011, 0x0800, 4, 0, 2048, PIN_OPEN_DRAIN, 0x0010, 0},
        {"minimodule", "FT2232H MiniModule", 0x0403, 0x6010, 0x0700, 2, 0, 4096, PIN_OPEN_DRAIN, 0x0020, 0},
        {"tigard", "Tigard V1.1", 0x0403, 0x6010, 0x0700, 2, 1, 4096, PIN_PUSH_PULL, 0x0020, 0},
        {"olimex", "Olimex OpenOCD JTAG ARM-USB-OCD-H", 0x15BA, 0x002B, 0x0700, 2, 0, 4096, PIN_ENABLE, 0x0200, 0},
        {"olimex-swd", "Olimex OpenOCD JTAG ARM-USB-OCD-H", 0x15BA, 0x002B, 0x0700, 2, 0, 4096, PIN_ENABLE, 0x0200,
         0x0100},
        {"esp-prog", "Dual RS232-HS", 0x0403, 0x6010, 0x0700, 2, 0, 4096, PIN_NONE, 0, 0},
        {"hifive1", "Dual RS232-HS", 0x0403, 0x6010, 0x0700, 2, 0, 4096, PIN_OPEN_DRAIN, 0x0020, 0},
        {"ft2232d", "Dual RS232", 0x0403, 0x6010, 0x0500, 2, 0, 128, PIN_NONE, 0, 0},
};

const struct ftdi_board *ftdi_board_find(const char *name)
{
	for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++)
		if (strcmp(boards[i].name, name) == 0)
			return &boards[i];
	return NULL;
}

static void answer(struct ftdi_chip *chip, unsigned byte)
{
	if (chip->answer_count < FTDI_ANSWERS_MAX)
		chip->answers[chip->answer_count++] = (uint8_t)byte;
}

static void update_reset(struct ftdi_chip *chip)
{
	const uint16_t pin = chip->board->reset_pin;
	const bool is_high = (chip->level & pin) != 0, is_output = (chip->outputs & pin) != 0;

	if (chip->board->reset != PIN_NONE)
		swd_drive_reset(chip->target, is_output && is_high == (chip->board->reset == PIN_ENABLE));
}

void ftdi_chip_set_mode(struct ftdi_chip *chip, bool is_mpsse)
{
	chip->is_mpsse = is_mpsse;
	chip->received = chip->answer_count = 0;
	chip->outputs = 0;
	update_reset(chip);
}

/* True if the host drives SWDIO. Through a resistor, a target that drives is stronger. */
static bool drives_swdio(const struct ftdi_chip *chip, bool tms)
{
	const uint16_t enable = chip->board->swd_enable;

	if (enable != 0)
		return tms && (chip->outputs & enable) != 0 && (chip->level & enable) == 0;
	return (chip->outputs & TDI) != 0 && !(chip->has_resistor && swd_drives(chip->target));
}

/* Returns TDO. */
static bool clock_pins(struct ftdi_chip *chip, bool tdi)
{
	const bool tms = (chip->level & TMS) != 0;

	chip->violations += (chip->outputs & TCK) == 0 || (chip->outputs & TDO) != 0;
	chip->level = (uint16_t)(tdi ? chip->level | TDI : chip->level & ~TDI);
	if (chip->is_swd)
		return swd_clock(chip->target, drives_swdio(chip, tms), tdi);
	return swd_clock_jtag(chip->target, tms, tdi);
}

/* Shifts up to eight bits. Samples enter at the highest bit (3.3.6). */
static unsigned shift_bits(struct ftdi_chip *chip, uint8_t command, unsigned byte, unsigned count)
{
	unsigned samples = 0;

	for (unsigned i = 0; i < count; i++) {
		const bool bit = byte >> i & 1;
		bool tdi = (command & WRITES) != 0 ? bit : (chip->level & TDI) != 0;

		if ((command & IS_TMS) != 0) {
			tdi = byte >> 7 & 1;
			chip->level = (uint16_t)(bit ? chip->level | TMS : chip->level & ~TMS);
		}
		samples = samples >> 1 | (unsigned)clock_pins(chip, tdi) << 7;
	}
	return samples;
}

/* 3.3 to 3.5. SWD and JTAG need writes at the falling edge and samples at the rising one. */
static void shift(struct ftdi_chip *chip, const uint8_t *command)
{
	const uint8_t code = command[0];

	chip->violations += (code & LOWEST_FIRST) == 0 || (code & IN_FALLING) != 0 ||
	                    ((code & (WRITES | IS_TMS)) != 0 && (code & OUT_FALLING) == 0);
	if ((code & (BITS | IS_TMS)) != 0) {
		const unsigned count = (command[1] & 7u) + 1u, byte = (code & (WRITES | IS_TMS)) != 0 ? command[2] : 0;
		const unsigned samples = shift_bits(chip, code, byte, count);

		if ((code & READS) != 0)
			answer(chip, samples);
		return;
	}
	const unsigned bytes = (command[1] | (unsigned)command[2] << 8) + 1;
	for (unsigned i = 0; i < bytes; i++) {
		const unsigned samples = shift_bits(chip, code, (code & WRITES) != 0 ? command[3 + i] : 0, 8);

		if ((code & READS) != 0)
			answer(chip, samples);
	}
}

/* The size of the command that begins with these bytes; 0: it depends on bytes after them. */
static size_t command_size(const uint8_t *bytes, size_t count)
{
	const uint8_t code = bytes[0];

	if (code < 0x80 && (code & IS_TMS) != 0)
		return 3;
	if (code < 0x80 && (code & BITS) != 0)
		return (code & WRITES) != 0 ? 3 : 2;
	if (code < 0x80 && (code & WRITES) != 0)
		return count < 3 ? 0 : 3 + (bytes[1] | (size_t)bytes[2] << 8) + 1;
	if (code < 0x80 || code == SET_LOW || code == SET_HIGH || code == SET_DIVISOR || code == CLOCK_BYTES)
		return 3;
	return code == CLOCK_BITS ? 2 : 1;
}

static size_t answer_size(const uint8_t *command)
{
	const uint8_t code = command[0];

	if (code >= 0x80 || (code & READS) == 0)
		return 2;
	return (code & (BITS | IS_TMS)) != 0 ? 1 : (command[1] | (size_t)command[2] << 8) + 1;
}

static void set_pins(struct ftdi_chip *chip, const uint8_t *command, unsigned place)
{
	const uint16_t mask = (uint16_t)(0xFFu << place);

	chip->level = (uint16_t)((chip->level & ~mask) | command[1] << place);
	chip->outputs = (uint16_t)((chip->outputs & ~mask) | command[2] << place);
	update_reset(chip);
}

static void clock_only(struct ftdi_chip *chip, const uint8_t *command)
{
	const unsigned count =
	        command[0] == CLOCK_BITS ? command[1] + 1u : 8 * ((command[1] | (unsigned)command[2] << 8) + 1);

	for (unsigned i = 0; i < count; i++)
		clock_pins(chip, (chip->level & TDI) != 0);
}

static void execute(struct ftdi_chip *chip)
{
	const uint8_t *command = chip->command;

	if (command[0] < 0x80) {
		shift(chip, command);
		return;
	}
	switch (command[0]) {
	case SET_LOW:
		set_pins(chip, command, 0);
		break;
	case SET_HIGH:
		set_pins(chip, command, 8);
		break;
	case READ_LOW:
		answer(chip, (chip->level | ~(unsigned)chip->outputs) & 0xFF);
		break;
	case READ_HIGH:
		answer(chip, (unsigned)(chip->level | ~(unsigned)chip->outputs) >> 8 & 0xFF);
		break;
	case SET_DIVISOR:
		chip->divisor = 1u + command[1] + ((uint32_t)command[2] << 8);
		break;
	case FLUSH:
		chip->is_flushed = true;
		chip->flushes++;
		break;
	case CLOCK_BITS:
	case CLOCK_BYTES:
		clock_only(chip, command);
		break;
	case LOOPBACK_OFF:
	case DIVIDE_BY_5_OFF:
	case THREE_PHASES_OFF:
	case ADAPTIVE_OFF:
		break;
	case LOOPBACK_ON:
	case DIVIDE_BY_5_ON:
		chip->violations++;
		break;
	default:
		answer(chip, BAD_COMMAND);
		answer(chip, command[0]);
	}
}

bool ftdi_chip_receive(struct ftdi_chip *chip, uint8_t byte)
{
	chip->command[chip->received] = byte;
	const size_t size = command_size(chip->command, chip->received + 1);

	if (size == 0 || chip->received + 1 < size) {
		chip->received++;
		return true;
	}
	if (chip->answer_count > 0 && chip->answer_count + answer_size(chip->command) > chip->board->buffer)
		return false;
	chip->received = 0;
	if (chip->is_mpsse)
		execute(chip);
	else
		chip->violations++;
	return true;
}
