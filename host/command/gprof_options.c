/* SPDX-License-Identifier: MIT */
/* The table of the options of `bareprof gprof`, and what each does. */
#include "command/gprof_options.h"

#include "command/command.h"

#include <getopt.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of the index, in characters. */
#define WIDTH_MAX 10000u

/* One option. Those without a letter have a number instead. */
struct row {
	int letter;
	int argument;     /* as in struct option */
	const char *name; /* NULL: it has no long form */
	const char *value;
	enum status (*take)(struct gprof_options *options, const struct row *row, const char *value,
	                    struct error *error);
	size_t member;         /* of struct gprof_options, that a switch or a number sets */
	unsigned part;         /* enum gprof_part */
	enum filter_list list; /* that a symspec goes to */
	const char *help;
};

static enum status take_switch(struct gprof_options *options, const struct row *row, const char *value,
                               struct error *error)
{
	(void)value, (void)error;
	*(bool *)((char *)options + row->member) = true;
	return STATUS_OK;
}

/* A value that is no good, behind its option: -w x, --break-cycles=x. */
static enum status refuse_value(const struct row *row, const char *value, const char *expected, struct error *error)
{
	if (row->letter < 256)
		return command_usage(&command_gprof, error, "-%c %.80s: expected %s", row->letter, value, expected);
	return command_usage(&command_gprof, error, "--%s=%.80s: expected %s", row->name, value, expected);
}

static enum status take_number(struct gprof_options *options, const struct row *row, const char *value,
                               struct error *error)
{
	char *end;
	unsigned long number = strtoul(value, &end, 10);
	if (value[0] < '0' || value[0] > '9' || *end != '\0' || number > 1000000000)
		return refuse_value(row, value, "a number, 1000000000 or less", error);
	*(unsigned *)((char *)options + row->member) = (unsigned)number;
	return STATUS_OK;
}

static enum status take_cycle_max(struct gprof_options *options, const struct row *row, const char *value,
                                  struct error *error)
{
	enum status status = take_number(options, row, value, error);
	if (status == STATUS_OK && options->cycle_max == 0)
		return command_usage(&command_gprof, error, "--break-cycles=0: a cycle has 1 function or more");
	return status;
}

