/* SPDX-License-Identifier: MIT */
/*
 * Metrics in the text format of Prometheus, version 0.0.4: sums, losses, and the functions with the most time, whose
 * number is limited because each label value is a time series of its own.
 */
#include "base/text/escape.h"
#include "base/text/text.h"
#include "profile/measurement.h"
#include "report/json_profile.h"
#include "report/output.h"
#include "report/ranking.h"
#include "report/views.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The functions with the most self time, and those with the most total time. */
#define FUNCTIONS_MAX 20

struct prometheus {
	const struct profile *profile;
	struct demangler *names;
	FILE *stream;
	const char *unit; /* unit of time, as the end of metric names */
};

/* Values of labels: a line feed is unprintable and so written as \x0a. */
static const struct escape label_escapes[] = {{'\\', "\\\\"}, {'"', "\\\""}, {'\0', NULL}};

static void add_metric_label(const struct prometheus *metrics, const char *name, const char *value)
{
	fprintf(metrics->stream, "%s=\"", name);
	escape_print(metrics->stream, value, label_escapes, "\\\\x");
	fputc('"', metrics->stream);
}

/* Begins a metric; suffix completes its name. */
static void begin_metric(const struct prometheus *metrics, const char *name, const char *suffix, const char *type,
                         const char *help)
{
	fprintf(metrics->stream, "# HELP bareprof_%s%s %s\n# TYPE bareprof_%s%s %s\n", name, suffix, help, name, suffix,
	        type);
}

static void add_count_metric(const struct prometheus *metrics, const char *name, uint64_t count, const char *help)
{
	bool is_counter = strstr(name, "_total") != NULL;

	begin_metric(metrics, name, "", is_counter ? "counter" : "gauge", help);
	fprintf(metrics->stream, "bareprof_%s %" PRIu64 "\n", name, count);
}

static void add_value_metric(const struct prometheus *metrics, const char *name, const char *suffix, double value,
                             const char *help)
{
	begin_metric(metrics, name, suffix, "gauge", help);
	fprintf(metrics->stream, "bareprof_%s%s %.9g\n", name, suffix, value);
}

static void add_firmware(const struct prometheus *metrics)
{
	const struct image *image = metrics->profile->image;
	char build_id[IMAGE_BUILD_ID_TEXT_SIZE];

	begin_metric(metrics, "firmware_info", "", "gauge",
	             "The firmware, and whether it is the build that was profiled.");
	fputs("bareprof_firmware_info{", metrics->stream);
	add_metric_label(metrics, "firmware", image->path);
	fputc(',', metrics->stream);
	add_metric_label(metrics, "build_id", image_format_build_id(image, build_id));
	fputc(',', metrics->stream);
	add_metric_label(metrics, "identity", json_profile_identity(metrics->profile));
	fputs("} 1\n", metrics->stream);
}

/* The time of the only node of a kind; NAN if the profile has no such node. */
static double time_of_kind(const struct profile *profile, enum profile_node_kind kind)
{
	for (size_t i = 0; i < profile->node_count; i++)
		if (profile->nodes[i].kind == kind)
			return profile->nodes[i].self_time;
	return NAN;
}

/* A core that sleeps in a function counts as running it. Only samples through a probe show that a core was asleep. */
static void add_shares(const struct prometheus *metrics)
{
	const struct profile *profile = metrics->profile;
	double unavailable = time_of_kind(profile, PROFILE_UNAVAILABLE);

	if (profile->total_time <= 0)
		return;
	if (profile_knows_recorder(profile))
		add_value_metric(metrics, "recorder_ratio", "", profile_recorder_time(profile) / profile->total_time,
		                 "The recorder's part of all time.");
	if (isfinite(unavailable))
		add_value_metric(metrics, "unavailable_ratio", "", unavailable / profile->total_time,
		                 "The part of all time in which the core was asleep or could not be read.");
}

static void add_sums(const struct prometheus *metrics)
{
	const struct profile *profile = metrics->profile;

	add_count_metric(metrics, "samples_total", profile_count_of(profile->total_samples), "Samples in the profile.");
	add_count_metric(metrics, "ticks_total", profile->losses.ticks,
	                 "Samples that were taken, wherever they were counted.");
	add_value_metric(metrics, "time_", metrics->unit, profile->total_time, "The time of all samples.");
	if (profile->measurement != NULL)
		add_count_metric(metrics, "stacks_total", profile->measurement->stack_count,
		                 "Stacks that total times are measured from.");
	add_shares(metrics);
}

