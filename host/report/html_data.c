/* SPDX-License-Identifier: MIT */
/*
 * The page's data for its scripts (host/page/assets/profile.js): the functions; then their times, arcs, cycles and
 * paths, in the whole profile and in each part. Times are in the profile's time unit, errors are standard errors.
 * Functions are numbered in the order of their list. Unknown numbers of calls are null. In a measured profile, a row
 * ends with gprof's estimate of its total time, the error of the estimate, whether the total time differs from it,
 * whether the function was in a cycle of the estimate, and whether the total time is a lower bound; an arc ends with
 * the estimate, whether its time differs, and whether its time is a lower bound.
 */
#include "base/array.h"
#include "profile/measurement.h"
#include "profile/paths.h"
#include "profile/regions.h"
#include "profile/split.h"
#include "report/html.h"
#include "report/json_profile.h"

#include <math.h>

/* The whole profile or a part of it, and the numbers of its functions. */
struct view {
	struct html *html;
	struct json *json;
	const struct profile *profile;
	size_t own;   /* number of its first node that is missing in the whole profile */
	size_t *last; /* the previous path */
	size_t last_depth;
};

/* --- Functions. */

struct function_list {
	const struct html *html;
	struct json *json;
};

static void add_listed_function(void *context, const struct profile *profile, size_t node)
{
	const struct function_list *functions = context;
	const struct profile *whole = functions->html->report.profile;
	struct json *json = functions->json;
	const struct profile_node *function = node == PROFILE_NONE ? NULL : &profile->nodes[node];
	const char *file = NULL;
	int line = 0;

	json_open(json, NULL, '[');
	json_add_string(json, NULL, views_name(functions->html->report.names, profile, node));
	json_add_string(json, NULL, function == NULL ? "cut" : json_profile_kind(function->kind));
	json_add_count(json, NULL, function == NULL ? 0 : function->end - function->address);
	json_add_count(json, NULL, function == NULL ? whole->region_count - 1 : profile_region_of(whole, function));
	if (function != NULL && profile_node_line(profile->image, function, &file, &line)) {
		json_add_string(json, NULL, file);
		json_add_number(json, NULL, line);
	}
	json_close(json, ']');
}

static void add_function_list(const struct html *html, struct json *json)
{
	json_open(json, "functions", '[');
	views_each_function(html->report.profile, add_listed_function, &(struct function_list){html, json});
	json_close(json, ']');
}

static size_t number_in_view(const struct view *view, size_t node)
{
	return views_function_number(view->html->report.profile, view->own, node);
}

/* --- A view. */

static double error_in_view(const struct view *view, double variance)
{
	return view->profile->has_total_variance ? sqrt(variance) : NAN;
}

static void add_view_calls(const struct view *view, uint64_t calls)
{
	json_add_count_if(view->json, NULL, profile_knows_calls(view->profile, calls), calls);
}

static void add_view_estimate(const struct view *view, const struct profile_node *node)
{
	json_add_rounded(view->json, NULL, profile_node_estimate(node));
	json_add_rounded(view->json, NULL, error_in_view(view, node->estimated_variance));
	json_add_flag(view->json, NULL, node->differs_from_estimate);
	json_add_flag(view->json, NULL, node->was_in_cycle);
	json_add_flag(view->json, NULL, node->is_lower_bound);
}

static void add_view_row(const struct view *view, size_t index)
{
	struct json *json = view->json;
	const struct profile_node *node = &view->profile->nodes[index];

	if (profile_node_total(node) <= 0 && profile_node_calls(node) == 0)
		return;
	json_open(json, NULL, '[');
	json_add_count(json, NULL, number_in_view(view, index));
	json_add_rounded(json, NULL, node->self_time);
	json_add_rounded(json, NULL, sqrt(node->self_variance));
	json_add_rounded(json, NULL, profile_node_total(node));
	json_add_rounded(json, NULL, error_in_view(view, node->total_variance));
	add_view_calls(view, node->calls);
	add_view_calls(view, node->self_calls);
	json_add_number(json, NULL, node->cycle == PROFILE_NONE ? -1 : (double)node->cycle);
	if (view->profile->measurement != NULL)
		add_view_estimate(view, node);
	json_close(json, ']');
}

static void add_view_rows(const struct view *view)
{
	json_open(view->json, "rows", '[');
	for (size_t i = 0; i < view->profile->node_count; i++)
		add_view_row(view, i);
	json_close(view->json, ']');
}

static void add_view_arcs(const struct view *view)
{
	struct json *json = view->json;

	json_open(json, "arcs", '[');
	for (size_t i = 0; i < view->profile->arc_count; i++) {
		const struct profile_arc *arc = &view->profile->arcs[i];

		json_open(json, NULL, '[');
		json_add_count(json, NULL, number_in_view(view, arc->caller));
		json_add_count(json, NULL, number_in_view(view, arc->callee));
		add_view_calls(view, arc->count);
		json_add_rounded(json, NULL, arc->self_time + arc->child_time);
		if (view->profile->measurement != NULL) {
			const struct profile_measured_arc *measured = profile_measured_arc(view->profile, arc);

			json_add_rounded(json, NULL, measured->estimated_time);
			json_add_flag(json, NULL, measured->differs_from_estimate);
			json_add_flag(json, NULL, measured->is_lower_bound);
		}
		json_close(json, ']');
	}
	json_close(json, ']');
}

