/* SPDX-License-Identifier: MIT */
/* What report, export and others begin with: a firmware and its captures, analysed. Private to command/. */
#ifndef COMMAND_CAPTURES_H
#define COMMAND_CAPTURES_H

#include "model/profile.h"

/* Everything that a profile stands on; all zero before command_open_profile(). */
struct opened_profile {
	struct image *image;
	struct capture **captures;
	size_t capture_count;
	struct profile *profile;
};

/* Opens the firmware and the captures and runs the analysis. Closed by command_close_profile(), also on failure. */
enum status command_open_profile(const char *firmware, char *const *captures, size_t capture_count, bool force,
                                 struct opened_profile *opened, struct error *error);
void command_close_profile(struct opened_profile *opened);

#endif
