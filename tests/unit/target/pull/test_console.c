/* SPDX-License-Identifier: MIT */
/* `bareprof pull` at the terminal: where the text of a target goes, and what is told beside the capture. */
#include "command/command.h"
#include "firmware.h"
#include "test.h"
#include "visit.h"

#include <bareprof/block.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char printed_path[512];

static int begin(void **state)
{
	snprintf(printed_path, sizeof printed_path, "%s", firmware_file("printed"));
	return visit_begin(state);
}

static int end(void **state)
{
	unlink(printed_path);
	return visit_end(state);
}

/* From now on the descriptor is a file; what it was. */
static int redirect(FILE *stream, const char *path)
{
	fflush(stream);
	int before = dup(fileno(stream));
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(before >= 0 && file >= 0);
	dup2(file, fileno(stream));
	close(file);
	return before;
}

static void restore(FILE *stream, int before)
{
	fflush(stream);
	dup2(before, fileno(stream));
	close(before);
}

/* A tick for each request. */
static void count_tick(const struct stub *stub)
{
	uint8_t *ticks = ((struct stub *)stub)->memory + (FIRMWARE_BLOCK + BAREPROF_OFFSET_TICKS - STUB_BASE);
	++*ticks;
}

/* What else the target does while it is read. */
static void (*on_request)(const struct stub *stub);

/* Pulls from a target that prints before each answer. */
static enum status visit_printing(const char *output, const char *option, struct error *error)
{
	struct stub stub = {.packet_size = "1000", .prints = true, .on_request = on_request};
	visit_start(&stub);
	char *arguments[] = {"pull", stub.source,    "-f",           "-e", visit.elf_path,
	                     "-o",   (char *)output, (char *)option, NULL};
	enum status status = command_pull.run(option != NULL ? 8 : 7, arguments, error);
	stub_join(&stub);
	return status;
}

/* What comes at stream meanwhile is in printed. */
static void pull(const char *output, const char *option, FILE *stream, char printed[4096])
{
	struct error error = {.message = ""};
	int before = redirect(stream, printed_path);
	enum status status = visit_printing(output, option, &error);
	restore(stream, before);
	if (status != STATUS_OK)
		fail_msg("%s", error.message);
	FILE *file = fopen(printed_path, "rb");
	assert_non_null(file);
	printed[fread(printed, 1, 4095, file)] = 0;
	fclose(file);
}

EACH_TEST(begin, end);

TEST(text_goes_to_standard_output)
{
	char printed[4096];
	pull(visit.output_path, "--console", stdout, printed);
	assert_memory_equal(printed, "Hi\nHi\n", 6);
	assert_int_equal(strspn(printed, "Hi\n"), strlen(printed));
}

TEST(text_keeps_out_of_a_capture_on_standard_output)
{
	char printed[4096], captured[4096];
	int before = redirect(stdout, visit.output_path);
	pull("-", "--console", stderr, printed);
	restore(stdout, before);
	assert_memory_equal(printed, "Hi\nHi\n", 6);
	FILE *file = fopen(visit.output_path, "rb");
	assert_non_null(file);
	size_t size = fread(captured, 1, sizeof captured, file);
	fclose(file);
	assert_true(size > FAKE_BLOCK_SIZE);
	assert_memory_equal(captured, fake_at(&visit.fake, FIRMWARE_BLOCK), FAKE_BLOCK_SIZE);
	assert_null(memmem(captured, size, "Hi\n", 3));
}

TEST(reader_that_does_not_read_holds_nothing_up)
{
	char filling[4096] = "", said[4096];
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	while (write(ends[1], filling, sizeof filling) > 0)
		;
	fcntl(ends[1], F_SETFL, 0);
	fflush(stdout);
	int before = dup(STDOUT_FILENO);
	dup2(ends[1], STDOUT_FILENO);
	alarm(20); /* ends a pull that waits for ever */
	pull(visit.output_path, "--console", stderr, said);
	alarm(0);
	dup2(before, STDOUT_FILENO);
	close(before);
	close(ends[0]);
	close(ends[1]);
	assert_non_null(strstr(said, " bytes of console text dropped: standard output did not accept them in time\n"));
	assert_non_null(strstr(said, "pulled 576 bytes"));
}

TEST(text_that_cannot_be_written_is_told_beside_the_capture)
{
	struct error error = {.message = ""};
	int before = redirect(stdout, "/dev/full");
	enum status status = visit_printing(visit.output_path, "--console", &error);
	restore(stdout, before);
	assert_int_equal(status, STATUS_FAILED);
	assert_string_equal(error.message, "standard output: cannot write: No space left on device");
	assert_int_equal(access(visit.output_path, F_OK), 0);
}

TEST(text_is_dropped_unless_asked_for)
{
	char printed[4096];
	pull(visit.output_path, NULL, stdout, printed);
	assert_string_equal(printed, "");
	pull(visit.output_path, NULL, stderr, printed);
	assert_memory_equal(printed, "pulled 576 bytes at 0x20001000 from gdb:", 40);
	assert_null(strstr(printed, "Hi"));
}

TEST(profile_that_went_on_while_it_was_read_is_told)
{
	char printed[4096];
	pull(visit.output_path, NULL, stderr, printed);
	assert_null(strstr(printed, "--stop"));
	fake_set_word(&visit.fake, FIRMWARE_BLOCK + BAREPROF_OFFSET_GATE,
	              BAREPROF_GATE(FIRMWARE_BLOCK, BAREPROF_STATE_RUNNING));
	pull(visit.output_path, NULL, stderr, printed);
	assert_null(strstr(printed, "--stop"));
	on_request = count_tick;
	pull(visit.output_path, NULL, stderr, printed);
	on_request = NULL;
	assert_non_null(strstr(printed, "note: the profile was not stopped, "));
	assert_non_null(strstr(printed, " ticks passed while it was read; --stop takes it at rest\n"));
}
