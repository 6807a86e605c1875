/* SPDX-License-Identifier: MIT */
/* See snapshot.h. */
#include "acquire/pull/snapshot.h"

#include "acquire/pull/control.h"
#include "acquire/pull/locate.h"
#include "acquire/pull/torn.h"

#include <bareprof/block.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ATTEMPTS 3

/* Time for a target to reach bareprof_init() after a reset. */
#define RECOVERY_MILLISECONDS 100u

#define SECTIONS_MAX (sizeof((struct capture_block *)0)->sections / sizeof(struct capture_section))

/* The directory of a block, checked as a whole before any section is read. */
struct directory {
	struct capture_section sections[SECTIONS_MAX];
	size_t count;
};

static bool is_hash_table(unsigned kind)
{
	return kind != BAREPROF_SECTION_RANGES && kind != BAREPROF_SECTION_BINS && kind != BAREPROF_SECTION_COARSE;
}

/* The number of bytes of a section to read. Sections within the header, such as the ranges, were read with it. */
static size_t read_size(const struct capture_header *header, const struct capture_section *section)
{
	size_t items = is_hash_table(section->kind) ? section->capacity : section->used;

	return section->used == 0 || section->offset < header->header_size ? 0 : items * section->item_size;
}

/* Bytes of a block: [offset, offset + size). */
struct extent {
	size_t offset, size;
};

static enum status read_range(struct target *target, const struct extent *extent, struct snapshot *snapshot,
                              struct error *error)
{
	if (extent->size == 0)
		return STATUS_OK;
	return target_read(target, snapshot->header.block_address + extent->offset, snapshot->bytes + extent->offset,
	                   extent->size, error);
}

static int compare_offsets(const void *left, const void *right)
{
	const struct capture_section *const sections[] = {left, right};

	return (sections[0]->offset > sections[1]->offset) - (sections[0]->offset < sections[1]->offset);
}

/* Joins adjacent sections, in any order of the directory, because each read may cost a round trip. */
static enum status read_extents(struct target *target, struct directory *directory, struct extent extent,
                                struct snapshot *snapshot, struct error *error)
{
	enum status status = STATUS_OK;

	qsort(directory->sections, directory->count, sizeof *directory->sections, compare_offsets);
	for (size_t i = 0; status == STATUS_OK && i < directory->count; i++) {
		const struct capture_section *section = &directory->sections[i];
		size_t size = read_size(&snapshot->header, section);

		if (size == 0)
			continue;
		if (section->offset != extent.offset + extent.size) {
			status = read_range(target, &extent, snapshot, error);
			extent = (struct extent){.offset = section->offset};
		}
		extent.size += size;
	}
	return status != STATUS_OK ? status : read_range(target, &extent, snapshot, error);
}

static enum status check_directory_entry(const char *where, const struct capture_header *header,
                                         const struct directory *directory, const struct capture_section *section,
                                         struct error *error)
{
	uint64_t end = section->offset + (uint64_t)section->capacity * section->item_size;

	for (size_t i = 0; i < directory->count; i++)
		if (section->kind != 0 && directory->sections[i].kind == section->kind)
			return status_fail(error, "%s: sections %zu and %zu are both of kind %u", where, i,
			                   directory->count, section->kind);
	if (section->offset < header->header_size && end > header->header_size)
		return status_fail(error,
		                   "%s: section %zu lies at 0x%x..0x%" PRIx64 ", half inside the header of %u bytes",
		                   where, directory->count, section->offset, end, header->header_size);
	return STATUS_OK;
}

/* Bounds reads by the size of the block, because a directory may claim too many bytes. */
static enum status decode_section_directory(const char *where, const struct snapshot *snapshot,
                                            struct directory *directory, struct error *error)
{
	const struct capture_header *header = &snapshot->header;
	enum status status = STATUS_OK;
	uint64_t size = header->header_size;

	directory->count = 0;
	if (header->directory_count > SECTIONS_MAX)
		return status_fail(error, "%s: %u directory entries, expected at most %zu", where,
		                   header->directory_count, SECTIONS_MAX);
	for (unsigned i = 0; status == STATUS_OK && i < header->directory_count; i++) {
		struct capture_section *section = &directory->sections[i];

		status = capture_section_decode(where, snapshot->bytes, header->header_size, header, i, section, error);
		if (status == STATUS_OK)
			status = check_directory_entry(where, header, directory, section, error);
		directory->count++;
		size += status ? 0 : read_size(header, section);
	}
	if (status == STATUS_OK && size > header->block_size)
		return status_fail(error, "%s: sections of %" PRIu64 " bytes in all overlap in a block of %" PRIu32,
		                   where, size, header->block_size);
	return status;
}

/* Reads the sections, and the rest of the header after its first size bytes. */
static enum status read_rest(struct target *target, size_t size, struct snapshot *snapshot, struct error *error)
{
	const struct capture_header *header = &snapshot->header;
	const struct extent rest = {size, header->header_size - size};
	char where[sizeof target->source + 32];
	struct directory directory;

	snprintf(where, sizeof where, "%s: block at 0x%08" PRIx64, target->source, header->block_address);
	enum status status = decode_section_directory(where, snapshot, &directory, error);
	if (status == STATUS_OK)
		status = read_extents(target, &directory, rest, snapshot, error);
	for (size_t i = 0; status == STATUS_OK && i < directory.count; i++)
		if (read_size(header, &directory.sections[i]) > 0)
			status = torn_read_again(target, &directory.sections[i], snapshot, error);
	return status;
}

