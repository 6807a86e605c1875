/* SPDX-License-Identifier: MIT */
/* See diff_builds.h. */
#include "command/diff_builds.h"

#include "base/array.h"
#include "base/file/file.h"
#include "diff/baseline/baseline.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- OLD.elf:RUN[,RUN]. File names may contain colons and commas: a name that exists is one file. */

static bool is_file_name(const char *word, size_t length)
{
	char *path = strndup(word, length);
	bool found = path != NULL && access(path, F_OK) == 0;

	free(path);
	return found;
}

/*
 * The length of the firmware name: up to the first colon after the name of an existing file, otherwise the first colon.
 */
static size_t firmware_length(const char *word)
{
	for (const char *colon = strchr(word, ':'); colon != NULL; colon = strchr(colon + 1, ':'))
		if (is_file_name(word, (size_t)(colon - word)))
			return (size_t)(colon - word);
	return is_file_name(word, strlen(word)) ? strlen(word) : strcspn(word, ":");
}

static bool add_operand_run(struct diff_operand *operand, const char *text, size_t length)
{
	return array_append_text(&operand->runs, &operand->run_count, text, length) != NULL;
}

/* Adds the files that match the pattern in order, or the pattern itself if none does. Shells do not expand patterns
 * after a colon. */
static bool add_pattern(struct diff_operand *operand, const char *text, size_t length)
{
	char *pattern = strndup(text, length);
	glob_t found = {0};
	bool is_added = pattern != NULL;

	if (pattern != NULL && glob(pattern, 0, NULL, &found) != 0)
		is_added = add_operand_run(operand, pattern, length);
	for (size_t i = 0; is_added && i < found.gl_pathc; i++)
		is_added = add_operand_run(operand, found.gl_pathv[i], strlen(found.gl_pathv[i]));
	globfree(&found);
	free(pattern);
	return is_added;
}

static enum status take_runs(const struct command *command, struct diff_operand *operand, const char *word,
                             const char *text, struct error *error)
{
	if (access(text, F_OK) == 0)
		return add_operand_run(operand, text, strlen(text)) ? STATUS_OK : status_no_memory(error, word);
	for (;; text++) {
		size_t length = strcspn(text, ",");

		if (length == 0)
			return command_usage(command, error, "%.80s: missing name of a capture", word);
		bool is_added = is_file_name(text, length) ? add_operand_run(operand, text, length)
		                                           : add_pattern(operand, text, length);
		if (!is_added)
			return status_no_memory(error, word);
		text += length;
		if (*text == '\0')
			return STATUS_OK;
	}
}

static enum status split_operand(const struct command *command, struct diff_operand *operand, const char *word,
                                 struct error *error)
{
	size_t length = firmware_length(word);

	operand->firmware = strndup(word, length);
	if (operand->firmware == NULL)
		return status_no_memory(error, word);
	if (length == 0)
		return command_usage(command, error, "%.80s: missing name of a firmware", word);
	return word[length] == '\0' ? STATUS_OK : take_runs(command, operand, word, word + length + 1, error);
}

/* --- Builds of a baseline. */

/* Moves the captures of a kept build and, if no firmware was named, its firmware into the operand; frees the rest. */
static void adopt_kept_build(struct diff_operand *operand, struct baseline_build *build, bool names_firmware)
{
	if (!names_firmware) {
		free(operand->firmware);
		operand->firmware = build->firmware;
		build->firmware = NULL;
	}
	operand->runs = build->captures;
	operand->run_count = build->capture_count;
	build->captures = NULL;
	build->capture_count = 0;
	baseline_free(build);
}

/* Finds the build-id of an ELF. Refuses pipes: the ELF is read again later, and the second read of a pipe would block
 * for ever. */
static enum status find_id(const char *firmware, char id[IMAGE_BUILD_ID_TEXT_SIZE], struct error *error)
{
	struct image *image;

	if (access(firmware, F_OK) == 0 && !file_can_be_read_again(firmware))
		return status_fail(error, "%s: not a regular file, so it cannot be read twice as --baseline requires",
		                   firmware);
	enum status status = image_open(firmware, &image, error);
	if (status != STATUS_OK)
		return status;
	if (image_format_build_id(image, id)[0] == '\0')
		status = status_fail(error, "%s: no build-id to find its captures by: link it with -Wl,--build-id",
		                     firmware);
	image_close(image);
	return status;
}

static enum status find_captures(const struct diff_options *options, struct diff_operand *operand, struct error *error)
{
	struct baseline_build build = {0};
	char id[IMAGE_BUILD_ID_TEXT_SIZE];
	bool is_file = access(operand->firmware, F_OK) == 0;

