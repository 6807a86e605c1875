/* SPDX-License-Identifier: MIT */
/* Builds are kept whole and each capture once, also by several processes at a time. */
#include "shelf.h"
#include "test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ID_1 "0101010101010101010101010101010101010101"
#define ID_2 "0202020202020202020202020202020202020202"

EACH_TEST(shelf_open, shelf_close);

TEST(build_is_kept_under_its_build_id)
{
	shelf_keep(1, "first");
	shelf_expect("kept/" ID_1 "/firmware.elf", ID_1);
	shelf_expect("kept/" ID_1 "/0001.bprof", "first");
	shelf_expect("kept/last", ID_1 "\n");
	assert_int_equal(shelf_count("kept"), 2);
	assert_int_equal(shelf_count("kept/" ID_1), 2);
}

TEST(captures_are_numbered_and_kept_once)
{
	shelf_keep(1, "first");
	shelf_keep(1, "second");
	shelf_keep(1, "first");
	shelf_expect("kept/" ID_1 "/0001.bprof", "first");
	shelf_expect("kept/" ID_1 "/0002.bprof", "second");
	assert_int_equal(shelf_count("kept/" ID_1), 3);
}

TEST(numbers_continue_after_the_last_capture)
{
	shelf_keep(1, "first");
	shelf_write("kept/" ID_1 "/0007.bprof", "seventh");
	assert_int_equal(symlink("nowhere", shelf_path("kept/" ID_1 "/0008.bprof")), 0);
	shelf_keep(1, "next");
	shelf_expect("kept/" ID_1 "/0009.bprof", "next");
	shelf_write("kept/" ID_1 "/9999.bprof", "no more");
	shelf_refuse(1, "one more", ID_1 ": has 9999 captures already, the most that are kept of one build");
}

TEST(last_lists_builds_in_order)
{
	shelf_keep(1, "a");
	shelf_keep(2, "b");
	shelf_expect("kept/last", ID_1 "\n" ID_2 "\n");
	shelf_keep(1, "a");
	shelf_expect("kept/last", ID_2 "\n" ID_1 "\n");
}

TEST(last_kept_firmware_is_used)
{
	struct error error;

	shelf_keep(1, "a");
	assert_int_equal(baseline_keep(shelf_baseline(), shelf_image(1, "with symbols"), NULL, 0, &error), STATUS_OK);
	shelf_expect("kept/" ID_1 "/firmware.elf", "with symbols");
}

TEST(firmware_without_build_id_is_refused)
{
	struct error error;
	struct image *image = shelf_image(1, "");

	for (image->build_id_size = 0; image->build_id_size < 4; image->build_id_size++)
		assert_failure(baseline_keep(shelf_baseline(), image, NULL, 0, &error), &error,
		               "fw.elf: has no build-id of 4 bytes or more, by which builds are kept: link it "
		               "with -Wl,--build-id");
	assert_int_equal(access(shelf_baseline(), F_OK), -1);
}

TEST(build_ids_have_any_length_that_linkers_generate)
{
	struct error error;
	struct image *image = shelf_image(0xAB, "");

	for (image->build_id_size = 4; image->build_id_size <= 64; image->build_id_size *= 2) {
		memset(image->build_id, 0xAB, image->build_id_size);
		assert_int_equal(baseline_keep(shelf_baseline(), image, NULL, 0, &error), STATUS_OK);
		assert_int_equal(access(shelf_path("kept/last"), F_OK), 0);
	}
	assert_int_equal(shelf_count("kept"), 6);
}

TEST(pipes_are_not_kept)
{
	char *captures[] = {"/dev/null"};
	struct error error;

	assert_failure(baseline_keep(shelf_baseline(), shelf_image(1, ""), captures, 1, &error), &error,
	               "/dev/null: not a regular file, so it cannot be read a second time to be kept");
	assert_int_equal(access(shelf_path("kept/last"), F_OK), -1);
}

