/* SPDX-License-Identifier: MIT */
/*
 * Arbitrary bytes as gmon.out; the first byte chooses byte order and format. Writing and reading a file again changes
 * nothing, and its conversion keeps the guarantees of capture.h.
 */
#include "fuzz.h"

#include "capture/gmon/gmon.h"

#include <math.h>
#include <string.h>

static uint64_t sum_calls(const struct gmon *gmon)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < gmon->arc_count; i++)
		sum += gmon->arcs[i].count;
	return sum;
}

static uint64_t sum_entries(const struct gmon *gmon)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < gmon->basic_block_count; i++)
		sum += gmon->basic_blocks[i].count;
	return sum;
}

static void check_same(const struct gmon *left, const struct gmon *right)
{
	require(left->histogram_count == right->histogram_count);
	for (size_t i = 0; i < left->histogram_count; i++) {
		const struct gmon_histogram *a = &left->histograms[i], *b = &right->histograms[i];

		require(a->low == b->low && a->high == b->high && a->bin_count == b->bin_count);
		require(memcmp(a->bins, b->bins, a->bin_count * sizeof *a->bins) == 0);
	}
	require(left->histogram_count == 0 || lround(left->unit.hertz) == lround(right->unit.hertz));
	require(left->histogram_count == 0 || strcmp(left->unit.dimension, right->unit.dimension) == 0);
	/* Counts of more than 32 bits come back as several records. */
	require(left->arc_count <= right->arc_count && left->basic_block_count <= right->basic_block_count);
	require(sum_calls(left) == sum_calls(right));
	require(sum_entries(left) == sum_entries(right));
}

static void check_writing(const struct gmon *gmon, const struct capture_order *order)
{
	uint8_t *file = NULL;
	size_t size = 0;
	struct gmon again = {0};
	struct error error = {.message = ""};

	if (gmon_encode("fuzz", gmon, order, &file, &size, &error) != STATUS_OK) {
		require(error.message[0] != '\0' && file == NULL);
		return;
	}
	require(gmon_decode("again", file, size, order, GMON_MAGIC, &again, &error) == STATUS_OK);
	check_same(gmon, &again);
	gmon_free(&again);
	free(file);
}

static void check_capture(const struct gmon *gmon, const struct capture_order *order)
{
	struct capture *capture = NULL;
	struct gmon again = {0};
	struct error error = {.message = ""};

	if (gmon_to_capture("fuzz", gmon, order, &capture, &error) != STATUS_OK) {
		require(strstr(error.message, "stand for") != NULL);
		return;
	}
	for (size_t i = 0; i < capture->block_count; i++) {
		const struct capture_block *block = &capture->blocks[i];

		for (size_t cell = 0; cell < block->cell_count; cell++)
			require(block->cells[cell].low < block->cells[cell].high && block->cells[cell].count > 0);
		for (size_t cell = 1; cell < block->cell_count; cell++)
			require(block->cells[cell - 1].low <= block->cells[cell].low);
		require(capture_sum_samples(block).balance == CAPTURE_ADDS_UP);
	}
	if (gmon_add_capture(&again, capture, &error) != STATUS_OK)
		require(error.message[0] != '\0');
	gmon_free(&again);
	capture_close(capture);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gmon gmon = {0};
	struct error error = {.message = ""};

	if (size == 0)
		return 0;
	const struct capture_order order = {.big_endian = data[0] & 1, .address_size = data[0] & 2 ? 8 : 4};
	enum gmon_format format = (enum gmon_format)(data[0] >> 2 & 3);
	if (gmon_decode("fuzz", data + 1, size - 1, &order, format, &gmon, &error) != STATUS_OK) {
		require(error.message[0] != '\0' && gmon.histogram_count == 0 && gmon.arc_count == 0);
		return 0;
	}
	check_writing(&gmon, &order);
	check_capture(&gmon, &order);
	gmon_free(&gmon);
	return 0;
}
