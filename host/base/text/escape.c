/* SPDX-License-Identifier: MIT */
/* See escape.h. */
#include "base/text/escape.h"

#include "base/text/text.h"

#include <string.h>

/* XML 1.0, section 4.6; HTML before version 5 does not define &apos;. */
static const struct escape xml_escapes[] = {
        {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}, {'\0', NULL},
};

static const char *find_escape(const struct escape *escapes, char character)
{
	while (escapes->character != '\0' && escapes->character != character)
		escapes++;
	return escapes->written;
}

/* XML 1.0, section 2.2: of the characters that text_character() accepts, only U+FFFE and U+FFFF are forbidden. */
static bool is_forbidden_in_xml(const char *text)
{
	return memcmp(text, "\xef\xbf", 2) == 0 && (text[2] == '\xbe' || text[2] == '\xbf');
}

void escape_print(FILE *stream, const char *text, const struct escape *escapes, const char *hidden)
{
	while (*text != '\0') {
		size_t length = text_character(text);
		const char *escape = find_escape(escapes, *text);

		if (length == 3 && escapes == xml_escapes && is_forbidden_in_xml(text))
			length = 0;
		if (escape != NULL)
			fputs(escape, stream);
		else if (length > 0)
			fwrite(text, 1, length, stream);
		else
			fprintf(stream, "%s%02x", hidden, (unsigned)(unsigned char)*text);
		text += length > 0 ? length : 1;
	}
}

void xml_print(FILE *stream, const char *text)
{
	escape_print(stream, text, xml_escapes, "\\x");
}
