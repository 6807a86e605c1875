/* SPDX-License-Identifier: MIT */
/* See stlink_firmware.h. Bits on the wires: IHI 0031, B4.2. */
#include "stlink_firmware.h"

#include <string.h>

enum { AP = 1, READ = 2 };
/* Registers, as bits 3 to 0 of a request. */
enum { ABORT = 0x0, DPIDR = 0x0 | READ, CTRL_STAT = 0x4, SELECT = 0x8, RDBUFF = 0xC | READ };
enum { CSW = 0x0 | AP, TAR = 0x4 | AP, DRW = 0xC | AP };
enum { ACK_OK = 1, ACK_WAIT = 2, ACK_FAULT = 4, ACK_PARITY = 8 };

#define STICKY_ERROR  0x20u
#define POWER_REQUEST 0x50000000u
#define POWER_ACK     0xA0000000u
#define CSW_DEFAULT   0x23000000u
#define WINDOW        1024u /* within which TAR is incremented */
#define DEBUG_PORT    0xFFFFu

enum status {
	OK = 0x80,
	IDCODE_ERROR = 0x09,
	ALIGNMENT_ERROR = 0x0A,
	POWER_ERROR = 0x0B,
	AP_WAIT = 0x10,
	AP_FAULT,
	AP_ERROR,
	AP_PARITY,
	DP_WAIT,
	DP_FAULT,
	DP_ERROR,
	DP_PARITY,
	BAD_AP = 0x1D,
	FREQUENCY_ERROR = 0x41,
	UNKNOWN_COMMAND = 0x42,
};

/* --- The wires */

static void drive(struct stlink_firmware *firmware, uint64_t bits, unsigned count)
{
	for (; count > 0; count--, bits >>= 1)
		swd_clock(firmware->target, true, bits & 1);
}

static uint32_t sample(struct stlink_firmware *firmware, unsigned count)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < count; i++)
		bits |= (uint64_t)swd_clock(firmware->target, false, true) << i;
	return (uint32_t)bits;
}

static unsigned parity(uint32_t word)
{
	return (unsigned)__builtin_parity(word);
}

static unsigned transfer_once(struct stlink_firmware *firmware, unsigned reg, uint32_t *word)
{
	drive(firmware, 0x81 | reg << 1 | parity(reg) << 5, 8);
	sample(firmware, 1);
	unsigned ack = sample(firmware, 3);
	if (ack == ACK_WAIT || ack == ACK_FAULT) {
		sample(firmware, 1);
	} else if (ack != ACK_OK) {
		sample(firmware, 1 + 32);
		sample(firmware, 1);
	} else if (reg & READ) {
		*word = sample(firmware, 32);
		if (sample(firmware, 1) != parity(*word))
			ack = ACK_PARITY;
		sample(firmware, 1);
	} else {
		sample(firmware, 1);
		drive(firmware, *word, 32);
		drive(firmware, parity(*word), 1);
	}
	return ack;
}

static enum status status_of(unsigned ack, bool is_ap)
{
	enum status base = is_ap ? AP_WAIT : DP_WAIT;

	switch (ack) {
	case ACK_OK:
		return OK;
	case ACK_WAIT:
		return base;
	case ACK_FAULT:
		return base + 1;
	case ACK_PARITY:
		return base + 3;
	default:
		return base + 2;
	}
}

static enum status transfer(struct stlink_firmware *firmware, unsigned reg, uint32_t *word)
{
	uint64_t tries = firmware->wait_retries;
	unsigned ack;

	do
		ack = transfer_once(firmware, reg, word);
	while (ack == ACK_WAIT && tries-- > 0);
	return status_of(ack, reg & AP);
}

static enum status write_register(struct stlink_firmware *firmware, unsigned reg, uint32_t word)
{
	return transfer(firmware, reg, &word);
}

/* A port register, whose address may include a bank. */
static enum status select_register(struct stlink_firmware *firmware, unsigned port, unsigned address)
{
	uint32_t select = port == DEBUG_PORT ? address >> 4 & 0xF : port << 24 | (address & 0xF0);

	/* Those at 0, 8 and 12 can always be accessed, even if SELECT cannot (B2.2). */
	return port == DEBUG_PORT && (address & 0xF) != 4 ? OK : write_register(firmware, SELECT, select);
}

static enum status read_port(struct stlink_firmware *firmware, unsigned port, unsigned address, uint32_t *word)
{
	enum status status = select_register(firmware, port, address);

