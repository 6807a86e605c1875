/* SPDX-License-Identifier: MIT */
/* The options of push, and its credentials. Private to command/. */
#ifndef COMMAND_PUSH_OPTIONS_H
#define COMMAND_PUSH_OPTIONS_H

#include "command/options.h"
#include "push/http.h"
#include "push/labels.h"

struct push_options {
	struct push_labels labels; /* given with --label */
	const char *application;   /* NULL: the firmware's name */
	const char *authorities;   /* file of trusted certificates; NULL: the system's certificates */
	const char *token_file, *user_file;
	unsigned timeout; /* milliseconds */
};

/* The table of these options; sets a struct push_options. */
extern const struct command_option push_option_table[];

/* Reads the credentials from the files that the options name, otherwise from the environment, and checks that they may
 * be sent to the address. Freed by push_credentials_free(), even on failure. */
enum status push_credentials_read(const struct push_options *options, const struct http_address *address,
                                  struct http_credentials *credentials, struct error *error);
void push_credentials_free(struct http_credentials *credentials);

#endif
