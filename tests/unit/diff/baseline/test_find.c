/* SPDX-License-Identifier: MIT */
/* Builds are found by build-id and by order, in folders that may contain other files. */
#include "shelf.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ID_1 "0101010101010101010101010101010101010101"
#define ID_2 "0102020202020202020202020202020202020202"

/* Keeps a build with the build-id ID_2. */
static void keep_2(const char *capture)
{
	struct image *image = shelf_image(2, "");

	image->build_id[0] = 1;
	shelf_keep_image(image, capture);
}

static const char *firmware_of(const char *id)
{
	char name[200];

	snprintf(name, sizeof name, "kept/%s/firmware.elf", id);
	return shelf_path(name);
}

static void expect_found(const char *id, const char *expected)
{
	struct baseline_build build;

	assert_success(baseline_find(shelf_baseline(), id, &build, &failure), &failure);
	assert_string_equal(build.firmware, firmware_of(expected));
	baseline_free(&build);
}

static void expect_not_found(const char *id, enum status status, const char *message)
{
	struct baseline_build build;

	assert_int_equal(baseline_find(shelf_baseline(), id, &build, &failure), status);
	assert_contains(failure.message, message);
	assert_null(build.firmware);
	assert_null(build.captures);
}

static void expect_last(const char *except, const char *expected)
{
	struct baseline_build build;

	assert_success(baseline_find_last(shelf_baseline(), except, &build, &failure), &failure);
	if (expected == NULL)
		assert_null(build.firmware);
	else
		assert_string_equal(build.firmware == NULL ? "none" : build.firmware, firmware_of(expected));
	baseline_free(&build);
}

static void expect_no_last(const char *message)
{
	struct baseline_build build;

	assert_failure(baseline_find_last(shelf_baseline(), NULL, &build, &failure), &failure, message);
	assert_null(build.firmware);
}

EACH_TEST(shelf_open, shelf_close);

TEST(build_is_found_with_its_captures_in_order)
{
	static const char *const captures[] = {"/0001.bprof", "/0002.bprof", "/0003.bprof"};
	struct baseline_build build;
	struct error error;

	shelf_keep(1, "c");
	shelf_keep(1, "b");
	shelf_keep(1, "a");
	assert_int_equal(baseline_find(shelf_baseline(), ID_1, &build, &error), STATUS_OK);
	assert_string_equal(build.firmware, firmware_of(ID_1));
	assert_int_equal(build.capture_count, 3);
	for (size_t i = 0; i < 3; i++)
		assert_string_equal(strrchr(build.captures[i], '/'), captures[i]);
	baseline_free(&build);
	assert_null(build.firmware);
}

TEST(beginning_of_a_build_id_suffices)
{
	shelf_keep(1, "a");
	keep_2("b");
	shelf_keep(0xAB, "c");
	expect_found("0101", ID_1);
	expect_found("01020", ID_2);
	expect_found(ID_2, ID_2);
	expect_found("ABab", shelf_id(0xAB));
}

TEST(ambiguous_beginning_of_a_build_id_is_refused)
{
	shelf_keep(1, "a");
	struct image *image = shelf_image(1, "");
	image->build_id[19] = 2;
	shelf_keep_image(image, "b");
	expect_not_found("0101", STATUS_FAILED,
	                 "kept: more than one build-id begins with 0101: " ID_1
	                 ", 0101010101010101010101010101010101010102");
	expect_found(ID_1, ID_1);
	expect_not_found("0203", STATUS_FAILED, "kept: contains no build whose build-id begins with 0203");
}

/* The build-id of one may be the beginning of another's. */
TEST(whole_build_id_is_never_ambiguous)
{
	shelf_keep(1, "a");
	assert_int_equal(mkdir(shelf_path("kept/" ID_1 "01"), 0755), 0);
	expect_found(ID_1, ID_1);
}

TEST(bad_build_id_is_a_usage_error)
{
	static const char *const ids[] = {"", "010", "010g", "../kept", "01 01", "0x0101"};
	char message[200];

	shelf_keep(1, "a");
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
		snprintf(message, sizeof message,
		         "'%s' is not a build-id: expected 4 to 128 hexadecimal digits, or the first ones if no "
		         "other build begins with them",
		         ids[i]);
		expect_not_found(ids[i], STATUS_USAGE, message);
	}
	char longer[200];
	memset(longer, '0', 129);
	longer[129] = '\0';
	expect_not_found(longer, STATUS_USAGE, "is not a build-id");
}

TEST(find_last_can_exclude_one_build)
{
	expect_last(NULL, NULL);
	shelf_keep(1, "a");
	expect_last(NULL, ID_1);
	expect_last(ID_1, NULL);
	keep_2("b");
	expect_last(NULL, ID_2);
	expect_last(ID_2, ID_1);
	expect_last(ID_1, ID_2);
	shelf_keep(1, "a");
	expect_last(NULL, ID_1);
	expect_last(ID_1, ID_2);
}

