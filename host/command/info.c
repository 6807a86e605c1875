/* SPDX-License-Identifier: MIT */
/* bareprof info: the contents of a capture and its losses, as recorded by the target. */
#include "base/file/file.h"
#include "base/text/text.h"
#include "capture/capture.h"
#include "capture/count.h"
#include "command/captures.h"
#include "command/command.h"
#include "command/info_stacks.h"
#include "firmware/image.h"
#include "profile/analysis.h"
#include "profile/profile.h"

#include <bareprof/block.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *section_name(unsigned kind)
{
	static const char *const names[] = {
	        [0] = "unused",
	        [BAREPROF_SECTION_RANGES] = "ranges",
	        [BAREPROF_SECTION_BINS] = "bins",
	        [BAREPROF_SECTION_ARCS] = "arcs",
	        [BAREPROF_SECTION_GRANULES] = "granules",
	        [BAREPROF_SECTION_COARSE] = "coarse bins",
	        [BAREPROF_SECTION_CONTEXTS] = "contexts",
	        [BAREPROF_SECTION_TOTALS] = "totals",
	        [BAREPROF_SECTION_STRETCHES] = "code ranges",
	        [BAREPROF_SECTION_SLICES] = "slices",
	        [BAREPROF_SECTION_STACK_TOTALS] = "totals of stacks",
	        [BAREPROF_SECTION_PATHS] = "path nodes",
	};
	bool known = kind < sizeof names / sizeof *names && names[kind] != NULL;

	return known ? names[kind] : "from a later format, skipped";
}

static void print_identity(const struct capture_header *header)
{
	static const char *const names[] = {
	        [BAREPROF_IDENTITY_BUILD_ID] = "build-id",
	        [BAREPROF_IDENTITY_CODE_HASH] = "code",
	};
	bool known = header->identity_kind < sizeof names / sizeof *names && names[header->identity_kind] != NULL;

	printf("  identity    ");
	if (header->identity_size == 0)
		printf("none");
	else
		printf("%-8s ", known ? names[header->identity_kind] : "unknown");
	for (unsigned i = 0; i < header->identity_size; i++)
		printf("%02x", header->identity[i]);
	putchar('\n');
}

static void print_rate(const struct capture_header *header)
{
	printf("  sampling    every ");
	if (header->period == 0 || header->clock_hz == 0)
		printf("%u clock units, clock of %u Hz (0 = unknown)\n", header->period, header->clock_hz);
	else
		printf("%u cycles of %u Hz (%.1f per second)\n", header->period, header->clock_hz,
		       (double)header->clock_hz / header->period);
}

/* Prints nothing for a block without ticks. */
static void print_interrupt(const struct capture_block *block)
{
	const struct capture_header *header = &block->header;
	double part;

	if (header->ticks == 0)
		return;
	printf("  distances   %s\n  interrupt   ", capture_distances_name(block->distances));
	enum capture_handler handler = capture_handler_part(block, &part);
	if (!block->has_tick_cost) {
		printf("cost unknown\n");
		return;
	}
	printf("%.1f clock units each", (double)block->tick_cost / (double)header->ticks);
	if (handler == CAPTURE_HANDLER_IMPOSSIBLE)
		printf(", impossible: ignored");
	else if (handler == CAPTURE_HANDLER_KNOWN)
		printf(", %.2f %% of the time", 100 * part);
	putchar('\n');
}

static void print_order(const struct capture_order *order)
{
	printf("%u-bit, %s-endian\n", 8 * order->address_size, order->big_endian ? "big" : "little");
}

static void print_merged(const struct capture_block *block)
{
	if (block->merged_count > 0)
		printf("  merged      from %" PRIu64 " block%s\n", block->merged_count,
		       block->merged_count == 1 ? "" : "s");
}

static void print_block_header(const struct capture_block *block)
{
	const struct capture_header *header = &block->header;

	printf("  format      %u.%u, ", header->major, header->minor);
	print_order(&header->order);
	print_merged(block);
	printf("  board       %s, core %u\n", header->board[0] != '\0' ? header->board : "unnamed", header->core);
	printf("  block       %u bytes at 0x%08" PRIx64 "\n", header->block_size, header->block_address);
	print_identity(header);
	print_rate(header);
	print_interrupt(block);
	printf("  state       %s, epoch %u, %" PRIu64 " warm resets\n", capture_state_name(header->state),
	       header->epoch, header->reset_count);
}

static void print_ranges(const struct capture_block *block)
{
	for (size_t i = 0; i < block->range_count; i++)
		printf("  range       0x%08" PRIx64 "..0x%08" PRIx64 ", %" PRIu64 " bytes\n", block->ranges[i].start,
		       block->ranges[i].end, block->ranges[i].end - block->ranges[i].start);
}

static void print_section(const struct capture_section *section)
{
	printf("  section     %s: %u of %u items of %u bytes at 0x%x", section_name(section->kind), section->used,
	       section->capacity, section->item_size, section->offset);
	if (section->kind == BAREPROF_SECTION_BINS || section->kind == BAREPROF_SECTION_COARSE ||
	    section->kind == BAREPROF_SECTION_GRANULES)
		printf(", each for %u bytes of code", 1u << section->parameter);
	putchar('\n');
}