	if (status == OK)
		status = transfer(firmware, (address & 0xC) | READ | (port == DEBUG_PORT ? 0 : AP), word);
	/* Reads of an access port are posted (B4.2.2). */
	if (status == OK && port != DEBUG_PORT)
		status = transfer(firmware, RDBUFF, word);
	return status;
}

static enum status write_port(struct stlink_firmware *firmware, unsigned port, unsigned address, uint32_t word)
{
	enum status status = select_register(firmware, port, address);

	return status == OK ? write_register(firmware, (address & 0xC) | (port == DEBUG_PORT ? 0 : AP), word) : status;
}

/* Line reset, 0xE79E, line reset, idle: B5.2. */
static enum status connect(struct stlink_firmware *firmware)
{
	uint32_t word = 0;

	drive(firmware, UINT64_MAX, 56);
	drive(firmware, 0xE79E, 16);
	drive(firmware, UINT64_MAX, 56);
	drive(firmware, 0, 8);
	if (transfer(firmware, DPIDR, &word) != OK)
		return IDCODE_ERROR;
	enum status status = write_register(firmware, ABORT, 0x1E);
	if (status == OK)
		status = write_register(firmware, SELECT, 0);
	if (status == OK)
		status = write_register(firmware, CTRL_STAT, POWER_REQUEST);
	for (unsigned tries = 0; status == OK && tries < 1000; tries++) {
		status = transfer(firmware, CTRL_STAT | READ, &word);
		if (status == OK && (word & POWER_ACK) == POWER_ACK)
			return OK;
	}
	return status == OK ? POWER_ERROR : status;
}

/* --- Memory */

/* A memory access that the host requests. */
struct access {
	unsigned port;
	uint32_t csw, address, size, unit; /* unit: bytes per transfer */
	bool is_write, is_repeated;        /* repeated: without increment */
	uint8_t *bytes;
};

static void put_half(uint8_t *bytes, uint32_t half)
{
	bytes[0] = (uint8_t)half;
	bytes[1] = (uint8_t)(half >> 8);
}

static void put_word(uint8_t *bytes, uint32_t word)
{
	put_half(bytes, word);
	put_half(bytes + 2, word >> 16);
}

static uint32_t get_half(const uint8_t *bytes)
{
	return (uint32_t)(bytes[0] | bytes[1] << 8);
}

static uint32_t get_word(const uint8_t *bytes)
{
	return get_half(bytes) | get_half(bytes + 2) << 16;
}

/* Data are in their byte lanes of a word (IHI 0031, C2.2). */
static void store(const struct access *access, uint32_t offset, uint32_t word)
{
	uint32_t lane = access->is_repeated ? 0 : (access->address + offset) % 4;

	for (uint32_t i = 0; i < access->unit; i++)
		access->bytes[offset + i] = (uint8_t)(word >> 8 * (lane + i));
}

static uint32_t load(const struct access *access, uint32_t offset)
{
	uint32_t lane = (access->address + offset) % 4, word = 0;

	for (uint32_t i = 0; i < access->unit; i++)
		word |= (uint32_t)access->bytes[offset + i] << 8 * (lane + i);
	return word;
}

/* Accesses units from offset on while TAR is incremented. *done: units that are certainly done. */
static enum status access_window(struct stlink_firmware *firmware, const struct access *access, uint32_t offset,
                                 uint32_t size, uint32_t *done)
{
	enum status status = write_register(firmware, TAR, access->address + (access->is_repeated ? 0 : offset));
	uint32_t word;

	*done = 0;
	if (!access->is_write && status == OK)
		status = transfer(firmware, DRW | READ, &word);
	for (uint32_t at = 0; status == OK && at < size; at += access->unit) {
		bool is_last = at + access->unit >= size;

		word = access->is_write ? load(access, offset + at) : 0;
		status = transfer(firmware, access->is_write ? DRW : is_last ? (unsigned)RDBUFF : DRW | READ, &word);
		if (status != OK)
			break;
		if (!access->is_write)
			store(access, offset + at, word);
		*done = at;
	}
	if (access->is_write && status == OK)
		status = transfer(firmware, RDBUFF, &word);
	if (status == OK && (status = transfer(firmware, CTRL_STAT | READ, &word)) == OK && word & STICKY_ERROR) {
		*done = size - access->unit;
		return AP_FAULT;
	}
	return status;
}

static uint32_t csw_of(const struct access *access)
{
	uint32_t kept = access->csw != 0 ? access->csw & 0xFFFFFF00u : CSW_DEFAULT;

	return kept | (access->is_repeated ? 0 : 0x10) | access->unit / 2;
}

