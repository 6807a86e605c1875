/* SPDX-License-Identifier: MIT */
/* Commands for 6 KiB of a long read through an ST-Link, for tests/bench/budgets.txt: prints a line `FIGURE WHERE
 * NUMBER`. Fails if the data are wrong. */
#include "../unit/acquire/probe/fake_stlink.h"

#include "acquire/probe/stlink.h"
#include "base/wait.h"

#include <stdio.h>
#include <string.h>

#define SIZE (1u << 20)
/* Not at the beginning of a window of TAR. */
#define OFFSET 0x104u

int main(void)
{
	static struct fake_stlink fake;
	static uint8_t bytes[SIZE];
	const struct target_setup setup = {.speed = 4000000,
	                                   .access_port = -1,
	                                   .core = -1,
	                                   .cancel = -1,
	                                   .timeout = 1000,
	                                   .clock = &clock_system,
	                                   .observer = &target_nobody};
	struct access *stlink;
	struct error error;

	fake_stlink_init(&fake, 2, 37, NULL);
	if (stlink_open(&fake.exchange, &setup, &stlink, &error) != STATUS_OK)
		return 1;
	const unsigned before = fake.command_count;
	if (access_read(stlink, FAKE_STLINK_BASE + OFFSET, bytes, SIZE, &error) != STATUS_OK ||
	    memcmp(bytes, fake.memory + OFFSET, SIZE) != 0)
		return 1;
	printf("stlink-commands 1-MiB %.3f\n", (fake.command_count - before) * 6144.0 / SIZE);
	access_close(stlink);
	fake_stlink_end(&fake);
	return 0;
}
