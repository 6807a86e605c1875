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
	uint64_t calls;
	int64_t rank;     /* of its total time among the entries */
	size_t order;     /* topological number */
	const char *name; /* NULL for a cycle */
};

struct report {
	const struct profile *profile;
	FILE *stream;
	bool colour;
	int time_decimals;            /* digits behind the point in columns of time */
	struct report_entry *entries; /* of the call graph, in print order: entry i has the number i + 1 */
	size_t entry_count;
	size_t *node_number;  /* number of each node's entry, 0 = not printed */
	size_t *cycle_number; /* number of each cycle's entry */
};

/* Chooses and orders the entries of the call graph. Freed by report_free_entries(), also after a failure. */
enum status report_order_entries(struct report *report, struct error *error);
void report_free_entries(struct report *report);

enum status report_print_flat(const struct report *report, struct error *error);
enum status report_print_graph(const struct report *report, struct error *error);
void report_print_losses(const struct report *report);

/* "name", "name <cycle 1>" or "name <cycle 1> [4]"; number 0 = without. */
void report_print_name(const struct report *report, size_t node, size_t number);

/* 100 * part / whole, 0 of nothing. */
double report_percent(double part, double whole);

#endif
