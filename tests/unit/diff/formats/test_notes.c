/* SPDX-License-Identifier: MIT */
/* A row that is not plainly the same function says why. */
#include "comparison.h"

#include "diff/formats/notes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

static void the_same_function_needs_no_note(void **state)
{
	struct made *made = made_create();
	(void)state;
	made_row(made, "main", "main");
	expect_note(made, 0, "main", "");
}

static void what_is_in_one_build_says_so(void **state)
{
	struct made *made = made_create();
	(void)state;
	made_row(made, NULL, "_Z3addii");
	expect_note(made, 0, "add(int, int)", "new");
	made = made_create();
	made_row(made, "_Z3addii", NULL);
	expect_note(made, 0, "add(int, int)", "gone");
}

static void a_pair_not_by_name_says_how_it_was_made(void **state)
{
	struct made *made = made_create();
	size_t row = made_row(made, "_Z3addii", "sum");
	(void)state;
	made_pair(made, row)->how = PAIRED_BY_CODE;
	expect_note(made, row, "sum", "was add(int, int) by code");
	made = made_create();
	row = made_row(made, "same", "same");
	made_pair(made, row)->how = PAIRED_BY_PLACE;
	expect_note(made, row, "same", "by file and line");
}

static void a_moved_function_says_where_to(void **state)
{
	struct made *made = made_create();
	size_t row = made_row(made, "local", "local");
	struct pairing_pair *pair = made_pair(made, row);
	(void)state;
	pair->how = PAIRED_BY_MOVED_NAME;
	pair->files[BUILD_OLD] = "a.c";
	pair->files[BUILD_NEW] = "src/b.c";
	expect_note(made, row, "local", "moved to src/b.c");
}

static void inlined_functions_name_their_hosts(void **state)
{
	static const char *const hosts[] = {"a", "b", "c", "d"};
	static const char *const texts[] = {"now inlined into a", "now inlined into a and b",
	                                    "now inlined into a, b and 1 more", "now inlined into a, b and 2 more"};
	(void)state;
	for (size_t count = 1; count <= 4; count++) {
		struct made *made = made_create();
		size_t row = made_row(made, "small", NULL);
		for (size_t i = 0; i < count; i++)
			made_inline(made, row, BUILD_NEW, made_row(made, hosts[i], hosts[i]));
		expect_note(made, row, "small", texts[count - 1]);
	}
}

static void outlined_functions_name_where_they_were(void **state)
{
	struct made *made = made_create();
	size_t row = made_row(made, NULL, "small");
	(void)state;
	made_inline(made, row, BUILD_OLD, made_row(made, "large", "large"));
	expect_note(made, row, "small", "was inlined into large");
}

/* What is inlined in one build keeps a symbol that is called there, too, or is not. */
static void partly_inlined_functions_name_their_hosts(void **state)
{
	(void)state;
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

static void dwarf_name_of_an_inlined_function_is_not_a_rename(void **state)
{
	struct made *made = made_create();
	size_t row = made_row(made, "_Z5smalli", NULL);
	(void)state;
	made_inline(made, row, BUILD_NEW, made_row(made, "large", "large"));
	made->comparison.rows[row].names[BUILD_NEW] = "small";
	expect_note(made, row, "small", "now inlined into large");
	made = made_create();
	row = made_row(made, NULL, "_Z5smalli");
	made_inline(made, row, BUILD_OLD, made_row(made, "large", "large"));
	made->comparison.rows[row].names[BUILD_OLD] = "small";
	expect_note(made, row, "small(int)", "was inlined into large");
}

static void changed_numbers_of_clones_are_noted(void **state)
{
	struct made *made = made_create();
	size_t row = made_row(made, "f", "f");
	(void)state;
	made_pair(made, row)->how = PAIRED_BY_CLONE;
	made_pair(made, row)->functions[BUILD_NEW] = 2;
	expect_note(made, row, "f", "by name without suffix, clones 1 -> 2");
}

static void functions_of_the_same_name_are_distinguished_by_file(void **state)
{
	struct made *made = made_create();
	size_t row = made_row(made, "init", "init");
	(void)state;
	made_pair(made, row)->files[BUILD_OLD] = "uart.c";
	made_pair(made, row)->files[BUILD_NEW] = "uart.c";
	made_row(made, "init", "init");
	expect_note(made, row, "init", "in uart.c");
}

static void cycles_are_noted_by_build(void **state)
{
	static const char *const texts[] = {"", "was in a cycle", "now in a cycle", "in a cycle"};
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct made *made = made_create();
		size_t row = made_row(made, "f", "f");
		made->comparison.rows[row].cycles[BUILD_OLD] = i & 1;
		made->comparison.rows[row].cycles[BUILD_NEW] = i & 2;
		expect_note(made, row, "f", texts[i]);
	}
}

static void other_nodes_keep_their_names(void **state)
{
	struct made *made = made_create();
	(void)state;
	made_kind(made, PROFILE_BAREPROF, "<bareprof>");
	expect_note(made, 0, "<bareprof>", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_same_function_needs_no_note),
	        cmocka_unit_test(what_is_in_one_build_says_so),
	        cmocka_unit_test(a_pair_not_by_name_says_how_it_was_made),
	        cmocka_unit_test(a_moved_function_says_where_to),
	        cmocka_unit_test(inlined_functions_name_their_hosts),
	        cmocka_unit_test(outlined_functions_name_where_they_were),
	        cmocka_unit_test(partly_inlined_functions_name_their_hosts),
	        cmocka_unit_test(dwarf_name_of_an_inlined_function_is_not_a_rename),
	        cmocka_unit_test(changed_numbers_of_clones_are_noted),
	        cmocka_unit_test(functions_of_the_same_name_are_distinguished_by_file),
	        cmocka_unit_test(cycles_are_noted_by_build),
	        cmocka_unit_test(other_nodes_keep_their_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
