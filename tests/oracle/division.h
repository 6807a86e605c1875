/* SPDX-License-Identifier: MIT */
/*
 * How GNU gprof divides code by symbols: what it does wrong depends on it, and is to be avoided. Knows nothing of what
 * is printed.
 */
#ifndef ORACLE_DIVISION_H
#define ORACLE_DIVISION_H

#include "firmware.h"

/* Which symbols count, by options. */
struct division_rule {
	bool no_static, functions_only, from_file;
};

/* Code that GNU gprof takes for one function's: from address up to the next owner's. */
struct owner {
	uint64_t address;
	const char *name;
	bool is_function;
};

struct division {
	struct owner owners[SYMBOLS_MAX];
	size_t count;
};

void division_make(const struct firmware *firmware, struct division_rule rule, struct division *division);

/* The index of the owner of address; count if nobody's or behind the last owner's start. */
size_t division_find(const struct division *division, uint64_t address);

#endif
