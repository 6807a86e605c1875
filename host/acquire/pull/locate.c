/* SPDX-License-Identifier: MIT */
/* See locate.h. */
#include "acquire/pull/locate.h"

#include <bareprof/block.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define CHUNK ((size_t)0x4000)

/* How long to wait for a block to reappear after a reset. */
#define RETURN_ROUNDS       10
#define RETURN_MILLISECONDS 100u

/* The first failure, reported only if nothing is found. A lost source ends the search at once. */
struct block_search {
	struct target *target;
	const struct image *image;
	const struct locate_scan *scan;
	struct locate_result *result;
	uint64_t scanned, total; /* bytes scanned, and bytes to scan up to the limit */
	uint64_t first, next;    /* first scanned address, and address after the last */
	uint64_t deadline;       /* 0: no scan has begun */
	bool is_cut_short;       /* the limit left memory unscanned */
	bool too_many;
	bool failed;
	struct error first_failure;
};

static void note_first_failure(struct block_search *search, const struct error *error)
{
	if (!search->failed || search->target->is_lost)
		search->first_failure = *error;
	search->failed = true;
}

enum status locate_decode(const struct target *target, uint64_t address, const uint8_t *bytes, size_t size,
                          struct capture_header *header, bool *found, struct error *error)
{
	char where[sizeof target->source + 32];

	*found = false;
	if (memcmp(bytes, BAREPROF_MAGIC, BAREPROF_MAGIC_SIZE) != 0)
		return STATUS_OK;
	snprintf(where, sizeof where, "%s: block at 0x%08" PRIx64, target->source, address);
	enum status status = capture_header_decode(where, bytes, size, header, error);
	if (status != STATUS_OK)
		return status;
	/* Ignore copies of a block, for example in a buffer. */
	if (header->block_address != address)
		return STATUS_OK;
	if (header->block_size > LOCATE_BLOCK_SIZE_MAX)
		return status_fail(error, "%s: it says it is %" PRIu32 " bytes long, expected at most %" PRIu32, where,
		                   header->block_size, LOCATE_BLOCK_SIZE_MAX);
	*found = true;
	return STATUS_OK;
}

enum status locate_header(struct target *target, uint64_t address, struct capture_header *header, bool *found,
                          struct error *error)
{
	uint8_t bytes[BAREPROF_OFFSET_RANGES];

	*found = false;
	enum status status = target_read(target, address, bytes, sizeof bytes, error);
	return status != STATUS_OK ? status : locate_decode(target, address, bytes, sizeof bytes, header, found, error);
}

static bool reads_as_zeros(struct target *target, uint64_t address)
{
	static const uint8_t zeros[BAREPROF_OFFSET_RANGES];
	uint8_t bytes[sizeof zeros];
	struct error ignored;

	return target_read(target, address, bytes, sizeof bytes, &ignored) == STATUS_OK &&
	       memcmp(bytes, zeros, sizeof bytes) == 0;
}

/* Whether zeros may mean that the target sleeps: during WFI many chips switch off the debugger's access to RAM, which
 * then reads as zeros. A source of known extent is the firmware itself, or a file, and does not sleep. */
static bool may_sleep(struct target *target, uint64_t address)
{
	return target->ops->extent == NULL && reads_as_zeros(target, address);
}

static const char *what_wakes(const struct target *target)
{
	return target->core != NULL ? target->core->for_sleep
	                            : "its debug part kept on, by DBGMCU_CR of an STM32 for one";
}

enum status locate_fail_missing(struct target *target, uint64_t address, struct error *error)
{
	if (may_sleep(target, address))
		return status_fail(error,
		                   "%s: the block at 0x%08" PRIx64
		                   " now reads as zeros: was the target reset and is not yet in bareprof_init(), or "
		                   "does it sleep (WFI)? A debugger then needs %s",
		                   target->source, address, what_wakes(target));
	return status_fail(error,
	                   "%s: the block at 0x%08" PRIx64
	                   " is no longer there: was the target flashed, or reset and not yet in bareprof_init()?",
	                   target->source, address);
}

enum status locate_check_awake(struct target *target, uint64_t address, struct error *error)
{
	if (!may_sleep(target, address))
		return STATUS_OK;
	return status_fail(error,
	                   "%s: the code at 0x%08" PRIx64
	                   " reads as zeros: does the target sleep (WFI)? A debugger then needs %s",
	                   target->source, address, what_wakes(target));
}

enum status locate_header_again(struct target *target, uint64_t address, struct capture_header *header,
                                struct error *error)
{
	bool found;

	enum status status = locate_header(target, address, header, &found, error);
	for (unsigned round = 0; status == STATUS_OK && !found && round < RETURN_ROUNDS; round++) {
		status = target_run(target, RETURN_MILLISECONDS, error);
		if (status == STATUS_OK)
			status = locate_header(target, address, header, &found, error);
	}
	return status || found ? status : locate_fail_missing(target, address, error);
}

