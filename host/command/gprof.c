/* SPDX-License-Identifier: MIT */
/* bareprof gprof: GNU gprof with its options and its output (docs/GPROF.md). */
#include "report/gprof/gprof.h"
#include "base/file/file.h"
#include "base/file/inputs.h"
#include "base/text/text.h"
#include "command/arguments.h"
#include "command/captures.h"
#include "command/command.h"
#include "command/gprof_options.h"
#include "firmware/calls/calls.h"
#include "profile/analysis.h"
#include "report/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The output of -s. */
#define SUM_NAME "gmon.sum"

struct gprof_run {
	struct gprof_options options;
	struct image *image;
	struct gmon gmon;
	struct profile *profile;
	uint8_t *file_map;
	struct file_inputs *inputs; /* option files and all other inputs */
	bool is_all_magic;          /* every file states its rate, or that it has no rate */
};

/* GNU gprof uses the clock rate of the computer that it runs on (sysconf(3), _SC_CLK_TCK); on Linux it is 100. */
#define HERTZ_OF_OLD_BSD 100

static struct capture_order order_of(const struct image *image)
{
	return (struct capture_order){.big_endian = image->big_endian, .address_size = image->address_size};
}

/* Whether this is the sum that -s continues, under its own name rather than through a link. */
static bool is_sum_so_far(const struct gprof_run *run, const char *path)
{
	struct stat mine, sum;

	return (run->options.parts & GPROF_SUM) != 0 && lstat(path, &mine) == 0 && lstat(SUM_NAME, &sum) == 0 &&
	       mine.st_dev == sum.st_dev && mine.st_ino == sum.st_ino;
}

static enum status add_capture(struct gprof_run *run, const char *path, const uint8_t *bytes, size_t size,
                               struct error *error)
{
	struct capture *capture;
	enum profile_identity identity = PROFILE_IDENTITY_SAME;
	enum status status = capture_decode(path, bytes, size, &capture, error);

	if (status != STATUS_OK)
		return status;
	status = analysis_check_capture(run->image, capture, false, &identity, error);
	/* A capture holds more data than a gmon.sum, so -s must not overwrite it. */
	if (status == STATUS_OK && is_sum_so_far(run, path))
		status = file_inputs_add(run->inputs, path, error);
	if (status == STATUS_OK)
		status = output_add_to_gmon(run->image, capture, &run->gmon, error);
	capture_close(capture);
	return status;
}

static void print_record_count(size_t count, const char *kind)
{
	printf("\t%zu %s record%s\n", count, kind, count == 1 ? "" : "s");
}

static void print_file_info(const char *path, bool is_of_gmon, const struct gmon_records *records)
{
	printf("File `");
	text_print(stdout, path);
	if (is_of_gmon)
		printf("' (version %u) contains:\n", records->version);
	else
		printf("' (a capture) contains:\n");
	print_record_count(records->histograms, "histogram");
	print_record_count(records->arcs, "call-graph");
	print_record_count(records->basic_blocks, "basic-block count");
}

/* Adds a gmon.out or a capture. */
static enum status add_data(struct gprof_run *run, const char *path, struct error *error)
{
	const struct capture_order order = order_of(run->image);
	uint8_t *bytes;
	size_t size;
	enum status status = file_read(path, &bytes, &size, error);

	if (status != STATUS_OK)
		return status;
	bool is_of_gmon = run->options.format != GMON_AUTO || !capture_is(bytes, size);
	if (!is_of_gmon)
		status = add_capture(run, path, bytes, size, error);
	else
		status = gmon_decode(path, bytes, size, &order, run->options.format, &run->gmon, error);
	run->is_all_magic &= capture_is(bytes, size) || gmon_is(bytes, size);
	free(bytes);
	if (status == STATUS_OK && (run->options.parts & GPROF_FILE_INFO) != 0)
		print_file_info(path, is_of_gmon, &run->gmon.records);
	return status;
}

/* Looking up source lines takes time, so it is done only for outputs that print them. */
static bool needs_lines(const struct gprof_options *options)
{
	unsigned with_places = GPROF_COUNTS | GPROF_SOURCE | (options->output.traditional ? 0u : GPROF_GRAPH);

	return options->parts == 0 || (options->parts & with_places) != 0 || options->output.inline_file_names ||
	       filters_need_locations(options->filters);
}

