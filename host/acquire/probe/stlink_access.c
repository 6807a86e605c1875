/* SPDX-License-Identifier: MIT */
/* Accesses to memory and registers through an ST-Link: a block of an access is a command or two. See stlink_state.h. */
#include "acquire/probe/stlink_state.h"

#include "acquire/dap/registers.h"

#include <inttypes.h>
#include <string.h>

/* Recovery takes a stronger measure after this many failures in a row. */
#define STRONGER_TRIES 8
/* The longest pause after WAIT, as a power of two in milliseconds. */
#define PAUSE_MAX 6

/* --- The commands of each kind of access. */

/* Requests the status of the last memory command, whose answer has none (pyOCD, stlink.py; OpenOCD,
 * stlink_usb_get_rw_status()). */
static enum status take_last_status(struct stlink *stlink, struct access_result *result, struct error *error)
{
	uint8_t answer[12];
	const struct stlink_request query = {
	        .command = {STLINK_DEBUG, STLINK_GET_LAST_STATUS}, .in = answer, .in_size = sizeof answer};

	enum status status = stlink_ask_for_result(stlink, &query, result, error);
	if (status == STATUS_OK)
		result->address = stlink_word(answer + 4);
	return status;
}

/* Shortens a command that cannot transfer all remaining units so that it ends with a TAR window, and the next command
 * begins with one. */
static void end_at_window(struct access_block *block)
{
	const size_t beyond = (block->address / 4 + block->count) % (TAR_WINDOW / 4);

	if (block->count < block->left && beyond < block->count)
		block->count -= beyond;
}

static enum status transfer_memory(struct stlink *stlink, struct access_block *block, struct access_result *result,
                                   struct error *error)
{
	const bool is_chosen = stlink_has(stlink, STLINK_CHOOSES_PORT);
	const uint8_t command = !block->is_write   ? STLINK_READ_WORDS
	                        : block->unit == 4 ? STLINK_WRITE_WORDS
	                                           : STLINK_WRITE_BYTES;
	const size_t size = block->count * block->unit;
	uint8_t bytes[STLINK_ACCESS_MAX];
	struct stlink_request request = {.command = {STLINK_DEBUG, command, STLINK_WORD(block->address),
	                                             STLINK_HALF(size), is_chosen ? (uint8_t)stlink->port : 0,
	                                             is_chosen ? (uint8_t)(stlink->csw >> 8) : 0,
	                                             is_chosen ? (uint8_t)(stlink->csw >> 16) : 0,
	                                             is_chosen ? (uint8_t)(stlink->csw >> 24) : 0}};

	if (block->is_write) {
		for (size_t i = 0; i < size; i++)
			bytes[i] = (uint8_t)(block->words[i / block->unit] >> 8 * ((block->address + i) % 4));
		request.out = bytes;
		request.out_size = size;
	} else {
		request.in = bytes;
		request.in_size = size;
	}
	enum status status = stlink_ask(stlink, &request, error);
	if (status == STATUS_OK)
		status = take_last_status(stlink, result, error);
	for (size_t i = 0; status == STATUS_OK && !block->is_write && i < block->count; i++)
		block->words[i] = stlink_word(bytes + 4 * i);
	return status;
}

/* Sends a command whose answer is a status and the word, or that contains the word to write. */
static enum status transfer_word(struct stlink *stlink, const struct stlink_request *request,
                                 struct access_block *block, struct access_result *result, struct error *error)
{
	const uint8_t written[] = {STLINK_WORD(*block->words)};
	struct stlink_request query = *request;
	uint8_t answer[8];

	query.in = answer;
	query.in_size = block->is_write ? 2 : sizeof answer;
	if (block->is_write)
		memcpy(query.command + 6, written, sizeof written);
	enum status status = stlink_ask_for_result(stlink, &query, result, error);
	if (status == STATUS_OK && !block->is_write)
		*block->words = stlink_word(answer + 4);
	return status;
}

/* Accesses a register of a port; block->detail is the port's number. */
static enum status transfer_port(struct stlink *stlink, struct access_block *block, struct access_result *result,
                                 struct error *error)
{
	const unsigned port = *(const unsigned *)block->detail;
	const struct stlink_request request = {.command = {STLINK_DEBUG,
	                                                   block->is_write ? STLINK_WRITE_PORT : STLINK_READ_PORT,
	                                                   STLINK_HALF(port), STLINK_HALF(block->address)}};

