/* SPDX-License-Identifier: MIT */
/* Control of a hart, and accesses by a halted hart: abstract commands for registers and memory, and programs of a few
 * instructions ("RISC-V External Debug Support", 0.13.2, 3.4 to 3.7). */
#include "acquire/riscv/riscv_state.h"

#include <inttypes.h>

/* Milliseconds of ndmreset. */
#define RESET_TIME 10

/* Instructions of the program buffer. */
#define LW_S1_S0   0x00042483u /* lw s1, 0(s0) */
#define SW_S1_S0   0x00942023u /* sw s1, 0(s0) */
#define ADDI_S0_S0 0x00440413u /* addi s0, s0, 4 */
#define EBREAK     0x00100073u

/* Waits until one of the bits of dmstatus is set. */
static enum status await_status(struct riscv *riscv, uint32_t bits, const char *what, struct error *error)
{
	const uint64_t deadline = riscv->setup.clock->now() + RISCV_REACTION_TIME;
	uint32_t word;

	do {
		enum status status = riscv_get(riscv, DM_STATUS, &word, error);

		if (status != STATUS_OK || (word & bits) != 0)
			return status;
	} while (riscv->setup.clock->now() < deadline);
	return status_fail(error, "%s: the hart did not %s in %d ms (dmstatus 0x%08" PRIx32 ")", riscv_source(riscv),
	                   what, RISCV_REACTION_TIME, word);
}

/* --- Abstract commands. */

/* The transfer of a register; size 0: unknown width. */
static uint32_t register_transfer(uint32_t number, unsigned size)
{
	return COMMAND_TRANSFER | COMMAND_SIZE(size) | number;
}

struct abstract_command {
	uint32_t command;
	uint64_t *value; /* value of the register */
	uint32_t words[2];
	uint32_t result; /* abstractcs */
};

static void add_command(struct riscv *riscv, void *context)
{
	struct abstract_command *command = context;
	struct dtm *dtm = &riscv->dtm;

	dtm_add_write(dtm, DM_ABSTRACTCS, ABSTRACT_ERROR);
	dtm_add_write(dtm, DM_ABSTRACTAUTO, 0);
	if (command->command & COMMAND_WRITE) {
		dtm_add_write(dtm, DM_DATA0, (uint32_t)*command->value);
		dtm_add_write(dtm, DM_DATA0 + 1, (uint32_t)(*command->value >> 32));
	}
	dtm_add_write(dtm, DM_COMMAND, command->command);
	dtm_add_read(dtm, DM_ABSTRACTCS, &command->result);
}

static void add_value_reads(struct riscv *riscv, void *context)
{
	struct abstract_command *command = context;

	dtm_add_read(&riscv->dtm, DM_DATA0, &command->words[0]);
	dtm_add_read(&riscv->dtm, DM_DATA0 + 1, &command->words[1]);
}

/* Executes a command and waits for its end. *result is abstractcs, perhaps with an error. */
static enum status execute_command(struct riscv *riscv, uint32_t number, uint64_t *value, uint32_t *result,
                                   struct error *error)
{
	const uint64_t deadline = riscv->setup.clock->now() + RISCV_REACTION_TIME;
	struct abstract_command command = {.command = number, .value = value};

	enum status status = riscv_make(riscv, add_command, &command, error);
	while (status == STATUS_OK && command.result & ABSTRACT_BUSY && riscv->setup.clock->now() < deadline)
		status = riscv_get(riscv, DM_ABSTRACTCS, &command.result, error);
	*result = command.result;
	if (status != STATUS_OK || command.result & (ABSTRACT_BUSY | ABSTRACT_ERROR) || number & COMMAND_WRITE)
		return status;
	status = riscv_make(riscv, add_value_reads, &command, error);
	*value = command.words[0];
	if ((number & COMMAND_SIZE(7)) == COMMAND_SIZE(COMMAND_64))
		*value |= (uint64_t)command.words[1] << 32;
	return status;
}

static enum status fail_command(const struct riscv *riscv, const char *what, uint32_t result, struct error *error)
{
	return status_fail(error, "%s: %s (abstractcs 0x%08" PRIx32 ")", riscv_source(riscv), what, result);
}

