/* SPDX-License-Identifier: MIT */
/* The whole comparison as JSON for other tools, including rows within noise. docs/FORMAT.md has the schema. */
#include "base/text/json.h"
#include "diff/formats/output.h"
#include "profile/measurement.h"
#include "report/json_profile.h"

#include <math.h>
#include <stdlib.h>

static const char *const sides[BUILD_COUNT] = {[BUILD_OLD] = "old", [BUILD_NEW] = "new"};

struct json_output {
	const struct comparison *comparison;
	struct demangler *names;
	bool is_short_of_memory;
	struct json json;
};

static void add_json_interval(struct json *json, const char *key, const struct stats_interval *interval)
{
	json_open(json, key, '[');
	json_add_number(json, NULL, interval->low);
	json_add_number(json, NULL, interval->high);
	json_close(json, ']');
}

static void add_change_values(struct json *json, const struct stats_change *values)
{
	json_add_number(json, "old", values->old);
	json_add_number(json, "new", values->new);
	json_add_number(json, "ratio", values->ratio);
	add_json_interval(json, "ratio_interval", &values->ratio_interval);
	add_json_interval(json, "difference_interval", &values->difference_interval);
	json_add_flag(json, "exact", values->is_exact);
	json_add_number(json, "p", values->p);
}

/* null if it is unknown in both builds. */
static void add_json_change(struct json *json, const char *key, const struct compare_change *change)
{
	static const char *const verdicts[] = {
	        [COMPARE_UNKNOWN] = "unknown",
	        [COMPARE_NOISE] = "noise",
	        [COMPARE_LESS] = "less",
	        [COMPARE_MORE] = "more",
	};

	if (isnan(change->values.old) && isnan(change->values.new)) {
		json_add_null(json, key);
		return;
	}
	json_open(json, key, '{');
	json_add_string(json, "verdict", verdicts[change->verdict]);
	add_change_values(json, &change->values);
	json_add_number(json, "q", change->q);
	json_close(json, '}');
}

static void add_changes(struct json *json, const struct compare_change *changes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		json_line(json, 5);
		add_json_change(json, compare_quantity_name((enum compare_quantity)i), &changes[i]);
	}
}

/* Hexadecimal digits, or null. */
static void add_json_build_id(struct json *json, const struct image *image)
{
	char digits[IMAGE_BUILD_ID_TEXT_SIZE];

	if (image->build_id_size == 0) {
		json_add_null(json, "build_id");
		return;
	}
	json_add_string(json, "build_id", image_format_build_id(image, digits));
}

static void add_build(struct json_output *writer, enum build build, const char *label)
{
	const struct comparison *comparison = writer->comparison;
	const struct compare_build *compared = &comparison->builds[build];
	const struct profile_measurement *measurement = compared->profile->measurement;
	struct json *json = &writer->json;

	json_open(json, sides[build], '{');
	json_add_string(json, "label", label);
	add_json_build_id(json, compared->image);
	json_add_string(json, "identity", json_profile_identity(compared->profile));
	json_add_count(json, "captures", compared->capture_count);
	json_add_flag(json, "spread", comparison->has_spread[build]);
	json_add_number(json, "time", compared->time);
	json_add_number(json, "recorder_time", compared->recorder_time);
	json_add_number(json, "samples", compared->samples);
	json_add_number(json, "work", compared->work);
	json_add_count(json, "cycles", compared->profile->cycle_count);
	json_add_string(json, "distances", capture_distances_name(profile_distances(compared->profile)));
	json_add_count_if(json, "stacks", measurement != NULL, measurement != NULL ? measurement->stack_count : 0);
	json_add_number(json, "handler_time", comparison->ignores_handler ? NAN : compared->profile->handler_time);
	json_line(json, 4);
	json_profile_add_losses(json, &compared->profile->losses);
	json_close(json, '}');
}