	return transfer_word(stlink, &request, block, result, error);
}

/* Uses one command instead of two, through access port 0. */
static enum status transfer_register(struct stlink *stlink, struct access_block *block, struct access_result *result,
                                     struct error *error)
{
	const uint8_t code = block->is_write ? STLINK_WRITE_DEBUG_REGISTER : STLINK_READ_DEBUG_REGISTER;
	const struct stlink_request request = {.command = {STLINK_DEBUG, code, STLINK_WORD(block->address)}};

	block->count = 1;
	return stlink->port != 0 ? transfer_memory(stlink, block, result, error)
	                         : transfer_word(stlink, &request, block, result, error);
}

enum status stlink_transfer(void *probe, struct access_block *block, struct access_result *result, struct error *error)
{
	struct stlink *stlink = probe;
	enum status status;

	if (block->detail != NULL) {
		status = transfer_port(stlink, block, result, error);
	} else if (block->is_register) {
		status = transfer_register(stlink, block, result, error);
	} else {
		end_at_window(block);
		status = transfer_memory(stlink, block, result, error);
	}
	if (status == STATUS_OK && result->ack == DAP_OK)
		stlink->is_lost = false;
	return status;
}

/* --- Errors. */

/* Writes ABORT once. The next access shows whether that failed. */
static enum status clear_errors(struct stlink *stlink, uint32_t abort, struct error *error)
{
	struct access_block block = {
	        .address = DP_ABORT, .words = &abort, .is_write = true, .detail = &(unsigned){STLINK_DEBUG_PORT}};
	struct access_result ignored;

	return transfer_port(stlink, &block, &ignored, error);
}

static enum status connect_again(struct stlink *stlink, struct error *error)
{
	struct access_result ignored;

	return stlink_connect(stlink, &ignored, error);
}

enum status stlink_recover(void *probe, struct access_result *result, unsigned tries, struct error *error)
{
	struct stlink *stlink = probe;
	const bool is_stronger = tries % STRONGER_TRIES == STRONGER_TRIES - 1;
	const bool can_clear = stlink_has(stlink, STLINK_HAS_PORT_REGISTERS);

	if (result->ack == DAP_WAIT) {
		access_pause(&stlink->setup, 1u << (tries < PAUSE_MAX ? tries : PAUSE_MAX));
		if (!is_stronger)
			return STATUS_OK;
		return can_clear ? clear_errors(stlink, ABORT_CLEAR_ALL | ABORT_DAPABORT, error)
		                 : connect_again(stlink, error);
	}
	if (result->ack == DAP_FAULT && can_clear && !is_stronger)
		return clear_errors(stlink, ABORT_CLEAR_ALL, error);
	return connect_again(stlink, error);
}

enum status stlink_fail(void *probe, const struct access_block *block, const struct access_result *result,
                        struct error *error)
{
	struct stlink *stlink = probe;
	const char *verb = block->is_write ? "write" : "read", *source = stlink->access.source;
	uint64_t address = block->address;
	char text[128];
	const char *reason = stlink_reason(result, text, sizeof text);

	stlink->is_lost = result->ack != DAP_FAULT;
	if (block->detail != NULL)
		return status_fail(error, "%s: cannot set up access port %u: %s", source,
		                   *(const unsigned *)block->detail, reason);
	if (result->address > address && result->address - address < block->count * block->unit)
		address = result->address;
	return status_fail(error, "%s: cannot %s memory at 0x%" PRIx64 " by %s: %s", source, verb, address,
	                   stlink->access.name, reason);
}

/* --- Registers of ports. */

static enum status access_port(struct stlink *stlink, unsigned port, struct access_block block, struct error *error)
{
	block.left = 1;
	block.unit = 4;
	block.detail = &port;
	return access_move(&stlink->access, &block, error);
}

enum status stlink_read_port(struct stlink *stlink, unsigned port, unsigned address, uint32_t *word, bool may_be_absent,
                             struct error *error)
{
	return access_port(stlink, port,
	                   (struct access_block){.address = address, .words = word, .may_be_absent = may_be_absent},
	                   error);
}

enum status stlink_write_port(struct stlink *stlink, unsigned port, unsigned address, uint32_t word,
                              struct error *error)
{
	return access_port(stlink, port, (struct access_block){.address = address, .words = &word, .is_write = true},
	                   error);
}
