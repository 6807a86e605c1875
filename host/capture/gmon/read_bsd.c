/* SPDX-License-Identifier: MIT */
/*
 * The reader of BSD gprof's data: one histogram, then arcs up to the end of the file. 4.4BSD's header adds a version
 * and a rate to the old one; FreeBSD adds the width of its counters (FreeBSD sys/gmon.h, struct gmonhdr: lpc, hpc,
 * ncnt, version, profrate, histcounter_type, spare[2]; usr.bin/gprof/gprof.c, openpfile()).
 */
#include "capture/gmon/private.h"

#include <string.h>

#define VERSION_44 0x00051879u

/* The words of the header after low and high. */
#define OFFSET_SIZE    0 /* u32: bytes of header and bins */
#define OLD_SIZE       4
#define OFFSET_VERSION 4
#define OFFSET_RATE    8
#define OFFSET_WIDTH   12 /* i32: bits of a counter, negative if it is signed; 0 means 16 */
#define SIZE_44        24

static bool is_from_44bsd(const struct reader *reader, enum gmon_format format)
{
	size_t at = 2 * reader->order->address_size + OFFSET_VERSION;

	if (format != GMON_AUTO)
		return format == GMON_BSD_44;
	return reader->size >= at + 4 && capture_u32(reader->order, reader->bytes + at) == VERSION_44;
}

static enum status read_width(struct reader *reader, const uint8_t *words, struct histogram_header *header)
{
	uint32_t word = capture_u32(reader->order, words + OFFSET_WIDTH);

	header->is_signed = word > INT32_MAX;
	uint32_t bits = header->is_signed ? 0 - word : word;
	if (bits != 0 && bits != 8 && bits != 16 && bits != 32 && bits != 64)
		return status_fail(reader->error, "%s: offset 0x%x: counters of %u bits, expected 8, 16, 32 or 64",
		                   reader->addition->path, 2 * reader->order->address_size + OFFSET_WIDTH, bits);
	header->bin_size = bits == 0 ? 2 : bits / 8;
	return STATUS_OK;
}

static enum status read_words_of_44bsd(struct reader *reader, const uint8_t *words, struct histogram_header *header)
{
	uint32_t version = capture_u32(reader->order, words + OFFSET_VERSION);

	if (version != VERSION_44)
		return status_fail(reader->error, "%s: offset 0x%x: version 0x%x, expected 4.4BSD's 0x%x",
		                   reader->addition->path, 2 * reader->order->address_size + OFFSET_VERSION, version,
		                   VERSION_44);
	header->unit.hertz = capture_u32(reader->order, words + OFFSET_RATE);
	return read_width(reader, words, header);
}

/* Derives the number of bins from the size of header and bins. */
static enum status read_bin_count(struct reader *reader, const uint8_t *words, struct histogram_header *header)
{
	uint32_t size = capture_u32(reader->order, words + OFFSET_SIZE);

	if (size < reader->at || (size - reader->at) % header->bin_size != 0)
		return status_fail(
		        reader->error, "%s: offset 0x%x: header and bins of %u bytes, expected %zu and %u for each bin",
		        reader->addition->path, 2 * reader->order->address_size, size, reader->at, header->bin_size);
	header->bin_count = (size - reader->at) / header->bin_size;
	return STATUS_OK;
}

static enum status read_arcs(struct reader *reader)
{
	unsigned size = reader->order->address_size;
	enum status status = STATUS_OK;

	while (status == STATUS_OK && reader->at < reader->size) {
		const uint8_t *bytes = reader_take(reader, 3 * size, "an arc");

		if (bytes == NULL)
			return STATUS_FAILED;
		const struct gmon_arc arc = {
		        .from = capture_address(reader->order, bytes),
		        .self = capture_address(reader->order, bytes + size),
		        .count = capture_address(reader->order, bytes + 2 * size),
		};
		status = reader_add_arc(reader, &arc);
	}
	return status;
}

/* The old header has no magic, but its words must be consistent with each other and with the file. */
static bool may_be_old(const struct reader *reader)
{
	size_t address_size = reader->order->address_size;
	size_t header_size = 2 * address_size + OLD_SIZE;

	if (reader->size < header_size)
		return false;
	uint32_t size = capture_u32(reader->order, reader->bytes + 2 * address_size + OFFSET_SIZE);
	return capture_address(reader->order, reader->bytes) <=
	               capture_address(reader->order, reader->bytes + address_size) &&
	       size >= header_size && size <= reader->size;
}

enum status reader_read_bsd(struct reader *reader, enum gmon_format format)
{
	bool has_rate = is_from_44bsd(reader, format);

	if (format == GMON_AUTO && !has_rate && !may_be_old(reader))
		return status_fail(reader->error,
		                   "%s: not a gmon.out: no \"gmon\" at its start, and no BSD header that fits the file",
		                   reader->addition->path);
	unsigned address_size = reader->order->address_size;
	struct histogram_header header = {.bin_size = 2, .unit = {.dimension = GMON_SECONDS, .abbreviation = 's'}};
	const uint8_t *bytes = reader_take(reader, 2 * address_size + (has_rate ? SIZE_44 : OLD_SIZE), "the header");
	if (bytes == NULL)
		return STATUS_FAILED;
	header.low = capture_address(reader->order, bytes);
	header.high = capture_address(reader->order, bytes + address_size);
	enum status status = has_rate ? read_words_of_44bsd(reader, bytes + 2 * address_size, &header) : STATUS_OK;
	if (status == STATUS_OK)
		status = read_bin_count(reader, bytes + 2 * address_size, &header);
	if (status == STATUS_OK)
		status = reader_add_histogram(reader, &header);
	reader->addition->has_arcs = true;
	return status == STATUS_OK ? read_arcs(reader) : status;
}
