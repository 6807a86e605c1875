/* SPDX-License-Identifier: MIT */
/* `bareprof --version`: the version, and what this build lacks. */
#include "channel/channel.h"
#include "command/command.h"
#include "probe/access.h"

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
}