TEST(missing_build_is_reported)
{
	shelf_keep(1, "a");
	shelf_write("kept/last", ID_1 "\n" ID_2 "\n");
	expect_no_last("kept/last: the folder of build " ID_2 " is missing; restore it or remove its line");
	expect_last(ID_2, ID_1);
	shelf_write("kept/last", ID_2 "\n" ID_1 "\n");
	expect_last(NULL, ID_1);
}

TEST(bad_list_of_build_ids_is_refused)
{
	static const char *const texts[] = {
	        "../../etc\n", ID_1 "\r\n", ID_1 " \n", "\n", ID_1 "\n\n" ID_1 "\n", "010101\n", "0101010\n",
	};

	shelf_keep(1, "a");
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		shelf_write("kept/last", texts[i]);
		expect_no_last(i == 4 ? "kept/last: line 2 is not a build-id" : "kept/last: line 1 is not a build-id");
	}
	shelf_write("kept/last", ID_1);
	expect_last(NULL, ID_1);
	assert_int_equal(unlink(shelf_path("kept/last")), 0);
	assert_int_equal(mkfifo(shelf_path("kept/last"), 0666), 0);
	expect_no_last("kept/last: not a regular file");
	shelf_write("list", ID_1 "\n");
	assert_int_equal(unlink(shelf_path("kept/last")), 0);
	assert_int_equal(symlink("../list", shelf_path("kept/last")), 0);
	expect_no_last("kept/last: not a regular file");
}

TEST(files_other_than_captures_are_ignored)
{
	static const char *const odd[] = {"1.bprof",   "00002.bprof", "0000.bprof", "0002.bprof~",
	                                  "0002.elf",  "+002.bprof",  "two.bprof",  ".0002.bprof",
	                                  "0002bprof", "10002.bprof", " 002.bprof", "0002.bprof.bprof"};

	shelf_keep(1, "a");
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		char name[100];

		snprintf(name, sizeof name, "kept/" ID_1 "/%s", odd[i]);
		shelf_write(name, "odd");
	}
	shelf_write("kept/" ID_1 "/0003.bprof", "");
	assert_int_equal(symlink("0001.bprof", shelf_path("kept/" ID_1 "/0004.bprof")), 0);
	assert_int_equal(mkdir(shelf_path("kept/" ID_1 "/0005.bprof"), 0755), 0);
	shelf_write("kept/" ID_1 "/0006.bprof", "b");
	struct baseline_build build;
	struct error error;
	assert_int_equal(baseline_find(shelf_baseline(), ID_1, &build, &error), STATUS_OK);
	assert_int_equal(build.capture_count, 2);
	assert_string_equal(build.captures[1], shelf_path("kept/" ID_1 "/0006.bprof"));
	baseline_free(&build);
}

TEST(folder_entries_other_than_builds_are_ignored)
{
	shelf_keep(1, "a");
	assert_int_equal(mkdir(shelf_path("kept/0101zz01"), 0755), 0);
	assert_int_equal(mkdir(shelf_path("kept/010101"), 0755), 0);
	assert_int_equal(mkdir(shelf_path("kept/010101010"), 0755), 0);
	assert_int_equal(mkdir(shelf_path("kept/0101AA01"), 0755), 0);
	expect_found("0101", ID_1);
}

TEST(incomplete_builds_are_reported)
{
	shelf_keep(1, "a");
	assert_int_equal(unlink(shelf_path("kept/" ID_1 "/0001.bprof")), 0);
	expect_not_found(ID_1, STATUS_FAILED, "kept/" ID_1 ": contains no capture such as 0001.bprof");
	assert_int_equal(unlink(shelf_path("kept/" ID_1 "/firmware.elf")), 0);
	expect_not_found(ID_1, STATUS_FAILED, "kept/" ID_1 "/firmware.elf: missing or not a regular file");
	assert_int_equal(symlink("../../fw.elf", shelf_path("kept/" ID_1 "/firmware.elf")), 0);
	expect_not_found(ID_1, STATUS_FAILED, "kept/" ID_1 "/firmware.elf: missing or not a regular file");
	assert_int_equal(symlink(ID_1, shelf_path("kept/" ID_2)), 0);
	expect_not_found(ID_2, STATUS_FAILED, "kept/" ID_2 ": not a folder");
}

TEST(unreadable_folder_is_reported)
{
	expect_not_found(ID_1, STATUS_FAILED, "kept: cannot open: No such file or directory");
	shelf_write("kept", "a file");
	expect_not_found(ID_1, STATUS_FAILED, "kept: cannot open: Not a directory");
	expect_no_last("kept: not a folder");
}

/* Root ignores permissions, so it becomes another user meanwhile. */
#define NOBODY 65534
TEST(unreadable_build_is_reported)
{
	uid_t user = geteuid();

	shelf_keep(1, "a");
	assert_int_equal(chmod(shelf_path(""), 0755), 0);
	assert_int_equal(chmod(shelf_path("kept/" ID_1), 0111), 0);
	if (user == 0)
		assert_int_equal(seteuid(NOBODY), 0);
	expect_not_found(ID_1, STATUS_FAILED, "kept/" ID_1 ": cannot open: Permission denied");
	assert_int_equal(seteuid(user), 0);
	assert_int_equal(chmod(shelf_path("kept/" ID_1), 0755), 0);
}
