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

static const char *state_name(uint32_t state)
{
	switch (state) {
	case BAREPROF_STATE_STOPPED:
		return "stopped";
	case BAREPROF_STATE_RUNNING:
		return "running";
	case BAREPROF_STATE_CLEARING_TO_STOP:
	case BAREPROF_STATE_CLEARING_TO_RUN:
		return "being reset";
	default:
		return "unknown";
	}
}

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
	if (header->identity_kind == BAREPROF_IDENTITY_NONE || header->identity_size == 0)
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
	printf("  state       %s, epoch %u, %u warm resets\n", state_name(header->state), header->epoch,
	       header->reset_count);
}

static void print_counts(const struct capture_block *block)
{
	const struct capture_header *header = &block->header;
	uint64_t samples = 0, calls = 0;
	for (size_t i = 0; i < block->cell_count; i++)
		samples = profile_add_calls(samples, block->cells[i].count);
	for (size_t i = 0; i < block->arc_count; i++)
		calls = profile_add_calls(calls, block->arcs[i].count);
	printf("  ticks       %u, of which %llu in %zu cells and %u outside the ranges\n", header->ticks,
	       (unsigned long long)samples, block->cell_count, header->samples_outside);
	printf("  calls       %llu over %zu arcs, room for %u\n", (unsigned long long)calls, block->arc_count,
	       block->arc_capacity);
}

static void print_losses(const struct capture_block *block)
{
	const struct capture_header *header = &block->header;
	uint64_t full = block->bins_saturated + block->arcs_saturated;
	printf("  lost        %u calls that found the table full, %llu in flight, %u counts to %llu full counters,\n",
	       header->arcs_dropped, (unsigned long long)block->arcs_in_flight, header->saturated,
	       (unsigned long long)full);
	if (header->ticks_missed == BAREPROF_UNKNOWN)
		printf("              an unknown number of ticks merged by the hardware\n");
	else
		printf("              %u ticks merged by the hardware\n", header->ticks_missed);
	if (block->has_skew)
		printf("  skew        %u ticks while it was read\n", block->ticks_after - block->ticks_before);
}

static void print_block(const struct capture_block *block)
{
	print_header(&block->header);
	for (size_t i = 0; i < block->range_count; i++)
		printf("  range       0x%08llx..0x%08llx, %u bytes per bin\n",
		       (unsigned long long)block->ranges[i].start, (unsigned long long)block->ranges[i].end,
		       block->bin_size);
	for (size_t i = 0; i < block->section_count; i++)
		printf("  section     %s: %u of %u items of %u bytes at 0x%x\n", section_name(block->sections[i].kind),
		       block->sections[i].used, block->sections[i].capacity, block->sections[i].item_size,
		       block->sections[i].offset);
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
		status = profile_create(image, &capture, 1, &profile, error);
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
