/* SPDX-License-Identifier: MIT */
/* See identity.h. */
#include "acquire/pull/identity.h"

#include "acquire/pull/locate.h"
#include "firmware/identity.h"

#include <bareprof/block.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define CHUNK ((size_t)0x1000)

#define ID_TEXT_SIZE (2 * sizeof((struct image *)0)->build_id + 1)

static const char *format_id(const uint8_t *id, size_t size, char text[ID_TEXT_SIZE])
{
	text[0] = 0;
	for (size_t i = 0; i < size; i++)
		snprintf(text + 2 * i, 3, "%02x", id[i]);
	return text;
}

enum status identity_check_layout(const struct image *image, struct error *error)
{
	bool boots_from_vectors = image->isa == IMAGE_ISA_ARM || image->isa == IMAGE_ISA_RISCV;

	if (!boots_from_vectors || image->build_id_size == 0 || image->build_id_address == 0 ||
	    image->build_id_address > image->vector_address)
		return STATUS_OK;
	return status_fail(error,
	                   "%s: the build-id note at 0x%08" PRIx64 " lies before the vectors at 0x%08" PRIx64
	                   ": place .note.gnu.build-id after them, as linker/bareprof.ld does",
	                   image->path, image->build_id_address, image->vector_address);
}

enum status identity_check_isa(const struct image *image, const struct source *source, struct error *error)
{
	const bool has_riscv = source->backend->capabilities & TARGET_CAN_CHOOSE_TRANSPORT;

	if (!source->backend->is_cortex_m || (image->isa == IMAGE_ISA_ARM && image->address_size == 4) ||
	    (image->isa == IMAGE_ISA_RISCV && has_riscv))
		return STATUS_OK;
	return status_fail(error, "%s: is not for a Cortex-M%s, and %s reaches no other core", image->path,
	                   has_riscv ? " or a RISC-V core" : "", source->text);
}

static enum status fail_other_build(const struct target *target, const struct image *image,
                                    const struct capture_header *block, struct error *error)
{
	char theirs[ID_TEXT_SIZE];
	char ours[ID_TEXT_SIZE];

	format_id(block->identity, block->identity_size, theirs);
	if (image->build_id_size == 0)
		return status_fail(
		        error,
		        "%s: the target runs build %s and %s has no build-id: give the ELF that was flashed, "
		        "or force it",
		        target->source, theirs, image->path);
	format_id(image->build_id, image->build_id_size, ours);
	return status_fail(error,
	                   "%s: the target runs build %s, %s is build %s: give the ELF that was flashed, or force it",
	                   target->source, theirs, image->path, ours);
}

static enum status compare_build_id(const struct target *target, const struct image *image,
                                    const struct capture_header *block, bool force, struct identity_result *result,
                                    struct error *error)
{
	bool is_same = image_build_id_matches(image, block->identity, block->identity_size);

	result->verdict = is_same ? IDENTITY_SAME : IDENTITY_OTHER;
	return is_same || force ? STATUS_OK : fail_other_build(target, image, block, error);
}

/* Whether the source contains the code. A live target does; most dumps contain only RAM. */
static bool has_code(const struct target *target, const struct image *image)
{
	uint64_t address, size;

	if (image->code_count == 0)
		return false;
	if (!target_extent(target, &address, &size))
		return true;
	for (size_t i = 0; i < image->code_count; i++) {
		const struct image_code *code = &image->code[i];

		if (code->address < address || code->address - address > size ||
		    code->size > size - (code->address - address))
			return false;
	}
	return true;
}

static enum status crc_section(struct target *target, const struct image_code *code, uint32_t *crc, struct error *error)
{
	uint8_t bytes[CHUNK];

	*crc = image_crc_section(*crc, code->address, code->size);
	for (uint64_t done = 0; done < code->size; done += CHUNK) {
		size_t count = code->size - done < CHUNK ? (size_t)(code->size - done) : CHUNK;
		enum status status = target_read(target, code->address + done, bytes, count, error);

		if (status != STATUS_OK)
			return status;
		*crc = image_crc_bytes(*crc, bytes, count);
	}
	return STATUS_OK;
}

static enum status check_block_stays(struct target *target, const struct capture_header *block, struct error *error)
{
	struct capture_header again;
	bool found;

