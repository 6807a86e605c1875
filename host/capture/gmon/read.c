/* SPDX-License-Identifier: MIT */
/*
 * The reader of gmon.out, version 1, and version 0, whose basic blocks have more fields (GNU gprof manual, "Profiling
 * Data File Format").
 */
#include "capture/gmon/private.h"

#include "base/array.h"
#include "capture/count.h"

#include <string.h>

#define MAGIC            "gmon"
#define MAGIC_SIZE       4
#define HEADER_SIZE      20
#define DIMENSION_SIZE   15
#define TAG_HISTOGRAM    0
#define TAG_ARC          1
#define TAG_BASIC_BLOCKS 2

static enum status read_histogram(struct reader *reader)
{
	unsigned address_size = reader->order->address_size;
	struct histogram_header header = {.bin_size = 2, .offset = reader->at - 1};
	const uint8_t *bytes = reader_take(reader, 2 * address_size + 8 + DIMENSION_SIZE + 1, "a histogram");

	if (bytes == NULL)
		return STATUS_FAILED;
	header.low = capture_address(reader->order, bytes);
	header.high = capture_address(reader->order, bytes + address_size);
	header.bin_count = capture_u32(reader->order, bytes + 2 * address_size);
	header.unit.hertz = capture_u32(reader->order, bytes + 2 * address_size + 4);
	const char *dimension = (const char *)bytes + 2 * address_size + 8;
	memcpy(header.unit.dimension, dimension, strnlen(dimension, DIMENSION_SIZE));
	header.unit.abbreviation = dimension[DIMENSION_SIZE];
	return reader_add_histogram(reader, &header);
}

static enum status read_arc(struct reader *reader)
{
	unsigned address_size = reader->order->address_size;
	const uint8_t *bytes = reader_take(reader, 2 * address_size + 4, "an arc");

	if (bytes == NULL)
		return STATUS_FAILED;
	const struct gmon_arc arc = {
	        .from = capture_address(reader->order, bytes),
	        .self = capture_address(reader->order, bytes + address_size),
	        .count = capture_u32(reader->order, bytes + 2 * address_size),
	};
	reader->addition->has_arcs = true;
	return reader_add_arc(reader, &arc);
}

static enum status add_basic_block(struct reader *reader, uint64_t address, uint64_t count)
{
	struct addition *addition = reader->addition;
	const struct gmon_basic_block block = {.address = address, .count = count};

	if (!array_append(&addition->basic_blocks, &addition->basic_block_count, &block, sizeof block))
		return status_no_memory(reader->error, addition->path);
	return STATUS_OK;
}

static enum status read_basic_block(struct reader *reader)
{
	unsigned address_size = reader->order->address_size;
	const uint8_t *bytes = reader_take(reader, 2 * address_size, "a basic block");

	if (bytes == NULL)
		return STATUS_FAILED;
	return add_basic_block(reader, capture_address(reader->order, bytes),
	                       capture_address(reader->order, bytes + address_size));
}

static bool skip_text(struct reader *reader)
{
	size_t length = strnlen((const char *)reader->bytes + reader->at, reader->size - reader->at);

	return reader_take(reader, length + 1, "the text of a basic block") != NULL;
}

/* Version 0: the count comes first, then the address; file, function and line follow. */
static enum status read_old_basic_block(struct reader *reader)
{
	unsigned address_size = reader->order->address_size;
	const uint8_t *bytes = reader_take(reader, 2 * address_size, "a basic block");

	if (bytes == NULL || !skip_text(reader) || !skip_text(reader) ||
	    reader_take(reader, 4, "the line of a basic block") == NULL)
		return STATUS_FAILED;
	return add_basic_block(reader, capture_address(reader->order, bytes + address_size),
	                       capture_address(reader->order, bytes));
}

static enum status read_basic_blocks(struct reader *reader)
{
	bool is_version_0 = capture_u32(reader->order, reader->bytes + MAGIC_SIZE) == 0;
	const uint8_t *bytes = reader_take(reader, 4, "a record of basic blocks");

	if (bytes == NULL || (is_version_0 && !skip_text(reader)))
		return STATUS_FAILED;
	uint32_t count = capture_u32(reader->order, bytes);
	enum status status = STATUS_OK;
	reader->addition->records.basic_blocks++;
	for (uint32_t i = 0; status == STATUS_OK && i < count; i++)
		status = is_version_0 ? read_old_basic_block(reader) : read_basic_block(reader);
	return status;
}

static enum status read_record(struct reader *reader)
{
	switch (reader->bytes[reader->at++]) {
	case TAG_HISTOGRAM:
		return read_histogram(reader);
	case TAG_ARC:
		return read_arc(reader);
	case TAG_BASIC_BLOCKS:
		return read_basic_blocks(reader);
	default:
		return status_fail(reader->error,
		                   "%s: offset 0x%zx: record of kind %u, expected 0, 1 or 2: is the ELF of this "
		                   "target?",
		                   reader->addition->path, reader->at - 1, reader->bytes[reader->at - 1]);
	}
}

static enum status read_gnu(struct reader *reader)
{
	const uint8_t *header = reader_take(reader, HEADER_SIZE, "the header");

	if (header == NULL)
		return STATUS_FAILED;
	uint32_t version = capture_u32(reader->order, header + MAGIC_SIZE);
	if (version > 1)
		return status_fail(reader->error,
		                   "%s: offset 0x%x: gmon.out of version 0x%x, expected 0 or 1: is the ELF of this "
		                   "target?",
		                   reader->addition->path, MAGIC_SIZE, version);
	enum status status = STATUS_OK;
	reader->addition->records.version = version;
	while (status == STATUS_OK && reader->at < reader->size)
		status = read_record(reader);
	return status;
}

bool gmon_is(const uint8_t *bytes, size_t size)
{
	return size >= MAGIC_SIZE && memcmp(bytes, MAGIC, MAGIC_SIZE) == 0;
}

static enum status read_gmon_as(struct reader *reader, enum gmon_format format)
{
	bool has_magic = gmon_is(reader->bytes, reader->size);

	if (format == GMON_MAGIC && !has_magic)
		return status_fail(reader->error, "%s: offset 0x0: not a gmon.out (expected \"" MAGIC "\")",
		                   reader->addition->path);
	if (format == GMON_MAGIC || (format == GMON_AUTO && has_magic))
		return read_gnu(reader);
	return reader_read_bsd(reader, format);
}

enum status gmon_decode(const char *path, const uint8_t *bytes, size_t size, const struct capture_order *order,
                        enum gmon_format format, struct gmon *gmon, struct error *error)
{
	struct addition addition = {.path = path, .has_offsets = true};
	struct reader reader = {
	        .bytes = bytes,
	        .size = size,
	        .order = order,
	        .addition = &addition,
	        .error = error,
	};
	enum status status = read_gmon_as(&reader, format);

	if (status == STATUS_OK)
		status = addition_join(&addition, gmon, error);
	addition_free(&addition);
	return status;
}
