/* SPDX-License-Identifier: MIT */
/* The options of `bareprof gprof`, as a table. */
#include "command/gprof_options.h"

#include "command/values.h"

#include <getopt.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The maximum width of the index, in characters. */
#define WIDTH_MAX 10000u

/* One option. Options without a letter have a number above 255. */
struct row {
	int letter;
	int argument;     /* as in struct option */
	const char *name; /* NULL: no long form */
	const char *value;
	const char *help;
	enum status (*take)(struct gprof_options *options, const struct row *row, const char *value,
	                    struct error *error);
	size_t member;     /* the member of struct gprof_options that a switch, number or text sets */
	unsigned part;     /* enum gprof_part */
	unsigned lists;    /* that a symspec is added to, LIST() of each */
	bool is_exclusion; /* of the symspec, or without one of the part */
};

#define LIST(name) (1u << FILTER_##name)

static enum status take_switch(struct gprof_options *options, const struct row *row, const char *value,
                               struct error *error)
{
	(void)value, (void)error;
	*(bool *)((char *)options + row->member) = true;
	return STATUS_OK;
}

/* Refuses a value, naming its option: -w x, --break-cycles=x. */
static enum status refuse_value(const struct gprof_options *options, const struct row *row, const char *value,
                                const char *expected, struct error *error)
{
	if (row->letter < 256)
		return command_usage(options->command, error, "-%c %.80s: expected %s", row->letter, value, expected);
	return command_usage(options->command, error, "--%s=%.80s: expected %s", row->name, value, expected);
}

static enum status take_number(struct gprof_options *options, const struct row *row, const char *value,
                               struct error *error)
{
	if (!value_parse_number(value, 1000000000, (uint32_t *)((char *)options + row->member)))
		return refuse_value(options, row, value, "a number, 1000000000 or less", error);
	return STATUS_OK;
}

static enum status take_cycle_max(struct gprof_options *options, const struct row *row, const char *value,
                                  struct error *error)
{
	enum status status = take_number(options, row, value, error);
	if (status == STATUS_OK && options->cycle_max == 0)
		return command_usage(options->command, error, "--break-cycles=0: a cycle has 1 function or more");
	return status;
}

/* Each function of the index is padded to its column. */
static enum status take_width(struct gprof_options *options, const struct row *row, const char *value,
                              struct error *error)
{
	enum status status = take_number(options, row, value, error);
	if (status == STATUS_OK && options->output.index_width > WIDTH_MAX)
		return command_usage(options->command, error, "-w %.80s: an index has at most %u characters", value,
		                     WIDTH_MAX);
	return status;
}

static enum status take_text(struct gprof_options *options, const struct row *row, const char *value,
                             struct error *error)
{
	(void)error;
	*(const char **)((char *)options + row->member) = value;
	options->parts |= row->part;
	return STATUS_OK;
}

/* Arcs are part of the call graph. */
static enum status take_filter(struct gprof_options *options, const struct row *row, const char *value,
                               struct error *error)
{
	enum status status = STATUS_OK;
	if (row->part == GPROF_GRAPH && strchr(value, '/') != NULL)
		return filters_add_arc(options->filters, row->is_exclusion, value, error);
	for (unsigned list = 0; status == STATUS_OK && list < FILTER_LIST_COUNT; list++)
		if ((row->lists & 1u << list) != 0)
			status = filters_add(options->filters, (enum filter_list)list, row->is_exclusion, value, error);
	return status;
}

/* Without a symspec the whole part is included or excluded. */
static enum status take_part(struct gprof_options *options, const struct row *row, const char *value,
                             struct error *error)
{
	options->parts_named |= row->part;
	if (value == NULL && row->is_exclusion)
		options->parts &= ~row->part;
	else
		options->parts |= row->part;
	return value != NULL ? take_filter(options, row, value, error) : STATUS_OK;
}

static enum status take_arc(struct gprof_options *options, const struct row *row, const char *value,
                            struct error *error)
{
	(void)row;
	return filters_add_arc(options->filters, true, value, error);
}

static enum status take_format(struct gprof_options *options, const struct row *row, const char *value,
                               struct error *error)
{
	switch (value[0]) {
	case 'a':
		options->format = GMON_AUTO;
		return STATUS_OK;
	case 'm':
		options->format = GMON_MAGIC;
		return STATUS_OK;
	case 'b':
		options->format = GMON_BSD;
		return STATUS_OK;
	case '4':
		options->format = GMON_BSD_44;
		return STATUS_OK;
	default:
		return refuse_value(options, row, value, "auto, magic, bsd or 4.4bsd", error);
	}
}

static enum status take_demangle(struct gprof_options *options, const struct row *row, const char *value,
                                 struct error *error)
{
	(void)row;
	options->output.demangle = true;
	if (value != NULL && !demangle_find_style(value, &options->output.style))
		return command_usage(options->command, error, "--demangle=%.80s: no such style", value);
	return STATUS_OK;
}

