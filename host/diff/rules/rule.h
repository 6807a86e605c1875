/* SPDX-License-Identifier: MIT */
/* A rule as it was read. Private to rules/. docs/DIFF.md has the grammar. */
#ifndef DIFF_RULES_RULE_H
#define DIFF_RULES_RULE_H

#include "diff/rules/rules.h"

#define RULE_BLANKS " \t\r\n\v\f"

/* The value that a limit applies to. */
enum rule_measure {
	RULE_VALUE,      /* the new value */
	RULE_DIFFERENCE, /* new - old */
	RULE_RATIO,      /* new / old */
};

struct rule_limit {
	enum rule_measure measure;
	double value; /* in seconds or samples, calls, bytes, parts of 1 */
	bool is_time; /* value is in time_unit */
	enum profile_time_unit time_unit;
};

struct rule {
	char *text, *origin;
	/* For the whole firmware: COMPARE_SIZE, or COMPARE_SELF for all time outside the recorder. */
	enum compare_quantity quantity;
	char *pattern; /* pattern of functions; NULL: the whole firmware */
	bool is_point, is_significant;
	bool is_below;    /* values below the limit break the rule; false: values above it */
	bool takes_limit; /* values equal to the limit break the rule, too */
	struct rule_limit limit;
};

/* Parses the text of *rule. The caller frees its members, also after a failure. */
enum status rule_read(struct rule *rule, struct error *error);

/* Calls rule_set_add() for each line of a file's text; name identifies the file in messages. */
enum status rule_set_add_lines(struct rule_set *set, const char *name, const char *text, size_t size,
                               struct error *error);

/* Whether a pattern matches this function: its symbol, or its demangled name with or without parameters. */
bool rule_pattern_fits(const char *pattern, const char *name, struct demangler *names);

#endif
