/* SPDX-License-Identifier: MIT */
/* See labels.h. Names: https://prometheus.io/docs/concepts/data_model. Syntax of /ingest: api/model/labelset of
 * github.com/grafana/pyroscope. */
#include "push/labels.h"

#include "base/array.h"
#include "base/text/text.h"

#include <stdlib.h>
#include <string.h>

/* Pyroscope's defaults: -validation.max-length-label-name and -validation.max-length-label-value. */
#define NAME_MAX_LENGTH  1024
#define VALUE_MAX_LENGTH 2048

/* Labels set by the tool, by the profile's samples or by the store. */
static const char *const reserved[] = {
        "service_name", "build_id", "firmware", "board", "core", "context", "bareprof_version", NULL,
};

static bool is_letter(char character)
{
	return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') || character == '_';
}

static bool is_digit(char character)
{
	return character >= '0' && character <= '9';
}

static bool is_reserved(const char *name, size_t length)
{
	if (length >= 2 && strncmp(name, "__", 2) == 0)
		return true;
	for (size_t i = 0; reserved[i] != NULL; i++)
		if (strlen(reserved[i]) == length && strncmp(reserved[i], name, length) == 0)
			return true;
	return false;
}

bool push_label_name_is_valid(const char *name, size_t length)
{
	if (length == 0 || length > NAME_MAX_LENGTH || is_digit(name[0]) || is_reserved(name, length))
		return false;
	for (size_t i = 0; i < length; i++)
		if (!is_letter(name[i]) && !is_digit(name[i]))
			return false;
	return true;
}

/* The length of the character at text if it may be in a value, or 0. */
static size_t value_character(const char *text)
{
	return *text == '\0' || strchr(",}", *text) != NULL ? 0 : text_character(text);
}

bool push_label_value_is_valid(const char *value)
{
	size_t size = strlen(value), length = 1;

	if (size == 0 || size > VALUE_MAX_LENGTH || value[0] == ' ' || value[size - 1] == ' ')
		return false;
	for (; *value != '\0' && length > 0; value += length)
		length = value_character(value);
	return length > 0;
}

void push_label_value_clean(char *value)
{
	size_t size = strlen(value);

	if (size > VALUE_MAX_LENGTH)
		value[VALUE_MAX_LENGTH] = '\0';
	if (size > 0 && value[0] == ' ')
		value[0] = '_';
	for (size_t length; *value != '\0'; value += length) {
		length = value_character(value);
		if (length == 0 || (*value == ' ' && value[1] == '\0')) {
			*value = '_';
			length = 1;
		}
	}
}

static bool is_application_character(char character)
{
	return is_letter(character) || is_digit(character) || (character != '\0' && strchr(".-/", character) != NULL);
}

bool push_application_is_valid(const char *name)
{
	size_t length = 0;

	while (is_application_character(name[length]))
		length++;
	return length > 0 && name[length] == '\0' && length <= VALUE_MAX_LENGTH;
}

void push_application_clean(char *name)
{
	for (; *name != '\0'; name++)
		if (!is_application_character(*name))
			*name = '_';
}

bool push_labels_have(const struct push_labels *labels, const char *name, size_t length)
{
	for (size_t i = 0; i < labels->count; i++)
		if (strlen(labels->items[i].name) == length && strncmp(labels->items[i].name, name, length) == 0)
			return true;
	return false;
}

bool push_labels_add(struct push_labels *labels, const char *name, size_t length, const char *value)
{
	struct push_label label;

	if (value[0] == '\0')
		return true;
	label = (struct push_label){strndup(name, length), strdup(value)};
	if (label.name != NULL && label.value != NULL &&
	    array_append(&labels->items, &labels->count, &label, sizeof label))
		return true;
	free(label.name);
	free(label.value);
	return false;
}

void push_labels_free(struct push_labels *labels)
{
	for (size_t i = 0; i < labels->count; i++) {
		free(labels->items[i].name);
		free(labels->items[i].value);
	}
	free(labels->items);
	*labels = (struct push_labels){0};
}
