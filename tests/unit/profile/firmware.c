/* SPDX-License-Identifier: MIT */
/* See firmware.h. */
#include "firmware.h"

#include "profile/analysis.h"
#include "test.h"

#include <bareprof/unwind_table.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fixture fixture;

/* In bytes, of each function that firmware_create() made last. */
static unsigned function_size;

static void free_profile(void *profile)
{
	profile_free(profile);
}

struct image *firmware_open(const char *path)
{
	struct image *image = NULL;

	assert_success(image_open(path, &image, &failure), &failure);
	return close_image_later(image);
}

struct image *firmware_assemble(const char *name, const char *source)
{
	const char *build = getenv("BUILD");
	char path[256], command[1024];

	assert_non_null(build);
	snprintf(path, sizeof path, "%s/unit/%s.elf", build, name);
	snprintf(command, sizeof command,
	         "arm-none-eabi-as -mcpu=cortex-m3 -mthumb -o %s.o && arm-none-eabi-ld -Ttext=%#x -e %#x %s.o -o %s",
	         path, FIRMWARE_BASE, FIRMWARE_BASE, path, path);
	FILE *assembler = popen(command, "w");
	assert_non_null(assembler);
	fprintf(assembler, "%s\n\t.section .bareprof_unwind, \"\", %%progbits\n\t.word %#x, %#x\n\t.zero %d\n", source,
	        BAREPROF_TABLE_MAGIC(4), FIRMWARE_TABLE_CRC, BAREPROF_TABLE_HEADER_SIZE - 8);
	assert_int_equal(pclose(assembler), 0);
	return firmware_open(path);
}

struct image *firmware_create(const char *name, unsigned count, unsigned size)
{
	char source[512];

	function_size = size;
	snprintf(source, sizeof source,
	         "\t.syntax unified\n\t.text\n\t.altmacro\n"
	         "\t.macro function n\n\t.global f\\n\n\t.type f\\n, %%function\n\t.thumb_func\nf\\n:\n"
	         "\t.rept %u\n\tblx r3\n\t.endr\n\t.size f\\n, %u\n\t.endm\n"
	         "\t.set i, 0\n\t.rept %u\n\tfunction %%i\n\t.set i, i + 1\n\t.endr\n",
	         size / 2, size, count);
	return firmware_assemble(name, source);
}

struct capture *firmware_create_capture(size_t cells, size_t arcs)
{
	struct capture *capture = calloc(1, sizeof *capture);

	assert_non_null(capture);
	capture->path = strdup("test.bprof");
	capture->blocks = calloc(1, sizeof *capture->blocks);
	capture->block_count = 1;
	capture->blocks[0].header = (struct capture_header){
	        .order = {.address_size = 4},
	        .clock_hz = 1000,
	        .period = 10,
	};
	capture->blocks[0].cells = calloc(cells + 1, sizeof(struct capture_cell));
	capture->blocks[0].arcs = calloc(arcs + 1, sizeof(struct capture_arc));
	return capture;
}

struct capture *firmware_capture(size_t cells, size_t arcs)
{
	return close_capture_later(firmware_create_capture(cells, arcs));
}

void firmware_sample(struct capture *capture, uint64_t low, uint64_t high, uint64_t count)
{
	struct capture_block *block = &capture->blocks[0];

	block->cells[block->cell_count++] = (struct capture_cell){
	        .low = low,
	        .high = high,
	        .count = count,
	        .context = CAPTURE_NO_CONTEXT,
	};
	block->header.ticks += (uint32_t)count;
}

void firmware_arc(struct capture *capture, uint64_t caller, uint64_t callee, uint64_t count)
{
	struct capture_block *block = &capture->blocks[0];

	block->arcs[block->arc_count++] = (struct capture_arc){caller, callee, count, CAPTURE_NO_CONTEXT};
}

uint64_t firmware_start_of(unsigned function)
{
	return FIRMWARE_BASE + function * function_size;
}

void firmware_calls(unsigned caller, unsigned callee, uint64_t count)
{
	firmware_arc(fixture.capture, firmware_start_of(caller) + 5, firmware_start_of(callee) + 1, count);
}

void firmware_samples(unsigned function, uint64_t count)
{
	if (count > 0)
		firmware_sample(fixture.capture, firmware_start_of(function), firmware_start_of(function + 1), count);
}

int firmware_set_up(struct image *image)
{
	fixture = (struct fixture){.image = image, .capture = firmware_capture(4096, 4096)};
	fixture.captures[0] = fixture.capture;
	return 0;
}

static const struct analysis_options no_options;

static struct profile *run(const struct image *image, const struct capture *const *captures, size_t count,
                           const struct analysis_options *options)
{
	struct profile *profile = NULL;

	assert_success(analysis_run(image, captures, count, options, &profile, &failure), &failure);
	return release_later(profile, free_profile);
}

struct profile *firmware_run_captures(const struct capture *const *captures, size_t count,
                                      const struct analysis_options *options)
{
	return run(fixture.image, captures, count, options != NULL ? options : &no_options);
}

struct profile *firmware_run(const struct analysis_options *options)
{
	return firmware_run_captures(fixture.captures, 1, options);
}

struct profile *firmware_analyse(const struct image *image, const struct capture *capture)
{
	return run(image, &capture, 1, &no_options);
}

struct profile *firmware_run_gmon(const struct image *image, const struct gmon *gmon,
                                  const struct analysis_options *options)
{
	struct profile *profile = NULL;

	assert_success(analysis_run_gmon(image, gmon, options, &profile, &failure), &failure);
	return release_later(profile, free_profile);
}

size_t firmware_node(const struct profile *profile, const char *name)
{
	for (size_t i = 0; i < profile->node_count; i++)
		if (strcmp(profile->nodes[i].name, name) == 0)
			return i;
	fail_msg("no node %s", name);
	return PROFILE_NONE;
}

const struct profile_arc *firmware_arc_of(const struct profile *profile, const char *caller, const char *callee)
{
	size_t arc = profile_find_arc(profile, firmware_node(profile, caller), firmware_node(profile, callee));

	return arc == PROFILE_NONE ? NULL : &profile->arcs[arc];
}
