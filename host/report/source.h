/* SPDX-License-Identifier: MIT */
/* Source files: found by the names that DWARF has for them, and read whole. Names come from the ELF, so only regular
 * files of sensible size are opened. Private to report/. */
#ifndef REPORT_SOURCE_H
#define REPORT_SOURCE_H

#include "report/output.h"

struct source_file {
	char *path;           /* that was opened */
	uint8_t *bytes;       /* the file's content */
	size_t size;          /* its length */
	uint32_t *line_start; /* offset of each line, and the end of the last */
	size_t line_count;
};

/*
 * Opens the source with this name. If the name begins with a prefix in paths, the prefix is replaced; the first match
 * counts. Then the name is looked for as it is, in each folder, in each folder without its own folders, and where it
 * was compiled. Freed by source_close(), also after a failure.
 */
enum status source_open(const struct output_source_paths *paths, const char *name, struct source_file *source,
                        struct error *error);
void source_close(struct source_file *source);

/* True if the source was changed later than the file at path. */
bool source_is_newer(const struct source_file *source, const char *path);

/* The text of a line, from 1 on, without its end; *length 0 if the file has no such line. */
const char *source_line(const struct source_file *source, size_t line, size_t *length);

/* Sources that stay open, because inlined code makes output alternate between files. Initially all zero except for
 * paths. Freed by sources_free(). */
struct sources {
	struct output_source_paths paths;
	struct opened_source *opened;
	size_t count;
	size_t size; /* bytes of all sources */
};

/* The source with a name, which must stay valid; NULL if it is not found, or if the sources take too much memory. Valid
 * until the next call. */
const struct source_file *sources_find(struct sources *sources, const char *name);
/* Closes all sources if they take much memory. To be called now and then, when no source is in use. */
void sources_trim(struct sources *sources);
void sources_free(struct sources *sources);

#endif
