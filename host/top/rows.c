/* SPDX-License-Identifier: MIT */
/* See rows.h. */
#include "top/rows.h"

#include "base/array.h"
#include "base/text/text.h"
#include "profile/measurement.h"
#include "profile/part_names.h"
#include "profile/split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows being made. Names are written to a stream whose memory may move, so rows hold offsets until all names are
 * written. */
struct maker {
	const struct profile *profile;
	struct demangler *demangler;
	const struct top_view *view;
	struct top_rows *rows;
	FILE *stream;
	size_t names_size;
	bool is_short_of_memory;
};

static double percent_of_total(const struct profile *profile, double time)
{
	return profile->total_time > 0 ? 100 * time / profile->total_time : 0;
}

/* The error of a share. A share p of n samples has the variance p (1 - p) / n, whereas the variance of the time
 * contains p / n. The rest of the time's variance is the uncertainty about shared bins and callers. */
static double percent_error(const struct profile *profile, double time, double variance)
{
	if (profile->total_time <= 0 || profile->total_samples <= 0)
		return NAN;
	const double share = time / profile->total_time;
	const double relative = variance / (profile->total_time * profile->total_time);
	return 100 * sqrt(fmax(relative - share * share / profile->total_samples, 0));
}

static struct top_row empty_row(void)
{
	struct top_row row = {.kind = PROFILE_FUNCTION, .node = PROFILE_NONE};

	for (size_t i = 0; i < TOP_FIGURES; i++)
		row.figures[i] = NAN;
	return row;
}

static void print_node_name(const struct maker *maker, size_t node)
{
	const struct profile_node *of = &maker->profile->nodes[node];

	text_print(maker->stream, of->kind == PROFILE_FUNCTION ? demangler_name(maker->demangler, of->name) : of->name);
	if (of->cycle != PROFILE_NONE)
		fprintf(maker->stream, " <cycle %zu>", of->cycle + 1);
}

/* Adds a row. Its name is the text printed since the previous row. */
static void append_row(struct maker *maker, struct top_row *row)
{
	const size_t begin = maker->names_size;

	fputc('\0', maker->stream);
	fflush(maker->stream);
	maker->names_size = (size_t)ftell(maker->stream);
	row->name_offset = begin;
	if (ferror(maker->stream) || !array_append(&maker->rows->rows, &maker->rows->count, row, sizeof *row))
		maker->is_short_of_memory = true;
}

static void add_function_row(struct maker *maker, size_t index, enum top_relation relation)
{
	const struct profile *profile = maker->profile;
	const struct profile_node *node = &profile->nodes[index];
	const double total = profile_node_total(node);
	/* The part of each period that sampling takes is known exactly. */
	const double known = profile_node_handler_time(profile, index);
	struct top_row row = empty_row();

	row.node = index;
	row.kind = node->kind;
	row.relation = relation;
	row.figures[TOP_SELF] = percent_of_total(profile, node->self_time);
	row.figures[TOP_TOTAL] = percent_of_total(profile, total);
	/* Without samples there is no error to show, although the function may have run. */
	if (node->self_samples > 0)
		row.figures[TOP_SELF_ERROR] = percent_error(profile, node->self_time - known, node->self_variance);
	row.is_lower_bound = node->is_lower_bound;
	if (total > 0 && profile->has_total_variance && !node->is_lower_bound)
		row.figures[TOP_TOTAL_ERROR] = percent_error(profile, total - known, node->total_variance);
	if (profile_node_calls(node) > 0)
		row.figures[TOP_CALLS] = (double)profile_node_calls(node);
	if (node->calls > 0 && total > 0)
		row.figures[TOP_CALL_TIME] = total / (double)node->calls;
	print_node_name(maker, index);
	append_row(maker, &row);
}

/* Whether the function may have run. A function with measured total time may be on stacks without samples or counted
 * calls. Hidden callers stand for time that other callers may lack. */
static bool has_run(const struct profile *profile, const struct profile_node *node)
{
	bool may_run = node->kind == PROFILE_FUNCTION || profile_is_hidden(node->kind);

	if (profile->measurement != NULL && may_run && profile_node_total(node) > 0)
		return true;
	return node->self_samples > 0 || node->self_time > 0 || profile_node_calls(node) > 0;
}

