/* SPDX-License-Identifier: MIT */
/* See visit.h. */
#include "visit.h"
#include "firmware.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct visit visit;

int visit_begin(void **state)
{
	(void)state;
	fake_init(&visit.fake);
	fake_put_block(&visit.fake, FIRMWARE_BLOCK);
	snprintf(visit.output_path, sizeof visit.output_path, "%s", firmware_file("bprof"));
	snprintf(visit.elf_path, sizeof visit.elf_path, "%s", firmware_file("elf"));
	firmware_build(visit.elf_path, "-DSYMBOLS -Wl,-Ttext=0");
	return 0;
}

int visit_end(void **state)
{
	(void)state;
	unlink(visit.output_path);
	unlink(visit.elf_path);
	return 0;
}

void visit_start(struct stub *stub)
{
	stub_start(stub);
	memcpy(stub->memory, visit.fake.memory, STUB_SIZE);
}