/* Tries both widths: the module refuses a wrong one. */
static enum status find_register_size(struct riscv *riscv, struct error *error)
{
	uint32_t result = 0;
	uint64_t unused;

	if (riscv->register_size != 0)
		return STATUS_OK;
	for (unsigned size = COMMAND_64; size >= COMMAND_32; size--) {
		enum status status =
		        execute_command(riscv, register_transfer(REGISTER_S0, size), &unused, &result, error);

		if (status != STATUS_OK)
			return status;
		riscv->register_size = size;
		if (!(result & (ABSTRACT_BUSY | ABSTRACT_ERROR)))
			return STATUS_OK;
	}
	riscv->register_size = 0;
	return fail_command(riscv, "the registers of the hart cannot be read", result, error);
}

static enum status access_hart_register(struct riscv *riscv, uint32_t number, uint64_t *value, struct error *error)
{
	uint32_t result;

	enum status status = find_register_size(riscv, error);
	if (status == STATUS_OK)
		status = execute_command(riscv, register_transfer(number, riscv->register_size), value, &result, error);
	if (status != STATUS_OK || !(result & (ABSTRACT_BUSY | ABSTRACT_ERROR)))
		return status;
	return fail_command(riscv, "the registers of the hart cannot be accessed", result, error);
}

/* --- Memory of a halted hart. */

static bool hart_is_too_fast(uint32_t result)
{
	return result & ABSTRACT_BUSY || (result & ABSTRACT_ERROR) == ABSTRACT_WAS_BUSY;
}

static const char *hart_error_of(uint32_t result)
{
	static const char *const names[8] = {
	        [2] = "the debug module does not support it",
	        [3] = "no memory is there, or it is protected",
	        [4] = "the hart is not halted",
	        [5] = "the target's bus answers with an error",
	};
	const uint32_t number = (result & ABSTRACT_ERROR) >> 8;

	if (number == 0 || hart_is_too_fast(result))
		return NULL;
	return names[number] != NULL ? names[number] : "the hart answers with an error";
}

static enum status begin_abstract(struct riscv *riscv, struct error *error)
{
	bool is_halted;

	enum status status = riscv_is_halted(riscv, &is_halted, error);
	if (status == STATUS_OK && !is_halted)
		return status_fail(error,
		                   "%s: the debug module has no system bus, so memory can be read only while the hart "
		                   "is halted",
		                   riscv_source(riscv));
	return status != STATUS_OK ? status : find_register_size(riscv, error);
}

/* An argument is as wide as a register (3.6.1.3). */
static void add_argument(struct riscv *riscv, unsigned number, uint64_t value)
{
	const unsigned words = riscv->register_size == COMMAND_64 ? 2 : 1;

	dtm_add_write(&riscv->dtm, DM_DATA0 + number * words, (uint32_t)value);
	if (words == 2)
		dtm_add_write(&riscv->dtm, DM_DATA0 + number * words + 1, (uint32_t)(value >> 32));
}

static void add_start(struct riscv *riscv)
{
	dtm_add_write(&riscv->dtm, DM_ABSTRACTCS, ABSTRACT_ERROR);
	dtm_add_write(&riscv->dtm, DM_ABSTRACTAUTO, 0);
}

/* From the second word on, each access to data0 executes the command again. */
static void add_abstract_read(struct riscv *riscv, const struct access_block *block, uint32_t *result)
{
	struct dtm *dtm = &riscv->dtm;

	add_start(riscv);
	add_argument(riscv, 1, block->address);
	dtm_add_write(dtm, DM_COMMAND, COMMAND_MEMORY | COMMAND_INCREMENT | COMMAND_SIZE(COMMAND_32));
	dtm_add_write(dtm, DM_ABSTRACTAUTO, 1);
	for (size_t i = 0; i + 1 < block->count; i++)
		dtm_add_read(dtm, DM_DATA0, &block->words[i]);
	dtm_add_write(dtm, DM_ABSTRACTAUTO, 0);
	dtm_add_read(dtm, DM_DATA0, &block->words[block->count - 1]);
	dtm_add_read(dtm, DM_ABSTRACTCS, result);
}

