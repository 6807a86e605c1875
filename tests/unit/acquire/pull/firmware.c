/* SPDX-License-Identifier: MIT */
/* See firmware.h. */
#include "firmware.h"
#include "command/captures.h"
#include "test.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *firmware_file(const char *name)
{
	static char paths[4][512];
	static unsigned next;
	const char *folder = getenv("BUILD");
	char *path = paths[next++ % 4];

	snprintf(path, sizeof paths[0], "%s/test_pull.%d.%s", folder != NULL ? folder : "build", (int)getpid(), name);
	return path;
}

struct capture *firmware_open_capture(const char *path)
{
	struct capture *capture;

	assert_success(command_open_run(path, NULL, GMON_AUTO, &capture, &failure), &failure);
	return close_capture_later(capture);
}

void firmware_build(const char *path, const char *options)
{
	char command[2048];

	snprintf(command, sizeof command,
	         "arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -nostdlib -Wl,-Tbss=0x20000000 %s -o %s "
	         "tests/unit/acquire/pull/firmware.S",
	         options, path);
	if (system(command) != 0)
		fail_msg("failed: %s", command);
}
