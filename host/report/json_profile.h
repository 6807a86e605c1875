/* SPDX-License-Identifier: MIT */
/* What JSON tells of a profile, and of two that are compared, in the same words. docs/FORMAT.md has the schemas. */
#ifndef REPORT_JSON_PROFILE_H
#define REPORT_JSON_PROFILE_H

#include "base/text/demangle.h"
#include "profile/profile.h"

#include <stdio.h>

const char *json_profile_kind(enum profile_node_kind kind);
const char *json_profile_identity(const struct profile *profile);
const char *json_profile_time_unit(enum profile_time_unit unit);

/* The members `name`, as in the ELF, and `demangled` where there is more to it. */
void json_profile_print_name(const char *name, struct demangler *demangler, FILE *stream);

/* The object of `losses`, on one line. */
void json_profile_print_losses(const struct profile_losses *losses, FILE *stream);

#endif
