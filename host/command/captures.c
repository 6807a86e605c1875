/* SPDX-License-Identifier: MIT */
/* See captures.h. */
#include "command/captures.h"

#include "base/file/file.h"
#include "base/file/inputs.h"
#include "base/text/text.h"
#include "command/values.h"
#include "firmware/calls/calls.h"

#include <stdlib.h>
#include <string.h>

#define CORE_MAX 255

/* Values are checked here, so that `--core fw.elf` is reported before a missing firmware. */
static enum status take_core(const struct given_option *given, struct error *error)
{
	uint32_t core;

	if (!value_parse_number(given->value, CORE_MAX, &core))
		return option_refuse(given, given->value, "a number from 0 to 255", error);
	return option_take_text(given, error);
}

static enum status take_errors(const struct given_option *given, struct error *error)
{
	size_t choice;
	enum status status = option_find_choice(given, &choice, error);

	return status == STATUS_OK ? option_take_text(given, error) : status;
}

static enum status take_file_format(const struct given_option *given, struct error *error)
{
	static const enum gmon_format formats[] = {GMON_BSD, GMON_BSD_44};
	size_t choice;
	enum status status = option_find_choice(given, &choice, error);

	if (status == STATUS_OK)
		*(enum gmon_format *)option_member(given) = formats[choice];
	return status;
}

#define MEMBER(name) offsetof(struct capture_options, name)

const struct command_option selection_options[] = {
        {'\0', "context", "WHICH", "only this context, by name or number", .take = option_take_text,
         .member = MEMBER(context)},
        {'\0', "core", "N", "only this core", .take = take_core, .member = MEMBER(core)},
        {'f', "force", NULL, "accept captures of another build", .take = option_take_switch, .member = MEMBER(force)},
        {0},
};

const struct command_option file_format_options[] = {
        {'\0', "file-format", "F", "format of a gmon.out without a magic: bsd or 4.4bsd",
         .choices = (const char *const[]){"bsd", "4.4bsd", NULL}, .take = take_file_format,
         .member = MEMBER(file_format)},
        {0},
};

static const struct value_range cycle_sizes = {"a number of functions, 1 or more", 1, UINT32_MAX};

const struct command_option cycle_options[] = {
        {'\0', "break-cycles", "N", "remove arcs with few calls until no cycle has more than N functions",
         .take = option_take_number, .member = MEMBER(cycle_max), .detail = &cycle_sizes},
        {'\0', "through-interrupts", NULL, "with slices: charge code with the handlers that interrupted it",
         .take = option_take_switch, .member = MEMBER(through_interrupts)},
        {0},
};

const struct command_option error_options[] = {
        {'\0', "errors", "off", "do not estimate the errors of total times",
         .choices = (const char *const[]){"on", "off", NULL}, .take = take_errors, .member = MEMBER(errors)},
        {0},
};

enum status command_check_inputs(const char *firmware, char *const *runs, size_t run_count, const char *output,
                                 struct error *error)
{
	struct file_inputs inputs = {0};
	enum status status = firmware != NULL ? file_inputs_add(&inputs, firmware, error) : STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < run_count; i++)
		status = file_inputs_add(&inputs, runs[i], error);
	if (status == STATUS_OK && output != NULL)
		status = file_check_output(output, &inputs, error);
	file_inputs_free(&inputs);
	return status;
}

/* --- A RUN: a capture or a gmon.out, recognised by its first bytes. */

enum command_run_kind command_run_kind(const uint8_t *bytes, size_t size, enum gmon_format format)
{
	if (capture_is(bytes, size))
		return RUN_CAPTURE;
	return gmon_is(bytes, size) || format != GMON_AUTO ? RUN_GMON : RUN_CAPTURE;
}

static bool is_elf(const uint8_t *bytes, size_t size)
{
	return size >= 4 && memcmp(bytes, "\177ELF", 4) == 0;
}

static enum status decode_gmon(const char *path, const uint8_t *bytes, size_t size, const struct capture_order *order,
                               enum gmon_format format, struct capture **capture, struct error *error)
{
	struct gmon gmon = {0};

