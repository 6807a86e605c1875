/* SPDX-License-Identifier: MIT */
/* See session.h. */
#include "session.h"
#include "command/command.h"
#include "firmware.h"

#include "../sources.h"
#include "test.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

struct session session;

int session_begin(void **state)
{
	fake_init(&session.fake);
	fake_put_block(&session.fake, FIRMWARE_BLOCK);
	snprintf(session.output_path, sizeof session.output_path, "%s", firmware_file("bprof"));
	snprintf(session.elf_path, sizeof session.elf_path, "%s", firmware_file("elf"));
	firmware_build(session.elf_path, "-DSYMBOLS -Wl,-Ttext=0");
	return 0;
}

int session_end(void **state)
{
	unlink(session.output_path);
	unlink(session.elf_path);
	return 0;
}

void session_start(struct stub *stub)
{
	stub_start(stub);
	memcpy(stub->memory, session.fake.memory, STUB_SIZE);
}

enum status session_pull(struct stub *stub, struct pull_options options, struct pull_summary *summary,
                         struct error *error)
{
	session_start(stub);
	options.source = resolved_source(stub->source);
	options.elf_path = session.elf_path;
	options.output_path = session.output_path;
	enum status status = pull_run(&options, summary, error);
	stub_join(stub);
	return status;
}

enum status session_run_command(struct stub *stub, char **arguments, struct error *error)
{
	int count = 0;

	while (arguments[count] != NULL)
		count++;
	enum status status = command_pull.run(count, arguments, error);
	stub_join(stub);
	return status;
}

int redirect(FILE *stream, const char *path)
{
	fflush(stream);
	int before = dup(fileno(stream));
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY, 0600);
	assert_true(before >= 0 && file >= 0);
	dup2(file, fileno(stream));
	close(file);
	return before;
}

void restore(FILE *stream, int before)
{
	fflush(stream);
	dup2(before, fileno(stream));
	close(before);
}

void session_run_printing(struct stub *stub, char **arguments, FILE *stream, char printed[4096])
{
	struct error error = {.message = ""};
	const char *path = firmware_file("printed");
	int before = redirect(stream, path);

	enum status status = session_run_command(stub, arguments, &error);
	restore(stream, before);
	assert_success(status, &error);
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	printed[fread(printed, 1, 4095, file)] = 0;
	fclose(file);
	unlink(path);
}
