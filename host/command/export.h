/* SPDX-License-Identifier: MIT */
/* Formats of export, for commands that write a profile in one of them. Private to command/. */
#ifndef COMMAND_EXPORT_H
#define COMMAND_EXPORT_H

#include "command/captures.h"
#include "report/output.h"

/* The format of this name; NULL: unknown. */
const struct output_format *export_find_format(const char *name);

/* Adds to the profile the parts, lines and places of calls that the format needs. */
enum status export_prepare_profile(const struct output_format *format, struct opened_profile *opened,
                                   struct error *error);

#endif
