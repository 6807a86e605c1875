/* SPDX-License-Identifier: MIT */
/* Builds kept with their captures for later comparison: a folder with one folder per build, named by the build-id.
 * docs/DIFF.md describes the contents. */
#ifndef DIFF_BASELINE_BASELINE_H
#define DIFF_BASELINE_BASELINE_H

#include "base/status.h"
#include "firmware/image.h"

#include <stdbool.h>
#include <stddef.h>

/* One kept build; all zero: none. Freed by baseline_free(). */
struct baseline_build {
	char *firmware;  /* path of the ELF */
	char **captures; /* paths, in the order in which they were kept */
	size_t capture_count;
};

/* Finds a build in folder. id is its build-id or the beginning of it, in hexadecimal digits. Fails unless exactly
 * one build matches. */
enum status baseline_find(const char *folder, const char *id, struct baseline_build *build, struct error *error);
/* Finds the build that was kept last, except the build-id `except`, which may be NULL. If there is no such build, or no
 * folder, build stays all zero and the call succeeds. */
enum status baseline_find_last(const char *folder, const char *except, struct baseline_build *build,
                               struct error *error);
/*
 * Copies a firmware and its captures into the folder, which is created if necessary, and makes it the last build. A
 * capture that is already there is not copied again. After a power failure or on a full disk, every kept file is either
 * complete or absent.
 */
enum status baseline_keep(const char *folder, const struct image *image, char *const *captures, size_t capture_count,
                          struct error *error);
void baseline_free(struct baseline_build *build);

#endif
