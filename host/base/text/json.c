/* SPDX-License-Identifier: MIT */
/* A writer of JSON. */
#include "base/text/json.h"
#include "base/text/text.h"

#include <inttypes.h>
#include <math.h>

/* 2^53: not every larger whole number is a double. */
#define WHOLE_MAX 9007199254740992.0

/* RFC 8259, section 7; for HTML, section 4.12.1.3 of the HTML standard. */
static void print_string(FILE *stream, const char *text, bool is_in_html)
{
	fputc('"', stream);
	while (*text != '\0') {
		size_t length = text_character(text);

		if (*text == '"' || *text == '\\')
			fprintf(stream, "\\%c", *text);
		else if (*text == '<' && is_in_html)
			fputs("\\u003c", stream);
		else if (length > 0)
			fwrite(text, 1, length, stream);
		else if (is_in_html)
			fprintf(stream, "\\\\x%02x", (unsigned)(unsigned char)*text);
		else if ((unsigned char)*text < ' ' || *text == 0x7F)
			fprintf(stream, "\\u%04x", (unsigned)*text);
		else
			fputs("\\ufffd", stream);
		text += length > 0 ? length : 1;
	}
	fputc('"', stream);
}

void json_print_number(FILE *stream, double value)
{
	if (!isfinite(value))
		fputs("null", stream);
	else if (fabs(value) < WHOLE_MAX && value == trunc(value))
		fprintf(stream, "%.0f", value);
	else
		fprintf(stream, "%.9g", value);
}

void json_line(struct json *json, int indent)
{
	json->begins_line = true;
	json->indent = indent;
}

void json_lines(struct json *json, int indent)
{
	json->item_indent[json->depth] = indent;
}

/* Returns true if it began a line. */
static bool begin_line(struct json *json)
{
	if (!json->begins_line)
		return false;
	fprintf(json->stream, "\n%*s", json->indent, "");
	json->begins_line = false;
	return true;
}

static void begin_item(struct json *json, const char *key)
{
	bool is_first = !json->has_items[json->depth];

	if (json->item_indent[json->depth] > 0)
		json_line(json, json->item_indent[json->depth]);
	json->has_items[json->depth] = true;
	if (!is_first)
		fputc(',', json->stream);
	if (!begin_line(json) && !is_first && !json->is_in_html)
		fputc(' ', json->stream);
	if (key != NULL)
		fprintf(json->stream, "\"%s\":%s", key, json->is_in_html ? "" : " ");
}

void json_open(struct json *json, const char *key, char bracket)
{
	if (json->depth > 0)
		begin_item(json, key);
	fputc(bracket, json->stream);
	json->depth++;
	json->has_items[json->depth] = false;
	json->item_indent[json->depth] = 0;
}

void json_close(struct json *json, char bracket)
{
	begin_line(json);
	fputc(bracket, json->stream);
	json->depth--;
}

void json_add_null(struct json *json, const char *key)
{
	begin_item(json, key);
	fputs("null", json->stream);
}

void json_add_flag(struct json *json, const char *key, bool value)
{
	begin_item(json, key);
	fputs(value ? "true" : "false", json->stream);
}

void json_add_count(struct json *json, const char *key, uint64_t value)
{
	begin_item(json, key);
	fprintf(json->stream, "%" PRIu64, value);
}

void json_add_count_if(struct json *json, const char *key, bool is_known, uint64_t value)
{
	if (is_known)
		json_add_count(json, key, value);
	else
		json_add_null(json, key);
}

void json_add_string(struct json *json, const char *key, const char *text)
{
	begin_item(json, key);
	print_string(json->stream, text, json->is_in_html);
}

void json_add_number(struct json *json, const char *key, double value)
{
	begin_item(json, key);
	json_print_number(json->stream, value);
}

void json_add_rounded(struct json *json, const char *key, double value)
{
	begin_item(json, key);
	if (isfinite(value))
		fprintf(json->stream, "%.9g", value);
	else
		fputs("null", json->stream);
}
