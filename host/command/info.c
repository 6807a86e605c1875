/* SPDX-License-Identifier: MIT */
/* bareprof info: what a capture holds, and what it lost, as the target said it. */
#include "analysis/analysis.h"
#include "capture/capture.h"
#include "command/command.h"
#include "image/image.h"
#include "model/profile.h"
#include "text/text.h"

#include <bareprof/block.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
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
	};
	bool known = kind < sizeof names / sizeof *names && names[kind] != NULL;
	return known ? names[kind] : "of a later format, skipped";
}

static void print_identity(const struct capture_header *header)
{
	printf("  identity    ");
	if (header->identity_kind != BAREPROF_IDENTITY_BUILD_ID || header->identity_size == 0)
		printf("none");
	else
		printf("build-id ");
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

static void print_header(const struct capture_header *header)
{
	printf("  format      %u.%u, %u-bit, %s-endian\n", header->major, header->minor, 8 * header->order.address_size,
	       header->order.big_endian ? "big" : "little");
	printf("  board       %s, core %u\n", header->board[0] != '\0' ? header->board : "unnamed", header->core);
	printf("  block       %u bytes at 0x%08llx\n", header->block_size, (unsigned long long)header->block_address);
	print_identity(header);
	print_rate(header);
	printf("  state       %s, epoch %u, %llu warm resets\n", capture_state_name(header->state), header->epoch,
	       (unsigned long long)header->reset_count);
}

static void print_ranges(const struct capture_block *block)
{
	for (size_t i = 0; i < block->range_count; i++)
		printf("  range       0x%08llx..0x%08llx, %llu bytes\n", (unsigned long long)block->ranges[i].start,
		       (unsigned long long)block->ranges[i].end,
		       (unsigned long long)(block->ranges[i].end - block->ranges[i].start));
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
		text_print(stdout, block->contexts[i].name[0] != '\0' ? block->contexts[i].name : "without a name");
		putchar('\n');
	}
}

/* Of the coarse bins, those that hold samples: each is a row of the report. */
static size_t coarse_cells(const struct capture_block *block)
{
	size_t count = 0;
	for (size_t i = 0; i < block->cell_count; i++)
		count += block->cells[i].coarse;
	return count;
}

static const char *balance_text(const struct capture_block *block, enum capture_balance balance)
{
	switch (balance) {
	case CAPTURE_ADDS_UP:
		return block->header.saturated > 0 ? "adds up with what full counters lost" : "adds up";
	case CAPTURE_ADDS_UP_WITH_SKEW:
		return "adds up as far as can be told: the target ran while it was read";
	default:
		return capture_state_is_clearing(block->header.state) ? "does not add up: it was being reset"
		                                                      : "does not add up: the block is damaged";
	}
}

static void print_samples(const struct capture_block *block)
{
	const struct capture_samples samples = capture_sum_samples(block);
	size_t coarse = coarse_cells(block);
	printf("  ticks       %llu: %llu in %zu ", (unsigned long long)block->header.ticks,
	       (unsigned long long)samples.fine, block->cell_count - coarse);
	if (block->granule_size > 0)
		printf("of %u granules", block->granule_capacity);
	else
		printf("bins");
	if (block->coarse_size > 0)
		printf(" + %llu in %zu coarse bins", (unsigned long long)samples.coarse, coarse);
	printf(" + %llu outside the ranges; %s\n", (unsigned long long)samples.outside,
	       balance_text(block, samples.balance));
}

static void print_counts(const struct capture_block *block)
{
	uint64_t calls = 0;
	print_samples(block);
	for (size_t i = 0; i < block->arc_count; i++)
		calls = profile_add_calls(calls, block->arcs[i].count);
	printf("  calls       %llu over %zu arcs, room for %u\n", (unsigned long long)calls, block->arc_count,
	       block->arc_capacity);
}

static void print_losses(const struct capture_block *block)
{
	const struct capture_header *header = &block->header;
	uint64_t full = block->cells_saturated + block->arcs_saturated;
	printf("  lost        %llu calls that found the arc table full, %llu in flight, %llu counts to %llu full "
	       "counters,\n",
	       (unsigned long long)header->arcs_dropped, (unsigned long long)block->arcs_in_flight,
	       (unsigned long long)header->saturated, (unsigned long long)full);
	if (header->ticks_missed == CAPTURE_UNKNOWN)
		printf("              an unknown number of ticks merged by the hardware\n");
	else
		printf("              %llu ticks merged by the hardware\n", (unsigned long long)header->ticks_missed);
	if (block->has_skew)
		printf("  skew        %llu ticks while it was read\n",
		       (unsigned long long)(block->ticks_after - block->ticks_before));
}

static void print_block(const struct capture_block *block)
{
	print_header(&block->header);
	print_ranges(block);
	print_sections(block);
	print_contexts(block);
	print_counts(block);
	print_losses(block);
}

static void print_source(const struct capture *capture)
{
	char text[64] = "at a time not said";
	time_t when = (time_t)capture->time;
	struct tm utc;
	if (capture->time != 0 && gmtime_r(&when, &utc) != NULL)
		strftime(text, sizeof text, "on %Y-%m-%d at %H:%M:%S UTC", &utc);
	if (capture->has_trailer)
		printf("  pulled      from %s, %s\n",
		       capture->source[0] != '\0' ? capture->source : "a source not said", text);
}

static void print_capture(const struct capture *capture)
{
	text_print(stdout, capture->path);
	putchar('\n');
	print_source(capture);
	for (size_t i = 0; i < capture->block_count; i++) {
		if (capture->block_count > 1)
			printf(" block %zu\n", i);
		print_block(&capture->blocks[i]);
	}
}

/* A capture of another build is a failure, with the reason as the error. */
static enum status print_match(const struct capture *capture, const char *firmware, struct error *error)
{
	struct image *image = NULL;
	struct profile *profile = NULL;
	enum status status = image_open(firmware, &image, error);
	if (status == STATUS_OK)
		status = profile_create(image, &capture, 1, NULL, &profile, error);
	if (status == STATUS_OK)
		status = analysis_check_identity(profile, false, error);
	if (status == STATUS_OK) {
		printf("  firmware    ");
		text_print(stdout, firmware);
		printf(": %s\n", profile_identity_text(profile));
	}
	profile_free(profile);
	image_close(image);
	return status;
}

static enum status run_info(int argc, char **argv, struct error *error)
{
	static const struct option long_options[] = {{NULL, 0, NULL, 0}};
	int option = getopt_long(argc, argv, ":", long_options, NULL);
	if (option != -1)
		return command_bad_option(&command_info, option, long_options, argv, error);
	if (argc - optind < 1 || argc - optind > 2)
		return command_usage(&command_info, error, "one capture is needed, and at most one firmware");
	struct capture *capture = NULL;
	enum status status = capture_open(argv[optind], &capture, error);
	if (status != STATUS_OK)
		return status;
	print_capture(capture);
	if (argc - optind == 2)
		status = print_match(capture, argv[optind + 1], error);
	capture_close(capture);
	return status;
}

const struct command command_info = {
        .name = "info",
        .synopsis = "RUN.bprof [FW.elf]",
        .summary = "tell what a capture holds, and what it lost",
        .help = "With FW.elf also whether that firmware recorded it; exit status 1 if another one did.\n\n"
                "Example: bareprof info run.bprof build/firmware/mps2-an385/demo.elf\n",
        .run = run_info,
};
