/* SPDX-License-Identifier: MIT */
/* Tables that GitHub and GitLab render, whatever functions are called. */
#include "comparison.h"

#include "diff/formats/formats.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static struct made *make_two_rows(void)
{
	struct made *made = made_create();
	made_times(made, made_row(made, "slow_one", "slow_one"), 1e-3, 2e-3, COMPARE_MORE);
	made_times(made, made_row(made, "same", "same"), 1e-3, 1.01e-3, COMPARE_NOISE);
	return made;
}

TEST(the_document_begins_with_the_verdict)
{
	struct made *made = make_two_rows();
	struct rule_breach breach = {0, made->comparison.rows[0].changes[COMPARE_SELF].values};
	struct rule_result results[] = {
	        {.text = "self(*) > +10%",
	         .origin = "--fail-if",
	         .looked_at = 2,
	         .breaches = &breach,
	         .breach_count = 1},
	        {.text = "size > +2%", .origin = "--fail-if", .quantity = COMPARE_SIZE, .is_of_firmware = true},
	        {.text = "self(*) > +99%", .origin = "--fail-if", .has_nearest = true, .nearest = breach},
	};
	made->gate = (struct rule_results){.items = results, .count = 3, .broken = 1};
	made_finish(made);
	char *text = made_print(made, &diff_markdown);
	assert_memory_equal(text, "### 1 of 3 rules broken, 1 function changed\n\n", 45);
	free(text);
	made_expect(made, &diff_markdown,
	            (const char *[]){"| | rule |\n|---|---|\n"
	                             "| **BROKEN** | `self(*) > +10%`<br>`slow_one`: 1.0000 ms -&gt; 2.0000 ms, +100 % "
	                             "[+90 .. +110 %] |\n"
	                             "| held | `size > +2%` |\n"
	                             "| held | `self(*) > +99%`<br>nearest: `slow_one`: 1.0000 ms -&gt; 2.0000 ms, "
	                             "+100 % [+90 .. +110 %] |\n\n",
	                             NULL});
}

TEST(rows_are_tables_and_the_rest_is_folded_away)
{
	made_expect(
	        make_two_rows(), &diff_markdown,
	        (const char *[]){
	                "### 1 function changed\n\n",
	                "| | old | new | change | interval |\n|---|--:|--:|--:|---|\n"
	                "| time per call | 10.000 ms | 10.000 ms | (0 %) | [-5 .. +5 %] |\n"
	                "| code size | 4,096 bytes | 4,096 bytes | 0 % |  |\n\n",
	                "Times in us per call of slow&#95;one; in parentheses: not significant, or unknown.\n\n"
	                "| self old | self new | self change | 95 % interval | total old | total new | total change | "
	                "function |\n"
	                "|--:|--:|--:|--:|--:|--:|--:|---|\n"
	                "| 1000.00 | 2000.00 | +100 % | [+90 .. +110 %] | 1000.00 | 2000.00 | +100 % | `slow_one` "
	                "|\n\n",
	                "* Warning: run-to-run variation is unknown",
	                "<details><summary>1 function within noise, below 1 % or changed only in "
	                "size</summary>\n\n",
	                "| `same` |\n\n</details>\n\n",
	                "<details><summary>What was compared</summary>\n\n* Old: old.elf: build a0a1a2a3, 1 capture",
	                "\n\n</details>\n", NULL});
}

TEST(tables_have_time_per_call_where_calls_differ)
{
	struct made *made = make_two_rows();
	made_set(made, 0, COMPARE_PER_CALL_TIME, 1e-4, 4e-4, COMPARE_MORE);
	made_calls(made, 0, 10, 5);
	made_expect(made, &diff_markdown,
	            (const char *[]){"| self per call | calls |", "| +300 % | 10 -&gt; 5 | `slow_one` |\n", NULL});
}

/* Within backticks only these and control characters matter. */
TEST(hostile_names_stay_in_their_cells)
{
	static const char *const names[][2] = {
	        {"a|b", "| a&#124;b |\n"},    {"a`b", "| a&#96;b |\n"},
	        {"a\nb", "| a&#92;x0ab |\n"}, {"a\\|<b>", "| a&#92;&#124;&#60;b&#62; |\n"},
	        {"*a*_b_", "| `*a*_b_` |\n"}, {"<script>", "| `<script>` |\n"},
	        {" a", "|  a |\n"},           {"", "|  |\n"},
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct made *made = made_create();
		made_times(made, made_row(made, names[i][0], names[i][0]), 1e-3, 2e-3, COMPARE_MORE);
		made_expect(made, &diff_markdown, (const char *[]){names[i][1], NULL});
	}
}

TEST(hostile_notes_and_labels_are_escaped)
{
	struct made *made = made_create();
	made->options.labels[BUILD_NEW] = "</details>";
	made_times(made, made_row(made, "<b>*@x#1", "f"), 1e-3, 2e-3, COMPARE_MORE);
	made_expect(made, &diff_markdown,
	            (const char *[]){"| `f` (was &#60;b&#62;&#42;&#64;x&#35;1) |\n",
	                             "\n* New: &#60;/details&#62;: build", NULL});
}

TEST(times_too_small_to_show_are_not_tags)
{
	struct made *made = make_two_rows();
	made_set(made, 0, COMPARE_SELF, 1e-9, 1e-3, COMPARE_MORE);
	made_expect(made, &diff_markdown, (const char *[]){"| &lt;0.01 | 1000.00 |", NULL});
}

TEST(tables_have_an_end)
{
	struct made *made = made_create();
	for (size_t i = 0; i < 151; i++)
		made_times(made, made_row(made, "f", "f"), 1e-3, 2e-3, COMPARE_MORE);
	for (size_t i = 0; i < 250; i++)
		made_times(made, made_row(made, "f", "f"), 1e-3, 1e-3, COMPARE_NOISE);
	made_expect(made, &diff_markdown,
	            (const char *[]){"\n1 more are not shown; --all shows every row.\n\n",
	                             "<summary>250 functions within noise",
	                             "\n100 more are not shown; --all shows every row.\n\n</details>", NULL});
}
