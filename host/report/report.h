/* SPDX-License-Identifier: MIT */
/* The parts of the report, and their common declarations. Private to report/. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/text/demangle.h"
#include "profile/lines.h"
#include "profile/measurement.h"
#include "profile/part_names.h"
#include "profile/split.h"
#include "report/output.h"

/* One entry of the call graph: a function, or a cycle as a whole. */
struct report_entry {
	bool is_cycle;
	size_t index; /* index of the node or the cycle */
	double self_time, child_time;
	double total_variance;
	bool is_lower_bound;
	uint64_t calls;
	int64_t rank;     /* rank of its total time */
	size_t order;     /* topological number */
	const char *name; /* NULL for a cycle */
};

/* Rows that are left out because of their number or time. */
struct report_hidden {
	size_t count;
	double self_time;
};

struct report {
	const struct profile *profile;
	const struct output_report_options *options;
	FILE *stream;
	struct demangler *names;
	bool colour;
	double whole_time;           /* the 100 %: time of the whole profile, even in the report of a part */
	double graph_time;           /* the 100 % of the call graph, less than whole_time if filters exclude time */
	int time_decimals;           /* decimal places in columns of time */
	int time_width, calls_width; /* widths of the largest time and the largest number of calls, in characters */
	int bound_width;             /* width of the mark of lower bounds; 0: no time is a lower bound */
	bool shows_totals; /* the flat profile has measured total times instead of calls, if none were counted */
	bool shows_lines;  /* the report has source lines, so a warning is needed if the profile has none */
	const struct profile_part *parts; /* the parts of the profile that are reported instead of the whole */
	size_t part_count;
	const struct profile_part *part; /* the part of a split profile that is reported; NULL: the whole profile */
	bool is_numbered;                /* names are followed by the numbers of their entries */
	struct report_entry *entries;    /* entries of the call graph, in print order: entry i has the number i + 1 */
	size_t entry_count;
	size_t *node_number; /* number of each node's entry, 0: not printed */
	struct report_hidden hidden_entries;
};

/* Sets up a report that has no entries yet. Ended by report_end(), also after a failure. */
enum status report_begin(const struct profile *profile, const struct output_report_options *options, FILE *stream,
                         struct report *report, struct error *error);
void report_end(struct report *report);

/* Printed after the name of a function that was sampled only in shared bins. */
#define REPORT_ONLY_SHARED " (shared only)"

/* Printed before a lower bound: a time that may lack much of the time of stacks that end early. */
#define REPORT_LOWER_BOUND ">="

/* Prints the header: firmware, captures, recorder and samples. */
void report_print_header(const struct report *report);

/* Whether any call was recorded, not only found in the code or seen on stacks. */
bool report_has_calls(const struct profile *profile);
/* Whether there is a call graph: calls were recorded, or seen on stacks. */
bool report_has_graph(const struct profile *profile);

/* Prints where measured total times come from; nothing if they are estimates. */
void report_print_stacks(const struct report *report);
/* The number of stacks that end at a root, a task or an exception. */
uint64_t report_count_complete_stacks(const struct profile_measurement *measurement);
/* Prints the lines about stacks among the losses. */
void report_print_lost_stacks(const struct report *report);
/* Whether the firmware records stacks. Then it needs no -pg, and other warnings explain missing stacks. */
bool report_has_stack_store(const struct profile *profile);
/* Warns if tasks found no context, or if the recorder takes most of a context's time. */
void report_warn_of_contexts(const struct report *report);
/* Warns if no stacks were recorded, or many end early. */
void report_warn_of_stacks(const struct report *report);

/* Prints all warnings of the header. */
void report_print_warnings(const struct report *report);
/* Print the beginning and the end of a warning; callers print the text in between. */
void report_begin_warning(const struct report *report);
void report_end_warning(const struct report *report);
/* Prints a warning: subject (escaped; NULL: none), then the text. */
void report_warn(const struct report *report, const char *subject, const char *format, ...)
        __attribute__((format(printf, 3, 4)));

/* The samples in bins or granules that several functions share; in a report of lines, that several lines share. */
uint64_t report_count_shared(const struct report *report);
/* Warns that samples at fixed intervals may be in step with work that repeats. */
void report_warn_of_fixed_distances(const struct report *report);
void report_warn_of_sharing(const struct report *report);
/* Warns that the firmware was compiled without -g. */
void report_warn_of_no_lines(const struct report *report);

