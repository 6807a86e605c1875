/* SPDX-License-Identifier: MIT */
/* Stages: check that two builds and their captures can be compared, and analyse the builds and each capture. */
#include "diff/private.h"
#include "profile/analysis.h"

#include <math.h>
#include <stdlib.h>

static const char *isa_name(const struct image *image)
{
	static const char *const names[] = {
	        [IMAGE_ISA_OTHER] = "another instruction set",
	        [IMAGE_ISA_ARM] = "Arm",
	        [IMAGE_ISA_RISCV] = "RISC-V",
	};

	return names[image->isa];
}

/* Checks that a capture belongs to its build. If it belongs to the other build, the user has probably mixed them up. */
static enum status check_capture_of_build(const struct compare_state *state, enum build build,
                                          const struct capture *capture, struct error *error)
{
	const struct image *own = state->inputs[build].image;
	const struct image *other = state->inputs[build == BUILD_OLD ? BUILD_NEW : BUILD_OLD].image;
	struct error ignored;
	enum profile_identity identity = PROFILE_IDENTITY_SAME;
	enum status status = analysis_check_capture(own, capture, state->options->force, &identity, error);

	if (status != STATUS_OK && analysis_check_capture(other, capture, false, &identity, &ignored) == STATUS_OK &&
	    identity == PROFILE_IDENTITY_SAME)
		return status_fail(error, "%s: capture of %s, not of %s: give each capture with its own ELF",
		                   capture->path, other->path, own->path);
	return status;
}

enum status compare_check_inputs(struct compare_state *state, struct error *error)
{
	const struct image *old = state->inputs[BUILD_OLD].image, *new = state->inputs[BUILD_NEW].image;
	enum status status = STATUS_OK;

	if (old->isa != new->isa)
		return status_fail(error,
		                   "%s is for %s, %s for %s: only builds for the same architecture can be compared",
		                   old->path, isa_name(old), new->path, isa_name(new));
	if (old->address_size != new->address_size)
		return status_fail(
		        error,
		        "%s has addresses of %u bits, %s of %u: only builds for the same architecture can be compared",
		        old->path, old->address_size * 8, new->path, new->address_size * 8);
	for (enum build build = 0; build < BUILD_COUNT; build++)
		for (size_t i = 0; status == STATUS_OK && i < state->inputs[build].capture_count; i++)
			status = check_capture_of_build(state, build, state->inputs[build].captures[i], error);
	return status;
}

/* Analysis of a single capture needs no errors. */
static struct analysis_options options_of(const struct compare_state *state, enum build build, bool is_single)
{
	return (struct analysis_options){
	        .force = state->options->force,
	        .total_errors = state->options->total_errors && !is_single,
	        .owners = state->comparison->pairing.owners[build],
	        .ignores_handler = state->comparison->ignores_handler,
	        .in_samples = state->comparison->time_unit == PROFILE_SAMPLES,
	};
}

static bool has_samples(const struct profile *profile)
{
	for (size_t i = 0; i < profile->node_count; i++)
		if (profile->nodes[i].kind != PROFILE_BAREPROF && profile->nodes[i].self_samples > 0)
			return true;
	return false;
}

static enum status analyse_build(struct compare_state *state, enum build build, struct error *error)
{
	const struct compare_input *input = &state->inputs[build];
	const struct analysis_options options = options_of(state, build, false);
	struct compare_build *compared = &state->comparison->builds[build];

	profile_free(compared->profile);
	compared->profile = NULL;
	enum status status =
	        analysis_run(input->image, input->captures, input->capture_count, &options, &compared->profile, error);
	if (status == STATUS_OK && !has_samples(compared->profile))
		return status_fail(error, "%s: no samples in %s%s, so there are no times to compare",
		                   input->captures[0]->path,
		                   input->capture_count > 1 ? "it and its other captures" : "it",
		                   compared->profile->total_samples > 0 ? " outside the recorder" : "");
	return status;
}

static bool is_handler_known(const struct capture *capture)
{
	double part;

	for (size_t i = 0; i < capture->block_count; i++)
		if (capture_handler_part(&capture->blocks[i], &part) != CAPTURE_HANDLER_KNOWN)
			return false;
	return true;
}

/* The time of sampling interrupts must be subtracted in both builds or in neither. */
static bool is_any_handler_unknown(const struct compare_state *state)
{
	for (enum build build = 0; build < BUILD_COUNT; build++)
		for (size_t i = 0; i < state->inputs[build].capture_count; i++)
			if (!is_handler_known(state->inputs[build].captures[i]))
				return true;
	return false;
}

/* Seconds cannot be compared with samples: if one build has no seconds, both use samples. */
enum status compare_analyse(struct compare_state *state, struct error *error)
{
	struct comparison *comparison = state->comparison;
	enum profile_time_unit units[BUILD_COUNT] = {PROFILE_SECONDS, PROFILE_SECONDS};

	comparison->time_unit = PROFILE_SECONDS;
	comparison->ignores_handler = is_any_handler_unknown(state);
	for (enum build build = 0; build < BUILD_COUNT; build++) {
		enum status status = analyse_build(state, build, error);

		if (status != STATUS_OK)
			return status;
		units[build] = comparison->builds[build].profile->time_unit;
	}
	if (units[BUILD_OLD] == units[BUILD_NEW]) {
		comparison->time_unit = units[BUILD_OLD];
		return STATUS_OK;
	}
	comparison->time_unit = PROFILE_SAMPLES;
	return analyse_build(state, units[BUILD_OLD] == PROFILE_SECONDS ? BUILD_OLD : BUILD_NEW, error);
}

static enum status analyse_capture(const struct compare_state *state, enum build build, size_t capture,
                                   struct error *error)
{
	const struct compare_input *input = &state->inputs[build];
	const struct analysis_options options = options_of(state, build, true);
	struct profile *profile;
	enum status status = analysis_run(input->image, &input->captures[capture], 1, &options, &profile, error);

	if (status != STATUS_OK)
		return status;
	if (!compare_add_profile(state, build, profile, &state->per_capture[build][capture]))
		status = compare_out_of_memory(state, error);
	profile_free(profile);
	return status;
}

/* Adds the variance and the grain of a single capture, which nearly always has one sampling rate. */
static void add_rates(struct build_tally *all, const struct build_tally *single)
{
	double grain = single->samples > 0 ? single->time / single->samples : 0;

	all->time_variance += single->time * grain;
	all->grain = fmax(all->grain, grain);
}

enum status compare_analyse_captures(struct compare_state *state, struct error *error)
{
	enum status status = STATUS_OK;

	for (enum build build = 0; build < BUILD_COUNT; build++) {
		struct build_tally *all = &state->all[build];
		size_t count = state->inputs[build].capture_count;

		state->per_capture[build] = count > 1 ? calloc(count, sizeof *all) : all;
		if (state->per_capture[build] == NULL)
			return compare_out_of_memory(state, error);
		for (size_t i = 0; status == STATUS_OK && i < count; i++) {
			if (count > 1)
				status = analyse_capture(state, build, i, error);
			add_rates(all, &state->per_capture[build][i]);
		}
	}
	return status;
}