	if (order == NULL)
		return status_fail(error, "%s: a gmon.out does not contain its byte order: name the firmware, too",
		                   path);
	/* A magic overrides --file-format. */
	enum gmon_format found = gmon_is(bytes, size) ? GMON_MAGIC : format;
	enum status status = gmon_decode(path, bytes, size, order, found, &gmon, error);
	if (status == STATUS_OK)
		status = gmon_to_capture(path, &gmon, order, capture, error);
	gmon_free(&gmon);
	return status;
}

enum status command_decode_run(const char *path, const uint8_t *bytes, size_t size, const struct capture_order *order,
                               enum gmon_format format, struct capture **capture, struct error *error)
{
	if (command_run_kind(bytes, size, format) == RUN_GMON)
		return decode_gmon(path, bytes, size, order, format, capture, error);
	if (is_elf(bytes, size))
		return status_fail(error, "%s: an ELF where a capture or gmon.out is expected; --help shows the order",
		                   path);
	if (!capture_is(bytes, size))
		return status_fail(error,
		                   "%s: neither a capture nor gmon.out as GNU writes it; --file-format takes BSD's, "
		                   "bareprof pull file:%s a dump of more memory",
		                   path, path);
	return capture_decode(path, bytes, size, capture, error);
}

enum status command_open_run(const char *path, const struct capture_order *order, enum gmon_format format,
                             struct capture **capture, struct error *error)
{
	uint8_t *bytes;
	size_t size;
	enum status status = file_read(path, &bytes, &size, error);

	if (status != STATUS_OK)
		return status;
	status = command_decode_run(path, bytes, size, order, format, capture, error);
	free(bytes);
	return status;
}

/* --- Selection of contexts and cores. */

bool command_has_contexts(const struct opened_profile *opened)
{
	for (size_t i = 0; i < opened->capture_count; i++)
		for (size_t j = 0; j < opened->captures[i]->block_count; j++)
			if (opened->captures[i]->blocks[j].has_contexts)
				return true;
	return false;
}

enum status command_no_contexts(const struct opened_profile *opened, struct error *error)
{
	const char *path = opened->capture_count > 0 ? opened->captures[0]->path : "captures";

	return status_fail(error,
	                   "%s: recorded without contexts: build library and firmware with -DBAREPROF_CONTEXTS=N and "
	                   "call bareprof_context_switch()",
	                   path);
}

static bool has_context(const struct capture_block *block, const struct capture_selection *selection)
{
	if (selection->of_context && selection->context < block->context_count)
		return true;
	for (size_t i = 0; selection->context_name != NULL && i < block->context_count; i++)
		if (strcmp(block->contexts[i].name, selection->context_name) == 0)
			return true;
	for (size_t i = 0; selection->of_context && i < block->cell_count; i++)
		if (block->cells[i].context == selection->context)
			return true;
	for (size_t i = 0; selection->of_context && i < block->arc_count; i++)
		if (block->arcs[i].context == selection->context)
			return true;
	return false;
}

/* Whether any block has the selected core or, if no core is selected, the selected context. */
static bool selection_is_found(const struct opened_profile *opened, const struct capture_selection *selection,
                               bool by_core)
{
	for (size_t i = 0; i < opened->capture_count; i++) {
		const struct capture *capture = opened->captures[i];

		for (const struct capture_block *block = capture->blocks;
		     block < capture->blocks + capture->block_count; block++)
			if (by_core ? block->header.core == selection->core : has_context(block, selection))
				return true;
	}
	return false;
}

/* Looks for the name of a context first, because a task may be called "3". */
static enum status select_context(const struct opened_profile *opened, const char *text,
                                  struct capture_selection *selection, struct error *error)
{
	if (!command_has_contexts(opened))
		return command_no_contexts(opened, error);
	selection->context_name = text;
	if (text[0] != '\0' && selection_is_found(opened, selection, false))
		return STATUS_OK;
	selection->context_name = NULL;
	selection->of_context = value_parse_number(text, CAPTURE_NO_CONTEXT - 1, &selection->context);
	if (selection->of_context && selection_is_found(opened, selection, false))
		return STATUS_OK;
	return status_fail(error,
	                   "--context=%s: no context of this name or number in the captures; bareprof info lists them",
	                   text);
}

static enum status select_core(const struct opened_profile *opened, const char *text,
                               struct capture_selection *selection, struct error *error)
{
	selection->of_core = value_parse_number(text, CORE_MAX, &selection->core);
	if (selection_is_found(opened, selection, true))
		return STATUS_OK;
	return status_fail(error, "--core=%s: no block of this core in the captures; bareprof info lists them", text);
}

