/* SPDX-License-Identifier: MIT */
/* The columns of the page: text, sort key and bar of each cell. */
#include "diff/formats/html.h"

#include <math.h>

/* The sort key of a column; NAN: unknown. */
static double sort_key_of(const struct column *column, const struct compare_change *changes)
{
	const struct compare_change *change = &changes[column->quantity];
	const double keys[] = {
	        [PART_OLD] = change->values.old,
	        [PART_NEW] = change->values.new,
	        [PART_CHANGE] = change->values.ratio,
	        [PART_BAR] = change->values.new - change->values.old,
	        [PART_Q] = change->q,
	};

	return keys[column->part];
}

static bool has_sort_key(const struct comparison *comparison, const struct column *column)
{
	for (size_t i = 0; i < comparison->row_count; i++)
		if (!isnan(sort_key_of(column, comparison->rows[i].changes)))
			return true;
	return false;
}

void html_find_columns(struct diff_page *html)
{
	html->unit = format_unit_of_rows(html->comparison);
	html->call_unit = format_unit_of_calls(html->comparison);
	for (size_t i = 0; i < COLUMNS_COUNT; i++)
		if (columns_table[i].is_in_page && has_sort_key(html->comparison, &columns_table[i]))
			html->columns[html->column_count++] = &columns_table[i];
}

/* The unit of times. */
static const struct format_unit *unit_of_quantity(const struct diff_page *html, enum compare_quantity quantity)
{
	return quantity == COMPARE_PER_CALL_TIME ? &html->call_unit : &html->unit;
}

static void format_q(double q, char text[FORMAT_SIZE])
{
	text[0] = '\0';
	if (q < 0.001)
		snprintf(text, FORMAT_SIZE, "<0.001");
	else if (!isnan(q))
		snprintf(text, FORMAT_SIZE, "%.3f", q);
}

#define BAR_END   100
#define ARROW_END 92 /* the end of the line before an arrow */

/* Infinite for the ratios 0 and infinity. */
static double place_in_bar(double ratio)
{
	return BAR_END * log2(ratio) / 2;
}

static double place_of_end(double place)
{
	return place < -BAR_END ? -ARROW_END : place > BAR_END ? ARROW_END : place;
}

static void draw_change_bar(const struct stats_change *values, struct html_bar *bar)
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

void html_fill_cell(const struct diff_page *html, size_t column, const struct column_item *item, struct html_cell *cell)
{
	const struct column *filled = html->columns[column];
	enum compare_quantity quantity = filled->quantity;
	const struct compare_change *change = &item->changes[quantity];

	*cell = (struct html_cell){.key = sort_key_of(filled, item->changes), .is_bar = filled->part == PART_BAR};
	if (filled->part == PART_CHANGE || filled->part == PART_BAR)
		cell->verdict = change->verdict;
	switch (filled->part) {
	case PART_CHANGE:
		item_ratio(item, quantity, cell->text);
		if (quantity == COMPARE_TOTAL && cell->text[0] != '\0')
			item_confidence_interval(item, quantity, cell->hint);
		break;
	case PART_BAR:
		item_confidence_interval(item, quantity, cell->text);
		draw_change_bar(&change->values, &cell->bar);
		break;
	case PART_Q:
		format_q(change->q, cell->text);
		break;
	default:
		item_value(item, quantity, (enum build)filled->part, unit_of_quantity(html, quantity), cell->text);
	}
}

void html_print_title(const struct diff_page *html, size_t column)
{
	const struct column *titled = html->columns[column];
	enum compare_quantity quantity = titled->quantity;

	fprintf(html->stream, "%s %s", titled->top, titled->bottom);
	if (titled->part <= PART_NEW)
		fprintf(html->stream, " <small>%s</small>",
		        quantity == COMPARE_SIZE    ? "bytes"
		        : quantity == COMPARE_CALLS ? ""
		                                    : unit_of_quantity(html, quantity)->name);
	if (titled->part == PART_BAR)
		fprintf(html->stream,
		        " <small>%.4g %% interval</small> <span class=\"axis\"><span>-50 %%</span> "
		        "<span>0</span> <span>+100 %%</span></span>",
		        100 * html->comparison->confidence);
}

bool html_is_of_arcs(const struct diff_page *html, size_t column)
{
	return html->columns[column]->part <= PART_CHANGE && html->columns[column]->quantity <= COMPARE_CALLS;
}