	if (options->baseline == NULL)
		return command_usage(options->command, error,
		                     "%.80s: no captures given: use %.80s:RUN.bprof, or --baseline=DIR",
		                     operand->firmware, operand->firmware);
	enum status status = is_file ? find_id(operand->firmware, id, error) : STATUS_OK;
	if (status == STATUS_OK)
		status = baseline_find(options->baseline, is_file ? id : operand->firmware, &build, error);
	if (status == STATUS_OK)
		adopt_kept_build(operand, &build, is_file);
	return status;
}

/* Finds the build to compare with if none was named. */
static enum status find_last(struct diff_builds *builds, const char *folder, struct error *error)
{
	struct baseline_build build = {0};
	char id[IMAGE_BUILD_ID_TEXT_SIZE];
	enum status status = find_id(builds->operands[BUILD_NEW].firmware, id, error);

	if (status == STATUS_OK)
		status = baseline_find_last(folder, id, &build, error);
	if (status != STATUS_OK)
		return status;
	builds->is_first = build.firmware == NULL;
	adopt_kept_build(&builds->operands[BUILD_OLD], &build, false);
	return STATUS_OK;
}

/* --- All builds. */

static enum status name_builds(const struct diff_options *options, char *const *words, size_t count,
                               struct diff_builds *builds, struct error *error)
{
	enum status status = STATUS_OK;

	if (count == 1 && options->baseline == NULL)
		return command_usage(options->command, error, "expected two builds, or --baseline=DIR");
	if (count < 1)
		return command_usage(options->command, error, "expected two builds");
	if (count > BUILD_COUNT)
		return command_usage(options->command, error,
		                     "expected two builds, got %zu: write captures after their ELF and a colon", count);
	for (size_t i = 0; status == STATUS_OK && i < count; i++) {
		struct diff_operand *operand = &builds->operands[BUILD_COUNT - count + i];

		status = split_operand(options->command, operand, words[i], error);
		if (status == STATUS_OK && operand->run_count == 0)
			status = find_captures(options, operand, error);
	}
	if (status == STATUS_OK && count == 1)
		status = find_last(builds, options->baseline, error);
	return status;
}

/* Checks that no pipe is read twice and that no input is overwritten. */
static enum status check_files(struct diff_options *options, const struct diff_builds *builds, struct error *error)
{
	struct file_inputs *inputs = &options->inputs;
	enum status status = STATUS_OK;

	for (enum build build = 0; build < BUILD_COUNT; build++) {
		const struct diff_operand *operand = &builds->operands[build];

		if (status == STATUS_OK && operand->firmware != NULL)
			status = file_inputs_add(inputs, operand->firmware, error);
		for (size_t i = 0; status == STATUS_OK && i < operand->run_count; i++)
			status = file_inputs_add(inputs, operand->runs[i], error);
	}
	if (status == STATUS_OK && options->html != NULL)
		status = file_check_output(options->html, inputs, error);
	return status;
}

static const struct capture *find_repeated(const struct opened_profile *opened, const struct capture *capture)
{
	for (size_t i = 0; i < opened->capture_count; i++)
		if (capture_is_repeat(capture, opened->captures[i]))
			return opened->captures[i];
	return NULL;
}

/* Drops repeated captures. A copy, a profile pulled twice or identical runs of an emulator would suggest that runs
 * hardly vary. */
static void pass_over_repeats(struct opened_profile *opened)
{
	size_t count = opened->capture_count;

	opened->capture_count = 0;
	for (size_t i = 0; i < count; i++) {
		struct capture *capture = opened->captures[i];
		const struct capture *repeated = find_repeated(opened, capture);

		if (repeated == NULL) {
			opened->captures[opened->capture_count++] = capture;
			continue;
		}
		fprintf(stderr,
		        "note: %s has the same counts as %s; skipped as a duplicate. Use pull --reset before each "
		        "capture\n",
		        capture->path, repeated->path);
		capture_close(capture);
	}
}

enum status diff_builds_open(struct diff_options *options, char *const *words, size_t count, struct diff_builds *builds,
                             struct error *error)
{
	enum status status = name_builds(options, words, count, builds, error);

	if (status == STATUS_OK)
		status = check_files(options, builds, error);
	for (enum build build = builds->is_first ? BUILD_NEW : BUILD_OLD; status == STATUS_OK && build < BUILD_COUNT;
	     build++) {
		const struct diff_operand *operand = &builds->operands[build];

		status = command_open_captures(operand->firmware, operand->runs, operand->run_count, &options->captures,
		                               &builds->opened[build], error);
		if (status == STATUS_OK)
			pass_over_repeats(&builds->opened[build]);
	}
	return status;
}

void diff_builds_close(struct diff_builds *builds)
{
	for (enum build build = 0; build < BUILD_COUNT; build++) {
		struct diff_operand *operand = &builds->operands[build];

		command_close_profile(&builds->opened[build]);
		for (size_t i = 0; i < operand->run_count; i++)
			free(operand->runs[i]);
		free(operand->runs);
		free(operand->firmware);
	}
}
