/* SPDX-License-Identifier: MIT */
/* See traffic.h. */
#include "command/traffic.h"

#include "base/text/text.h"

#include <inttypes.h>

/* The share and number of damaged requests above which a note suggests better wires. */
#define DAMAGED_SHARE 10
#define DAMAGED_MIN   10

static void print_traffic_number(FILE *stream, const char *before, uint64_t number, const char *after)
{
	char text[TEXT_COUNT_SIZE];

	fprintf(stream, "%s%s%s", before, text_format_count(number, text), after);
}

/* Prints a count unless it is 0. */
static void print_also(FILE *stream, uint64_t number, const char *what)
{
	if (number == 0)
		return;
	print_traffic_number(stream, ", ", number, " ");
	fprintf(stream, "%s%s", what, number == 1 ? "" : "s");
}

static void print_frames(FILE *stream, const struct link_traffic *traffic)
{
	uint64_t bytes = traffic->bytes_received + traffic->bytes_sent;

	print_traffic_number(stream, "", bytes, " bytes on the line");
	fprintf(stream, " in %.1f s", traffic->seconds);
	if (traffic->seconds > 0)
		print_traffic_number(stream, " (", (uint64_t)((double)bytes / traffic->seconds), " bytes/s)");
	print_traffic_number(stream, ", ", traffic->repeats, " of ");
	print_traffic_number(stream, "", traffic->requests, " requests again");
	print_also(stream, traffic->round_trips, "round trip");
	print_also(stream, traffic->frames_damaged, "damaged frame");
	print_also(stream, traffic->reconnections, "reconnection");
	fputc('\n', stream);
}

/* Requires more than a few damaged requests, because these may have other causes, such as a reset of the target. */
static bool is_wire_bad(const struct probe_traffic *traffic)
{
	return traffic->damaged >= DAMAGED_MIN && traffic->damaged > traffic->lists / DAMAGED_SHARE;
}

static void print_speed(FILE *stream, uint32_t hertz, bool is_limit)
{
	const bool is_slow = hertz < 1000000;

	fprintf(stream, " at %s%g %s", is_limit ? "up to " : "", hertz / (is_slow ? 1e3 : 1e6),
	        is_slow ? "kHz" : "MHz");
}

static void print_transfers(FILE *stream, const struct probe_traffic *traffic)
{
	print_traffic_number(stream, "", traffic->bytes, " bytes of memory");
	fprintf(stream, " in %.1f s", traffic->seconds);
	if (traffic->seconds > 0)
		fprintf(stream, " (%.1f kB/s)", (double)traffic->bytes / 1000 / traffic->seconds);
	print_speed(stream, traffic->speed, traffic->is_speed_limit);
	print_traffic_number(stream, ", ", traffic->repeats, " of ");
	print_traffic_number(stream, "", traffic->lists, " requests again");
	print_also(stream, traffic->packets_lost, "lost packet");
	fputc('\n', stream);
	if (is_wire_bad(traffic))
		fputs("note: many transfers are damaged: try a lower --speed and shorter wires\n", stream);
}

void traffic_print(FILE *stream, const struct target_traffic *traffic)
{
	if (traffic->has_frames)
		print_frames(stream, &traffic->frames);
	if (traffic->has_transfers)
		print_transfers(stream, &traffic->transfers);
}
