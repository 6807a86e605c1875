/* SPDX-License-Identifier: MIT */
/* The passes in order: the table of contents of the analysis. */
#include "profile/analysis.h"

/* The passes from arcs to total times. */
static enum status follow_arcs(struct profile *profile, const struct analysis_options *options, struct error *error)
{
	enum status status = options->static_calls ? analysis_add_static_arcs(profile, error) : STATUS_OK;

	if (status == STATUS_OK && options->cycle_max > 0)
		status = analysis_break_cycles(profile, options->cycle_max, error);
	if (status == STATUS_OK)
		status = analysis_find_cycles(profile, error);
	if (status == STATUS_OK)
		status = analysis_propagate(profile, error);
	if (status == STATUS_OK)
		status = analysis_propagate_by_context(profile, options->total_errors, error);
	if (status == STATUS_OK && options->total_errors && !profile->has_total_variance)
		status = analysis_estimate_errors(profile, profile, error);
	return status;
}

enum status analysis_fill(struct profile *profile, const struct analysis_options *options, struct error *error)
{
	enum status status = analysis_assign_samples(profile, error);

	if (status == STATUS_OK)
		status = analysis_build_arcs(profile, error);
	if (status == STATUS_OK) {
		analysis_mark_only_shared(profile);
		status = follow_arcs(profile, options, error);
	}
	if (status == STATUS_OK)
		status = analysis_measure(profile, error);
	return status;
}

enum status analysis_run(const struct image *image, const struct capture *const *captures, size_t capture_count,
                         const struct analysis_options *options, struct profile **profile, struct error *error)
{
	struct profile *made;
	enum status status = profile_create(image, captures, capture_count, options->filters, &made, error);

	if (status != STATUS_OK)
		return status;
	made->owners = options->owners;
	made->through_interrupts = options->through_interrupts;
	made->ignores_handler = options->ignores_handler;
	if (options->in_samples)
		made->time_unit = PROFILE_SAMPLES;
	status = analysis_check_identity(made, options->force, error);
	if (status == STATUS_OK)
		status = analysis_fill(made, options, error);
	if (status != STATUS_OK) {
		profile_free(made);
		return status;
	}
	analysis_sum_losses(made);
	*profile = made;
	return STATUS_OK;
}

enum status analysis_run_gmon(const struct image *image, const struct gmon *gmon,
                              const struct analysis_options *options, struct profile **profile, struct error *error)
{
	struct profile *made;
	enum status status = profile_create(image, NULL, 0, options->filters, &made, error);

	if (status != STATUS_OK)
		return status;
	made->arc_order = PROFILE_LAST_FIRST;
	made->shares_cycles_by_calls = true;
	made->time_unit = PROFILE_SAMPLES;
	analysis_assign_histograms(made, gmon);
	status = analysis_tally_arcs(made, gmon, error);
	if (status == STATUS_OK)
		status = follow_arcs(made, options, error);
	if (status != STATUS_OK) {
		profile_free(made);
		return status;
	}
	*profile = made;
	return STATUS_OK;
}