/* Each function of the index is padded to its column. */
static enum status take_width(struct gprof_options *options, const struct row *row, const char *value,
                              struct error *error)
{
	enum status status = take_number(options, row, value, error);
	if (status == STATUS_OK && options->output.index_width > WIDTH_MAX)
		return command_usage(&command_gprof, error, "-w %.80s: an index has at most %u characters", value,
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

static enum status take_part(struct gprof_options *options, const struct row *row, const char *value,
                             struct error *error)
{
	options->parts |= row->part;
	options->parts_named |= row->part;
	if (value == NULL)
		return STATUS_OK;
	if (row->list == FILTER_GRAPH && strchr(value, '/') != NULL)
		return filters_add_arc(options->filters, false, value, error);
	return filters_add(options->filters, row->list, false, value, error);
}

static enum status take_no_part(struct gprof_options *options, const struct row *row, const char *value,
                                struct error *error)
{
	options->parts_named |= row->part;
	if (value == NULL) {
		options->parts &= ~row->part;
		return STATUS_OK;
	}
	options->parts |= row->part;
	if (row->list == FILTER_GRAPH && strchr(value, '/') != NULL)
		return filters_add_arc(options->filters, true, value, error);
	return filters_add(options->filters, row->list, true, value, error);
}

static enum status take_time(struct gprof_options *options, const struct row *row, const char *value,
                             struct error *error)
{
	bool exclude = row->letter == 'N';
	return filters_add(options->filters, FILTER_TIME, exclude, value, error);
}

/* -e and -f say what the call graph shows; -E and -F whose time counts, too. */
static enum status take_graph_filter(struct gprof_options *options, const struct row *row, const char *value,
                                     struct error *error)
{
	bool exclude = row->letter == 'e' || row->letter == 'E';
	bool with_time = row->letter == 'E' || row->letter == 'F';
	enum status status = filters_add(options->filters, FILTER_GRAPH, exclude, value, error);
	if (status == STATUS_OK && with_time)
		status = filters_add(options->filters, FILTER_TIME, exclude, value, error);
	return status;
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
		return refuse_value(row, value, "auto, magic, bsd or 4.4bsd", error);
	}
}

static enum status take_demangle(struct gprof_options *options, const struct row *row, const char *value,
                                 struct error *error)
{
	(void)row;
	options->output.demangle = true;
	if (value != NULL && !demangle_find_style(value, &options->output.style))
		return command_usage(&command_gprof, error, "--demangle=%.80s: no such style", value);
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

/* Scripts pass it; there is nothing to say. */
static enum status take_nothing(struct gprof_options *options, const struct row *row, const char *value,
                                struct error *error)
{
	(void)options, (void)row, (void)value, (void)error;
	return STATUS_OK;
}

enum { OPTION_BREAK_CYCLES = 256, OPTION_DEMANGLE, OPTION_NO_DEMANGLE, OPTION_INLINE_FILE_NAMES };

#define MEMBER(name) offsetof(struct gprof_options, name)

static const struct row rows[] = {
        {'p', optional_argument, "flat-profile", "SPEC", take_part, 0, GPROF_FLAT, FILTER_FLAT,
         "print the flat profile; of SPEC only, whose time is the 100 %"},
        {'P', optional_argument, "no-flat-profile", "SPEC", take_no_part, 0, GPROF_FLAT, FILTER_FLAT,
         "not the flat profile; all of it but SPEC"},
        {'q', optional_argument, "graph", "SPEC", take_part, 0, GPROF_GRAPH, FILTER_GRAPH,
         "print the call graph; of SPEC and its callees, arcs SPEC/SPEC"},
        {'Q', optional_argument, "no-graph", "SPEC", take_no_part, 0, GPROF_GRAPH, FILTER_GRAPH,
         "not the call graph; all of it but SPEC, arcs SPEC/SPEC"},
        {'B', no_argument, NULL, NULL, take_part, 0, GPROF_GRAPH, FILTER_GRAPH, "the same as -q"},
        {'C', optional_argument, "exec-counts", "SPEC", take_part, 0, GPROF_COUNTS, FILTER_COUNTS,
         "print counts of calls; with -l, of entries of basic blocks"},
        {'Z', optional_argument, "no-exec-counts", "SPEC", take_no_part, 0, GPROF_COUNTS, FILTER_COUNTS,
         "not these counts; all of them but of SPEC"},
        {'A', optional_argument, "annotated-source", "SPEC", take_part, 0, GPROF_SOURCE, FILTER_SOURCE,
         "print source with counts of calls; of SPEC only"},
        {'J', optional_argument, "no-annotated-source", "SPEC", take_no_part, 0, GPROF_SOURCE, FILTER_SOURCE,
         "not source; all of it but SPEC"},
        {'x', no_argument, "all-lines", NULL, take_switch, MEMBER(output.all_lines), 0, FILTER_SOURCE,
         "give each line of source a count, not just a block's first"},
        {'y', no_argument, "separate-files", NULL, take_switch, MEMBER(output.separate_files), 0, FILTER_SOURCE,
         "write the source of each file to FILE-ann"},
        {'m', required_argument, "min-count", "N", take_number, MEMBER(output.least_count), 0, FILTER_SOURCE,
         "mark lines of source that were executed less than N times (1)"},
        {'t', required_argument, "table-length", "N", take_number, MEMBER(output.table_length), 0, FILTER_SOURCE,
         "list the N lines of each file that were executed most (10)"},
        {'I', required_argument, "directory-path", "FOLDERS", take_folders, 0, 0, FILTER_SOURCE,
         "look for source in FOLDERS, as in a:b, and in $GPROF_PATH"},
        {'r', no_argument, "function-ordering", NULL, take_part, 0, GPROF_FUNCTION_ORDER, FILTER_FLAT,
         "print an order of functions that keeps callers near callees"},
        {'R', required_argument, "file-ordering", "MAP", take_text, MEMBER(file_map), GPROF_FILE_ORDER, FILTER_FLAT,
         "order object files; MAP has lines FILE:ADDRESS TYPE FUNCTION"},
        {'s', no_argument, "sum", NULL, take_part, 0, GPROF_SUM, FILTER_FLAT, "add up all data into gmon.sum"},
        {'i', no_argument, "file-info", NULL, take_part, 0, GPROF_FILE_INFO, FILTER_FLAT,
         "print how many records each file holds"},
        {'a', no_argument, "no-static", NULL, take_switch, MEMBER(division.no_static), 0, FILTER_FLAT,
         "count local functions as part of the function before them"},
        {'D', no_argument, "ignore-non-functions", NULL, take_switch, MEMBER(division.functions_only), 0, FILTER_FLAT,
         "the same for local symbols that are no functions"},
        {'S', required_argument, "external-symbol-table", "FILE", take_text, MEMBER(division.symbol_file), 0,
         FILTER_FLAT, "symbols are the lines ADDRESS T|t NAME of FILE, not the ELF's"},
        {'l', no_argument, "line", NULL, take_lines, 0, 0, FILTER_FLAT, "profile lines, not functions"},
        {'c', no_argument, "static-call-graph", NULL, take_switch, MEMBER(static_calls), 0, FILTER_FLAT,
         "add calls that are in the code but were not made"},
        {OPTION_BREAK_CYCLES, required_argument, "break-cycles", "N", take_cycle_max, MEMBER(cycle_max), 0, FILTER_FLAT,
         "remove and list arcs until no cycle has more than N functions"},
        {'k', required_argument, NULL, "FROM/TO", take_arc, 0, 0, FILTER_GRAPH,
         "leave out arcs; empty is any; also -k FROM TO, as in BSD"},
        {'n', required_argument, "time", "SPEC", take_time, 0, 0, FILTER_TIME,
         "in the call graph, only the time of SPEC and what it calls"},
        {'N', required_argument, "no-time", "SPEC", take_time, 0, 0, FILTER_TIME, "all time but that of SPEC"},
        {'e', required_argument, NULL, "SPEC", take_graph_filter, 0, 0, FILTER_GRAPH,
         "as -Q SPEC, but prints the call graph only where it would be"},
        {'E', required_argument, NULL, "SPEC", take_graph_filter, 0, 0, FILTER_GRAPH, "-e SPEC and -N SPEC"},
        {'f', required_argument, NULL, "SPEC", take_graph_filter, 0, 0, FILTER_GRAPH,
         "as -q SPEC, but prints the call graph only where it would be"},
        {'F', required_argument, NULL, "SPEC", take_graph_filter, 0, 0, FILTER_GRAPH, "-f SPEC and -n SPEC"},
        {'b', no_argument, "brief", NULL, take_switch, MEMBER(output.brief), 0, FILTER_FLAT,
         "do not explain the columns"},
        {'z', no_argument, "display-unused-functions", NULL, take_switch, MEMBER(output.show_unused), 0, FILTER_FLAT,
         "print functions without time and calls, too"},
        {'T', no_argument, "traditional", NULL, take_switch, MEMBER(output.traditional), 0, FILTER_FLAT,
         "BSD's layout: wider, the call graph first, names as in the ELF"},
        {'w', required_argument, "width", "N", take_width, MEMBER(output.index_width), 0, FILTER_FLAT,
         "width of the index in characters (80)"},
        {OPTION_DEMANGLE, optional_argument, "demangle", "STYLE", take_demangle, 0, 0, FILTER_FLAT,
         "C++, Rust and other names as in the source (default)"},
        {OPTION_NO_DEMANGLE, no_argument, "no-demangle", NULL, take_no_demangle, 0, 0, FILTER_FLAT,
         "names as in the ELF"},
        {OPTION_INLINE_FILE_NAMES, no_argument, "inline-file-names", NULL, take_switch,
         MEMBER(output.inline_file_names), 0, FILTER_FLAT, "print file and line behind each name"},
        {'L', no_argument, "print-path", NULL, take_switch, MEMBER(output.full_paths), 0, FILTER_FLAT,
         "print whole paths of source files"},
        {'O', required_argument, "file-format", "NAME", take_format, 0, 0, FILTER_FLAT,
         "of the data: auto (default), magic, bsd or 4.4bsd"},
        {'d', optional_argument, "debug", "N", take_nothing, 0, 0, FILTER_FLAT, "accepted, without effect"},
        {'h', no_argument, "help", NULL, take_switch, MEMBER(is_help), 0, FILTER_FLAT, "print this"},
        {'v', no_argument, "version", NULL, take_switch, MEMBER(is_version), 0, FILTER_FLAT, "print the version"},
};

#define ROW_COUNT (sizeof rows / sizeof *rows)

static const struct row *find_row(int letter)
{
	for (size_t i = 0; i < ROW_COUNT; i++)
		if (rows[i].letter == letter)
			return &rows[i];
	return NULL;
}

/* The table as getopt_long() wants it. */
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

/* What mcount's relatives cost is nobody's concern, as in GNU gprof. */
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

static enum status set_defaults(struct gprof_options *options, struct error *error)
{
	*options = (struct gprof_options){
	        .output = {.demangle = true, .index_width = 80, .least_count = 1, .table_length = 10},
	        .division = {.rule = IMAGE_BY_SYMBOL},
	        .filters = filters_create(),
	};
	if (options->filters == NULL)
		return status_fail(error, "out of memory");
	demangle_find_style("auto", &options->output.style);
	return exclude_hooks(options->filters, error);
}

/* BSD's -k FROM TO is two words: then the second is the next one. */
static enum status take_two_words(int argc, char **argv, struct gprof_options *options, struct error *error)
{
	char *pair = NULL;
	if (optind >= argc)
		return refuse_value(find_row('k'), optarg, "FROM/TO", error);
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

enum status gprof_parse_options(int argc, char **argv, struct gprof_options *options, struct error *error)
{
	struct getopt_tables tables;
	enum status status = set_defaults(options, error);
	fill_tables(&tables);
	for (int letter;
	     status == STATUS_OK && (letter = getopt_long(argc, argv, tables.letters, tables.longs, NULL)) != -1;) {
		const struct row *row = find_row(letter);
		if (row == NULL)
			status = command_bad_option(&command_gprof, letter, tables.longs, argv, error);
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
		status = command_usage(&command_gprof, error, "an order of functions or of files, not both");
	return status;
}

enum status gprof_refuse_lone_caller(const struct gprof_options *options, struct error *error)
{
	return refuse_value(find_row('k'), options->lone_caller, "FROM/TO", error);
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
