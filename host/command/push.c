/* SPDX-License-Identifier: MIT */
/* bareprof push: sends the profile, in the format of `export pprof`, to a store of profiles. */
#include "base/file/file.h"
#include "base/wait.h"
#include "command/export.h"
#include "command/push_options.h"
#include "push/send.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#define TIMEOUT_DEFAULT 60000u

struct push_session {
	struct push_options options;
	struct capture_options captures;
	const struct push_api *api;
	struct push_destination destination;
	struct opened_profile opened;
	char *default_application; /* the name of the firmware */
	char *pprof;
	size_t pprof_size;
	struct push_profile profile;
};

/* The URL is checked before anything is read. */
static enum status take_url(struct push_session *session, const char *text, struct error *error)
{
	struct error reason = {.message = ""};
	enum status status = http_client->parse(text, &session->destination.address, &reason);

	if (status != STATUS_OK)
		return status == STATUS_USAGE ? command_usage(&command_push, error, "%s", reason.message)
		                              : status_add(STATUS_OK, error, &reason);
	session->api = push_api_of(session->destination.address.text);
	if (session->api == NULL)
		return command_usage(&command_push, error,
		                     "%.100s: expected a URL that ends in /ingest or /push.v1.PusherService/Push",
		                     session->destination.address.text);
	return STATUS_OK;
}

static enum status parse_push_options(int argc, char **argv, struct push_session *session, struct error *error)
{
	enum status status = command_parse_options(&command_push, argc, argv, session, error);

	if (status != STATUS_OK)
		return status;
	if (http_client == NULL)
		return status_usage(error, "push: this bareprof was built without %s", HTTP_LIBRARY);
	if (argc - optind < 3)
		return command_usage(&command_push, error, "expected a URL, a firmware and at least one capture");
	status = take_url(session, argv[optind], error);
	session->destination.authorities = session->options.authorities;
	session->destination.timeout = session->options.timeout;
	return status == STATUS_OK ? push_credentials_read(&session->options, &session->destination.address,
	                                                   &session->destination.credentials, error)
	                           : status;
}

/* --- The profile. */

static enum status encode_pprof(struct push_session *session, struct error *error)
{
	const struct output_format *format = export_find_format("pprof");
	enum status status = export_prepare_profile(format, &session->opened, error);

	if (status != STATUS_OK)
		return status;
	FILE *stream = open_memstream(&session->pprof, &session->pprof_size);
	if (stream == NULL)
		return status_no_memory(error, session->opened.image->path);
	status = format->write(session->opened.profile, stream, error);
	bool has_failed = ferror(stream) != 0;
	if ((fclose(stream) != 0 || has_failed) && status == STATUS_OK)
		status = status_no_memory(error, session->opened.image->path);
	session->profile.bytes = session->pprof;
	session->profile.size = session->pprof_size;
	return status;
}

/* The mean length of the profile's runs in seconds, rounded up. */
static int64_t mean_run_seconds(const struct profile *profile)
{
	double runs = 0;

	for (size_t i = 0; i < profile->block_count; i++)
		runs += profile->blocks[i]->merged_count > 0 ? (double)profile->blocks[i]->merged_count : 1;
	if (profile->time_unit != PROFILE_SECONDS || runs == 0)
		return 1;
	double seconds = ceil(profile->total_time / runs);
	return seconds >= 1 && seconds < 1e9 ? (int64_t)seconds : 1;
}

/* Captures of unknown time, such as sums, are treated as recorded now. */
static void find_profile_times(struct push_profile *pushed, const struct profile *profile)
{
	int64_t latest = 0;

	for (size_t i = 0; i < profile->capture_count; i++)
		if (profile->captures[i]->time > latest)
			latest = profile->captures[i]->time;
	pushed->until = latest > 0 ? latest : (int64_t)time(NULL);
	pushed->from = pushed->until - mean_run_seconds(profile);
}

/* --- Labels. */

/* The file's name without folders and .elf; the caller frees it. NULL when out of memory. */
static char *firmware_name(const struct image *image)
{
	const char *slash = strrchr(image->path, '/');
	const char *name = slash != NULL ? slash + 1 : image->path;
	size_t length = strlen(name);

	if (length > 4 && strcmp(name + length - 4, ".elf") == 0)
		length -= 4;
	return strndup(name, length);
}

