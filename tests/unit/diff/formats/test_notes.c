/* SPDX-License-Identifier: MIT */
/* A row that is not plainly the same function says why. */
#include "comparison.h"

#include "diff/formats/notes.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static void expect_note(struct made *made, size_t row, const char *name, const char *text)
{
	struct notes *notes;
	struct error error;
	assert_int_equal(notes_create(made_finish(made), made->names, &notes, &error), STATUS_OK);
	assert_string_equal(notes_name(notes, row), name);
	assert_string_equal(notes_text(notes, row), text);
	notes_free(notes);
	made_free(made);
}

TEST(the_same_function_needs_no_note)
{
	struct made *made = made_create();
	made_row(made, "main", "main");
	expect_note(made, 0, "main", "");
}

TEST(what_is_in_one_build_says_so)
{
	struct made *made = made_create();
	made_row(made, NULL, "_Z3addii");
	expect_note(made, 0, "add(int, int)", "new");
	made = made_create();
	made_row(made, "_Z3addii", NULL);
	expect_note(made, 0, "add(int, int)", "gone");
}

TEST(a_pair_not_by_name_says_how_it_was_made)
{
	struct made *made = made_create();
	size_t row = made_row(made, "_Z3addii", "sum");
	made_pair(made, row)->how = PAIRED_BY_CODE;
	expect_note(made, row, "sum", "was add(int, int) by code");
	made = made_create();
	row = made_row(made, "same", "same");
	made_pair(made, row)->how = PAIRED_BY_PLACE;
	expect_note(made, row, "same", "by file and line");
}

TEST(a_moved_function_says_where_to)
{
	struct made *made = made_create();
	size_t row = made_row(made, "local", "local");
	struct pairing_pair *pair = made_pair(made, row);
	pair->how = PAIRED_BY_MOVED_NAME;
	pair->files[BUILD_OLD] = "a.c";
	pair->files[BUILD_NEW] = "src/b.c";
	expect_note(made, row, "local", "moved to src/b.c");
}

TEST(inlined_functions_name_their_hosts)
{
	static const char *const hosts[] = {"a", "b", "c", "d"};
	static const char *const texts[] = {"now inlined into a", "now inlined into a and b",
	                                    "now inlined into a, b and 1 more", "now inlined into a, b and 2 more"};
	for (size_t count = 1; count <= 4; count++) {
		struct made *made = made_create();
		size_t row = made_row(made, "small", NULL);
		for (size_t i = 0; i < count; i++)
			made_inline(made, row, BUILD_NEW, made_row(made, hosts[i], hosts[i]));
		expect_note(made, row, "small", texts[count - 1]);
	}
}

TEST(outlined_functions_name_where_they_were)
{
	struct made *made = made_create();
	size_t row = made_row(made, NULL, "small");
	made_inline(made, row, BUILD_OLD, made_row(made, "large", "large"));
	expect_note(made, row, "small", "was inlined into large");
}

/* What is inlined in one build keeps a symbol that is called there, too, or is not. */
TEST(partly_inlined_functions_name_their_hosts)
{
	static const char *const texts[BUILD_COUNT][2] = {
	        {"was partly inlined into large", "was inlined into large"},
	        {"now partly inlined into large", "now inlined into large"},
	};
	for (enum build build = 0; build < BUILD_COUNT; build++)
		for (size_t i = 0; i < 2; i++) {
			struct made *made = made_create();
			size_t row = made_row(made, "small", "small");
			made_inline(made, row, build, made_row(made, "large", "large"));
			made_pair(made, row)->is_inlined[build] = false;
			made->comparison.rows[row].inlining[build] = i == 0 ? COMPARE_PARTLY_INLINED : COMPARE_INLINED;
			made_pair(made, row)->functions[build] = 1;
			expect_note(made, row, "small", texts[build][i]);
		}
}

TEST(dwarf_name_of_an_inlined_function_is_not_a_rename)
{
	struct made *made = made_create();
	size_t row = made_row(made, "_Z5smalli", NULL);
	made_inline(made, row, BUILD_NEW, made_row(made, "large", "large"));
	made->comparison.rows[row].names[BUILD_NEW] = "small";
	expect_note(made, row, "small", "now inlined into large");
	made = made_create();
	row = made_row(made, NULL, "_Z5smalli");
	made_inline(made, row, BUILD_OLD, made_row(made, "large", "large"));
	made->comparison.rows[row].names[BUILD_OLD] = "small";
	expect_note(made, row, "small(int)", "was inlined into large");
}

TEST(changed_numbers_of_clones_are_noted)
{
	struct made *made = made_create();
	size_t row = made_row(made, "f", "f");
	made_pair(made, row)->how = PAIRED_BY_CLONE;
	made_pair(made, row)->functions[BUILD_NEW] = 2;
	expect_note(made, row, "f", "by name without suffix, clones 1 -> 2");
}

TEST(functions_of_the_same_name_are_distinguished_by_file)
{
	struct made *made = made_create();
	size_t row = made_row(made, "init", "init");
	made_pair(made, row)->files[BUILD_OLD] = "uart.c";
	made_pair(made, row)->files[BUILD_NEW] = "uart.c";
	made_row(made, "init", "init");
	expect_note(made, row, "init", "in uart.c");
}

TEST(cycles_are_noted_by_build)
{
	static const char *const texts[] = {"", "was in a cycle", "now in a cycle", "in a cycle"};
	for (size_t i = 0; i < 4; i++) {
		struct made *made = made_create();
		size_t row = made_row(made, "f", "f");
		made->comparison.rows[row].cycles[BUILD_OLD] = i & 1;
		made->comparison.rows[row].cycles[BUILD_NEW] = i & 2;
		expect_note(made, row, "f", texts[i]);
	}
}

TEST(other_nodes_keep_their_names)
{
	struct made *made = made_create();
	made_kind(made, PROFILE_BAREPROF, "<bareprof>");
	expect_note(made, 0, "<bareprof>", "");
}
