/* SPDX-License-Identifier: MIT */
/* The lines of completion, of a command whose texts are hostile. */
#include "command/options.h"
#include "test.h"

static void list_words(command_word_found found, void *context)
{
	found(context, "a\tb\nc", "d\te\r\nf");
	found(context, ":files", "$(touch canary) `touch canary` \\ ' \" \033[31m \177");
	found(context, "M\303\251moire", "M\303\251moire");
}

static const struct command_option options[] = {
        {.letter = 'x',
         .name = "long",
         .value = "V",
         .help = "a value",
         .choices = (const char *const[]){"a\nb", ":none 0", NULL}},
        {.letter = 's', .help = "several\nlines"},
        {0},
};

static const struct command hostile = {
        .name = "hostile",
        .synopsis = "WORD",
        .summary = "a\nb",
        .list_words = list_words,
        .options = (const struct option_table[]){{options, 0}, {0}},
};

static void assert_completed(const char *word, const char *expected)
{
	struct printed *printed = printed_begin();

	command_complete(printed->stream, (const struct command *const[]){&hostile, NULL}, 2,
	                 (char *const[]){"hostile", (char *)word});
	assert_string_equal(printed_text(printed), expected);
}

TEST(each_candidate_is_one_line_with_one_tab)
{
	assert_completed("", "a b c\td e  f\n"
	                     ":files\t$(touch canary) `touch canary` \\ ' \"  [31m  \n"
	                     "M\303\251moire\tM\303\251moire\n"
	                     ":none 0\n");
	assert_completed("-s", "-s\tseveral lines\n-sx\ta value\n-sh\tshow the options of the command\n:none 0\n");
	assert_completed("--long=", "--long=a b\t\n--long=:none 0\t\n:none 7\n");
}
