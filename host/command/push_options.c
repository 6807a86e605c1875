/* SPDX-License-Identifier: MIT */
/* See push_options.h. */
#include "command/push_options.h"

#include "command/values.h"

#include <string.h>

static enum status take_label(const struct given_option *given, struct error *error)
{
	struct push_labels *labels = option_member(given);
	const char *name = given->value, *equals = strchr(name, '=');
	size_t length = equals != NULL ? (size_t)(equals - name) : 0;

	if (equals == NULL || !push_label_name_is_valid(name, length))
		return option_refuse(given, name,
		                     "NAME=VALUE, with a NAME of letters, digits and _ that push does not set", error);
	if (!push_label_value_is_valid(equals + 1))
		return option_refuse(given, name, "a VALUE of printable text without , and } and blanks at its ends",
		                     error);
	if (push_labels_have(labels, name, length))
		return option_refuse(given, name, "each NAME once", error);
	if (!push_labels_add(labels, name, length, equals + 1))
		return status_fail(error, "out of memory for labels");
	return STATUS_OK;
}

static enum status take_application(const struct given_option *given, struct error *error)
{
	if (!push_application_is_valid(given->value))
		return option_refuse(given, given->value, "letters, digits, _ . - /", error);
	return option_take_text(given, error);
}

#define MEMBER(name) offsetof(struct push_options, name)

static const struct value_seconds timeouts = {.max = 86400};

const struct command_option push_option_table[] = {
        {'\0', "label", "NAME=VALUE", "add a label to the profile, such as a serial number; may be repeated",
         .take = take_label, .member = MEMBER(labels)},
        {'\0', "name", "APP", "name of the application (default: FW)", .take = take_application,
         .member = MEMBER(application)},
        {'\0', "timeout", "SECONDS", "give up after this time, all attempts included (default: 60)",
         .take = option_take_seconds, .member = MEMBER(timeout), .detail = &timeouts},
        {'\0', "token-file", "FILE", "send the token in FILE (default: $BAREPROF_PUSH_TOKEN)", .take = option_take_text,
         .member = MEMBER(token_file)},
        {'\0', "user-file", "FILE", "send USER:PASSWORD in FILE (default: $BAREPROF_PUSH_USER)",
         .take = option_take_text, .member = MEMBER(user_file)},
        {'\0', "ca-file", "FILE", "trust the certificates in FILE (default: the system's)", .take = option_take_text,
         .member = MEMBER(authorities)},
        {0},
};
