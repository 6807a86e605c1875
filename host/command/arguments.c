/* SPDX-License-Identifier: MIT */
/* See arguments.h. */
#include "command/arguments.h"

#include "file/file.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Files that name one another must end somewhere. */
#define FILES_MAX 1000u

static enum status out_of_memory(struct error *error)
{
	return status_fail(error, "out of memory for the command line");
}

/* Takes over word, which may be NULL. */
static bool add_word(struct arguments *arguments, char *word)
{
	char **words = realloc(arguments->words, (arguments->count + 2) * sizeof *words);
	if (words != NULL)
		arguments->words = words;
	if (words == NULL || word == NULL) {
		free(word);
		return false;
	}
	words[arguments->count++] = word;
	words[arguments->count] = NULL;
	return true;
}

/* Copies the word at text up to end without its quotes into word; returns where it ends. */
static const char *copy_word(const char *text, const char *end, char *word)
{
	char quote = '\0';
	for (; text < end; text++) {
		if (*text == '\\' && text + 1 < end)
			*word++ = *++text;
		else if (quote != '\0' && *text == quote)
			quote = '\0';
		else if (quote == '\0' && (*text == '\'' || *text == '"'))
			quote = *text;
		else if (quote == '\0' && isspace((unsigned char)*text))
			break;
		else
			*word++ = *text;
	}
	*word = '\0';
	return text;
}

static bool split(const char *text, size_t size, struct arguments *arguments)
{
	const char *end = text + size;
	char *word = malloc(size + 1);
	bool enough = word != NULL;
	while (enough) {
		while (text < end && isspace((unsigned char)*text))
			text++;
		if (text == end)
			break;
		text = copy_word(text, end, word);
		enough = add_word(arguments, strdup(word));
	}
	free(word);
	return enough;
}

/* Puts the words of inserted, which it takes over, in the place of the word at index. */
static bool replace(struct arguments *arguments, size_t index, struct arguments *inserted)
{
	size_t count = arguments->count - 1 + inserted->count;
	char **words = realloc(arguments->words, (arguments->count + 1 + inserted->count) * sizeof *words);
	if (words == NULL)
		return false;
	free(words[index]);
	memmove(words + index + inserted->count, words + index + 1, (arguments->count - index) * sizeof *words);
	if (inserted->count > 0)
		memcpy(words + index, inserted->words, inserted->count * sizeof *words);
	free(inserted->words);
	*inserted = (struct arguments){0};
	*arguments = (struct arguments){words, count};
	return true;
}

/* *is_file: whether the word was a file; then its words are in its place. */
static enum status expand_word(struct arguments *arguments, size_t index, bool *is_file, struct error *error)
{
	struct arguments inserted = {0};
	struct error ignored;
	uint8_t *text;
	size_t size;
	const char *word = arguments->words[index];
	*is_file = word[0] == '@' && word[1] != '\0' && file_read(word + 1, &text, &size, &ignored) == STATUS_OK;
	if (!*is_file)
		return STATUS_OK;
	bool enough = split((const char *)text, size, &inserted) && replace(arguments, index, &inserted);
	free(text);
	arguments_free(&inserted);
	return enough ? STATUS_OK : out_of_memory(error);
}

static enum status expand(struct arguments *arguments, struct error *error)
{
	size_t files = 0;
	for (size_t i = 1; i < arguments->count;) {
		bool is_file;
		enum status status = expand_word(arguments, i, &is_file, error);
		if (status != STATUS_OK)
			return status;
		if (is_file && ++files > FILES_MAX)
			return status_fail(error, "more than %u files of options, do they name one another?",
			                   FILES_MAX);
		i += is_file ? 0 : 1;
	}
	if (arguments->count > INT_MAX)
		return out_of_memory(error);
	return STATUS_OK;
}

enum status arguments_expand(int argc, char **argv, struct arguments *arguments, struct error *error)
{
	bool enough = true;
	*arguments = (struct arguments){0};
	for (int i = 0; enough && i < argc; i++)
		enough = add_word(arguments, strdup(argv[i]));
	enum status status = enough ? expand(arguments, error) : out_of_memory(error);
	if (status != STATUS_OK)
		arguments_free(arguments);
	return status;
}

void arguments_free(struct arguments *arguments)
{
	for (size_t i = 0; i < arguments->count; i++)
		free(arguments->words[i]);
	free(arguments->words);
	*arguments = (struct arguments){0};
}
