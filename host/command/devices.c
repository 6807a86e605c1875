/* SPDX-License-Identifier: MIT */
/* `bareprof devices`: lists attached sources of captures, and what to type for each. */
#include "acquire/backend/backends.h"
#include "base/text/text.h"
#include "command/options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#define SOURCE_WIDTH 24

static void print_device(void *context, const struct attached_device *device)
{
	size_t *count = context;
	FILE *stream = stdout;
	int length = (int)strlen(device->source);

	text_print(stream, device->source);
	fprintf(stream, "%*s  ", length < SOURCE_WIDTH ? SOURCE_WIDTH - length : 0, "");
	text_print(stream, device->description);
	if (device->problem != NULL) {
		fprintf(stream, "\n%*s  ", SOURCE_WIDTH, "");
		text_print(stream, device->problem);
	}
	fputc('\n', stream);
	++*count;
}

static void print_device_advice(size_t count)
{
	if (count > 0)
		puts("\nTo take a capture: bareprof pull SOURCE -e FW.elf -o RUN.bprof, with a SOURCE of the first "
		     "column.");
	else
		puts("No source of captures is attached.");
	for (const struct source_kind *kind = source_kinds; kind->scheme != NULL; kind++)
		if (kind->syntax == NULL && kind->is_attached)
			printf("Not searched: %s, because this bareprof was built without %s.\n", kind->scheme,
			       kind->library);
}

static enum status run_devices(int argc, char **argv, struct error *error)
{
	enum status status = command_parse_options(&command_devices, argc, argv, NULL, error);
	size_t count = 0;

	if (status != STATUS_OK)
		return status;
	if (optind != argc)
		return command_usage(&command_devices, error, "expected no arguments, got %d", argc - optind);
	for (const struct source_kind *kind = source_kinds; status == STATUS_OK && kind->scheme != NULL; kind++)
		if (kind->channel != NULL && kind->channel->list != NULL)
			status = kind->channel->list(print_device, &count, error);
	for (const struct source_kind *kind = source_kinds; status == STATUS_OK && kind->scheme != NULL; kind++)
		if (kind->backend != NULL && kind->backend->usb != NULL)
			status = kind->backend->list(kind->backend->usb, print_device, &count, error);
	if (status == STATUS_OK)
		print_device_advice(count);
	return status;
}

const struct command command_devices = {
        .name = "devices",
        .synopsis = "",
        .summary = "list attached devices that captures can be taken from",
        .help = "Prints a line for each device: the SOURCE to give to bareprof pull, and a description; if it\n"
                "cannot be opened, a second line says why, and what to do. Network sources (tcp:, gdb:) are\n"
                "not listed.\n",
        .options = (const struct option_table[]){{0}},
        .example = "bareprof devices\n",
        .run = run_devices,
};
