/* SPDX-License-Identifier: MIT */
/* Prints the completion script of a shell for a command whose texts are hostile: each contains a character that some
 * shell gives a meaning to, or a command that must not run. `print_completion SHELL FILE` prints the script to standard
 * output, and to FILE each word that must be offered, a tab, and its description. */
#include "command/completion.h"

#include <string.h>

static const char *const texts[] = {
        "it's a \"quoted\" text",
        "'; touch canary; '",
        "$(touch canary) and `touch canary` and ${HOME} and $HOME",
        "(touch canary) and <(touch canary) & touch canary; touch canary | touch canary",
        "a [bracket, ] a pair [x] and {braces,too} and }",
        "a: colon :and:several: of them",
        "a \\ backslash, \\' a quoted quote, \\\\ two, \\n \\[ \\: and one at the end\\",
        "* ? ~ ! !! ^ # % %d %s %F{red} %B =ls 100 %",
        "- begins with a hyphen",
        "a tab\tand\nlines and \033[31m an escape",
        "M\303\251moire",
};

#define TEXT_COUNT (sizeof texts / sizeof *texts)

static const char *const choices[] = {
        "plain", "it's",        "$(touch${IFS}canary)", "`touch${IFS}canary`", "a:b",
        "[x]",   "back\\slash", "semi;colon",           "M\303\251moire",      NULL,
};

static void list_words(const struct command *const *commands, command_word_found found, void *context)
{
	(void)commands;
	for (size_t i = 0; i < TEXT_COUNT; i++) {
		const char word[] = {'w', 'o', 'r', 'd', '-', (char)('a' + i), '\0'};

		found(context, word, texts[i]);
	}
}

/* Control characters become blanks. */
static void print_expected(FILE *expected, const char *before, size_t index, const char *text)
{
	fprintf(expected, "%s%c\t", before, (char)('a' + index));
	for (; *text != '\0'; text++)
		fputc((unsigned char)*text < ' ' ? ' ' : *text, expected);
	fputc('\n', expected);
}

int main(int argc, char **argv)
{
	static char names[TEXT_COUNT][sizeof "option-a"];
	static struct command_option rows[TEXT_COUNT + 2];
	const struct command hostile = {
	        .name = "hostile",
	        .synopsis = "WORD",
	        .summary = texts[0],
	        .list_words = list_words,
	        .options = (const struct option_table[]){{rows, 0}, {0}},
	};
	const struct completion_shell *shell = argc == 3 ? completion_find_shell(argv[1]) : NULL;
	FILE *expected = shell != NULL ? fopen(argv[2], "w") : NULL;

	if (expected == NULL)
		return 1;
	for (size_t i = 0; i < TEXT_COUNT; i++) {
		snprintf(names[i], sizeof names[i], "option-%c", (char)('a' + i));
		rows[i] = (struct command_option){.name = names[i],
		                                  .help = texts[i],
		                                  .value = i % 2 == 0 ? NULL : "V'$(touch canary):(injected):["};
		print_expected(expected, "--option-", i, texts[i]);
		print_expected(expected, "word-", i, texts[i]);
	}
	rows[TEXT_COUNT] =
	        (struct command_option){.name = "choice", .value = "C", .help = "choices", .choices = choices};
	for (const char *const *choice = choices; *choice != NULL; choice++)
		fprintf(expected, "%s\t%s\n", *choice, rows[TEXT_COUNT].help);
	shell->write(stdout, (const struct command *const[]){&hostile, NULL});
	return fclose(expected) == 0 ? 0 : 1;
}
