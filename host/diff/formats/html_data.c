/* SPDX-License-Identifier: MIT */
/* The page's data for its script (page/page.js): all rows and arcs, as text and as keys to sort by. */
#include "base/text/json.h"
#include "diff/formats/html.h"
#include "diff/formats/stacks.h"

#include <math.h>

/* Replaces infinity, which JSON does not have. */
#define KEY_MAX 1e300

static const char verdict_marks[] = {
        [COMPARE_UNKNOWN] = ' ',
        [COMPARE_NOISE] = '.',
        [COMPARE_LESS] = '-',
        [COMPARE_MORE] = '+',
};

/* The cells of a row or an arc. */
struct html_cells {
	struct html_cell items[COLUMNS_COUNT];
	size_t count;
};

static void fill_html_cells(const struct diff_page *html, const struct column_item *item, struct html_cells *cells)
{
	cells->count = 0;
	for (size_t i = 0; i < html->column_count; i++)
		if (item->row != NULL || html_is_of_arcs(html, i))
			html_fill_cell(html, i, item, &cells->items[cells->count++]);
}

/* A text, a text with its hint, or the parts of a bar. */
static void add_cell_content(struct json *json, const struct html_cell *cell)
{
	bool is_array = cell->is_bar || cell->hint[0] != '\0';

	if (is_array)
		json_open(json, NULL, '[');
	if (cell->is_bar) {
		json_add_string(json, NULL, cell->bar.interval);
		json_add_string(json, NULL, cell->bar.arrows);
		json_add_string(json, NULL, cell->bar.estimate);
	}
	json_add_string(json, NULL, cell->text);
	if (is_array && !cell->is_bar)
		json_add_string(json, NULL, cell->hint);
	if (is_array)
		json_close(json, ']');
}

static void add_cell_contents(struct json *json, const struct html_cells *cells)
{
	json_open(json, "cells", '[');
	for (size_t i = 0; i < cells->count; i++)
		add_cell_content(json, &cells->items[i]);
	json_close(json, ']');
}

static void add_cell_keys(struct json *json, const struct html_cells *cells)
{
	json_open(json, "keys", '[');
	for (size_t i = 0; i < cells->count; i++) {
		double key = cells->items[i].key;

		json_add_number(json, NULL, isinf(key) ? copysign(KEY_MAX, key) : key);
	}
	json_close(json, ']');
}

static void add_cell_marks(struct json *json, const struct html_cells *cells)
{
	char marks[COLUMNS_COUNT + 1] = "";

	for (size_t i = 0; i < cells->count; i++)
		marks[i] = verdict_marks[cells->items[i].verdict];
	json_add_string(json, "marks", marks);
}

static void add_html_row(struct json *json, const struct diff_page *html, size_t row)
{
	const struct column_item item = item_of_row(&html->comparison->rows[row]);
	struct html_cells cells;

	fill_html_cells(html, &item, &cells);
	json_line(json, 0);
	json_open(json, NULL, '{');
	json_add_string(json, "name", notes_name(&html->output->notes, row));
	json_add_string(json, "note", notes_text(&html->output->notes, row));
	add_cell_contents(json, &cells);
	add_cell_keys(json, &cells);
	add_cell_marks(json, &cells);
	json_add_string(json, "self", (char[]){verdict_marks[item.changes[COMPARE_SELF].verdict], '\0'});
	if (!columns_is_listed(item.row))
		json_add_flag(json, "unlisted", true);
	json_close(json, '}');
}

static void add_html_arc(struct json *json, const struct diff_page *html, const struct compare_arc *arc)
{
	const struct column_item item = item_of_arc(html->comparison, arc);
	struct html_cells cells;

	fill_html_cells(html, &item, &cells);
	json_line(json, 0);
	json_open(json, NULL, '{');
	json_add_count(json, "caller", arc->caller);
	json_add_count(json, "callee", arc->callee);
	json_add_number(json, "time", compare_arc_weight(arc));
	add_cell_contents(json, &cells);
	add_cell_marks(json, &cells);
	json_close(json, '}');
}

