/* SPDX-License-Identifier: MIT */
/* The division of code among symbols by GNU gprof. The generators use it to avoid defects of GNU gprof. */
#ifndef ORACLE_DIVISION_H
#define ORACLE_DIVISION_H

#include "firmware.h"

/* Options that choose the symbols. */
struct division_rule {
	bool no_static, functions_only, from_file;
};

/* Code that GNU gprof assigns to one function: from address up to the next owner. */
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

/* The index of the owner of address; count if there is none, or if the address lies after the start of the last one. */
size_t division_find(const struct division *division, uint64_t address);

#endif
