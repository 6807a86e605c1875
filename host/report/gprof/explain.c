/* SPDX-License-Identifier: MIT */
/* The explanations of the columns, which -b leaves out. GNU gprof has its own words. */
#include "report/gprof/report.h"

static const char flat[] = "\n"
                           "% time      share of all samples that found this function running\n"
                           "cumulative  self time of this row and of all rows above it\n"
                           "self        time in the function's own code; the table is sorted by it\n"
                           "calls       calls by other functions; blank if none was counted, as without -pg\n"
                           "self/call   self time of one call, on average\n"
                           "total/call  the same with the time of all that it calls, as the call graph shares it\n"
                           "name        the function; behind it, if there is one, its number in the call graph, in\n"
                           "            parentheses if the call graph does not show it\n";

static const char graph[] =
        "\n"
        "Each entry is about the function on its numbered line: above are its callers, below is what\n"
        "it calls. Entries are sorted by total time.\n"
        "\n"
        "On the numbered line:\n"
        "  index     number of the entry, also behind each name; in parentheses if there is no entry\n"
        "  % time    share of the time of all functions that was spent in it and in what it calls\n"
        "  self      time in its own code\n"
        "  children  time of what it calls, as far as that was for it\n"
        "  called    calls by other functions, \"+\" calls by itself\n"
        "  name      the function, and the cycle that it is part of\n"
        "\n"
        "On a caller's line, what the function costs this caller; on a callee's line, what the callee\n"
        "costs the function:\n"
        "  self      its self time, shared in proportion to calls\n"
        "  children  its children's time, shared alike\n"
        "  called    calls over this arc, \"/\" all calls by others; recursion and calls within a\n"
        "            cycle have no \"/\" and no time\n"
        "\n"
        "<spontaneous> is a caller that was not recorded. Functions that call one another in a circle\n"
        "are a cycle, which has an entry of its own: its members, and with \"+\" the calls between them.\n";

void gprof_explain_flat(struct gprof_report *report)
{
	layout_text(&report->layout, flat);
}

void gprof_explain_graph(struct gprof_report *report)
{
	layout_text(&report->layout, graph);
}
