/* SPDX-License-Identifier: MIT */
/* @FILE on a command line. */
#include "command/arguments.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[128];

static void write_file(const char *text)
{
	const char *build = getenv("BUILD");

	snprintf(path, sizeof path, "%s/arguments.%ld", build != NULL ? build : ".", (long)getpid());
	FILE *stream = fopen(path, "w");
	assert_non_null(stream);
	fputs(text, stream);
	fclose(stream);
}

static int tear_down(void **state)
{
	remove(path);
	return 0;
}

/* Expands "gprof before @FILE after" and expects the words between, each ended by '|'. */
static void expect_words(const char *text, const char *expected)
{
	char word[160], words[256] = "";
	char gprof[] = "gprof", before[] = "before", after[] = "after";
	char *argv[] = {gprof, before, word, after, NULL};
	struct arguments arguments;
	struct error error = {.message = ""};

	write_file(text);
	snprintf(word, sizeof word, "@%s", path);
	assert_int_equal(arguments_expand(4, argv, &arguments, &error), STATUS_OK);
	assert_string_equal(arguments.words[0], "gprof");
	assert_string_equal(arguments.words[1], "before");
	assert_string_equal(arguments.words[arguments.count - 1], "after");
	assert_null(arguments.words[arguments.count]);
	for (size_t i = 2; i + 1 < arguments.count; i++) {
		strcat(words, arguments.words[i]);
		strcat(words, "|");
	}
	assert_string_equal(words, expected);
	arguments_free(&arguments);
}

EACH_TEST(NULL, tear_down);

TEST(white_space_separates_words)
{
	expect_words(" -b\t-p\n\n-q ", "-b|-p|-q|");
	expect_words("one", "one|");
}

TEST(empty_file_adds_no_words)
{
	expect_words("", "");
	expect_words(" \n", "");
}

TEST(quotes_and_backslashes_keep_blanks)
{
	expect_words("'a b' c\" d\"e f\\ g", "a b|c de|f g|");
	expect_words("'a\"b' \"c'd\" \\\\ \\'", "a\"b|c'd|\\|'|");
	expect_words("''", "|");
	expect_words("'not closed", "not closed|");
}

TEST(final_backslash_is_kept)
{
	expect_words("end\\", "end\\|");
}

TEST(name_of_a_missing_file_stays_a_word)
{
	expect_words("@/nowhere/at/all @", "@/nowhere/at/all|@|");
}

static void expect_refusal(const char *name, const char *words)
{
	char word[160], gprof[] = "gprof";
	char *argv[] = {gprof, word, NULL};
	struct arguments arguments;
	struct error error = {.message = ""};

	snprintf(word, sizeof word, "@%s", name);
	assert_int_equal(arguments_expand(2, argv, &arguments, &error), STATUS_FAILED);
	assert_contains(error.message, words);
}

TEST(files_that_include_themselves_are_refused)
{
	char text[288];

	write_file("");
	snprintf(text, sizeof text, "-b -b -b @%s @%s", path, path);
	write_file(text);
	expect_refusal(path, ": an option file that includes itself");
}

TEST(a_file_may_be_named_twice)
{
	char word[160], gprof[] = "gprof";
	char *argv[] = {gprof, word, word, NULL};
	struct arguments arguments;
	struct error error = {.message = ""};

	write_file("a b");
	snprintf(word, sizeof word, "@%s", path);
	assert_int_equal(arguments_expand(3, argv, &arguments, &error), STATUS_OK);
	assert_int_equal(arguments.count, 5);
	arguments_free(&arguments);
}

TEST(oversized_files_are_refused)
{
	char *text = calloc(1, 2000004);

	assert_non_null(text);
	for (int i = 0; i < 1000001; i++)
		memcpy(text + 2 * i, "x ", 2);
	write_file(text);
	free(text);
	expect_refusal(path, ": more than 1000000 words in option files");
	expect_refusal("/dev/zero", "/dev/zero: larger than 67108864 bytes");
	expect_refusal(".", ".: is a directory, expected a file");
}
