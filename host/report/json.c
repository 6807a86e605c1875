/* SPDX-License-Identifier: MIT */
/* The profile as JSON for other tools. docs/FORMAT.md has the schema. */
#include "profile/measurement.h"
#include "profile/split.h"
#include "report/json_profile.h"
#include "report/output.h"
#include "report/views.h"

#include <math.h>

/* null unless errors of total times were estimated. */
static void add_total_variance(struct json *json, const struct profile *profile, double variance)
{
	json_add_rounded(json, "total_variance", profile->has_total_variance ? variance : NAN);
}

/* Null if the time is unknown for some block: then it is part of the functions' times. */
static void add_json_handler_time(struct json *json, const struct profile *profile)
{
	bool is_known = profile_handler(profile) == CAPTURE_HANDLER_KNOWN;

	json_add_rounded(json, "handler_time", is_known ? profile->handler_time : NAN);
}

/* Values of a function, in the whole profile or in a part. */
static void add_json_values(struct json *json, const struct profile *profile, const struct profile_node *node)
{
	json_add_rounded(json, "self_samples", node->self_samples);
	json_add_rounded(json, "self", node->self_time);
	json_add_rounded(json, "self_variance", node->self_variance);
	json_add_rounded(json, "children", node->child_time);
	add_total_variance(json, profile, node->total_variance);
	if (profile->measurement != NULL) {
		json_add_flag(json, "is_lower_bound", node->is_lower_bound);
		json_add_rounded(json, "estimated_children", node->estimated_child_time);
	}
	if (profile->measurement != NULL && profile->has_total_variance)
		json_add_flag(json, "differs", node->differs_from_estimate);
	bool knows_calls = profile_knows_calls(profile, profile_node_calls(node));
	json_add_count_if(json, "calls", knows_calls, node->calls);
	json_add_count_if(json, "self_calls", knows_calls, node->self_calls);
	if (node->is_only_shared)
		json_add_flag(json, "only_shared", true);
}

static void add_json_function(struct json *json, const struct profile *profile, size_t index,
                              struct demangler *demangler)
{
	const struct profile_node *node = &profile->nodes[index];
	const char *file = NULL;
	int line = 0;

	json_line(json, 4);
	json_open(json, NULL, '{');
	json_add_count(json, "id", index);
	json_profile_add_name(json, node->name, demangler);
	json_add_string(json, "kind", json_profile_kind(node->kind));
	json_add_count(json, "address", node->address);
	json_add_count(json, "size", node->end - node->address);
	if (profile_node_line(profile->image, node, &file, &line)) {
		json_add_string(json, "file", file);
		json_add_number(json, "line", line);
	}
	add_json_values(json, profile, node);
	json_add_count_if(json, "cycle", node->cycle != PROFILE_NONE, (uint64_t)node->cycle + 1);
	json_close(json, '}');
}

static void add_json_functions(struct json *json, const struct profile *profile, struct demangler *demangler)
{
	json_open(json, "functions", '[');
	for (size_t i = 0; i < profile->node_count; i++)
		add_json_function(json, profile, i, demangler);
	json_line(json, 2);
	json_close(json, ']');
}

static void add_measured_arc(struct json *json, const struct profile *profile, const struct profile_arc *arc)
{
	const struct profile_measured_arc *measured = profile_measured_arc(profile, arc);

	if (profile->measurement == NULL)
		return;
	json_add_flag(json, "on_stacks", measured->is_on_stacks);
	json_add_flag(json, "is_lower_bound", measured->is_lower_bound);
	json_add_rounded(json, "variance", measured->variance);
	json_add_rounded(json, "estimated", measured->estimated_time);
	if (profile->has_total_variance)
		json_add_flag(json, "differs", measured->differs_from_estimate);
}

/* Adds the arcs of the whole profile or of a part; only arcs of the whole profile have the member `static`. */
static void add_json_arcs(struct json *json, const struct profile *profile, bool is_part)
{
	int indent = is_part ? 4 : 2;

	json_open(json, "arcs", '[');
	for (size_t i = 0; i < profile->arc_count; i++) {
		const struct profile_arc *arc = &profile->arcs[i];

		json_line(json, indent + 2);
		json_open(json, NULL, '{');
		json_add_count(json, "caller", arc->caller);
		json_add_count(json, "callee", arc->callee);
		json_add_count_if(json, "count", profile_knows_calls(profile, arc->count), arc->count);
		if (!is_part)
			json_add_flag(json, "static", arc->is_static);
		json_add_flag(json, "removed", arc->is_removed);
		json_add_rounded(json, "self", arc->self_time);
		json_add_rounded(json, "children", arc->child_time);
		add_measured_arc(json, profile, arc);
		json_close(json, '}');
	}
	json_line(json, indent);
	json_close(json, ']');
}

static void add_json_cycle(struct json *json, const struct profile *profile, size_t index)
{
	const struct profile_cycle *cycle = &profile->cycles[index];

	json_line(json, 4);
	json_open(json, NULL, '{');
	json_add_count(json, "cycle", index + 1);
	json_add_rounded(json, "self", cycle->self_time);
	json_add_rounded(json, "children", cycle->child_time);
	add_total_variance(json, profile, cycle->total_variance);
	json_add_count(json, "calls", cycle->calls);
	json_add_count(json, "internal_calls", cycle->internal_calls);
	json_add_flag(json, "is_shared", cycle->has_several_callers);
	json_add_flag(json, "is_solved", !cycle->is_too_large);
	json_open(json, "members", '[');
	for (size_t i = 0; i < cycle->member_count; i++)
		json_add_count(json, NULL, cycle->members[i]);
	json_close(json, ']');
	json_close(json, '}');
}

