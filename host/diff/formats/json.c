/* SPDX-License-Identifier: MIT */
/* The whole comparison as JSON for other tools, rows within noise, too. docs/FORMAT.md has the schema. */
#include "base/text/json.h"
#include "diff/formats/formats.h"
#include "report/json_profile.h"

#include <math.h>
#include <stdlib.h>

static const char *const sides[BUILD_COUNT] = {[BUILD_OLD] = "old", [BUILD_NEW] = "new"};

struct writer {
	const struct comparison *comparison;
	struct demangler *names;
	const char **hosts; /* room for the names of all functions of the larger image */
	size_t host_capacity;
	FILE *stream;
};

/* Members behind others. */
static void print_flag(const char *name, bool value, FILE *stream)
{
	fprintf(stream, ", \"%s\": %s", name, value ? "true" : "false");
}

static void print_value(const char *name, double value, FILE *stream)
{
	fprintf(stream, ", \"%s\": ", name);
	json_print_number(stream, value);
}

static void print_interval(const char *name, const struct stats_interval *interval, FILE *stream)
{
	fprintf(stream, ", \"%s\": [", name);
	json_print_number(stream, interval->low);
	fputs(", ", stream);
	json_print_number(stream, interval->high);
	fputc(']', stream);
}

static void print_values(const struct stats_change *values, FILE *stream)
{
	print_value("old", values->old, stream);
	print_value("new", values->new, stream);
	print_value("ratio", values->ratio, stream);
	print_interval("ratio_interval", &values->ratio_interval, stream);
	print_interval("difference_interval", &values->difference_interval, stream);
	print_flag("exact", values->is_exact, stream);
	print_value("p", values->p, stream);
}

/* null of what neither build tells. */
static void print_change(const char *name, const struct compare_change *change, FILE *stream)
{
	static const char *const verdicts[] = {
	        [COMPARE_UNKNOWN] = "unknown",
	        [COMPARE_NOISE] = "noise",
	        [COMPARE_LESS] = "less",
	        [COMPARE_MORE] = "more",
	};
	fprintf(stream, "\"%s\": ", name);
	if (isnan(change->values.old) && isnan(change->values.new)) {
		fputs("null", stream);
		return;
	}
	fprintf(stream, "{\"verdict\": \"%s\"", verdicts[change->verdict]);
	print_values(&change->values, stream);
	print_value("q", change->q, stream);
	fputc('}', stream);
}

static void print_changes(const struct compare_change *changes, size_t count, FILE *stream)
{
	for (size_t i = 0; i < count; i++) {
		fputs(",\n     ", stream);
		print_change(compare_quantity_name((enum compare_quantity)i), &changes[i], stream);
	}
}

/* Hexadecimal digits, or null. */
static void print_build_id(const struct image *image, FILE *stream)
{
	fputs(", \"build_id\": ", stream);
	if (image->build_id_size == 0) {
		fputs("null", stream);
		return;
	}
	fputc('"', stream);
	for (size_t i = 0; i < image->build_id_size; i++)
		fprintf(stream, "%02x", image->build_id[i]);
	fputc('"', stream);
}

static void print_build(const struct writer *writer, enum build build, const char *label)
{
	const struct compare_build *compared = &writer->comparison->builds[build];
	FILE *stream = writer->stream;
	fprintf(stream, "  \"%s\": {\"label\": ", sides[build]);
	json_print_string(stream, label);
	print_build_id(compared->image, stream);
	fprintf(stream, ", \"identity\": \"%s\", \"captures\": %zu", json_profile_identity(compared->profile),
	        compared->capture_count);
	print_flag("spread", writer->comparison->has_spread[build], stream);
	print_value("time", compared->time, stream);
	print_value("recorder_time", compared->recorder_time, stream);
	print_value("samples", compared->samples, stream);
	print_value("work", compared->work, stream);
	fprintf(stream, ", \"cycles\": %zu, \"distances\": \"%s\"", compared->profile->cycle_count,
	        capture_distances_name(profile_distances(compared->profile)));
	print_value("handler_time", writer->comparison->ignores_handler ? NAN : compared->profile->handler_time,
	            stream);
	fputs(",\n    \"losses\": ", stream);
	json_profile_print_losses(&compared->profile->losses, stream);
	fputs("},\n", stream);
}

static void print_unit(const struct comparison *comparison, FILE *stream)
{
	static const char *const units[] = {
	        [COMPARE_PER_CALL] = "call",
	        [COMPARE_PER_SECOND] = "second",
	        [COMPARE_PER_SAMPLE] = "sample",
	};
	fprintf(stream, "  \"unit\": {\"per\": \"%s\", \"function\": ", units[comparison->unit]);
	if (comparison->unit == COMPARE_PER_CALL)
		fprintf(stream, "%zu", comparison->unit_row);
	else
		fputs("null", stream);
	print_flag("chosen", comparison->is_unit_chosen, stream);
	fputs(", \"rejected\": ", stream);
	if (comparison->rejected_row != PAIRING_NONE)
		fprintf(stream, "%zu", comparison->rejected_row);
	else
		fputs("null", stream);
	print_value("share_old", comparison->unit_shares[BUILD_OLD], stream);
	print_value("share_new", comparison->unit_shares[BUILD_NEW], stream);
	fputs("},\n", stream);
}

