/* SPDX-License-Identifier: MIT */
/* See snapshot.h. */
#include "pull/snapshot.h"

#include "pull/control.h"
#include "pull/locate.h"

#include <bareprof/block.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ATTEMPTS 3

/* Time for a target that was reset to get back to bareprof_init(). */
#define RECOVERY_MILLISECONDS 100u

static bool is_hash_table(unsigned kind)
{
	return kind != BAREPROF_SECTION_RANGES && kind != BAREPROF_SECTION_BINS && kind != BAREPROF_SECTION_COARSE;
}

static enum status read_section(struct access *access, const struct capture_section *section, struct snapshot *snapshot,
                                struct error *error)
{
	const struct capture_header *header = &snapshot->header;
	size_t items = is_hash_table(section->kind) ? section->capacity : section->used;

	/* Sections within the header, as the ranges are, came with it. */
	if (section->used == 0 || section->offset < header->header_size)
		return STATUS_OK;
	return access_read(access, header->block_address + section->offset, snapshot->bytes + section->offset,
	                   items * section->item_size, error);
}

static enum status read_sections(struct access *access, struct snapshot *snapshot, struct error *error)
{
	const struct capture_header *header = &snapshot->header;
	char where[sizeof access->source + 32];
	enum status status = STATUS_OK;

	snprintf(where, sizeof where, "%s: block at 0x%08" PRIx64, access->source, header->block_address);
	for (unsigned i = 0; !status && i < header->directory_count; i++) {
		struct capture_section section;
		status =
		        capture_section_decode(where, snapshot->bytes, header->header_size, header, i, &section, error);
		if (!status)
			status = read_section(access, &section, snapshot, error);
	}
	return status;
}

static bool is_clearing(uint32_t state)
{
	return state == BAREPROF_STATE_CLEARING_TO_STOP || state == BAREPROF_STATE_CLEARING_TO_RUN;
}

/* Was it one and the same profile all the time? */
static bool is_unchanged(const struct capture_header *before, const struct capture_header *after)
{
	return before->block_address == after->block_address && before->block_size == after->block_size &&
	       before->header_size == after->header_size && before->epoch == after->epoch &&
	       before->reset_count == after->reset_count && before->identity_size == after->identity_size &&
	       memcmp(before->identity, after->identity, sizeof before->identity) == 0 && !is_clearing(before->state) &&
	       !is_clearing(after->state) && after->ticks >= before->ticks;
}

/* *whole stays false, without a failure, if the target was reset meanwhile. */
static enum status read_once(struct access *access, uint64_t address, struct snapshot *snapshot, bool *whole,
                             struct error *error)
{
	struct capture_header after;
	bool found;

	*whole = false;
	enum status status = locate_header(access, address, &snapshot->header, &found, error);
	if (status || !found)
		return status;
	snapshot->bytes = calloc(1, snapshot->header.block_size);
	if (!snapshot->bytes)
		return status_fail(error, "%s: out of memory for a block of %" PRIu32 " bytes", access->source,
		                   snapshot->header.block_size);
	status = access_read(access, address, snapshot->bytes, snapshot->header.header_size, error);
	if (status || memcmp(snapshot->bytes, BAREPROF_MAGIC, BAREPROF_MAGIC_SIZE) != 0)
		return status;
	/* Sizes as checked above; everything else as in the bytes that are kept. */
	struct capture_header checked = snapshot->header;
	status = capture_header_decode(access->source, snapshot->bytes, checked.header_size, &snapshot->header, error);
	if (status || !is_unchanged(&checked, &snapshot->header))
		return status;
	status = read_sections(access, snapshot, error);
	if (!status)
		status = locate_header(access, address, &after, &found, error);
	if (status || !found)
		return status;
	snapshot->ticks_before = snapshot->header.ticks;
	snapshot->ticks_after = after.ticks;
	*whole = is_unchanged(&snapshot->header, &after);
	return STATUS_OK;
}

static enum status recover(struct access *access, uint64_t address, struct error *error)
{
	struct capture_header header;
	bool found;

	if (!access->ops->run)
		return STATUS_OK;
	enum status status = access_run(access, RECOVERY_MILLISECONDS, error);
	if (!status)
		status = locate_header(access, address, &header, &found, error);
	if (status || !found)
		return status;
	return control_await_reset(access, &header, error);
}

/* On a failure, or if it is not whole, nothing is kept. */
static enum status attempt(struct access *access, uint64_t address, struct snapshot *snapshot, bool *whole,
                           struct error *error)
{
	*snapshot = (struct snapshot){.bytes = NULL};
	enum status status = read_once(access, address, snapshot, whole, error);
	if (status || !*whole) {
		free(snapshot->bytes);
		snapshot->bytes = NULL;
	}
	return status;
}

enum status snapshot_take(struct access *access, uint64_t address, struct snapshot *snapshot, struct error *error)
{
	bool whole;

	enum status status = attempt(access, address, snapshot, &whole, error);
	for (unsigned attempts = 1; !status && !whole && attempts < ATTEMPTS; attempts++) {
		status = recover(access, address, error);
		if (!status)
			status = attempt(access, address, snapshot, &whole, error);
	}
	if (status || whole)
		return status;
	return status_fail(error, "%s: the block at 0x%08" PRIx64 " was being reset or cleared, %u times in a row",
	                   access->source, address, ATTEMPTS);
}
