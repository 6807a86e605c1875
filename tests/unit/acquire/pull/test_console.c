/* SPDX-License-Identifier: MIT */
/* `bareprof pull` at the terminal: where the text of a target goes, and the notes that are printed with a capture. */
#include "command/command.h"
#include "firmware.h"
#include "session.h"

#include "../sources.h"
#include "test.h"

#include <bareprof/block.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Counts a tick for each request. */
static void count_tick(const struct stub *stub)
{
	uint8_t *ticks = ((struct stub *)stub)->memory + (FIRMWARE_BLOCK + BAREPROF_OFFSET_TICKS - STUB_BASE);

	++*ticks;
}

/* Further actions of the target while it is read; NULL: none. */
static void (*on_request)(const struct stub *stub);

/* A target that prints before each answer, and the arguments to pull from it. */
struct printing {
	struct stub stub;
	char *arguments[9];
};

static void start_printing(struct printing *printing, const char *output, const char *option)
{
	printing->stub = (struct stub){.packet_size = "1000", .prints = true, .on_request = on_request};
	session_start(&printing->stub);
	char *arguments[9] = {"pull", printing->stub.source, "-f",           "-e", session.elf_path,
	                      "-o",   (char *)output,        (char *)option, NULL};
	memcpy(printing->arguments, arguments, sizeof arguments);
}

static void pull(const char *output, const char *option, FILE *stream, char printed[4096])
{
	struct printing printing;

	start_printing(&printing, output, option);
	session_run_printing(&printing.stub, printing.arguments, stream, printed);
}

EACH_TEST(session_begin, session_end);

TEST(text_goes_to_standard_output)
{
	char printed[4096];

	pull(session.output_path, "--console", stdout, printed);
	assert_memory_equal(printed, "Hi\nHi\n", 6);
	assert_int_equal(strspn(printed, "Hi\n"), strlen(printed));
}

TEST(text_is_not_mixed_with_a_capture_on_standard_output)
{
	char printed[4096], captured[4096];
	int before = redirect(stdout, session.output_path);

	pull("-", "--console", stderr, printed);
	restore(stdout, before);
	assert_memory_equal(printed, "Hi\nHi\n", 6);
	FILE *file = fopen(session.output_path, "rb");
	assert_non_null(file);
	size_t size = fread(captured, 1, sizeof captured, file);
	fclose(file);
	assert_true(size > FAKE_BLOCK_SIZE);
	assert_memory_equal(captured, fake_at(&session.fake, FIRMWARE_BLOCK), FAKE_BLOCK_SIZE);
	assert_null(memmem(captured, size, "Hi\n", 3));
}

TEST(pull_does_not_wait_for_a_stuck_reader)
{
	char filling[4096] = "", printed[4096];
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	while (write(ends[1], filling, sizeof filling) > 0)
		;
	fcntl(ends[1], F_SETFL, 0);
	fflush(stdout);
	int before = dup(STDOUT_FILENO);
	dup2(ends[1], STDOUT_FILENO);
	alarm(20); /* ends a pull that hangs */
	pull(session.output_path, "--console", stderr, printed);
	alarm(0);
	dup2(before, STDOUT_FILENO);
	close(before);
	close(ends[0]);
	close(ends[1]);
	assert_contains(printed, " bytes of console text dropped: standard output did not accept them in time\n");
	assert_contains(printed, "pulled 576 bytes");
}

TEST(failure_to_print_text_is_reported_and_the_capture_kept)
{
	struct printing printing;

	start_printing(&printing, session.output_path, "--console");
	int before = redirect(stdout, "/dev/full");
	enum status status = session_run_command(&printing.stub, printing.arguments, &failure);
	restore(stdout, before);
	assert_failure(status, &failure, "standard output: cannot write: No space left on device");
	assert_int_equal(access(session.output_path, F_OK), 0);
}

TEST(text_is_dropped_without_the_console_option)
{
	char printed[4096];

	pull(session.output_path, NULL, stdout, printed);
	assert_string_equal(printed, "");
	pull(session.output_path, NULL, stderr, printed);
	assert_memory_equal(printed, "pulled 576 bytes at 0x20001000 from gdb:", 40);
	assert_null(strstr(printed, "Hi"));
}

TEST(ticks_that_pass_during_the_read_are_reported)
{
	char printed[4096];

	pull(session.output_path, NULL, stderr, printed);
	assert_null(strstr(printed, "--stop"));
	fake_set_word(&session.fake, FIRMWARE_BLOCK + BAREPROF_OFFSET_GATE,
	              BAREPROF_GATE(FIRMWARE_BLOCK, BAREPROF_STATE_RUNNING));
	pull(session.output_path, NULL, stderr, printed);
	assert_null(strstr(printed, "--stop"));
	on_request = count_tick;
	pull(session.output_path, NULL, stderr, printed);
	on_request = NULL;
	assert_contains(printed, "note: the profile was not stopped, ");
	assert_contains(printed, " ticks passed while it was read; --stop takes it at rest\n");
}

/* The same holds for all commands that write binary files. */
TEST_WITH(capture_is_not_written_to_a_terminal, NULL, NULL)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY);

	assert_int_equal(grantpt(terminal) | unlockpt(terminal), 0);
	int before = redirect(stdout, ptsname(terminal));
	enum status status = command_pull.run(4, (char *[]){"pull", "file:x", "-o", "-", NULL}, &failure);
	restore(stdout, before);
	close(terminal);
	assert_int_equal(status, STATUS_USAGE);
	assert_contains(failure.message, "pull: a capture cannot be written to a terminal; use -o FILE (usage: ");
}
