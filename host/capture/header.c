/* SPDX-License-Identifier: MIT */
/* The decoder of words, the fixed header and the directory of a block. */
#include "capture/decoders.h"

#include <bareprof/block.h>
#include <inttypes.h>
#include <string.h>

uint16_t capture_u16(const struct capture_order *order, const uint8_t *bytes)
{
	unsigned first = bytes[0], second = bytes[1];

	return (uint16_t)(order->big_endian ? first << 8 | second : second << 8 | first);
}

uint32_t capture_u32(const struct capture_order *order, const uint8_t *bytes)
{
	uint32_t first = capture_u16(order, bytes), second = capture_u16(order, bytes + 2);

	return order->big_endian ? first << 16 | second : second << 16 | first;
}

uint64_t capture_u64(const struct capture_order *order, const uint8_t *bytes)
{
	uint64_t first = capture_u32(order, bytes), second = capture_u32(order, bytes + 4);

	return order->big_endian ? first << 32 | second : second << 32 | first;
}

uint64_t capture_address(const struct capture_order *order, const uint8_t *bytes)
{
	return order->address_size == 8 ? capture_u64(order, bytes) : capture_u32(order, bytes);
}

uint64_t capture_counter(const struct capture_order *order, const uint8_t *bytes, unsigned size)
{
	switch (size) {
	case 1:
		return bytes[0];
	case 2:
		return capture_u16(order, bytes);
	case 4:
		return capture_u32(order, bytes);
	default:
		return capture_u64(order, bytes);
	}
}

/* 32-bit counters stop a little below their maximum, because interrupts may increment them at the same time. */
bool counter_is_saturated(uint64_t count, unsigned size)
{
	return count >= (size == 4 ? BAREPROF_COUNTER_LIMIT : UINT64_MAX >> (64 - 8 * size));
}

static enum status decode_order(const char *where, const uint8_t *bytes, struct capture_header *header,
                                struct error *error)
{
	const uint8_t *mark = bytes + BAREPROF_OFFSET_BYTE_ORDER;

	if (mark[0] == (BAREPROF_BYTE_ORDER_MARK & 0xFF) && mark[1] == BAREPROF_BYTE_ORDER_MARK >> 8)
		header->order.big_endian = false;
	else if (mark[0] == BAREPROF_BYTE_ORDER_MARK >> 8 && mark[1] == (BAREPROF_BYTE_ORDER_MARK & 0xFF))
		header->order.big_endian = true;
	else
		return status_fail(error, "%s: offset 0x%x: byte order mark is %02x %02x, expected 02 01 or 01 02",
		                   where, BAREPROF_OFFSET_BYTE_ORDER, mark[0], mark[1]);
	header->order.address_size = bytes[BAREPROF_OFFSET_ADDRESS_SIZE];
	if (header->order.address_size != 4 && header->order.address_size != 8)
		return status_fail(error, "%s: offset 0x%x: address size is %u, expected 4 or 8", where,
		                   BAREPROF_OFFSET_ADDRESS_SIZE, header->order.address_size);
	return STATUS_OK;
}

static enum status decode_version(const char *where, const uint8_t *bytes, struct capture_header *header,
                                  struct error *error)
{
	header->major = bytes[BAREPROF_OFFSET_MAJOR];
	header->minor = bytes[BAREPROF_OFFSET_MINOR];
	if (header->major != BAREPROF_FORMAT_MAJOR)
		return status_fail(
		        error, "%s: block format %u.%u, this tool reads %u.x: use the tool of that firmware's bareprof",
		        where, header->major, header->minor, BAREPROF_FORMAT_MAJOR);
	return STATUS_OK;
}

static enum status decode_header_sizes(const char *where, const uint8_t *bytes, struct capture_header *header,
                                       struct error *error)
{
	const struct capture_order *order = &header->order;

