/* SPDX-License-Identifier: MIT */
/* See escape.h. */
#include "diff/formats/escape.h"

#include "base/text/text.h"

static const char *find_escape(const struct escape *escapes, char character)
{
	while (escapes->character != '\0' && escapes->character != character)
		escapes++;
	return escapes->written;
}

void escape_print(FILE *stream, const char *text, const struct escape *escapes, const char *hidden)
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