static enum status open_gprof_image(struct gprof_run *run, struct error *error)
{
	const struct gprof_options *options = &run->options;
	struct error reason;
	enum status status = image_open(options->image, &run->image, &reason);

	if (status != STATUS_OK && options->lone_caller != NULL)
		return gprof_refuse_lone_caller(options, error);
	if (status != STATUS_OK)
		*error = reason;
	return status;
}

static enum status list_inputs(struct gprof_run *run, struct error *error)
{
	const struct gprof_options *options = &run->options;
	enum status status = file_inputs_add(run->inputs, options->image, error);

	if (status == STATUS_OK && options->division.symbol_file != NULL)
		status = file_inputs_add(run->inputs, options->division.symbol_file, error);
	if (status == STATUS_OK && options->file_map != NULL)
		status = file_inputs_add(run->inputs, options->file_map, error);
	for (size_t i = 0; status == STATUS_OK && i < options->data_count; i++)
		if (!is_sum_so_far(run, options->data[i]))
			status = file_inputs_add(run->inputs, options->data[i], error);
	run->options.output.inputs = run->inputs;
	return status;
}

static enum status open_all(struct gprof_run *run, struct error *error)
{
	struct gprof_options *options = &run->options;

	options->division.lines = needs_lines(options);
	enum status status = list_inputs(run, error);
	if (status == STATUS_OK)
		status = open_gprof_image(run, error);
	if (status == STATUS_OK)
		status = image_divide(run->image, &options->division, error);
	run->is_all_magic = true;
	for (size_t i = 0; status == STATUS_OK && i < options->data_count; i++)
		status = add_data(run, options->data[i], error);
	if (!run->is_all_magic && run->gmon.unit.hertz <= 0)
		run->gmon.unit.hertz = HERTZ_OF_OLD_BSD;
	return status;
}

static enum status write_gmon_sum(struct gprof_run *run, struct error *error)
{
	const struct capture_order order = order_of(run->image);
	uint8_t *bytes;
	size_t size;
	enum status status = file_check_implicit_output(SUM_NAME, run->inputs, error);

	if (status == STATUS_OK)
		status = gmon_encode(SUM_NAME, &run->gmon, &order, &bytes, &size, error);
	if (status != STATUS_OK)
		return status;
	status = file_write(SUM_NAME, bytes, size, error);
	free(bytes);
	/* gmon.sum is now an input or output: no other output may overwrite it. */
	return status == STATUS_OK ? file_inputs_add(run->inputs, SUM_NAME, error) : status;
}

/* The default parts: all parts for which there is data, except the excluded ones. */
static unsigned choose_gprof_parts(const struct gprof_run *run)
{
	const struct gprof_options *options = &run->options;
	const struct gmon *gmon = &run->gmon;

	if (options->parts != 0)
		return options->parts;
	unsigned available = (gmon->has_histogram ? GPROF_FLAT : 0u) | (gmon->has_arcs ? GPROF_GRAPH : 0u);
	return (available != 0 ? available : GPROF_COUNTS) & ~options->parts_named;
}

static enum status check_parts(const struct gprof_run *run, unsigned parts, struct error *error)
{
	const char *name = run->options.data[0];

	if ((parts & GPROF_FLAT) != 0 && !run->gmon.has_histogram)
		return status_fail(error, "%s: no histogram, so there is no flat profile", name);
	if ((parts & GPROF_GRAPH) != 0 && !run->gmon.has_arcs && !run->options.static_calls)
		return status_fail(error, "%s: no arcs, so there is no call graph", name);
	return STATUS_OK;
}

static enum status print_profile(struct gprof_run *run, unsigned parts, struct error *error)
{
	struct output_gprof_options *output = &run->options.output;
	const struct analysis_options analysis = {
	        .static_calls = run->options.static_calls,
	        .cycle_max = run->options.cycle_max,
	        .filters = run->options.filters,
	};

