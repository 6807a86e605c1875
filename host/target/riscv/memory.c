/* SPDX-License-Identifier: MIT */
/* Accesses of any alignment and size, split into blocks of whole words or bytes for riscv_memory. */
#include "target/riscv/riscv_state.h"

#include "base/clock.h"

#include <inttypes.h>
#include <string.h>

/* Attempts at an access that fails. */
#define TRIES 3

/* A failed block is retried with fewer words. */
static void shorten(struct riscv_block *block, unsigned attempt)
{
	if (attempt > 0 && block->count > 1)
		block->count /= 2;
}

static void add_read(struct riscv *riscv, unsigned attempt, void *block)
{
	shorten(block, attempt);
	riscv->memory->add_read(riscv, block);
}

static void add_write(struct riscv *riscv, unsigned attempt, void *block)
{
	shorten(block, attempt);
	riscv->memory->add_write(riscv, block);
}

static enum status move(struct riscv *riscv, struct riscv_block *block, bool is_write, struct error *error)
{
	const struct riscv_memory *memory = riscv->memory;

	for (unsigned tries = 0;; riscv->repeats++) {
		riscv->lists++;
		enum status status = riscv_make(riscv, is_write ? add_write : add_read, block, error);
		if (status != STATUS_OK)
			return status;
		const char *name = memory->error_of(block->result);
		if (name == NULL && !memory->is_too_fast(block->result))
			return STATUS_OK;
		if (name != NULL && ++tries == TRIES)
			return status_fail(error, "%s: cannot %s memory at 0x%" PRIx64 ": %s (%s 0x%08" PRIx32 ")",
			                   riscv_source(riscv), is_write ? "write" : "read", block->address, name,
			                   memory->result_name, block->result);
		if (name == NULL && !dtm_slow_down(&riscv->dtm))
			return status_fail(error, "%s: the target's memory stays busy; try a lower clock speed",
			                   riscv_source(riscv));
	}
}

/* The width of a hart is known once an access has begun. */
static enum status check_range(const struct riscv *riscv, uint64_t address, size_t size, struct error *error)
{
	const bool is_bus = riscv->memory == &riscv_bus;
	const unsigned bits = is_bus ? BUS_ASIZE(riscv->bus) : riscv->register_size == COMMAND_64 ? 64 : 32;
	const uint64_t last = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;

	if (size == 0 || (address <= last && size - 1 <= last - address))
		return STATUS_OK;
	return status_fail(error, "%s: the %s of %u bits reaches no memory at 0x%" PRIx64 " of %zu bytes",
	                   riscv_source(riscv), is_bus ? "system bus" : "hart", bits, address, size);
}

/* Moves whole units. */
static enum status move_units(struct riscv *riscv, uint64_t address, uint32_t *words, size_t count, uint32_t unit,
                              bool is_write, struct error *error)
{
	enum status status = STATUS_OK;

	while (status == STATUS_OK && count > 0) {
		struct riscv_block block = {.address = address,
		                            .count = count < riscv->words_now ? (uint32_t)count : riscv->words_now,
		                            .unit = unit,
		                            .words = words};

		status = move(riscv, &block, is_write, error);
		/* A short last block does not make the next access start with short ones. */
		if (riscv->words_now < 2 * block.count || block.count < count)
			riscv->words_now = 2 * block.count < RISCV_BLOCK_WORDS ? 2 * block.count : RISCV_BLOCK_WORDS;
		address += (uint64_t)block.count * unit;
		words += block.count;
		count -= block.count;
	}
	return status;
}

static enum status read_words(struct riscv *riscv, uint64_t address, uint8_t *bytes, size_t size, struct error *error)
{
	enum status status = STATUS_OK;
	uint32_t words[RISCV_BLOCK_WORDS];

