/* SPDX-License-Identifier: MIT */
/* See json_profile.h. */
#include "report/json_profile.h"
#include "base/text/json.h"

#include <inttypes.h>

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

void json_profile_print_name(const char *name, struct demangler *demangler, FILE *stream)
{
	const char *demangled = demangler_find(demangler, name);
	fprintf(stream, "\"name\": ");
	json_print_string(stream, name);
	if (demangled == NULL)
		return;
	fprintf(stream, ", \"demangled\": ");
	json_print_string(stream, demangled);
}

static void print_optional(FILE *stream, const char *name, bool known, uint64_t value)
{
	if (known)
		fprintf(stream, "\"%s\": %" PRIu64 ", ", name, value);
	else
		fprintf(stream, "\"%s\": null, ", name);
}

void json_profile_print_losses(const struct profile_losses *losses, FILE *stream)
{
	fprintf(stream, "{\"ticks\": %" PRIu64 ", ", losses->ticks);
	bool is_any_told = profile_losses_are_known(losses);
	print_optional(stream, "ticks_missed", losses->ticks_missed_known && is_any_told, losses->ticks_missed);
	print_optional(stream, "skew_ticks", losses->skew_known && is_any_told, losses->skew);
	fprintf(stream,
	        "\"samples_outside\": %" PRIu64 ", \"samples_table_full\": %" PRIu64 ", \"samples_shared\": %" PRIu64
	        ", \"arcs_dropped\": %" PRIu64 ", \"arcs_in_flight\": %" PRIu64 ", \"saturated\": %" PRIu64
	        ", \"resets\": %" PRIu64 ", \"told\": %s}",
	        losses->samples_outside, losses->samples_table_full, losses->samples_shared, losses->arcs_dropped,
	        losses->arcs_in_flight, losses->saturated, losses->resets,
	        losses->blocks_without_losses == 0 ? "true" : "false");
}
