/* SPDX-License-Identifier: MIT */
/* See columns.h. */
#include "output/columns.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Below, a number times 10,000 is exact to far less than a half. */
#define QUICK_LIMIT 1e11

void columns_begin(struct columns *columns, FILE *stream)
{
	columns->stream = stream;
	columns->used = 0;
}

void columns_flush(struct columns *columns)
{
	fwrite(columns->bytes, 1, columns->used, columns->stream);
	columns->used = 0;
}

static void put(struct columns *columns, const char *bytes, size_t size)
{
	if (size > sizeof columns->bytes - columns->used)
		columns_flush(columns);
	if (size > sizeof columns->bytes) {
		fwrite(bytes, 1, size, columns->stream);
		return;
	}
	memcpy(columns->bytes + columns->used, bytes, size);
	columns->used += size;
}

void columns_text(struct columns *columns, const char *text)
{
	put(columns, text, strlen(text));
}

void columns_spaces(struct columns *columns, size_t count)
{
	static const char spaces[] = "                                                                ";
	for (; count > sizeof spaces - 1; count -= sizeof spaces - 1)
		put(columns, spaces, sizeof spaces - 1);
	put(columns, spaces, count);
}

static size_t field_of(int width)
{
	return width < 0 ? 0 - (size_t)width : (size_t)width;
}

static void justify(struct columns *columns, const char *bytes, size_t size, int width)
{
	size_t field = field_of(width);
	size_t padding = field > size ? field - size : 0;
	if (width > 0)
		columns_spaces(columns, padding);
	put(columns, bytes, size);
	if (width < 0)
		columns_spaces(columns, padding);
}

void columns_cell(struct columns *columns, const char *text, int width)
{
	justify(columns, text, strlen(text), width);
}

void columns_cut_cell(struct columns *columns, const char *text, int width)
{
	justify(columns, text, strnlen(text, field_of(width)), width);
}

/* Writes the digits in front of end, at least so many; returns where they begin. */
static char *write_digits(char *end, uint64_t value, int at_least)
{
	for (; value > 0 || at_least > 0; value /= 10, at_least--)
		*--end = (char)('0' + value % 10);
	return end;
}

void columns_count(struct columns *columns, uint64_t count, int width)
{
	char digits[24];
	char *end = digits + sizeof digits;
	const char *begin = write_digits(end, count, 1);
	justify(columns, begin, (size_t)(end - begin), width);
}

/* number * scale, rounded to the nearest, to even where it is half-way, as if the product had no error. */
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

void columns_number(struct columns *columns, double number, int width, int decimals)
{
	static const uint64_t scales[] = {1, 10, 100, 1000, 10000};
	char digits[400];
	if (!(number >= 0 && number < QUICK_LIMIT) || signbit(number)) {
		int size = snprintf(digits, sizeof digits, "%.*f", decimals, number);
		justify(columns, digits, (size_t)size, width);
		return;
	}
	uint64_t scale = scales[decimals];
	uint64_t rounded = round_product(number, (double)scale);
	char *end = digits + sizeof digits;
	char *begin = write_digits(end, rounded % scale, decimals);
	if (decimals > 0)
		*--begin = '.';
	begin = write_digits(begin, rounded / scale, 1);
	justify(columns, begin, (size_t)(end - begin), width);
}
