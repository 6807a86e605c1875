/* SPDX-License-Identifier: MIT */
/*
 * The rules as test cases of JUnit, as Jenkins (xUnit plugin, junit-10.xsd) and GitLab ("Unit test reports") read them:
 * GitLab shows of a failure its text alone, and of two cases of one name the first.
 */
#include "difference/format.h"
#include "difference/formats.h"
#include "difference/notes.h"
#include "text/xml.h"

#include <math.h>

#define LINES_MAX  1000            /* of one case: nobody reads more there, and GitLab takes no file above 30 MB */
#define CASE_CLASS "bareprof.diff" /* GitLab's name of the suite; Jenkins' package and class */

struct writer {
	const struct comparison *comparison;
	const struct notes *notes;
	FILE *stream;
};

/* "2.940 us to 3.302 us" */
static void print_values(const struct writer *writer, enum compare_quantity quantity, const struct stats_change *values)
{
	struct format_unit unit = format_unit_of(writer->comparison->time_unit, fmax(values->old, values->new));
	char old[FORMAT_SIZE], new[FORMAT_SIZE];
	format_quantity(&unit, quantity, values->old, old);
	format_quantity(&unit, quantity, values->new, new);
	xml_print(writer->stream, old[0] == '\0' ? "nothing" : old);
	fputs(" to ", writer->stream);
	xml_print(writer->stream, new[0] == '\0' ? "nothing" : new);
}

/* ", +12.3 % [+8 .. +15 %]"; change is what the first of them is. */
static void print_change(const struct writer *writer, const char *change, const struct stats_interval *ratio)
{
	char interval[FORMAT_SIZE];
	format_interval(ratio, interval);
	fputs(change[0] == '\0' ? "" : ", ", writer->stream);
	xml_print(writer->stream, change);
	fputs(interval[0] == '\0' ? "" : " ", writer->stream);
	xml_print(writer->stream, interval);
}

static void print_quantity(const struct writer *writer, size_t index, enum compare_quantity quantity)
{
	const struct compare_row *row = &writer->comparison->rows[index];
	const struct stats_change *values = &row->changes[quantity].values;
	char change[FORMAT_SIZE];
	fprintf(writer->stream, "%s ", compare_quantity_name(quantity));
	print_values(writer, quantity, values);
	print_change(writer, format_change(row, quantity, change), &values->ratio_interval);
}

static void print_name(const struct writer *writer, size_t row)
{
	const char *note = notes_text(writer->notes, row);
	xml_print(writer->stream, notes_name(writer->notes, row));
	fputs(note[0] == '\0' ? "" : " (", writer->stream);
	xml_print(writer->stream, note);
	fputs(note[0] == '\0' ? "" : ")", writer->stream);
}

/* What has changed of a row, on one line, but for its share, which changes with any other function. */
static void print_row(const struct writer *writer, size_t row)
{
	const char *separator = ": ";
	print_name(writer, row);
	for (int i = 0; i < COMPARE_QUANTITIES; i++) {
		if (i == COMPARE_SHARE || !format_is_change(&writer->comparison->rows[row].changes[i]))
			continue;
		fputs(separator, writer->stream);
		print_quantity(writer, row, (enum compare_quantity)i);
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
	if (comparison->changed_count == 0)
		fprintf(writer->stream, "No function has changed: all is within noise, or below %g %%.\n",
		        100 * comparison->min_change);
}

/* "self of fir_step: 2.940 us to 3.302 us, +12.3 % [+8 .. +15 %]" */
static void print_breach(const struct writer *writer, const struct gate_result *rule, const struct gate_breach *breach)
{
	char change[FORMAT_SIZE];
	if (breach->row != PAIRING_NONE) {
		format_change(&writer->comparison->rows[breach->row], rule->quantity, change);
		fprintf(writer->stream, "%s of ", compare_quantity_name(rule->quantity));
		print_name(writer, breach->row);
	} else {
		format_ratio(breach->values.ratio, change);
		fputs(rule->quantity == COMPARE_SIZE ? "size of all code" : "all time", writer->stream);
	}
	fputs(": ", writer->stream);
	print_values(writer, rule->quantity, &breach->values);
	print_change(writer, change, &breach->values.ratio_interval);
}

/* Where it stands, and how much it was asked. */
static void print_origin(const struct writer *writer, const struct gate_result *rule)
{
	xml_print(writer->stream, rule->origin);
	if (!rule->is_of_firmware)
		fprintf(writer->stream, ", %zu function%s looked at", rule->looked_at, rule->looked_at == 1 ? "" : "s");
	if (rule->is_point)
		fputs(", bare estimates\n", writer->stream);
	else
		fprintf(writer->stream, ", intervals at a confidence of %.4g %%\n", 100 * rule->confidence);
}

static void print_failure(const struct writer *writer, const struct gate_result *rule)
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

static void begin_case(const struct writer *writer, const char *name)
{
	fputs("  <testcase classname=\"" CASE_CLASS "\" name=\"", writer->stream);
	xml_print(writer->stream, name);
	fputs("\">\n", writer->stream);
}

static void print_rule(const struct writer *writer, const struct gate_result *rule)
{
	begin_case(writer, rule->text);
	if (rule->breach_count > 0) {
		print_failure(writer, rule);
	} else {
		fputs("    <system-out>", writer->stream);
		print_origin(writer, rule);
		fputs("</system-out>\n", writer->stream);
	}
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

static void print_property(const struct writer *writer, const char *name, const char *value)
{
	fprintf(writer->stream, "    <property name=\"%s\" value=\"", name);
	xml_print(writer->stream, value);
	fputs("\"/>\n", writer->stream);
}

static void print_properties(const struct writer *writer, const struct difference_options *options)
{
	fputs("  <properties>\n", writer->stream);
	print_property(writer, "old", options->labels[BUILD_OLD]);
	print_property(writer, "new", options->labels[BUILD_NEW]);
	fputs("  </properties>\n", writer->stream);
}

static void print_suite(const struct writer *writer, const struct gate_results *gate,
                        const struct difference_options *options)
{
	fprintf(writer->stream,
	        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	        "<testsuite name=\"bareprof diff\" tests=\"%zu\" failures=\"%zu\" errors=\"0\">\n",
	        gate->count > 0 ? gate->count : 1, gate->broken);
	print_properties(writer, options);
	for (size_t i = 0; i < gate->count; i++)
		print_rule(writer, &gate->items[i]);
	if (gate->count == 0)
		print_comparison(writer);
	fputs("</testsuite>\n", writer->stream);
}

static enum status write_junit(const struct comparison *comparison, const struct gate_results *gate,
                               const struct difference_options *options, FILE *stream, struct error *error)
{
	struct notes *notes = notes_create(comparison, options->names);
	if (notes == NULL)
		return status_fail(error, "out of memory for the names of %zu functions", comparison->row_count);
	struct writer writer = {.comparison = comparison, .notes = notes, .stream = stream};
	print_suite(&writer, gate, options);
	notes_free(notes);
	return STATUS_OK;
}

const struct difference_format difference_junit = {
        .name = "junit",
        .summary = "rules as test cases, for Jenkins, GitLab and others",
        .write = write_junit,
};
