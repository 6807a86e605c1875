/* SPDX-License-Identifier: MIT */
/*
 * The writer of gmon.out, version 1 (GNU gprof manual, "Profiling Data File Format").
 * Counts too large for a record continue in further records, which readers add up.
 */
#include "capture/gmon/gmon.h"

#include "base/file/file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TAG_HISTOGRAM       0
#define TAG_ARC             1
#define TAG_BASIC_BLOCKS    2
#define HEADER_SIZE         20
#define DIMENSION_SIZE      15
#define BIN_MAX             0xFFFFu
#define HISTOGRAM_BYTES_MAX ((uint64_t)64 << 20) /* bytes of all histograms that take several records */
#define RECORDS_MAX         16u                  /* for one arc or basic block */

struct gmon_writer {
	const char *name;
	const struct gmon *gmon;
	const struct capture_order *order;
	uint32_t hertz;
	uint8_t *bytes;
	size_t size;
	struct error *error;
};

static void put_integer(struct gmon_writer *writer, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++) {
		unsigned byte = writer->order->big_endian ? size - 1 - i : i;

		writer->bytes[writer->size++] = (uint8_t)(value >> (8 * byte));
	}
}

static bool address_fits(const struct gmon_writer *writer, uint64_t address)
{
	return writer->order->address_size == 8 || address <= UINT32_MAX;
}

static enum status fail_address(const struct gmon_writer *writer, uint64_t address)
{
	return status_fail(writer->error, "%s: address 0x%" PRIx64 " does not fit gmon.out of a 32-bit target",
	                   writer->name, address);
}

/* The number of records that the largest count takes. */
static uint64_t histogram_records(const struct gmon_histogram *histogram)
{
	uint64_t largest = 0;

	for (size_t i = 0; i < histogram->bin_count; i++)
		if (histogram->bins[i] > largest)
			largest = histogram->bins[i];
	return largest / BIN_MAX + (largest % BIN_MAX != 0 || largest == 0);
}

/* Adds the size of the histogram to *size, and also to *split_size if it takes several records. */
static enum status measure_histogram(const struct gmon_writer *writer, const struct gmon_histogram *histogram,
                                     uint64_t *split_size, uint64_t *size)
{
	uint64_t records = histogram_records(histogram);
	uint64_t record = 1 + 2 * writer->order->address_size + 8 + DIMENSION_SIZE + 1 + 2 * histogram->bin_count;

	if (!address_fits(writer, histogram->high))
		return fail_address(writer, histogram->high);
	if (records > 1 && records > (HISTOGRAM_BYTES_MAX - *split_size) / record)
		return status_fail(writer->error,
		                   "%s: a bin holds too many samples for gmon.out: %" PRIu64 " records of %zu bins",
		                   writer->name, records, histogram->bin_count);
	*split_size += records > 1 ? records * record : 0;
	*size += records * record;
	return STATUS_OK;
}

static enum status measure_arc(const struct gmon_writer *writer, const struct gmon_arc *arc, uint64_t *size)
{
	uint64_t address = arc->from > arc->self ? arc->from : arc->self;

	if (!address_fits(writer, address))
		return fail_address(writer, address);
	if (arc->count / UINT32_MAX >= RECORDS_MAX)
		return status_fail(writer->error, "%s: an arc with %" PRIu64 " calls, too many for gmon.out",
		                   writer->name, arc->count);
	uint64_t records = arc->count / UINT32_MAX + (arc->count % UINT32_MAX != 0 || arc->count == 0);
	*size += records * (1 + 2 * writer->order->address_size + 4);
	return STATUS_OK;
}

/* The maximum count of a basic block, which has the size of an address. */
static uint64_t block_count_max(const struct gmon_writer *writer)
{
	return writer->order->address_size == 8 ? UINT64_MAX : UINT32_MAX;
}

static enum status measure_basic_block(const struct gmon_writer *writer, const struct gmon_basic_block *block,
                                       uint64_t *size)
{
	uint64_t max = block_count_max(writer);

	if (!address_fits(writer, block->address))
		return fail_address(writer, block->address);
	if (block->count / max >= RECORDS_MAX)
		return status_fail(writer->error,
		                   "%s: a basic block that was entered %" PRIu64 " times: too many for gmon.out",
		                   writer->name, block->count);
	uint64_t records = block->count / max + (block->count % max != 0 || block->count == 0);
	*size += records * 2 * writer->order->address_size;
	return STATUS_OK;
}

static enum status round_rate(struct gmon_writer *writer)
{
	const struct gmon *gmon = writer->gmon;

	if (gmon->histogram_count == 0 || gmon_whole_hertz(gmon->unit.hertz, &writer->hertz))
		return STATUS_OK;
	return status_fail(writer->error,
	                   "%s: sampled at %.10g Hz, but gmon.out holds whole hertz only: bareprof gprof reads the "
	                   "capture itself",
	                   writer->name, gmon->unit.hertz);
}

