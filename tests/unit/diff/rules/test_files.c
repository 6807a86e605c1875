/* SPDX-License-Identifier: MIT */
/* Files of rules: one per line, comments, and files that are refused. */
#include "diff/rules/rule.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TEST(each_line_is_a_rule)
{
	static const char text[] = "# what main may cost\r\n"
	                           "total(main) > +5% # a comment\r\n"
	                           "\r\n"
	                           "   \t\n"
	                           "self(f()::{lambda()#1}) > +1us\n"
	                           "size > +2%";
	struct rule_set set = {0};
	struct error error;

	assert_int_equal(rule_set_add_lines(&set, "rules.txt", text, strlen(text), &error), STATUS_OK);
	assert_int_equal(set.count, 3);
	assert_string_equal(set.rules[0].text, "total(main) > +5%");
	assert_string_equal(set.rules[0].origin, "rules.txt:2");
	assert_string_equal(set.rules[1].pattern, "f()::{lambda()#1}");
	assert_string_equal(set.rules[1].origin, "rules.txt:5");
	assert_string_equal(set.rules[2].origin, "rules.txt:6");
	rule_set_free(&set);
}

static void expect_refused(const char *text, size_t size, const char *message)
{
	struct rule_set set = {0};
	struct error error = {.message = ""};

	assert_int_equal(rule_set_add_lines(&set, "rules.txt", text, size, &error), STATUS_USAGE);
	assert_string_equal(error.message, message);
	rule_set_free(&set);
}

TEST(broken_line_is_reported_by_number)
{
	static const char text[] = "size > +2%\n\nsize > 2%\nsize > +2%\n";

	expect_refused(text, strlen(text), "rules.txt:3: rule 'size > 2%': expected a sign, as in +2%, at '2%'");
}

TEST(file_without_rules_is_refused)
{
	expect_refused("", 0, "rules.txt: contains no rule");
	expect_refused("# none\n", 7, "rules.txt: contains no rule");
}

TEST(file_with_zero_bytes_is_refused)
{
	expect_refused("size > +2%\n\0", 12, "rules.txt: not a file of rules: zero byte at offset 11");
}

/* Returns count copies of line. */
static char *repeat(const char *line, size_t count)
{
	size_t length = strlen(line);
	char *text = malloc(count * length + 1);

	assert_non_null(text);
	for (size_t i = 0; i < count; i++)
		memcpy(text + i * length, line, length + 1);
	return text;
}

TEST(too_many_rules_are_refused)
{
	char *text = repeat("size > +2%\n", 10001);
	struct rule_set set = {0};
	struct error error;

	assert_int_equal(rule_set_add_lines(&set, "rules.txt", text, strlen(text) - 11, &error), STATUS_OK);
	assert_int_equal(set.count, 10000);
	rule_set_free(&set);
	expect_refused(text, strlen(text), "rules.txt:10001: more than 10000 rules");
	free(text);
}

TEST(endless_line_is_refused)
{
	char *text = repeat("x", 65536);

	expect_refused(text, 65536, "rules.txt:1: the rule has 65536 bytes or more");
	free(text);
}

TEST(file_is_read_by_its_name)
{
	char path[300];
	const char *build = getenv("BUILD");

	snprintf(path, sizeof path, "%s/unit-rules", build == NULL ? "build" : build);
	FILE *stream = fopen(path, "w");
	assert_non_null(stream);
	fputs("size > +2%\n", stream);
	assert_int_equal(fclose(stream), 0);
	struct rule_set set = {0};
	struct error error;
	assert_int_equal(rule_set_add_file(&set, path, &error), STATUS_OK);
	assert_int_equal(set.count, 1);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rule_set_add_file(&set, path, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "cannot open: No such file"));
	assert_int_equal(set.count, 1);
	rule_set_free(&set);
}