/* Chooses and orders the entries of the call graph. Freed by report_free_entries(), also after a failure. */
enum status report_order_entries(struct report *report, struct error *error);
void report_free_entries(struct report *report);
/* The entry of a function after filtering, without rank. */
struct report_entry report_entry_of_node(const struct profile *profile, size_t node);

/* Prints the contexts of the whole profile if it has several. */
void report_print_contexts(const struct report *report);

/* A row of a flat profile: a function, a line or an inlined function. */
struct report_row {
	struct profile_node values;      /* times and calls */
	const struct profile_line *line; /* NULL: the row of a function */
	size_t node;
};

/* Orders rows by falling self time, for qsort(). */
int report_compare_rows(const void *left, const void *right);
/* Orders pointers to nodes of one profile by falling self time, for qsort(). */
int report_compare_nodes(const void *left, const void *right);
/* The functions that ran or were called, without functions that filters exclude, in print order. The caller frees
 * *functions. */
enum status report_list_functions(const struct report *report, struct report_row **functions, size_t *count,
                                  struct error *error);
/* True if the row is among the first --top functions. Called for each row in print order, with *rank 0 at first. The
 * recorder does not count as a function and is always shown. */
bool report_is_of_top(const struct report *report, const struct profile_node *node, size_t *rank);
/* Whether report_is_of_top() is true, and the row has at least the share that --min-percent states. */
bool report_shows_row(const struct report *report, const struct profile_node *node, size_t *rank);
/* True if time is at least the share of whole that --min-percent states. */
bool report_is_large(const struct report *report, double time, double whole);
void report_hide(struct report_hidden *hidden, double self_time);
/* Prints a line that says how much is hidden; nothing if all is shown. advice follows; NULL: none. */
void report_print_hidden(const struct report *report, const struct report_hidden *hidden, size_t count,
                         const char *what, const char *advice);
/* True if --without-recorder leaves out rows of this kind. */
bool report_is_left_out(const struct report *report, enum profile_node_kind kind);

/* Prints the flat profile; for a split profile, one per part. */
enum status report_print_flat(const struct report *report, struct error *error);
/* Sorts and prints rows like the flat profile; print_name prints the name of a row. */
void report_print_rows(const struct report *report, const char *title, struct report_row *rows, size_t count,
                       void (*print_name)(const struct report *report, const struct report_row *row));

enum status report_print_flat_lines(const struct report *report, struct error *error);
enum status report_print_flat_inlines(const struct report *report, struct error *error);
enum status report_print_graph(const struct report *report, struct error *error);
/* Prints the time by region of memory if several have time, or if the user asked for it. */
void report_print_regions(const struct report *report);
/* Prints the removed arcs; nothing unless the user asked to break cycles. */
enum status report_print_removed(const struct report *report, struct error *error);

/* Calls print with a report of each shown part, whose entries are ordered, until a call fails. */
enum status report_print_parts(const struct report *report,
                               enum status (*print)(const struct report *part_report, struct error *error),
                               struct error *error);
void report_print_losses(const struct report *report);
/* Whether the time of sampling interrupts is unknown, because some recorder did not measure it. */
bool report_has_unknown_interrupts(const struct report *report);

/* "name", "name <cycle 1>" or "name <cycle 1> [4]"; number 0: no "[4]". */
void report_print_name(const struct report *report, size_t node, size_t number);

/* The end of a title: how the profile is split. */
const char *report_split_text(const struct report *report);

/* Whether the samples are in a table of granules, not in bins. */
bool report_is_sparse(const struct report *report);

/* One of the two texts, depending on the unit of times. */
const char *report_by_unit(const struct report *report, const char *seconds, const char *samples);
/* The heading of columns of errors, which are lower bounds if samples came at fixed distances. */
const char *report_error_heading(const struct report *report);
/* Width of a column whose values have at most this many characters. */
int report_column_width(int values, const char *heading);

/* A column of a table, right-aligned; the rows end with a name of any length. */
struct report_column {
	const char *heading;
	int width; /* width of the values; the heading may be wider */
};
#define REPORT_CELL_SIZE 48
/* Makes the columns wide enough for a row. */
void report_widen_columns(struct report_column *columns, size_t count, char (*cells)[REPORT_CELL_SIZE]);
/* Prints a row up to its name. */
void report_print_cells(const struct report *report, const struct report_column *columns, size_t count,
                        char (*cells)[REPORT_CELL_SIZE]);
/* last: the heading above the names. */
void report_print_headings(const struct report *report, const struct report_column *columns, size_t count,
                           const char *last);

/* 100 * part / whole, or 0 if whole is 0. */
double report_percent(double part, double whole);

#endif
