/* SPDX-License-Identifier: MIT */
/* Comparisons made by hand, row by row, for tests of what prints them. Everything about a row that is not said is as in
 * two builds that do not differ. */
#ifndef UNIT_DIFF_FORMATS_COMPARISON_H
#define UNIT_DIFF_FORMATS_COMPARISON_H

#include "diff/compare.h"
#include "diff/formats/diff.h"

struct made {
	struct comparison comparison;
	struct image images[BUILD_COUNT];
	struct profile profiles[BUILD_COUNT];
	struct demangler *names;
	struct diff_output_options options; /* labels "old.elf" and "new.elf" */
	struct rule_results gate;           /* no rules */
};

/* Per call of row 0, of 100 calls in each build, in one capture each; 10,000 samples of 1 s. To be given its rows by
 * rising number, the ones that changed first. */
struct made *made_create(void);
void made_free(struct made *made);

/* main calls crc, which became slower and larger, and crc a function that became faster and has another name. */
struct made *made_typical(void);

/* A function; NULL: it is not in this build. Names must outlive the comparison. Returns the row. */
size_t made_row(struct made *made, const char *old, const char *new);
/* A row that is no function. */
size_t made_kind(struct made *made, enum profile_node_kind kind, const char *name);
/* Values per unit of work; the interval of their ratio reaches 5 % to both sides. */
void made_set(struct made *made, size_t row, enum compare_quantity quantity, double old, double new,
              enum compare_verdict verdict);
/* The same of self and total time. */
void made_times(struct made *made, size_t row, double old, double new, enum compare_verdict verdict);
void made_calls(struct made *made, size_t row, double old, double new);
/* In a build, the function is in the code of others only: of this row's function. May be said several times. */
void made_inline(struct made *made, size_t row, enum build build, size_t host);
struct pairing_pair *made_pair(struct made *made, size_t row);

/* By rising caller, then callee. Returns the arc. */
size_t made_arc(struct made *made, size_t caller, size_t callee);
void made_arc_set(struct made *made, size_t arc, enum compare_quantity quantity, double old, double new,
                  enum compare_verdict verdict);

/* Counts and indexes; call it behind the last row and arc, before anything is printed; again if there are more. */
struct comparison *made_finish(struct made *made);

/* What a format prints, malloc'd. Fails the test if that fails. */
char *made_print(struct made *made, const struct diff_format *format);
/* The same of a comparison that is finished for it, and freed. */
char *made_print_once(struct made *made, const struct diff_format *format);
/* A text has to have these parts, ended by NULL, in this order. */
void made_expect_parts(const char *text, const char *const *parts);
/* The same of what made_print_once() prints. */
void made_expect(struct made *made, const struct diff_format *format, const char *const *parts);

#endif
