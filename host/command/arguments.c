/* SPDX-License-Identifier: MIT */
/* See arguments.h. */
#include "command/arguments.h"

#include "base/array.h"
#include "base/file/file.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Limits for all option files together. */
#define FILES_MAX 1000u
#define BYTES_MAX ((size_t)64 << 20)
#define WORDS_MAX ((size_t)1000000)

/* An option file whose words are being read. */
struct open_file {
	char *path;
	char *text; /* with room for one more byte */
	size_t size, at;
};

struct argument_expansion {
	struct arguments *arguments;
	struct open_file open[FILES_MAX]; /* each named by the one before it */
	size_t open_count, file_count, byte_count;
};

static enum status out_of_memory(struct error *error)
{
	return status_fail(error, "out of memory for the command line");
}

static enum status append_argument(struct arguments *arguments, const char *word, struct error *error)
{
	char **words = array_reserve(arguments->words, sizeof *words, arguments->count + 1);

	if (words == NULL)
		return out_of_memory(error);
	arguments->words = words;
	words[arguments->count] = strdup(word);
	if (words[arguments->count] == NULL)
		return out_of_memory(error);
	words[++arguments->count] = NULL;
	return STATUS_OK;
}

/* Returns the next word without its quotes, in the place of the file's text; NULL at the end. */
static char *next_word(struct open_file *file)
{
	while (file->at < file->size && isspace((unsigned char)file->text[file->at]))
		file->at++;
	if (file->at == file->size)
		return NULL;
	char *word = &file->text[file->at], *end = word, quote = '\0';
	for (; file->at < file->size; file->at++) {
		char character = file->text[file->at];

		if (character == '\\' && file->at + 1 < file->size)
			*end++ = file->text[++file->at];
		else if (quote != '\0' && character == quote)
			quote = '\0';
		else if (quote == '\0' && (character == '\'' || character == '"'))
			quote = character;
		else if (quote == '\0' && isspace((unsigned char)character))
			break;
		else
			*end++ = character;
	}
	file->at += file->at < file->size;
	*end = '\0';
	return word;
}

static enum status check_file(const struct argument_expansion *expansion, const char *path, struct error *error)
{
	for (size_t i = 0; i < expansion->open_count; i++)
		if (file_is_same(path, expansion->open[i].path))
			return status_fail(error, "@%s: an option file that includes itself", path);
	if (expansion->file_count == FILES_MAX)
		return status_fail(error, "@%s: more than %u option files", path, FILES_MAX);
	return STATUS_OK;
}

static enum status open_file(struct argument_expansion *expansion, const char *path, struct error *error)
{
	uint8_t *bytes = NULL;
	struct open_file file = {0};
	enum status status = check_file(expansion, path, error);

	if (status == STATUS_OK)
		status = file_inputs_add(&expansion->arguments->files, path, error);
	if (status == STATUS_OK)
		status = file_read_limited(path, BYTES_MAX - expansion->byte_count, &bytes, &file.size, error);
	if (status != STATUS_OK)
		return status;
	file.text = realloc(bytes, file.size + 1);
	file.path = strdup(path);
	if (file.text == NULL || file.path == NULL) {
		free(file.text != NULL ? file.text : (char *)bytes);
		free(file.path);
		return out_of_memory(error);
	}
	expansion->open[expansion->open_count++] = file;
	expansion->file_count++;
	expansion->byte_count += file.size;
	return STATUS_OK;
}

static void close_file(struct argument_expansion *expansion)
{
	struct open_file *file = &expansion->open[--expansion->open_count];

	free(file->path);
	free(file->text);
}

/* Adds a word, or opens the file that it names. */
static enum status take_word(struct argument_expansion *expansion, const char *word, struct error *error)
{
	struct arguments *arguments = expansion->arguments;
	const char *path = word + 1;

	if (word[0] == '@' && word[1] != '\0' && (strcmp(path, "-") == 0 || access(path, F_OK) == 0))
		return open_file(expansion, path, error);
	if (arguments->count > WORDS_MAX && expansion->open_count > 0)
		return status_fail(error, "@%s: more than %zu words in option files",
		                   expansion->open[expansion->open_count - 1].path, WORDS_MAX);
	return append_argument(arguments, word, error);
}

/* Reads the open files to their ends. */
static enum status read_files(struct argument_expansion *expansion, struct error *error)
{
	enum status status = STATUS_OK;

	while (status == STATUS_OK && expansion->open_count > 0) {
		const char *word = next_word(&expansion->open[expansion->open_count - 1]);

		if (word != NULL)
			status = take_word(expansion, word, error);
		else
			close_file(expansion);
	}
	return status;
}

enum status arguments_expand(int argc, char **argv, struct arguments *arguments, struct error *error)
{
	*arguments = (struct arguments){0};
	struct argument_expansion *expansion = calloc(1, sizeof *expansion);
	if (expansion == NULL)
		return out_of_memory(error);
	expansion->arguments = arguments;
	enum status status = STATUS_OK;
	for (int i = 0; status == STATUS_OK && i < argc; i++) {
		status = i == 0 ? append_argument(arguments, argv[i], error) : take_word(expansion, argv[i], error);
		if (status == STATUS_OK)
			status = read_files(expansion, error);
	}
	while (expansion->open_count > 0)
		close_file(expansion);
	free(expansion);
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