static void print_sections(const struct capture_block *block)
{
	for (size_t i = 0; i < block->section_count; i++)
		if (block->sections[i].kind != BAREPROF_SECTION_UNUSED)
			print_section(&block->sections[i]);
}

static void print_contexts(const struct capture_block *block)
{
	for (size_t i = 0; i < block->context_count; i++) {
		printf("  context     %zu: ", i);
		const struct capture_context *context = &block->contexts[i];
		text_print(stdout, context->name[0] != '\0' ? context->name : "unnamed");
		if (context->switches != CAPTURE_UNKNOWN)
			printf(", %" PRIu64 " switches", context->switches);
		putchar('\n');
	}
}

/* The number of coarse bins with samples; each is a row of the report. */
static size_t coarse_cells(const struct capture_block *block)
{
	size_t count = 0;

	for (size_t i = 0; i < block->cell_count; i++)
		count += block->cells[i].is_coarse;
	return count;
}

static const char *balance_text(const struct capture_block *block, enum capture_balance balance)
{
	switch (balance) {
	case CAPTURE_ADDS_UP:
		return block->header.saturated > 0 ? "adds up, including counts lost in full counters" : "adds up";
	case CAPTURE_ADDS_UP_WITH_SKEW:
		return "adds up within what the target did while it was read";
	default:
		return capture_state_is_clearing(block->header.state) ? "does not add up: it was being reset"
		                                                      : "does not add up: the block is damaged";
	}
}

static void print_block_samples(const struct capture_block *block)
{
	const struct capture_samples samples = capture_sum_samples(block);
	size_t coarse = coarse_cells(block);

	printf("  ticks       %" PRIu64 ": %" PRIu64 " in %zu ", block->header.ticks, samples.fine,
	       block->cell_count - coarse);
	if (block->granule_size > 0 && block->merged_count == 0)
		printf("of %u granules", block->granule_capacity);
	else if (block->granule_size > 0)
		printf("granules");
	else
		printf("bins");
	if (block->coarse_size > 0)
		printf(" + %" PRIu64 " in %zu coarse bins", samples.coarse, coarse);
	printf(" + %" PRIu64 " outside the ranges; %s\n", samples.outside, balance_text(block, samples.balance));
}

static void print_call_count(const struct capture_block *block)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < block->arc_count; i++)
		count_add(&calls, block->arcs[i].count);
	printf("  calls       %" PRIu64 " over %zu arcs", calls, block->arc_count);
	if (block->arc_capacity > 0)
		printf(", room for %u", block->arc_capacity);
	putchar('\n');
}

static void print_block_losses(const struct capture_block *block)
{
	const struct capture_header *header = &block->header;
	uint64_t full = block->cells_saturated + block->arcs_saturated;

	printf("  lost        %" PRIu64 " calls to a full arc table, %" PRIu64 " in flight, %" PRIu64
	       " counts in %" PRIu64 " full counters,\n",
	       header->arcs_dropped, block->arcs_in_flight, header->saturated, full);
	if (header->ticks_missed == CAPTURE_UNKNOWN)
		printf("              an unknown number of ticks merged by the hardware\n");
	else
		printf("              %" PRIu64 " ticks merged by the hardware\n", header->ticks_missed);
	if (block->has_skew)
		printf("  skew        %" PRIu64 " ticks while it was read\n", block->ticks_after - block->ticks_before);
}

/* gmon.out has neither a header nor counts of losses. */
static void print_gmon(const struct capture_block *block)
{
	printf("  format      gmon.out, ");
	print_order(&block->header.order);
	print_merged(block);
	if (block->header.clock_hz != 0)
		printf("  sampling    %u per second\n", block->header.clock_hz);
	else
		printf("  sampling    rate unknown\n");
	print_ranges(block);
	printf("  samples     %" PRIu64 " in %zu bins of %u bytes\n", block->header.ticks, block->cell_count,
	       block->bin_size);
	print_call_count(block);
	if (block->basic_block_count > 0)
		printf("  blocks      %zu basic blocks, shown only by bareprof gprof\n", block->basic_block_count);
}

static uint64_t unavailable_samples(const struct capture_block *block)
{
	uint64_t count = 0;

	for (size_t i = 0; i < block->cell_count; i++)
		if (block->cells[i].low == BAREPROF_PC_UNAVAILABLE)
			count_add(&count, block->cells[i].count);
	return count;
}

/* Captures of `bareprof sample` come without a recorder, so they have no block and no losses. */
static void print_sampled(const struct capture_block *block)
{
	const struct capture_header *header = &block->header;
	uint64_t unavailable = unavailable_samples(block);

	printf("  format      %u.%u, sampled through a probe, ", header->major, header->minor);
	print_order(&header->order);
	print_merged(block);
	print_identity(header);
	if (header->period != 0)
		printf("  sampling    %.1f independent samples per second\n",
		       (double)header->clock_hz / header->period);
	print_ranges(block);
	printf("  samples     %" PRIu64 ", of which %" PRIu64 " (%.1f %%) found the core asleep or unavailable; %s\n",
	       header->ticks, unavailable, header->ticks > 0 ? 100 * (double)unavailable / (double)header->ticks : 0,
	       balance_text(block, capture_sum_samples(block).balance));
	info_print_stacks(block);
}