static enum status take_no_demangle(struct gprof_options *options, const struct row *row, const char *value,
                                    struct error *error)
{
	(void)row, (void)value, (void)error;
	options->output.demangle = false;
	return STATUS_OK;
}

static enum status take_lines(struct gprof_options *options, const struct row *row, const char *value,
                              struct error *error)
{
	(void)row, (void)value, (void)error;
	options->output.by_line = true;
	options->division.rule = IMAGE_BY_LINE;
	return STATUS_OK;
}

static enum status take_folders(struct gprof_options *options, const struct row *row, const char *value,
                                struct error *error)
{
	(void)row;
	char *joined = NULL;
	const char *before = options->source_folders;
	if (asprintf(&joined, "%s%s%s", before != NULL ? before : "", before != NULL ? ":" : "", value) < 0)
		return status_fail(error, "out of memory");
	free(options->source_folders);
	options->output.source_folders = options->source_folders = joined;
	return STATUS_OK;
}

/* Accepted for scripts, without effect. */
static enum status take_nothing(struct gprof_options *options, const struct row *row, const char *value,
                                struct error *error)
{
	(void)options, (void)row, (void)value, (void)error;
	return STATUS_OK;
}

enum { OPTION_BREAK_CYCLES = 256, OPTION_DEMANGLE, OPTION_NO_DEMANGLE, OPTION_INLINE_FILE_NAMES };

#define MEMBER(name) offsetof(struct gprof_options, name)

