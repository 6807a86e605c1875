/* SPDX-License-Identifier: MIT */
/* bareprof merge: adds up captures and gmon.out files of one firmware into one capture, holding one input in memory at
 * a time. */
#include "capture/merge/merge.h"

#include "base/file/file.h"
#include "command/captures.h"
#include "command/command.h"
#include "firmware/image.h"
#include "profile/analysis.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

struct merge_options {
	struct capture_options captures; /* only output, force and file_format are used */
	const char *firmware;

	char *const *runs;
	size_t run_count;
};

/* A gmon.out deferred until a capture or the firmware shows the byte order. */
struct deferred {
	size_t run;
	uint8_t *bytes; /* contents of an input that cannot be read again, otherwise NULL */
	size_t size;
};

/* The state of a merge. The image is NULL if no firmware was named. */
struct merge_session {
	const struct merge_options *options;
	struct image *image;
	struct merge *merge;
	struct deferred *deferred; /* room for each run */
	size_t deferred_count;
};

#define MEMBER(name) offsetof(struct merge_options, name)

static const struct command_option merge_options[] = {
        {'o', "output", "FILE", "output file; - is standard output", .take = option_take_text,
         .member = MEMBER(captures.output)},
        {'e', "elf", "FW.elf",
         "the firmware: refuses captures of another build, and gives the byte\n"
         "order if all RUNs are gmon.out files",
         .take = option_take_text, .member = MEMBER(firmware)},
        {'f', "force", NULL, "accept captures of several builds, in separate blocks", .take = option_take_switch,
         .member = MEMBER(captures.force)},
        {0},
};

static enum status check_merge_options(const struct merge_options *options, struct error *error)
{
	if (options->captures.output == NULL)
		return command_usage(&command_merge, error, "missing -o SUM.bprof");
	if (options->run_count == 0)
		return command_usage(&command_merge, error, "expected at least one capture");
	enum status status = command_check_binary_output(&command_merge, options->captures.output, "a capture", error);
	if (status != STATUS_OK)
		return status;
	return command_check_inputs(options->firmware, options->runs, options->run_count, options->captures.output,
	                            error);
}

static enum status parse_merge_options(int argc, char **argv, struct merge_options *options, struct error *error)
{
	enum status status = command_parse_options(&command_merge, argc, argv, options, error);

	if (status != STATUS_OK)
		return status;
	options->runs = argv + optind;
	options->run_count = (size_t)(argc - optind);
	return check_merge_options(options, error);
}

/* False if neither the firmware nor a capture has given the byte order so far. */
static bool find_merge_order(const struct merge_session *session, struct capture_order *order)
{
	const struct capture_order *told = merge_order(session->merge);

	if (session->image != NULL)
		*order = (struct capture_order){session->image->big_endian, session->image->address_size};
	else if (told != NULL)
		*order = *told;
	return session->image != NULL || told != NULL;
}

/* Fails if there are counts of basic blocks: a sum cannot hold them, and would be wrong without them. */
static enum status check_basic_blocks(const struct capture *capture, struct error *error)
{
	for (size_t i = 0; i < capture->block_count; i++)
		if (capture->blocks[i].basic_block_count > 0)
			return status_fail(error,
			                   "%s: counts %zu basic blocks, which a capture cannot hold: bareprof gprof "
			                   "-s adds up such files",
			                   capture->path, capture->blocks[i].basic_block_count);
	return STATUS_OK;
}

static enum status merge_bytes(struct merge_session *session, size_t run, const uint8_t *bytes, size_t size,
                               struct error *error)
{
	const struct merge_options *options = session->options;
	const char *path = options->runs[run];
	enum profile_identity identity = PROFILE_IDENTITY_SAME;
	struct capture_order order;
	struct capture *capture = NULL;
	bool has_order = find_merge_order(session, &order);

	if (!has_order && command_run_kind(bytes, size, options->captures.file_format) == RUN_GMON)
		return status_fail(error, "%s: a gmon.out does not contain its byte order: name the firmware with -e",
		                   path);
	enum status status = command_decode_run(path, bytes, size, has_order ? &order : NULL,
	                                        options->captures.file_format, &capture, error);
	if (status == STATUS_OK)
		status = check_basic_blocks(capture, error);
	if (status == STATUS_OK && session->image != NULL)
		status = analysis_check_capture(session->image, capture, options->captures.force, &identity, error);
	if (status == STATUS_OK)
		status = merge_add(session->merge, capture, error);
	capture_close(capture);
	return status;
}