	header->directory_count = bytes[BAREPROF_OFFSET_DIRECTORY_COUNT];
	header->header_size = capture_u16(order, bytes + BAREPROF_OFFSET_HEADER_SIZE);
	header->block_size = capture_u32(order, bytes + BAREPROF_OFFSET_BLOCK_SIZE);
	if (header->header_size < BAREPROF_OFFSET_RANGES)
		return status_fail(error, "%s: offset 0x%x: header of %u bytes, expected at least %u", where,
		                   BAREPROF_OFFSET_HEADER_SIZE, header->header_size, BAREPROF_OFFSET_RANGES);
	if (header->block_size < header->header_size)
		return status_fail(error, "%s: offset 0x%x: block of %u bytes, smaller than its own header of %u",
		                   where, BAREPROF_OFFSET_BLOCK_SIZE, header->block_size, header->header_size);
	if (BAREPROF_OFFSET_DIRECTORY + header->directory_count * BAREPROF_ENTRY_SIZE > header->header_size)
		return status_fail(error, "%s: offset 0x%x: %u directory entries do not fit a header of %u bytes",
		                   where, BAREPROF_OFFSET_DIRECTORY_COUNT, header->directory_count,
		                   header->header_size);
	return STATUS_OK;
}

static void decode_board(const uint8_t *bytes, struct capture_header *header)
{
	for (size_t i = 0; i < BAREPROF_BOARD_CAPACITY && bytes[i] != '\0'; i++)
		header->board[i] = bytes[i] >= ' ' && bytes[i] <= '~' ? (char)bytes[i] : '?';
}

static enum status decode_identity(const char *where, const uint8_t *bytes, struct capture_header *header,
                                   struct error *error)
{
	header->identity_kind = bytes[BAREPROF_OFFSET_IDENTITY_KIND];
	header->identity_size = bytes[BAREPROF_OFFSET_IDENTITY_SIZE];
	if (header->identity_size > BAREPROF_IDENTITY_CAPACITY)
		return status_fail(error, "%s: offset 0x%x: identity of %u bytes, expected at most %u", where,
		                   BAREPROF_OFFSET_IDENTITY_SIZE, header->identity_size, BAREPROF_IDENTITY_CAPACITY);
	memcpy(header->identity, bytes + BAREPROF_OFFSET_IDENTITY, header->identity_size);
	return STATUS_OK;
}

static void decode_words(const uint8_t *bytes, struct capture_header *header)
{
	const struct capture_order *order = &header->order;

	header->block_address = capture_u64(order, bytes + BAREPROF_OFFSET_BLOCK_ADDRESS);
	header->gate = capture_u32(order, bytes + BAREPROF_OFFSET_GATE);
	header->control_argument = capture_u32(order, bytes + BAREPROF_OFFSET_CONTROL_ARGUMENT);
	header->control_request = capture_u32(order, bytes + BAREPROF_OFFSET_CONTROL_REQUEST);
	header->control_acknowledge = capture_u32(order, bytes + BAREPROF_OFFSET_CONTROL_ACKNOWLEDGE);
	/* The gate is the state minus the address. */
	header->state = header->gate - BAREPROF_GATE(header->block_address, 0);
	header->epoch = capture_u32(order, bytes + BAREPROF_OFFSET_EPOCH);
	header->reset_count = capture_u32(order, bytes + BAREPROF_OFFSET_RESET_COUNT);
	header->clock_hz = capture_u32(order, bytes + BAREPROF_OFFSET_CLOCK_HZ);
	header->period = capture_u32(order, bytes + BAREPROF_OFFSET_PERIOD);
	header->ticks = capture_u32(order, bytes + BAREPROF_OFFSET_TICKS);
	uint32_t ticks_missed = capture_u32(order, bytes + BAREPROF_OFFSET_TICKS_MISSED);
	header->ticks_missed = ticks_missed == BAREPROF_UNKNOWN ? CAPTURE_UNKNOWN : ticks_missed;
	header->samples_outside = capture_u32(order, bytes + BAREPROF_OFFSET_SAMPLES_OUTSIDE);
	header->samples_table_full = capture_u32(order, bytes + BAREPROF_OFFSET_SAMPLES_TABLE_FULL);
	header->arcs_dropped = capture_u32(order, bytes + BAREPROF_OFFSET_ARCS_DROPPED);
	header->saturated = capture_u32(order, bytes + BAREPROF_OFFSET_SATURATED);
	header->core = bytes[BAREPROF_OFFSET_CORE];
}

