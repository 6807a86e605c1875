/* SPDX-License-Identifier: MIT */
/* Names of the rows of a comparison, and notes after them: how a row was paired, where it was inlined. Each
 * format escapes them. Private to formats/. */
#ifndef DIFF_FORMATS_NOTES_H
#define DIFF_FORMATS_NOTES_H

#include "base/text/demangle.h"
#include "diff/compare.h"

struct notes {
	const struct comparison *comparison;
	struct demangler *names;
	struct row_note *rows;
};

/* Creates the notes of all rows. comparison and names must outlive *notes, which notes_free() frees, also after a
 * failure. */
enum status notes_create(const struct comparison *comparison, struct demangler *names, struct notes *notes,
                         struct error *error);
void notes_free(struct notes *notes);

/* The name in the new build, or in the old build if the row is not in the new one. */
const char *notes_name(const struct notes *notes, size_t row);
/* "was old_name by code", "now inlined into g, h and 3 more", "new", "clones 1 -> 2", several notes are joined by ", ";
 * "" if there is none. */
const char *notes_text(const struct notes *notes, size_t row);

/* The unit of values, for titles: "per call of run_round" (long names are cut), "per run", "per second" or "per
 * sample". */
#define NOTES_UNIT_SIZE 80
const char *notes_unit_of_work(const struct notes *notes, char text[NOTES_UNIT_SIZE]);

#endif