static const struct row rows[] = {
        {'p', optional_argument, "flat-profile", "SPEC",
         "print the flat profile; of SPEC only, whose time is the 100 %", .take = take_part, .part = GPROF_FLAT,
         .lists = LIST(FLAT)},
        {'P', optional_argument, "no-flat-profile", "SPEC", "not the flat profile; all of it but SPEC",
         .take = take_part, .part = GPROF_FLAT, .lists = LIST(FLAT), .is_exclusion = true},
        {'q', optional_argument, "graph", "SPEC", "print the call graph; of SPEC and its callees, arcs SPEC/SPEC",
         .take = take_part, .part = GPROF_GRAPH, .lists = LIST(GRAPH)},
        {'Q', optional_argument, "no-graph", "SPEC", "not the call graph; all of it but SPEC, arcs SPEC/SPEC",
         .take = take_part, .part = GPROF_GRAPH, .lists = LIST(GRAPH), .is_exclusion = true},
        {'B', no_argument, NULL, NULL, "the same as -q", .take = take_part, .part = GPROF_GRAPH},
        {'C', optional_argument, "exec-counts", "SPEC", "print counts of calls; with -l, of entries of basic blocks",
         .take = take_part, .part = GPROF_COUNTS, .lists = LIST(COUNTS)},
        {'Z', optional_argument, "no-exec-counts", "SPEC", "not these counts; all of them but of SPEC",
         .take = take_part, .part = GPROF_COUNTS, .lists = LIST(COUNTS), .is_exclusion = true},
        {'A', optional_argument, "annotated-source", "SPEC", "print source with counts of calls; of SPEC only",
         .take = take_part, .part = GPROF_SOURCE, .lists = LIST(SOURCE)},
        {'J', optional_argument, "no-annotated-source", "SPEC", "not source; all of it but SPEC", .take = take_part,
         .part = GPROF_SOURCE, .lists = LIST(SOURCE), .is_exclusion = true},
        {'x', no_argument, "all-lines", NULL, "give each line of source a count, not just a block's first",
         .take = take_switch, .member = MEMBER(output.all_lines)},
        {'y', no_argument, "separate-files", NULL, "write the source of each file to FILE-ann", .take = take_switch,
         .member = MEMBER(output.separate_files)},
        {'m', required_argument, "min-count", "N", "mark lines of source that were executed less than N times (1)",
         .take = take_number, .member = MEMBER(output.min_count)},
        {'t', required_argument, "table-length", "N", "list the N lines of each file that were executed most (10)",
         .take = take_number, .member = MEMBER(output.table_length)},
        {'I', required_argument, "directory-path", "FOLDERS",
         "look for source in FOLDERS, as in a:b, and in $GPROF_PATH", .take = take_folders},
        {'r', no_argument, "function-ordering", NULL, "print an order of functions that keeps callers near callees",
         .take = take_part, .part = GPROF_FUNCTION_ORDER},
        {'R', required_argument, "file-ordering", "MAP", "order object files; MAP has lines FILE:ADDRESS TYPE FUNCTION",
         .take = take_text, .member = MEMBER(file_map), .part = GPROF_FILE_ORDER},
        {'s', no_argument, "sum", NULL, "add up all data into gmon.sum", .take = take_part, .part = GPROF_SUM},
        {'i', no_argument, "file-info", NULL, "print how many records each file holds", .take = take_part,
         .part = GPROF_FILE_INFO},
        {'a', no_argument, "no-static", NULL, "count local functions as part of the function before them",
         .take = take_switch, .member = MEMBER(division.no_static)},
        {'D', no_argument, "ignore-non-functions", NULL, "the same for local symbols that are no functions",
         .take = take_switch, .member = MEMBER(division.functions_only)},
        {'S', required_argument, "external-symbol-table", "FILE",
         "symbols are the lines ADDRESS T|t NAME of FILE, not the ELF's", .take = take_text,
         .member = MEMBER(division.symbol_file)},
        {'l', no_argument, "line", NULL, "profile lines, not functions", .take = take_lines},
        {'c', no_argument, "static-call-graph", NULL, "add calls that are in the code but were not made",
         .take = take_switch, .member = MEMBER(static_calls)},
        {OPTION_BREAK_CYCLES, required_argument, "break-cycles", "N",
         "remove and list arcs until no cycle has more than N functions", .take = take_cycle_max,
         .member = MEMBER(cycle_max)},
        {'k', required_argument, NULL, "FROM/TO", "leave out arcs; empty is any; also -k FROM TO, as in BSD",
         .take = take_arc},
        {'n', required_argument, "time", "SPEC", "in the call graph, only the time of SPEC and what it calls",
         .take = take_filter, .lists = LIST(TIME)},
        {'N', required_argument, "no-time", "SPEC", "all time but that of SPEC", .take = take_filter,
         .lists = LIST(TIME), .is_exclusion = true},
        {'e', required_argument, NULL, "SPEC", "as -Q SPEC, but prints the call graph only where it would be",
         .take = take_filter, .lists = LIST(GRAPH), .is_exclusion = true},
        {'E', required_argument, NULL, "SPEC", "-e SPEC and -N SPEC", .take = take_filter,
         .lists = LIST(GRAPH) | LIST(TIME), .is_exclusion = true},
        {'f', required_argument, NULL, "SPEC", "as -q SPEC, but prints the call graph only where it would be",
         .take = take_filter, .lists = LIST(GRAPH)},
        {'F', required_argument, NULL, "SPEC", "-f SPEC and -n SPEC", .take = take_filter,
         .lists = LIST(GRAPH) | LIST(TIME)},
        {'b', no_argument, "brief", NULL, "do not explain the columns", .take = take_switch,
         .member = MEMBER(output.brief)},
        {'z', no_argument, "display-unused-functions", NULL, "print functions without time and calls, too",
         .take = take_switch, .member = MEMBER(output.show_unused)},
        {'T', no_argument, "traditional", NULL, "BSD's layout: wider, the call graph first, names as in the ELF",
         .take = take_switch, .member = MEMBER(output.traditional)},
        {'w', required_argument, "width", "N", "width of the index in characters (80)", .take = take_width,
         .member = MEMBER(output.index_width)},
        {OPTION_DEMANGLE, optional_argument, "demangle", "STYLE",
         "C++, Rust and other names as in the source (default)", .take = take_demangle},
        {OPTION_NO_DEMANGLE, no_argument, "no-demangle", NULL, "names as in the ELF", .take = take_no_demangle},
        {OPTION_INLINE_FILE_NAMES, no_argument, "inline-file-names", NULL, "print file and line behind each name",
         .take = take_switch, .member = MEMBER(output.inline_file_names)},
        {'L', no_argument, "print-path", NULL, "print whole paths of source files", .take = take_switch,
         .member = MEMBER(output.full_paths)},
        {'O', required_argument, "file-format", "NAME", "of the data: auto (default), magic, bsd or 4.4bsd",
         .take = take_format},
        {'d', optional_argument, "debug", "N", "accepted, without effect", .take = take_nothing},
        {'h', no_argument, "help", NULL, "print this", .take = take_switch, .member = MEMBER(is_help)},
        {'v', no_argument, "version", NULL, "print the version", .take = take_switch, .member = MEMBER(is_version)},
};

#define ROW_COUNT (sizeof rows / sizeof *rows)

static const struct row *find_row(int letter)
{
	for (size_t i = 0; i < ROW_COUNT; i++)
		if (rows[i].letter == letter)
			return &rows[i];
	return NULL;
}

/* The table in the form that getopt_long() needs. */
struct getopt_tables {
	char letters[3 * ROW_COUNT + 2];
	struct option longs[ROW_COUNT + 1];
};