TEST(impossible_folders_are_reported)
{
	struct error error;

	shelf_write("kept", "a file");
	shelf_refuse(1, "a", "kept/" ID_1 ": cannot create: Not a directory");
	assert_failure(baseline_keep(shelf_path("no/such"), shelf_image(1, ""), NULL, 0, &error), &error,
	               "no/such: cannot create: No such file or directory");
}

/* Other users who can write to the folder must not make us write elsewhere. */
TEST(links_are_not_written_through)
{
	shelf_keep(1, "a");
	shelf_write("precious", "precious");
	assert_int_equal(unlink(shelf_path("kept/last")), 0);
	assert_int_equal(symlink("../precious", shelf_path("kept/last")), 0);
	shelf_refuse(1, "a", "kept/last: not a regular file");
	assert_int_equal(unlink(shelf_path("kept/" ID_1 "/firmware.elf")), 0);
	assert_int_equal(symlink("../../precious", shelf_path("kept/" ID_1 "/firmware.elf")), 0);
	shelf_refuse(1, "a", "firmware.elf: not a regular file, so it is not overwritten");
	assert_int_equal(symlink(".", shelf_path("kept/" ID_2)), 0);
	shelf_refuse(2, "b", "kept/" ID_2 ": not a folder");
	shelf_expect("precious", "precious");
}

TEST(full_disk_leaves_only_whole_files)
{
	struct rlimit unlimited;
	struct error error;
	char large[20001];

	memset(large, 'x', sizeof large - 1);
	large[sizeof large - 1] = '\0';
	shelf_keep(1, "a");
	shelf_write("run.bprof", large);
	char *captures[] = {strdup(shelf_path("run.bprof"))};
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
	struct rlimit limit = {.rlim_cur = 10000, .rlim_max = unlimited.rlim_max};
	signal(SIGXFSZ, SIG_IGN);
	struct image *image = shelf_image(2, ID_2);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(baseline_keep(shelf_baseline(), image, captures, 1, &error), STATUS_FAILED);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
	signal(SIGXFSZ, SIG_DFL);
	free(captures[0]);
	assert_non_null(strstr(error.message, "0001.bprof: cannot write: File too large"));
	assert_int_equal(shelf_count("kept/" ID_2), 1);
	shelf_expect("kept/" ID_2 "/firmware.elf", ID_2);
	shelf_expect("kept/last", ID_1 "\n");
}

#define KEEPERS 8

/* All keepers share every second capture. */
static void keep_many(struct image *image, int keeper)
{
	struct error error;
	char name[40], text[40], *captures[1];

	snprintf(name, sizeof name, "run-%d.bprof", keeper);
	captures[0] = strdup(shelf_path(name));
	memset(image->build_id, keeper, SHELF_ID_SIZE);
	for (int i = 0; i < 10; i++) {
		snprintf(text, sizeof text, "%d of %d", i, i % 2 == 0 ? keeper : KEEPERS);
		shelf_write(name, text);
		memset(image->build_id, i == 0 ? keeper : 0xEE, SHELF_ID_SIZE);
		if (baseline_keep(shelf_baseline(), image, captures, 1, &error) != STATUS_OK)
			_exit(1);
	}
	_exit(0);
}

TEST(concurrent_processes_keep_each_capture_once)
{
	struct image *image = shelf_image(0xEE, "");
	pid_t keepers[KEEPERS];

	for (int i = 0; i < KEEPERS; i++)
		if ((keepers[i] = fork()) == 0)
			keep_many(image, i);
	for (int i = 0; i < KEEPERS; i++) {
		int status;

		assert_int_equal(waitpid(keepers[i], &status, 0), keepers[i]);
		assert_int_equal(status, 0);
	}
	char shared[100];
	snprintf(shared, sizeof shared, "kept/%s", shelf_id(0xEE));
	assert_int_equal(shelf_count(shared), 1 + 4 * KEEPERS + 5);
	assert_int_equal(shelf_count("kept"), 1 + 1 + KEEPERS);
	struct stat last;
	assert_int_equal(stat(shelf_path("kept/last"), &last), 0);
	assert_int_equal(last.st_size, (KEEPERS + 1) * (2 * SHELF_ID_SIZE + 1));
}
