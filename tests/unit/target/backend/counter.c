/* SPDX-License-Identifier: MIT */
/* See counter.h. */
#include "counter.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

#define COUNTER 0x20000100u

void counter_build(const char *elf)
{
	char command[512];

	snprintf(command, sizeof command,
	         "arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -nostdlib -Wl,--build-id=none -Wl,-Ttext=0 -o %s "
	         "tests/unit/target/backend/counter.S",
	         elf);
	if (system(command) != 0)
		fail_msg("failed: %s", command);
}

uint32_t counter_read(struct target *target)
{
	uint8_t bytes[4];
	struct error error;

	if (target_read(target, COUNTER, bytes, sizeof bytes, &error) != STATUS_OK)
		fail_msg("%s", error.message);
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}
