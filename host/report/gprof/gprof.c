/* SPDX-License-Identifier: MIT */
/* The parts of GNU gprof's output, in order. */
#include "report/gprof/report.h"

#include <stdlib.h>

static enum status print_wanted_parts(struct gprof_report *report, struct error *error)
{
	const struct output_gprof_options *options = report->options;
	const struct {
		bool is_wanted;
		enum status (*print)(struct gprof_report *report, struct error *error);
	} parts[] = {
	        {options->graph && options->traditional, gprof_print_graph},
	        {options->flat, gprof_print_flat},
	        {options->graph && !options->traditional, gprof_print_graph},
	        {options->graph, gprof_print_index},
	        {options->counts, gprof_print_counts},
	        {options->source, gprof_print_source},
	        {options->function_order, gprof_print_function_order},
	        {options->file_map != NULL, gprof_print_file_order},
	};
	enum status status = gprof_order_entries(report, error);

	for (size_t i = 0; status == STATUS_OK && i < sizeof parts / sizeof *parts; i++)
		if (parts[i].is_wanted)
			status = parts[i].print(report, error);
	return status;
}

static char printable_character(char character)
{
	return character >= ' ' && character <= '~' ? character : '?';
}

/* With a rate of 0, seconds are unknown and samples are printed. */
static void choose_dimension(struct gprof_report *report, const struct gmon *gmon)
{
	const struct gmon_unit *unit = &gmon->unit;
	bool is_known = unit->hertz > 0;
	const char *dimension = is_known || !gmon->has_histogram ? unit->dimension : GMON_SAMPLES;

	report->hertz = is_known ? unit->hertz : 1;
	report->abbreviation = printable_character(unit->abbreviation);
	for (size_t i = 0; i + 1 < sizeof report->dimension && dimension[i] != '\0'; i++)
		report->dimension[i] = printable_character(dimension[i]);
}

static struct gprof_report *create_gprof_report(const struct profile *profile, struct demangle_style style)
{
	struct gprof_report *report = calloc(1, sizeof *report);

	if (report == NULL)
		return NULL;
	report->profile = profile;
	report->demangler = demangler_create(style);
	report->names = calloc(profile->node_count + 1, sizeof *report->names);
	report->made_names = calloc(profile->node_count + 1, sizeof *report->made_names);
	return report;
}

static void release_gprof_report(struct gprof_report *report)
{
	if (report == NULL)
		return;
	for (size_t i = 0; report->made_names != NULL && i < report->profile->node_count; i++)
		free(report->made_names[i]);
	demangler_free(report->demangler);
	free(report->names);
	free(report->made_names);
	free(report->entries);
	free(report->node_number);
	free(report->cycle_number);
	free(report);
}

enum status output_gprof(const struct profile *profile, const struct gmon *gmon,
                         const struct output_gprof_options *options, FILE *stream, struct error *error)
{
	struct gprof_report *report = create_gprof_report(profile, options->style);

	if (report == NULL || report->demangler == NULL || report->names == NULL || report->made_names == NULL) {
		release_gprof_report(report);
		return status_fail(error, "out of memory for a profile of %zu functions", profile->node_count);
	}
	report->gmon = gmon;
	report->options = options;
	choose_dimension(report, gmon);
	report->is_begun = options->is_continued;
	report->is_numbered = gmon->has_arcs || profile->arc_count > 0;
	layout_begin(&report->layout, stream);
	enum status status = print_wanted_parts(report, error);
	layout_flush(&report->layout);
	release_gprof_report(report);
	return status;
}