/* Unknown losses are omitted, because 0 would be a claim. */
static void add_loss_metrics(const struct prometheus *metrics)
{
	const struct profile_losses *losses = &metrics->profile->losses;

	add_count_metric(metrics, "blocks_without_losses", losses->blocks_without_losses,
	                 "Profiles that do not record losses (gmon.out); all losses are those of the others.");
	if (!profile_losses_are_known(losses))
		return;
	if (losses->ticks_missed_known)
		add_count_metric(metrics, "ticks_missed_total", losses->ticks_missed,
		                 "Ticks merged while interrupts were masked.");
	if (losses->skew_known)
		add_count_metric(metrics, "skew_ticks", losses->skew, "Ticks that passed while the profile was read.");
	add_count_metric(metrics, "samples_outside_total", losses->samples_outside,
	                 "Samples outside the sampled ranges.");
	add_count_metric(metrics, "samples_table_full_total", losses->samples_table_full,
	                 "Samples that found the table full.");
	add_count_metric(metrics, "samples_shared_total", losses->samples_shared,
	                 "Samples in bins or granules that several functions share.");
	add_count_metric(metrics, "arcs_dropped_total", losses->arcs_dropped, "Calls that found the arc table full.");
	add_count_metric(metrics, "arcs_in_flight", losses->arcs_in_flight,
	                 "Calls in flight while the profile was read.");
	add_count_metric(metrics, "saturated_total", losses->saturated, "Counts lost to full counters.");
	add_count_metric(metrics, "resets_total", losses->resets, "Warm resets of the target during the profile.");
	add_count_metric(metrics, "sections_skipped", losses->sections_skipped,
	                 "Sections of the profile that this release cannot read.");
}

/* True if the name alone identifies the function. Escaped bytes may make it look like another function's name. */
static bool is_unique(const struct prometheus *metrics, const struct profile_node *node)
{
	const struct profile *profile = metrics->profile;
	const char *name = demangler_name(metrics->names, node->name);

	for (size_t i = 0; i < profile->node_count; i++)
		if (&profile->nodes[i] != node &&
		    strcmp(demangler_name(metrics->names, profile->nodes[i].name), name) == 0)
			return false;
	return text_is_printable(name);
}

/* A series keeps its labels from build to build, so the address is a label only where the name is not enough. */
static void add_function_metric(const struct prometheus *metrics, const char *name, const struct profile_node *node,
                                double value)
{
	fprintf(metrics->stream, "bareprof_%s%s{", name, metrics->unit);
	add_metric_label(metrics, "function", demangler_name(metrics->names, node->name));
	if (!is_unique(metrics, node))
		fprintf(metrics->stream, ",address=\"0x%08" PRIx64 "\"", node->address);
	fprintf(metrics->stream, "} %.9g\n", value);
}

static double self_time(const struct profile_node *node)
{
	return node->self_time;
}

static double self_error(const struct profile_node *node)
{
	return sqrt(node->self_variance);
}

static double total_error(const struct profile_node *node)
{
	return node->is_lower_bound ? NAN : sqrt(node->total_variance);
}

/* A function whose value is NAN has no metric. */
static void add_function_metrics(const struct prometheus *metrics, const struct ranking *ranking, const char *name,
                                 double (*value)(const struct profile_node *node), const char *help)
{
	size_t shown = 0;

	begin_metric(metrics, name, metrics->unit, "gauge", help);
	for (size_t i = 0; i < ranking->count && shown < FUNCTIONS_MAX; i++) {
		if (ranking->nodes[i]->kind != PROFILE_FUNCTION)
			continue;
		double function_value = value(ranking->nodes[i]);
		if (!isnan(function_value))
			add_function_metric(metrics, name, ranking->nodes[i], function_value);
		shown++;
	}
}

static enum status add_self_times(const struct prometheus *metrics, struct error *error)
{
	struct ranking ranking;
	enum status status = ranking_create(metrics->profile, RANKING_BY_SELF, &ranking, error);

	add_function_metrics(metrics, &ranking, "function_self_", self_time,
	                     "Time in the code of a function: the 20 functions with the most.");
	add_function_metrics(metrics, &ranking, "function_self_error_", self_error, "Standard error of that time.");
	ranking_free(&ranking);
	return status;
}

static enum status add_total_times(const struct prometheus *metrics, struct error *error)
{
	struct ranking ranking;
	enum status status = ranking_create(metrics->profile, RANKING_BY_TOTAL, &ranking, error);

	add_function_metrics(metrics, &ranking, "function_total_time_", profile_node_total,
	                     "Time in a function and its callees: the 20 functions with the most.");
	if (metrics->profile->has_total_variance)
		add_function_metrics(metrics, &ranking, "function_total_time_error_", total_error,
		                     "Standard error of that time; absent if the time is a lower bound.");
	ranking_free(&ranking);
	return status;
}

static enum status write_prometheus(const struct profile *profile, FILE *stream, struct error *error)
{
	struct prometheus metrics = {
	        .profile = profile,
	        .stream = stream,
	        .unit = profile->time_unit == PROFILE_SECONDS ? "seconds" : "samples",
	        .names = views_names_create(profile, error),
	};

	if (metrics.names == NULL)
		return STATUS_FAILED;
	add_firmware(&metrics);
	add_sums(&metrics);
	add_loss_metrics(&metrics);
	enum status status = add_self_times(&metrics, error);
	if (status == STATUS_OK)
		status = add_total_times(&metrics, error);
	demangler_free(metrics.names);
	return status;
}

const struct output_format output_prometheus = {
        .name = "prometheus",
        .summary = "metrics of the profile, its losses and its 20 hottest functions",
        .total_times = true,
        .total_errors = true,
        .write = write_prometheus,
};
