/* SPDX-License-Identifier: MIT */
/*
 * print_lines ELF CAPTURE: the samples of each source line with their variance, a line each: `FILE:LINE SAMPLES
 * VARIANCE`. Code without a line is `?:0`.
 */
#include "command/captures.h"
#include "profile/analysis.h"
#include "profile/lines.h"

#include <stdio.h>
#include <string.h>

static void print(const struct profile *profile)
{
	double sample_time = profile->total_samples > 0 ? profile->total_time / profile->total_samples : 1;

	for (size_t i = 0; i < profile->line_count; i++) {
		const struct profile_line *line = &profile->lines[i];
		const char *file = line->file == NULL ? "?" : line->file;
		const char *slash = strrchr(file, '/');

		if (profile->nodes[line->node].kind == PROFILE_FUNCTION)
			printf("%s:%d %.6f %.6f\n", slash == NULL ? file : slash + 1, line->line, line->self_samples,
			       line->self_variance / (sample_time * sample_time));
	}
}

int main(int argc, char **argv)
{
	struct image *image = NULL;
	struct capture *capture = NULL;
	struct profile *profile = NULL;
	struct error error = {.message = ""};

	if (argc != 3)
		return 2;
	enum status status = image_open(argv[1], &image, &error);
	if (status == STATUS_OK)
		status = command_open_run(argv[2], NULL, GMON_AUTO, &capture, &error);
	const struct capture *const captures[] = {capture};
	if (status == STATUS_OK)
		status = analysis_run(image, captures, 1, &(struct analysis_options){.in_samples = false}, &profile,
		                      &error);
	if (status == STATUS_OK)
		status = analysis_find_lines(profile, &error);
	if (status == STATUS_OK)
		print(profile);
	else
		fprintf(stderr, "%s\n", error.message);
	profile_free(profile);
	capture_close(capture);
	image_close(image);
	return status == STATUS_OK ? 0 : 1;
}
