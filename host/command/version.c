/* SPDX-License-Identifier: MIT */
/* `bareprof --version`: the version, and the optional libraries that this build lacks. */
#include "command/command.h"
#include "push/http.h"
#include "target/backend/backends.h"
#include "target/channel/channel.h"
#include "top/terminal.h"

#include <stdio.h>

#ifndef BAREPROF_VERSION
#error "BAREPROF_VERSION comes from the Makefile"
#endif

static void print_unavailable(const struct unavailable *unavailable)
{
	for (; unavailable->scheme != NULL; unavailable++)
		printf("Without %s: there are no sources %s:\n", unavailable->library, unavailable->scheme);
}

void command_print_version(void)
{
	printf("bareprof %s\n", BAREPROF_VERSION);
	print_unavailable(unavailable_channels);
	print_unavailable(unavailable_backends);
	if (http_client == NULL)
		printf("Without %s: there is no command push\n", HTTP_LIBRARY);
	if (top_terminal == NULL)
		printf("Without %s: the command top has no screen, only --batch\n", TOP_LIBRARY);
#if defined HAVE_LIBUSB_1_0 && !defined HAVE_HIDAPI_LIBUSB
	puts("Without hidapi-libusb: there are no debug probes that speak by HID reports alone (CMSIS-DAP 1)");
#endif
}
