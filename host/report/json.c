/* SPDX-License-Identifier: MIT */
/* The profile as JSON for other tools. docs/FORMAT.md has the schema. */
#include "base/text/json.h"
#include "base/text/demangle.h"
#include "report/json_profile.h"
#include "report/output.h"

#include <inttypes.h>
#include <stdlib.h>

/* null where it was not estimated. */
static void print_total_variance(const struct profile *profile, double variance, FILE *stream)
{
	if (profile->has_total_variance)
		fprintf(stream, ", \"total_variance\": %.9g", variance);
	else
		fprintf(stream, ", \"total_variance\": null");
}

/* null if it is unknown for some block: then the times of functions include it. */
static void print_handler_time(const struct profile *profile, FILE *stream)
{
	if (profile_handler(profile) == CAPTURE_HANDLER_KNOWN)
		fprintf(stream, "\"handler_time\": %.9g", profile->handler_time);
	else
		fprintf(stream, "\"handler_time\": null");
}

/* Of a function, in the whole profile or in a part. */
static void print_values(const struct profile *profile, const struct profile_node *node, FILE *stream)
{
	fprintf(stream, ", \"self_samples\": %.9g, \"self\": %.9g, \"self_variance\": %.9g, \"children\": %.9g",
	        node->self_samples, node->self_time, node->self_variance, node->child_time);
	print_total_variance(profile, node->total_variance, stream);
	fprintf(stream, ", \"calls\": %" PRIu64 ", \"self_calls\": %" PRIu64, node->calls, node->self_calls);
	if (node->is_only_shared)
		fprintf(stream, ", \"only_shared\": true");
}

static void print_function(const struct profile *profile, size_t index, struct demangler *demangler, FILE *stream)
{
	const struct profile_node *node = &profile->nodes[index];
	const char *file = NULL;
	int line = 0;
	fprintf(stream, "    {\"id\": %zu, ", index);
	json_profile_print_name(node->name, demangler, stream);
	fprintf(stream, ", \"kind\": \"%s\", \"address\": %" PRIu64 ", \"size\": %" PRIu64,
	        json_profile_kind(node->kind), node->address, node->end - node->address);
	if (node->kind == PROFILE_FUNCTION && image_line(profile->image, node->address, &file, &line)) {
		fprintf(stream, ", \"file\": ");
		json_print_string(stream, file);
		fprintf(stream, ", \"line\": %d", line);
	}
	print_values(profile, node, stream);
	if (node->cycle != PROFILE_NONE)
		fprintf(stream, ", \"cycle\": %zu}", node->cycle + 1);
	else
		fprintf(stream, ", \"cycle\": null}");
}

static void print_functions(const struct profile *profile, struct demangler *demangler, FILE *stream)
{
	fprintf(stream, "  \"functions\": [");
	for (size_t i = 0; i < profile->node_count; i++) {
		fputs(i == 0 ? "\n" : ",\n", stream);
		print_function(profile, i, demangler, stream);
	}
	fprintf(stream, "\n  ],\n");
}

/* Of the whole profile or of a part, where they do not tell whether they are static. */
static void print_arcs(const struct profile *profile, bool is_part, FILE *stream)
{
	const char *indent = is_part ? "    " : "  ";
	fprintf(stream, "\"arcs\": [");
	for (size_t i = 0; i < profile->arc_count; i++) {
		const struct profile_arc *arc = &profile->arcs[i];
		fprintf(stream, "%s\n%s  {\"caller\": %u, \"callee\": %u, \"count\": %" PRIu64, i == 0 ? "" : ",",
		        indent, arc->caller, arc->callee, arc->count);
		if (!is_part)
			fprintf(stream, ", \"static\": %s", arc->is_static ? "true" : "false");
		fprintf(stream, ", \"removed\": %s, \"self\": %.9g, \"children\": %.9g}",
		        arc->is_removed ? "true" : "false", arc->self_time, arc->child_time);
	}
	fprintf(stream, "\n%s]", indent);
}

