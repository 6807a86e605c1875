/* SPDX-License-Identifier: MIT */
/*
 * The rules as test cases of JUnit, as Jenkins (xUnit plugin, junit-10.xsd) and GitLab ("Unit test reports") read them:
 * GitLab shows of a failure its text alone, and of two cases of one name the first.
 */
#include "base/text/escape.h"
#include "diff/formats/format.h"
#include "diff/formats/formats.h"
#include "diff/formats/head.h"
#include "diff/formats/notes.h"

#define LINES_MAX  1000            /* of one case: nobody reads more there, and GitLab takes no file above 30 MB */
#define CASE_CLASS "bareprof.diff" /* GitLab's name of the suite; Jenkins' package and class */

struct writer {
	const struct comparison *comparison;
	struct notes *notes;
	FILE *stream;
};

static void print_name(const struct writer *writer, size_t row)
{
	const char *note = notes_text(writer->notes, row);
	xml_print(writer->stream, notes_name(writer->notes, row));
	fputs(note[0] == '\0' ? "" : " (", writer->stream);
	xml_print(writer->stream, note);
	fputs(note[0] == '\0' ? "" : ")", writer->stream);
}

/* All changes of a row on one line, except its share, which changes with every other function. */
static void print_row(const struct writer *writer, size_t row)
{
	const struct compare_change *changes = writer->comparison->rows[row].changes;
	const char *separator = ": ";
	char text[FORMAT_VALUES_SIZE];
	print_name(writer, row);
	for (int i = 0; i < COMPARE_QUANTITIES; i++) {
		if (i == COMPARE_SHARE || !compare_is_change(&changes[i]))
			continue;
		fprintf(writer->stream, "%s%s ", separator, compare_quantity_name((enum compare_quantity)i));
		format_values(writer->comparison, (enum compare_quantity)i, &changes[i].values, false, text);
		xml_print(writer->stream, text);
		separator = "; ";
	}
	fputc('\n', writer->stream);
}

static void print_rest(const struct writer *writer, size_t count)
{
	if (count > LINES_MAX)
		fprintf(writer->stream, "and %zu more\n", count - LINES_MAX);
}

static void print_changed_rows(const struct writer *writer)
{
	const struct comparison *comparison = writer->comparison;
	for (size_t i = 0; i < comparison->changed_count && i < LINES_MAX; i++)
		print_row(writer, i);
	print_rest(writer, comparison->changed_count);
	if (comparison->changed_count > 0)
		return;
	fputs("No function has changed: all is within noise", writer->stream);
	if (comparison->min_change > 0)
		fprintf(writer->stream, ", or below %g %%", 100 * comparison->min_change);
	fputs(".\n", writer->stream);
}

/* "fir_step: 2.9400 us -> 3.3020 us, +12.3 % [+8 .. +15 %]" */
static void print_breach(const struct writer *writer, const struct rule_result *rule, const struct rule_breach *breach)
{
	char text[FORMAT_VALUES_SIZE];
	if (breach->row == PAIRING_NONE)
		fputs("the firmware", writer->stream);
	else
		print_name(writer, breach->row);
	fputs(": ", writer->stream);
	xml_print(writer->stream, format_breach(writer->comparison, rule, breach, text));
}

/* Where it stands, and how much it was asked. */
static void print_origin(const struct writer *writer, const struct rule_result *rule)
{
	xml_print(writer->stream, rule->origin);
	if (!rule->is_of_firmware)
		fprintf(writer->stream, ", %zu function%s looked at", rule->looked_at, rule->looked_at == 1 ? "" : "s");
	if (rule->is_point)
		fputs(", bare estimates\n", writer->stream);
	else
		fprintf(writer->stream, ", intervals at a confidence of %.4g %%\n", 100 * rule->confidence);
}

static void print_failure(const struct writer *writer, const struct rule_result *rule)
{
	fputs("    <failure type=\"rule\" message=\"", writer->stream);
	print_breach(writer, rule, &rule->breaches[0]);
	if (rule->breach_count > 1)
		fprintf(writer->stream, ", and %zu more", rule->breach_count - 1);
	fputs("\">", writer->stream);
	print_origin(writer, rule);
	for (size_t i = 0; i < rule->breach_count && i < LINES_MAX; i++) {
		print_breach(writer, rule, &rule->breaches[i]);
		fputc('\n', writer->stream);
	}
	print_rest(writer, rule->breach_count);
	fputs("</failure>\n", writer->stream);
}

static void print_success(const struct writer *writer, const struct rule_result *rule)
{
	fputs("    <system-out>", writer->stream);
	print_origin(writer, rule);
	if (rule->has_nearest) {
		fputs("nearest: ", writer->stream);
		print_breach(writer, rule, &rule->nearest);
		fputc('\n', writer->stream);
	}
	fputs("</system-out>\n", writer->stream);
}

static void begin_case(const struct writer *writer, const char *name)
{
	fputs("  <testcase classname=\"" CASE_CLASS "\" name=\"", writer->stream);
	xml_print(writer->stream, name);
	fputs("\">\n", writer->stream);
}

static void print_rule(const struct writer *writer, const struct rule_result *rule)
{
	begin_case(writer, rule->text);
	if (rule->breach_count > 0)
		print_failure(writer, rule);
	else
		print_success(writer, rule);
	fputs("  </testcase>\n", writer->stream);
}

/* Where there are no rules: it passes, so that there is something to show. */
static void print_comparison(const struct writer *writer)
{
	begin_case(writer, "comparison");
	fputs("    <system-out>", writer->stream);
	print_changed_rows(writer);
	fputs("</system-out>\n  </testcase>\n", writer->stream);
}

/* The first lines of the output as properties: what was compared, and the warnings. */
static void print_properties(const struct writer *writer, const struct head *head)
{
	fputs("  <properties>\n", writer->stream);
	for (size_t i = 0; i < head->count; i++) {
		fprintf(writer->stream, "    <property name=\"%s\" value=\"", head->lines[i].label);
		xml_print(writer->stream, head->lines[i].text);
		fputs("\"/>\n", writer->stream);
	}
	fputs("  </properties>\n", writer->stream);
}

static void print_suite(const struct writer *writer, const struct rule_results *rules, const struct head *head)
{
	fprintf(writer->stream,
	        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	        "<testsuite name=\"bareprof diff\" tests=\"%zu\" failures=\"%zu\" errors=\"0\">\n",
	        rules->count > 0 ? rules->count : 1, rules->broken);
	print_properties(writer, head);
	for (size_t i = 0; i < rules->count; i++)
		print_rule(writer, &rules->items[i]);
	if (rules->count == 0)
		print_comparison(writer);
	fputs("</testsuite>\n", writer->stream);
}

static enum status write_junit(const struct comparison *comparison, const struct rule_results *rules,
                               const struct diff_output_options *options, FILE *stream, struct error *error)
{
	struct writer writer = {.comparison = comparison, .stream = stream};
	struct head head = {.count = 0};
	enum status status = notes_create(comparison, options->names, &writer.notes, error);
	if (status == STATUS_OK)
		status = head_create(comparison, writer.notes, options, &head, error);
	if (status == STATUS_OK)
		print_suite(&writer, rules, &head);
	head_free(&head);
	notes_free(writer.notes);
	return status;
}

const struct diff_format diff_junit = {
        .name = "junit",
        .summary = "rules as test cases, for Jenkins, GitLab and others",
        .write = write_junit,
};
