/* SPDX-License-Identifier: MIT */
/* See source_options.h. */
#include "command/source_options.h"

#include <stdlib.h>
#include <string.h>

static enum status take_prefix(const struct given_option *given, struct error *error)
{
	struct source_options *options = given->target;
	const char *equals = strchr(given->value, '=');

	if (equals == NULL || equals == given->value)
		return option_refuse(given, given->value, "OLD=NEW", error);
	options->prefixes[options->paths.prefix_count++] = (struct output_source_prefix){
	        .old = given->value, .old_length = (size_t)(equals - given->value), .new = equals + 1};
	return STATUS_OK;
}

static enum status take_directory(const struct given_option *given, struct error *error)
{
	(void)error;
	struct source_options *options = given->target;
	options->folders[options->paths.folder_count++] = given->value;
	return STATUS_OK;
}

const struct command_option source_options[] = {
        {'\0', "objdump", "PROGRAM", "disassemble with PROGRAM (default: the objdump of a toolchain)",
         .take = option_take_text, .member = offsetof(struct source_options, objdump)},
        {'\0', "source-prefix", "OLD=NEW",
         "replace OLD at the beginning of source names by NEW; of several\n"
         "options, the first that matches is used",
         .take = take_prefix},
        {'\0', "directory", "DIR", "also look for sources in DIR; may be repeated", .take = take_directory},
        {0},
};

enum status source_options_begin(struct source_options *options, int argc, struct error *error)
{
	options->prefixes = calloc((size_t)argc + 1, sizeof *options->prefixes);
	options->folders = calloc((size_t)argc + 1, sizeof *options->folders);
	options->paths.prefixes = options->prefixes;
	options->paths.folders = options->folders;
	if (options->prefixes == NULL || options->folders == NULL)
		return status_fail(error, "out of memory for %d words", argc);
	return STATUS_OK;
}

bool source_options_are_given(const struct source_options *options)
{
	return options->objdump != NULL || options->paths.prefix_count > 0 || options->paths.folder_count > 0;
}

void source_options_end(struct source_options *options)
{
	free(options->prefixes);
	free(options->folders);
}