	while (status == STATUS_OK && size > 0) {
		const size_t skip = address % 4, max = RISCV_BLOCK_WORDS * 4 - skip, part = size < max ? size : max;

		status = move_units(riscv, address - skip, words, (skip + part + 3) / 4, 4, false, error);
		for (size_t i = 0; i < part; i++)
			bytes[i] = (uint8_t)(words[(skip + i) / 4] >> 8 * ((skip + i) % 4));
		bytes += part;
		address += part;
		size -= part;
	}
	return status;
}

static enum status write_bytes(struct riscv *riscv, uint64_t address, const uint8_t *bytes, size_t size, uint32_t unit,
                               struct error *error)
{
	uint32_t words[RISCV_BLOCK_WORDS];
	enum status status = STATUS_OK;

	while (status == STATUS_OK && size > 0) {
		const size_t part = size < RISCV_BLOCK_WORDS * unit ? size : RISCV_BLOCK_WORDS * unit;

		memset(words, 0, sizeof words);
		for (size_t i = 0; i < part; i++)
			words[i / unit] |= (uint32_t)bytes[i] << 8 * (i % unit);
		status = move_units(riscv, address, words, part / unit, unit, true, error);
		bytes += part;
		address += part;
		size -= part;
	}
	return status;
}

/* A partial word is written as bytes if the bus can, else by read-modify-write of the word. */
static enum status write_part(struct riscv *riscv, uint64_t address, const uint8_t *bytes, size_t size,
                              struct error *error)
{
	uint8_t word[4];

	if (riscv->memory == &riscv_bus && riscv->bus & BUS_HAS_8)
		return write_bytes(riscv, address, bytes, size, 1, error);
	enum status status = read_words(riscv, address - address % 4, word, 4, error);
	if (status != STATUS_OK)
		return status;
	memcpy(word + address % 4, bytes, size);
	return write_bytes(riscv, address - address % 4, word, 4, 4, error);
}

static enum status write_parts(struct riscv *riscv, uint64_t address, const uint8_t *next, size_t size,
                               struct error *error)
{
	const size_t head = (size_t)(-address % 4) < size ? (size_t)(-address % 4) : size;
	const size_t whole = (size - head) / 4 * 4, tail = size - head - whole;
	enum status status = STATUS_OK;

	if (head > 0)
		status = write_part(riscv, address, next, head, error);
	if (status == STATUS_OK && whole > 0)
		status = write_bytes(riscv, address + head, next + head, whole, 4, error);
	if (status == STATUS_OK && tail > 0)
		status = write_part(riscv, address + head + whole, next + head + whole, tail, error);
	return status;
}

static enum status begin(struct riscv *riscv, uint64_t address, size_t size, struct error *error)
{
	enum status status = riscv->memory->begin != NULL ? riscv->memory->begin(riscv, error) : STATUS_OK;

	return status == STATUS_OK ? check_range(riscv, address, size, error) : status;
}

/* Ends an access that began at this time, and adds it to the statistics. */
static enum status end(struct riscv *riscv, enum status status, size_t size, uint64_t since, struct error *error)
{
	struct error by_end;

	if (riscv->memory->end != NULL) {
		enum status ended = riscv->memory->end(riscv, status == STATUS_OK ? error : &by_end);

		status = status == STATUS_OK ? ended : status;
	}
	riscv->milliseconds += clock_now() - since;
	riscv->bytes += status == STATUS_OK ? size : 0;
	return status;
}

enum status riscv_read(struct riscv *riscv, uint64_t address, void *bytes, size_t size, struct error *error)
{
	const uint64_t since = clock_now();

	enum status status = begin(riscv, address, size, error);
	if (status == STATUS_OK)
		status = read_words(riscv, address, bytes, size, error);
	return end(riscv, status, size, since, error);
}

enum status riscv_write(struct riscv *riscv, uint64_t address, const void *bytes, size_t size, struct error *error)
{
	const uint64_t since = clock_now();

	enum status status = begin(riscv, address, size, error);
	if (status == STATUS_OK)
		status = write_parts(riscv, address, bytes, size, error);
	return end(riscv, status, size, since, error);
}