/* The first word is argument 0 of the command. Each later one, written to data0, executes the command again. */
static void add_block_write(struct riscv *riscv, const struct access_block *block, uint32_t command, uint32_t *result)
{
	struct dtm *dtm = &riscv->dtm;

	add_argument(riscv, 0, block->words[0]);
	dtm_add_write(dtm, DM_COMMAND, command);
	dtm_add_write(dtm, DM_ABSTRACTAUTO, 1);
	for (size_t i = 1; i < block->count; i++)
		dtm_add_write(dtm, DM_DATA0, block->words[i]);
	dtm_add_write(dtm, DM_ABSTRACTAUTO, 0);
	dtm_add_read(dtm, DM_ABSTRACTCS, result);
}

static void add_abstract_write(struct riscv *riscv, const struct access_block *block, uint32_t *result)
{
	add_start(riscv);
	add_argument(riscv, 1, block->address);
	add_block_write(riscv, block, COMMAND_MEMORY | COMMAND_INCREMENT | COMMAND_WRITE | COMMAND_SIZE(COMMAND_32),
	                result);
}

const struct riscv_memory riscv_abstract = {
        .add_read = add_abstract_read,
        .add_write = add_abstract_write,
        .is_too_fast = hart_is_too_fast,
        .error_of = hart_error_of,
        .result_name = "abstractcs",
        .begin = begin_abstract,
};

static enum status begin_program(struct riscv *riscv, struct error *error)
{
	enum status status = begin_abstract(riscv, error);

	if (status != STATUS_OK || riscv->has_saved)
		return status;
	status = access_hart_register(riscv, REGISTER_S0, &riscv->saved[0], error);
	if (status == STATUS_OK)
		status = access_hart_register(riscv, REGISTER_S1, &riscv->saved[1], error);
	riscv->has_saved = status == STATUS_OK;
	return status;
}

static enum status end_program(struct riscv *riscv, struct error *error)
{
	if (!riscv->has_saved)
		return STATUS_OK;
	enum status status = access_hart_register(riscv, REGISTER_S0 | COMMAND_WRITE, &riscv->saved[0], error);
	if (status == STATUS_OK)
		status = access_hart_register(riscv, REGISTER_S1 | COMMAND_WRITE, &riscv->saved[1], error);
	riscv->has_saved = status != STATUS_OK;
	return status;
}

/* Sets s0 to the address, and writes the program that moves a word between there and s1. */
static void add_program(struct riscv *riscv, uint64_t address, uint32_t instruction, uint32_t execute_now)
{
	const uint32_t program[] = {instruction, ADDI_S0_S0, EBREAK};

	add_start(riscv);
	for (unsigned i = 0; i < sizeof program / sizeof program[0]; i++)
		dtm_add_write(&riscv->dtm, DM_PROGBUF0 + i, program[i]);
	add_argument(riscv, 0, address);
	dtm_add_write(&riscv->dtm, DM_COMMAND,
	              register_transfer(REGISTER_S0, riscv->register_size) | COMMAND_WRITE | execute_now);
}

/* Each command reads a word from s1 and loads the next, except the last: memory after the block may not exist. */
static void add_program_read(struct riscv *riscv, const struct access_block *block, uint32_t *result)
{
	const uint32_t take = register_transfer(REGISTER_S1, COMMAND_32);
	const size_t last = block->count - 1;
	struct dtm *dtm = &riscv->dtm;

	add_program(riscv, block->address, LW_S1_S0, COMMAND_POSTEXEC);
	if (last > 0) {
		dtm_add_write(dtm, DM_COMMAND, take | COMMAND_POSTEXEC);
		dtm_add_write(dtm, DM_ABSTRACTAUTO, 1);
		for (size_t i = 0; i + 1 < last; i++)
			dtm_add_read(dtm, DM_DATA0, &block->words[i]);
		dtm_add_write(dtm, DM_ABSTRACTAUTO, 0);
		dtm_add_read(dtm, DM_DATA0, &block->words[last - 1]);
	}
	dtm_add_write(dtm, DM_COMMAND, take);
	dtm_add_read(dtm, DM_DATA0, &block->words[last]);
	dtm_add_read(dtm, DM_ABSTRACTCS, result);
}

static void add_program_write(struct riscv *riscv, const struct access_block *block, uint32_t *result)
{
	add_program(riscv, block->address, SW_S1_S0, 0);
	add_block_write(riscv, block,
	                register_transfer(REGISTER_S1, riscv->register_size) | COMMAND_WRITE | COMMAND_POSTEXEC,
	                result);
}