static void add_function_rows(struct maker *maker)
{
	for (size_t i = 0; i < maker->profile->node_count; i++)
		if (has_run(maker->profile, &maker->profile->nodes[i]))
			add_function_row(maker, i, TOP_ITSELF);
}

/* A row with the figures of an arc; Enter on it shows the node. */
static struct top_row row_of_arc(const struct profile *profile, const struct profile_arc *arc, size_t node)
{
	const double time = arc->self_time + arc->child_time;
	struct top_row row = empty_row();

	row.node = node;
	row.kind = profile->nodes[node].kind;
	if (arc->count > 0)
		row.figures[TOP_CALLS] = (double)arc->count;
	if (!profile_arc_is_timed(profile, arc))
		return row;
	row.is_lower_bound = profile_measured_arc(profile, arc)->is_lower_bound;
	row.figures[TOP_TOTAL] = percent_of_total(profile, time);
	if (time > 0 && arc->count > 0)
		row.figures[TOP_CALL_TIME] = time / (double)arc->count;
	return row;
}

/* Whether an arc was counted or seen on stacks. Static calls were not. */
static bool was_made(const struct profile *profile, const struct profile_arc *arc)
{
	return arc->count > 0 || profile_measured_arc(profile, arc)->is_on_stacks;
}

static void add_arc_rows(struct maker *maker)
{
	for (size_t i = 0; i < maker->profile->arc_count; i++) {
		const struct profile_arc *arc = &maker->profile->arcs[i];
		struct top_row row = row_of_arc(maker->profile, arc, arc->callee);

		if (!was_made(maker->profile, arc))
			continue;
		print_node_name(maker, arc->caller);
		fputs(" -> ", maker->stream);
		print_node_name(maker, arc->callee);
		append_row(maker, &row);
	}
}

static void add_context_row(struct maker *maker, const struct profile_context *context)
{
	const struct profile *profile = maker->profile;
	struct top_row row = empty_row();

	row.figures[TOP_SELF] = percent_of_total(profile, context->time);
	if (context->samples > 0)
		row.figures[TOP_SELF_ERROR] =
		        percent_error(profile, context->time, context->time * context->time / context->samples);
	if (context->switches != CAPTURE_UNKNOWN)
		row.figures[TOP_SWITCHES] = (double)context->switches;
	if (context->calls > 0)
		row.figures[TOP_CALLS] = (double)context->calls;
	if (context->time > 0 && profile_knows_recorder(profile))
		row.figures[TOP_RECORDER] = 100 * context->recorder_time / context->time;
	part_names_print_context(maker->stream, context->number, context->name, context->is_rest);
	append_row(maker, &row);
}

static void add_context_rows(struct maker *maker)
{
	for (size_t i = 0; i < maker->profile->context_count; i++)
		add_context_row(maker, &maker->profile->contexts[i]);
}

static void add_relative_row(struct maker *maker, const struct profile_arc *arc, enum top_relation relation)
{
	const size_t node = relation == TOP_CALLER ? arc->caller : arc->callee;
	struct top_row row = row_of_arc(maker->profile, arc, node);

	if (!was_made(maker->profile, arc) || arc->caller == arc->callee)
		return;
	row.relation = relation;
	fputs(relation == TOP_CALLER ? "called by " : "calls ", maker->stream);
	print_node_name(maker, node);
	append_row(maker, &row);
}

static void add_entry_rows(struct maker *maker)
{
	const struct profile *profile = maker->profile;
	const size_t node = top_place_find(&maker->view->place, profile);

	if (node == PROFILE_NONE)
		return;
	for (size_t i = profile->first_parent[node]; i < profile->first_parent[node + 1]; i++)
		add_relative_row(maker, &profile->arcs[profile->parent_arcs[i]], TOP_CALLER);
	add_function_row(maker, node, TOP_ITSELF);
	for (size_t i = profile->first_arc[node]; i < profile->first_arc[node + 1]; i++)
		add_relative_row(maker, &profile->arcs[i], TOP_CALLEE);
}

