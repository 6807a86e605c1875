/* SPDX-License-Identifier: MIT */
/*
 * Rules that a comparison must not break, for CI: `total(main_loop) > +5%`. docs/DIFF.md has the grammar.
 */
#ifndef DIFF_RULES_RULES_H
#define DIFF_RULES_RULES_H

#include "base/status.h"
#include "base/text/demangle.h"
#include "diff/compare.h"

struct rule;

/* All zero: no rules. Freed by rule_set_free(). */
struct rule_set {
	struct rule *rules;
	size_t count;
};

/* Adds a rule. origin begins its messages, such as "rules.txt:3". A rule that cannot be parsed is a usage error; its
 * message shows the place. */
enum status rule_set_add(struct rule_set *set, const char *origin, const char *text, struct error *error);
/* Adds the rules in a file ("-": standard input), one per line; # begins a comment. */
enum status rule_set_add_file(struct rule_set *set, const char *path, struct error *error);
void rule_set_free(struct rule_set *set);

/* A row, or the whole firmware, that breaks a rule or comes nearest to it. */
struct rule_breach {
	size_t row;                 /* row of the comparison; PAIRING_NONE: the whole firmware */
	struct stats_change values; /* at the rule's confidence */
};

struct rule_result {
	const char *text; /* the rule's text, owned by the set */
	const char *origin;
	/* For the firmware: COMPARE_SIZE, or COMPARE_SELF for all time outside the recorder. */
	enum compare_quantity quantity;
	bool is_point;                /* compares the estimate, without its interval */
	bool is_of_firmware;          /* about the whole firmware, not functions */
	size_t looked_at;             /* number of rows that the rule applies to and that have its quantity */
	struct rule_breach *breaches; /* the worst first */
	size_t breach_count;
	bool has_nearest; /* some value does not break the rule */
	/* The value nearest to the limit that does not break the rule; of equal values, the first by effect. */
	struct rule_breach nearest;
	double confidence; /* confidence of each interval: the comparison's, divided among the rows (Bonferroni) */
};

struct rule_results {
	struct rule_result *items; /* one for each rule, in order */
	size_t count;
	size_t broken; /* rules */
};

/*
 * Checks the comparison against the rules. Fails if a rule matches nothing: neither build has a function of this name,
 * or the quantity was not measured. Freed by rule_results_free(), also after a failure. names: demangled names, which
 * patterns may also match.
 */
enum status rule_set_judge(const struct rule_set *set, const struct comparison *comparison, struct demangler *names,
                           struct rule_results *results, struct error *error);
void rule_results_free(struct rule_results *results);

#endif