static enum status access_memory(struct stlink_firmware *firmware, const struct access *access)
{
	uint32_t done;

	firmware->fault_address = access->address;
	if (access->port > 255 || !firmware->is_open[access->port])
		return BAD_AP;
	enum status status = write_register(firmware, SELECT, access->port << 24);
	if (status == OK)
		status = write_register(firmware, CSW, csw_of(access));
	for (uint32_t offset = 0, size; status == OK && offset < access->size; offset += size) {
		uint32_t room = WINDOW - (access->address + offset) % WINDOW;

		size = access->size - offset < room || access->is_repeated ? access->size - offset : room;
		status = access_window(firmware, access, offset, size, &done);
		firmware->fault_address = access->address + offset + done;
	}
	return status;
}

/* --- Commands */

static void answer_status(struct stlink_firmware *firmware, enum status status)
{
	memset(firmware->answer, 0, 16);
	put_half(firmware->answer, status);
	firmware->answer_size = 2;
	firmware->has_status = true;
}

static void violate(struct stlink_firmware *firmware)
{
	firmware->violations++;
	answer_status(firmware, UNKNOWN_COMMAND);
}

static bool is_from(const struct stlink_firmware *firmware, unsigned release_of_2, unsigned release_of_3)
{
	return firmware->release >= (firmware->hardware >= 3 ? release_of_3 : release_of_2);
}

static bool knows_ports(const struct stlink_firmware *firmware)
{
	return is_from(firmware, 32, 2);
}

static void execute_version(struct stlink_firmware *firmware)
{
	const unsigned hardware = (unsigned)firmware->hardware, release = (unsigned)firmware->release;
	/* The last number is the release of the STM8 part, such as S7, or on a V2-1 of the mass storage, such as M26.
	 * Version 3 reports its numbers by another command. */
	const unsigned last = firmware->product == 0x3748 ? 7 : 26;
	const unsigned version = hardware >= 3 ? hardware << 12 : hardware << 12 | release << 6 | last;

	firmware->answer[0] = (uint8_t)(version >> 8);
	firmware->answer[1] = (uint8_t)version;
	put_half(firmware->answer + 2, 0x0483);
	put_half(firmware->answer + 4, (uint32_t)firmware->product);
	firmware->answer_size = 6;
}

static void execute_long_version(struct stlink_firmware *firmware)
{
	if (firmware->hardware < 3) {
		violate(firmware);
		return;
	}
	memset(firmware->answer, 0, 12);
	firmware->answer[0] = (uint8_t)firmware->hardware;
	firmware->answer[2] = (uint8_t)firmware->release;
	firmware->answer[3] = 1;
	put_half(firmware->answer + 8, 0x0483);
	put_half(firmware->answer + 10, (uint32_t)firmware->product);
	firmware->answer_size = 12;
}

static void execute_mode(struct stlink_firmware *firmware)
{
	firmware->answer[0] = (uint8_t)firmware->mode;
	firmware->answer[1] = 0;
	firmware->answer_size = 2;
}

/* 3.3 V: twice the second number times 1.2 V, by the first. */
static void execute_voltage(struct stlink_firmware *firmware)
{
	put_word(firmware->answer, 1600);
	put_word(firmware->answer + 4, 2200);
	firmware->answer_size = 8;
}

/* These have no answer. */
static void execute_leave(struct stlink_firmware *firmware)
{
	static const struct {
		uint8_t command, detail;
		enum stlink_mode mode;
	} exits[] = {{0xF3, 0x07, STLINK_DFU}, {0xF4, 0x01, STLINK_SWIM}, {0xF2, 0x21, STLINK_DEBUG}};

	for (size_t i = 0; i < sizeof exits / sizeof exits[0]; i++)
		if (firmware->command[0] == exits[i].command && firmware->command[1] == exits[i].detail) {
			firmware->has_left_dfu = exits[i].mode == STLINK_DFU && firmware->mode == STLINK_DFU;
			if (firmware->mode == exits[i].mode)
				firmware->mode = STLINK_MASS;
			memset(firmware->is_open, 0, sizeof firmware->is_open);
			return;
		}
	firmware->violations++;
}

static void execute_enter(struct stlink_firmware *firmware)
{
	enum { SWD = 0xA3 };

	if (firmware->command[2] != SWD || firmware->mode == STLINK_DFU || firmware->mode == STLINK_SWIM) {
		violate(firmware);
		return;
	}
	enum status status = connect(firmware);
	if (status == OK) {
		firmware->mode = STLINK_DEBUG;
		firmware->is_open[0] = true;
	}
	answer_status(firmware, status);
}