/* An entry is not filtered: the user wants all callers and callees of the chosen function. */
static void filter_rows(struct maker *maker)
{
	struct top_rows *rows = maker->rows;
	size_t kept = 0;

	if (maker->view->list == TOP_ENTRY)
		return;
	for (size_t i = 0; i < rows->count; i++)
		if (top_filter_matches(&maker->view->filter, rows->rows[i].name))
			rows->rows[kept++] = rows->rows[i];
	rows->hidden = rows->count - kept;
	rows->count = kept;
}

/* Rows without the figure are last in either order. */
static int compare_figures(double left, double right, bool is_reversed)
{
	if (isnan(left) || isnan(right))
		return isnan(left) - isnan(right);
	const int order = (left < right) - (left > right);
	return is_reversed ? -order : order;
}

static int compare_top_rows(const void *left, const void *right, void *context)
{
	const struct top_row *a = left, *b = right;
	const struct top_view *view = context;
	const enum top_figure by = view->sort[view->list];
	int order = (int)a->relation - (int)b->relation;

	if (order == 0 && by < TOP_FIGURES)
		order = compare_figures(a->figures[by], b->figures[by], view->is_reversed);
	if (order == 0)
		order = strcmp(a->name, b->name);
	if (by == TOP_NAME && view->is_reversed && a->relation == b->relation)
		order = -order;
	/* Functions with the same name keep the order of their addresses. */
	return order != 0 ? order : (a->node > b->node) - (a->node < b->node);
}

/* Turns offsets into names. */
static bool finish_names(struct maker *maker)
{
	if (fclose(maker->stream) != 0 || maker->is_short_of_memory)
		return false;
	for (size_t i = 0; i < maker->rows->count; i++)
		maker->rows->rows[i].name = maker->rows->names + maker->rows->rows[i].name_offset;
	return true;
}

enum status top_rows_make(const struct profile *profile, struct demangler *demangler, const struct top_view *view,
                          struct top_rows *rows, struct error *error)
{
	static void (*const add[TOP_LISTS])(struct maker * maker) = {
	        [TOP_FUNCTIONS] = add_function_rows,
	        [TOP_ARCS] = add_arc_rows,
	        [TOP_CONTEXTS] = add_context_rows,
	        [TOP_ENTRY] = add_entry_rows,
	};
	struct maker maker = {.profile = profile, .demangler = demangler, .view = view, .rows = rows};
	size_t size;

	*rows = (struct top_rows){0};
	maker.stream = open_memstream(&rows->names, &size);
	if (maker.stream == NULL)
		return status_no_memory(error, profile->image->path);
	add[view->list](&maker);
	if (!finish_names(&maker)) {
		rows->count = 0;
		return status_no_memory(error, profile->image->path);
	}
	filter_rows(&maker);
	if (rows->count > 0)
		qsort_r(rows->rows, rows->count, sizeof *rows->rows, compare_top_rows, (void *)(uintptr_t)view);
	return STATUS_OK;
}

void top_rows_free(struct top_rows *rows)
{
	free(rows->rows);
	free(rows->names);
	*rows = (struct top_rows){0};
}

void top_view_begin(struct top_view *view)
{
	*view = (struct top_view){
	        .sort = {[TOP_FUNCTIONS] = TOP_SELF,
	                 [TOP_ARCS] = TOP_TOTAL,
	                 [TOP_CONTEXTS] = TOP_SELF,
	                 [TOP_ENTRY] = TOP_TOTAL},
	};
}

void top_place_free(struct top_place *place)
{
	free(place->name);
	*place = (struct top_place){0};
}

bool top_place_set(struct top_place *place, const struct profile *profile, size_t node)
{
	const struct profile_node *of = &profile->nodes[node];
	char *name = strdup(of->name);

	top_place_free(place);
	if (name != NULL)
		*place = (struct top_place){name, of->kind, of->address};
	return name != NULL;
}

size_t top_place_find(const struct top_place *place, const struct profile *profile)
{
	size_t found = PROFILE_NONE;

	for (size_t i = 0; place->name != NULL && i < profile->node_count; i++) {
		const struct profile_node *node = &profile->nodes[i];

		if (node->kind != place->kind || strcmp(node->name, place->name) != 0)
			continue;
		if (node->address == place->address)
			return i;
		found = found == PROFILE_NONE ? i : found;
	}
	return found;
}
