/* SPDX-License-Identifier: MIT */
/* The call graph of differences. */
#include "comparison.h"

#include "diff/formats/formats.h"
#include "test.h"

#include <stdint.h>

TEST(the_call_graph_has_an_entry_for_each_row_that_changed)
{
	struct made *made = made_typical();
	made->options.graph = true;
	made_expect(
	        made, &diff_text,
	        (const char *[]){"\nCall graph of what changed: callers above each function, callees below, times in "
	                         "ms per call of main\n\n"
	                         " old self   new self  old total  new total      change       calls  name\n"
	                         "   1.0000     1.0100     9.0000    10.0000     +11.1 %           1  main\n"
	                         "   5.0000     6.5000     7.0000     7.5000      +7.1 %          10      crc\n"
	                         "------------------------------------------------------------------------------\n"
	                         "   5.0000     6.5000     7.0000     7.5000      +7.1 %          10      main\n"
	                         "   5.0000     6.5000     7.0000     7.5000      +7.1 %          10  crc\n"
	                         "   2.0000     1.0000     2.0000     1.0000     -50.0 %  20 -> 30.5      fast(int)\n"
	                         "------------------------------------------------------------------------------\n"
	                         "   2.0000     1.0000     2.0000     1.0000     -50.0 %  20 -> 30.5      crc\n"
	                         "   2.0000     1.0000     2.0000     1.0000     -50.0 %  20 -> 30.5  fast(int) (was "
	                         "step by code)\n"
	                         "------------------------------------------------------------------------------\n",
	                         NULL});
}

TEST(largest_relatives_are_next_to_the_function)
{
	struct made *made = made_create();
	size_t f = made_row(made, "f", "f"), small = made_row(made, "small", "small"),
	       large = made_row(made, "large", "large");
	const size_t arcs[] = {made_arc(made, f, f), made_arc(made, f, small), made_arc(made, f, large),
	                       made_arc(made, small, f), made_arc(made, large, f)};
	const double times[] = {0, 1e-3, 2e-3, 3e-3, 4e-3};
	made->options.graph = true;
	made_times(made, f, 1e-2, 2e-2, COMPARE_MORE);
	made->comparison.arcs[arcs[1]].is_inlined[BUILD_NEW] = true;
	for (size_t i = 0; i < 5; i++) {
		made_arc_set(made, arcs[i], COMPARE_TOTAL, times[i], times[i], COMPARE_NOISE);
		made_arc_set(made, arcs[i], COMPARE_CALLS, 7, 7, COMPARE_NOISE);
	}
	made_expect(made, &diff_text,
	            (const char *[]){"7      small\n", "7      large\n", "  f\n", "7      large\n",
	                             "7 -> inlined      small\n", "7      f\n---", NULL});
}

TEST(calls_within_a_cycle_have_no_time)
{
	struct made *made = made_create();
	size_t f = made_row(made, "f", "f"), g = made_row(made, "g", "g");
	made->options.graph = true;
	made->comparison.rows[f].cycles[BUILD_NEW] = made->comparison.rows[g].cycles[BUILD_NEW] = 1;
	made_times(made, f, 1e-3, 2e-3, COMPARE_MORE);
	made_arc_set(made, made_arc(made, f, g), COMPARE_TOTAL, 1e-3, 0, COMPARE_LESS);
	made_expect(
	        made, &diff_text,
	        (const char *[]){"  name\n"
	                         "  1000.00    2000.00    1000.00    2000.00      +100 %         f (now in a cycle)\n"
	                         "                        1000.00                                    g\n",
	                         NULL});
}
