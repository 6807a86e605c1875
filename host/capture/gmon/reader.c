/* SPDX-License-Identifier: MIT */
/* The steps that all readers of gmon.out share: taking bytes from the file, adding a histogram, adding an arc. */
#include "capture/gmon/private.h"

#include "base/array.h"
#include "capture/count.h"

#include <inttypes.h>
#include <string.h>

const uint8_t *reader_take(struct reader *reader, uint64_t count, const char *part)
{
	size_t left = reader->size - reader->at;

	if (count > left) {
		status_fail(reader->error, "%s: offset 0x%zx: cut within %s: %" PRIu64 " bytes expected, %zu left",
		            reader->addition->path, reader->at, part, count, left);
		return NULL;
	}
	const uint8_t *bytes = reader->bytes + reader->at;
	reader->at += (size_t)count;
	return bytes;
}

static enum status check_histogram_header(struct reader *reader, const struct histogram_header *header)
{
	struct addition *addition = reader->addition;
	const char *path = addition->path;

	if (header->high < header->low || (header->high == header->low && header->bin_count > 0))
		return status_fail(reader->error,
		                   "%s: offset 0x%zx: histogram of 0x%" PRIx64 "..0x%" PRIx64 " in %" PRIu64 " bins",
		                   path, header->offset, header->low, header->high, header->bin_count);
	if (!addition->has_histogram) {
		addition->has_histogram = true;
		addition->unit = header->unit;
		return STATUS_OK;
	}
	const struct gmon_unit *unit = &header->unit, *earlier = &addition->unit;
	if (unit->hertz < earlier->hertz || unit->hertz > earlier->hertz)
		return status_fail(reader->error,
		                   "%s: offset 0x%zx: histogram sampled at %.0f Hz, earlier ones at %.0f Hz", path,
		                   header->offset, unit->hertz, earlier->hertz);
	if (strcmp(unit->dimension, earlier->dimension) != 0 || unit->abbreviation != earlier->abbreviation)
		return status_fail(reader->error, "%s: offset 0x%zx: histogram in another dimension than earlier ones",
		                   path, header->offset);
	return STATUS_OK;
}

/* The histogram to which a record is added: the last one if the range is the same, because counts beyond 16 bits are
 * split into several records. NULL when out of memory. */
static struct gmon_histogram *histogram_for(struct addition *addition, const struct histogram_header *header)
{
	struct incoming *last =
	        addition->histogram_count > 0 ? &addition->histograms[addition->histogram_count - 1] : NULL;

	if (last != NULL && last->histogram.low == header->low && last->histogram.high == header->high &&
	    last->histogram.bin_count == header->bin_count)
		return &last->histogram;
	struct incoming *histograms =
	        array_reserve(addition->histograms, sizeof *histograms, addition->histogram_count);
	uint64_t *bins = calloc((size_t)header->bin_count, sizeof *bins);
	if (histograms != NULL)
		addition->histograms = histograms;
	if (histograms == NULL || bins == NULL) {
		free(bins);
		return NULL;
	}
	struct incoming *added = &histograms[addition->histogram_count++];
	*added = (struct incoming){
	        .histogram = {header->low, header->high, bins, (size_t)header->bin_count},
	        .offset = header->offset,
	};
	return &added->histogram;
}

enum status reader_add_histogram(struct reader *reader, const struct histogram_header *header)
{
	reader->addition->records.histograms++;
	enum status status = check_histogram_header(reader, header);
	if (status != STATUS_OK)
		return status;
	const uint8_t *bytes = reader_take(reader, header->bin_count * header->bin_size, "the bins of a histogram");
	if (bytes == NULL)
		return STATUS_FAILED;
	if (header->bin_count == 0)
		return STATUS_OK;
	struct gmon_histogram *histogram = histogram_for(reader->addition, header);
	if (histogram == NULL)
		return status_no_memory(reader->error, reader->addition->path);
	uint64_t sign = header->is_signed ? UINT64_C(1) << (8 * header->bin_size - 1) : 0;
	for (size_t i = 0; i < histogram->bin_count; i++, bytes += header->bin_size) {
		uint64_t count = capture_counter(reader->order, bytes, header->bin_size);

		if ((count & sign) == 0)
			count_add(&histogram->bins[i], count);
	}
	return STATUS_OK;
}

enum status reader_add_arc(struct reader *reader, const struct gmon_arc *arc)
{
	struct addition *addition = reader->addition;

	if (!array_append(&addition->arcs, &addition->arc_count, arc, sizeof *arc))
		return status_no_memory(reader->error, addition->path);
	addition->records.arcs++;
	return STATUS_OK;
}
