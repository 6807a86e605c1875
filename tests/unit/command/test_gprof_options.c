/* SPDX-License-Identifier: MIT */
/* Options of `bareprof gprof`: the parts that they select and the filters that they add. */
#include "command/gprof_options.h"
#include "test.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#define WORDS_MAX 16

/* The options parsed last. */
static struct gprof_options options;

/* Parses words divided by blanks. */
static enum status parse(const char *words)
{
	static char line[128], gprof[] = "gprof";
	static char *argv[WORDS_MAX + 2] = {gprof};
	char *rest = line;
	struct error error = {.message = ""};
	int argc = 1;

	snprintf(line, sizeof line, "%s", words);
	for (char *word; (word = strsep(&rest, " ")) != NULL;)
		if (word[0] != '\0')
			argv[argc++] = word;
	argv[argc] = NULL;
	optind = 0;
	gprof_free_options(&options);
	enum status status = gprof_parse_options(&command_gprof, argc, argv, &options, &error);
	assert_int_equal(error.message[0] == '\0', status == STATUS_OK);
	return status;
}

static int free_options(void **state)
{
	gprof_free_options(&options);
	options = (struct gprof_options){0};
	return 0;
}

static void expect(const char *words, unsigned parts, unsigned named, const char *image, size_t data_count)
{
	assert_int_equal(parse(words), STATUS_OK);
	assert_int_equal(options.parts, parts);
	assert_int_equal(options.parts_named, named);
	assert_string_equal(options.image, image);
	assert_int_equal(options.data_count, data_count);
}

EACH_TEST(NULL, free_options);

TEST(files_have_default_names)
{
	expect("", 0, 0, "a.out", 1);
	expect("fw.elf", 0, 0, "fw.elf", 1);
	expect("fw.elf one two", 0, 0, "fw.elf", 2);
}

TEST(optional_value_is_attached)
{
	expect("-p main", GPROF_FLAT, GPROF_FLAT, "main", 1);
	expect("-pmain", GPROF_FLAT, GPROF_FLAT, "a.out", 1);
	expect("--flat-profile=main -b", GPROF_FLAT, GPROF_FLAT, "a.out", 1);
}

TEST(excluding_a_function_selects_the_part)
{
	expect("-P", 0, GPROF_FLAT, "a.out", 1);
	expect("-Pmain", GPROF_FLAT, GPROF_FLAT, "a.out", 1);
	expect("-p -Q", GPROF_FLAT, GPROF_FLAT | GPROF_GRAPH, "a.out", 1);
	expect("-p -P", 0, GPROF_FLAT, "a.out", 1);
}

TEST(options_may_follow_names)
{
	expect("fw.elf -p one -e main two", GPROF_FLAT, GPROF_FLAT, "fw.elf", 2);
}

TEST(arc_may_be_two_words)
{
	expect("-k from to fw.elf one", 0, 0, "fw.elf", 1);
	expect("fw.elf -k from to one -b", 0, 0, "fw.elf", 1);
	expect("-k from/to fw.elf one", 0, 0, "fw.elf", 1);
}

/* The marks that the filters of a command line leave on a function. */
static struct filter_marks marks_of(const char *words, const char *name)
{
	assert_int_equal(parse(words), STATUS_OK);
	return filters_match(options.filters, &(struct filter_symbol){.name = name});
}

#define BIT(list) (1 << (list))

TEST(option_letters_add_to_their_lists)
{
	static const struct {
		const char *words;
		unsigned included, excluded;
	} cases[] = {
	        {"-pf", BIT(FILTER_FLAT), 0},
	        {"-Pf", 0, BIT(FILTER_FLAT)},
	        {"-qf", BIT(FILTER_GRAPH), 0},
	        {"-Qf", 0, BIT(FILTER_GRAPH)},
	        {"-Cf", BIT(FILTER_COUNTS), 0},
	        {"-Zf", 0, BIT(FILTER_COUNTS)},
	        {"-Af", BIT(FILTER_SOURCE), 0},
	        {"-Jf", 0, BIT(FILTER_SOURCE)},
	        {"-n f", BIT(FILTER_TIME), 0},
	        {"-N f", 0, BIT(FILTER_TIME)},
	        {"-e f", 0, BIT(FILTER_GRAPH)},
	        {"-E f", 0, BIT(FILTER_GRAPH) | BIT(FILTER_TIME)},
	        {"-f f", BIT(FILTER_GRAPH), 0},
	        {"-F f", BIT(FILTER_GRAPH) | BIT(FILTER_TIME), 0},
	        {"-k f/f", 0, 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct filter_marks marks = marks_of(cases[i].words, "f");

		assert_int_equal(marks.included, cases[i].included);
		assert_int_equal(marks.excluded, cases[i].excluded);
	}
}

TEST(profiling_hooks_are_excluded)
{
	struct filter_marks marks = marks_of("", "_mcount");

	assert_int_equal(marks.excluded, BIT(FILTER_FLAT) | BIT(FILTER_GRAPH) | BIT(FILTER_TIME));
}

TEST(arcs_are_included_and_excluded)
{
	static const char *const cases[] = {"-k f/g", "-Qf/g", "-qg/f -qg/g", "-k f g"};
	const struct filter_symbol f = {.name = "f"}, g = {.name = "g"};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(parse(cases[i]), STATUS_OK);
		filters_match(options.filters, &f);
		filters_match(options.filters, &g);
		assert_false(filters_want_arc(options.filters, &f, &g));
		assert_true(filters_want_arc(options.filters, &g, &f));
	}
}

TEST(bad_values_are_refused)
{
	static const char *const cases[] = {"-w -1", "-w 1x",     "-O prof",   "--demangle=martian", "-k from",
	                                    "-H",    "--no-such", "--brief=1", "-r -R map",          "--no"};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(parse(cases[i]), STATUS_USAGE);
}
