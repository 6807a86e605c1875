/* SPDX-License-Identifier: MIT */
/*
 * The rules as test cases of JUnit, as Jenkins (xUnit plugin, junit-10.xsd) and GitLab ("Unit test reports") read them:
 * GitLab shows only the text of a failure, and the first of two cases that have the same name.
 */
#include "base/text/escape.h"
#include "diff/formats/format.h"
#include "diff/formats/output.h"

#define LINES_MAX  1000            /* lines of one case: GitLab rejects files above 30 MB */
#define CASE_CLASS "bareprof.diff" /* GitLab's name of the suite; Jenkins' package and class */

/* All changes of a row on one line, except its share, which changes with every other function. */
static void print_changed_row(const struct diff_output *output, size_t row)
{
	const struct compare_change *changes = output->comparison->rows[row].changes;
	const char *separator = ": ";
	char text[FORMAT_VALUES_SIZE];

	output_print_name(output, row);
	for (int i = 0; i < COMPARE_QUANTITIES; i++) {
		if (i == COMPARE_SHARE || !compare_is_change(&changes[i]))
			continue;
		fprintf(output->stream, "%s%s ", separator, compare_quantity_name((enum compare_quantity)i));
		format_values(output->comparison, (enum compare_quantity)i, &changes[i].values, false, text);
		xml_print(output->stream, text);
		separator = "; ";
	}
	fputc('\n', output->stream);
}

static void print_changed_rows(const struct diff_output *output)
{
	const struct comparison *comparison = output->comparison;

	for (size_t i = 0; i < comparison->changed_count && i < LINES_MAX; i++)
		print_changed_row(output, i);
	if (comparison->changed_count > LINES_MAX)
		fprintf(output->stream, "and %zu more\n", comparison->changed_count - LINES_MAX);
	if (comparison->changed_count > 0)
		return;
	fputs("No function has changed: all is within noise", output->stream);
	if (comparison->min_change > 0)
		fprintf(output->stream, ", or below %g %%", 100 * comparison->min_change);
	fputs(".\n", output->stream);
}

/* The origin of a rule and the confidence it was checked at. */
static void print_origin(const struct diff_output *output, const struct rule_result *rule)
{
	xml_print(output->stream, rule->origin);
	if (!rule->is_of_firmware)
		fprintf(output->stream, ", %zu function%s looked at", rule->looked_at, rule->looked_at == 1 ? "" : "s");
	if (rule->is_point)
		fputs(", bare estimates\n", output->stream);
	else
		fprintf(output->stream, ", intervals at a confidence of %.4g %%\n", 100 * rule->confidence);
}

/* "crc (was old_crc by code): 2.9400 us -> 3.3020 us, +12.3 % [+8 .. +15 %]" */
static void print_case_result(const struct diff_output *output, const struct rule_result *rule)
{
	const char *element = rule->breach_count > 0 ? "failure" : "system-out";

	fprintf(output->stream, "    <%s", element);
	if (rule->breach_count > 0) {
		fputs(" type=\"rule\" message=\"", output->stream);
		output_print_breach(output, rule, &rule->breaches[0]);
		if (rule->breach_count > 1)
			fprintf(output->stream, ", and %zu more", rule->breach_count - 1);
		fputc('"', output->stream);
	}
	fputc('>', output->stream);
	print_origin(output, rule);
	output_print_breaches(output, rule);
	fprintf(output->stream, "</%s>\n", element);
}

static void begin_case(const struct diff_output *output, const char *name)
{
	fputs("  <testcase classname=\"" CASE_CLASS "\" name=\"", output->stream);
	xml_print(output->stream, name);
	fputs("\">\n", output->stream);
}

static void print_test_case(const struct diff_output *output, const struct rule_result *rule)
{
	begin_case(output, rule->text);
	print_case_result(output, rule);
	fputs("  </testcase>\n", output->stream);
}

/* A case that passes, shown if there are no rules. */
static void print_comparison(const struct diff_output *output)
{
	begin_case(output, "comparison");
	fputs("    <system-out>", output->stream);
	print_changed_rows(output);
	fputs("</system-out>\n  </testcase>\n", output->stream);
}

/* The first lines of the output as properties: builds, unit of work, warnings. */
static void print_properties(const struct diff_output *output)
{
	fputs("  <properties>\n", output->stream);
	for (size_t i = 0; i < output->head.count; i++) {
		fprintf(output->stream, "    <property name=\"%s\" value=\"", output->head.lines[i].label);
		xml_print(output->stream, output->head.lines[i].text);
		fputs("\"/>\n", output->stream);
	}
	fputs("  </properties>\n", output->stream);
}

static enum status write_junit(const struct diff_output *output, struct error *error)
{
	const struct rule_results *rules = output->rules;

	(void)error;
	fprintf(output->stream,
	        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	        "<testsuite name=\"bareprof diff\" tests=\"%zu\" failures=\"%zu\" errors=\"0\">\n",
	        rules->count > 0 ? rules->count : 1, rules->broken);
	print_properties(output);
	for (size_t i = 0; i < rules->count; i++)
		print_test_case(output, &rules->items[i]);
	if (rules->count == 0)
		print_comparison(output);
	fputs("</testsuite>\n", output->stream);
	return STATUS_OK;
}

const struct diff_format diff_junit = {
        .name = "junit",
        .summary = "rules as test cases, for Jenkins, GitLab and others",
        .write = write_junit,
        .print_name = xml_print,
        .print_text = xml_print,
        .print_numbers = xml_print,
        .breach_begin = "",
        .breach_end = "\n",
        .breaches_max = LINES_MAX,
        .has_notes_in_breaches = true,
};