static void execute_idcodes(struct stlink_firmware *firmware)
{
	uint32_t word = 0;
	enum status status = transfer(firmware, DPIDR, &word);

	answer_status(firmware, status);
	put_word(firmware->answer + 4, word);
	put_word(firmware->answer + 8, 0);
	firmware->answer_size = 12;
}

static void execute_read_debug_register(struct stlink_firmware *firmware)
{
	uint8_t bytes[4] = {0};
	const struct access access = {.address = get_word(firmware->command + 2), .size = 4, .unit = 4, .bytes = bytes};
	enum status status = access_memory(firmware, &access);

	answer_status(firmware, status);
	memcpy(firmware->answer + 4, bytes, sizeof bytes);
	firmware->answer_size = 8;
}

static void execute_write_debug_register(struct stlink_firmware *firmware)
{
	const struct access access = {.address = get_word(firmware->command + 2),
	                              .size = 4,
	                              .unit = 4,
	                              .is_write = true,
	                              .bytes = firmware->command + 6};

	answer_status(firmware, access_memory(firmware, &access));
}

/* Resets the core by AIRCR (Armv7-M ARM, B3.2.6). */
static void execute_reset(struct stlink_firmware *firmware)
{
	uint8_t bytes[] = {0x04, 0x00, 0xFA, 0x05};
	const struct access access = {.address = 0xE000ED0C, .size = 4, .unit = 4, .is_write = true, .bytes = bytes};

	answer_status(firmware, access_memory(firmware, &access));
}

static void execute_read_port(struct stlink_firmware *firmware)
{
	uint32_t word = 0;

	if (!is_from(firmware, 24, 0)) {
		violate(firmware);
		return;
	}
	enum status status =
	        read_port(firmware, get_half(firmware->command + 2), get_half(firmware->command + 4), &word);
	answer_status(firmware, status);
	put_word(firmware->answer + 4, word);
	firmware->answer_size = 8;
}

static void execute_write_port(struct stlink_firmware *firmware)
{
	if (!is_from(firmware, 24, 0)) {
		violate(firmware);
		return;
	}
	answer_status(firmware, write_port(firmware, get_half(firmware->command + 2), get_half(firmware->command + 4),
	                                   get_word(firmware->command + 6)));
}

static void execute_open_port(struct stlink_firmware *firmware)
{
	uint32_t idr = 0;

	if (!is_from(firmware, 28, 0)) {
		violate(firmware);
		return;
	}
	enum status status = read_port(firmware, firmware->command[2], 0xFC, &idr);
	firmware->is_open[firmware->command[2]] = status == OK && idr != 0;
	answer_status(firmware, status == OK && idr == 0 ? BAD_AP : status);
}

static void execute_close_port(struct stlink_firmware *firmware)
{
	if (!is_from(firmware, 28, 0)) {
		violate(firmware);
		return;
	}
	firmware->is_open[firmware->command[2]] = false;
	answer_status(firmware, OK);
}

static void execute_reset_pin(struct stlink_firmware *firmware)
{
	enum { LOW, HIGH, PULSE };

	swd_drive_reset(firmware->target, firmware->command[2] != HIGH);
	if (firmware->command[2] == PULSE)
		swd_drive_reset(firmware->target, false);
	answer_status(firmware, OK);
}

static void execute_divisor(struct stlink_firmware *firmware)
{
	static const struct {
		uint32_t divisor, kilohertz;
	} clocks[] = {{0, 4000}, {1, 1800}, {2, 1200}, {3, 950},  {5, 650}, {7, 480},  {9, 400},  {10, 360},
	              {15, 240}, {25, 150}, {31, 125}, {40, 100}, {79, 50}, {158, 25}, {265, 15}, {798, 5}};

	if (firmware->hardware >= 3 || firmware->release < 22) {
		violate(firmware);
		return;
	}
	for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++)
		if (clocks[i].divisor == get_half(firmware->command + 2)) {
			firmware->kilohertz = clocks[i].kilohertz;
			answer_status(firmware, OK);
			return;
		}
	answer_status(firmware, FREQUENCY_ERROR);
}

static const uint32_t clocks_of_3[] = {24000, 8000, 3300, 1000, 200, 50, 5};
#define CLOCKS_OF_3 (sizeof clocks_of_3 / sizeof clocks_of_3[0])