	enum status status = locate_header(target, block->block_address, &again, &found, error);
	return status || found ? status : locate_fail_missing(target, block->block_address, error);
}

/* Reports that the target has other code. If the target fell asleep meanwhile, the bytes read are not its code, and its
 * block seems to be missing, too. */
static enum status other_code(struct target *target, const struct image *image, const struct capture_header *block,
                              uint32_t crc, struct error *error)
{
	enum status status = block != NULL ? check_block_stays(target, block, error)
	                                   : locate_check_awake(target, image->code[0].address, error);

	if (status != STATUS_OK)
		return status;
	return status_fail(error,
	                   "%s: the code in the target (CRC-32 %08" PRIx32 ") is not that of %s (%08" PRIx32
	                   "): give the ELF that was flashed, or force it",
	                   target->source, crc, image->path, image_code_crc(image));
}

static enum status compare_code_crc(struct target *target, const struct image *image,
                                    const struct capture_header *block, bool force, struct identity_result *result,
                                    struct error *error)
{
	uint32_t crc = IMAGE_CRC_START;

	for (size_t i = 0; i < image->code_count; i++) {
		enum status status = crc_section(target, &image->code[i], &crc, error);

		if (status != STATUS_OK)
			return force && !target->is_lost ? STATUS_OK : status;
	}
	result->has_code_crc = true;
	result->code_crc = crc;
	result->verdict = crc == image_code_crc(image) ? IDENTITY_SAME : IDENTITY_OTHER;
	return result->verdict == IDENTITY_SAME || force ? STATUS_OK : other_code(target, image, block, crc, error);
}

/* Over a link, which reads only the block, by the hash that the firmware computed. */
static enum status compare_code_hash(const struct target *target, const struct image *image,
                                     const struct capture_header *block, bool force, struct identity_result *result,
                                     struct error *error)
{
	enum image_match match =
	        image_match_identity(image, block->identity_kind, block->identity, block->identity_size);

	if (match == IMAGE_MATCH_UNKNOWN)
		return STATUS_OK;
	result->verdict = match == IMAGE_MATCH_SAME ? IDENTITY_SAME : IDENTITY_OTHER;
	if (match == IMAGE_MATCH_SAME || force)
		return STATUS_OK;
	return status_fail(
	        error,
	        "%s: the code in the target is not that of %s, as their hashes differ: give the ELF that was "
	        "flashed, or force it",
	        target->source, image->path);
}

enum status identity_check(struct target *target, const struct image *image, const struct capture_header *block,
                           bool force, struct identity_result *result, struct error *error)
{
	*result = (struct identity_result){0};
	if (image == NULL)
		return STATUS_OK;
	if (block != NULL && block->identity_kind == BAREPROF_IDENTITY_BUILD_ID && block->identity_size > 0)
		return compare_build_id(target, image, block, force, result, error);
	if (has_code(target, image))
		return compare_code_crc(target, image, block, force, result, error);
	return block != NULL ? compare_code_hash(target, image, block, force, result, error) : STATUS_OK;
}

static const char *format_block_id(const struct capture_header *block, char text[ID_TEXT_SIZE])
{
	return block->identity_size > 0 ? format_id(block->identity, block->identity_size, text) : "without an id";
}

enum status identity_check_kept(const struct target *target, const struct capture_header *found,
                                const struct capture_header *read, struct error *error)
{
	char before[ID_TEXT_SIZE], after[ID_TEXT_SIZE];

	if (found->identity_kind == read->identity_kind && found->identity_size == read->identity_size &&
	    memcmp(found->identity, read->identity, sizeof found->identity) == 0)
		return STATUS_OK;
	return status_fail(error,
	                   "%s: the target runs another firmware than when the pull began, build %s and not %s: was it "
	                   "flashed meanwhile? Pull again, with the ELF of what runs now",
	                   target->source, format_block_id(read, after), format_block_id(found, before));
}

const char *identity_remark(enum identity_verdict verdict)
{
	switch (verdict) {
	case IDENTITY_UNCHECKED:
		return ", identity not checked";
	case IDENTITY_OTHER:
		return ", of another build than the ELF (forced)";
	default:
		return "";
	}
}
