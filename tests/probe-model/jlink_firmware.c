/* SPDX-License-Identifier: MIT */
/* See jlink_firmware.h. Numbers are little-endian (5.1). */
#include "jlink_firmware.h"

#include "setup.h"

#include <string.h>

/* Bits of the capabilities (5.3.4). */
enum {
	ALWAYS = 0,
	CAN_GET_HARDWARE = 1,
	CAN_READ_CONFIG = 4,
	CAN_WRITE_CONFIG = 5,
	CAN_GET_SPEEDS = 9,
	CAN_GET_MEMORY = 11,
	CAN_SELECT = 17,
	CAN_REGISTER = 27,
	CAN_GET_MORE = 31,
};

/* Commands (5.2). */
enum {
	GET_VERSION = 0x01,
	SET_SPEED = 0x05,
	GET_STATE = 0x07,
	REGISTER = 0x09,
	GET_SPEEDS = 0xC0,
	SELECT = 0xC7,
	JTAG2 = 0xCE,
	JTAG3 = 0xCF,
	GET_MEMORY = 0xD4,
	RESET_LOW = 0xDC,
	RESET_HIGH = 0xDD,
	TRST_LOW = 0xDE,
	TRST_HIGH = 0xDF,
	GET_CAPABILITIES = 0xE8,
	GET_MORE_CAPABILITIES = 0xED,
	GET_HARDWARE = 0xF0,
	READ_CONFIG = 0xF2,
	WRITE_CONFIG = 0xF3,
};

/* Operands of SELECT (5.5.3). */
enum { JTAG = 0, SWD = 1, GET_SELECTED = 0xFE, GET_AVAILABLE = 0xFF };

/* Operands of REGISTER; the minimum size of its answer, the size of an entry in it, and of the part of an entry that
 * the host sends. */
enum { CONNECT = 0x64, DISCONNECT = 0x65, TABLE_SIZE = 0x4C, ENTRY_SIZE = 16, ENTRY_SENT = 10 };

/* Status of a shift that does not fit into memory. */
#define NO_MEMORY 6

static uint32_t get(const uint8_t *bytes, unsigned size)
{
	uint32_t word = 0;

	for (unsigned i = 0; i < size; i++)
		word |= (uint32_t)bytes[i] << 8 * i;
	return word;
}

static void put(struct jlink_firmware *firmware, uint64_t word, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		firmware->answer[firmware->answer_size++] = (uint8_t)(word >> 8 * i);
}

static void pad(struct jlink_firmware *firmware, size_t size)
{
	while (firmware->answer_size < size)
		put(firmware, 0, 1);
}

/* 5.3.1: a size and, in another transfer, as many characters. */
static void get_version(struct jlink_firmware *firmware, const uint8_t *command)
{
	const size_t size = 0x70;

	(void)command;
	put(firmware, size, 2);
	firmware->first_part = firmware->answer_size;
	for (const char *text = firmware->version; *text != 0 && firmware->answer_size < size; text++)
		put(firmware, (uint8_t)*text, 1);
	pad(firmware, 2 + size);
}

static void set_speed(struct jlink_firmware *firmware, const uint8_t *command)
{
	firmware->kilohertz = get(command + 1, 2);
	/* 0xffff is adaptive clocking, which this probe does not have. */
	firmware->violations += firmware->kilohertz == 0 || firmware->kilohertz == 0xFFFF;
}

/* 5.4.1: millivolts, then the levels of TCK, TDI, TDO, TMS, RESET and TRST. */
static void get_state(struct jlink_firmware *firmware, const uint8_t *command)
{
	(void)command;
	put(firmware, firmware->millivolts, 2);
	put(firmware, 0, 4);
	put(firmware, !firmware->is_reset_low, 1);
	put(firmware, !firmware->is_trst_low, 1);
}