/* null of captures without the recorder. */
static void print_recorder(const struct comparison *comparison, FILE *stream)
{
	const struct compare_change *recorder = comparison_recorder(comparison);
	if (recorder != NULL)
		print_change("recorder", recorder, stream);
	else
		fputs("\"recorder\": null", stream);
}

static void print_whole(const struct comparison *comparison, FILE *stream)
{
	print_unit(comparison, stream);
	fprintf(stream, "  \"time_unit\": \"%s\"", json_profile_time_unit(comparison->time_unit));
	print_value("confidence", comparison->confidence, stream);
	print_value("min_change", comparison->min_change, stream);
	print_flag("total_errors", comparison->has_total_errors, stream);
	fprintf(stream, ", \"tests\": %zu, \"changed\": %zu,\n  ", comparison->tests, comparison->changed_count);
	print_change("time", &comparison->time, stream);
	fputs(",\n  ", stream);
	print_recorder(comparison, stream);
	fputs(",\n  ", stream);
	print_change("size", &comparison->size, stream);
	fputs(",\n", stream);
}

static void print_hosts(const struct writer *writer, const char *name, size_t pair, enum build build)
{
	const struct comparison *comparison = writer->comparison;
	size_t count = pairing_hosts(&comparison->pairing, comparison->builds[build].image, pair, build, writer->hosts,
	                             writer->host_capacity);
	fprintf(writer->stream, ", \"%s\": [", name);
	for (size_t i = 0; i < count && i < writer->host_capacity; i++) {
		fputs(i == 0 ? "" : ", ", writer->stream);
		json_print_string(writer->stream, writer->hosts[i]);
	}
	fputc(']', writer->stream);
}

static void print_pair_side(const struct writer *writer, const struct compare_row *row, enum build build)
{
	static const char *const names[] = {
	        [COMPARE_CALLED] = NULL,
	        [COMPARE_PARTLY_INLINED] = "partly_inlined_into",
	        [COMPARE_INLINED] = "inlined_into",
	};
	size_t pair = row->pair;
	const struct pairing_pair *paired = &writer->comparison->pairing.pairs[pair];
	if (paired->files[build] != NULL) {
		fputs(", \"file\": ", writer->stream);
		json_print_string(writer->stream, paired->files[build]);
	}
	fprintf(writer->stream, ", \"clones\": %zu", paired->functions[build]);
	if (names[row->inlining[build]] != NULL)
		print_hosts(writer, names[row->inlining[build]], pair, build);
}

/* What a row is in one build; null: it is not there. */
static void print_side(const struct writer *writer, const struct compare_row *row, enum build build)
{
	fprintf(writer->stream, ",\n     \"%s\": ", sides[build]);
	if (row->names[build] == NULL) {
		fputs("null", writer->stream);
		return;
	}
	fputc('{', writer->stream);
	json_profile_print_name(row->names[build], writer->names, writer->stream);
	if (row->pair != PAIRING_NONE)
		print_pair_side(writer, row, build);
	if (row->cycles[build] != 0)
		fprintf(writer->stream, ", \"cycle\": %zu}", row->cycles[build]);
	else
		fputs(", \"cycle\": null}", writer->stream);
}

static void print_pairing(const struct writer *writer, const struct compare_row *row)
{
	static const char *const ways[] = {
	        [PAIRED_BY_NAME] = "\"name\"",   [PAIRED_BY_MOVED_NAME] = "\"moved name\"",
	        [PAIRED_BY_CLONE] = "\"clone\"", [PAIRED_BY_PLACE] = "\"place\"",
	        [PAIRED_BY_CODE] = "\"code\"",   [PAIRED_NOT] = "null",
	};
	enum pairing_how how = PAIRED_NOT;
	if (row->pair != PAIRING_NONE)
		how = writer->comparison->pairing.pairs[row->pair].how;
	fprintf(writer->stream, ", \"paired_by\": %s", ways[how]);
}

static void print_rows(const struct writer *writer)
{
	fputs("  \"functions\": [", writer->stream);
	for (size_t i = 0; i < writer->comparison->row_count; i++) {
		const struct compare_row *row = &writer->comparison->rows[i];
		fprintf(writer->stream, "%s\n    {\"id\": %zu, \"kind\": \"%s\"", i == 0 ? "" : ",", i,
		        json_profile_kind(row->kind));
		print_pairing(writer, row);
		print_side(writer, row, BUILD_OLD);
		print_side(writer, row, BUILD_NEW);
		print_changes(row->changes, COMPARE_QUANTITIES, writer->stream);
		fputc('}', writer->stream);
	}
	fputs("\n  ],\n", writer->stream);
}

