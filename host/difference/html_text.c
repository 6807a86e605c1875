/* SPDX-License-Identifier: MIT */
/* Text for the page's elements and for its data. */
#include "difference/html.h"

#include "text/text.h"

#include <string.h>

/* What stands for characters that mean something. */
struct escape {
	char character;
	const char *written;
};

static const struct escape html_escapes[] = {
        {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}, {'\0', NULL},
};

static const struct escape json_escapes[] = {
        {'"', "\\\""},
        {'\\', "\\\\"},
        {'<', "\\u003c"},
        {'\0', NULL},
};

static const char *find_escape(const struct escape *escapes, char character)
{
	while (escapes->written != NULL && escapes->character != character)
		escapes++;
	return escapes->written;
}

/* hidden: what begins the two digits of a byte that text_print() would not show. */
static void print_escaped(FILE *stream, const char *text, const struct escape *escapes, const char *hidden)
{
	while (*text != '\0') {
		size_t length = text_character(text);
		const char *escape = find_escape(escapes, *text);
		if (escape != NULL)
			fputs(escape, stream);
		else if (length > 0)
			fwrite(text, 1, length, stream);
		else
			fprintf(stream, "%s%02x", hidden, (unsigned)(unsigned char)*text);
		text += length > 0 ? length : 1;
	}
}

void html_print_text(FILE *stream, const char *text)
{
	print_escaped(stream, text, html_escapes, "\\x");
}

void html_print_string(FILE *stream, const char *text)
{
	fputc('"', stream);
	print_escaped(stream, text, json_escapes, "\\\\x");
	fputc('"', stream);
}
