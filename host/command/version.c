/* SPDX-License-Identifier: MIT */
/* `bareprof --version`: the version, and the optional libraries that this build lacks. */
#include "acquire/backend/backends.h"
#include "command/command.h"
#include "push/http.h"
#include "top/terminal.h"

#include <stdio.h>

#ifndef BAREPROF_VERSION
#error "BAREPROF_VERSION comes from the Makefile"
#endif

void command_print_version(void)
{
	printf("bareprof %s\n", BAREPROF_VERSION);
	for (const struct source_kind *kind = source_kinds; kind->scheme != NULL; kind++)
		if (kind->syntax == NULL)
			printf("Without %s: there are no sources %s:\n", kind->library, kind->scheme);
	if (http_client == NULL)
		printf("Without %s: there is no command push\n", HTTP_LIBRARY);
	if (top_terminal == NULL)
		printf("Without %s: the command top has no screen, only --batch\n", TOP_LIBRARY);
#if defined HAVE_LIBUSB_1_0 && !defined HAVE_HIDAPI_LIBUSB
	puts("Without hidapi-libusb: there are no debug probes that speak by HID reports alone (CMSIS-DAP 1)");
#endif
}
