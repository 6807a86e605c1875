/* SPDX-License-Identifier: MIT */
/* Folded stacks, `outermost;...;innermost SAMPLES`, which flamegraph.pl and most viewers read. With contexts, the
 * context is the outermost frame. */
#include "base/text/escape.h"
#include "report/output.h"
#include "report/views.h"

#include <inttypes.h>

struct folder {
	const struct profile *part;
	const char *part_name;
	struct names *names;
	FILE *stream;
};

/* A semicolon would end the frame. */
static void print_frame(FILE *stream, const char *name)
{
	static const struct escape escapes[] = {{';', ":"}, {'\0', NULL}};

	escape_print(stream, name, escapes, "\\x");
}

static enum status print_path(void *context, const struct profile_path *path, struct error *error)
{
	const struct folder *folder = context;

	(void)error;
	if (path->samples == 0)
		return STATUS_OK;
	if (folder->part_name[0] != '\0') {
		print_frame(folder->stream, folder->part_name);
		fputc(';', folder->stream);
	}
	for (size_t i = 0; i < path->depth; i++) {
		fputs(i == 0 ? "" : ";", folder->stream);
		print_frame(folder->stream, views_name(folder->names, folder->part, path->nodes[i]));
	}
	fprintf(folder->stream, " %" PRIu64 "\n", path->samples);
	return STATUS_OK;
}

static enum status write_folded(const struct profile *profile, FILE *stream, struct error *error)
{
	char part_name[VIEWS_PART_NAME_MAX];
	struct folder folder = {.names = views_names_create(profile, error), .part_name = part_name, .stream = stream};
	enum status status = folder.names == NULL ? STATUS_FAILED : STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < views_part_count(profile); i++) {
		folder.part = views_part(profile, i, part_name);
		status = analysis_each_path(folder.part, print_path, &folder, error);
	}
	names_free(folder.names);
	return status;
}

const struct output_format output_folded = {
        .name = "folded",
        .summary = "stacks with samples, for flamegraph.pl and other viewers",
        .total_times = true,
        .by_context = true,
        .write = write_folded,
};