static bool is_known_block(const struct locate_result *result, uint64_t address)
{
	for (size_t i = 0; i < result->count; i++)
		if (result->blocks[i].block_address == address)
			return true;
	return false;
}

/* Adds the block at address to the result, once. False if there is none. */
static bool try_address(struct block_search *search, uint64_t address)
{
	struct locate_result *result = search->result;
	struct capture_header header;
	struct error error;
	bool found;

	if (is_known_block(result, address))
		return true;
	if (search->target->is_lost)
		return false;
	if (locate_header(search->target, address, &header, &found, &error) != STATUS_OK)
		note_first_failure(search, &error);
	if (found && result->count == LOCATE_BLOCKS_MAX)
		search->too_many = true;
	else if (found)
		result->blocks[result->count++] = header;
	return found;
}

/* size is at least BAREPROF_MAGIC_SIZE. */
static void scan_chunk(struct block_search *search, uint64_t address, const uint8_t *bytes, size_t size)
{
	const uint8_t *next = bytes;
	const uint8_t *end = bytes + size;

	while ((next = memmem(next, (size_t)(end - next), BAREPROF_MAGIC, BAREPROF_MAGIC_SIZE)) != NULL) {
		try_address(search, address + (size_t)(next - bytes));
		next += BAREPROF_MAGIC_SIZE;
	}
}

/* Only scans of a live target's whole memory are limited. */
static bool may_scan_on(struct block_search *search)
{
	uint64_t now = search->scan->clock->now();

	if (search->target->ops->extent != NULL)
		return true;
	if (search->deadline == 0)
		search->deadline = now + LOCATE_SCAN_MILLISECONDS;
	search->is_cut_short |= search->scanned >= LOCATE_SCAN_BYTES || now >= search->deadline;
	return !search->is_cut_short;
}

static void report_scanned(const struct block_search *search)
{
	if (search->scan->progress != NULL && search->target->ops->extent == NULL)
		search->scan->progress(search->scan->context, search->scanned, search->total);
}

/* Chunks overlap by one byte less than the magic, so that it is found across their boundary, and only once. */
static void scan_memory(struct block_search *search, uint64_t address, uint64_t size)
{
	uint8_t bytes[CHUNK];

	if (search->scanned == 0)
		search->first = address;
	while (size >= BAREPROF_MAGIC_SIZE && !search->target->is_lost && may_scan_on(search)) {
		size_t count = size < CHUNK ? (size_t)size : CHUNK;
		struct error error;

		report_scanned(search);
		if (target_read(search->target, address, bytes, count, &error) != STATUS_OK) {
			note_first_failure(search, &error);
			return;
		}
		scan_chunk(search, address, bytes, count);
		search->scanned += count;
		search->next = address + count;
		address += count - (BAREPROF_MAGIC_SIZE - 1);
		size -= count - (BAREPROF_MAGIC_SIZE - 1);
	}
}

/* The common size of the blocks in an object; 0: none was found. */
static uint32_t block_size_within(const struct locate_result *result, uint64_t address, uint64_t object_size)
{
	for (size_t i = 0; i < result->count; i++)
		if (result->blocks[i].block_address - address < object_size)
			return result->blocks[i].block_size;
	return 0;
}

/* An object holds the block of one core, or the blocks of all cores in a row. The first block shows their distance; if
 * it is not initialized yet, the object is searched for another block. */
static void find_in_object(struct block_search *search, uint64_t address, uint64_t object_size)
{
	uint64_t bounded = object_size < LOCATE_SCAN_BYTES ? object_size : LOCATE_SCAN_BYTES;

	search->total = search->scanned + bounded;
	if (!try_address(search, address) && bounded > 0)
		scan_memory(search, address, bounded);
	uint32_t block_size = block_size_within(search->result, address, bounded);
	if (block_size == 0) {
		search->result->uninitialised += !is_known_block(search->result, address);
		return;
	}
	for (uint64_t core = 0; core <= LOCATE_BLOCKS_MAX && core < bounded / block_size; core++)
		if (!try_address(search, address + core * block_size))
			search->result->uninitialised++;
}

static void find_by_symbols(struct block_search *search)
{
	/* Looks for one symbol more than the maximum number of blocks, because a capture must not lack a core. */
	for (unsigned core = 0; search->image != NULL && core <= LOCATE_BLOCKS_MAX; core++) {
		char name[32] = "bareprof_block";
		uint64_t address, size;

		if (core > 0)
			snprintf(name, sizeof name, "bareprof_block_%u", core);
		if (image_object(search->image, name, &address, &size))
			find_in_object(search, address, size);
	}
}

