/* SPDX-License-Identifier: MIT */
/* The tables of a pprof profile: strings, functions and locations, each written once and then referred to by number.
 * Private to report/. */
#ifndef REPORT_PPROF_TABLES_H
#define REPORT_PPROF_TABLES_H

#include "base/text/demangle.h"
#include "profile/profile.h"
#include "report/protobuf.h"

#define PPROF_STRING   6
#define PPROF_FUNCTION 5
#define PPROF_LOCATION 4

/* Before the first call, all zero except for the first two members. */
struct pprof_tables {
	struct demangler *names;
	const struct image *image;
	struct protobuf message; /* the fields of the tables */
	struct protobuf item, line;
	void *strings, *functions, *locations; /* search trees */
	size_t string_count, function_count, location_count;
	char **texts; /* names that nobody else owns */
	size_t text_count;
	bool is_short_of_memory;
};

void pprof_tables_free(struct pprof_tables *tables);

/* The number of a string; text must outlive the tables. The first string must be "". */
uint64_t pprof_string(struct pprof_tables *tables, const char *text);

/* The number of the location of a function as a whole, at its first line. */
uint64_t pprof_function_location(struct pprof_tables *tables, const struct profile_node *node);
/* The number of the location of an address in the code of a function, with the functions inlined there. */
uint64_t pprof_code_location(struct pprof_tables *tables, const struct profile_node *node, uint64_t address);

#endif
