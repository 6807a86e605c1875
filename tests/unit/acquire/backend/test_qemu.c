/* SPDX-License-Identifier: MIT */
/* Targets through QMP: real QEMUs, whose machines keep running, and servers that misbehave. */
#include "../sources.h"
#include "base/clock.h"
#include "server.h"
#include "test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define IMAGE 0x80001002u /* not aligned */

/* More than one request reads. */
static uint8_t image[(1 << 20) + 12345];

static struct {
	pid_t process;
	char folder[64], socket[128], source[160], elf[128], image[128];
} machine;

/* Starts QEMU and opens it. */
static struct target *start_qemu(bool is_riscv, bool is_paused)
{
	char qmp[256], loader[256];

	snprintf(qmp, sizeof qmp, "unix:%s,server=on,wait=off", machine.socket);
	snprintf(loader, sizeof loader, "loader,file=%s,addr=%#x,force-raw=on", machine.image, IMAGE);
	const char *paused = is_paused ? "-S" : "-nodefaults";
	machine.process = server_start((const char *const[]){
	        is_riscv ? "qemu-system-riscv32" : "qemu-system-arm", "-M", is_riscv ? "virt" : "mps2-an385", "-bios",
	        "none", "-display", "none", "-qmp", qmp, is_riscv ? "-device" : "-kernel",
	        is_riscv ? loader : machine.elf, paused, NULL});
	return server_await(machine.source);
}

static int make_machine(void **state)
{
	memset(&machine, 0, sizeof machine);
	snprintf(machine.folder, sizeof machine.folder, "/tmp/test-qemu-XXXXXX");
	assert_non_null(mkdtemp(machine.folder));
	snprintf(machine.socket, sizeof machine.socket, "%s/qmp", machine.folder);
	snprintf(machine.source, sizeof machine.source, "qemu:%s", machine.socket);
	snprintf(machine.elf, sizeof machine.elf, "%s/counter.elf", machine.folder);
	snprintf(machine.image, sizeof machine.image, "%s/image.bin", machine.folder);
	server_build_counter(machine.elf);
	for (size_t i = 0; i < sizeof image; i++)
		image[i] = (uint8_t)(i * 31 + (i >> 8) * 7);
	FILE *file = fopen(machine.image, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(image, 1, sizeof image, file), sizeof image);
	fclose(file);
	return 0;
}

static int end_machine(void **state)
{
	if (machine.process > 0)
		server_stop(machine.process);
	unlink(machine.socket);
	unlink(machine.elf);
	unlink(machine.image);
	return rmdir(machine.folder);
}

static void wait_for_more_than(struct target *target, uint32_t count)
{
	for (uint64_t end = clock_now() + SERVER_LATEST; server_read_counter(target) <= count;) {
		assert_true(clock_now() < end);
		assert_success(target_run(target, 10, &failure), &failure);
	}
}

EACH_TEST(make_machine, end_machine);

TEST(machine_keeps_running_while_it_is_read)
{
	struct target *target = start_qemu(false, false);

	wait_for_more_than(target, 0);
	wait_for_more_than(target, server_read_counter(target));
	server_close(target);
	target = server_await(machine.source);
	wait_for_more_than(target, server_read_counter(target));
	server_close(target);
	server_check_cancelling(machine.source);
}

TEST(loaded_image_is_read)
{
	uint8_t *bytes = malloc(sizeof image);
	struct target *target = start_qemu(true, false);

	assert_success(target_read(target, IMAGE, bytes, sizeof image, &failure), &failure);
	assert_memory_equal(bytes, image, sizeof image);
	/* A shorter read after a longer one. */
	assert_success(target_read(target, IMAGE + 1, bytes, 3, &failure), &failure);
	assert_memory_equal(bytes, image + 1, 3);
	server_close(target);
	free(bytes);
}

TEST(paused_machine_is_read_but_does_not_run)
{
	char source[192];
	struct target *second, *target = start_qemu(false, true);

	assert_int_equal(server_read_counter(target), 0);
	assert_failure(target_run(target, 1, &failure), &failure, "the machine is paused");
	assert_null(target->ops->write);
	snprintf(source, sizeof source, "%s,timeout=0.5", machine.source);
	assert_failure(open_source(source, NULL, &second, &failure), &failure, "is nobody else connected to it?");
	server_close(target);
}

