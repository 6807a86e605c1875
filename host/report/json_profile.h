/* SPDX-License-Identifier: MIT */
/* Names, values and members that the JSON of a profile and of a comparison share. docs/FORMAT.md has the schemas. */
#ifndef REPORT_JSON_PROFILE_H
#define REPORT_JSON_PROFILE_H

#include "base/text/demangle.h"
#include "base/text/json.h"
#include "profile/profile.h"

const char *json_profile_kind(enum profile_node_kind kind);
const char *json_profile_identity(const struct profile *profile);
const char *json_profile_time_unit(enum profile_time_unit unit);

/* Adds the members `name`, as in the ELF, and `demangled` if that differs. */
void json_profile_add_name(struct json *json, const char *name, struct demangler *demangler);

/* Adds the member `losses`. */
void json_profile_add_losses(struct json *json, const struct profile_losses *losses);

#endif