static void print_block_details(const struct capture_block *block)
{
	if (block->is_sampled) {
		print_sampled(block);
		return;
	}
	if (block->is_gmon) {
		print_gmon(block);
		return;
	}
	print_block_header(block);
	print_ranges(block);
	print_sections(block);
	print_contexts(block);
	print_block_samples(block);
	print_call_count(block);
	info_print_stacks(block);
	print_block_losses(block);
}

static void print_source(const struct capture *capture)
{
	char text[64] = "at an unknown time";
	time_t when = (time_t)capture->time;
	struct tm utc;

	if (capture->time != 0 && gmtime_r(&when, &utc) != NULL)
		strftime(text, sizeof text, "on %Y-%m-%d at %H:%M:%S UTC", &utc);
	if (capture->has_trailer && !capture_is_sum(capture))
		printf("  pulled      from %s, %s\n",
		       capture->source[0] != '\0' ? capture->source : "an unknown source", text);
}

static void print_capture(const struct capture *capture)
{
	text_print(stdout, capture->path);
	putchar('\n');
	print_source(capture);
	for (size_t i = 0; i < capture->block_count; i++) {
		if (capture->block_count > 1)
			printf(" block %zu\n", i);
		print_block_details(&capture->blocks[i]);
	}
}

/* Fails for a capture of another build, with the reason. */
static enum status print_match(const struct capture *capture, const struct image *image, struct error *error)
{
	struct profile *profile = NULL;
	enum status status = profile_create(image, &capture, 1, NULL, &profile, error);

	if (status == STATUS_OK)
		status = analysis_check_identity(profile, false, error);
	if (status == STATUS_OK) {
		printf("  firmware    ");
		text_print(stdout, image->path);
		printf(": %s\n", profile_identity_text(profile));
	}
	profile_free(profile);
	return status;
}

/* Arguments and open files of the command. The firmware is opened only if needed. */
struct inquiry {
	const char *run, *firmware; /* firmware may be NULL */
	enum gmon_format format;
	struct image *image;
	struct capture *capture;
};

static enum status decode_run(struct inquiry *inquiry, const uint8_t *bytes, size_t size, struct error *error)
{
	struct capture_order order = {0};
	bool is_gmon = command_run_kind(bytes, size, inquiry->format) == RUN_GMON;

	if (is_gmon && inquiry->firmware != NULL) {
		if (image_open(inquiry->firmware, &inquiry->image, error) != STATUS_OK)
			return STATUS_FAILED;
		order = (struct capture_order){inquiry->image->big_endian, inquiry->image->address_size};
	}
	return command_decode_run(inquiry->run, bytes, size, inquiry->image != NULL ? &order : NULL, inquiry->format,
	                          &inquiry->capture, error);
}

static enum status answer_inquiry(struct inquiry *inquiry, struct error *error)
{
	uint8_t *bytes;
	size_t size;
	enum status status = file_read(inquiry->run, &bytes, &size, error);

	if (status != STATUS_OK)
		return status;
	status = decode_run(inquiry, bytes, size, error);
	free(bytes);
	if (status != STATUS_OK)
		return status;
	print_capture(inquiry->capture);
	if (inquiry->firmware == NULL)
		return STATUS_OK;
	if (inquiry->image == NULL)
		status = image_open(inquiry->firmware, &inquiry->image, error);
	return status == STATUS_OK ? print_match(inquiry->capture, inquiry->image, error) : status;
}

static enum status parse_info_options(int argc, char **argv, struct inquiry *inquiry, struct error *error)
{
	struct capture_options captures = {0};
	enum status status = command_parse_options(&command_info, argc, argv, &captures, error);

	if (status != STATUS_OK)
		return status;
	if (argc - optind < 1 || argc - optind > 2)
		return command_usage(&command_info, error, "expected one capture and at most one firmware");
	inquiry->run = argv[optind];
	inquiry->firmware = argv[optind + 1];
	inquiry->format = captures.file_format;
	return command_check_inputs(inquiry->firmware, argv + optind, 1, NULL, error);
}

static enum status run_info(int argc, char **argv, struct error *error)
{
	struct inquiry inquiry = {0};
	enum status status = parse_info_options(argc, argv, &inquiry, error);

	if (status == STATUS_OK)
		status = answer_inquiry(&inquiry, error);
	capture_close(inquiry.capture);
	image_close(inquiry.image);
	return status;
}

const struct command command_info = {
        .name = "info",
        .synopsis = "[OPTION]... RUN [FW.elf]",
        .summary = "show the contents of a capture and its losses",
        .help = "With FW.elf, also checks that this firmware recorded it; exit status 1 if not.\n"
                "RUN is a capture or, with FW.elf, a gmon.out.\n\n",
        .options = (const struct option_table[]){{file_format_options, 0}, {0}},
        .example = "bareprof info run.bprof fw.elf\n",
        .run = run_info,
};