static void print_arcs(const struct comparison *comparison, FILE *stream)
{
	fputs("  \"arcs\": [", stream);
	for (size_t i = 0; i < comparison->arc_count; i++) {
		const struct compare_arc *arc = &comparison->arcs[i];
		fprintf(stream, "%s\n    {\"caller\": %zu, \"callee\": %zu", i == 0 ? "" : ",", arc->caller,
		        arc->callee);
		print_flag("inlined_old", arc->is_inlined[BUILD_OLD], stream);
		print_flag("inlined_new", arc->is_inlined[BUILD_NEW], stream);
		print_changes(arc->changes, COMPARE_CALLS + 1, stream);
		fputc('}', stream);
	}
	fputs("\n  ],\n", stream);
}

/* id is null of the whole firmware. */
static void print_breach(const struct rule_breach *breach, FILE *stream)
{
	fputs("{\"id\": ", stream);
	if (breach->row == PAIRING_NONE)
		fputs("null", stream);
	else
		fprintf(stream, "%zu", breach->row);
	print_values(&breach->values, stream);
	fputc('}', stream);
}

static void print_breaches(const struct rule_result *rule, FILE *stream)
{
	fputs("\"breaches\": [", stream);
	for (size_t i = 0; i < rule->breach_count; i++) {
		fputs(i == 0 ? "\n      " : ",\n      ", stream);
		print_breach(&rule->breaches[i], stream);
	}
	fprintf(stream, "%s]", rule->breach_count > 0 ? "\n     " : "");
}

static void print_nearest(const struct rule_result *rule, FILE *stream)
{
	fputs("\"nearest\": ", stream);
	if (rule->has_nearest)
		print_breach(&rule->nearest, stream);
	else
		fputs("null", stream);
}

static void print_rule(const struct rule_result *rule, FILE *stream)
{
	fputs("\n    {\"rule\": ", stream);
	json_print_string(stream, rule->text);
	fputs(", \"origin\": ", stream);
	json_print_string(stream, rule->origin);
	fprintf(stream, ", \"quantity\": \"%s\"", compare_quantity_name(rule->quantity));
	print_flag("of_firmware", rule->is_of_firmware, stream);
	print_flag("point", rule->is_point, stream);
	print_value("confidence", rule->confidence, stream);
	print_flag("held", rule->breach_count == 0, stream);
	fprintf(stream, ", \"looked_at\": %zu, ", rule->looked_at);
	print_nearest(rule, stream);
	fputs(", ", stream);
	print_breaches(rule, stream);
	fputc('}', stream);
}

static void print_rules(const struct rule_results *rules, FILE *stream)
{
	fputs("  \"rules\": [", stream);
	for (size_t i = 0; i < rules->count; i++) {
		fputs(i == 0 ? "" : ",", stream);
		print_rule(&rules->items[i], stream);
	}
	fprintf(stream, "%s],\n  \"broken\": %zu\n", rules->count > 0 ? "\n  " : "", rules->broken);
}

/* An inlined function has no more hosts than its image has functions. */
static bool make_room_for_hosts(struct writer *writer)
{
	const struct compare_build *builds = writer->comparison->builds;
	size_t old = builds[BUILD_OLD].image->function_count, new = builds[BUILD_NEW].image->function_count;
	writer->host_capacity = old > new ? old : new;
	writer->hosts = calloc(writer->host_capacity + 1, sizeof *writer->hosts);
	return writer->hosts != NULL;
}

static enum status write_json(const struct comparison *comparison, const struct rule_results *rules,
                              const struct diff_output_options *options, FILE *stream, struct error *error)
{
	struct writer writer = {.comparison = comparison, .names = options->names, .stream = stream};
	if (!make_room_for_hosts(&writer))
		return status_fail(error, "out of memory for the names of %zu functions", writer.host_capacity);
	fprintf(stream, "{\n  \"format\": \"bareprof-comparison\",\n  \"version\": 1,\n");
	print_build(&writer, BUILD_OLD, options->labels[BUILD_OLD]);
	print_build(&writer, BUILD_NEW, options->labels[BUILD_NEW]);
	print_whole(comparison, stream);
	print_rows(&writer);
	print_arcs(comparison, stream);
	print_rules(rules, stream);
	fprintf(stream, "}\n");
	free(writer.hosts);
	return STATUS_OK;
}

const struct diff_format diff_json = {
        .name = "json",
        .summary = "everything, for other tools",
        .write = write_json,
};
