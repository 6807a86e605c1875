/* SPDX-License-Identifier: MIT */
/* See json.h. */
#include "base/text/json.h"
#include "base/text/text.h"

#include <math.h>

/* 2^53: not every larger whole number is a double. */
#define WHOLE_MAX 9007199254740992.0

/* RFC 8259, section 7. */
void json_print_string(FILE *stream, const char *text)
{
	fputc('"', stream);
	while (*text != '\0') {
		size_t length = text_character(text);
		if (*text == '"' || *text == '\\')
			fprintf(stream, "\\%c", *text);
		else if (length > 0)
			fwrite(text, 1, length, stream);
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
