/* SPDX-License-Identifier: MIT */
/* The options of `bareprof gprof`, as a table. */
#include "command/gprof_options.h"

#include "command/values.h"

#include <getopt.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The part and the filters that an option applies to. */
struct option_scope {
	unsigned part;     /* enum gprof_part; 0: none */
	unsigned lists;    /* lists that a symspec is added to, LIST() of each */
	bool is_exclusion; /* excludes the symspec or, without a symspec, the part */
};

#define LIST(name) (1u << FILTER_##name)

static const struct option_scope *scope_of(const struct given_option *given)
{
	return given->row->detail;
}

static enum status take_file_map(const struct given_option *given, struct error *error)
{
	struct gprof_options *options = given->target;

	options->parts |= GPROF_FILE_ORDER;
	return option_take_text(given, error);
}

/* Arcs are part of the call graph. */
static enum status take_symspec(const struct given_option *given, struct error *error)
{
	const struct gprof_options *options = given->target;
	const struct option_scope *scope = scope_of(given);
	enum status status = STATUS_OK;

	if (scope->part == GPROF_GRAPH && strchr(given->value, '/') != NULL)
		return filters_add_arc(options->filters, scope->is_exclusion, given->value, error);
	for (unsigned list = 0; status == STATUS_OK && list < FILTER_LIST_COUNT; list++)
		if ((scope->lists & 1u << list) != 0)
			status = filters_add(options->filters, (enum filter_list)list, scope->is_exclusion,
			                     given->value, error);
	return status;
}

/* Without a symspec the whole part is included or excluded. */
static enum status take_part(const struct given_option *given, struct error *error)
{
	struct gprof_options *options = given->target;
	const struct option_scope *scope = scope_of(given);

	options->parts_named |= scope->part;
	if (given->value == NULL && scope->is_exclusion)
		options->parts &= ~scope->part;
	else
		options->parts |= scope->part;
	return given->value != NULL ? take_symspec(given, error) : STATUS_OK;
}

/* Parses FROM/TO or, as in BSD, the two words FROM TO. */
static enum status take_excluded_arc(const struct given_option *given, struct error *error)
{
	struct gprof_options *options = given->target;
	char *pair = NULL;

	if (strchr(given->value, '/') != NULL)
		return filters_add_arc(options->filters, true, given->value, error);
	if (optind >= given->argc)
		return option_refuse(given, given->value, "FROM/TO", error);
	if (access(given->argv[optind], F_OK) == 0)
		options->lone_caller = given->value;
	if (asprintf(&pair, "%s/%s", given->value, given->argv[optind]) < 0)
		return status_fail(error, "out of memory");
	optind++;
	enum status status = filters_add_arc(options->filters, true, pair, error);
	free(pair);
	return status;
}

static enum status take_gmon_format(const struct given_option *given, struct error *error)
{
	static const char letters[] = {[GMON_AUTO] = 'a', [GMON_MAGIC] = 'm', [GMON_BSD] = 'b', [GMON_BSD_44] = '4'};
	struct gprof_options *options = given->target;
	const char *letter = memchr(letters, given->value[0], sizeof letters);

	if (letter == NULL)
		return option_refuse_choice(given, error);
	options->format = (enum gmon_format)(letter - letters);
	return STATUS_OK;
}

static enum status take_demangle(const struct given_option *given, struct error *error)
{
	struct gprof_options *options = given->target;

	options->output.demangle = true;
	if (given->value != NULL && !demangle_find_style(given->value, &options->output.style))
		return command_usage(given->command, error, "--demangle=%.80s: no such style", given->value);
	return STATUS_OK;
}

static enum status take_no_demangle(const struct given_option *given, struct error *error)
{
	(void)error;
	((struct gprof_options *)given->target)->output.demangle = false;
	return STATUS_OK;
}

static enum status take_lines(const struct given_option *given, struct error *error)
{
	(void)error;
	struct gprof_options *options = given->target;
	options->output.by_line = true;
	options->division.rule = IMAGE_BY_LINE;
	return STATUS_OK;
}

static enum status add_folders(struct gprof_options *options, const char *folders, struct error *error)
{
	char *joined = NULL;
	const char *before = options->source_folders;

	if (asprintf(&joined, "%s%s%s", before != NULL ? before : "", before != NULL ? ":" : "", folders) < 0)
		return status_fail(error, "out of memory");
	free(options->source_folders);
	options->output.source_folders = options->source_folders = joined;
	return STATUS_OK;
}

