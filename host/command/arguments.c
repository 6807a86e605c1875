/* SPDX-License-Identifier: MIT */
/* See arguments.h. */
#include "command/arguments.h"

#include "base/file/file.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Limits for all option files together. */
#define FILES_MAX 1000u
#define BYTES_MAX ((size_t)64 << 20)
#define WORDS_MAX ((size_t)1000000)

/* An option file whose words are still being processed. */
struct open_file {
	char *path;
	size_t words_after; /* the number of words after its last one */
};

struct expansion {
	struct arguments *arguments;
	struct open_file open[FILES_MAX];
	size_t open_count, file_count, byte_count;
};

static enum status out_of_memory(struct error *error)
{
	return status_fail(error, "out of memory for the command line");
}

/* Appends word and takes ownership of it; word may be NULL. */
static bool add_word(struct arguments *arguments, char *word)
{
	/* The room for words and the terminating NULL doubles when their number reaches a power of two. */
	size_t count = arguments->count + 1;
	bool is_full = arguments->words == NULL || (count & (count - 1)) == 0;
	char **words = is_full ? realloc(arguments->words, 2 * count * sizeof *words) : arguments->words;
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

/* Copies the word at text, up to end, without its quotes; returns its end. */
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

/* Replaces the word at index by the words of inserted, whose ownership it takes. */
static bool replace(struct arguments *arguments, size_t index, struct arguments *inserted)
{
	size_t count = arguments->count - 1 + inserted->count;
	/* The room that add_word() expects. */
	char **words = realloc(arguments->words, 2 * (arguments->count + 1 + inserted->count) * sizeof *words);
	if (words == NULL)
		return false;
	free(words[index]);
	memmove(words + index + inserted->count, words + index + 1, (arguments->count - index) * sizeof *words);
	if (inserted->count > 0)
		memcpy(words + index, inserted->words, inserted->count * sizeof *words);
	free(inserted->words);
	*inserted = (struct arguments){0};
	arguments->words = words;
	arguments->count = count;
	return true;
}

static void close_passed_files(struct expansion *expansion, size_t words_left)
{
	while (expansion->open_count > 0 && words_left <= expansion->open[expansion->open_count - 1].words_after)
		free(expansion->open[--expansion->open_count].path);
}

static enum status check_file(const struct expansion *expansion, const char *path, struct error *error)
{
	for (size_t i = 0; i < expansion->open_count; i++)
		if (file_is_same(path, expansion->open[i].path))
			return status_fail(error, "@%s: an option file that includes itself", path);
	if (expansion->file_count == FILES_MAX)
		return status_fail(error, "@%s: more than %u option files", path, FILES_MAX);
	return STATUS_OK;
}

static enum status check_words(const struct expansion *expansion, const char *path, const struct arguments *inserted,
                               struct error *error)
{
	if (inserted->count > WORDS_MAX || expansion->arguments->count > WORDS_MAX - inserted->count)
		return status_fail(error, "@%s: more than %zu words in option files", path, WORDS_MAX);
	return STATUS_OK;
}

/* Replaces the word at index by the words of the file. */
static enum status insert(struct expansion *expansion, size_t index, const uint8_t *text, size_t size,
                          struct error *error)
{
	struct arguments inserted = {0};
	struct open_file file = {strdup(expansion->arguments->words[index] + 1),
	                         expansion->arguments->count - index - 1};
	expansion->byte_count += size;
	enum status status = STATUS_OK;
	if (file.path == NULL || !split((const char *)text, size, &inserted))
		status = out_of_memory(error);
	if (status == STATUS_OK)
		status = check_words(expansion, file.path, &inserted, error);
	if (status == STATUS_OK && !replace(expansion->arguments, index, &inserted))
		status = out_of_memory(error);
	arguments_free(&inserted);
	if (status == STATUS_OK) {
		expansion->open[expansion->open_count++] = file;
		expansion->file_count++;
	} else {
		free(file.path);
	}
	return status;
}

/* Replaces a word that names an option file by its words; then sets *is_file. */
static enum status expand_word(struct expansion *expansion, size_t index, bool *is_file, struct error *error)
{
	const char *word = expansion->arguments->words[index], *path = word + 1;
	uint8_t *text = NULL;
	size_t size;
	*is_file = word[0] == '@' && word[1] != '\0' && (strcmp(path, "-") == 0 || access(path, F_OK) == 0);
	if (!*is_file)
		return STATUS_OK;
	enum status status = check_file(expansion, path, error);
	if (status == STATUS_OK)
		status = file_inputs_add(&expansion->arguments->files, path, error);
	if (status == STATUS_OK)
		status = file_read_limited(path, BYTES_MAX - expansion->byte_count, &text, &size, error);
	if (status == STATUS_OK)
		status = insert(expansion, index, text, size, error);
	free(text);
	return status;
}

static enum status expand(struct expansion *expansion, struct error *error)
{
	enum status status = STATUS_OK;
	for (size_t i = 1; status == STATUS_OK && i < expansion->arguments->count;) {
		bool is_file;
		close_passed_files(expansion, expansion->arguments->count - i);
		status = expand_word(expansion, i, &is_file, error);
		i += is_file ? 0 : 1;
	}
	close_passed_files(expansion, 0);
	return status;
}

static enum status expand_all(struct arguments *arguments, struct error *error)
{
	struct expansion *expansion = calloc(1, sizeof *expansion);
	if (expansion == NULL)
		return out_of_memory(error);
	expansion->arguments = arguments;
	enum status status = expand(expansion, error);
	free(expansion);
	return status == STATUS_OK && arguments->count > INT_MAX ? out_of_memory(error) : status;
}

enum status arguments_expand(int argc, char **argv, struct arguments *arguments, struct error *error)
{
	bool enough = true;
	*arguments = (struct arguments){0};
	for (int i = 0; enough && i < argc; i++)
		enough = add_word(arguments, strdup(argv[i]));
	enum status status = enough ? expand_all(arguments, error) : out_of_memory(error);
	if (status != STATUS_OK)
		arguments_free(arguments);
	return status;
}

void arguments_free(struct arguments *arguments)
{
	for (size_t i = 0; i < arguments->count; i++)
		free(arguments->words[i]);
	free(arguments->words);
	file_inputs_free(&arguments->files);
	*arguments = (struct arguments){0};
}
