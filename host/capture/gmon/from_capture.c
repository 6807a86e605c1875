/* SPDX-License-Identifier: MIT */
/*
 * Conversion of a capture to gmon.out, with one histogram for each sampled range. A range may start at any address, a
 * granule only at a multiple of its size, and all bins of a gmon.out have the same scale.
 */
#include "capture/gmon/private.h"

#include "base/array.h"

#include <inttypes.h>

/* The histogram of one range: bins of one size, so the last bin may reach past the end of the range. */
struct plan {
	uint64_t low, high, bins;
	uint32_t bin_size;
};

/* Bins start with their range, granules at a multiple of their size. */
static uint64_t start_of_bins(const struct capture_block *block, const struct capture_range *range)
{
	return block->bin_size > 0 ? range->start : range->start & ~(uint64_t)(block->granule_size - 1);
}

static enum status check_plan(const char *path, const struct capture_block *block, const struct capture_range *range,
                              const struct plan *plan, struct error *error)
{
	uint64_t last_address = block->header.order.address_size == 8 ? UINT64_MAX : UINT32_MAX;

	if (plan->bins > (last_address - plan->low) / plan->bin_size)
		return status_fail(error,
		                   "%s: the last bin of 0x%" PRIx64 "..0x%" PRIx64
		                   " reaches the end of memory, which gmon.out cannot hold",
		                   path, range->start, range->end);
	if (plan->bins > GMON_BINS_MAX)
		return status_fail(error,
		                   "%s: the range 0x%" PRIx64 "..0x%" PRIx64 " is too wide for gmon.out: %" PRIu64
		                   " bins of %u bytes",
		                   path, range->start, range->end, plan->bins, plan->bin_size);
	return STATUS_OK;
}

static enum status plan_range(const char *path, const struct capture_block *block, const struct capture_range *range,
                              struct plan *plan, struct error *error)
{
	plan->bin_size = block->bin_size > 0 ? block->bin_size : block->granule_size;
	plan->low = start_of_bins(block, range);
	uint64_t length = range->end == range->start ? 0 : range->end - plan->low;
	plan->bins = length / plan->bin_size + (length % plan->bin_size != 0);
	enum status status = check_plan(path, block, range, plan, error);
	if (status != STATUS_OK)
		return status;
	plan->high = plan->low + plan->bins * plan->bin_size;
	for (size_t i = 0; i < block->range_count; i++)
		if (block->ranges[i].start > range->start && start_of_bins(block, &block->ranges[i]) < plan->high)
			return status_fail(error,
			                   "%s: ranges at 0x%" PRIx64 " and 0x%" PRIx64
			                   " share a bin, which gmon.out cannot hold",
			                   path, range->start, block->ranges[i].start);
	return STATUS_OK;
}

/* Bins of a gmon.out may be fractions of a byte wide; cells made from them need not start at a multiple of bin_size. */
static bool is_on_grid(const struct plan *plan, const struct capture_cell *cell)
{
	return (cell->low - plan->low) % plan->bin_size == 0 && cell->high - cell->low <= plan->bin_size;
}

static enum status add_cells_of_range(const struct addition *addition, const struct capture_block *block,
                                      const struct plan *plan, struct incoming *incoming, struct error *error)
{
	for (size_t i = 0; i < block->cell_count; i++) {
		const struct capture_cell *cell = &block->cells[i];

		if (cell->is_coarse || cell->low < plan->low || cell->low >= plan->high)
			continue;
		if (!is_on_grid(plan, cell))
			return status_fail(error,
			                   "%s: samples on 0x%" PRIx64 "..0x%" PRIx64 " lie across bins of %u bytes",
			                   addition->path, cell->low, cell->high, plan->bin_size);
		const struct bin_count count = {(size_t)((cell->low - plan->low) / plan->bin_size), cell->count};
		if (!array_append(&incoming->counts, &incoming->count_count, &count, sizeof count))
			return status_no_memory(error, addition->path);
	}
	return STATUS_OK;
}

static enum status add_range_histogram(struct addition *addition, const struct capture_block *block,
                                       const struct capture_range *range, struct error *error)
{
	struct plan plan = {0};
	enum status status = plan_range(addition->path, block, range, &plan, error);

	if (status != STATUS_OK || plan.bins == 0)
		return status;
	const struct incoming added = {.histogram = {plan.low, plan.high, NULL, (size_t)plan.bins}};
	if (!array_append(&addition->histograms, &addition->histogram_count, &added, sizeof added))
		return status_no_memory(error, addition->path);
	return add_cells_of_range(addition, block, &plan, &addition->histograms[addition->histogram_count - 1], error);
}

static bool add_arcs_of_block(struct addition *addition, const struct capture_block *block)
{
	for (size_t i = 0; i < block->arc_count; i++) {
		const struct capture_arc *from = &block->arcs[i];
		const struct gmon_arc arc = {.from = from->caller, .self = from->callee, .count = from->count};

		if (!array_append(&addition->arcs, &addition->arc_count, &arc, sizeof arc))
			return false;
	}
	return true;
}

static struct gmon_unit unit_of_block(const struct capture_block *block)
{
	const struct capture_header *header = &block->header;

	if (header->clock_hz == 0 || header->period == 0)
		return (struct gmon_unit){.hertz = 1, .dimension = GMON_SAMPLES, .abbreviation = 's'};
	return (struct gmon_unit){
	        .hertz = (double)header->clock_hz / header->period,
	        .is_exact = !block->is_gmon,
	        .dimension = GMON_SECONDS,
	        .abbreviation = 's',
	};
}

static enum status set_unit(struct addition *addition, const struct capture_block *block, struct error *error)
{
	const struct gmon_unit unit = unit_of_block(block);
	enum status status = STATUS_OK;

	if (addition->has_histogram)
		status = unit_check(addition->path, &unit, &addition->unit, error);
	unit_refine(&addition->unit, &unit);
	addition->has_histogram = true;
	return status;
}

static enum status add_capture_block(struct addition *addition, const struct capture_block *block, struct error *error)
{
	bool has_samples = block->bin_size > 0 || block->granule_size > 0;
	/* A gmon.out without samples has no rate. */
	bool has_unit = has_samples || !block->is_gmon;
	enum status status = has_unit ? set_unit(addition, block, error) : STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && has_samples && i < block->range_count; i++)
		status = add_range_histogram(addition, block, &block->ranges[i], error);
	if (status != STATUS_OK)
		return status;
	addition->has_arcs = addition->has_arcs || block->arc_capacity > 0 || block->arc_count > 0;
	return add_arcs_of_block(addition, block) ? STATUS_OK : status_no_memory(error, addition->path);
}

enum status gmon_add_capture(struct gmon *gmon, const struct capture *capture, struct error *error)
{
	struct addition addition = {.path = capture->path};
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < capture->block_count; i++)
		status = add_capture_block(&addition, &capture->blocks[i], error);
	addition.records.histograms = addition.histogram_count;
	addition.records.arcs = addition.arc_count;
	if (status == STATUS_OK)
		status = addition_join(&addition, gmon, error);
	addition_free(&addition);
	return status;
}
