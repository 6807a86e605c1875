/* SPDX-License-Identifier: MIT */
/* A generator of recordings: gmon.out files with histograms and arcs, in each format that GNU gprof reads. */
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
	bool is_dropped; /* removed, because GNU gprof would mishandle it */
};

struct recording {
	enum gmon_layout layout;
	uint32_t hertz;
	char dimension[16];
	char abbreviation;
	struct histogram histograms[HISTOGRAMS_MAX]; /* each file has all of them */
	size_t histogram_count;
	unsigned file_count;
	unsigned kept_percent; /* of the last file, in the tagged layout; 0: the whole file */
	struct arc arcs[ARCS_MAX];
	size_t arc_count;
};

/* division: the division of the firmware that GNU gprof will make. Callees are functions. */
void recording_generate(struct recording *recording, const struct firmware *firmware, const struct division *division,
                        struct random *random);

/* Writes file number `file`, below file_count, with random bins. */
void recording_write(const struct recording *recording, const struct firmware *firmware, unsigned file,
                     struct random *random, const char *path);

#endif
