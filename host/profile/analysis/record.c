/* SPDX-License-Identifier: MIT */
/* The passes that add the contents of the captures to a profile: for the whole, and again for each context. */
#include "profile/analysis.h"

enum status analysis_record(struct profile *profile, struct error *error)
{
	enum status status = analysis_assign_samples(profile, error);

	if (status == STATUS_OK)
		status = analysis_build_arcs(profile, error);
	if (status == STATUS_OK)
		analysis_mark_only_shared(profile);
	return status;
}
