/* SPDX-License-Identifier: MIT */
/* A writer of JSON (RFC 8259) that is valid for any input. */
#ifndef BASE_TEXT_JSON_H
#define BASE_TEXT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A number; null if it is not finite. Whole numbers below 2^53 have all their digits, others nine. */
void json_print_number(FILE *stream, double value);

#define JSON_DEPTH_MAX 8

/* A writer: it places commas and blanks. Initially all zero except for the stream. */
struct json {
	FILE *stream;
	/* Inside a script element: no blanks, no `<` that could end the element, and bytes that text_character()
	 * rejects as text_print() shows them. */
	bool is_in_html;
	size_t depth;
	bool has_items[JSON_DEPTH_MAX + 1];  /* by depth */
	int item_indent[JSON_DEPTH_MAX + 1]; /* by depth; 0: items follow on the same line */
	bool begins_line;                    /* the next item or closing bracket does */
	int indent;
};

/* The next item, or the next closing bracket, begins on a new line. */
void json_line(struct json *json, int indent);
/* All following items of this object or array begin on new lines; indent 0, the default: on the same line. */
void json_lines(struct json *json, int indent);

/* Below, key is the name of a member, or NULL for an item of an array. A bracket is one of "{}[]". */
void json_open(struct json *json, const char *key, char bracket);
void json_close(struct json *json, char bracket);
void json_add_null(struct json *json, const char *key);
void json_add_flag(struct json *json, const char *key, bool value);
void json_add_count(struct json *json, const char *key, uint64_t value);
/* Adds null if the value is unknown. */
void json_add_count_if(struct json *json, const char *key, bool is_known, uint64_t value);
/* Bytes that text_character() rejects become U+FFFD, except for ASCII control characters, which are escaped. */
void json_add_string(struct json *json, const char *key, const char *text);
/* Prints value as json_print_number() does. */
void json_add_number(struct json *json, const char *key, double value);
/* Prints nine significant digits; null if value is not finite. */
void json_add_rounded(struct json *json, const char *key, double value);

#endif