static void add_unit(struct json *json, const struct comparison *comparison)
{
	static const char *const units[] = {
	        [COMPARE_PER_CALL] = "call",
	        [COMPARE_PER_RUN] = "run",
	        [COMPARE_PER_SECOND] = "second",
	        [COMPARE_PER_SAMPLE] = "sample",
	};

	json_open(json, "unit", '{');
	json_add_string(json, "per", units[comparison->unit]);
	json_add_count_if(json, "function", comparison->unit == COMPARE_PER_CALL, comparison->unit_row);
	json_add_flag(json, "chosen", comparison->is_unit_chosen);
	json_add_count_if(json, "rejected", comparison->rejected_row != PAIRING_NONE, comparison->rejected_row);
	json_add_number(json, "share_old", comparison->unit_shares[BUILD_OLD]);
	json_add_number(json, "share_new", comparison->unit_shares[BUILD_NEW]);
	json_close(json, '}');
}

static void add_whole(struct json *json, const struct comparison *comparison)
{
	const struct compare_change *recorder = comparison_recorder(comparison);

	add_unit(json, comparison);
	json_add_string(json, "time_unit", json_profile_time_unit(comparison->time_unit));
	json_lines(json, 0);
	json_add_number(json, "confidence", comparison->confidence);
	json_add_number(json, "min_change", comparison->min_change);
	json_add_flag(json, "total_errors", comparison->has_total_errors);
	json_add_count(json, "tests", comparison->tests);
	json_add_count(json, "changed", comparison->changed_count);
	json_lines(json, 2);
	add_json_change(json, "time", &comparison->time);
	if (recorder != NULL)
		add_json_change(json, "recorder", recorder);
	else
		json_add_null(json, "recorder");
	add_json_change(json, "size", &comparison->size);
}

static void add_inlined_into(struct json_output *writer, const char *key, size_t pair, enum build build)
{
	const struct pairing *pairing = &writer->comparison->pairing;
	const struct image *image = writer->comparison->builds[build].image;
	size_t count = pairing_inlined_into(pairing, image, pair, build, NULL, 0);
	const char **functions = calloc(count + 1, sizeof *functions);

	writer->is_short_of_memory |= functions == NULL;
	if (functions != NULL)
		pairing_inlined_into(pairing, image, pair, build, functions, count);
	json_open(&writer->json, key, '[');
	for (size_t i = 0; functions != NULL && i < count; i++)
		json_add_string(&writer->json, NULL, functions[i]);
	json_close(&writer->json, ']');
	free(functions);
}

static void add_pair_side(struct json_output *writer, const struct compare_row *row, enum build build)
{
	static const char *const keys[] = {
	        [COMPARE_CALLED] = NULL,
	        [COMPARE_PARTLY_INLINED] = "partly_inlined_into",
	        [COMPARE_INLINED] = "inlined_into",
	};
	const struct pairing_pair *pair = &writer->comparison->pairing.pairs[row->pair];

	if (pair->files[build] != NULL)
		json_add_string(&writer->json, "file", pair->files[build]);
	json_add_count(&writer->json, "clones", pair->functions[build]);
	if (keys[row->inlining[build]] != NULL)
		add_inlined_into(writer, keys[row->inlining[build]], row->pair, build);
}

/* A row in one build; null if it is not in that build. */
static void add_side(struct json_output *writer, const struct compare_row *row, enum build build)
{
	struct json *json = &writer->json;

	json_line(json, 5);
	if (row->names[build] == NULL) {
		json_add_null(json, sides[build]);
		return;
	}
	json_open(json, sides[build], '{');
	json_profile_add_name(json, row->names[build], writer->names);
	if (row->pair != PAIRING_NONE)
		add_pair_side(writer, row, build);
	json_add_count_if(json, "cycle", row->cycles[build] != 0, row->cycles[build]);
	json_close(json, '}');
}

static void add_pairing(struct json_output *writer, const struct compare_row *row)
{
	static const char *const ways[] = {
	        [PAIRED_BY_NAME] = "name",   [PAIRED_BY_MOVED_NAME] = "moved name",
	        [PAIRED_BY_CLONE] = "clone", [PAIRED_BY_PLACE] = "place",
	        [PAIRED_BY_CODE] = "code",   [PAIRED_NOT] = NULL,
	};
	const struct pairing *pairing = &writer->comparison->pairing;
	const char *way = row->pair == PAIRING_NONE ? NULL : ways[pairing->pairs[row->pair].how];

	if (way != NULL)
		json_add_string(&writer->json, "paired_by", way);
	else
		json_add_null(&writer->json, "paired_by");
}