static enum status take_folders(const struct given_option *given, struct error *error)
{
	return add_folders(given->target, given->value, error);
}

static const struct value_range counts = {"a number, 1000000000 or less", 0, 1000000000};
static const struct value_range cycle_sizes = {"a number of functions, 1 to 1000000000", 1, 1000000000};
/* Each function of the index is padded to its column. */
static const struct value_range widths = {"a number of characters, 10000 or less", 0, 10000};

#define MEMBER(name) offsetof(struct gprof_options, name)

const struct command_option gprof_options[] = {
        {'p', "flat-profile", "[SPEC]", "print the flat profile; with SPEC, only SPEC, as 100 %", .take = take_part,
         .detail = &(const struct option_scope){.part = GPROF_FLAT, .lists = LIST(FLAT)}},
        {'P', "no-flat-profile", "[SPEC]", "no flat profile; with SPEC, all but SPEC", .take = take_part,
         .detail = &(const struct option_scope){.part = GPROF_FLAT, .lists = LIST(FLAT), .is_exclusion = true}},
        {'q', "graph", "[SPEC]", "call graph; with SPEC, of SPEC and callees, or arcs SPEC/SPEC", .take = take_part,
         .detail = &(const struct option_scope){.part = GPROF_GRAPH, .lists = LIST(GRAPH)}},
        {'Q', "no-graph", "[SPEC]", "no call graph; with SPEC, all but SPEC, or arcs SPEC/SPEC", .take = take_part,
         .detail = &(const struct option_scope){.part = GPROF_GRAPH, .lists = LIST(GRAPH), .is_exclusion = true}},
        {'B', NULL, NULL, "as -q", .take = take_part, .detail = &(const struct option_scope){.part = GPROF_GRAPH}},
        {'C', "exec-counts", "[SPEC]", "print counts of calls; with -l, of entries of basic blocks", .take = take_part,
         .detail = &(const struct option_scope){.part = GPROF_COUNTS, .lists = LIST(COUNTS)}},
        {'Z', "no-exec-counts", "[SPEC]", "no counts of calls; with SPEC, all but SPEC", .take = take_part,
         .detail = &(const struct option_scope){.part = GPROF_COUNTS, .lists = LIST(COUNTS), .is_exclusion = true}},
        {'A', "annotated-source", "[SPEC]", "print source with counts of calls; with SPEC, only SPEC",
         .take = take_part, .detail = &(const struct option_scope){.part = GPROF_SOURCE, .lists = LIST(SOURCE)}},
        {'J', "no-annotated-source", "[SPEC]", "no source; with SPEC, all but SPEC", .take = take_part,
         .detail = &(const struct option_scope){.part = GPROF_SOURCE, .lists = LIST(SOURCE), .is_exclusion = true}},
        {'x', "all-lines", NULL, "give each line of source a count, not just a block's first",
         .take = option_take_switch, .member = MEMBER(output.all_lines)},
        {'y', "separate-files", NULL, "write the source of each file to FILE-ann", .take = option_take_switch,
         .member = MEMBER(output.separate_files)},
        {'m', "min-count", "N", "mark lines of source that were executed less than N times (1)",
         .take = option_take_number, .member = MEMBER(output.min_count), .detail = &counts},
        {'t', "table-length", "N", "list the N lines of each file that were executed most (10)",
         .take = option_take_number, .member = MEMBER(output.table_length), .detail = &counts},
        {'I', "directory-path", "FOLDERS", "look for source in FOLDERS, as in a:b, and in $GPROF_PATH",
         .take = take_folders},
        {'r', "function-ordering", NULL, "print an order of functions that keeps callers near callees",
         .take = take_part, .detail = &(const struct option_scope){.part = GPROF_FUNCTION_ORDER}},
        {'R', "file-ordering", "MAP", "order object files; MAP has lines FILE:ADDRESS TYPE FUNCTION",
         .take = take_file_map, .member = MEMBER(file_map)},
        {'s', "sum", NULL, "add up all data into gmon.sum", .take = take_part,
         .detail = &(const struct option_scope){.part = GPROF_SUM}},
        {'i', "file-info", NULL, "print how many records each file holds", .take = take_part,
         .detail = &(const struct option_scope){.part = GPROF_FILE_INFO}},
        {'a', "no-static", NULL, "count local functions as part of the function before them",
         .take = option_take_switch, .member = MEMBER(division.no_static)},
        {'D', "ignore-non-functions", NULL, "the same for local symbols other than functions",
         .take = option_take_switch, .member = MEMBER(division.functions_only)},
        {'S', "external-symbol-table", "FILE", "symbols are the lines ADDRESS T|t NAME of FILE, not the ELF's",
         .take = option_take_text, .member = MEMBER(division.symbol_file)},
        {'l', "line", NULL, "profile lines, not functions", .take = take_lines},
        {'c', "static-call-graph", NULL, "add calls that are in the code but were not made", .take = option_take_switch,
         .member = MEMBER(static_calls)},
        {'\0', "break-cycles", "N", "remove and list arcs until no cycle has more than N functions",
         .take = option_take_number, .member = MEMBER(cycle_max), .detail = &cycle_sizes},
        {'k', NULL, "FROM/TO", "leave out arcs; no name: any function; also FROM TO, as in BSD",
         .take = take_excluded_arc},
        {'n', "time", "SPEC", "in the call graph, only the time of SPEC and what it calls", .take = take_symspec,
         .detail = &(const struct option_scope){.lists = LIST(TIME)}},
        {'N', "no-time", "SPEC", "in the call graph, all time except SPEC's", .take = take_symspec,
         .detail = &(const struct option_scope){.lists = LIST(TIME), .is_exclusion = true}},
        {'e', NULL, "SPEC", "as -Q SPEC, but prints the call graph only where it would be", .take = take_symspec,
         .detail = &(const struct option_scope){.lists = LIST(GRAPH), .is_exclusion = true}},
        {'E', NULL, "SPEC", "-e SPEC and -N SPEC", .take = take_symspec,
         .detail = &(const struct option_scope){.lists = LIST(GRAPH) | LIST(TIME), .is_exclusion = true}},
        {'f', NULL, "SPEC", "as -q SPEC, but prints the call graph only where it would be", .take = take_symspec,
         .detail = &(const struct option_scope){.lists = LIST(GRAPH)}},
        {'F', NULL, "SPEC", "-f SPEC and -n SPEC", .take = take_symspec,
         .detail = &(const struct option_scope){.lists = LIST(GRAPH) | LIST(TIME)}},
        {'b', "brief", NULL, "do not explain the columns", .take = option_take_switch, .member = MEMBER(output.brief)},
        {'z', "display-unused-functions", NULL, "print functions without time and calls, too",
         .take = option_take_switch, .member = MEMBER(output.show_unused)},
        {'T', "traditional", NULL, "BSD's layout: wider, the call graph first, names as in the ELF",
         .take = option_take_switch, .member = MEMBER(output.traditional)},
        {'w', "width", "N", "width of the index in characters (80)", .take = option_take_number,
         .member = MEMBER(output.index_width), .detail = &widths},
        {'\0', "demangle", "[STYLE]", "C++, Rust and other names as in the source (default)", .choices = style_choices,
         .take = take_demangle},
        {'\0', "no-demangle", NULL, "names as in the ELF", .take = take_no_demangle},
        {'\0', "inline-file-names", NULL, "print file and line after each name", .take = option_take_switch,
         .member = MEMBER(output.inline_file_names)},
        {'L', "print-path", NULL, "print whole paths of source files", .take = option_take_switch,
         .member = MEMBER(output.full_paths)},
        {'O', "file-format", "NAME", "format of the data: auto (default), magic, bsd or 4.4bsd",
         .choices = (const char *const[]){"auto", "magic", "bsd", "4.4bsd", NULL}, .take = take_gmon_format},
        {'d', "debug", "[N]", "accepted, without effect", .take = option_take_nothing},
        {'h', "help", NULL, "print this", .take = option_take_switch, .member = MEMBER(is_help)},
        {'v', "version", NULL, "print the version", .take = option_take_switch, .member = MEMBER(is_version)},
        {0},
};

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
	enum status status = set_defaults(command, options, error);

	if (status == STATUS_OK)
		status = command_parse_options(command, argc, argv, options, error);
	const char *folders = getenv("GPROF_PATH");
	if (status == STATUS_OK && folders != NULL)
		status = add_folders(options, folders, error);
	take_names(argc, argv, options);
	if (status == STATUS_OK && (options->parts & GPROF_FUNCTION_ORDER) != 0 && options->file_map != NULL)
		status = command_usage(options->command, error, "an order of functions or of files, not both");
	return status;
}

enum status gprof_refuse_lone_caller(const struct gprof_options *options, struct error *error)
{
	return command_usage(options->command, error, "-k %.80s: expected FROM/TO", options->lone_caller);
}

void gprof_free_options(struct gprof_options *options)
{
	filters_free(options->filters);
	free(options->source_folders);
}
