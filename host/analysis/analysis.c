/* SPDX-License-Identifier: MIT */
/* The passes in order: the table of contents of the analysis. */
#include "analysis/analysis.h"

enum status analysis_fill(struct profile *profile, struct error *error)
{
	enum status status = analysis_assign_samples(profile, error);
	if (status == STATUS_OK)
		status = analysis_build_arcs(profile, error);
	if (status == STATUS_OK)
		status = analysis_find_cycles(profile, error);
	if (status == STATUS_OK)
		status = analysis_propagate(profile, error);
	return status;
}

enum status analysis_run(const struct image *image, const struct capture *const *captures, size_t capture_count,
                         bool force, struct profile **profile, struct error *error)
{
	struct profile *made;
	enum status status = profile_create(image, captures, capture_count, &made, error);
	if (status != STATUS_OK)
		return status;
	status = analysis_check_identity(made, force, error);
	if (status == STATUS_OK)
		status = analysis_fill(made, error);
	if (status != STATUS_OK) {
		profile_free(made);
		return status;
	}
	analysis_sum_losses(made);
	*profile = made;
	return STATUS_OK;
}