static void add_json_cycles(struct json *json, const struct profile *profile)
{
	json_open(json, "cycles", '[');
	for (size_t i = 0; i < profile->cycle_count; i++)
		add_json_cycle(json, profile, i);
	json_line(json, 2);
	json_close(json, ']');
}

/* Adds the values of a function in a part, unless all are 0. */
static void add_json_share(struct json *json, const struct profile *part, size_t index)
{
	const struct profile_node *node = &part->nodes[index];

	if (node->self_time <= 0 && node->calls == 0 && node->self_calls == 0 && node->child_time <= 0)
		return;
	json_line(json, 6);
	json_open(json, NULL, '{');
	json_add_count(json, "id", index);
	add_json_values(json, part, node);
	json_close(json, '}');
}

static void add_json_part(struct json *json, const struct profile_part *part)
{
	json_line(json, 4);
	json_open(json, NULL, '{');
	json_add_count_if(json, "context", !part->is_rest && part->number != CAPTURE_NO_CONTEXT, part->number);
	json_add_string(json, "name", part->name);
	json_add_rounded(json, "total", part->profile->total_time);
	json_add_rounded(json, "total_samples", part->profile->total_samples);
	add_json_handler_time(json, part->profile);
	json_add_count_if(json, "switches", part->switches != CAPTURE_UNKNOWN, part->switches);
	json_open(json, "functions", '[');
	for (size_t i = 0; i < part->profile->node_count; i++)
		add_json_share(json, part->profile, i);
	json_line(json, 4);
	json_close(json, ']');
	add_json_arcs(json, part->profile, true);
	json_close(json, '}');
}

static void add_json_contexts(struct json *json, const struct profile *profile)
{
	json_open(json, "contexts", '[');
	for (size_t i = 0; i < profile->part_count; i++)
		add_json_part(json, &profile->parts[i]);
	if (profile->part_count > 0)
		json_line(json, 2);
	json_close(json, ']');
}

static void add_measurement(struct json *json, const struct profile *profile)
{
	const struct profile_measurement *measurement = profile->measurement;

	if (profile->refused_trees > 0)
		json_add_count(json, "refused_trees", profile->refused_trees);
	if (measurement == NULL)
		return;
	json_open(json, "measured", '{');
	json_add_string(json, "from", measurement->is_tree ? "paths" : "slices");
	json_add_count(json, "stacks", measurement->stack_count);
	json_add_count(json, "root", measurement->ends[UNWIND_ROOT]);
	json_add_count(json, "task", measurement->ends[UNWIND_TASK]);
	json_add_count(json, "exception", measurement->ends[UNWIND_EXCEPTION]);
	json_add_count(json, "cut", measurement->ends[UNWIND_CUT]);
	json_add_count_if(json, "needed_bytes", measurement->needed > 0, measurement->needed);
	json_add_flag(json, "needed_bytes_suffice", measurement->is_needed_enough);
	json_add_count(json, "no_frame_information", measurement->ends[UNWIND_NO_ROW]);
	json_add_count(json, "bad", measurement->ends[UNWIND_BAD]);
	json_add_count(json, "ticks_refused", measurement->bad);
	json_add_count(json, "withheld", measurement->ends[UNWIND_WITHHELD]);
	json_add_count(json, "tree_full", measurement->tree_full);
	json_add_count(json, "in_flight", measurement->in_flight);
	json_close(json, '}');
}

/* Everything before the functions. */
static void add_json_head(struct json *json, const struct profile *profile)
{
	json_add_string(json, "format", "bareprof-profile");
	json_add_count(json, "version", 1);
	json_add_string(json, "firmware", profile->image->path);
	json_add_string(json, "identity", json_profile_identity(profile));
	json_add_string(json, "time_unit", json_profile_time_unit(profile->time_unit));
	json_add_rounded(json, "total", profile->total_time);
	json_add_rounded(json, "total_samples", profile->total_samples);
	add_json_handler_time(json, profile);
	json_add_string(json, "distances", capture_distances_name(profile_distances(profile)));
	add_measurement(json, profile);
}

static enum status write_json(const struct profile *profile, FILE *stream, struct error *error)
{
	struct json json = {.stream = stream};
	struct demangler *demangler = views_names_create(profile, error);

	if (demangler == NULL)
		return STATUS_FAILED;
	json_open(&json, NULL, '{');
	json_lines(&json, 2);
	add_json_head(&json, profile);
	add_json_functions(&json, profile, demangler);
	demangler_free(demangler);
	add_json_arcs(&json, profile, false);
	add_json_cycles(&json, profile);
	add_json_contexts(&json, profile);
	json_profile_add_losses(&json, &profile->losses);
	json_line(&json, 0);
	json_close(&json, '}');
	fputc('\n', stream);
	return STATUS_OK;
}

const struct output_format output_json = {
        .name = "json",
        .summary = "functions, arcs, cycles, contexts and losses (docs/FORMAT.md)",
        .total_times = true,
        .total_errors = true,
        .static_calls = true,
        .split = OUTPUT_BY_CONTEXT,
        .write = write_json,
};
