/* SPDX-License-Identifier: MIT */
/* See filing.h. */
#include "acquire/sample/filing.h"

#include <bareprof/block.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANGES_MAX       (sizeof((struct capture_block *)0)->ranges / sizeof(struct capture_range))
#define INSTRUCTION_SIZE 2 /* bytes of a Thumb instruction, at least */
#define CLOCK_HZ         100000000u

uint64_t filing_samples(const struct batches *batches)
{
	double samples = floor((double)batches->reads / batches_design_effect(batches));

	return samples < 1 ? 1 : (uint64_t)samples;
}

/* Sets the time per sample. Rare samples, tens of seconds apart, need a slower clock. */
static void put_rate(const struct batches *batches, struct capture_header *header)
{
	double seconds = (double)batches->nanoseconds / 1e9 / (double)header->ticks;

	header->clock_hz = CLOCK_HZ;
	while (seconds * header->clock_hz > UINT32_MAX)
		header->clock_hz /= 10;
	header->period = (uint32_t)fmax(1, round(seconds * header->clock_hz));
}

static struct capture_header make_sampled_header(const struct batches *batches, const struct filing *filing)
{
	const struct image *image = batches->image;
	struct capture_header header = {
	        .order = {image->big_endian, image->address_size},
	        .state = BAREPROF_STATE_STOPPED,
	        .ticks = filing_samples(batches),
	};

	put_rate(batches, &header);
	if (filing->is_same_build && image->build_id_size > 0) {
		header.identity_kind = BAREPROF_IDENTITY_BUILD_ID;
		header.identity_size = image->build_id_size < sizeof header.identity ? (unsigned)image->build_id_size
		                                                                     : sizeof header.identity;
		memcpy(header.identity, image->build_id, header.identity_size);
	}
	return header;
}

/* Joins the two closest neighbours. */
static void join_closest(struct capture_range *ranges, size_t count)
{
	size_t closest = 1;

	for (size_t i = 1; i < count; i++)
		if (ranges[i].start - ranges[i - 1].end < ranges[closest].start - ranges[closest - 1].end)
			closest = i;
	ranges[closest - 1].end = ranges[closest].end;
	memmove(ranges + closest, ranges + closest + 1, (count - closest - 1) * sizeof *ranges);
}

/* The code of the image, for exporters; samples outside it are kept, too. */
static void put_code_ranges(const struct image *image, struct capture_block *block)
{
	struct capture_range ranges[RANGES_MAX + 1];
	size_t count = 0;

	for (size_t i = 0; i < image->code_count; i++) {
		uint64_t start = image->code[i].address, end = start + image->code[i].size;

		if (end <= start || end > UINT32_MAX || (count > 0 && start < ranges[count - 1].end))
			continue;
		ranges[count++] = (struct capture_range){start, end};
		if (count > RANGES_MAX)
			join_closest(ranges, count--);
	}
	memcpy(block->ranges, ranges, count * sizeof *ranges);
	block->range_count = count;
}

static bool put_cells(const struct batches *batches, uint64_t seed, struct capture_block *block)
{
	unsigned short state[] = {(unsigned short)seed, (unsigned short)(seed >> 16), (unsigned short)(seed >> 32)};
	double scale = (double)block->header.ticks / (double)batches->reads, offset = erand48(state);
	uint64_t reads = 0, filed = 0;

	block->cells = calloc(batches->place_count + 1, sizeof *block->cells);
	for (size_t i = 0; block->cells != NULL && i < batches->place_count; i++) {
		const struct batches_place *place = &batches->places[i];

		reads += place->reads;
		/* The last place absorbs rounding errors. */
		uint64_t until = i + 1 == batches->place_count ? block->header.ticks
		                                               : (uint64_t)((double)reads * scale + offset);
		if (until == filed)
			continue;
		bool is_code = place->address != BAREPROF_PC_UNAVAILABLE;
		block->cells[block->cell_count++] = (struct capture_cell){
		        .low = place->address,
		        .high = (uint64_t)place->address + (is_code ? INSTRUCTION_SIZE : 1),
		        .count = until - filed,
		        .context = CAPTURE_NO_CONTEXT,
		};
		filed = until;
	}
	return block->cells != NULL;
}

enum status filing_encode(const struct batches *batches, const struct filing *filing, uint8_t **file, size_t *size,
                          struct error *error)
{
	char path[] = "samples";
	struct capture_block block = {
	        .header = make_sampled_header(batches, filing),
	        .bin_size = INSTRUCTION_SIZE,
	        .has_skew = true,
	        .has_tick_cost = true, /* samples take no interrupt */
	        .distances = CAPTURE_DISTANCES_RANDOM,
	        .is_sampled = true,
	};
	struct capture capture = {
	        .path = path,
	        .blocks = &block,
	        .block_count = 1,
	        .time = filing->time,
	        .has_code_crc = filing->has_code_crc,
	        .code_crc = filing->code_crc,
	};

	snprintf(capture.source, sizeof capture.source, "%s", filing->source);
	put_code_ranges(batches->image, &block);
	if (filing->stacks != NULL)
		stack_copies_file(filing->stacks, &block);
	enum status status =
	        put_cells(batches, filing->seed, &block)
	                ? capture_write(&capture, file, size, error)
	                : status_fail(error, "out of memory for samples at %zu places", batches->place_count);
	free(block.cells);
	return status;
}
