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
struct row_builder {
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

static void print_node_name(const struct row_builder *builder, size_t index)
{
	const struct profile_node *node = &builder->profile->nodes[index];

	text_print(builder->stream,
	           node->kind == PROFILE_FUNCTION ? demangler_name(builder->demangler, node->name) : node->name);
	if (node->cycle != PROFILE_NONE)
		fprintf(builder->stream, " <cycle %zu>", node->cycle + 1);
}

/* Adds a row. Its name is the text printed since the previous row. */
static void append_row(struct row_builder *builder, struct top_row *row)
{
	const size_t begin = builder->names_size;

	fputc('\0', builder->stream);
	fflush(builder->stream);
	builder->names_size = (size_t)ftell(builder->stream);
	row->name_offset = begin;
	if (ferror(builder->stream) || !array_append(&builder->rows->rows, &builder->rows->count, row, sizeof *row))
		builder->is_short_of_memory = true;
}

static void add_function_row(struct row_builder *builder, size_t index, enum top_relation relation)
{
	const struct profile *profile = builder->profile;
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
	print_node_name(builder, index);
	append_row(builder, &row);
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

static void add_function_rows(struct row_builder *builder)
{
	for (size_t i = 0; i < builder->profile->node_count; i++)
		if (has_run(builder->profile, &builder->profile->nodes[i]))
			add_function_row(builder, i, TOP_ITSELF);
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

/* Whether calls along the arc were counted or seen on stacks; false for an arc of static calls only. */
static bool was_called(const struct profile *profile, const struct profile_arc *arc)
{
	return arc->count > 0 || profile_measured_arc(profile, arc)->is_on_stacks;
}

static void add_arc_rows(struct row_builder *builder)
{
	for (size_t i = 0; i < builder->profile->arc_count; i++) {
		const struct profile_arc *arc = &builder->profile->arcs[i];
		struct top_row row = row_of_arc(builder->profile, arc, arc->callee);

		if (!was_called(builder->profile, arc))
			continue;
		print_node_name(builder, arc->caller);
		fputs(" -> ", builder->stream);
		print_node_name(builder, arc->callee);
		append_row(builder, &row);
	}
}

static void add_context_row(struct row_builder *builder, const struct profile_context *context)
{
	const struct profile *profile = builder->profile;
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
	part_names_print_context(builder->stream, context->number, context->name, context->is_rest);
	append_row(builder, &row);
}

static void add_context_rows(struct row_builder *builder)
{
	for (size_t i = 0; i < builder->profile->context_count; i++)
		add_context_row(builder, &builder->profile->contexts[i]);
}

static void add_relative_row(struct row_builder *builder, const struct profile_arc *arc, enum top_relation relation)
{
	const size_t node = relation == TOP_CALLER ? arc->caller : arc->callee;
	struct top_row row = row_of_arc(builder->profile, arc, node);

	if (!was_called(builder->profile, arc) || arc->caller == arc->callee)
		return;
	row.relation = relation;
	fputs(relation == TOP_CALLER ? "called by " : "calls ", builder->stream);
	print_node_name(builder, node);
	append_row(builder, &row);
}

static void add_entry_rows(struct row_builder *builder)
{
	const struct profile *profile = builder->profile;
	const size_t node = top_place_find(&builder->view->place, profile);

	if (node == PROFILE_NONE)
		return;
	for (size_t i = profile->first_parent[node]; i < profile->first_parent[node + 1]; i++)
		add_relative_row(builder, &profile->arcs[profile->parent_arcs[i]], TOP_CALLER);
	add_function_row(builder, node, TOP_ITSELF);
	for (size_t i = profile->first_arc[node]; i < profile->first_arc[node + 1]; i++)
		add_relative_row(builder, &profile->arcs[i], TOP_CALLEE);
}

/* An entry is not filtered: the user wants all callers and callees of the chosen function. */
static void filter_rows(struct row_builder *builder)
{
	struct top_rows *rows = builder->rows;
	size_t kept = 0;

	if (builder->view->list == TOP_ENTRY)
		return;
	for (size_t i = 0; i < rows->count; i++)
		if (top_filter_matches(&builder->view->filter, rows->rows[i].name))
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
static bool finish_names(struct row_builder *builder)
{
	if (fclose(builder->stream) != 0 || builder->is_short_of_memory)
		return false;
	for (size_t i = 0; i < builder->rows->count; i++)
		builder->rows->rows[i].name = builder->rows->names + builder->rows->rows[i].name_offset;
	return true;
}

enum status top_rows_make(const struct profile *profile, struct demangler *demangler, const struct top_view *view,
                          struct top_rows *rows, struct error *error)
{
	static void (*const add[TOP_LISTS])(struct row_builder * builder) = {
	        [TOP_FUNCTIONS] = add_function_rows,
	        [TOP_ARCS] = add_arc_rows,
	        [TOP_CONTEXTS] = add_context_rows,
	        [TOP_ENTRY] = add_entry_rows,
	};
	struct row_builder builder = {.profile = profile, .demangler = demangler, .view = view, .rows = rows};
	size_t size;

	*rows = (struct top_rows){0};
	builder.stream = open_memstream(&rows->names, &size);
	if (builder.stream == NULL)
		return status_no_memory(error, profile->image->path);
	add[view->list](&builder);
	if (!finish_names(&builder)) {
		rows->count = 0;
		return status_no_memory(error, profile->image->path);
	}
	filter_rows(&builder);
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
	const struct profile_node *target = &profile->nodes[node];
	char *name = strdup(target->name);

	top_place_free(place);
	if (name != NULL)
		*place = (struct top_place){name, target->kind, target->address};
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
