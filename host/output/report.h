/* SPDX-License-Identifier: MIT */
/* The parts of the report, and what they share. Private to output/. */
#ifndef OUTPUT_REPORT_H
#define OUTPUT_REPORT_H

#include "output/output.h"

/* One entry of the call graph: a function, or a cycle as a whole. */
struct report_entry {
	bool is_cycle;
	size_t index; /* of the node or the cycle */
	double self_time, child_time;
	double total_variance;
	uint64_t calls;
	int64_t rank;     /* of its total time among the entries */
	size_t order;     /* topological number */
	const char *name; /* NULL for a cycle */
};

struct report {
	const struct profile *profile;
	const struct output_report_options *options;
	FILE *stream;
	bool colour;
	double whole_time;            /* the 100 %: of the whole profile, also in the report of a part */
	int time_decimals;            /* digits behind the point in columns of time */
	bool is_part;                 /* of a profile that was split */
	bool is_numbered;             /* names are followed by the numbers of their entries */
	struct report_entry *entries; /* of the call graph, in print order: entry i has the number i + 1 */
	size_t entry_count;
	size_t *node_number;  /* number of each node's entry, 0 = not printed */
	size_t *cycle_number; /* number of each cycle's entry */
};

/* Chooses and orders the entries of the call graph. Freed by report_free_entries(), also after a failure. */
enum status report_order_entries(struct report *report, struct error *error);
void report_free_entries(struct report *report);

/* Of a profile that was split, the parts one after the other. */
enum status report_print_flat(const struct report *report, struct error *error);
enum status report_print_graph(const struct report *report, struct error *error);

/* The report of a part of the profile, its entries ordered: for report_free_entries(), also after a failure. */
enum status report_of_part(const struct report *report, size_t part, struct report *made, struct error *error);
void report_print_losses(const struct report *report);

/* "name", "name <cycle 1>" or "name <cycle 1> [4]"; number 0 = without. */
void report_print_name(const struct report *report, size_t node, size_t number);

/* "uart <context 1>", "<context 2>", "<no context>" or "<core 1>". */
void report_print_part_name(const struct report *report, size_t part);

/* The samples are in a table of granules, not in bins. */
bool report_is_sparse(const struct report *report);

/* 100 * part / whole, 0 of nothing. */
double report_percent(double part, double whole);

#endif