static enum status measure_gmon(struct gmon_writer *writer, uint64_t *size)
{
	const struct gmon *gmon = writer->gmon;
	enum status status = round_rate(writer);
	uint64_t split_size = 0;

	*size = HEADER_SIZE + (gmon->basic_block_count > 0 ? 5 : 0);
	for (size_t i = 0; status == STATUS_OK && i < gmon->histogram_count; i++)
		status = measure_histogram(writer, &gmon->histograms[i], &split_size, size);
	for (size_t i = 0; status == STATUS_OK && i < gmon->arc_count; i++)
		status = measure_arc(writer, &gmon->arcs[i], size);
	for (size_t i = 0; status == STATUS_OK && i < gmon->basic_block_count; i++)
		status = measure_basic_block(writer, &gmon->basic_blocks[i], size);
	if (status == STATUS_OK && *size > FILE_SIZE_MAX)
		return status_fail(writer->error, "%s: too large for gmon.out: %" PRIu64 " bytes", writer->name, *size);
	return status;
}

static void put_text(struct gmon_writer *writer, const char *text, size_t size)
{
	memcpy(writer->bytes + writer->size, text, size);
	writer->size += size;
}

static void put_gmon_header(struct gmon_writer *writer)
{
	put_text(writer, "gmon", 4);
	put_integer(writer, 1, 4);
	for (int i = 0; i < 12; i++)
		put_integer(writer, 0, 1);
}

/* Writes the next record's part of each bin, after the parts that earlier records hold. */
static void put_bins(struct gmon_writer *writer, const struct gmon_histogram *histogram, uint64_t written)
{
	for (size_t i = 0; i < histogram->bin_count; i++) {
		uint64_t left = histogram->bins[i] > written ? histogram->bins[i] - written : 0;

		put_integer(writer, left < BIN_MAX ? left : BIN_MAX, 2);
	}
}

static void put_histogram(struct gmon_writer *writer, const struct gmon_histogram *histogram)
{
	uint64_t records = histogram_records(histogram);

	for (uint64_t i = 0; i < records; i++) {
		put_integer(writer, TAG_HISTOGRAM, 1);
		put_integer(writer, histogram->low, writer->order->address_size);
		put_integer(writer, histogram->high, writer->order->address_size);
		put_integer(writer, histogram->bin_count, 4);
		put_integer(writer, writer->hertz, 4);
		put_text(writer, writer->gmon->unit.dimension, DIMENSION_SIZE);
		put_integer(writer, (uint8_t)writer->gmon->unit.abbreviation, 1);
		put_bins(writer, histogram, i * BIN_MAX);
	}
}

static void put_gmon_arc(struct gmon_writer *writer, const struct gmon_arc *arc)
{
	uint64_t left = arc->count;

	do {
		uint64_t part = left < UINT32_MAX ? left : UINT32_MAX;

		put_integer(writer, TAG_ARC, 1);
		put_integer(writer, arc->from, writer->order->address_size);
		put_integer(writer, arc->self, writer->order->address_size);
		put_integer(writer, part, 4);
		left -= part;
	} while (left > 0);
}

/* All basic blocks form one record, whose number of items is filled in at the end. */
static void put_basic_blocks(struct gmon_writer *writer)
{
	uint64_t max = block_count_max(writer);
	size_t count_at = writer->size + 1;
	uint32_t count = 0;

	put_integer(writer, TAG_BASIC_BLOCKS, 1);
	put_integer(writer, 0, 4);
	for (size_t i = 0; i < writer->gmon->basic_block_count; i++) {
		uint64_t left = writer->gmon->basic_blocks[i].count;

		do {
			uint64_t part = left < max ? left : max;

			put_integer(writer, writer->gmon->basic_blocks[i].address, writer->order->address_size);
			put_integer(writer, part, writer->order->address_size);
			left -= part;
			count++;
		} while (left > 0);
	}
	size_t end = writer->size;
	writer->size = count_at;
	put_integer(writer, count, 4);
	writer->size = end;
}

enum status gmon_encode(const char *name, const struct gmon *gmon, const struct capture_order *order, uint8_t **file,
                        size_t *size, struct error *error)
{
	struct gmon_writer writer = {.name = name, .gmon = gmon, .order = order, .error = error};
	uint64_t room;
	enum status status = measure_gmon(&writer, &room);

	if (status != STATUS_OK)
		return status;
	writer.bytes = malloc((size_t)room);
	if (writer.bytes == NULL)
		return status_no_memory(error, name);
	put_gmon_header(&writer);
	for (size_t i = 0; i < gmon->histogram_count; i++)
		put_histogram(&writer, &gmon->histograms[i]);
	for (size_t i = 0; i < gmon->arc_count; i++)
		put_gmon_arc(&writer, &gmon->arcs[i]);
	if (gmon->basic_block_count > 0)
		put_basic_blocks(&writer);
	*file = writer.bytes;
	*size = writer.size;
	return STATUS_OK;
}