static void print_cycles(const struct profile *profile, FILE *stream)
{
	fprintf(stream, "  \"cycles\": [");
	for (size_t i = 0; i < profile->cycle_count; i++) {
		const struct profile_cycle *cycle = &profile->cycles[i];
		fprintf(stream, "%s\n    {\"cycle\": %zu, \"self\": %.9g, \"children\": %.9g", i == 0 ? "" : ",", i + 1,
		        cycle->self_time, cycle->child_time);
		print_total_variance(profile, cycle->total_variance, stream);
		fprintf(stream, ", \"calls\": %" PRIu64 ", \"internal_calls\": %" PRIu64 ", \"members\": [",
		        cycle->calls, cycle->internal_calls);
		for (size_t j = 0; j < cycle->member_count; j++)
			fprintf(stream, "%s%zu", j == 0 ? "" : ", ", cycle->members[j]);
		fprintf(stream, "]}");
	}
	fprintf(stream, "\n  ],\n");
}

/* What a part has of a function; nothing if it has nothing. */
static void print_share(const struct profile *part, size_t index, bool *is_first, FILE *stream)
{
	const struct profile_node *node = &part->nodes[index];
	if (node->self_time <= 0 && node->calls == 0 && node->self_calls == 0 && node->child_time <= 0)
		return;
	fprintf(stream, "%s\n      {\"id\": %zu", *is_first ? "" : ",", index);
	print_values(part, node, stream);
	fputc('}', stream);
	*is_first = false;
}

static void print_switches(uint64_t switches, FILE *stream)
{
	if (switches == CAPTURE_UNKNOWN)
		fprintf(stream, ", \"switches\": null");
	else
		fprintf(stream, ", \"switches\": %" PRIu64, switches);
}

static void print_part(const struct profile_part *part, FILE *stream)
{
	bool is_first = true;
	if (part->is_rest || part->number == CAPTURE_NO_CONTEXT)
		fprintf(stream, "\n    {\"context\": null, \"name\": ");
	else
		fprintf(stream, "\n    {\"context\": %" PRIu32 ", \"name\": ", part->number);
	json_print_string(stream, part->name);
	fprintf(stream, ", \"total\": %.9g, \"total_samples\": %.9g, ", part->profile->total_time,
	        part->profile->total_samples);
	print_handler_time(part->profile, stream);
	print_switches(part->switches, stream);
	fprintf(stream, ", \"functions\": [");
	for (size_t i = 0; i < part->profile->node_count; i++)
		print_share(part->profile, i, &is_first, stream);
	fprintf(stream, "\n    ], ");
	print_arcs(part->profile, true, stream);
	fputc('}', stream);
}

static void print_contexts(const struct profile *profile, FILE *stream)
{
	fprintf(stream, "  \"contexts\": [");
	for (size_t i = 0; i < profile->part_count; i++) {
		fputs(i == 0 ? "" : ",", stream);
		print_part(&profile->parts[i], stream);
	}
	fprintf(stream, "%s],\n", profile->part_count > 0 ? "\n  " : "");
}

static enum status write_json(const struct profile *profile, FILE *stream, struct error *error)
{
	struct demangle_style style = {0};
	struct demangler *demangler = demangle_find_style("auto", &style) ? demangler_create(style) : NULL;
	if (demangler == NULL)
		return status_fail(error, "out of memory for the names of %zu functions", profile->node_count);
	fprintf(stream, "{\n  \"format\": \"bareprof-profile\",\n  \"version\": 1,\n  \"firmware\": ");
	json_print_string(stream, profile->image->path);
	fprintf(stream, ",\n  \"identity\": \"%s\",\n  \"time_unit\": \"%s\",\n", json_profile_identity(profile),
	        json_profile_time_unit(profile->time_unit));
	fprintf(stream, "  \"total\": %.9g,\n  \"total_samples\": %.9g,\n  ", profile->total_time,
	        profile->total_samples);
	print_handler_time(profile, stream);
	fprintf(stream, ",\n  \"distances\": \"%s\",\n", capture_distances_name(profile_distances(profile)));
	print_functions(profile, demangler, stream);
	demangler_free(demangler);
	fprintf(stream, "  ");
	print_arcs(profile, false, stream);
	fprintf(stream, ",\n");
	print_cycles(profile, stream);
	print_contexts(profile, stream);
	fprintf(stream, "  \"losses\": ");
	json_profile_print_losses(&profile->losses, stream);
	fprintf(stream, "\n}\n");
	return STATUS_OK;
}

const struct output_format output_json = {
        .name = "json",
        .summary = "functions, arcs, cycles, contexts and losses for other tools",
        .total_times = true,
        .by_context = true,
        .write = write_json,
};
