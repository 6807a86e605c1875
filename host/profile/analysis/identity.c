/* SPDX-License-Identifier: MIT */
/* Pass: refuses captures that another build of the firmware recorded. */
#include "profile/analysis.h"

#include "firmware/identity.h"

#include <bareprof/block.h>
#include <string.h>

static enum status check_target(const struct image *image, const struct capture *capture,
                                const struct capture_header *header, struct error *error)
{
	if (header->order.address_size != image->address_size || header->order.big_endian != image->big_endian)
		return status_fail(error, "%s: recorded by a %u-bit %s-endian target, but %s is %u-bit %s-endian",
		                   capture->path, 8 * header->order.address_size,
		                   header->order.big_endian ? "big" : "little", image->path, 8 * image->address_size,
		                   image->big_endian ? "big" : "little");
	return STATUS_OK;
}

static enum status judge_build(bool same, bool force, const char *what, const struct image *image,
                               const struct capture *capture, enum profile_identity *identity, struct error *error)
{
	if (!same && !force)
		return status_fail_with(
		        error, HINT_FORCE,
		        "%s: recorded by another build than %s (%s differs): use the ELF that was flashed",
		        capture->path, image->path, what);
	*identity = same ? PROFILE_IDENTITY_SAME : PROFILE_IDENTITY_OTHER;
	return STATUS_OK;
}

/* Whether the ELF has its block elsewhere. Always false for a program with several, and for a block that a probe
 * filled.
 */
static bool is_elsewhere(const struct image *image, const struct capture_block *block)
{
	uint64_t address, size, second;

	if (block->is_sampled || !image_object(image, "bareprof_block", &address, &size) ||
	    image_symbol(image, "bareprof_block_1", &second))
		return false;
	return block->header.block_address - address >= (size > 0 ? size : 1);
}

/* Compares the identity of the block. The blocks of one capture mostly have one identity, for which the answer is kept:
 * the code may have to be hashed. */
static enum image_match match_block(const struct image *image, const struct capture_header *header,
                                    const struct capture_header **asked, enum image_match *answer)
{
	if (*asked == NULL || header->identity_kind != (*asked)->identity_kind ||
	    header->identity_size != (*asked)->identity_size ||
	    memcmp(header->identity, (*asked)->identity, sizeof header->identity) != 0)
		*answer = image_match_identity(image, header->identity_kind, header->identity, header->identity_size);
	*asked = header;
	return *answer;
}

/* *identity stays unchanged if there is nothing to compare. */
static enum status check_block(const struct image *image, const struct capture *capture,
                               const struct capture_block *block, enum image_match match, bool force,
                               enum profile_identity *identity, struct error *error)
{
	const struct capture_header *header = &block->header;
	const char *what = header->identity_kind == BAREPROF_IDENTITY_BUILD_ID ? "build-id" : "hash of the code";

	/* pull read the code itself, without what may lie between its sections. */
	if (header->identity_kind == BAREPROF_IDENTITY_CODE_HASH && capture->has_code_crc)
		match = IMAGE_MATCH_UNKNOWN;
	if (match != IMAGE_MATCH_UNKNOWN)
		return judge_build(match == IMAGE_MATCH_SAME, force, what, image, capture, identity, error);
	if (capture->has_code_crc)
		return judge_build(capture->code_crc == image_code_crc(image), force, "code", image, capture, identity,
		                   error);
	if (is_elsewhere(image, block))
		return judge_build(false, force, "address of the block", image, capture, identity, error);
	return STATUS_OK;
}

enum status analysis_check_capture(const struct image *image, const struct capture *capture, bool force,
                                   enum profile_identity *worst, struct error *error)
{
	const struct capture_header *asked = NULL;
	enum image_match answer = IMAGE_MATCH_UNKNOWN;

	for (size_t i = 0; i < capture->block_count; i++) {
		const struct capture_header *header = &capture->blocks[i].header;
		enum profile_identity identity = PROFILE_IDENTITY_UNKNOWN;
		enum status status = check_target(image, capture, header, error);

		if (status == STATUS_OK)
			status = check_block(image, capture, &capture->blocks[i],
			                     match_block(image, header, &asked, &answer), force, &identity, error);
		if (status != STATUS_OK)
			return status;
		if (identity > *worst)
			*worst = identity;
	}
	return STATUS_OK;
}

enum status analysis_check_identity(struct profile *profile, bool force, struct error *error)
{
	enum status status = STATUS_OK;

	profile->identity = profile->capture_count > 0 ? PROFILE_IDENTITY_SAME : PROFILE_IDENTITY_UNKNOWN;
	for (size_t i = 0; status == STATUS_OK && i < profile->capture_count; i++)
		status = analysis_check_capture(profile->image, profile->captures[i], force, &profile->identity, error);
	return status;
}
