/* SPDX-License-Identifier: MIT */
/* The layout of a baseline folder. Private to baseline/. Other programs can write to it, so links and entries of an
 * unexpected type are not followed. */
#ifndef DIFF_BASELINE_FOLDER_H
#define DIFF_BASELINE_FOLDER_H

#include "diff/baseline/baseline.h"

#include <dirent.h>

/* Reports a failed allocation. */
enum status baseline_no_memory(const char *folder, struct error *error);

/* The sizes of build-ids that linkers generate. */
#define BASELINE_ID_BYTES_MIN 4
#define BASELINE_ID_BYTES_MAX 64

/* Whether a text of this length is a build-id in the form of folder names. */
bool baseline_is_id(const char *text, size_t length);

/* The path FOLDER/NAME, malloc'd; NULL when out of memory. */
char *baseline_path(const char *folder, const char *name);

/* Whether path is a folder, not a link to one. */
bool baseline_is_folder(const char *path);
bool baseline_is_file(const char *path);

/* Captures of one build are numbered from 1 on. */
#define BASELINE_NUMBER_MAX  9999
#define BASELINE_NAME_FORMAT "%04u.bprof"
#define BASELINE_NAME_SIZE   sizeof "9999.bprof"

/* Filters for baseline_list(): names of captures, of builds. */
int baseline_is_capture_name(const struct dirent *entry);
int baseline_is_build_name(const struct dirent *entry);

/* Lists the matching entries of a folder by name; they may be of any type. Freed by baseline_free_entries(). */
enum status baseline_list(const char *path, int (*is_wanted)(const struct dirent *entry), struct dirent ***entries,
                          size_t *count, struct error *error);
void baseline_free_entries(struct dirent **entries, size_t count);

/* Moves the build-id to the end of the list, or appends it. The caller holds the lock of the folder. */
enum status baseline_write_last(const char *folder, const char *id, struct error *error);

/* Replaces a file, but not a link. */
enum status baseline_write(const char *path, const void *bytes, size_t size, struct error *error);

#endif
