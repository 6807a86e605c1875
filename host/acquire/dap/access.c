/* SPDX-License-Identifier: MIT */
/* See access.h. */
#include "acquire/dap/access.h"

#include "acquire/dap/registers.h"

#include <inttypes.h>
#include <string.h>

#define WORD 4u
/* If errors leave fewer words per second than this, there is no progress. */
#define WORDS_MIN 128
/* After this many failures in a row a single unit is given up, unless the bus is busy. */
#define TRIES_MAX 8

void access_pause(const struct target_setup *setup, unsigned milliseconds)
{
	setup->clock->pause(setup->clock->now() + milliseconds, setup->cancel);
}

size_t access_words_max(uint32_t speed, size_t max)
{
	const size_t window = TAR_WINDOW / WORD, words = speed / ACCESS_WORD_CLOCKS / 4 / window * window;

	if (words < window)
		return window;
	return words < max ? words : max;
}

/* --- Blocks and failures. */

/* Whether the wire failed, rather than the target or the probe. */
static bool is_damage(const struct access_result *result)
{
	return result->ack == DAP_FAULT ? (result->flags & CTRL_WDATAERR) != 0
	                                : result->ack == DAP_NO_ACK || result->ack == DAP_PROTOCOL_ERROR;
}

/* Whether the bus reported that a word does not exist, which is an answer and not an error. */
static bool word_is_absent(const struct access_block *block, const struct access_result *result)
{
	return block->may_be_absent && result->ack == DAP_FAULT && result->flags & CTRL_STICKYERR && !is_damage(result);
}

/* The minimum number of units that must arrive between errors within the time-out. It is lower if the clock is too slow
 * for WORDS_MIN. */
static size_t min_units(const struct access *access)
{
	uint32_t half = access->traffic.speed / ACCESS_WORD_CLOCKS / 2;

	return (size_t)((uint64_t)(half < WORDS_MIN ? half : WORDS_MIN) * access->setup->timeout / 1000);
}

/* Recovers, and reduces the number of units for the retry: frequent errors then waste little, and a persistent error is
 * narrowed down to its address. */
static enum status prepare_retry(struct access *access, const struct access_block *block, struct access_result *result,
                                 bool *is_hopeless, struct error *error)
{
	const uint64_t now = access->setup->clock->now();

	if (access->deadline == 0 || (now >= access->deadline && access->units > min_units(access))) {
		access->deadline = now + access->setup->timeout;
		access->units = 0;
	}
	access->smallest += block->count == 1;
	*is_hopeless = now >= access->deadline || (access->smallest >= TRIES_MAX && result->ack != DAP_WAIT);
	enum status status = access->ops->recover(access->probe, result, access->tries++, error);
	if (word_is_absent(block, result)) {
		*is_hopeless = true;
	} else {
		access->units_now = block->count > 1 ? block->count / 2 : 1;
		access->traffic.repeats++;
		access->traffic.damaged += is_damage(result);
	}
	return status;
}

static void note_success(struct access *access, struct access_block *block)
{
	/* A short block must not make the next one shorter. */
	if (access->units_now < 2 * block->count)
		access->units_now = 2 * block->count;
	access->units += block->count;
	access->tries = access->smallest = 0;
	block->left -= block->count;
	if (!block->is_register)
		block->address += (uint64_t)block->count * block->unit;
}

/* Transfers the first units of those that are left, and counts them. */
static enum status move_block(struct access *access, struct access_block *block, struct error *error)
{
	const size_t max = access->units_now < access->units_max ? access->units_now : access->units_max;
	struct access_result result = {.ack = DAP_OK};
	bool is_hopeless = false;

	block->count = block->left < max ? block->left : max;
	for (;;) {
		access->traffic.lists++;
		enum status status = access->ops->transfer(access->probe, block, &result, error);
		if (status == STATUS_OK && result.ack == DAP_OK) {
			note_success(access, block);
			return STATUS_OK;
		}
		if (status == STATUS_OK)
			status = prepare_retry(access, block, &result, &is_hopeless, error);
		if (status != STATUS_OK)
			return status;
		if (is_hopeless)
			return access->ops->fail(access->probe, block, &result, error);
		if (block->count > access->units_now)
			block->count = access->units_now;
	}
}

static void forget_failures(struct access *access)
{
	access->deadline = access->units = access->tries = access->smallest = 0;
}

enum status access_move(struct access *access, struct access_block *block, struct error *error)
{
	enum status status = STATUS_OK;

	forget_failures(access);
	for (; status == STATUS_OK && block->left > 0; block->words += block->count)
		status = move_block(access, block, error);
	return status;
}

/* --- Accesses. */

static enum status check_access_range(const struct access *access, uint64_t address, size_t size, struct error *error)
{
	if (size == 0 || (address <= access->last && size - 1 <= access->last - address))
		return STATUS_OK;
	return status_fail(error, "%s: %s reaches no memory at 0x%" PRIx64 " of %zu bytes", access->source,
	                   access->name, address, size);
}

static enum status begin_access(struct access *access, uint64_t address, size_t size, struct error *error)
{
	enum status status = access->ops->begin != NULL ? access->ops->begin(access->probe, error) : STATUS_OK;

	return status == STATUS_OK ? check_access_range(access, address, size, error) : status;
}

/* Ends an access that began at this time, and adds it to the statistics. */
static enum status end_access(struct access *access, enum status status, size_t size, uint64_t since,
                              struct error *error)
{
	struct error by_end;