const struct riscv_memory riscv_program = {
        .add_read = add_program_read,
        .add_write = add_program_write,
        .is_too_fast = hart_is_too_fast,
        .error_of = hart_error_of,
        .result_name = "abstractcs",
        .begin = begin_program,
        .end = end_program,
};

/* --- Control. */

enum status riscv_is_halted(struct riscv *riscv, bool *is_halted, struct error *error)
{
	uint32_t word;

	enum status status = riscv_get(riscv, DM_STATUS, &word, error);
	*is_halted = (word & STATUS_HALTED) != 0;
	return status;
}

enum status riscv_halt(struct riscv *riscv, struct error *error)
{
	bool is_halted;

	enum status status = riscv_is_halted(riscv, &is_halted, error);
	if (status == STATUS_OK && is_halted && riscv->memory == &riscv_program)
		return status_fail(error,
		                   "%s: a connection was lost while instructions of the halted hart read memory: its "
		                   "registers may have changed, so reset the target",
		                   riscv_source(riscv));
	if (status == STATUS_OK)
		status = riscv_set(riscv, DM_CONTROL, riscv_control(riscv) | CONTROL_HALTREQ, error);
	if (status == STATUS_OK)
		status = await_status(riscv, STATUS_HALTED, "halt", error);
	return status != STATUS_OK ? status : riscv_set(riscv, DM_CONTROL, riscv_control(riscv), error);
}

/* Checks first that the hart is halted: a running hart, if a request to halt failed, would not acknowledge the request
 * (3.5). */
enum status riscv_resume(struct riscv *riscv, struct error *error)
{
	bool is_halted = false;

	enum status status = end_program(riscv, error);
	if (status == STATUS_OK)
		status = riscv_set(riscv, DM_CONTROL, riscv_control(riscv), error);
	if (status == STATUS_OK)
		status = riscv_is_halted(riscv, &is_halted, error);
	if (status != STATUS_OK || !is_halted)
		return status;
	status = riscv_set(riscv, DM_CONTROL, riscv_control(riscv) | CONTROL_RESUMEREQ, error);
	if (status == STATUS_OK)
		status = await_status(riscv, STATUS_RESUMEACK | STATUS_RUNNING, "resume", error);
	return status != STATUS_OK ? status : riscv_set(riscv, DM_CONTROL, riscv_control(riscv), error);
}

enum status riscv_reset(struct riscv *riscv, struct error *error)
{
	enum status status = riscv_set(riscv, DM_CONTROL, riscv_control(riscv) | CONTROL_ACKHAVERESET, error);

	if (status == STATUS_OK)
		status = riscv_set(riscv, DM_CONTROL, riscv_control(riscv) | CONTROL_NDMRESET, error);
	if (status != STATUS_OK)
		return status;
	access_pause(&riscv->setup, RESET_TIME);
	status = riscv_set(riscv, DM_CONTROL, riscv_control(riscv), error);
	return status != STATUS_OK ? status : await_status(riscv, STATUS_HAVERESET, "reset", error);
}

enum status riscv_await_reset(struct riscv *riscv, struct error *error)
{
	const uint64_t deadline = riscv->setup.clock->now() + RISCV_REACTION_TIME;
	uint32_t word = 0;

	do {
		enum status status = riscv_set(riscv, DM_CONTROL, riscv_control(riscv), error);

		if (status == STATUS_OK)
			status = riscv_get(riscv, DM_CONTROL, &word, error);
		if (status != STATUS_OK || word & CONTROL_DMACTIVE)
			return status;
	} while (riscv->setup.clock->now() < deadline);
	return status_fail(error, "%s: the debug module did not come out of reset in %d ms (dmcontrol 0x%08" PRIx32 ")",
	                   riscv_source(riscv), RISCV_REACTION_TIME, word);
}

enum status riscv_read_pc(struct riscv *riscv, uint64_t *pc, struct error *error)
{
	return access_hart_register(riscv, REGISTER_DPC, pc, error);
}

enum status riscv_read_register(struct riscv *riscv, unsigned number, uint64_t *value, struct error *error)
{
	return access_hart_register(riscv, REGISTER_GENERAL + number, value, error);
}