/* Whether a stopped profile counted nothing. If it counted, the target restarted with RAM that had lost the block, and
 * no reset is recorded. */
static bool stood_still(const struct capture_header *before, const struct capture_header *after)
{
	return before->state != BAREPROF_STATE_STOPPED || after->state != BAREPROF_STATE_STOPPED ||
	       (before->ticks == after->ticks && before->samples_outside == after->samples_outside &&
	        before->samples_table_full == after->samples_table_full && before->arcs_dropped == after->arcs_dropped);
}

/* Whether both headers belong to the same profile. */
static bool is_unchanged(const struct capture_header *before, const struct capture_header *after)
{
	return before->block_address == after->block_address && before->block_size == after->block_size &&
	       before->header_size == after->header_size && before->epoch == after->epoch &&
	       before->reset_count == after->reset_count && before->identity_size == after->identity_size &&
	       memcmp(before->identity, after->identity, sizeof before->identity) == 0 &&
	       !capture_state_is_clearing(before->state) && !capture_state_is_clearing(after->state) &&
	       after->ticks >= before->ticks && stood_still(before, after);
}

/* Reads the header, *size bytes including its whole directory. *found as in locate_header(). */
static enum status read_block_header(struct target *target, uint64_t address, struct snapshot *snapshot, size_t *size,
                                     bool *found, struct error *error)
{
	struct capture_header *header = &snapshot->header;
	uint8_t first[BAREPROF_OFFSET_RANGES];

	*found = false;
	*size = sizeof first;
	enum status status = target_read(target, address, first, sizeof first, error);
	if (status == STATUS_OK)
		status = locate_decode(target, address, first, sizeof first, header, found, error);
	if (status != STATUS_OK || !*found)
		return status;
	snapshot->bytes = calloc(1, header->block_size);
	if (snapshot->bytes == NULL)
		return status_no_memory(error, target->source);
	memcpy(snapshot->bytes, first, sizeof first);
	if (BAREPROF_OFFSET_DIRECTORY + header->directory_count * BAREPROF_ENTRY_SIZE <= sizeof first)
		return STATUS_OK;
	*size = header->header_size;
	return target_read(target, address + sizeof first, snapshot->bytes + sizeof first, *size - sizeof first, error);
}

static unsigned count_reconnections(const struct target *target)
{
	return target_traffic(target).frames.reconnections;
}

/* *whole is false, without a failure, if the target was or may have been reset meanwhile. Unplugging may cause a cold
 * start, after which counts can be as high as before. */
static enum status read_once(struct target *target, uint64_t address, struct snapshot *snapshot, bool *whole,
                             struct error *error)
{
	struct capture_header after;
	unsigned reconnections = count_reconnections(target);
	size_t size;
	bool found;

	*whole = false;
	enum status status = read_block_header(target, address, snapshot, &size, &found, error);
	if (status != STATUS_OK || !found)
		return status;
	status = read_rest(target, size, snapshot, error);
	if (status == STATUS_OK)
		status = locate_header(target, address, &after, &found, error);
	if (!found)
		snapshot->header.block_size = 0; /* the block disappeared */
	if (status != STATUS_OK || !found)
		return status;
	snapshot->ticks_before = snapshot->header.ticks;
	snapshot->ticks_after = after.ticks;
	*whole = is_unchanged(&snapshot->header, &after) && count_reconnections(target) == reconnections;
	return STATUS_OK;
}

static enum status await_recovery(struct target *target, uint64_t address, struct error *error)
{
	struct capture_header header;
	bool found;

	if (target->ops->run == NULL)
		return STATUS_OK;
	enum status status = target_run(target, RECOVERY_MILLISECONDS, error);
	if (status == STATUS_OK)
		status = locate_header(target, address, &header, &found, error);
	if (status != STATUS_OK || !found)
		return status;
	return control_await_reset(target, &header, error);
}

/* Frees the copy on a failure, or if it is not whole. */
static enum status attempt_read(struct target *target, uint64_t address, struct snapshot *snapshot, bool *whole,
                                struct error *error)
{
	struct snapshot taken = {.bytes = NULL};

	enum status status = read_once(target, address, &taken, whole, error);
	if (status != STATUS_OK || !*whole) {
		free(taken.bytes);
		taken.bytes = NULL;
	}
	*snapshot = taken;
	return status;
}

enum status snapshot_take(struct target *target, uint64_t address, struct snapshot *snapshot, struct error *error)
{
	bool whole;

	enum status status = attempt_read(target, address, snapshot, &whole, error);
	for (unsigned attempts = 1; status == STATUS_OK && !whole && attempts < ATTEMPTS; attempts++) {
		status = await_recovery(target, address, error);
		if (status == STATUS_OK)
			status = attempt_read(target, address, snapshot, &whole, error);
	}
	if (status != STATUS_OK || whole)
		return status;
	if (snapshot->header.block_size == 0)
		return locate_fail_missing(target, address, error);
	return status_fail(error, "%s: the block at 0x%08" PRIx64 " was being reset or cleared%s, %u times in a row",
	                   target->source, address,
	                   target_traffic(target).has_frames ? ", or the connection broke" : "", ATTEMPTS);
}
