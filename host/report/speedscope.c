/* SPDX-License-Identifier: MIT */
/* A file for https://www.speedscope.app, one profile per context. The schema is file-format-schema.json of speedscope
 * 1.25.0. Each profile names its unit. */
#include "base/array.h"
#include "base/text/json.h"
#include "profile/paths.h"
#include "report/output.h"
#include "report/views.h"

#include <math.h>

struct paths {
	struct json *json;
	const struct profile *whole;
	size_t own_frames; /* the first frame of the part's own nodes */
	double *weights;   /* by path; the schema has them after the paths */
	size_t count;
	double sum;
};

struct frames {
	struct json *json;
	struct demangler *names;
};

static void add_frame(void *context, const struct profile *profile, size_t node)
{
	const struct frames *frames = context;
	struct json *json = frames->json;
	const char *file = NULL;
	int line = 0;

	json_open(json, NULL, '{');
	json_add_string(json, "name", views_name(frames->names, profile, node));
	if (node != PROFILE_NONE && profile_node_line(profile->image, &profile->nodes[node], &file, &line)) {
		json_add_string(json, "file", file);
		json_add_number(json, "line", line);
	}
	json_close(json, '}');
}

static void add_frames(struct json *json, const struct profile *profile, struct demangler *names)
{
	json_open(json, "shared", '{');
	json_open(json, "frames", '[');
	json_lines(json, 6);
	views_each_function(profile, add_frame, &(struct frames){json, names});
	json_close(json, ']');
	json_close(json, '}');
}

static enum status add_speedscope_path(void *context, const struct profile_path *path, struct error *error)
{
	struct paths *paths = context;

	if (path->time <= 0)
		return STATUS_OK;
	json_open(paths->json, NULL, '[');
	for (size_t i = 0; i < path->depth; i++)
		json_add_count(paths->json, NULL,
		               views_function_number(paths->whole, paths->own_frames, path->nodes[i]));
	json_close(paths->json, ']');
	paths->sum += path->time;
	return array_append(&paths->weights, &paths->count, &path->time, sizeof path->time)
	               ? STATUS_OK
	               : status_fail(error, "out of memory for %zu stacks", paths->count);
}

static enum status add_profile(struct json *json, const struct profile *whole, size_t index, size_t *own_frames,
                               struct error *error)
{
	char text[PART_NAME_MAX], title[512];
	const char *name;
	const struct profile *part = views_part(whole, index, text, &name);
	struct paths paths = {.json = json, .whole = whole, .own_frames = *own_frames};

	/* The viewer shows this title, and the file's in the browser's tab. */
	snprintf(title, sizeof title, "%.300s, %s", name[0] == '\0' ? whole->image->path : name,
	         views_paths_title(part));
	json_open(json, NULL, '{');
	json_add_string(json, "type", "sampled");
	json_add_string(json, "name", title);
	json_add_string(json, "unit", whole->time_unit == PROFILE_SECONDS ? "seconds" : "none");
	json_add_count(json, "startValue", 0);
	json_open(json, "samples", '[');
	json_lines(json, 6);
	enum status status = analysis_each_path(part, add_speedscope_path, &paths, error);
	json_close(json, ']');
	json_add_number(json, "endValue", paths.sum);
	json_open(json, "weights", '[');
	for (size_t i = 0; i < paths.count; i++)
		json_add_rounded(json, NULL, paths.weights[i]);
	json_close(json, ']');
	json_close(json, '}');
	free(paths.weights);
	*own_frames = views_next_own(whole, part, *own_frames);
	return status;
}

static enum status write_speedscope(const struct profile *profile, FILE *stream, struct error *error)
{
	struct json json = {.stream = stream};
	struct demangler *names = views_names_create(profile, error);
	size_t own_frames = views_first_own(profile);
	char title[768], text[VIEWS_PATHS_TEXT_MAX];
	enum status status = STATUS_OK;

	if (names == NULL)
		return STATUS_FAILED;
	snprintf(title, sizeof title, "%.300s: %s", profile->image->path, views_format_paths_text(profile, text));
	json_open(&json, NULL, '{');
	json_lines(&json, 2);
	json_add_string(&json, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_add_string(&json, "name", title);
	json_add_string(&json, "exporter", "bareprof " BAREPROF_VERSION);
	json_add_count(&json, "activeProfileIndex", 0);
	add_frames(&json, profile, names);
	json_open(&json, "profiles", '[');
	json_lines(&json, 4);
	for (size_t i = 0; status == STATUS_OK && i < views_part_count(profile); i++)
		status = add_profile(&json, profile, i, &own_frames, error);
	json_close(&json, ']');
	json_line(&json, 0);
	json_close(&json, '}');
	fputc('\n', stream);
	demangler_free(names);
	return status;
}

const struct output_format output_speedscope = {
        .name = "speedscope",
        .summary = "a file for speedscope.app",
        .total_times = true,
        .split = OUTPUT_BY_CORE_AND_CONTEXT,
        .write = write_speedscope,
};
