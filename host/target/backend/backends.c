/* SPDX-License-Identifier: MIT */
/* See backends.h. */
#include "target/backend/backends.h"

#include "target/channel/channel.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

extern const struct target_ops backend_cmsis_dap; /* a CMSIS-DAP debug probe: cmsis_dap.c */
extern const struct target_ops backend_ftdi;      /* an FTDI chip as a debug probe: ftdi.c */
extern const struct target_ops backend_gdb;       /* GDB remote serial protocol: gdb.c */
extern const struct target_ops backend_file;      /* a memory dump, a recorded stream: dump.c */
extern const struct target_ops backend_jlink;     /* a J-Link debug probe: jlink.c */
extern const struct target_ops backend_link;      /* frames over any channel: link.c */
extern const struct target_ops backend_openocd;   /* OpenOCD's Tcl server: openocd.c */
extern const struct target_ops backend_qemu;      /* QEMU's QMP: qemu.c */
extern const struct target_ops backend_stlink;    /* an ST-Link debug probe: stlink.c */

const struct target_ops *const backend_table[] = {
#ifdef HAVE_LIBUSB_1_0
        &backend_cmsis_dap, &backend_stlink,
#endif
#if defined HAVE_LIBUSB_1_0 && defined HAVE_LIBJAYLINK
        &backend_jlink,
#endif
#if defined HAVE_LIBUSB_1_0 && defined HAVE_LIBFTDI1
        &backend_ftdi,
#endif
        &backend_gdb,       &backend_openocd,
#ifdef HAVE_JANSSON
        &backend_qemu,
#endif
        &backend_link,      &backend_file,    NULL,
};

const struct unavailable unavailable_backends[] = {
#ifndef HAVE_LIBUSB_1_0
        {"cmsis-dap", "libusb-1.0", true},
        {"stlink", "libusb-1.0", true},
        {"jlink", "libusb-1.0", true},
#elif !defined HAVE_LIBJAYLINK
        {"jlink", "libjaylink", true},
#endif
#if !defined HAVE_LIBUSB_1_0
        {"ftdi", "libusb-1.0", true},
#elif !defined HAVE_LIBFTDI1
        {"ftdi", "libftdi1", true},
#endif
#ifndef HAVE_JANSSON
        {"qemu", "jansson", false},
#endif
        {NULL, NULL, false},
};

/* The backend or channel of a scheme. */
struct entry {
	const char *scheme, *synopsis; /* NULL: no entry */
	const struct target_ops *backend;
	const struct channel_ops *channel;
};

/* The backends, then the channels, then an empty entry. */
static struct entry entry_at(size_t index)
{
	for (size_t i = 0; backend_table[i] != NULL; i++)
		if (backend_table[i]->scheme != NULL && index-- == 0)
			return (struct entry){backend_table[i]->scheme, backend_table[i]->synopsis, backend_table[i],
			                      NULL};
	for (size_t i = 0; channel_table[i] != NULL; i++)
		if (index-- == 0)
			return (struct entry){channel_table[i]->scheme, channel_table[i]->synopsis, &backend_link,
			                      channel_table[i]};
	return (struct entry){NULL, NULL, NULL, NULL};
}

/* The entry of the scheme that text begins with, up to *end. */
static struct entry find_entry(const char *text, char *end)
{
	size_t length = strcspn(text, ":,=");
	struct entry entry;

	*end = text[length];
	for (size_t i = 0; (entry = entry_at(i)).scheme != NULL; i++)
		if (strlen(entry.scheme) == length && strncmp(text, entry.scheme, length) == 0)
			break;
	return entry;
}

/* The length of a synopsis without its options, each of which begins with "[,". */
static int address_length(const char *synopsis)
{
	const char *options = strstr(synopsis, "[,");

	return options != NULL ? (int)(options - synopsis) : (int)strlen(synopsis);
}

/* localhost:PORT or ADDRESS:PORT, as debuggers take it; others may be a misspelt scheme. */
static bool is_host_and_port(const char *text)
{
	const size_t host = strcspn(text, ":");
	const char *port = text + host + 1;

	if (text[host] != ':' || port[0] == '\0' || port[strspn(port, "0123456789")] != '\0')
		return false;
	return memchr(text, '.', host) != NULL || source_has_scheme(text, "localhost");
}

/* The scheme that was probably meant by a text without one; NULL = unclear. */
static const char *missing_scheme(const char *text)
{
	struct stat file;

	if (stat(text, &file) == 0 && S_ISREG(file.st_mode))
		return "file";
	if (strncmp(text, "/dev/", strlen("/dev/")) == 0)
		return "uart";
	return is_host_and_port(text) ? "gdb" : NULL;
}

/* The library that this build lacks for the scheme of text; NULL = none. */
static const char *missing_library(const struct unavailable *table, const char *text)
{
	for (; table->scheme != NULL; table++)
		if (source_has_scheme(text, table->scheme))
			return table->library;
	return NULL;
}

/* Lists all schemes with their addresses. */
static enum status refuse_unknown(const char *text, struct error *error)
{
	char known[512] = "";
	size_t length = 0;
	struct entry entry;

	for (size_t i = 0; (entry = entry_at(i)).scheme != NULL && length < sizeof known; i++)
		length += (size_t)snprintf(known + length, sizeof known - length, "%s%s%.*s", length > 0 ? ", " : "",
		                           entry.scheme, address_length(entry.synopsis), entry.synopsis);
	return status_usage(error, "%.100s: no such source; expected one of: %s", text, known);
}

enum status backends_resolve(const char *text, struct source *source, struct error *error)
{
	char end;
	const struct entry entry = find_entry(text, &end);
	const char *library = missing_library(unavailable_channels, text);
	const char *missing = missing_scheme(text);

	if (library == NULL)
		library = missing_library(unavailable_backends, text);
	if (library != NULL)
		return status_usage(error, "%.100s: this bareprof was built without %s", text, library);
	if (entry.scheme != NULL && end == '=')
		return status_usage(error, "%.100s: no such source; did you mean %s:%.100s?", text, entry.scheme,
		                    text + strlen(entry.scheme) + 1);
	if (entry.scheme != NULL && end == 0 && entry.synopsis[0] != '[')
		return status_usage(error, "%.100s: it needs an address: %.100s%.*s", text, text,
		                    address_length(entry.synopsis), entry.synopsis);
	if (entry.scheme != NULL && (end == ':' || entry.synopsis[0] == '[')) {
		source->backend = entry.backend;
		source->channel = entry.channel;
		return source_split(text, entry.channel != NULL ? entry.channel->options : entry.backend->options,
		                    source, error);
	}
	if (missing != NULL)
		return status_usage(error, "%.100s: no such source; did you mean %s:%.100s?", text, missing, text);
	return refuse_unknown(text, error);
}
