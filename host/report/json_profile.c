/* SPDX-License-Identifier: MIT */
/* Parts that the JSON of a profile and of a comparison share. */
#include "report/json_profile.h"

const char *json_profile_kind(enum profile_node_kind kind)
{
	static const char *const kind_names[] = {
	        [PROFILE_FUNCTION] = "function",
	        [PROFILE_BAREPROF] = "bareprof",
	        [PROFILE_UNKNOWN] = "unknown",
	        [PROFILE_EXCEPTION] = "exception",
	        [PROFILE_SECURE_CALL] = "secure",
	        [PROFILE_SECURE] = "secure world",
	        [PROFILE_OUTSIDE] = "outside",
	        [PROFILE_TABLE_FULL] = "table full",
	        [PROFILE_UNAVAILABLE] = "unavailable",
	        [PROFILE_TASK_ENTRY] = "task entry",
	        [PROFILE_UNKNOWN_CALLER] = "unknown caller",
	        [PROFILE_CUT] = "cut",
	        [PROFILE_NO_ROW] = "no frame information",
	        [PROFILE_BAD_STACK] = "bad stack",
	        [PROFILE_WITHHELD] = "withheld",
	};

	return kind_names[kind];
}

const char *json_profile_identity(const struct profile *profile)
{
	static const char *const identity_names[] = {
	        [PROFILE_IDENTITY_SAME] = "same",
	        [PROFILE_IDENTITY_UNKNOWN] = "unknown",
	        [PROFILE_IDENTITY_OTHER] = "other",
	};

	return identity_names[profile->identity];
}

const char *json_profile_time_unit(enum profile_time_unit unit)
{
	return unit == PROFILE_SECONDS ? "seconds" : "samples";
}

void json_profile_add_name(struct json *json, const char *name, struct demangler *demangler)
{
	const char *demangled = demangler_find(demangler, name);

	json_add_string(json, "name", name);
	if (demangled != NULL)
		json_add_string(json, "demangled", demangled);
}

void json_profile_add_losses(struct json *json, const struct profile_losses *losses)
{
	bool are_known = profile_losses_are_known(losses);

	json_open(json, "losses", '{');
	json_add_count(json, "ticks", losses->ticks);
	json_add_count_if(json, "ticks_missed", losses->ticks_missed_known && are_known, losses->ticks_missed);
	json_add_count_if(json, "skew_ticks", losses->skew_known && are_known, losses->skew);
	json_add_count(json, "samples_outside", losses->samples_outside);
	json_add_count(json, "samples_table_full", losses->samples_table_full);
	json_add_count(json, "samples_shared", losses->samples_shared);
	json_add_count(json, "arcs_dropped", losses->arcs_dropped);
	json_add_count(json, "arcs_in_flight", losses->arcs_in_flight);
	json_add_count(json, "saturated", losses->saturated);
	json_add_count(json, "resets", losses->resets);
	json_add_flag(json, "told", losses->blocks_without_losses == 0);
	json_close(json, '}');
}
