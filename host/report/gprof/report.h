/* SPDX-License-Identifier: MIT */
/* The parts of GNU gprof's output, and their common declarations. Private to gprof/. */
#ifndef REPORT_GPROF_REPORT_H
#define REPORT_GPROF_REPORT_H

#include "report/gprof/gprof.h"
#include "report/gprof/layout.h"

/* One entry of the call graph: a function, or a cycle as a whole. */
struct gprof_entry {
	bool is_cycle;
	size_t index;     /* index of the node or the cycle */
	const char *name; /* as in the ELF; NULL for a cycle */
	uint64_t calls;
	double time; /* sort key */
};

struct gprof_report {
	const struct profile *profile;
	const struct gmon *gmon;
	const struct output_gprof_options *options;
	struct layout layout;
	bool is_begun;      /* something was printed */
	bool is_numbered;   /* there is a call graph, so names are followed by their numbers in it */
	double hertz;       /* the sampling rate */
	char dimension[16]; /* printable form of the dimension: "seconds" */
	char abbreviation;
	struct gprof_entry *entries; /* all entries, also those not shown */
	size_t entry_count;
	size_t *node_number; /* number of each node's entry, from 1 */
	size_t *cycle_number;
	const char **names; /* names by node; NULL: not made yet */
	struct demangler *demangler;
	char **made_names; /* the malloc'd ones among them */
};

/* Chooses, sorts and numbers the entries. */
enum status gprof_order_entries(struct gprof_report *report, struct error *error);

/* Prints a form feed if an earlier part was printed. */
void gprof_begin_part(struct gprof_report *report);

/* Prints the size of a bin: "granularity: each sample hit covers 2 byte(s)". */
void gprof_print_granularity(struct gprof_report *report, double total, const char *unit, const char *nothing);

/* Prints text from elsewhere, escaped for a terminal. */
void gprof_print_safe(struct gprof_report *report, const char *text);

/* The folder that the file of a node is relative to; "" if there is none or it is unknown. */
const char *gprof_folder(const struct gprof_report *report, const struct profile_node *node);

/* The name without its number, demangled and escaped for a terminal. */
const char *gprof_name(struct gprof_report *report, size_t node);
/* For a local function whose name is not unique: " (its file)", malloc'd; otherwise NULL. */
char *gprof_file_of_local(const struct gprof_report *report, size_t node);
/* Prints a name with its cycle and its number. */
void gprof_print_name(struct gprof_report *report, size_t node);
/* " [number]", or in parentheses if the entry is not shown. */
void gprof_print_number(struct gprof_report *report, size_t number, bool is_shown);

/* "[number]" in a column of six characters. GNU gprof truncates it after five digits; longer numbers are printed in
 * full here. */
void gprof_print_index_cell(struct gprof_report *report, const char *number, int width);

/* False for nodes without time and calls, unless these were requested. */
bool gprof_is_used(const struct gprof_report *report, double time, uint64_t calls);

enum status gprof_print_flat(struct gprof_report *report, struct error *error);
enum status gprof_print_graph(struct gprof_report *report, struct error *error);
enum status gprof_print_counts(struct gprof_report *report, struct error *error);
enum status gprof_print_source(struct gprof_report *report, struct error *error);
enum status gprof_print_function_order(struct gprof_report *report, struct error *error);
enum status gprof_print_file_order(struct gprof_report *report, struct error *error);
enum status gprof_print_index(struct gprof_report *report, struct error *error);

/* A basic block of gmon.out in a node. */
struct gprof_block {
	uint64_t node;
	uint64_t address, count;
	size_t place; /* place of its first record */
};

struct gprof_blocks {
	struct gprof_block *items; /* by node, then in the order of the file */
	size_t count;
};

/* Collects the blocks of a profile by line; other profiles have none. The caller frees items, also after a failure. */
enum status gprof_collect_blocks(const struct gprof_report *report, struct gprof_blocks *blocks, struct error *error);
/* The blocks of a node; *count is their number. */
const struct gprof_block *gprof_blocks_of(const struct gprof_blocks *blocks, size_t node, size_t *count);

/* All nodes in an order that keeps callers near callees, unused nodes last. The caller frees *nodes. */
enum status gprof_order_functions(const struct profile *profile, size_t **nodes, struct error *error);

#endif