static void add_arc_columns(struct json *json, const struct diff_page *html)
{
	json_open(json, "arc_columns", '[');
	for (size_t i = 0; i < html->column_count; i++)
		if (html_is_of_arcs(html, i))
			json_add_count(json, NULL, i);
	json_close(json, ']');
}

/* --- Paths, depth first. A path is written as the number of frames that it shares with the previous path, its samples
 * in the old and in the new build, and its other frames. */

struct path_list {
	struct json *json;
	const struct stacks *stacks;
	size_t rows[STACKS_DEPTH_MAX + 1]; /* rows of the current path, the outermost first */
	size_t written;                    /* frames shared with the last written path */
};

static void add_html_path(struct path_list *list, const struct stacks_frame *frame)
{
	struct json *json = list->json;

	json_open(json, NULL, '[');
	json_add_count(json, NULL, list->written);
	json_add_count(json, NULL, frame->samples[BUILD_OLD]);
	json_add_count(json, NULL, frame->samples[BUILD_NEW]);
	for (size_t i = list->written; i < frame->depth; i++)
		json_add_count(json, NULL, list->rows[i]);
	json_close(json, ']');
	list->written = frame->depth;
}

static void add_html_stacks(struct path_list *list)
{
	const struct stacks_frame *frames = list->stacks->frames;
	size_t i = frames[STACKS_ROOT].first_child;

	while (i != STACKS_ROOT) {
		const struct stacks_frame *frame = &frames[i];

		list->rows[frame->depth - 1] = frame->node;
		if (list->written >= frame->depth)
			list->written = frame->depth - 1;
		if (frame->samples[BUILD_OLD] + frame->samples[BUILD_NEW] > 0)
			add_html_path(list, frame);
		if (frame->first_child != STACKS_ROOT) {
			i = frame->first_child;
			continue;
		}
		while (i != STACKS_ROOT && frames[i].next_sibling == STACKS_ROOT)
			i = frames[i].parent;
		i = frames[i].next_sibling;
	}
}

static enum status add_html_paths(struct json *json, const struct diff_page *html, struct error *error)
{
	struct stacks stacks = {.count = 0};
	double weights[BUILD_COUNT] = {0, 0};
	const bool ok = stacks_of_builds(html->comparison, &stacks, weights);

	json_add_flag(json, "is_measured", stacks_are_measured(html->comparison));
	json_add_string(json, "paths_text", stacks_text(html->comparison));
	json_open(json, "paths", '[');
	if (ok)
		add_html_stacks(&(struct path_list){.json = json, .stacks = &stacks});
	json_close(json, ']');
	json_open(json, "sample_weights", '[');
	json_add_rounded(json, NULL, weights[BUILD_OLD]);
	json_add_rounded(json, NULL, weights[BUILD_NEW]);
	json_close(json, ']');
	stacks_free(&stacks);
	return ok ? STATUS_OK
	          : status_fail(error, "out of memory for the stacks of %zu functions", html->comparison->row_count);
}

enum status html_print_data(const struct diff_page *html, struct error *error)
{
	const struct comparison *comparison = html->comparison;
	struct json json = {.stream = html->stream, .is_in_html = true};

	fputs("<script id=\"data\" type=\"application/json\">", html->stream);
	json_open(&json, NULL, '{');
	json_add_string(&json, "kind", "comparison");
	json_add_count(&json, "changed", comparison->changed_count);
	add_arc_columns(&json, html);
	json_open(&json, "rows", '[');
	for (size_t i = 0; i < comparison->row_count; i++)
		add_html_row(&json, html, i);
	json_close(&json, ']');
	json_open(&json, "arcs", '[');
	for (size_t i = 0; i < comparison->arc_count; i++)
		add_html_arc(&json, html, &comparison->arcs[i]);
	json_close(&json, ']');
	enum status status = add_html_paths(&json, html, error);
	json_close(&json, '}');
	fputs("</script>\n", html->stream);
	return status;
}
