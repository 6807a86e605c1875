/* SPDX-License-Identifier: MIT */
/* A writer of recordings as gmon.out (GNU gprof manual, "Profiling Data File Format"; headers of 4.2BSD and 4.4BSD:
 * FreeBSD, sys/gmon.h). */
#include "recording.h"

#include <string.h>

enum { TAG_HISTOGRAM, TAG_ARC, TAG_BASIC_BLOCKS };

/* The BSD header: addresses and length; in 4.4BSD also version and rate. */
#define BSD_44_VERSION 0x00051879u

/* GNU gprof may extend the last symbol to any address, so no samples are put there. */
static void put_bins(struct bytes *bytes, const struct histogram *histogram, const struct firmware *firmware,
                     struct random *random)
{
	static const unsigned densities[] = {2, 10, 50, 50, 100, 100};
	static const uint64_t limits[] = {1, 20, 1000, UINT16_MAX};
	unsigned density = densities[random_below(random, sizeof densities / sizeof *densities)];
	uint64_t limit = limits[random_below(random, sizeof limits / sizeof *limits)];
	double bytes_per_bin = (double)(histogram->high - histogram->low) / histogram->bin_count;

	for (uint32_t i = 0; i < histogram->bin_count; i++) {
		uint64_t end = histogram->low + (uint64_t)(bytes_per_bin * (i + 1)) + 2;
		bool is_sampled = end <= firmware->high && random_chance(random, density);

		bytes_put(bytes, is_sampled ? random_magnitude(random, limit) : 0, 2);
	}
}

static void put_histogram(struct bytes *bytes, const struct recording *recording, const struct histogram *histogram,
                          const struct firmware *firmware, struct random *random)
{
	bytes_put(bytes, TAG_HISTOGRAM, 1);
	bytes_put_address(bytes, histogram->low);
	bytes_put_address(bytes, histogram->high);
	bytes_put(bytes, histogram->bin_count, 4);
	bytes_put(bytes, recording->hertz, 4);
	bytes_put_data(bytes, recording->dimension, 15);
	bytes_put_data(bytes, &recording->abbreviation, 1);
	put_bins(bytes, histogram, firmware, random);
}

static bool is_of_file(const struct arc *arc, unsigned file)
{
	return arc->file == file && !arc->is_dropped;
}

static void put_arcs(struct bytes *bytes, const struct recording *recording, unsigned file)
{
	bool is_tagged = recording->layout < LAYOUT_BSD;

	for (size_t i = 0; i < recording->arc_count; i++) {
		const struct arc *arc = &recording->arcs[i];

		if (!is_of_file(arc, file))
			continue;
		if (is_tagged)
			bytes_put(bytes, TAG_ARC, 1);
		bytes_put_address(bytes, arc->from);
		bytes_put_address(bytes, arc->self);
		bytes_put(bytes, arc->count, is_tagged ? 4 : bytes->address_size);
	}
}

/* GNU gprof misreads them from a big-endian target. Elsewhere it uses them only in profiles by line. */
static void put_basic_blocks(struct bytes *bytes, const struct firmware *firmware, struct random *random)
{
	uint64_t count = random_magnitude(random, 20);

	if (bytes->is_big_endian || !random_chance(random, 20))
		return;
	bytes_put(bytes, TAG_BASIC_BLOCKS, 1);
	bytes_put(bytes, count, 4);
	for (uint64_t i = 0; i < count; i++) {
		bytes_put_address(bytes, random_between(random, firmware->low, firmware->high));
		bytes_put_address(bytes, random_magnitude(random, UINT32_MAX));
	}
}

/* Returns the offset of the arcs. */
static size_t put_magic(struct bytes *bytes, const struct recording *recording, const struct firmware *firmware,
                        unsigned file, struct random *random)
{
	bool arcs_come_first = random_chance(random, 20);

	bytes_put_data(bytes, "gmon", 4);
	bytes_put(bytes, recording->layout == LAYOUT_VERSION_1 ? 1 : 0, 4);
	bytes_put_data(bytes, NULL, 12);
	size_t arcs = bytes->size;
	if (arcs_come_first)
		put_arcs(bytes, recording, file);
	for (size_t i = 0; i < recording->histogram_count; i++)
		put_histogram(bytes, recording, &recording->histograms[i], firmware, random);
	if (!arcs_come_first) {
		arcs = bytes->size;
		put_arcs(bytes, recording, file);
	}
	if (recording->layout == LAYOUT_VERSION_1)
		put_basic_blocks(bytes, firmware, random);
	return arcs;
}

/* Never truncates between two arcs: the file would still be valid, but without the calls that cycles.c added. */
static size_t truncated_size(const struct bytes *bytes, unsigned percent, size_t arcs)
{
	size_t size = bytes->size * percent / 100, arc_size = 1 + 2 * bytes->address_size + 4;

	return size > arcs && (size - arcs) % arc_size == 0 ? size - 1 : size;
}

static void put_bsd(struct bytes *bytes, const struct recording *recording, const struct firmware *firmware,
                    unsigned file, struct random *random)
{
	const struct histogram *histogram = &recording->histograms[0];
	uint32_t words = recording->layout == LAYOUT_BSD_44 ? 2 + 3 : 0;
	uint32_t header = 2 * bytes->address_size + 4 + 4 * words;

	bytes_put_address(bytes, histogram->low);
	bytes_put_address(bytes, histogram->high);
	bytes_put(bytes, header + 2 * histogram->bin_count, 4);
	if (recording->layout == LAYOUT_BSD_44) {
		bytes_put(bytes, BSD_44_VERSION, 4);
		bytes_put(bytes, recording->hertz, 4);
		bytes_put_data(bytes, NULL, 12);
	}
	put_bins(bytes, histogram, firmware, random);
	put_arcs(bytes, recording, file);
}

void recording_write(const struct recording *recording, const struct firmware *firmware, unsigned file,
                     struct random *random, const char *path)
{
	const struct machine_facts *facts = &machines[firmware->machine];
	struct bytes bytes = {.is_big_endian = facts->is_big_endian, .address_size = facts->address_size};

	if (recording->layout >= LAYOUT_BSD) {
		put_bsd(&bytes, recording, firmware, file, random);
	} else {
		size_t arcs = put_magic(&bytes, recording, firmware, file, random);

		if (recording->kept_percent != 0 && file + 1 == recording->file_count)
			bytes.size = truncated_size(&bytes, recording->kept_percent, arcs);
	}
	bytes_write(&bytes, path);
	bytes_free(&bytes);
}