static void add_json_rows(struct json_output *writer)
{
	struct json *json = &writer->json;

	json_open(json, "functions", '[');
	for (size_t i = 0; i < writer->comparison->row_count; i++) {
		const struct compare_row *row = &writer->comparison->rows[i];

		json_line(json, 4);
		json_open(json, NULL, '{');
		json_add_count(json, "id", i);
		json_add_string(json, "kind", json_profile_kind(row->kind));
		add_pairing(writer, row);
		add_side(writer, row, BUILD_OLD);
		add_side(writer, row, BUILD_NEW);
		add_changes(json, row->changes, COMPARE_QUANTITIES);
		json_close(json, '}');
	}
	json_line(json, 2);
	json_close(json, ']');
}

static void add_compared_arcs(struct json *json, const struct comparison *comparison)
{
	json_open(json, "arcs", '[');
	for (size_t i = 0; i < comparison->arc_count; i++) {
		const struct compare_arc *arc = &comparison->arcs[i];

		json_line(json, 4);
		json_open(json, NULL, '{');
		json_add_count(json, "caller", arc->caller);
		json_add_count(json, "callee", arc->callee);
		json_add_flag(json, "inlined_old", arc->is_inlined[BUILD_OLD]);
		json_add_flag(json, "inlined_new", arc->is_inlined[BUILD_NEW]);
		add_changes(json, arc->changes, COMPARE_CALLS + 1);
		json_close(json, '}');
	}
	json_line(json, 2);
	json_close(json, ']');
}

/* id is null for the whole firmware. */
static void add_json_breach(struct json *json, const char *key, const struct rule_breach *breach)
{
	json_open(json, key, '{');
	json_add_count_if(json, "id", breach->row != PAIRING_NONE, breach->row);
	add_change_values(json, &breach->values);
	json_close(json, '}');
}

static void add_rule(struct json *json, const struct rule_result *rule)
{
	json_line(json, 4);
	json_open(json, NULL, '{');
	json_add_string(json, "rule", rule->text);
	json_add_string(json, "origin", rule->origin);
	json_add_string(json, "quantity", compare_quantity_name(rule->quantity));
	json_add_flag(json, "of_firmware", rule->is_of_firmware);
	json_add_flag(json, "point", rule->is_point);
	json_add_number(json, "confidence", rule->confidence);
	json_add_flag(json, "held", rule->breach_count == 0);
	json_add_count(json, "looked_at", rule->looked_at);
	if (rule->has_nearest)
		add_json_breach(json, "nearest", &rule->nearest);
	else
		json_add_null(json, "nearest");
	json_open(json, "breaches", '[');
	for (size_t i = 0; i < rule->breach_count; i++) {
		json_line(json, 6);
		add_json_breach(json, NULL, &rule->breaches[i]);
	}
	if (rule->breach_count > 0)
		json_line(json, 5);
	json_close(json, ']');
	json_close(json, '}');
}

static void add_rules(struct json *json, const struct rule_results *rules)
{
	json_open(json, "rules", '[');
	for (size_t i = 0; i < rules->count; i++)
		add_rule(json, &rules->items[i]);
	if (rules->count > 0)
		json_line(json, 2);
	json_close(json, ']');
	json_add_count(json, "broken", rules->broken);
}

static enum status write_json_diff(const struct diff_output *output, struct error *error)
{
	const struct diff_output_options *options = output->options;
	struct json_output writer = {
	        .comparison = output->comparison, .names = options->names, .json = {.stream = output->stream}};
	struct json *json = &writer.json;

	json_open(json, NULL, '{');
	json_lines(json, 2);
	json_add_string(json, "format", "bareprof-comparison");
	json_add_count(json, "version", 1);
	add_build(&writer, BUILD_OLD, options->labels[BUILD_OLD]);
	add_build(&writer, BUILD_NEW, options->labels[BUILD_NEW]);
	add_whole(json, writer.comparison);
	add_json_rows(&writer);
	add_compared_arcs(json, writer.comparison);
	add_rules(json, output->rules);
	json_line(json, 0);
	json_close(json, '}');
	fputc('\n', output->stream);
	return writer.is_short_of_memory ? status_fail(error, "out of memory for the names of functions") : STATUS_OK;
}

const struct diff_format diff_json = {
        .name = "json",
        .summary = "everything, for other tools",
        .write = write_json_diff,
};