/* Takes blocks in a row at the start, as over a link, without a search, which would take as long as reading them. */
static void take_leading_blocks(struct block_search *search, uint64_t *address, uint64_t *size)
{
	while (*size >= BAREPROF_OFFSET_RANGES && try_address(search, *address)) {
		uint64_t block_size = search->result->blocks[search->result->count - 1].block_size;
		uint64_t step = block_size > 0 && block_size < *size ? block_size : *size;

		*address += step;
		*size -= step;
	}
}

static uint64_t memory_size(const struct image *image)
{
	uint64_t size = 0;

	for (size_t i = 0; image != NULL && i < image->memory_count; i++)
		size += image->memory[i].size;
	return size;
}

static void find_by_scan(struct block_search *search)
{
	uint64_t address, size;

	if (target_extent(search->target, &address, &size)) {
		take_leading_blocks(search, &address, &size);
		scan_memory(search, address, size);
		return;
	}
	search->total = search->scanned + memory_size(search->image);
	if (search->total > LOCATE_SCAN_BYTES)
		search->total = LOCATE_SCAN_BYTES;
	for (size_t i = 0; search->image != NULL && i < search->image->memory_count && !search->is_cut_short; i++)
		scan_memory(search, search->image->memory[i].address, search->image->memory[i].size);
}

static enum status fail_cut_short(const struct block_search *search, struct error *error)
{
	return status_fail(error,
	                   "%s: no profile block in the %" PRIu64 " KB that were scanned (0x%08" PRIx64
	                   " to 0x%08" PRIx64 ") of %" PRIu64 " KB of memory: a scan ends after %" PRIu64
	                   " MB or %u s; %s has no symbol bareprof_block: give the ELF with all its symbols",
	                   search->target->source, search->scanned >> 10, search->first, search->next - 1,
	                   memory_size(search->image) >> 10, LOCATE_SCAN_BYTES >> 20, LOCATE_SCAN_MILLISECONDS / 1000,
	                   search->image->path);
}

static enum status fail_at_symbol(const struct block_search *search, uint64_t address, struct error *error)
{
	bool sleeps = may_sleep(search->target, address);

	return status_fail(error,
	                   "%s: no profile block at 0x%08" PRIx64
	                   " (bareprof_block of %s): has the firmware called bareprof_init()? Or is the ELF of another "
	                   "firmware?%s%s",
	                   search->target->source, address, search->image->path,
	                   sleeps ? " There are zeros: if the target sleeps (WFI), a debugger needs " : "",
	                   sleeps ? what_wakes(search->target) : "");
}

/* Reads the symbol's address again, to distinguish a wrong ELF from unreadable memory. */
static enum status fail_as_first(const struct block_search *search, struct error *error)
{
	struct error ignored;
	uint64_t address;
	uint8_t byte;

	*error = search->first_failure;
	if (search->target->is_lost || search->image == NULL ||
	    !image_symbol(search->image, "bareprof_block", &address) ||
	    target_read(search->target, address, &byte, 1, &ignored) == STATUS_OK)
		return STATUS_FAILED;
	return status_fail(error, "%s; or %s is of another firmware (its bareprof_block is at 0x%08" PRIx64 ")",
	                   search->first_failure.message, search->image->path, address);
}

static enum status not_found(const struct block_search *search, struct error *error)
{
	const char *source = search->target->source;
	uint64_t address;

	if (search->failed)
		return fail_as_first(search, error);
	if (search->image == NULL)
		return status_fail(error, "%s: no profile block in it%s", source,
		                   search->target->ops->is_live ? ": has the firmware called bareprof_init()?" : "");
	if (image_symbol(search->image, "bareprof_block", &address))
		return fail_at_symbol(search, address, error);
	if (search->is_cut_short)
		return fail_cut_short(search, error);
	return status_fail(error, "%s: no profile block in the memory of %s, which has no symbol bareprof_block either",
	                   source, search->image->path);
}

enum status locate_blocks(struct target *target, const struct image *image, const struct locate_scan *scan,
                          struct locate_result *result, struct error *error)
{
	static const struct locate_scan plain = {.clock = &clock_system};
	struct block_search search = {
	        .target = target, .image = image, .scan = scan != NULL ? scan : &plain, .result = result};

	*result = (struct locate_result){0};
	find_by_symbols(&search);
	if (result->count == 0) {
		result->uninitialised = 0;
		find_by_scan(&search);
	}
	if (search.scan->progress != NULL && search.deadline > 0)
		search.scan->progress(search.scan->context, 0, 0);
	/* Blocks that were already found cannot be used either. */
	if (target->is_lost)
		result->count = 0;
	if (search.too_many)
		return status_fail(error, "%s: more than %d profile blocks, expected one per core and at most so many",
		                   target->source, LOCATE_BLOCKS_MAX);
	return result->count == 0 ? not_found(&search, error) : STATUS_OK;
}
