/* SPDX-License-Identifier: MIT */
/* A generator of command lines: options of GNU gprof that concern flat profile, call graph and counts, with names as
 * operands. Also decides which arcs the options keep. */
#ifndef ORACLE_OPTIONS_H
#define ORACLE_OPTIONS_H

#include "division.h"
#include "recording.h"

#include <stdbool.h>
#include <stddef.h>

enum { WORDS_MAX = 64, WORD_SIZE = 192, ARC_RULES_MAX = 16 };

/* FROM/TO; an empty name matches any function. */
struct arc_rule {
	char from[NAME_SIZE], to[NAME_SIZE];
	bool is_exclusion;
	bool applies; /* both ends match a function */
};

struct options {
	char words[WORDS_MAX][WORD_SIZE];
	size_t word_count;
	struct division_rule division;
	struct arc_rule arc_rules[ARC_RULES_MAX];
	size_t arc_rule_count;
};

/* Chooses the options that select symbols. */
void options_generate_division(struct options *options, struct random *random);

/* Adds the other options, for which the symbols must be known. */
void options_generate(struct options *options, const struct firmware *firmware, const struct recording *recording,
                      struct random *random);

/* Finds the rules whose ends both match a function of the division. */
void options_resolve_rules(struct options *options, const struct division *division);

/* Whether the options keep a call from one owner to another. */
bool options_want_arc(const struct options *options, const struct division *division, size_t caller, size_t callee);

#endif
