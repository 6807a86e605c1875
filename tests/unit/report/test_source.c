/* SPDX-License-Identifier: MIT */
/* Source files: where they are searched, and which files are refused. */
#include "base/text/text.h"
#include "report/source.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_SIZE 300

static char folder[200];

static void path_of(char path[PATH_SIZE], const char *name)
{
	snprintf(path, PATH_SIZE, "%s/%s", folder, name);
}

static void write_file(const char *name, const char *text)
{
	char path[PATH_SIZE];

	path_of(path, name);
	FILE *stream = fopen(path, "w");
	assert_non_null(stream);
	fputs(text, stream);
	fclose(stream);
}

static int set_up(void **state)
{
	const char *build = getenv("BUILD");

	snprintf(folder, sizeof folder, "%s/unit-source-XXXXXX", build == NULL ? "build" : build);
	if (mkdtemp(folder) == NULL)
		return -1;
	char path[PATH_SIZE];
	path_of(path, "src");
	if (mkdir(path, 0777) != 0)
		return -1;
	write_file("src/a.c", "in src\n");
	write_file("b.c", "one\r\n\ntwo");
	return 0;
}

static int tear_down(void **state)
{
	char command[PATH_SIZE];

	snprintf(command, sizeof command, "rm -rf \"%s\"", folder);
	return system(command);
}

static void expect_line(const struct source_file *source, size_t line, const char *expected)
{
	size_t length;
	const char *text = source_line(source, line, &length);

	assert_int_equal(length, strlen(expected));
	assert_memory_equal(text, expected, length);
}

static void expect_found(const struct output_source_paths *paths, const char *name, const char *first_line)
{
	struct source_file source;
	struct error error;

	if (source_open(paths, name, &source, &error) != STATUS_OK)
		fail_msg("%s: %s", name, error.message);
	expect_line(&source, 1, first_line);
	source_close(&source);
}

static void expect_missing(const struct output_source_paths *paths, const char *name)
{
	struct source_file source;
	struct error error;

	assert_int_equal(source_open(paths, name, &source, &error), STATUS_FAILED);
	source_close(&source);
}

ALL_TESTS(set_up, tear_down);

TEST(line_ends_of_all_systems_are_known)
{
	struct source_file source;
	struct error error;
	char path[PATH_SIZE];

	path_of(path, "b.c");
	assert_int_equal(source_open(&(struct output_source_paths){.folder_count = 0}, path, &source, &error),
	                 STATUS_OK);
	assert_int_equal(source.line_count, 3);
	expect_line(&source, 0, "");
	expect_line(&source, 1, "one");
	expect_line(&source, 2, "");
	expect_line(&source, 3, "two");
	expect_line(&source, 4, "");
	expect_line(&source, SIZE_MAX, "");
	source_close(&source);
}

TEST(folders_are_searched_with_and_without_the_path_of_the_name)
{
	const char *const folders[] = {"/nowhere", folder};
	const struct output_source_paths paths = {.folders = folders, .folder_count = 2};

	expect_found(&paths, "src/a.c", "in src");
	expect_found(&paths, "b.c", "one");
	expect_found(&paths, "/build/of/another/b.c", "one");
	expect_missing(&paths, "a.c");
	expect_missing(&(struct output_source_paths){.folder_count = 0}, "src/a.c");
}

TEST(the_compilation_folder_is_searched_last)
{
	char src[PATH_SIZE];

	path_of(src, "src");
	const struct output_source_paths paths = {.compilation_folder = src};
	expect_found(&paths, "a.c", "in src");
	expect_missing(&paths, "src/a.c");
}

TEST(the_first_matching_prefix_is_replaced)
{
	char here[PATH_SIZE];

	path_of(here, "");
	const struct output_source_prefix prefixes[] = {
	        {"/other/", 7, "/nowhere/"},
	        {"/build/", 7, here},
	        {"/build/src/", 11, "/nowhere/"},
	};
	const struct output_source_paths paths = {.prefixes = prefixes, .prefix_count = 3};
	expect_found(&paths, "/build/src/a.c", "in src");
	expect_missing(&paths, "/other/src/a.c");
	expect_missing(&paths, "build/src/a.c");
}

/* An ELF may name anything. Opening or reading another kind of file could block for ever. */
TEST(only_regular_files_of_limited_size_are_opened)
{
	const struct output_source_paths paths = {.folder_count = 0};
	char path[PATH_SIZE];

	path_of(path, "pipe");
	assert_int_equal(mkfifo(path, 0600), 0);
	expect_missing(&paths, path);
	expect_missing(&paths, "/dev/zero");
	expect_missing(&paths, "-");
	expect_missing(&paths, folder);
	write_file("large.c", "");
	path_of(path, "large.c");
	assert_int_equal(truncate(path, ((off_t)64 << 20) + 1), 0);
	expect_missing(&paths, path);
	assert_int_equal(truncate(path, 0), 0);
	expect_found(&paths, path, "");
}

/* Such files report a size of 0, and may contain a gigabyte or block a reader. */
TEST(files_of_the_kernel_are_read_as_empty)
{
	struct source_file source;
	struct error error;

	assert_int_equal(
	        source_open(&(struct output_source_paths){.folder_count = 0}, "/proc/self/pagemap", &source, &error),
	        STATUS_OK);
	assert_int_equal(source.size, 0);
	assert_int_equal(source.line_count, 0);
	source_close(&source);
}

TEST(source_is_printed_with_expanded_tabs_and_escaped_controls)
{
	struct printed *printed = printed_begin();
	FILE *stream = printed->stream;

	text_print_source(stream, "\ta \xC3\xA9 \x1B[2J \xC3", 10);
	/* A character cut off by the end of the line is invalid. */
	text_print_source(stream, "\xC3\xA9", 1);
	text_print_source(stream, "\0x", 2);
	/* Tabs are of the line, not of the column that it begins in; a character of several bytes is one column. */
	text_print_source(stream, "\xC3\xA9\tx\t", 5);
	assert_string_equal(printed_text(printed), "        a \xC3\xA9 \\x1b[2J\\xc3\\x00x"
	                                           "\xC3\xA9       x       ");
}

/* Code alternates between files, and each may be large. */
TEST(sources_are_read_once_up_to_a_limit)
{
	struct sources sources = {.count = 0};
	char a[PATH_SIZE], b[PATH_SIZE];

	path_of(a, "src/a.c");
	path_of(b, "kept.c");
	write_file("kept.c", "kept");
	expect_line(sources_find(&sources, b), 1, "kept");
	assert_null(sources_find(&sources, "/nowhere"));
	assert_int_equal(unlink(b), 0);
	sources_trim(&sources);
	expect_line(sources_find(&sources, a), 1, "in src");
	expect_line(sources_find(&sources, b), 1, "kept");
	write_file("large.c", "large\n");
	char large[PATH_SIZE];
	path_of(large, "large.c");
	assert_int_equal(truncate(large, (off_t)64 << 20), 0);
	expect_line(sources_find(&sources, large), 1, "large");
	write_file("later.c", "later");
	char later[PATH_SIZE];
	path_of(later, "later.c");
	assert_null(sources_find(&sources, later));
	sources_trim(&sources);
	expect_line(sources_find(&sources, later), 1, "later");
	assert_null(sources_find(&sources, b));
	sources_free(&sources);
}
