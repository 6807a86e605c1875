/* SPDX-License-Identifier: MIT */
/* Target access through QMP: real QEMUs, which go on running meanwhile, and servers that misbehave. */
#include "base/clock.h"
#include "counter.h"
#include "server.h"
#include "speaker.h"
#include "target/backend/target.h"
#include "test.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define IMAGE   0x80001002u /* on no boundary of anything */
#define TIMEOUT ",timeout=0.5"
/* Under a sanitizer on a busy machine; a hang would last until the suite ends it. */
#define TIMEOUT_LATEST 20000

/* More than QEMU is asked for at once. */
static uint8_t image[(1 << 20) + 12345];

struct machine {
	pid_t process;
	char folder[64], socket[128], source[160], elf[128], image[128];
};

static void start_qemu(struct machine *machine, bool is_riscv, bool is_paused)
{
	char qmp[256], kernel[256];

	snprintf(qmp, sizeof qmp, "unix:%s,server=on,wait=off", machine->socket);
	snprintf(kernel, sizeof kernel, "loader,file=%s,addr=%#x,force-raw=on", machine->image, IMAGE);
	machine->process = fork();
	assert_true(machine->process >= 0);
	if (machine->process > 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	const char *paused = is_paused ? "-S" : "-nodefaults";
	if (is_riscv)
		execlp("qemu-system-riscv32", "qemu-system-riscv32", "-M", "virt", "-m", "16M", "-bios", "none",
		       "-display", "none", "-qmp", qmp, "-device", kernel, paused, (char *)NULL);
	else
		execlp("qemu-system-arm", "qemu-system-arm", "-M", "mps2-an385", "-display", "none", "-qmp", qmp,
		       "-kernel", machine->elf, paused, (char *)NULL);
	_exit(127);
}

/* Waits until QEMU has made its socket. */
static struct target *open_machine(const struct machine *machine)
{
	return server_await(machine->source);
}

static int make_machine(void **state)
{
	struct machine *machine = calloc(1, sizeof *machine);

	*state = machine;
	snprintf(machine->folder, sizeof machine->folder, "/tmp/test-qemu-XXXXXX");
	assert_non_null(mkdtemp(machine->folder));
	snprintf(machine->socket, sizeof machine->socket, "%s/qmp", machine->folder);
	snprintf(machine->source, sizeof machine->source, "qemu:%s", machine->socket);
	snprintf(machine->elf, sizeof machine->elf, "%s/counter.elf", machine->folder);
	snprintf(machine->image, sizeof machine->image, "%s/image.bin", machine->folder);
	counter_build(machine->elf);
	for (size_t i = 0; i < sizeof image; i++)
		image[i] = (uint8_t)(i * 31 + (i >> 8) * 7);
	FILE *file = fopen(machine->image, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(image, 1, sizeof image, file), sizeof image);
	fclose(file);
	return 0;
}

static int end_machine(void **state)
{
	struct machine *machine = *state;

	if (machine->process > 0) {
		kill(machine->process, SIGKILL);
		waitpid(machine->process, NULL, 0);
	}
	unlink(machine->socket);
	unlink(machine->elf);
	unlink(machine->image);
	assert_int_equal(rmdir(machine->folder), 0);
	free(machine);
	return 0;
}

static void wait_for_more_than(struct target *target, uint32_t count)
{
	struct error error;

	for (uint64_t end = clock_now() + TIMEOUT_LATEST; counter_read(target) <= count;) {
		assert_true(clock_now() < end);
		assert_int_equal(target_run(target, 10, &error), STATUS_OK);
	}
}

EACH_TEST(make_machine, end_machine);

TEST(machine_runs_on_while_it_is_read)
{
	struct machine *machine = *state;
	struct error error;

	start_qemu(machine, false, false);
	struct target *target = open_machine(machine);
	wait_for_more_than(target, 0);
	uint32_t before = counter_read(target);
	wait_for_more_than(target, before);
	assert_int_equal(target_close(target, &error), STATUS_OK);
	target = open_machine(machine);
	wait_for_more_than(target, counter_read(target));
	assert_int_equal(target_close(target, &error), STATUS_OK);
}

TEST(memory_is_what_was_loaded)
{
	struct machine *machine = *state;
	uint8_t *bytes = malloc(sizeof image);
	struct error error;

	start_qemu(machine, true, false);
	struct target *target = open_machine(machine);
	assert_int_equal(target_read(target, IMAGE, bytes, sizeof image, &error), STATUS_OK);
	assert_memory_equal(bytes, image, sizeof image);
	/* A shorter one behind a longer one. */
	assert_int_equal(target_read(target, IMAGE + 1, bytes, 3, &error), STATUS_OK);
	assert_memory_equal(bytes, image + 1, 3);
	assert_int_equal(target_close(target, &error), STATUS_OK);
	free(bytes);
}

TEST(paused_machine_is_read_but_not_waited_for)
{
	struct machine *machine = *state;
	struct error error;

	start_qemu(machine, false, true);
	struct target *target = open_machine(machine);
	assert_int_equal(counter_read(target), 0);
	assert_int_equal(target_run(target, 1, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "the machine is paused"));
	assert_false(target->ops->write != NULL);
	assert_int_equal(target_close(target, &error), STATUS_OK);
}

TEST(second_client_is_told_that_there_is_a_first)
{
	struct machine *machine = *state;
	char source[192];
	struct error error;

	start_qemu(machine, false, true);
	struct target *target = open_machine(machine);
	snprintf(source, sizeof source, "%s" TIMEOUT, machine->source);
	assert_null(server_try_open(source, &error));
	assert_non_null(strstr(error.message, "is nobody else connected to it?"));
	assert_int_equal(target_close(target, &error), STATUS_OK);
}

TEST(cancelling_ends_a_wait)
{
	struct machine *machine = *state;
	struct error error;

	start_qemu(machine, false, false);
	assert_int_equal(target_close(open_machine(machine), &error), STATUS_OK);
	server_check_cancelling(machine->source);
}

TEST_WITH(no_socket_is_one_clear_line, NULL, NULL)
{
	struct error error;

	assert_null(server_try_open("qemu:/nowhere/at/all", &error));
	assert_string_equal(error.message, "qemu:/nowhere/at/all: cannot connect: No such file or directory");
	assert_null(server_try_open("qemu:", &error));
	assert_non_null(strstr(error.message, "expected the path of QEMU's QMP socket"));
	assert_null(server_try_open("qemu:/0123456789012345678901234567890123456789012345678901234567890123456789"
	                            "0123456789012345678901234567890123456789",
	                            &error));
	assert_non_null(strstr(error.message, "the path of a socket has at most 107 characters"));
}

/* --- Servers of ours */

#define GREETING "{\"QMP\": {\"version\": {}, \"capabilities\": [\"oob\"]}}\r\n"
#define EVENT    "{\"event\": \"RTC_CHANGE\", \"data\": {\"return\": 1}}\r\n"
#define DONE     "{\"return\": {}}\r\n"

enum lie {
	LIE_NONE,
	LIE_TEXT,
	LIE_SILENCE,
	LIE_ENDLESS_LINE,
	LIE_ENDLESS_EVENTS,
	LIE_NO_OBJECT,
	LIE_NO_GREETING,
	LIE_GREETS_AGAIN,
	LIE_REFUSES,
	LIE_SAVES_NOTHING,
	LIE_SAVES_TOO_MUCH,
	LIE_CLOSES,
};

struct liar {
	enum lie lie;
	bool at_once; /* in the greeting, else in the answer to memsave */
	mode_t mode;  /* of the file that was to be written */
};

/* Writes to the file that the request names; notes what others may do with it. */
static void save(struct liar *liar, const char *request, size_t size)
{
	char path[4096] = "";
	struct stat file;
	const char *name = strstr(request, "\"filename\":\"");

	assert_non_null(name);
	sscanf(name, "\"filename\":\"%4095[^\"]", path);
	assert_int_equal(stat(path, &file), 0);
	liar->mode = file.st_mode & 0777;
	FILE *stream = fopen(path, "wb");
	for (size_t i = 0; i < size; i++)
		fputc('A', stream);
	fclose(stream);
}

static bool say(struct speaker *speaker, const char *text)
{
	return speaker_say(speaker, text, strlen(text));
}

static bool lie(struct speaker *speaker, const char *request)
{
	struct liar *liar = speaker->context;

	switch (liar->lie) {
	case LIE_TEXT:
		return say(speaker, "QEMU 7.2.22 monitor - type 'help' for more information\r\n");
	case LIE_SILENCE:
		return true;
	case LIE_ENDLESS_LINE:
		return speaker_flood(speaker, "{\"return\": ");
	case LIE_ENDLESS_EVENTS:
		return speaker_flood(speaker, EVENT);
	case LIE_NO_OBJECT:
		return say(speaker, "[\"return\"]\r\n");
	case LIE_NO_GREETING:
		return say(speaker, DONE);
	case LIE_GREETS_AGAIN:
		return say(speaker, GREETING);
	case LIE_REFUSES:
		return say(speaker,
		           "{\"error\": {\"class\": \"GenericError\", \"desc\": \"Permission\\ndenied\"}}\r\n");
	case LIE_SAVES_NOTHING:
		return say(speaker, DONE);
	case LIE_SAVES_TOO_MUCH:
		save(liar, request, 17);
		return say(speaker, DONE);
	case LIE_CLOSES:
		return false;
	case LIE_NONE:
		break;
	}
	save(liar, request, 16);
	return say(speaker, EVENT EVENT DONE);
}

static bool greet(struct speaker *speaker)
{
	const struct liar *liar = speaker->context;
	return liar->at_once ? lie(speaker, "") : say(speaker, EVENT GREETING);
}

static bool answer(struct speaker *speaker, const char *request)
{
	const struct liar *liar = speaker->context;

	if (strstr(request, "memsave") != NULL && !liar->at_once)
		return lie(speaker, request);
	return say(speaker, EVENT DONE);
}

static unsigned folders_left(void)
{
	unsigned count = 0;
	DIR *folder = opendir(getenv("TMPDIR"));

	for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
		count += entry->d_name[0] != '.';
	closedir(folder);
	return count;
}

/* What a read of a liar fails with, "" for none. Nothing is left in the folder for temporary files. */
static void read_from(struct liar *liar, struct error *error)
{
	struct speaker speaker = {.end = '\n', .greet = greet, .answer = answer, .context = liar};
	char source[64], bytes[16];
	uint64_t begin = clock_now();

	speaker_start(&speaker);
	snprintf(source, sizeof source, "qemu:%s" TIMEOUT, speaker.address);
	error->message[0] = 0;
	struct target *target = server_try_open(source, error);
	if (target != NULL) {
		struct error ignored;
		if (target_read(target, 0x1000, bytes, sizeof bytes, error) == STATUS_OK)
			assert_memory_equal(bytes, "AAAAAAAAAAAAAAAA", 16);
		target_close(target, &ignored);
	}
	speaker_join(&speaker);
	assert_true(clock_now() - begin < TIMEOUT_LATEST);
	assert_null(strchr(error->message, '\n'));
	assert_int_equal(folders_left(), 0);
}

TEST_WITH(events_are_passed_over_and_the_file_is_private, NULL, NULL)
{
	struct liar liar = {.lie = LIE_NONE};
	struct error error;

	read_from(&liar, &error);
	assert_string_equal(error.message, "");
	assert_int_equal(liar.mode, 0600);
}

TEST_WITH(every_lie_is_one_clear_line, NULL, NULL)
{
	static const struct {
		enum lie lie;
		bool at_once;
		const char *part;
	} cases[] = {
	        {LIE_TEXT, true, "what answers there does not speak QMP"},
	        {LIE_SILENCE, true, "QEMU did not answer within 0.5 s"},
	        {LIE_SILENCE, false, "QEMU did not answer within 0.5 s"},
	        {LIE_ENDLESS_LINE, true, "more than 65,536 characters"},
	        {LIE_ENDLESS_LINE, false, "more than 65,536 characters"},
	        {LIE_ENDLESS_EVENTS, true, "tells of events, but does not answer"},
	        {LIE_ENDLESS_EVENTS, false, "tells of events, but does not answer"},
	        {LIE_NO_OBJECT, false, "does not speak QMP"},
	        {LIE_NO_GREETING, true, "QEMU does not greet"},
	        {LIE_GREETS_AGAIN, false, "QEMU greets in place of an answer"},
	        {LIE_REFUSES, false, "cannot save 16 bytes at 0x00001000: Permission denied (it must be able"},
	        {LIE_SAVES_NOTHING, false, "does it run on this computer, and see its files?"},
	        {LIE_SAVES_TOO_MUCH, false, "does it run on this computer, and see its files?"},
	        {LIE_CLOSES, true, "QEMU closed the connection"},
	        {LIE_CLOSES, false, "QEMU closed the connection"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct liar liar = {.lie = cases[i].lie, .at_once = cases[i].at_once};
		struct error error;
		read_from(&liar, &error);
		if (strstr(error.message, cases[i].part) == NULL)
			fail_msg("%zu: '%s' does not say '%s'", i, error.message, cases[i].part);
	}
}

/* For temporary files, so that what is left of them is seen. */
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
