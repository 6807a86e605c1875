/* SPDX-License-Identifier: MIT */
/* See captures.h. */
#include "command/captures.h"

#include "analysis/analysis.h"

#include <stdlib.h>

enum status command_open_profile(const char *firmware, char *const *captures, size_t capture_count, bool force,
                                 struct opened_profile *opened, struct error *error)
{
	enum status status = image_open(firmware, &opened->image, error);
	if (status != STATUS_OK)
		return status;
	opened->captures = calloc(capture_count + 1, sizeof(struct capture *));
	if (opened->captures == NULL)
		return status_fail(error, "out of memory for %zu captures", capture_count);
	for (size_t i = 0; i < capture_count; i++) {
		status = capture_open(captures[i], &opened->captures[i], error);
		if (status != STATUS_OK)
			return status;
		opened->capture_count++;
	}
	return analysis_run(opened->image, (const struct capture *const *)opened->captures, capture_count, force,
	                    &opened->profile, error);
}

void command_close_profile(struct opened_profile *opened)
{
	profile_free(opened->profile);
	for (size_t i = 0; i < opened->capture_count; i++)
		capture_close(opened->captures[i]);
	free(opened->captures);
	image_close(opened->image);
}