TEST_WITH(socket_that_cannot_be_opened_is_reported, NULL, NULL)
{
	static const struct {
		const char *source, *message;
	} cases[] = {
	        {"qemu:/nowhere/at/all", "qemu:/nowhere/at/all: cannot connect: No such file or directory"},
	        {"qemu:", "expected the path of QEMU's QMP socket"},
	        {"qemu:/0123456789012345678901234567890123456789012345678901234567890123456789"
	         "0123456789012345678901234567890123456789",
	         "the path of a socket has at most 107 characters"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct target *target;

		assert_int_not_equal(open_source(cases[i].source, NULL, &target, &failure), STATUS_OK);
		assert_says(&failure, cases[i].message);
	}
}

/* --- Servers that misbehave */

#define GREETING "{\"QMP\": {\"version\": {}, \"capabilities\": [\"oob\"]}}\r\n"
#define EVENT    "{\"event\": \"RTC_CHANGE\", \"data\": {\"return\": 1}}\r\n"
#define DONE     "{\"return\": {}}\r\n"

struct fault {
	const char *answer; /* NULL: the connection is closed */
	bool is_endless;
	bool at_once; /* instead of the greeting, else of the answer to memsave */
	size_t saved; /* bytes written to the file, of 16 */
	const char *message;
	mode_t mode; /* found: of the file */
};

/* Writes to the file that the request names, and notes its mode. */
static void save(struct fault *fault, const char *request)
{
	char path[4096] = "";
	struct stat file;
	const char *name = strstr(request, "\"filename\":\"");

	assert_non_null(name);
	sscanf(name, "\"filename\":\"%4095[^\"]", path);
	assert_int_equal(stat(path, &file), 0);
	fault->mode = file.st_mode & 0777;
	FILE *stream = fopen(path, "wb");
	for (size_t i = 0; i < fault->saved; i++)
		fputc('A', stream);
	fclose(stream);
}

static bool misbehave(const struct speaker *speaker)
{
	const struct fault *fault = speaker->context;

	if (fault->answer == NULL)
		return false;
	return (fault->is_endless ? speaker_flood : speaker_say)(speaker, fault->answer);
}

static bool greet(struct speaker *speaker)
{
	return ((struct fault *)speaker->context)->at_once ? misbehave(speaker) : speaker_say(speaker, EVENT GREETING);
}

static bool answer(struct speaker *speaker, const char *request)
{
	struct fault *fault = speaker->context;

	if (strstr(request, "memsave") == NULL || fault->at_once)
		return speaker_say(speaker, EVENT DONE);
	save(fault, request);
	return misbehave(speaker);
}

static unsigned files_left(void)
{
	unsigned count = 0;
	DIR *folder = opendir(getenv("TMPDIR"));

	for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
		count += entry->d_name[0] != '.';
	closedir(folder);
	return count;
}

static void read_from(struct fault *fault, uint8_t bytes[16])
{
	struct speaker speaker = {.end = '\n', .greet = greet, .answer = answer, .context = fault};

	server_read_from(&speaker, "qemu", bytes, &failure);
	assert_int_equal(files_left(), 0);
}

TEST_WITH(events_are_skipped_and_the_file_is_private, NULL, NULL)
{
	struct fault none = {.answer = EVENT EVENT DONE, .saved = 16};
	uint8_t bytes[16];

	read_from(&none, bytes);
	assert_string_equal(failure.message, "");
	assert_memory_equal(bytes, "AAAAAAAAAAAAAAAA", 16);
	assert_int_equal(none.mode, 0600);
}

TEST_WITH(wrong_answers_are_reported_in_time, NULL, NULL)
{
	static const struct fault faults[] = {
	        {"QEMU 7.2.22 monitor - type 'help' for more information\r\n", .at_once = true,
	         .message = "the peer does not speak QMP"},
	        {"", .at_once = true, .message = "QEMU did not answer within 0.5 s"},
	        {"", .message = "QEMU did not answer within 0.5 s"},
	        {"{\"return\": ", .is_endless = true, .at_once = true, .message = "more than 65,536 characters"},
	        {"{\"return\": ", .is_endless = true, .message = "more than 65,536 characters"},
	        {EVENT, .is_endless = true, .at_once = true, .message = "reports events, but does not answer"},
	        {EVENT, .is_endless = true, .message = "reports events, but does not answer"},
	        {"[\"return\"]\r\n", .message = "does not speak QMP"},
	        {DONE, .at_once = true, .message = "QEMU sent no greeting"},
	        {GREETING, .message = "QEMU sent a greeting instead of an answer"},
	        {"{\"error\": {\"class\": \"GenericError\", \"desc\": \"Permission\\ndenied\"}}\r\n",
	         .message = "cannot save 16 bytes at 0x20000000: Permission denied (it must be able"},
	        {DONE, .message = "does it run on this computer, and see its files?"},
	        {DONE, .saved = 17, .message = "does it run on this computer, and see its files?"},
	        {NULL, .at_once = true, .message = "QEMU closed the connection"},
	        {NULL, .message = "QEMU closed the connection"},
	};

	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
		struct fault fault = faults[i];
		uint8_t bytes[16];

		read_from(&fault, bytes);
		assert_says(&failure, fault.message);
	}
}

/* A folder for temporary files, which must be empty after each session. */
static int make_folder(void **state)
{
	static char folder[] = "/tmp/test-qemu-files-XXXXXX";

	return mkdtemp(folder) != NULL ? setenv("TMPDIR", folder, 1) : -1;
}

static int remove_folder(void **state)
{
	return rmdir(getenv("TMPDIR"));
}

ALL_TESTS(make_folder, remove_folder);
