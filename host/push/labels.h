/* SPDX-License-Identifier: MIT */
/* Labels of a profile in a store: names and values that Prometheus and Pyroscope accept. */
#ifndef PUSH_LABELS_H
#define PUSH_LABELS_H

#include <stdbool.h>
#include <stddef.h>

struct push_label {
	char *name, *value;
};

/* All zero: empty. */
struct push_labels {
	struct push_label *items;
	size_t count;
};

/* True if the first length bytes are a valid label name of Prometheus that neither Prometheus reserves ("__...") nor
 * the tool sets itself. */
bool push_label_name_is_valid(const char *name, size_t length);

/* True for a valid value: printable UTF-8. The syntax of /ingest has no escapes, so a comma, a closing brace and
 * blanks at the ends are invalid. */
bool push_label_value_is_valid(const char *value);

/* True for a valid name of an application: letters, digits and any of "_.-/". */
bool push_application_is_valid(const char *name);

/* Replace characters that are invalid in a value, or in the name of an application, by "_". */
void push_label_value_clean(char *value);
void push_application_clean(char *name);

bool push_labels_have(const struct push_labels *labels, const char *name, size_t length);
/* Adds a label with the first length bytes of name; does nothing if the value is empty. False when out of memory. */
bool push_labels_add(struct push_labels *labels, const char *name, size_t length, const char *value);
void push_labels_free(struct push_labels *labels);

#endif
