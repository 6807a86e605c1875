/* SPDX-License-Identifier: MIT */
/* bareprof export: the profile in a format of another tool. */
#include "command/export.h"

#include "base/file/file.h"
#include "command/command.h"
#include "profile/arc_sites.h"
#include "profile/lines.h"
#include "profile/split.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

struct export_options {
	const struct output_format *format;
	struct capture_options captures;
};

static const struct command_option export_options[] = {
        {'o', "output", "FILE", "write FILE (default: standard output)", .take = option_take_text,
         .member = offsetof(struct capture_options, output)},
        {'\0', "static", NULL, "add calls that the code could make but that were not recorded",
         .take = option_take_switch, .member = offsetof(struct capture_options, static_calls)},
        {0},
};

const struct output_format *export_find_format(const char *name)
{
	for (const struct output_format *const *entry = output_table; *entry != NULL; entry++)
		if (strcmp((*entry)->name, name) == 0)
			return *entry;
	return NULL;
}

static enum status parse_export_options(int argc, char **argv, struct export_options *options, struct error *error)
{
	struct capture_options *captures = &options->captures;
	enum status status = command_parse_options(&command_export, argc, argv, options, error);

	if (status != STATUS_OK)
		return status;
	if (argc - optind < 3)
		return command_usage(&command_export, error, "expected a format, a firmware and at least one capture");
	const struct output_format *format = export_find_format(argv[optind]);
	if (format == NULL)
		return command_usage(&command_export, error,
		                     "unknown format '%s'; bareprof export --help lists the formats", argv[optind]);
	options->format = format;
	options->captures.total_errors = format->total_errors;
	if (!format->total_errors && captures->errors != NULL)
		return command_usage(&command_export, error, "--errors: %s does not contain errors of total times",
		                     format->name);
	if (!format->total_times && captures->cycle_max > 0)
		return command_usage(&command_export, error, "--break-cycles: %s does not contain total times",
		                     format->name);
	if (!format->total_times && captures->through_interrupts)
		return command_usage(&command_export, error, "--through-interrupts: %s does not contain total times",
		                     format->name);
	if (!format->static_calls && captures->static_calls)
		return command_usage(&command_export, error, "--static: %s contains recorded calls only", format->name);
	return format->binary
	               ? command_check_binary_output(&command_export, options->captures.output, format->name, error)
	               : STATUS_OK;
}

static enum status write_output(const struct export_options *options, const struct profile *profile,
                                struct error *error)
{
	struct file_writer writer = {0};
	enum status status = file_create(&writer, options->captures.output, error);

	if (status != STATUS_OK)
		return status;
	status = options->format->write(profile, writer.stream, error);
	return file_finish(&writer, status, error);
}

static enum status find_source_places(const struct output_format *format, struct profile *profile, struct error *error)
{
	/* Without DWARF the pass would read all samples and find nothing. */
	bool needs_lines = format->lines && image_has_lines(profile->image);
	enum status status = needs_lines ? analysis_find_lines(profile, error) : STATUS_OK;

	if (status == STATUS_OK && format->call_sites)
		status = analysis_find_call_sites(profile, error);
	return status;
}

enum status export_prepare_profile(const struct output_format *format, struct opened_profile *opened,
                                   struct error *error)
{
	struct profile *profile = opened->profile;
	enum status status = STATUS_OK;
	unsigned by = 0;

	if (format->split != OUTPUT_WHOLE && command_has_contexts(opened))
		by |= ANALYSIS_BY_CONTEXT;
	if (format->split == OUTPUT_BY_CORE_AND_CONTEXT && profile_has_cores(profile))
		by |= ANALYSIS_BY_CORE;
	if (by != 0)
		status = analysis_split(profile, by, &opened->analysis, error);
	for (size_t i = 0; status == STATUS_OK && i < profile->part_count; i++)
		status = find_source_places(format, profile->parts[i].profile, error);
	return status == STATUS_OK && profile->part_count == 0 ? find_source_places(format, profile, error) : status;
}

static enum status run_export(int argc, char **argv, struct error *error)
{
	struct export_options options = {.captures.output = "-"};
	struct opened_profile opened = {0};
	enum status status = parse_export_options(argc, argv, &options, error);

	if (status == STATUS_OK)
		status = command_open_profile(argv[optind + 1], argv + optind + 2, (size_t)(argc - optind - 2),
		                              &options.captures, &opened, error);
	if (status == STATUS_OK)
		status = export_prepare_profile(options.format, &opened, error);
	if (status == STATUS_OK)
		status = write_output(&options, opened.profile, error);
	command_close_profile(&opened);
	return status;
}

static void print_arguments(void)
{
	printf("RUN is a capture or a gmon.out; FORMAT is one of\n");
	for (const struct output_format *const *entry = output_table; *entry != NULL; entry++)
		printf("  %-19s  %s\n", (*entry)->name, (*entry)->summary);
	printf("\n");
}

static void list_formats(command_word_found found, void *context)
{
	for (const struct output_format *const *entry = output_table; *entry != NULL; entry++)
		found(context, (*entry)->name, (*entry)->summary);
}

const struct command command_export = {
        .name = "export",
        .synopsis = "[OPTION]... FORMAT FW.elf RUN...",
        .summary = "write the profile for another tool",
        .print_arguments = print_arguments,
        .list_words = list_formats,
        .help = "",
        .options = (const struct option_table[]){{export_options, offsetof(struct export_options, captures)},
                                                 {cycle_options, offsetof(struct export_options, captures)},
                                                 {error_options, offsetof(struct export_options, captures)},
                                                 {selection_options, offsetof(struct export_options, captures)},
                                                 {file_format_options, offsetof(struct export_options, captures)},
                                                 {0}},
        .example = "bareprof export gmon -o gmon.out fw.elf run.bprof\n"
                   "         arm-none-eabi-gprof -b fw.elf gmon.out\n",
        .run = run_export,
};
