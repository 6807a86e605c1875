/* SPDX-License-Identifier: MIT */
/* The option --what-if: a prediction with other self times. Private to command/. */
#ifndef COMMAND_WHAT_IF_H
#define COMMAND_WHAT_IF_H

#include "command/captures.h"
#include "command/options.h"

/* A value of the option. */
struct what_if_factor;

struct what_if_options {
	struct what_if_factor *given; /* in the order of the command line */
	size_t count;
};

/* Its row. The target is a struct what_if_options, freed by what_if_free(); values must outlive it. */
extern const struct command_option what_if_options[];
void what_if_free(struct what_if_options *options);

/* Adds the prediction to the profile, unless the option was not given. */
enum status what_if_add(const struct what_if_options *options, struct opened_profile *opened, struct error *error);

#endif
