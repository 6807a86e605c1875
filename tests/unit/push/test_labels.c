/* SPDX-License-Identifier: MIT */
/* Labels and names of applications: which are valid, and what invalid ones become. */
#include "push/labels.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

TEST(names_follow_the_syntax_of_prometheus)
{
	static const char *const valid[] = {"a", "_", "_a1", "Serial_Number", "a__b"};
	static const char *const invalid[] = {"",         "1a",  "a-b", "a.b",   "a b",
	                                      "\xc3\xa4", "__a", "__",  "board", "__name__"};

	for (size_t i = 0; i < sizeof valid / sizeof *valid; i++)
		assert_true(push_label_name_is_valid(valid[i], strlen(valid[i])));
	for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++)
		assert_false(push_label_name_is_valid(invalid[i], strlen(invalid[i])));
	assert_true(push_label_name_is_valid("boardroom", 9));
	assert_true(push_label_name_is_valid("serial=4711", 6));
}

TEST(clean_values_are_valid_and_valid_ones_stay)
{
	static const struct {
		const char *text, *clean;
	} cases[] = {
	        {"demo", "demo"},
	        {"a=b {c \"", "a=b {c \""},
	        {"Gr\xc3\xb6\xc3\x9f"
	         "e",
	         "Gr\xc3\xb6\xc3\x9f"
	         "e"},
	        {"a,b}", "a_b_"},
	        {"\x1b[31m\xff", "_[31m_"},
	        {" ", "_"},
	        {" a ", "_a_"},
	        {"a\xe2\x80\xae", "a___"},
	        {"a\nb", "a_b"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[32];

		snprintf(text, sizeof text, "%s", cases[i].text);
		assert_int_equal(push_label_value_is_valid(text), strcmp(text, cases[i].clean) == 0);
		push_label_value_clean(text);
		assert_string_equal(text, cases[i].clean);
		assert_true(push_label_value_is_valid(text));
	}
	assert_false(push_label_value_is_valid(""));
}

/* The maximum may be inside of a character. */
TEST(long_values_are_cut)
{
	char text[4000];

	memset(text, 'x', sizeof text);
	memcpy(text + 2046, "\xe2\x82\xac", 3);
	text[sizeof text - 1] = '\0';
	assert_false(push_label_value_is_valid(text));
	push_label_value_clean(text);
	assert_int_equal(strlen(text), 2048);
	assert_true(push_label_value_is_valid(text));
}

TEST(applications_have_letters_digits_and_few_others)
{
	char hostile[] = "a b{c,\x1b}\xff";

	assert_true(push_application_is_valid("shop/pump-1.cpu_x"));
	assert_false(push_application_is_valid(""));
	assert_false(push_application_is_valid(hostile));
	push_application_clean(hostile);
	assert_string_equal(hostile, "a_b_c____");
}

TEST(labels_are_found_by_their_whole_name)
{
	struct push_labels labels = {0};

	assert_true(push_labels_add(&labels, "serial=4711", 6, "4711"));
	assert_true(push_labels_add(&labels, "empty", 5, ""));
	assert_int_equal(labels.count, 1);
	assert_string_equal(labels.items[0].name, "serial");
	assert_true(push_labels_have(&labels, "serial", 6));
	assert_false(push_labels_have(&labels, "serial", 5));
	assert_false(push_labels_have(&labels, "serials", 7));
	push_labels_free(&labels);
	assert_int_equal(labels.count, 0);
}
