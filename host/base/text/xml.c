/* SPDX-License-Identifier: MIT */
/* See xml.h. */
#include "base/text/xml.h"
#include "base/text/text.h"

#include <string.h>

/* Section 4.6; HTML before version 5 does not define &apos;. NULL: not escaped. */
static const char *find_reference(char character)
{
	switch (character) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

/* Section 2.2 forbids only U+FFFE and U+FFFF among the characters that text_character() accepts. */
static size_t allowed_character(const char *text)
{
	size_t length = text_character(text);
	return length == 3 && (memcmp(text, "\xef\xbf\xbe", 3) == 0 || memcmp(text, "\xef\xbf\xbf", 3) == 0) ? 0
	                                                                                                     : length;
}

void xml_print(FILE *stream, const char *text)
{
	while (*text != '\0') {
		size_t length = allowed_character(text);
		const char *reference = find_reference(*text);
		if (reference != NULL)
			fputs(reference, stream);
		else if (length > 0)
			fwrite(text, 1, length, stream);
		else
			fprintf(stream, "\\x%02x", (unsigned)(unsigned char)*text);
		text += length > 0 ? length : 1;
	}
}