static void fill_tables(struct getopt_tables *tables)
{
	char *letter = tables->letters;
	struct option *option = tables->longs;
	*letter++ = ':';
	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (rows[i].letter < 256) {
			*letter++ = (char)rows[i].letter;
			for (int colons = rows[i].argument; colons > 0; colons--)
				*letter++ = ':';
		}
		if (rows[i].name != NULL)
			*option++ = (struct option){rows[i].name, rows[i].argument, NULL, rows[i].letter};
	}
	*letter = '\0';
	*option = (struct option){0};
}

/* The cost of mcount and its variants is excluded, as in GNU gprof. */
static enum status exclude_hooks(struct filters *filters, struct error *error)
{
	static const char *const hooks[] = {"_gprof_mcount",     "mcount",    "_mcount", "__mcount",
	                                    "__mcount_internal", "__mcleanup"};
	static const enum filter_list lists[] = {FILTER_TIME, FILTER_GRAPH, FILTER_FLAT};
	enum status status = STATUS_OK;
	for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++)
		for (size_t j = 0; status == STATUS_OK && j < sizeof lists / sizeof *lists; j++)
			status = filters_add(filters, lists[j], true, hooks[i], error);
	return status;
}

static enum status set_defaults(const struct command *command, struct gprof_options *options, struct error *error)
{
	*options = (struct gprof_options){
	        .command = command,
	        .output = {.demangle = true, .index_width = 80, .min_count = 1, .table_length = 10},
	        .division = {.rule = IMAGE_BY_SYMBOL},
	        .filters = filters_create(),
	};
	if (options->filters == NULL)
		return status_fail(error, "out of memory");
	demangle_find_style("auto", &options->output.style);
	return exclude_hooks(options->filters, error);
}

/* -k FROM TO of BSD takes a second word. */
static enum status take_two_words(int argc, char **argv, struct gprof_options *options, struct error *error)
{
	char *pair = NULL;
	if (optind >= argc)
		return refuse_value(options, find_row('k'), optarg, "FROM/TO", error);
	if (access(argv[optind], F_OK) == 0)
		options->lone_caller = optarg;
	if (asprintf(&pair, "%s/%s", optarg, argv[optind]) < 0)
		return status_fail(error, "out of memory");
	optind++;
	enum status status = filters_add_arc(options->filters, true, pair, error);
	free(pair);
	return status;
}

static void take_names(int argc, char **argv, struct gprof_options *options)
{
	static char *default_data[] = {"gmon.out"};
	bool has_data = argc - optind > 1;
	options->image = argc > optind ? argv[optind] : "a.out";
	options->data = has_data ? argv + optind + 1 : default_data;
	options->data_count = has_data ? (size_t)(argc - optind - 1) : 1;
}

enum status gprof_parse_options(const struct command *command, int argc, char **argv, struct gprof_options *options,
                                struct error *error)
{
	struct getopt_tables tables;
	enum status status = set_defaults(command, options, error);
	fill_tables(&tables);
	for (int letter;
	     status == STATUS_OK && (letter = getopt_long(argc, argv, tables.letters, tables.longs, NULL)) != -1;) {
		const struct row *row = find_row(letter);
		if (row == NULL)
			status = command_bad_option(options->command, letter, tables.longs, argv, error);
		else if (letter == 'k' && strchr(optarg, '/') == NULL)
			status = take_two_words(argc, argv, options, error);
		else
			status = row->take(options, row, optarg, error);
	}
	const char *folders = getenv("GPROF_PATH");
	if (status == STATUS_OK && folders != NULL)
		status = take_folders(options, NULL, folders, error);
	take_names(argc, argv, options);
	if (status == STATUS_OK && (options->parts & GPROF_FUNCTION_ORDER) != 0 && options->file_map != NULL)
		status = command_usage(options->command, error, "an order of functions or of files, not both");
	return status;
}

enum status gprof_refuse_lone_caller(const struct gprof_options *options, struct error *error)
{
	return refuse_value(options, find_row('k'), options->lone_caller, "FROM/TO", error);
}

void gprof_free_options(struct gprof_options *options)
{
	filters_free(options->filters);
	free(options->source_folders);
}

static void print_row(const struct row *row)
{
	char form[64];
	const char *opening =
	        row->argument == optional_argument ? "[=" : (row->argument == required_argument ? "=" : "");
	const char *closing = row->argument == optional_argument ? "]" : "";
	const char *value = row->value != NULL ? row->value : "";
	if (row->name == NULL)
		snprintf(form, sizeof form, "  -%c%s%s", row->letter, value[0] != '\0' ? " " : "", value);
	else if (row->letter < 256)
		snprintf(form, sizeof form, "  -%c, --%s%s%s%s", row->letter, row->name, opening, value, closing);
	else
		snprintf(form, sizeof form, "      --%s%s%s%s", row->name, opening, value, closing);
	printf("%-37s %s\n", form, row->help);
}

void gprof_print_options(void)
{
	for (size_t i = 0; i < ROW_COUNT; i++)
		print_row(&rows[i]);
}
