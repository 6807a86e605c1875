/* SPDX-License-Identifier: MIT */
/* Folded stacks, `outermost;...;innermost SAMPLES`, which flamegraph.pl and most viewers read. The
 * outermost frame is the core and the context, if there are any. */
#include "base/text/escape.h"
#include "profile/paths.h"
#include "report/output.h"
#include "report/views.h"

#include <inttypes.h>
#include <stdlib.h>

struct folder {
	const struct profile *part;
	const char *part_name;
	struct demangler *names;
	char **frames; /* by node of the part: its name, escaped once; NULL: not yet */
	FILE *stream;
};

/* A semicolon would end the frame. */
static void print_frame(FILE *stream, const char *name)
{
	static const struct escape escapes[] = {{';', ":"}, {'\0', NULL}};

	escape_print(stream, name, escapes, "\\x");
}

/* NULL when out of memory. */
static const char *frame_of(const struct folder *folder, size_t node)
{
	if (node == PROFILE_NONE)
		return VIEWS_CUT_NAME;
	if (folder->frames[node] == NULL) {
		size_t size;
		FILE *stream = open_memstream(&folder->frames[node], &size);

		if (stream == NULL)
			return NULL;
		print_frame(stream, views_name(folder->names, folder->part, node));
		fclose(stream);
	}
	return folder->frames[node];
}

static enum status print_folded_path(void *context, const struct profile_path *path, struct error *error)
{
	const struct folder *folder = context;

	if (path->samples == 0)
		return STATUS_OK;
	if (folder->part_name[0] != '\0') {
		print_frame(folder->stream, folder->part_name);
		fputc(';', folder->stream);
	}
	for (size_t i = 0; i < path->depth; i++) {
		const char *frame = frame_of(folder, path->nodes[i]);

		if (frame == NULL)
			return status_no_memory(error, folder->part->image->path);
		if (i > 0)
			fputc(';', folder->stream);
		fputs(frame, folder->stream);
	}
	fprintf(folder->stream, " %" PRIu64 "\n", path->samples);
	return STATUS_OK;
}

static enum status print_folded_part(struct folder *folder, struct error *error)
{
	folder->frames = calloc(folder->part->node_count + 1, sizeof(char *));
	enum status status = folder->frames == NULL
	                             ? status_no_memory(error, folder->part->image->path)
	                             : analysis_each_path(folder->part, print_folded_path, folder, error);
	for (size_t i = 0; folder->frames != NULL && i < folder->part->node_count; i++)
		free(folder->frames[i]);
	free(folder->frames);
	return status;
}

static enum status write_folded(const struct profile *profile, FILE *stream, struct error *error)
{
	char text[PART_NAME_MAX];
	struct folder folder = {.names = views_names_create(profile, error), .stream = stream};
	enum status status = folder.names == NULL ? STATUS_FAILED : STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < views_part_count(profile); i++) {
		folder.part = views_part(profile, i, text, &folder.part_name);
		status = print_folded_part(&folder, error);
	}
	demangler_free(folder.names);
	return status;
}

const struct output_format output_folded = {
        .name = "folded",
        .summary = "stacks with samples, for flamegraph.pl and other viewers",
        .total_times = true,
        .split = OUTPUT_BY_CORE_AND_CONTEXT,
        .write = write_folded,
};
