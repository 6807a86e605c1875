/* SPDX-License-Identifier: MIT */
/* See backends.h. */
#include "acquire/backend/backends.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The kind whose scheme text begins with, up to *end; otherwise the last kind. */
static const struct source_kind *find_source_kind(const char *text, char *end)
{
	const size_t length = strcspn(text, ":,=");
	const struct source_kind *kind = source_kinds;

	*end = text[length];
	while (kind->scheme != NULL && (strlen(kind->scheme) != length || strncmp(text, kind->scheme, length) != 0))
		kind++;
	return kind;
}

/* The length of a synopsis without its options, each of which begins with "[,". */
static int address_length(const char *synopsis)
{
	const char *options = strstr(synopsis, "[,");

	return options != NULL ? (int)(options - synopsis) : (int)strlen(synopsis);
}

/* Whether text is localhost:PORT or ADDRESS:PORT, as debuggers accept it. Another word may be a misspelt scheme. */
static bool is_host_and_port(const char *text)
{
	const size_t host = strcspn(text, ":");
	const char *port = text + host + 1;

	if (text[host] != ':' || port[0] == '\0' || port[strspn(port, "0123456789")] != '\0')
		return false;
	return memchr(text, '.', host) != NULL || source_has_scheme(text, "localhost");
}

/* The scheme that was probably meant by a text without one; NULL: unclear. */
static const char *missing_scheme(const char *text)
{
	struct stat file;

	if (stat(text, &file) == 0 && S_ISREG(file.st_mode))
		return "file";
	if (strncmp(text, "/dev/", strlen("/dev/")) == 0)
		return "uart";
	return is_host_and_port(text) ? "gdb" : NULL;
}

/* Lists all schemes with their addresses. */
static enum status refuse_unknown_scheme(const char *text, struct error *error)
{
	char known[512] = "";
	size_t length = 0;

	for (const struct source_kind *kind = source_kinds; kind->scheme != NULL && length < sizeof known; kind++)
		if (kind->syntax != NULL)
			length += (size_t)snprintf(known + length, sizeof known - length, "%s%s%.*s",
			                           length > 0 ? ", " : "", kind->scheme,
			                           address_length(kind->syntax->synopsis), kind->syntax->synopsis);
	return status_usage(error, "%.100s: no such source; expected one of: %s", text, known);
}

enum status backends_resolve(const char *text, struct source *source, struct error *error)
{
	char end;
	const struct source_kind *kind = find_source_kind(text, &end);
	const struct source_syntax *syntax = kind->syntax;
	const char *missing = missing_scheme(text);

	if (kind->scheme != NULL && syntax == NULL && end != '=')
		return status_usage(error, "%.100s: this bareprof was built without %s", text, kind->library);
	if (syntax != NULL && end == '=')
		return status_usage(error, "%.100s: no such source; did you mean %s:%.100s?", text, syntax->scheme,
		                    text + strlen(syntax->scheme) + 1);
	if (syntax != NULL && end == 0 && syntax->synopsis[0] != '[')
		return status_usage(error, "%.100s: it needs an address: %.100s%.*s", text, text,
		                    address_length(syntax->synopsis), syntax->synopsis);
	if (syntax != NULL && (end == ':' || syntax->synopsis[0] == '[')) {
		source->backend = kind->backend;
		source->channel = kind->channel;
		return source_split(text, syntax->options, source, error);
	}
	if (missing != NULL)
		return status_usage(error, "%.100s: no such source; did you mean %s:%.100s?", text, missing, text);
	return refuse_unknown_scheme(text, error);
}
