/* SPDX-License-Identifier: MIT */
/*
 * Builds that were kept with their captures, to be compared with later ones: a folder with one folder for each, named
 * by its build-id. docs/DIFF.md tells what is in there. Knows nothing of comparisons.
 */
#ifndef DIFF_BASELINE_BASELINE_H
#define DIFF_BASELINE_BASELINE_H

#include "base/status.h"
#include "firmware/image.h"

#include <stdbool.h>
#include <stddef.h>

/* What is kept of one build; all zero: nothing. Freed by baseline_free(). */
struct baseline_build {
	char *id;        /* the build-id in hexadecimal digits */
	char *firmware;  /* path of the ELF */
	char **captures; /* paths, in the order in which they were kept */
	size_t capture_count;
};

/* What folder has of a build: id is its build-id or the beginning of it, in hexadecimal digits. Nothing kept, or more
 * than one that begins so, is an error. */
enum status baseline_find(const char *folder, const char *id, struct baseline_build *build, struct error *error);
/* What was kept last, other than except (NULL: whatever it is). Where there is none, build stays all zero: no error,
 * nor is a folder that does not exist. */
enum status baseline_find_last(const char *folder, const char *except, struct baseline_build *build,
                               struct error *error);
/*
 * Keeps a firmware and captures of it, copies of the files, and makes it the last one. A capture that is there already
 * is not kept twice. The folder is made if need be. What a power failure or a full disk leaves is whole.
 */
enum status baseline_keep(const char *folder, const struct image *image, char *const *captures, size_t capture_count,
                          struct error *error);
void baseline_free(struct baseline_build *build);

/* The build-id in hexadecimal digits, malloc'd; NULL if memory is short. "" of a firmware without. */
char *baseline_id(const struct image *image);

#endif
