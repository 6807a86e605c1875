/* SPDX-License-Identifier: MIT */
/* See hart.h. */
#include "hart.h"

/* Registers of the module (3.12). */
enum { DATA0 = 0x04, ABSTRACTCS = 0x16, COMMAND = 0x17, ABSTRACTAUTO = 0x18, PROGBUF0 = 0x20 };

#define ABSTRACTCS_PROGBUFSIZE 24
#define ABSTRACTCS_BUSY        0x1000u
#define CMDERR_SHIFT           8
enum { CMDERR_BUSY = 1, CMDERR_NOT_SUPPORTED = 2, CMDERR_EXCEPTION = 3, CMDERR_HALT = 4 };

/* Accesses to a register (3.6.1.1) and to memory (3.6.1.3). */
enum { TYPE_REGISTER = 0, TYPE_MEMORY = 2 };
#define COMMAND_TYPE(word)  ((word) >> 24)
#define COMMAND_SIZE(word)  ((word) >> 20 & 7u)
#define COMMAND_INCREMENT   0x80000u
#define COMMAND_POSTEXEC    0x40000u
#define COMMAND_TRANSFER    0x20000u
#define COMMAND_WRITE       0x10000u
#define COMMAND_REGNO(word) ((word)&0xffffu)

#define GENERAL       0x1000u
#define STACK_POINTER 2u /* x2 */
#define MISA          0x301u
#define DCSR          0x7b0u
#define DPC           0x7b1u
#define MISA_32       0x40101105u           /* RV32IMACU */
#define MISA_64       0x8000000000101105ull /* RV64IMACU */
#define DCSR_32       0x400000c3u           /* version 4, halted by haltreq, machine mode */

/* Instructions (RISC-V unprivileged ISA, chapter 24). */
enum { OPCODE_LOAD = 0x03, OPCODE_FENCE = 0x0f, OPCODE_IMMEDIATE = 0x13, OPCODE_STORE = 0x23 };
enum { WORD = 2, DOUBLE = 3, ADDI = 0 }; /* funct3 */
#define EBREAK 0x00100073u

static uint64_t extend(const struct hart *hart, uint64_t value)
{
	return hart->setup->xlen == 32 ? (uint32_t)value : value;
}

void hart_halt(struct hart *hart, bool is_halted)
{
	if (hart->is_halted == is_halted)
		return;
	/* A register's values while the firmware runs. */
	for (unsigned i = 0; i < 32; i++) {
		const bool is_stack = i == STACK_POINTER && hart->setup->stack != 0;
		const uint64_t value = is_stack ? hart->setup->stack : extend(hart, 0x0101010101010101u * i);

		hart->counts->changed_registers += !is_halted && hart->general[i] != value;
		hart->general[i] = value;
	}
	hart->is_halted = is_halted;
	hart->counts->halts += is_halted;
	memory_let_run(hart->memory, !is_halted);
}

/* Reads or writes 4 or 8 bytes. */
static bool access_bytes(struct hart *hart, uint64_t address, unsigned size, uint64_t *value, bool is_write)
{
	struct memory_access access = {.size = 4, .is_write = is_write};
	uint64_t read = 0;

	if (address % size != 0)
		return false;
	for (unsigned at = 0; at < size; at += 4) {
		access.address = address + at;
		for (unsigned i = 0; i < 4; i++)
			access.bytes[i] = (uint8_t)(*value >> 8 * (at + i));
		if (!memory_access(hart->memory, &access))
			return false;
		for (unsigned i = 0; i < 4; i++)
			read |= (uint64_t)access.bytes[i] << 8 * (at + i);
	}
	*value = read;
	return true;
}

static int32_t immediate(uint32_t high, uint32_t low)
{
	return (int32_t)((high & 0xfe000000u) | (low & 0x1fu) << 20) >> 20;
}

/* The logarithm of the bytes of a word or of a 64-bit register. */
static bool is_size(const struct hart *hart, unsigned size)
{
	return size == WORD || (size == DOUBLE && hart->setup->xlen == 64);
}

/* Returns an error for cmderr, or 0. */
static unsigned execute_one(struct hart *hart, uint32_t instruction)
{
	const unsigned opcode = instruction & 0x7f, function = instruction >> 12 & 7;
	const unsigned rd = instruction >> 7 & 31, rs1 = instruction >> 15 & 31, rs2 = instruction >> 20 & 31;
	const bool is_store = opcode == OPCODE_STORE;
	const uint64_t sum =
	        extend(hart, hart->general[rs1] + (uint64_t)(int64_t)immediate(instruction, is_store ? rd : rs2));
	uint64_t value = hart->general[rs2];

	if (opcode == OPCODE_FENCE)
		return 0;
	if (opcode == OPCODE_IMMEDIATE && function == ADDI)
		hart->general[rd] = sum;
	else if ((opcode != OPCODE_LOAD && !is_store) || !is_size(hart, function) ||
	         !access_bytes(hart, sum, 1u << function, &value, is_store))
		return CMDERR_EXCEPTION;
	else if (!is_store)
		hart->general[rd] = extend(hart, function == WORD ? (uint64_t)(int64_t)(int32_t)value : value);
	hart->general[0] = 0;
	return 0;
}

/* Running past the end of the buffer is an exception: there is no implicit ebreak. */
static unsigned execute_program(struct hart *hart)
{
	for (unsigned i = 0; i < hart->setup->progbuf && hart->program[i] != EBREAK; i++) {
		const unsigned error = execute_one(hart, hart->program[i]);

		if (error != 0 || (i + 1 == hart->setup->progbuf && hart->program[i] != EBREAK))
			return CMDERR_EXCEPTION;
	}
	return 0;
}