static void execute_list_clocks(struct stlink_firmware *firmware)
{
	if (firmware->hardware < 3) {
		violate(firmware);
		return;
	}
	memset(firmware->answer, 0, 52);
	answer_status(firmware, OK);
	put_word(firmware->answer + 4, firmware->kilohertz);
	firmware->answer[8] = CLOCKS_OF_3;
	for (size_t i = 0; i < CLOCKS_OF_3; i++)
		put_word(firmware->answer + 12 + 4 * i, clocks_of_3[i]);
	firmware->answer_size = 52;
}

/* Takes the next lower clock. */
static void execute_clock(struct stlink_firmware *firmware)
{
	size_t i = 0;

	if (firmware->hardware < 3) {
		violate(firmware);
		return;
	}
	while (i < CLOCKS_OF_3 - 1 && clocks_of_3[i] > get_word(firmware->command + 4))
		i++;
	firmware->kilohertz = clocks_of_3[i];
	answer_status(firmware, OK);
	put_word(firmware->answer + 4, firmware->kilohertz);
	firmware->answer_size = 8;
}

/* Without the fault's address in the old form, 0x3B. */
static void execute_last_status(struct stlink_firmware *firmware)
{
	bool is_long = firmware->command[1] == 0x3E;

	if (is_long && !is_from(firmware, 15, 0)) {
		violate(firmware);
		return;
	}
	firmware->status_commands++;
	answer_status(firmware, firmware->last_status);
	put_word(firmware->answer + 4, firmware->last_status == OK ? 0 : firmware->fault_address);
	put_word(firmware->answer + 8, 0);
	firmware->answer_size = is_long ? 12 : 2;
}

static const struct {
	uint8_t command, unit;
	bool is_write, is_repeated;
	uint8_t release_of_2, release_of_3; /* the first that has the command */
} memory_commands[] = {
        {0x07, 4, false, false, 0, 0}, {0x08, 4, true, false, 0, 0},   {0x0C, 1, false, false, 0, 0},
        {0x0D, 1, true, false, 0, 0},  {0x47, 2, false, false, 26, 0}, {0x48, 2, true, false, 26, 0},
        {0x50, 4, true, true, 26, 0},  {0x54, 4, false, true, 32, 2},
};
#define MEMORY_COMMANDS (sizeof memory_commands / sizeof memory_commands[0])

/* Sets up the access of the last command. Returns false if the host must not request it. */
static bool read_access(struct stlink_firmware *firmware, struct access *access)
{
	const uint8_t *command = firmware->command;
	uint32_t size_max = is_from(firmware, 255, 6) ? 512 : 64;
	size_t i = 0;

	while (i < MEMORY_COMMANDS && memory_commands[i].command != command[1])
		i++;
	*access = (struct access){
	        .port = knows_ports(firmware) ? command[8] : 0,
	        .csw = knows_ports(firmware) ? get_word(command + 8) & 0xFFFFFF00u : 0,
	        .address = get_word(command + 2),
	        .size = get_half(command + 6),
	        .unit = memory_commands[i].unit,
	        .is_write = memory_commands[i].is_write,
	        .is_repeated = memory_commands[i].is_repeated,
	        .bytes = firmware->answer,
	};
	return is_from(firmware, memory_commands[i].release_of_2, memory_commands[i].release_of_3) &&
	       (knows_ports(firmware) || (command[8] | command[9] | command[10] | command[11]) == 0) &&
	       access->size > 0 && access->size <= (access->unit == 1 ? size_max : STLINK_DATA_MAX) &&
	       access->size % access->unit == 0 && access->address % access->unit == 0;
}

/* Even a failed read returns data. */
static void execute_memory(struct stlink_firmware *firmware)
{
	struct access access;
	bool is_right = read_access(firmware, &access);

	firmware->violations += !is_right;
	firmware->memory_commands++;
	firmware->memory_bytes += access.size;
	firmware->last_status = ALIGNMENT_ERROR;
	if (access.is_write) {
		firmware->expected = is_right ? access.size : 0;
		return;
	}
	/* At least two bytes. */
	firmware->answer_size = access.size == 1 ? 2 : access.size;
	memset(firmware->answer, 0xFF, firmware->answer_size);
	if (is_right)
		firmware->last_status = (uint16_t)access_memory(firmware, &access);
}