/* Only one program at a time can be connected by USB. */
static void do_register(struct jlink_firmware *firmware, const uint8_t *command)
{
	const uint32_t handle = get(command + 12, 2);

	firmware->violations += command[1] == CONNECT ? handle != 0 : command[1] != DISCONNECT || handle != 1;
	firmware->connections = command[1] == CONNECT;
	put(firmware, 1, 2);
	put(firmware, firmware->connections, 2);
	put(firmware, ENTRY_SIZE, 2);
	put(firmware, 0, 2);
	for (unsigned i = 0; i < firmware->connections; i++) {
		put(firmware, get(command + 2, 4), 4);
		put(firmware, get(command + 6, 4), 4);
		put(firmware, get(command + 10, 2), 2);
		put(firmware, 1, 2);
		put(firmware, 0, 4);
	}
	pad(firmware, TABLE_SIZE);
}

static void get_speeds(struct jlink_firmware *firmware, const uint8_t *command)
{
	(void)command;
	put(firmware, firmware->base_hertz, 4);
	put(firmware, firmware->min_divider, 2);
}

static void do_select(struct jlink_firmware *firmware, const uint8_t *command)
{
	const uint8_t wanted = command[1];

	put(firmware, wanted == GET_AVAILABLE ? firmware->interfaces : firmware->interface, 4);
	if (wanted >= GET_SELECTED)
		return;
	if (wanted < 32 && firmware->interfaces >> wanted & 1)
		firmware->interface = wanted;
	else
		firmware->violations++;
}

/* Returns the line at the falling edge of SWCLK, where a J-Link samples it: the target changed it after the rising edge
 * (probe-rs and OpenOCD's driver expect the acknowledge at the turnaround). */
static bool clock_swd(struct swd_target *target, bool host_drives, bool bit)
{
	swd_clock(target, host_drives, bit);
	return host_drives ? bit : swd_level(target);
}

static bool bit_of(const uint8_t *bytes, uint32_t index)
{
	return bytes[index / 8] >> index % 8 & 1;
}

/* 5.5.12: first the directions of SWD bits, or the bits on TMS; then the bits on SWDIO or TDI. */
static void shift_bits(struct jlink_firmware *firmware, const uint8_t *command)
{
	const uint32_t count = get(command + 2, 2), size = (count + 7) / 8;
	const uint8_t *first = command + 4, *second = first + size;
	uint8_t *answer = firmware->answer;

	firmware->has_status = command[0] == JTAG3;
	memset(answer, 0, size + 1);
	firmware->answer_size = size + (firmware->has_status ? 1 : 0);
	if (count == 0 || 4 + 2 * size > firmware->memory || (firmware->interface == SWD && !firmware->has_status)) {
		firmware->violations++;
		answer[size] = NO_MEMORY;
		return;
	}
	if (setup_is_due(firmware->refuse, ++firmware->shifts) && firmware->has_status) {
		answer[size] = (uint8_t)firmware->code;
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		bool level = firmware->interface == SWD
		                     ? clock_swd(firmware->target, bit_of(first, i), bit_of(second, i))
		                     : swd_clock_jtag(firmware->target, bit_of(first, i), bit_of(second, i));

		answer[i / 8] |= (uint8_t)(level << i % 8);
	}
}

static void get_memory(struct jlink_firmware *firmware, const uint8_t *command)
{
	(void)command;
	put(firmware, firmware->memory, 4);
}

static void drive_reset(struct jlink_firmware *firmware, const uint8_t *command)
{
	firmware->is_reset_low = command[0] == RESET_LOW;
	swd_drive_reset(firmware->target, firmware->is_reset_low);
}

static void drive_trst(struct jlink_firmware *firmware, const uint8_t *command)
{
	firmware->is_trst_low = command[0] == TRST_LOW;
}

static void get_capabilities(struct jlink_firmware *firmware, const uint8_t *command)
{
	(void)command;
	put(firmware, firmware->capabilities, 4);
}

