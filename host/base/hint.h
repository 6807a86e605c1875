/* SPDX-License-Identifier: MIT */
/* Advice for the user. Libraries name it; host/command/hints.c words it, because only the command line knows its
 * options. */
#ifndef BASE_HINT_H
#define BASE_HINT_H

enum hint {
	HINT_NONE,
	HINT_FORCE,        /* accept captures of another build */
	HINT_MERGE_BUILDS, /* merge captures of several builds */
	HINT_SELECT_CORE,  /* report one core */
	HINT_STATIC_CALLS, /* show calls that were not recorded */
	HINT_MEASURE,      /* measure total times from stacks */
	HINT_COPY_STACKS,  /* copy more of each stack through a probe */
	HINT_FIND_SOURCES, /* say where sources are */
	HINT_FIND_OBJDUMP, /* name a program that disassembles */
	HINT_SELECT_UNIT,  /* choose the function whose calls are the unit of work */
	HINT_PER_SAMPLE,   /* compare in samples */
	HINT_SHOW_ALL,     /* show all rows */
	HINT_COLD_LINES,   /* print lines with little time, too */
	HINT_PRINT_TABLES, /* print tables, without a screen */
	HINT_COUNT
};

#endif
