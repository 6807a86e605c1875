/* SPDX-License-Identifier: MIT */
/*
 * Invents what was recorded: files of gmon.out with histograms and arcs, in each format that GNU gprof reads. Knows
 * nothing of options.
 */
#ifndef ORACLE_RECORDING_H
#define ORACLE_RECORDING_H

#include "division.h"
#include "firmware.h"
#include "random.h"

enum { HISTOGRAMS_MAX = 4, BINS_MAX = 1u << 16, ARCS_MAX = 8000, FILES_MAX = 3 };

enum gmon_layout { LAYOUT_VERSION_1, LAYOUT_VERSION_0, LAYOUT_BSD, LAYOUT_BSD_44 };

struct histogram {
	uint64_t low, high;
	uint32_t bin_count;
};

struct arc {
	uint64_t from, self, count;
	unsigned file;
	bool is_dropped; /* taken back, for the sake of one of GNU gprof's defects */
};

struct recording {
	enum gmon_layout layout;
	uint32_t hertz;
	char dimension[16];
	char abbreviation;
	struct histogram histograms[HISTOGRAMS_MAX]; /* all files have all of them */
	size_t histogram_count;
	unsigned file_count;
	unsigned cut; /* so many percent of the last file are left, of a tagged layout; 0: it is whole */
	struct arc arcs[ARCS_MAX];
	size_t arc_count;
};

/* division: how the firmware's code will be divided. Callees are functions. */
void recording_invent(struct recording *recording, const struct firmware *firmware, const struct division *division,
                      struct random *random);

/* file: below file_count. The bins are invented here. */
void recording_write(const struct recording *recording, const struct firmware *firmware, unsigned file,
                     struct random *random, const char *path);

#endif