static enum status restrict_captures(struct opened_profile *opened, const struct capture_options *options,
                                     struct error *error)
{
	struct capture_selection selection = {0};
	enum status status = STATUS_OK;

	if (options->context == NULL && options->core == NULL)
		return STATUS_OK;
	if (options->core != NULL)
		status = select_core(opened, options->core, &selection, error);
	if (status == STATUS_OK && options->context != NULL)
		status = select_context(opened, options->context, &selection, error);
	for (size_t i = 0; status == STATUS_OK && i < opened->capture_count; i++) {
		struct capture *selected = capture_select(opened->captures[i], &selection);

		if (selected == NULL)
			return status_no_memory(error, opened->captures[i]->path);
		capture_close(opened->captures[i]);
		opened->captures[i] = selected;
	}
	return status;
}

/* --- All captures, and their profile. */

static enum status open_captures(char *const *paths, size_t count, enum gmon_format format,
                                 struct opened_profile *opened, struct error *error)
{
	const struct capture_order order = {opened->image->big_endian, opened->image->address_size};

	opened->captures = calloc(count + 1, sizeof(struct capture *));
	opened->capture_count = 0;
	if (opened->captures == NULL)
		return status_fail(error, "out of memory for %zu captures", count);
	for (size_t i = 0; i < count; i++) {
		struct capture *capture;
		enum status status = command_open_run(paths[i], &order, format, &capture, error);

		if (status != STATUS_OK)
			return status;
		opened->captures[opened->capture_count++] = capture;
	}
	return STATUS_OK;
}

bool command_wants_total_errors(const struct capture_options *options)
{
	return options->errors != NULL ? strcmp(options->errors, "on") == 0 : options->total_errors;
}

enum status command_open_captures(const char *firmware, char *const *captures, size_t capture_count,
                                  const struct capture_options *options, struct opened_profile *opened,
                                  struct error *error)
{
	const struct image_division division = {.rule = IMAGE_BY_SIZE, .lines = true};
	enum status status = image_open(firmware, &opened->image, error);

	if (status == STATUS_OK && options->static_calls && !calls_can_decode(opened->image))
		status = status_fail(
		        error, "%s: no decoder for its instructions, only for Thumb and RISC-V: leave out --static",
		        firmware);
	if (status == STATUS_OK && options->filters != NULL)
		status = report_filters_resolve(options->filters, opened->image, error);
	opened->analysis = (struct analysis_options){
	        .force = options->force,
	        .filters = options->filters != NULL ? options->filters->filters : NULL,
	        .static_calls = options->static_calls,
	        .cycle_max = options->cycle_max,
	        .through_interrupts = options->through_interrupts,
	        .total_errors = command_wants_total_errors(options),
	};
	/* Filters that name files or lines need the source positions of functions. */
	if (status == STATUS_OK && opened->analysis.filters != NULL && filters_need_locations(opened->analysis.filters))
		status = image_divide(opened->image, &division, error);
	if (status == STATUS_OK)
		status = open_captures(captures, capture_count, options->file_format, opened, error);
	if (status == STATUS_OK)
		status = restrict_captures(opened, options, error);
	return status;
}

enum status command_open_profile(const char *firmware, char *const *captures, size_t capture_count,
                                 const struct capture_options *options, struct opened_profile *opened,
                                 struct error *error)
{
	enum status status = command_check_inputs(firmware, captures, capture_count, options->output, error);

	if (status == STATUS_OK)
		status = command_open_captures(firmware, captures, capture_count, options, opened, error);
	if (status == STATUS_OK)
		status = analysis_run(opened->image, (const struct capture *const *)opened->captures, capture_count,
		                      &opened->analysis, &opened->profile, error);
	return status;
}

void command_close_profile(struct opened_profile *opened)
{
	profile_free(opened->profile);
	for (size_t i = 0; i < opened->capture_count; i++)
		capture_close(opened->captures[i]);
	free(opened->captures);
	command_close_image(opened->image);
}

void command_close_image(struct image *image)
{
	const char *problem = image == NULL ? NULL : image_unreadable_lines(image);

	if (problem != NULL) {
		fputs("note: ", stderr);
		text_print(stderr, image->path);
		fprintf(stderr, ": line information unreadable: %s\n", problem);
	}
	image_close(image);
}