static void add_view_cycles(const struct view *view)
{
	struct json *json = view->json;

	json_open(json, "cycles", '[');
	for (size_t i = 0; i < view->profile->cycle_count; i++) {
		const struct profile_cycle *cycle = &view->profile->cycles[i];

		json_open(json, NULL, '[');
		json_add_rounded(json, NULL, cycle->self_time + cycle->child_time);
		json_add_rounded(json, NULL, error_in_view(view, cycle->total_variance));
		json_add_count(json, NULL, cycle->calls);
		json_open(json, NULL, '[');
		for (size_t j = 0; j < cycle->member_count; j++)
			json_add_count(json, NULL, number_in_view(view, cycle->members[j]));
		json_close(json, ']');
		json_add_flag(json, NULL, cycle->has_several_callers);
		json_close(json, ']');
	}
	json_close(json, ']');
}

/* Paths come depth first. Each is written as the number of frames that it shares with the previous one, its time, and
 * its other frames. */
static enum status add_view_path(void *context, const struct profile_path *path, struct error *error)
{
	struct view *view = context;
	size_t shared = 0;

	(void)error;
	while (shared < path->depth && shared < view->last_depth && view->last[shared] == path->nodes[shared])
		shared++;
	json_open(view->json, NULL, '[');
	json_add_count(view->json, NULL, shared);
	json_add_rounded(view->json, NULL, path->time);
	for (size_t i = shared; i < path->depth; i++) {
		json_add_count(view->json, NULL, number_in_view(view, path->nodes[i]));
		view->last[i] = path->nodes[i];
	}
	json_close(view->json, ']');
	view->last_depth = path->depth;
	return STATUS_OK;
}

static void add_view_paths(struct view *view)
{
	size_t last[STACKS_DEPTH_MAX + 1];

	view->last = last;
	json_open(view->json, "paths", '[');
	if (view->html->status == STATUS_OK)
		view->html->status = analysis_each_path(view->profile, add_view_path, view, view->html->error);
	json_close(view->json, ']');
	view->last = NULL;
}

/* part: NULL for the whole profile. */
static void add_view(struct html *html, struct json *json, const struct profile *profile,
                     const struct profile_part *part, const char *name, size_t own)
{
	struct view view = {.html = html, .json = json, .profile = profile, .own = own};

	json_open(json, NULL, '{');
	json_add_string(json, "name", name);
	json_add_string(json, "kind", part == NULL ? "" : part->of_context ? "context" : "core");
	json_add_rounded(json, "time", profile->total_time);
	json_add_rounded(json, "samples", profile->total_samples);
	if (profile->measurement != NULL)
		json_add_count(json, "stacks", profile->measurement->stack_count);
	add_view_rows(&view);
	add_view_arcs(&view);
	add_view_cycles(&view);
	add_view_paths(&view);
	json_close(json, '}');
}

static void add_views(struct html *html, struct json *json)
{
	const struct profile *profile = html->report.profile;
	size_t own = views_first_own(profile);

	json_open(json, "views", '[');
	add_view(html, json, profile, NULL, "", own);
	for (size_t i = 0; i < profile->part_count; i++) {
		const struct profile_part *part = &profile->parts[i];
		char name[PART_NAME_MAX];

		add_view(html, json, part->profile, part, part_names_format(part, name), own);
		own = views_next_own(profile, part->profile, own);
	}
	json_close(json, ']');
}

/* The last region is the time outside all regions. */
static void add_regions(const struct html *html, struct json *json)
{
	json_open(json, "regions", '[');
	for (size_t i = 0; i < html->report.profile->region_count; i++) {
		json_open(json, NULL, '[');
		json_add_string(json, NULL,
		                html->report.profile->regions[i].name == NULL ? "<elsewhere>"
		                                                              : html->report.profile->regions[i].name);
		json_add_rounded(json, NULL, html->report.profile->regions[i].time);
		json_close(json, ']');
	}
	json_close(json, ']');
}

void html_print_profile(void *context)
{
	struct html *html = context;
	const struct profile *profile = html->report.profile;
	struct json json = {.stream = html->report.stream, .is_in_html = true};
	char text[VIEWS_PATHS_TEXT_MAX];

	fputs("<script id=\"data\" type=\"application/json\">", html->report.stream);
	json_open(&json, NULL, '{');
	json_add_string(&json, "kind", "profile");
	json_add_string(&json, "unit", json_profile_time_unit(profile->time_unit));
	json_add_string(&json, "paths_text", views_format_paths_text(profile, text));
	json_add_flag(&json, "is_measured", profile->measurement != NULL);
	json_add_flag(&json, "has_estimate", profile_has_estimate(profile));
	add_regions(html, &json);
	add_function_list(html, &json);
	add_views(html, &json);
	html_add_code(html, &json);
	json_close(&json, '}');
	fputs("</script>\n", html->report.stream);
}
