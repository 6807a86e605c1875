/* SPDX-License-Identifier: MIT */
/* The columns of the page: text, sort key and bar of each cell. */
#include "diff/formats/html.h"

#include <math.h>

/* The part of its quantity that a column shows. */
struct part {
	const char *title;
	void (*format)(const struct html *html, const struct html_item *item, enum compare_quantity quantity,
	               char text[FORMAT_SIZE]);
	double (*key)(const struct compare_change *change);
	bool has_unit;  /* that of the quantity */
	bool is_judged; /* shows what the verdict is */
	bool is_bar;
	bool has_hint;   /* its interval */
	bool is_of_arcs; /* too, of quantities that they have */
};

struct html_column {
	const char *title;
	enum compare_quantity quantity;
	const struct part *part;
};

/* NULL if the quantity is not a time. */
static const struct format_unit *unit_of(const struct html *html, enum compare_quantity quantity)
{
	if (quantity == COMPARE_PER_CALL_TIME)
		return &html->call_unit;
	return quantity == COMPARE_SELF || quantity == COMPARE_TOTAL ? &html->unit : NULL;
}

static void format_value(const struct html *html, const struct html_item *item, enum compare_quantity quantity,
                         enum build build, char text[FORMAT_SIZE])
{
	const struct stats_change *values = &item->changes[quantity].values;
	const struct format_unit *unit = unit_of(html, quantity);
	double value = build == BUILD_OLD ? values->old : values->new;
	if (quantity == COMPARE_CALLS)
		format_calls_of(&item->changes[quantity], build, item->is_inlined[build], text);
	else if (unit == NULL)
		format_calls(value, text);
	else if (item->is_timed[build])
		format_time(unit, value, text);
	else
		text[0] = '\0';
}

static void format_old(const struct html *html, const struct html_item *item, enum compare_quantity quantity,
                       char text[FORMAT_SIZE])
{
	format_value(html, item, quantity, BUILD_OLD, text);
}

static void format_new(const struct html *html, const struct html_item *item, enum compare_quantity quantity,
                       char text[FORMAT_SIZE])
{
	format_value(html, item, quantity, BUILD_NEW, text);
}

static void format_ratio_of(const struct html *html, const struct html_item *item, enum compare_quantity quantity,
                            char text[FORMAT_SIZE])
{
	(void)html;
	text[0] = '\0';
	if (item->row != NULL)
		format_change(item->row, quantity, text);
	else if (quantity == COMPARE_CALLS || (item->is_timed[BUILD_OLD] && item->is_timed[BUILD_NEW]))
		format_ratio(item->changes[quantity].values.ratio, text);
}

static void format_interval_of(const struct html *html, const struct html_item *item, enum compare_quantity quantity,
                               char text[FORMAT_SIZE])
{
	const struct stats_change *values = &item->changes[quantity].values;
	(void)html;
	text[0] = '\0';
	if (!isnan(values->ratio))
		format_interval(&values->ratio_interval, text);
}

static void format_q(const struct html *html, const struct html_item *item, enum compare_quantity quantity,
                     char text[FORMAT_SIZE])
{
	(void)html;
	double q = item->changes[quantity].q;
	text[0] = '\0';
	if (q < 0.001)
		snprintf(text, FORMAT_SIZE, "<0.001");
	else if (!isnan(q))
		snprintf(text, FORMAT_SIZE, "%.3f", q);
}

static double key_old(const struct compare_change *change)
{
	return change->values.old;
}

static double key_new(const struct compare_change *change)
{
	return change->values.new;
}

static double key_ratio(const struct compare_change *change)
{
	return change->values.ratio;
}

static double key_difference(const struct compare_change *change)
{
	return change->values.new - change->values.old;
}

static double key_q(const struct compare_change *change)
{
	return change->q;
}

static const struct part part_old = {
        .title = "old", .format = format_old, .key = key_old, .has_unit = true, .is_of_arcs = true};
static const struct part part_new = {
        .title = "new", .format = format_new, .key = key_new, .has_unit = true, .is_of_arcs = true};
static const struct part part_change = {
        .title = "change", .format = format_ratio_of, .key = key_ratio, .is_judged = true, .is_of_arcs = true};
static const struct part part_change_with_hint = {.title = "change",
                                                  .format = format_ratio_of,
                                                  .key = key_ratio,
                                                  .is_judged = true,
                                                  .has_hint = true,
                                                  .is_of_arcs = true};
static const struct part part_bar = {
        .title = "difference", .format = format_interval_of, .key = key_difference, .is_judged = true, .is_bar = true};
static const struct part part_q = {.title = "q", .format = format_q, .key = key_q};