static uint64_t argument(const struct hart *hart, unsigned number)
{
	if (hart->setup->xlen == 32)
		return hart->data[number];
	return hart->data[2 * number] | (uint64_t)hart->data[2 * number + 1] << 32;
}

static void set_argument(struct hart *hart, unsigned number, uint64_t value)
{
	if (hart->setup->xlen == 32) {
		hart->data[number] = (uint32_t)value;
		return;
	}
	hart->data[2 * number] = (uint32_t)value;
	hart->data[2 * number + 1] = (uint32_t)(value >> 32);
}

static unsigned access_register(struct hart *hart, uint32_t number, uint32_t size, bool is_write)
{
	const bool is_general = number >= GENERAL && number < GENERAL + 32;
	uint64_t value;

	if (!is_size(hart, size))
		return CMDERR_NOT_SUPPORTED;
	if (is_write && is_general && number > GENERAL)
		hart->general[number - GENERAL] = size == WORD ? hart->data[0] : argument(hart, 0);
	if (is_write)
		return is_general || number == DCSR || number == DPC ? 0 : CMDERR_EXCEPTION;
	if (is_general)
		value = hart->general[number - GENERAL];
	else if (number == MISA)
		value = hart->setup->xlen == 32 ? MISA_32 : MISA_64;
	else if (number == DCSR)
		value = DCSR_32;
	else if (number == DPC)
		value = memory_program_counter(hart->memory);
	else
		return CMDERR_EXCEPTION;
	if (size == WORD)
		hart->data[0] = (uint32_t)value;
	else
		set_argument(hart, 0, value);
	return 0;
}

static unsigned access_memory(struct hart *hart, uint32_t command)
{
	const uint64_t address = argument(hart, 1);
	const uint32_t size = COMMAND_SIZE(command);
	uint64_t value = argument(hart, 0);

	if (hart->setup->abstract == 0 || !is_size(hart, size))
		return CMDERR_NOT_SUPPORTED;
	if (!access_bytes(hart, address, 1u << size, &value, (command & COMMAND_WRITE) != 0))
		return CMDERR_EXCEPTION;
	set_argument(hart, 0, value);
	if ((command & COMMAND_INCREMENT) != 0)
		set_argument(hart, 1, address + (1u << size));
	return 0;
}

static unsigned execute(struct hart *hart, uint32_t command)
{
	unsigned error = 0;

	if (!hart->is_halted)
		return CMDERR_HALT;
	if (COMMAND_TYPE(command) == TYPE_MEMORY)
		return access_memory(hart, command);
	if (COMMAND_TYPE(command) != TYPE_REGISTER || ((command & COMMAND_POSTEXEC) != 0 && hart->setup->progbuf == 0))
		return CMDERR_NOT_SUPPORTED;
	if ((command & COMMAND_TRANSFER) != 0)
		error = access_register(hart, COMMAND_REGNO(command), COMMAND_SIZE(command),
		                        (command & COMMAND_WRITE) != 0);
	return error == 0 && (command & COMMAND_POSTEXEC) != 0 ? execute_program(hart) : error;
}

static void run_command(struct hart *hart)
{
	if (hart->command_error != 0)
		return;
	hart->command_error = execute(hart, hart->command);
	hart->busy_until = hart->counts->clocks + hart->setup->command_busy;
}

static bool is_busy(const struct hart *hart)
{
	return hart->counts->clocks < hart->busy_until;
}

/* 3.12.6: an access to the registers of a command in progress has no effect but this error. */
static bool may_access(struct hart *hart)
{
	if (is_busy(hart) && hart->command_error == 0)
		hart->command_error = CMDERR_BUSY;
	return !is_busy(hart);
}

static bool is_data(unsigned address)
{
	return address >= DATA0 && address < DATA0 + HART_DATA_COUNT;
}

static bool is_program(unsigned address)
{
	return address >= PROGBUF0 && address < PROGBUF0 + HART_PROGRAM_MAX;
}

bool hart_has(unsigned address)
{
	return is_data(address) || is_program(address) || (address >= ABSTRACTCS && address <= ABSTRACTAUTO);
}

/* An access to data0 may start the command again (3.12.8). */
static void finish_access(struct hart *hart, unsigned address)
{
	if (is_data(address) && (hart->automatic >> (address - DATA0) & 1) != 0)
		run_command(hart);
}

uint32_t hart_read(struct hart *hart, unsigned address)
{
	uint32_t word = 0;

	if (address == ABSTRACTCS)
		return (uint32_t)hart->setup->progbuf << ABSTRACTCS_PROGBUFSIZE |
		       (is_busy(hart) ? ABSTRACTCS_BUSY : 0) | hart->command_error << CMDERR_SHIFT | HART_DATA_COUNT;
	if (address == ABSTRACTAUTO)
		return hart->automatic;
	if (!may_access(hart))
		return 0;
	if (is_data(address))
		word = hart->data[address - DATA0];
	else if (is_program(address))
		word = hart->program[address - PROGBUF0];
	finish_access(hart, address);
	return word;
}

void hart_write(struct hart *hart, unsigned address, uint32_t word)
{
	if (!may_access(hart))
		return;
	if (address == ABSTRACTCS) {
		hart->command_error &= ~(word >> CMDERR_SHIFT & 7);
	} else if (address == COMMAND) {
		hart->command = word;
		run_command(hart);
	} else if (address == ABSTRACTAUTO) {
		hart->automatic = word & ((1u << HART_DATA_COUNT) - 1);
	} else if (is_data(address)) {
		hart->data[address - DATA0] = word;
		finish_access(hart, address);
	} else if (address < PROGBUF0 + hart->setup->progbuf) {
		hart->program[address - PROGBUF0] = word;
	}
}
