/* SPDX-License-Identifier: MIT */
/* The parts of what GNU gprof prints, and what they share. Private to gprof/. */
#ifndef REPORT_GPROF_REPORT_H
#define REPORT_GPROF_REPORT_H

#include "report/gprof/gprof.h"
#include "report/gprof/layout.h"

/* One entry of the call graph: a function, or a cycle as a whole. */
struct gprof_entry {
	bool is_cycle;
	size_t index;     /* of the node or the cycle */
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
	bool is_numbered;   /* there is a call graph: names are followed by their number in it */
	double hertz;       /* that samples are divided by */
	char dimension[16]; /* printable form of the dimension: "seconds" */
	char abbreviation;
	struct gprof_entry *entries; /* all of them, also those that are not shown */
	size_t entry_count;
	size_t *node_number; /* of a node among the entries, from 1 */
	size_t *cycle_number;
	const char **names; /* of nodes; NULL: not asked for yet */
	struct demangler *demangler;
	char **made_names; /* of these, those that are not the node's */
};

/* Chooses, sorts and numbers the entries. */
enum status gprof_order_entries(struct gprof_report *report, struct error *error);

/* Between one part and the next: a form feed. */
void gprof_begin_part(struct gprof_report *report);

/* How wide a bin is, for people: "granularity: each sample hit covers 2 byte(s)". */
void gprof_print_granularity(struct gprof_report *report, double total, const char *unit, const char *nothing);

/* Text from elsewhere, safe for a terminal. */
void gprof_print_safe(struct gprof_report *report, const char *text);

/* The folder that the file of a node is relative to; "" if there is none or it is unknown. */
const char *gprof_folder(const struct gprof_report *report, const struct profile_node *node);

/* A name without its number, demangled, safe for a terminal. */
const char *gprof_name(struct gprof_report *report, size_t node);
/* Distinguishes a local function from others of its name: " (its file)", malloc'd; NULL for others. */
char *gprof_file_of_local(const struct gprof_report *report, size_t node);
/* A name with its cycle and its number. */
void gprof_print_name(struct gprof_report *report, size_t node);
/* " [number]", or in parentheses if the entry is not shown. */
void gprof_print_number(struct gprof_report *report, size_t number, bool is_shown);

/* "[number]" in a column of six characters. GNU gprof cuts the bracket off after five digits; longer numbers are not
 * cut here. */
void gprof_print_index_cell(struct gprof_report *report, const char *number, int width);

/* False for what has neither time nor calls, unless that is asked for. */
bool gprof_is_used(const struct gprof_report *report, double time, uint64_t calls);

enum status gprof_print_flat(struct gprof_report *report, struct error *error);
enum status gprof_print_graph(struct gprof_report *report, struct error *error);
enum status gprof_print_counts(struct gprof_report *report, struct error *error);
enum status gprof_print_source(struct gprof_report *report, struct error *error);
enum status gprof_print_function_order(struct gprof_report *report, struct error *error);
enum status gprof_print_file_order(struct gprof_report *report, struct error *error);
enum status gprof_print_index(struct gprof_report *report, struct error *error);

/* A basic block of gmon.out that lies in a node. */
struct gprof_block {
	uint64_t node;
	uint64_t address, count;
	size_t place; /* of its first record */
};

struct gprof_blocks {
	struct gprof_block *items; /* by node, then in the order of the file */
	size_t count;
};

/* Blocks of a profile by line; none in others. The caller frees items, also after a failure. */
enum status gprof_collect_blocks(const struct gprof_report *report, struct gprof_blocks *blocks, struct error *error);
/* Those of a node. */
const struct gprof_block *gprof_blocks_of(const struct gprof_blocks *blocks, size_t node, size_t *count);

/* All nodes in an order that keeps callers near callees, those that are not used last. *nodes is the caller's to free.
 */
enum status gprof_order_functions(const struct profile *profile, size_t **nodes, struct error *error);

#endif