static const struct html_column columns[] = {
        {"self", COMPARE_SELF, &part_old},
        {"self", COMPARE_SELF, &part_new},
        {"self", COMPARE_SELF, &part_change},
        {"self", COMPARE_SELF, &part_bar},
        {"total", COMPARE_TOTAL, &part_old},
        {"total", COMPARE_TOTAL, &part_new},
        {"total", COMPARE_TOTAL, &part_change_with_hint},
        {"calls", COMPARE_CALLS, &part_old},
        {"calls", COMPARE_CALLS, &part_new},
        {"calls", COMPARE_CALLS, &part_change},
        {"self/call", COMPARE_PER_CALL_TIME, &part_old},
        {"self/call", COMPARE_PER_CALL_TIME, &part_new},
        {"size", COMPARE_SIZE, &part_old},
        {"size", COMPARE_SIZE, &part_new},
        {"self", COMPARE_SELF, &part_q},
};

_Static_assert(sizeof columns / sizeof *columns <= HTML_COLUMNS_MAX, "html->columns has room for all");

static bool is_known(const struct comparison *comparison, const struct html_column *column)
{
	for (size_t i = 0; i < comparison->row_count; i++)
		if (!isnan(column->part->key(&comparison->rows[i].changes[column->quantity])))
			return true;
	return false;
}

void html_find_columns(struct html *html)
{
	html->unit = format_unit_of_rows(html->comparison);
	html->call_unit = format_unit_of_calls(html->comparison);
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		if (is_known(html->comparison, &columns[i]))
			html->columns[html->column_count++] = &columns[i];
}

struct html_item html_item_of_row(const struct html *html, size_t index)
{
	const struct compare_row *row = &html->comparison->rows[index];
	return (struct html_item){
	        .row = row,
	        .changes = row->changes,
	        .is_timed = {row->names[BUILD_OLD] != NULL, row->names[BUILD_NEW] != NULL},
	        .is_inlined = {format_is_inlined(row, BUILD_OLD), format_is_inlined(row, BUILD_NEW)},
	};
}

struct html_item html_item_of_arc(const struct html *html, const struct compare_arc *arc)
{
	return (struct html_item){.changes = arc->changes,
	                          .is_timed = {compare_arc_is_timed(html->comparison, BUILD_OLD, arc),
	                                       compare_arc_is_timed(html->comparison, BUILD_NEW, arc)},
	                          .is_inlined = {arc->is_inlined[BUILD_OLD], arc->is_inlined[BUILD_NEW]}};
}

#define BAR_END   100
#define ARROW_END 92 /* of the line before an arrow */

/* Infinite of 0 and of infinity. */
static double place_in_bar(double ratio)
{
	return BAR_END * log2(ratio) / 2;
}

static double place_of_end(double place)
{
	return place < -BAR_END ? -ARROW_END : place > BAR_END ? ARROW_END : place;
}

static void draw_bar(const struct stats_change *values, struct html_bar *bar)
{
	double low = place_in_bar(values->ratio_interval.low), high = place_in_bar(values->ratio_interval.high);
	double estimate = place_in_bar(values->ratio);
	if (isnan(estimate))
		return;
	if (!isnan(low) && !isnan(high))
		snprintf(bar->interval, sizeof bar->interval, "M%.1f 0H%.1f", place_of_end(low), place_of_end(high));
	if (fabs(estimate) <= BAR_END)
		snprintf(bar->estimate, sizeof bar->estimate, "M%.1f-5V5", estimate);
	snprintf(bar->arrows, sizeof bar->arrows, "%s%s", low < -BAR_END ? "M-100 0l8-6v12z" : "",
	         high > BAR_END ? "M100 0l-8-6v12z" : "");
}

void html_fill_cell(const struct html *html, size_t column, const struct html_item *item, struct html_cell *cell)
{
	enum compare_quantity quantity = html->columns[column]->quantity;
	const struct part *part = html->columns[column]->part;
	const struct compare_change *change = &item->changes[quantity];
	*cell = (struct html_cell){.key = part->key(change), .is_bar = part->is_bar};
	part->format(html, item, quantity, cell->text);
	if (part->is_judged)
		cell->verdict = change->verdict;
	if (part->has_hint && cell->text[0] != '\0')
		format_interval_of(html, item, quantity, cell->hint);
	if (part->is_bar)
		draw_bar(&change->values, &cell->bar);
}

/* "" if the quantity has no unit. */
static const char *name_of_unit(const struct html *html, enum compare_quantity quantity)
{
	const struct format_unit *unit = unit_of(html, quantity);
	if (unit != NULL)
		return unit->name;
	return quantity == COMPARE_SIZE ? "bytes" : "";
}

void html_print_title(const struct html *html, size_t column)
{
	const struct html_column *titled = html->columns[column];
	fprintf(html->stream, "%s %s", titled->title, titled->part->title);
	if (titled->part->has_unit)
		fprintf(html->stream, " <small>%s</small>", name_of_unit(html, titled->quantity));
	if (titled->part->is_bar)
		fprintf(html->stream,
		        " <small>%.4g %% interval</small> <span class=\"axis\"><span>-50 %%</span> "
		        "<span>0</span> <span>+100 %%</span></span>",
		        100 * html->comparison->confidence);
}

bool html_is_of_arcs(const struct html *html, size_t column)
{
	return html->columns[column]->part->is_of_arcs && html->columns[column]->quantity <= COMPARE_CALLS;
}