bool capture_is(const uint8_t *bytes, size_t size)
{
	return size >= BAREPROF_MAGIC_SIZE && memcmp(bytes, BAREPROF_MAGIC, BAREPROF_MAGIC_SIZE) == 0;
}

enum status capture_header_decode(const char *where, const uint8_t *bytes, size_t size, struct capture_header *header,
                                  struct error *error)
{
	*header = (struct capture_header){0};
	if (!capture_is(bytes, size))
		return status_fail(error, "%s: offset 0x0: no profile block here (expected \"%s\")", where,
		                   BAREPROF_MAGIC);
	if (size < BAREPROF_OFFSET_RANGES)
		return status_fail(error, "%s: truncated at byte %zu: the header of a block has at least %u bytes",
		                   where, size, BAREPROF_OFFSET_RANGES);
	enum status status = decode_order(where, bytes, header, error);
	if (status == STATUS_OK)
		status = decode_version(where, bytes, header, error);
	if (status == STATUS_OK)
		status = decode_header_sizes(where, bytes, header, error);
	if (status == STATUS_OK)
		status = decode_identity(where, bytes, header, error);
	if (status != STATUS_OK)
		return status;
	decode_words(bytes, header);
	decode_board(bytes + BAREPROF_OFFSET_BOARD, header);
	return STATUS_OK;
}

enum status capture_section_decode(const char *where, const uint8_t *bytes, size_t size,
                                   const struct capture_header *header, unsigned index, struct capture_section *section,
                                   struct error *error)
{
	size_t at = BAREPROF_OFFSET_DIRECTORY + (size_t)index * BAREPROF_ENTRY_SIZE;

	if (index >= header->directory_count || at + BAREPROF_ENTRY_SIZE > size)
		return status_fail(error, "%s: truncated at byte %zu, within the directory of a block", where, size);
	const uint8_t *entry = bytes + at;
	section->kind = entry[BAREPROF_ENTRY_KIND];
	section->parameter = entry[BAREPROF_ENTRY_PARAMETER];
	section->item_size = capture_u16(&header->order, entry + BAREPROF_ENTRY_ITEM_SIZE);
	section->offset = capture_u32(&header->order, entry + BAREPROF_ENTRY_OFFSET);
	section->capacity = capture_u32(&header->order, entry + BAREPROF_ENTRY_CAPACITY);
	section->used = capture_u32(&header->order, entry + BAREPROF_ENTRY_USED);
	if (section->kind == BAREPROF_SECTION_UNUSED)
		return STATUS_OK;
	uint64_t end = section->offset + (uint64_t)section->capacity * section->item_size;
	if (section->offset < BAREPROF_OFFSET_RANGES || end > header->block_size)
		return status_fail(error,
		                   "%s: offset 0x%zx: section %u lies at 0x%x..0x%" PRIx64
		                   ", outside the block of %u bytes",
		                   where, at, index, section->offset, end, header->block_size);
	if (section->used > section->capacity)
		return status_fail(error, "%s: offset 0x%zx: section %u uses %u of %u items", where, at, index,
		                   section->used, section->capacity);
	return STATUS_OK;
}

static const struct {
	const char *name;
	bool is_clearing;
} states[] = {
        [BAREPROF_STATE_RUNNING] = {"running", false},
        [BAREPROF_STATE_ARMED] = {"armed", false},
        [BAREPROF_STATE_STOPPED] = {"stopped", false},
        [BAREPROF_STATE_CLEARING_TO_RUN] = {"being reset, then running", true},
        [BAREPROF_STATE_CLEARING_TO_ARM] = {"being reset, then armed", true},
        [BAREPROF_STATE_CLEARING_TO_STOP] = {"being reset, then stopped", true},
};

bool capture_state_is_valid(uint32_t state)
{
	return state < sizeof states / sizeof *states && states[state].name != NULL;
}

const char *capture_state_name(uint32_t state)
{
	return capture_state_is_valid(state) ? states[state].name : "not valid";
}

bool capture_state_is_clearing(uint32_t state)
{
	return capture_state_is_valid(state) && states[state].is_clearing;
}