static void get_more_capabilities(struct jlink_firmware *firmware, const uint8_t *command)
{
	(void)command;
	put(firmware, firmware->capabilities, 8);
	pad(firmware, 32);
}

static void get_hardware(struct jlink_firmware *firmware, const uint8_t *command)
{
	(void)command;
	put(firmware, firmware->hardware, 4);
}

static void read_config(struct jlink_firmware *firmware, const uint8_t *command)
{
	(void)command;
	memcpy(firmware->answer, firmware->config, JLINK_CONFIG_SIZE);
	firmware->answer_size = JLINK_CONFIG_SIZE;
}

static void write_config(struct jlink_firmware *firmware, const uint8_t *command)
{
	memcpy(firmware->config, command + 1, JLINK_CONFIG_SIZE);
}

static const struct command {
	uint8_t code;
	unsigned size; /* with its operands; of shifts, without their bits */
	unsigned capability;
	void (*execute)(struct jlink_firmware *firmware, const uint8_t *command);
} commands[] = {
        {GET_VERSION, 1, ALWAYS, get_version},
        {SET_SPEED, 3, ALWAYS, set_speed},
        {GET_STATE, 1, ALWAYS, get_state},
        {REGISTER, 4 + ENTRY_SENT, CAN_REGISTER, do_register},
        {GET_SPEEDS, 1, CAN_GET_SPEEDS, get_speeds},
        {SELECT, 2, CAN_SELECT, do_select},
        {JTAG2, 4, ALWAYS, shift_bits},
        {JTAG3, 4, ALWAYS, shift_bits},
        {GET_MEMORY, 1, CAN_GET_MEMORY, get_memory},
        {RESET_LOW, 1, ALWAYS, drive_reset},
        {RESET_HIGH, 1, ALWAYS, drive_reset},
        {TRST_LOW, 1, ALWAYS, drive_trst},
        {TRST_HIGH, 1, ALWAYS, drive_trst},
        {GET_CAPABILITIES, 1, ALWAYS, get_capabilities},
        {GET_MORE_CAPABILITIES, 1, CAN_GET_MORE, get_more_capabilities},
        {GET_HARDWARE, 1, CAN_GET_HARDWARE, get_hardware},
        {READ_CONFIG, 1, CAN_READ_CONFIG, read_config},
        {WRITE_CONFIG, 1 + JLINK_CONFIG_SIZE, CAN_WRITE_CONFIG, write_config},
};

static const struct command *find_command(uint8_t code)
{
	for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
		if (commands[i].code == code)
			return &commands[i];
	return NULL;
}

size_t jlink_command_size(const uint8_t *bytes, size_t count)
{
	const struct command *command = find_command(bytes[0]);

	if (command == NULL)
		return 1;
	if (command->execute != shift_bits)
		return command->size;
	return count < command->size ? 0 : command->size + 2 * ((get(bytes + 2, 2) + 7) / 8);
}

void jlink_execute(struct jlink_firmware *firmware, const uint8_t *bytes)
{
	const struct command *command = find_command(bytes[0]);

	firmware->answer_size = firmware->first_part = 0;
	firmware->has_status = false;
	if (command != NULL && firmware->capabilities >> command->capability & 1)
		command->execute(firmware, bytes);
	else
		firmware->violations++;
}

uint32_t jlink_hertz(const struct jlink_firmware *firmware)
{
	const uint64_t wanted = (uint64_t)firmware->kilohertz * 1000;

	if (wanted == 0)
		return 0;
	const uint64_t divider = (firmware->base_hertz + wanted - 1) / wanted;
	return (uint32_t)(firmware->base_hertz / (divider > firmware->min_divider ? divider : firmware->min_divider));
}

void jlink_start(struct jlink_firmware *firmware)
{
	firmware->interface = JTAG;
	firmware->kilohertz = 0;
	firmware->connections = 0;
	firmware->is_reset_low = firmware->is_trst_low = false;
	memset(firmware->config, 0xFF, sizeof firmware->config);
}
