/* SPDX-License-Identifier: MIT */
/* See layout.h. */
#include "report/gprof/layout.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Below this, a number times 10,000 has an error much smaller than one half. */
#define QUICK_LIMIT 1e11

void layout_begin(struct layout *layout, FILE *stream)
{
	layout->stream = stream;
	layout->used = 0;
}

void layout_flush(struct layout *layout)
{
	fwrite(layout->bytes, 1, layout->used, layout->stream);
	layout->used = 0;
}

/* Reserves size bytes, which are then in use; size is small. */
static char *reserve_layout(struct layout *layout, size_t size)
{
	if (size > LAYOUT_SIZE - layout->used)
		layout_flush(layout);
	char *places = layout->bytes + layout->used;
	layout->used += size;
	return places;
}

static void put_bytes(struct layout *layout, const char *bytes, size_t size)
{
	if (size <= LAYOUT_SIZE) {
		memcpy(reserve_layout(layout, size), bytes, size);
		return;
	}
	layout_flush(layout);
	fwrite(bytes, 1, size, layout->stream);
}

void layout_text(struct layout *layout, const char *text)
{
	put_bytes(layout, text, strlen(text));
}

/* Copies of a constant size compile to few instructions; the excess bytes are overwritten later. */
void layout_spaces(struct layout *layout, size_t count)
{
	for (; count > LAYOUT_SLACK; count -= LAYOUT_SLACK)
		memset(reserve_layout(layout, LAYOUT_SLACK), ' ', LAYOUT_SLACK);
	memset(reserve_layout(layout, count), ' ', LAYOUT_SLACK);
}

static size_t field_of(int width)
{
	return width < 0 ? 0 - (size_t)width : (size_t)width;
}

static void put_justified(struct layout *layout, const char *bytes, size_t size, int width)
{
	size_t field = field_of(width);
	size_t padding = field > size ? field - size : 0;

	if (width > 0)
		layout_spaces(layout, padding);
	put_bytes(layout, bytes, size);
	if (width < 0)
		layout_spaces(layout, padding);
}

void layout_cell(struct layout *layout, const char *text, int width)
{
	put_justified(layout, text, strlen(text), width);
}

void layout_cut_cell(struct layout *layout, const char *text, int width)
{
	put_justified(layout, text, strnlen(text, field_of(width)), width);
}

/* A number, written backwards from its end, with spaces on both sides for padding. */
struct number {
	char bytes[3 * LAYOUT_SLACK];
	char *begin;
};

static char *end_of(struct number *number)
{
	return number->bytes + 2 * LAYOUT_SLACK;
}

static void begin_number(struct number *number)
{
	memset(number->bytes, ' ', sizeof number->bytes);
	number->begin = end_of(number);
}

/* Writes at least this many digits of value before position; returns the rest of the value. */
static uint64_t write_digits(struct number *number, uint64_t value, int count)
{
	for (; count > 0; value /= 10, count--)
		*--number->begin = (char)('0' + value % 10);
	return value;
}

static void write_all_digits(struct number *number, uint64_t value)
{
	do
		value = write_digits(number, value, 1);
	while (value > 0);
}

static void put_number(struct layout *layout, struct number *number, int width)
{
	size_t size = (size_t)(end_of(number) - number->begin), field = field_of(width);

	if (field > LAYOUT_SLACK) {
		put_justified(layout, number->begin, size, width);
		return;
	}
	size_t length = field > size ? field : size;
	const char *begin = width > 0 ? end_of(number) - length : number->begin;
	memcpy(reserve_layout(layout, length), begin, LAYOUT_SLACK);
}

void layout_count(struct layout *layout, uint64_t count, int width)
{
	struct number number;

	begin_number(&number);
	write_all_digits(&number, count);
	put_number(layout, &number, width);
}

void layout_bracketed(struct layout *layout, uint64_t count, const char *brackets, int width)
{
	struct number number;

	begin_number(&number);
	*--number.begin = brackets[1];
	write_all_digits(&number, count);
	*--number.begin = brackets[0];
	put_number(layout, &number, width);
}

/* number * scale, rounded to the nearest integer, halves to even, as if the product were exact. */
static uint64_t round_product(double number, double scale)
{
	double product = number * scale;
	uint64_t whole = (uint64_t)product;
	double rest = product - (double)whole;

	if (rest > 0.5 || rest < 0.5)
		return whole + (rest > 0.5 ? 1 : 0);
	double error = fma(number, scale, -product);
	bool is_odd = (whole & 1) != 0;
	return whole + (error > 0 || (error == 0 && is_odd) ? 1 : 0);
}

void layout_number(struct layout *layout, double number, int width, int decimals)
{
	static const double scales[] = {1, 10, 100, 1000, 10000};

	if (!(number >= 0 && number < QUICK_LIMIT) || signbit(number)) {
		char digits[400];
		int size = snprintf(digits, sizeof digits, "%.*f", decimals, number);

		put_justified(layout, digits, (size_t)size, width);
		return;
	}
	struct number written;
	begin_number(&written);
	uint64_t rounded = round_product(number, scales[decimals]);
	rounded = write_digits(&written, rounded, decimals);
	if (decimals > 0)
		*--written.begin = '.';
	write_all_digits(&written, rounded);
	put_number(layout, &written, width);
}
