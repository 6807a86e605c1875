/* SPDX-License-Identifier: MIT */
/* `bareprof --version`: the version, and the optional libraries that this build lacks. */
#include "command/command.h"
#include "target/backend/backend.h"
#include "target/channel/channel.h"

#include <stdio.h>

#ifndef BAREPROF_VERSION
#error "BAREPROF_VERSION comes from the Makefile"
#endif

static void print_lacking(const struct channel_lacking *lacking)
{
	for (; lacking->scheme != NULL; lacking++)
		printf("Without %s: there are no sources %s:\n", lacking->library, lacking->scheme);
}

void command_print_version(void)
{
	printf("bareprof %s\n", BAREPROF_VERSION);
	print_lacking(channel_lacking);
	print_lacking(access_lacking);
#if defined HAVE_LIBUSB_1_0 && !defined HAVE_HIDAPI_LIBUSB
	puts("Without hidapi-libusb: there are no debug probes that speak by HID reports alone (CMSIS-DAP 1)");
#endif
}