	output->flat = (parts & GPROF_FLAT) != 0;
	output->graph = (parts & GPROF_GRAPH) != 0;
	output->counts = (parts & GPROF_COUNTS) != 0;
	output->source = (parts & GPROF_SOURCE) != 0;
	output->function_order = (parts & GPROF_FUNCTION_ORDER) != 0;
	output->notes = stderr;
	output->is_continued = (parts & GPROF_FILE_INFO) != 0;
	enum status status = analysis_run_gmon(run->image, &run->gmon, &analysis, &run->profile, error);
	/* The profile has its own arcs now. */
	free(run->gmon.arcs);
	run->gmon.arcs = NULL;
	run->gmon.arc_count = 0;
	if (status == STATUS_OK)
		status = output_gprof(run->profile, &run->gmon, output, stdout, error);
	return status;
}

static enum status read_file_map(struct gprof_run *run, struct error *error)
{
	struct output_gprof_options *output = &run->options.output;

	if (run->options.file_map == NULL)
		return STATUS_OK;
	enum status status = file_read(run->options.file_map, &run->file_map, &output->file_map_size, error);
	output->file_map = (const char *)run->file_map;
	output->file_map_path = run->options.file_map;
	return status;
}

/* Like GNU gprof, prints the rest of the profile. */
static void check_static_calls(struct gprof_run *run)
{
	if (!run->options.static_calls || calls_can_decode(run->image))
		return;
	fputs("note: ", stderr);
	text_print(stderr, run->image->path);
	fputs(": no decoder for its instructions, only for Thumb and RISC-V: -c is ignored\n", stderr);
	run->options.static_calls = false;
}

static enum status run_parts(struct gprof_run *run, struct error *error)
{
	check_static_calls(run);
	unsigned parts = choose_gprof_parts(run);
	enum status status = check_parts(run, parts, error);

	if (status == STATUS_OK)
		status = read_file_map(run, error);
	if (status == STATUS_OK && (parts & GPROF_SUM) != 0)
		status = write_gmon_sum(run, error);
	if (status == STATUS_OK && (parts & ~(unsigned)(GPROF_SUM | GPROF_FILE_INFO)) != 0)
		status = print_profile(run, parts, error);
	return status;
}

static enum status run_with(struct arguments *arguments, struct error *error)
{
	struct gprof_run run = {.inputs = &arguments->files};
	enum status status =
	        gprof_parse_options(&command_gprof, (int)arguments->count, arguments->words, &run.options, error);

	if (status == STATUS_OK && run.options.is_help) {
		command_print_help(&command_gprof);
	} else if (status == STATUS_OK && run.options.is_version) {
		printf("bareprof %s gprof\n", BAREPROF_VERSION);
	} else if (status == STATUS_OK) {
		status = open_all(&run, error);
		if (status == STATUS_OK)
			status = run_parts(&run, error);
	}
	profile_free(run.profile);
	gmon_free(&run.gmon);
	free(run.file_map);
	command_close_image(run.image);
	gprof_free_options(&run.options);
	return status;
}

static enum status run_gprof(int argc, char **argv, struct error *error)
{
	struct arguments arguments;
	enum status status = arguments_expand(argc, argv, &arguments, error);

	if (status == STATUS_OK) {
		status = run_with(&arguments, error);
		arguments_free(&arguments);
	}
	/* GNU gprof has only one exit status for failures. */
	return status == STATUS_OK || status == STATUS_PIPE ? status : STATUS_FAILED;
}

const struct command command_gprof = {
        .name = "gprof",
        .synopsis = "[OPTION]... [@FILE] [FW.elf [gmon.out | RUN.bprof]...]",
        .summary = "print what GNU gprof prints, with its options",
        .help = "The default firmware is a.out, the default data gmon.out; several data files are added up.\n"
                "Also runs under any name that ends in gprof. @FILE stands for the words in FILE. SPEC is FUNCTION,\n"
                "FILE.c, LINE, FILE:FUNCTION, FILE:LINE or :FUNCTION.WITH.DOT.\n\n",
        .options = (const struct option_table[]){{gprof_options, 0}, {0}},
        .option_columns = 38,
        .example = "bareprof gprof -b fw.elf gmon.out\n"
                   "         bareprof gprof --line --flat-profile fw.elf run.bprof\n",
        .run = run_gprof,
};