static bool must_wait(const struct merge_session *session, const uint8_t *bytes, size_t size)
{
	struct capture_order order;

	return command_run_kind(bytes, size, session->options->captures.file_format) == RUN_GMON &&
	       !find_merge_order(session, &order);
}

/* Takes ownership of bytes. Frees them if the file can be read again, so that only one input is in memory at a time. */
static void defer_run(struct merge_session *session, size_t run, uint8_t *bytes, size_t size)
{
	struct deferred *deferred = &session->deferred[session->deferred_count++];

	*deferred = (struct deferred){run, bytes, size};
	if (file_can_be_read_again(session->options->runs[run])) {
		free(bytes);
		deferred->bytes = NULL;
	}
}

static enum status merge_run(struct merge_session *session, size_t run, struct error *error)
{
	uint8_t *bytes;
	size_t size;
	enum status status = file_read(session->options->runs[run], &bytes, &size, error);

	if (status != STATUS_OK)
		return status;
	if (must_wait(session, bytes, size)) {
		defer_run(session, run, bytes, size);
		return STATUS_OK;
	}
	status = merge_bytes(session, run, bytes, size, error);
	free(bytes);
	return status;
}

static enum status merge_deferred(struct merge_session *session, struct deferred *deferred, struct error *error)
{
	const char *path = session->options->runs[deferred->run];
	enum status status = STATUS_OK;

	if (deferred->bytes == NULL)
		status = file_read(path, &deferred->bytes, &deferred->size, error);
	if (status == STATUS_OK)
		status = merge_bytes(session, deferred->run, deferred->bytes, deferred->size, error);
	free(deferred->bytes);
	deferred->bytes = NULL;
	return status;
}

static enum status merge_runs(struct merge_session *session, struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < session->options->run_count; i++)
		status = merge_run(session, i, error);
	for (size_t i = 0; status == STATUS_OK && i < session->deferred_count; i++)
		status = merge_deferred(session, &session->deferred[i], error);
	return status;
}

static enum status write_merged_capture(const struct merge_session *session, struct error *error)
{
	const struct capture *sum;
	uint8_t *bytes = NULL;
	size_t size = 0;
	enum status status = merge_finish(session->merge, session->options->captures.output, &sum, error);

	if (status == STATUS_OK)
		status = capture_write(sum, &bytes, &size, error);
	if (status == STATUS_OK)
		status = file_write(session->options->captures.output, bytes, size, error);
	free(bytes);
	return status;
}

static enum status run_merge_session(struct merge_session *session, struct error *error)
{
	const struct merge_options *options = session->options;
	enum status status = STATUS_OK;

	if (options->firmware != NULL)
		status = image_open(options->firmware, &session->image, error);
	session->merge = merge_create(options->captures.force);
	session->deferred = calloc(options->run_count + 1, sizeof *session->deferred);
	if (status == STATUS_OK && (session->merge == NULL || session->deferred == NULL))
		status = status_fail(error, "out of memory");
	if (status == STATUS_OK)
		status = merge_runs(session, error);
	return status == STATUS_OK ? write_merged_capture(session, error) : status;
}

static void free_deferred(struct merge_session *session)
{
	for (size_t i = 0; i < session->deferred_count; i++)
		free(session->deferred[i].bytes);
	free(session->deferred);
}

static enum status run_merge(int argc, char **argv, struct error *error)
{
	struct merge_options options = {0};
	enum status status = parse_merge_options(argc, argv, &options, error);

	if (status != STATUS_OK)
		return status;
	struct merge_session session = {.options = &options};
	status = run_merge_session(&session, error);
	free_deferred(&session);
	merge_free(session.merge);
	image_close(session.image);
	return status;
}

const struct command command_merge = {
        .name = "merge",
        .synopsis = "[OPTION]... -o SUM.bprof RUN...",
        .summary = "add up captures of one firmware",
        .help = "RUN is a capture, a sum or a gmon.out. The sum is also a capture, with 64-bit counts. Blocks\n"
                "with different cores, clocks, ranges or names of contexts stay separate in it.\n\n",
        .options = (const struct option_table[]){{merge_options, 0}, {file_format_options, MEMBER(captures)}, {0}},
        .example = "bareprof merge -o sum.bprof run-*.bprof\n",
        .run = run_merge,
};
