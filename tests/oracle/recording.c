/* SPDX-License-Identifier: MIT */
/* See recording.h. The contents of a recording; gmon_file.c encodes them. */
#include "recording.h"

#include <string.h>

/* --- Histograms. */

/* GNU gprof refuses files of fewer than 20 bytes; a header with three bins is shorter. */
enum { BSD_BINS_MIN = 4 };

static uint64_t shift_down(struct random *random, uint64_t address)
{
	uint64_t shift = random_magnitude(random, 300);

	return shift < address ? address - shift : 0;
}

/* Chooses the sampled range: about all of the code, or part of it. */
static void choose_range(const struct firmware *firmware, struct random *random, uint64_t *low, uint64_t *high)
{
	uint64_t size = firmware->high - firmware->low;

	*low = firmware->low;
	*high = firmware->high;
	switch (random_below(random, 4)) {
	case 0:
		return;
	case 1:
		*low = shift_down(random, *low);
		*high += random_magnitude(random, 300);
		return;
	case 2:
		*low += random_below(random, size / 2 + 1);
		return;
	default:
		*high -= random_below(random, size / 2 + 1);
	}
}

/* Bins of at least 2 bytes: GNU gprof loses samples of finer ones. */
static uint32_t choose_bins(struct random *random, uint64_t *length)
{
	if (random_chance(random, 50)) {
		uint64_t bin = 2 * random_between(random, 1, random_chance(random, 60) ? 4 : 32);

		*length = (*length + bin - 1) / bin * bin;
		return (uint32_t)(*length / bin);
	}
	uint64_t max = *length / 2, min = *length / 64 + 1;
	return (uint32_t)(min < max ? random_between(random, min, max) : 1);
}

/* GNU gprof refuses different scales, so all histograms have the same length and number of bins. */
static void choose_histograms(struct recording *recording, const struct firmware *firmware, struct random *random)
{
	uint64_t low, high;
	bool is_bsd = recording->layout == LAYOUT_BSD || recording->layout == LAYOUT_BSD_44;

	if (random_chance(random, 5) && !is_bsd)
		return;
	choose_range(firmware, random, &low, &high);
	bool is_one = is_bsd || random_chance(random, 80);
	recording->histogram_count = is_one ? 1 : random_between(random, 2, HISTOGRAMS_MAX);
	uint64_t length = (high - low) / recording->histogram_count;
	uint64_t gap = random_chance(random, 50) ? 0 : random_magnitude(random, length / 2);
	length = length < 2 ? 2 : length;
	uint32_t bin_count = choose_bins(random, &length);
	if (is_bsd && bin_count < BSD_BINS_MIN) {
		bin_count = BSD_BINS_MIN;
		length = length < 2 * BSD_BINS_MIN ? 2 * BSD_BINS_MIN : length;
	}
	for (size_t i = 0; i < recording->histogram_count; i++) {
		recording->histograms[i] = (struct histogram){low, low + length, bin_count};
		low += length + gap;
	}
}

/* --- Arcs. */

struct arc_maker {
	struct recording *recording;
	const struct division *division;
	struct random *random;
	uint64_t count_limit;
	bool counts_are_equal;
};

static uint64_t address_in(const struct arc_maker *maker, size_t owner, bool at_start)
{
	const struct owner *owners = maker->division->owners;
	uint64_t size = owners[owner + 1].address - owners[owner].address;

	return owners[owner].address + (at_start ? 0 : random_below(maker->random, size));
}

static uint64_t choose_count(const struct arc_maker *maker)
{
	if (maker->counts_are_equal || random_chance(maker->random, 30))
		return 1;
	return random_chance(maker->random, 5) ? 0 : random_magnitude(maker->random, maker->count_limit);
}

/* GNU gprof attributes calls to other symbols to the function before them, so none are generated. */
static void add_arc(const struct arc_maker *maker, size_t caller, size_t callee)
{
	struct recording *recording = maker->recording;

	if (recording->arc_count == ARCS_MAX || !maker->division->owners[callee].is_function)
		return;
	recording->arcs[recording->arc_count++] = (struct arc){
	        .from = address_in(maker, caller, random_chance(maker->random, 10)),
	        .self = address_in(maker, callee, random_chance(maker->random, 80)),
	        .count = choose_count(maker),
	        .file = (unsigned)random_below(maker->random, recording->file_count),
	};
}

static size_t choose_owner(const struct arc_maker *maker)
{
	return random_below(maker->random, maker->division->count - 1);
}

