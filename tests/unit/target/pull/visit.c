/* SPDX-License-Identifier: MIT */
/* See visit.h. */
#include "visit.h"
#include "command/command.h"
#include "firmware.h"
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct visit visit;

int visit_begin(void **state)
{
	fake_init(&visit.fake);
	fake_put_block(&visit.fake, FIRMWARE_BLOCK);
	snprintf(visit.output_path, sizeof visit.output_path, "%s", firmware_file("bprof"));
	snprintf(visit.elf_path, sizeof visit.elf_path, "%s", firmware_file("elf"));
	firmware_build(visit.elf_path, "-DSYMBOLS -Wl,-Ttext=0");
	return 0;
}

int visit_end(void **state)
{
	unlink(visit.output_path);
	unlink(visit.elf_path);
	return 0;
}

void visit_start(struct stub *stub)
{
	stub_start(stub);
	memcpy(stub->memory, visit.fake.memory, STUB_SIZE);
}

void visit_run_pull(struct stub *stub, char **arguments, char printed[4096])
{
	struct error error = {.message = ""};
	int before = dup(STDERR_FILENO), count = 0, ends[2];

	while (arguments[count] != NULL)
		count++;
	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], STDERR_FILENO);
	enum status status = command_pull.run(count, arguments, &error);
	dup2(before, STDERR_FILENO);
	close(before);
	close(ends[1]);
	stub_join(stub);
	ssize_t size = read(ends[0], printed, 4095);
	close(ends[0]);
	if (status != STATUS_OK)
		fail_msg("%s", error.message);
	assert_true(size > 0);
	printed[size] = 0;
}
