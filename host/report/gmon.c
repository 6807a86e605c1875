/* SPDX-License-Identifier: MIT */
/*
 * The format gmon.out for GNU gprof and compatible tools: the captures converted by gmon/, without the recorder's own
 * samples, and with call addresses inside the call instruction, because these tools use them unchanged. Samples without
 * a known function (coarse bins, the secure world) are left out.
 */
#include "base/search.h"
#include "report/output.h"

#include <stdlib.h>

/* The bytes of a cell that the recorder covers. */
static uint64_t recorder_bytes(const struct image *image, const struct capture_cell *cell)
{
	size_t next = first_above(image->recorder, image->recorder_count, sizeof *image->recorder,
	                          offsetof(struct image_range, start), cell->low);
	uint64_t bytes = 0;

	for (size_t i = next > 0 ? next - 1 : 0; i < image->recorder_count && image->recorder[i].start < cell->high;
	     i++) {
		const struct image_range *range = &image->recorder[i];
		uint64_t low = range->start > cell->low ? range->start : cell->low;
		uint64_t high = range->end < cell->high ? range->end : cell->high;

		bytes += high > low ? high - low : 0;
	}
	return bytes;
}

/* The cell's samples, reduced in proportion. */
static uint64_t exported_count(const struct image *image, const struct capture_cell *cell)
{
	uint64_t bytes = recorder_bytes(image, cell);

	if (bytes == 0)
		return cell->count;
	double kept = (double)(cell->high - cell->low - bytes) / (double)(cell->high - cell->low);
	return profile_count_of((double)cell->count * kept);
}

static void adapt_block(const struct image *image, struct capture_block *block)
{
	for (size_t i = 0; i < block->cell_count; i++)
		block->cells[i].count = exported_count(image, &block->cells[i]);
	/* The caller's address in a gmon.out is as its writer recorded it. */
	for (size_t i = 0; !block->is_gmon && i < block->arc_count; i++)
		block->arcs[i].caller = profile_call_site(image, block->arcs[i].caller);
}

enum status output_add_to_gmon(const struct image *image, const struct capture *capture, struct gmon *gmon,
                               struct error *error)
{
	const struct capture_selection all = {0};
	struct capture *copy = capture_select(capture, &all);

	if (copy == NULL)
		return status_no_memory(error, capture->path);
	for (size_t i = 0; i < copy->block_count; i++)
		adapt_block(image, &copy->blocks[i]);
	enum status status = gmon_add_capture(gmon, copy, error);
	capture_close(copy);
	return status;
}

static enum status encode_gmon(const struct profile *profile, const struct gmon *gmon, uint8_t **file, size_t *size,
                               struct error *error)
{
	const struct capture_order order = {
	        .big_endian = profile->image->big_endian,
	        .address_size = profile->image->address_size,
	};
	const char *name = profile->capture_count > 0 ? profile->captures[0]->path : "captures";

	return gmon_encode(name, gmon, &order, file, size, error);
}

static enum status write_gmon(const struct profile *profile, FILE *stream, struct error *error)
{
	struct gmon gmon = {0};
	uint8_t *file = NULL;
	size_t size = 0;
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < profile->capture_count; i++)
		status = output_add_to_gmon(profile->image, profile->captures[i], &gmon, error);
	if (status == STATUS_OK)
		status = encode_gmon(profile, &gmon, &file, &size, error);
	if (status == STATUS_OK)
		fwrite(file, 1, size, stream);
	free(file);
	gmon_free(&gmon);
	return status;
}

const struct output_format output_gmon = {
        .name = "gmon",
        .summary = "gmon.out, for GNU gprof and compatible tools",
        .binary = true,
        .write = write_gmon,
};