/* Adds a chain of calls among neighbours or any functions; a closed one is a cycle. */
static void add_chain(const struct arc_maker *maker, bool is_closed, size_t length, bool of_neighbours)
{
	size_t first = choose_owner(maker), last = first;

	for (size_t i = 0; i < length; i++) {
		size_t next = of_neighbours ? (last + 1) % (maker->division->count - 1) : choose_owner(maker);

		add_arc(maker, last, next);
		last = next;
	}
	if (is_closed)
		add_arc(maker, last, first);
}

static void add_star(const struct arc_maker *maker, bool is_inward)
{
	size_t centre = choose_owner(maker);

	for (uint64_t i = random_between(maker->random, 2, 12); i > 0; i--) {
		size_t other = choose_owner(maker);

		add_arc(maker, is_inward ? other : centre, is_inward ? centre : other);
	}
}

static void add_self_call(const struct arc_maker *maker)
{
	size_t owner = choose_owner(maker);

	add_arc(maker, owner, owner);
}

static void add_again(const struct arc_maker *maker)
{
	struct recording *recording = maker->recording;

	if (recording->arc_count == 0 || recording->arc_count == ARCS_MAX)
		return;
	struct arc again = recording->arcs[random_below(maker->random, recording->arc_count)];
	again.count = choose_count(maker);
	recording->arcs[recording->arc_count++] = again;
}

static void add_pattern(const struct arc_maker *maker)
{
	uint64_t kind = random_below(maker->random, 20);

	if (kind < 10)
		add_arc(maker, choose_owner(maker), choose_owner(maker));
	else if (kind < 12)
		add_self_call(maker);
	else if (kind < 14)
		add_again(maker);
	else if (kind < 16)
		add_star(maker, kind == 14);
	else
		add_chain(maker, kind == 16, random_between(maker->random, 2, 8), random_chance(maker->random, 50));
}

static void choose_arcs(const struct arc_maker *maker)
{
	size_t owners = maker->division->count - 1;

	if (random_chance(maker->random, 5))
		return;
	if (random_chance(maker->random, 5))
		add_chain(maker, true, owners - 1, true);
	for (uint64_t i = random_between(maker->random, 1, 2 * owners); i > 0; i--)
		add_pattern(maker);
}

static void choose_dimension(struct recording *recording, struct random *random)
{
	static const char *const dimensions[] = {"ticks", "cycles", "events", "abcdefghijklmno", ""};

	if (recording->layout == LAYOUT_BSD || recording->layout == LAYOUT_BSD_44 || random_chance(random, 90)) {
		strcpy(recording->dimension, "seconds");
		recording->abbreviation = 's';
		return;
	}
	strcpy(recording->dimension, dimensions[random_below(random, sizeof dimensions / sizeof *dimensions)]);
	recording->abbreviation = recording->dimension[0] == '\0' ? 'x' : recording->dimension[0];
}

/* The old header has no rate, and GNU gprof uses the host's. */
static uint32_t choose_hertz(struct random *random)
{
	static const uint32_t usual[] = {1, 60, 100, 128, 250, 1000, 1024, 10000, 1000000};

	if (random_chance(random, 60))
		return usual[random_below(random, sizeof usual / sizeof *usual)];
	return 1 + (uint32_t)random_magnitude(random, 999999);
}

void recording_generate(struct recording *recording, const struct firmware *firmware, const struct division *division,
                        struct random *random)
{
	static const enum gmon_layout layouts[] = {LAYOUT_VERSION_1, LAYOUT_VERSION_1, LAYOUT_VERSION_1,
	                                           LAYOUT_VERSION_1, LAYOUT_VERSION_0, LAYOUT_BSD,
	                                           LAYOUT_BSD_44};

	*recording = (struct recording){
	        .layout = layouts[random_below(random, sizeof layouts / sizeof *layouts)],
	        .hertz = choose_hertz(random),
	        .file_count = random_chance(random, 80) ? 1 : (unsigned)random_between(random, 2, FILES_MAX),
	};
	if (recording->layout < LAYOUT_BSD && random_chance(random, 3))
		recording->kept_percent = (unsigned)random_between(random, 1, 99);
	choose_dimension(recording, random);
	choose_histograms(recording, firmware, random);
	bool is_wide = recording->layout >= LAYOUT_BSD && machines[firmware->machine].address_size == 8;
	const struct arc_maker maker = {
	        .recording = recording,
	        .division = division,
	        .random = random,
	        .count_limit = random_chance(random, 70) ? 1000
	                       : is_wide                 ? UINT64_C(1) << 44
	                                                 : UINT32_MAX,
	        .counts_are_equal = random_chance(random, 10),
	};
	choose_arcs(&maker);
}