/* A list of accesses to words: one byte for each, then a value for each. */
static void execute_misc_out(struct stlink_firmware *firmware)
{
	uint32_t items = get_word(firmware->command + 2);

	firmware->misc_items = 0;
	if (!knows_ports(firmware) || items == 0 || items > 64) {
		firmware->violations++;
		return;
	}
	firmware->misc_items = items;
	firmware->expected = (items + 3) / 4 * 4 + 4 * items;
}

/* Values of all items, then statuses of all. */
static void execute_misc_in(struct stlink_firmware *firmware)
{
	enum { ADDRESS = 1, WRITE = 2, READ_WORD = 3, PORT = 5 };
	const uint32_t items = firmware->misc_items;
	const uint8_t *values = firmware->misc + (items + 3) / 4 * 4;
	struct access access = {.size = 4, .unit = 4};

	for (uint32_t i = 0; i < items; i++) {
		uint8_t bytes[4] = {0};
		uint32_t value = get_word(values + 4 * i);
		enum status status = OK;

		access.bytes = bytes;
		access.is_write = firmware->misc[i] == WRITE;
		if (firmware->misc[i] == PORT)
			access.port = value;
		else if (firmware->misc[i] == WRITE)
			put_word(bytes, value);
		else
			access.address = value;
		if (firmware->misc[i] == WRITE || firmware->misc[i] == READ_WORD)
			status = access_memory(firmware, &access);
		memcpy(firmware->answer + 4 * i, bytes, sizeof bytes);
		put_word(firmware->answer + 4 * (items + i), status);
	}
	firmware->answer_size = 8 * items;
}

static const struct {
	uint8_t command, detail; /* detail: of command 0xF2 */
	void (*execute)(struct stlink_firmware *firmware);
} commands[] = {
        {0xF1, 0, execute_version},
        {0xFB, 0, execute_long_version},
        {0xF5, 0, execute_mode},
        {0xF7, 0, execute_voltage},
        {0xF3, 0, execute_leave},
        {0xF4, 0, execute_leave},
        {0xF2, 0x21, execute_leave},
        {0xF2, 0x30, execute_enter},
        {0xF2, 0x31, execute_idcodes},
        {0xF2, 0x32, execute_reset},
        {0xF2, 0x35, execute_write_debug_register},
        {0xF2, 0x36, execute_read_debug_register},
        {0xF2, 0x3B, execute_last_status},
        {0xF2, 0x3C, execute_reset_pin},
        {0xF2, 0x3E, execute_last_status},
        {0xF2, 0x43, execute_divisor},
        {0xF2, 0x45, execute_read_port},
        {0xF2, 0x46, execute_write_port},
        {0xF2, 0x4B, execute_open_port},
        {0xF2, 0x4C, execute_close_port},
        {0xF2, 0x51, execute_misc_out},
        {0xF2, 0x52, execute_misc_in},
        {0xF2, 0x61, execute_clock},
        {0xF2, 0x62, execute_list_clocks},
        {0xF2, 0x07, execute_memory},
        {0xF2, 0x08, execute_memory},
        {0xF2, 0x0C, execute_memory},
        {0xF2, 0x0D, execute_memory},
        {0xF2, 0x47, execute_memory},
        {0xF2, 0x48, execute_memory},
        {0xF2, 0x50, execute_memory},
        {0xF2, 0x54, execute_memory},
};

void stlink_execute(struct stlink_firmware *firmware, const uint8_t command[STLINK_COMMAND_SIZE])
{
	memcpy(firmware->command, command, STLINK_COMMAND_SIZE);
	firmware->answer_size = firmware->expected = 0;
	firmware->has_status = firmware->has_left_dfu = false;
	for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
		if (commands[i].command == command[0] && (command[0] != 0xF2 || commands[i].detail == command[1])) {
			commands[i].execute(firmware);
			return;
		}
	violate(firmware);
}

void stlink_take_data(struct stlink_firmware *firmware, const uint8_t *data)
{
	struct access access;

	if (firmware->command[1] == 0x51) {
		memcpy(firmware->misc, data, firmware->expected);
	} else if (read_access(firmware, &access)) {
		memcpy(access.bytes, data, access.size);
		firmware->last_status = (uint16_t)access_memory(firmware, &access);
	}
	firmware->expected = 0;
}

void stlink_start(struct stlink_firmware *firmware)
{
	firmware->last_status = OK;
	firmware->kilohertz = firmware->hardware >= 3 ? 1000 : 1800;
	firmware->answer_size = firmware->expected = 0;
	memset(firmware->is_open, 0, sizeof firmware->is_open);
	firmware->is_open[0] = firmware->mode == STLINK_DEBUG;
}