	if (access->ops->end != NULL) {
		enum status ended = access->ops->end(access->probe, status == STATUS_OK ? error : &by_end);

		status = status == STATUS_OK ? ended : status;
	}
	access->milliseconds += access->setup->clock->now() - since;
	access->traffic.bytes += status == STATUS_OK ? size : 0;
	return status;
}

/* Reads whole words, because memory cannot be read in parts of words. */
static enum status read_whole_words(struct access *access, uint64_t address, uint8_t *bytes, size_t size,
                                    struct error *error)
{
	const struct target_observer *observer = access->setup->observer;
	size_t skip = address % WORD, done = 0;
	struct access_block block = {.address = address - skip,
	                             .left = (skip + size + WORD - 1) / WORD,
	                             .unit = WORD,
	                             .words = access->words};

	forget_failures(access);
	while (done < size) {
		enum status status = move_block(access, &block, error);

		if (status != STATUS_OK)
			return status;
		for (size_t i = skip; i < WORD * block.count && done < size; i++)
			bytes[done++] = (uint8_t)(access->words[i / WORD] >> 8 * (i % WORD));
		skip = 0;
		if (observer->progress != NULL)
			observer->progress(observer->context, done, size);
	}
	return STATUS_OK;
}

enum status access_read(struct access *access, uint64_t address, void *bytes, size_t size, struct error *error)
{
	const uint64_t since = access->setup->clock->now();

	enum status status = begin_access(access, address, size, error);
	if (status == STATUS_OK)
		status = read_whole_words(access, address, bytes, size, error);
	return end_access(access, status, size, since, error);
}

static enum status write_units(struct access *access, uint64_t address, const uint8_t *bytes, size_t count,
                               unsigned unit, struct error *error)
{
	struct access_block block = {
	        .address = address, .left = count, .unit = unit, .words = access->words, .is_write = true};
	enum status status = STATUS_OK;

	forget_failures(access);
	for (; status == STATUS_OK && block.left > 0; bytes += block.count * unit) {
		const size_t max = block.left < access->units_max ? block.left : access->units_max;

		memset(access->words, 0, max * sizeof *access->words);
		for (size_t i = 0; i < max * unit; i++)
			access->words[i / unit] |= (uint32_t)bytes[i] << 8 * ((block.address + i) % WORD);
		status = move_block(access, &block, error);
	}
	return status;
}

/* On a bus without byte accesses, writes back the rest of the word unchanged. */
static enum status write_within_word(struct access *access, uint64_t address, const uint8_t *bytes, size_t size,
                                     struct error *error)
{
	uint32_t word;
	struct access_block read = {.address = address - address % WORD, .left = 1, .unit = WORD, .words = &word};
	struct access_block write = read;

	if (access->has_bytes)
		return write_units(access, address, bytes, size, 1, error);
	enum status status = access_move(access, &read, error);
	if (status != STATUS_OK)
		return status;
	for (size_t i = 0; i < size; i++) {
		const unsigned lane = 8 * (unsigned)((address + i) % WORD);

		word = (word & ~(UINT32_C(0xFF) << lane)) | (uint32_t)bytes[i] << lane;
	}
	write.is_write = true;
	return access_move(access, &write, error);
}

enum status access_write(struct access *access, uint64_t address, const void *bytes, size_t size, struct error *error)
{
	const uint64_t since = access->setup->clock->now();
	const uint8_t *next = bytes;
	size_t left = size;

	enum status status = begin_access(access, address, size, error);
	while (status == STATUS_OK && left > 0) {
		size_t part = WORD - address % WORD;

		if (part == WORD && left >= WORD) {
			part = left / WORD * WORD;
			status = write_units(access, address, next, part / WORD, WORD, error);
		} else {
			part = left < part ? left : part;
			status = write_within_word(access, address, next, part, error);
		}
		next += part;
		address += part;
		left -= part;
	}
	return end_access(access, status, size, since, error);
}

static enum status move_register(struct access *access, struct access_block *block, struct error *error)
{
	const uint64_t since = access->setup->clock->now();
	const size_t size = WORD * block->left;

	block->unit = WORD;
	block->is_register = true;
	if (block->address % WORD != 0)
		return status_fail(error, "%s: 0x%" PRIx64 " is not the address of a word", access->source,
		                   block->address);
	enum status status = begin_access(access, block->address, WORD, error);
	if (status == STATUS_OK)
		status = access_move(access, block, error);
	return end_access(access, status, size, since, error);
}

enum status access_read_register(struct access *access, uint64_t address, uint32_t *words, size_t count,
                                 struct error *error)
{
	return move_register(access, &(struct access_block){.address = address, .left = count, .words = words}, error);
}

enum status access_write_register(struct access *access, uint64_t address, uint32_t word, struct error *error)
{
	return move_register(
	        access, &(struct access_block){.address = address, .left = 1, .words = &word, .is_write = true}, error);
}

enum status access_probe(struct access *access, uint64_t address, uint32_t *word, struct error *error)
{
	return move_register(
	        access, &(struct access_block){.address = address, .left = 1, .words = word, .may_be_absent = true},
	        error);
}

struct probe_traffic access_traffic(const struct access *access)
{
	struct probe_traffic traffic = access->traffic;

	traffic.seconds = (double)access->milliseconds / 1000;
	traffic.packets_lost = *access->packets_lost;
	traffic.is_speed_limit = access->is_speed_limit != NULL && *access->is_speed_limit;
	return traffic;
}

void access_close(struct access *access)
{
	if (access == NULL)
		return;
	access->ops->finish(access->probe);
	access->ops->close(access->probe);
}
