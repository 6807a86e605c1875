/* SPDX-License-Identifier: MIT */
/*
 * Fixtures of the tests of the analysis: a real ELF with any number of functions, and a capture of it in memory.
 */
#ifndef UNIT_PROFILE_FIRMWARE_H
#define UNIT_PROFILE_FIRMWARE_H

#include "capture/capture.h"
#include "firmware/image.h"
#include "profile/analysis.h"
#include "profile/profile.h"
#include "test.h"

#define FIRMWARE_BASE 0x8000u
/* The ELF contains the header of an unwind table with this CRC. */
#define FIRMWARE_TABLE_CRC 0x7AB1Eu

/* All images and captures are closed after the test. */

/* A firmware of count functions f0, f1, ... of size bytes each (even), one after the other from FIRMWARE_BASE on,
 * of calls through a register, so that each address may be one that a call returns to.
 * name keeps the files of tests that run at the same time apart. */
struct image *firmware_create(const char *name, unsigned count, unsigned size);

/* The same from assembly source. */
struct image *firmware_assemble(const char *name, const char *source);
struct image *firmware_open(const char *path);

/* An empty capture of one block, 100 ticks per second; with room for cells and arcs. */
struct capture *firmware_capture(size_t cells, size_t arcs);
/* The same, to be closed by the caller. */
struct capture *firmware_create_capture(size_t cells, size_t arcs);
void firmware_sample(struct capture *capture, uint64_t low, uint64_t high, uint64_t count);
void firmware_arc(struct capture *capture, uint64_t caller, uint64_t callee, uint64_t count);

/* The usual fixture: a firmware and a capture of it with room for 4,096 cells and arcs. */
extern struct fixture {
	struct image *image;
	struct capture *capture;
	const struct capture *captures[1]; /* the capture */
} fixture;
int firmware_set_up(struct image *image);

/* For a fixture made by firmware_create(): the start of function f<n>; a number of calls from one function to another;
 * and of samples somewhere in a function, which may be 0. */
uint64_t firmware_start_of(unsigned function);
void firmware_calls(unsigned caller, unsigned callee, uint64_t count);
void firmware_samples(unsigned function, uint64_t count);

/* Runs all passes over the fixture's capture, or over other captures; fails the test if they fail. options: NULL for
 * all zero. Profiles are freed after the test. */
struct profile *firmware_run(const struct analysis_options *options);
struct profile *firmware_run_captures(const struct capture *const *captures, size_t count,
                                      const struct analysis_options *options);

/* The same over any image, without options, or over gmon.out. */
struct profile *firmware_analyse(const struct image *image, const struct capture *capture);
struct profile *firmware_run_gmon(const struct image *image, const struct gmon *gmon,
                                  const struct analysis_options *options);

/* The index of the node called name; fails the test if there is none. */
size_t firmware_node(const struct profile *profile, const char *name);
/* The arc between the nodes of these names, or NULL. */
const struct profile_arc *firmware_arc_of(const struct profile *profile, const char *caller, const char *callee);

/* The sections of the DWARF of an assembly source, whose lines are those of its .loc. */
#define FIRMWARE_LINES                                                                           \
	"\t.section .debug_abbrev,\"\"\nabbrev:\n\t.uleb128 1\n\t.uleb128 0x11\n\t.byte 0\n"     \
	"\t.uleb128 0x10\n\t.uleb128 0x17\n\t.byte 0, 0, 0\n"                                    \
	"\t.section .debug_info,\"\"\n\t.4byte end - begin\nbegin:\t.2byte 4\n\t.4byte abbrev\n" \
	"\t.byte 4\n\t.uleb128 1\n\t.4byte lines\nend:\n\t.section .debug_line,\"\"\nlines:\n"

#endif