/* Adds a label whose value comes from a file. */
static bool add_clean_label(struct push_labels *labels, const char *name, const char *value)
{
	char *clean = strdup(value);

	if (clean == NULL)
		return false;
	push_label_value_clean(clean);
	bool is_added = push_labels_add(labels, name, strlen(name), clean);
	free(clean);
	return is_added;
}

static bool add_build_label(struct push_labels *labels, const struct image *image)
{
	char text[IMAGE_BUILD_ID_TEXT_SIZE];

	return add_clean_label(labels, "build_id", image_format_build_id(image, text));
}

/* Adds labels of the whole profile. Labels of samples, context and core, are in the pprof. */
static enum status add_profile_labels(struct push_session *session, struct error *error)
{
	const struct profile *profile = session->opened.profile;
	struct push_labels *labels = &session->profile.labels;
	const char *board = profile->block_count > 0 ? profile->blocks[0]->header.board : "";

	session->default_application = firmware_name(profile->image);
	bool ok = session->default_application != NULL &&
	          add_clean_label(labels, "firmware", session->default_application) &&
	          add_build_label(labels, profile->image) && add_clean_label(labels, "board", board) &&
	          add_clean_label(labels, "bareprof_version", BAREPROF_VERSION);
	for (size_t i = 0; ok && i < session->options.labels.count; i++) {
		const struct push_label *label = &session->options.labels.items[i];

		ok = push_labels_add(labels, label->name, strlen(label->name), label->value);
	}
	if (!ok)
		return status_fail(error, "out of memory for labels");
	push_application_clean(session->default_application);
	session->profile.application =
	        session->options.application != NULL ? session->options.application : session->default_application;
	return STATUS_OK;
}

/* --- The command. */

static uint32_t random_number(void)
{
	uint32_t number = 0;

	return getrandom(&number, sizeof number, 0) == sizeof number ? number : (uint32_t)clock_now();
}

static enum status send_profile(const struct push_session *session, struct error *error)
{
	const struct push_environment environment = {
	        .client = http_client, .clock = &clock_system, .random = random_number};
	struct push_message message;
	enum status status =
	        push_message_make(session->api, session->destination.address.text, &session->profile, &message, error);

	if (status == STATUS_OK)
		status = push_send(&message, &session->destination, &environment, error);
	push_message_free(&message);
	return status;
}

static enum status run_push_session(struct push_session *session, int argc, char **argv, struct error *error)
{
	enum status status = parse_push_options(argc, argv, session, error);

	if (status != STATUS_OK)
		return status;
	status = command_open_profile(argv[optind + 1], argv + optind + 2, (size_t)(argc - optind - 2),
	                              &session->captures, &session->opened, error);
	if (status == STATUS_OK)
		status = encode_pprof(session, error);
	if (status == STATUS_OK)
		status = add_profile_labels(session, error);
	if (status != STATUS_OK)
		return status;
	find_profile_times(&session->profile, session->opened.profile);
	return send_profile(session, error);
}

static enum status run_push(int argc, char **argv, struct error *error)
{
	struct push_session session = {.options.timeout = TIMEOUT_DEFAULT};
	enum status status = run_push_session(&session, argc, argv, error);

	free(session.default_application);
	free(session.pprof);
	free(session.destination.address.text);
	push_labels_free(&session.profile.labels);
	push_labels_free(&session.options.labels);
	push_credentials_free(&session.destination.credentials);
	command_close_profile(&session.opened);
	return status;
}

const struct command command_push = {
        .name = "push",
        .synopsis = "[OPTION]... URL FW.elf RUN...",
        .summary = "send the profile to a store such as Pyroscope",
        .help = "RUN is a capture or a gmon.out. The profile is in the format of `export pprof`. URL ends in\n"
                "  /ingest                      Pyroscope's HTTP interface\n"
                "  /push.v1.PusherService/Push  Pyroscope's Connect interface\n\n"
                "Failed connections, time-outs, and statuses 429 and 5xx are retried. If an answer is\n"
                "lost, the store may get the profile twice. Redirections are not followed.\n\n",
        .option_columns = 26,
        .options = (const struct option_table[]){{push_option_table, offsetof(struct push_session, options)},
                                                 {selection_options, offsetof(struct push_session, captures)},
                                                 {file_format_options, offsetof(struct push_session, captures)},
                                                 {0}},
        .example = "bareprof push --label=serial=4711 https://pyroscope/ingest fw.elf run.bprof\n",
        .run = run_push,
};
