/* SPDX-License-Identifier: MIT */
/* The warnings of a report: why samples or calls are missing, and where numbers may mislead. */
#include "base/text/text.h"
#include "report/report.h"
#include "report/views.h"

#include <bareprof/block.h>
#include <inttypes.h>

/* The report warns if at least this share of samples is in shared bins and granules; otherwise only the losses mention
 * them. */
#define SHARED_PERCENT 1.0

/* Why a compiler lost the callers, and what to do. Interrupt handlers have a warning of their own, with their name. */
static const char *const lost_callers[] = {
        [IMAGE_INTERRUPT_ENTRY] = NULL,
        [IMAGE_NO_RETURN_ADDRESS] = "clang's -pg passes no return address on RISC-V; compile with "
                                    "-finstrument-functions-after-inlining",
        [IMAGE_OVERWRITTEN_LINK] = "GCC's -pg loses the return address where a function saves r8 to r11; compile with "
                                   "-ffixed-r8 -ffixed-r9 -ffixed-r10 -ffixed-r11",
};

struct spurious_callers {
	const struct report *report;
	enum image_spurious_caller reason;
	const struct image_function *first; /* the first function whose compiler lost the caller */
	size_t count;
};

static void warn_of_lost_callers(const struct spurious_callers *spurious)
{
	const struct report *report = spurious->report;

	report_begin_warning(report);
	fprintf(report->stream, "the callers of ");
	text_print(report->stream, demangler_name(report->names, spurious->first->name));
	if (spurious->count > 1)
		fprintf(report->stream, " and %zu more", spurious->count - 1);
	fprintf(report->stream, " are wrong: %s", lost_callers[spurious->reason]);
	report_end_warning(report);
}

static void take_spurious_caller(void *context, const struct image_function *function, enum image_spurious_caller kind)
{
	struct spurious_callers *spurious = context;
	const struct report *report = spurious->report;

	if (kind == IMAGE_INTERRUPT_ENTRY) {
		report_warn(
		        report, demangler_name(report->names, function->name),
		        " is an interrupt handler compiled with -pg, so its callers are wrong; compile it without -pg");
	} else if (spurious->count++ == 0) {
		spurious->first = function;
		spurious->reason = kind;
	}
}

static void warn_of_spurious_callers(const struct report *report)
{
	struct spurious_callers spurious = {.report = report};

	image_find_spurious_callers(report->profile->image, take_spurious_caller, &spurious);
	if (spurious.count > 0)
		warn_of_lost_callers(&spurious);
}

static bool has_calls(const struct profile *profile)
{
	return report_has_calls(profile) || profile->losses.arcs_dropped > 0;
}

static bool has_recorded_calls(const struct profile *profile)
{
	for (size_t i = 0; i < profile->block_count; i++)
		if (profile->blocks[i]->arc_count > 0)
			return true;
	return false;
}

/* Whether calls were recorded, but filters exclude all of them. */
static bool are_calls_filtered(const struct profile *profile)
{
	return profile->filters != NULL && filters_arc_rule_count(profile->filters) > 0 && !has_calls(profile) &&
	       has_recorded_calls(profile);
}

static bool is_of_gmon(const struct profile *profile)
{
	return !profile_losses_are_known(&profile->losses);
}

/* Every block was sampled by a probe, so no calls were counted. */
static bool is_all_sampled(const struct profile *profile)
{
	for (size_t i = 0; i < profile->block_count; i++)
		if (!profile->blocks[i]->is_sampled)
			return false;
	return profile->block_count > 0;
}

/* Calls that were counted show that a hook is called, even if the code that calls it is not recognised. */
static bool calls_hook(const struct profile *profile)
{
	if (profile->image->hook_count == 0)
		return is_of_gmon(profile) && has_calls(profile);
	return has_calls(profile) || profile->code == NULL || code_map_has_hook_calls(profile->code);
}

static const char *reason_for_no_hook(const struct image *image)
{
	struct image_compilation compilation = image_compilation(image);

	if (!compilation.is_known)
		return "no function was compiled with -pg (clang for Arm: -Xclang -pg -meabi gnu; LTO: also link with "
		       "-pg -nodefaultlibs)";
	if (compilation.with_hooks && compilation.with_lto)
		return "link-time optimisation dropped the calls: also link with -pg -nodefaultlibs, or compile "
		       "without -flto";
	if (compilation.with_hooks)
		return "no function that was compiled with -pg is linked";
	if (compilation.with_clang)
		return image->isa == IMAGE_ISA_ARM ? "clang needs -Xclang -pg -meabi gnu in place of -pg"
		                                   : "clang needs -finstrument-functions-after-inlining";
	return "no file was compiled with -pg";
}

/* Stacks show calls without any hook. */
static void warn_of_no_hook(const struct report *report)
{
	if (!report_has_stack_store(report->profile))
		report_warn(report, report->profile->image->path, " calls no hook, because %s",
		            reason_for_no_hook(report->profile->image));
}

static void warn_of_missing_calls(const struct report *report)
{
	const bool is_gmon = is_of_gmon(report->profile);

	if (report->profile->measurement != NULL && !are_calls_filtered(report->profile))
		return;
	if (is_all_sampled(report->profile))
		report_warn(report, NULL,
		            "no calls: sampling through a probe counts none, so total times do not include callees; %s",
		            report->options->hints[HINT_STATIC_CALLS]);
	else if (are_calls_filtered(report->profile))
		report_warn(report, NULL, "no calls: filters exclude all recorded calls");
	else if (!calls_hook(report->profile))
		warn_of_no_hook(report);
	else if (report->profile->total_samples > 0 && !has_calls(report->profile))
		report_warn(report, NULL, "no calls: %s",
		            is_gmon ? "gmon.out has none"
		                    : "no instrumented function ran, or the firmware has a hook other than bareprof's");
}

static bool is_any_in_state(const struct profile *profile, uint32_t state)
{
	for (size_t i = 0; i < profile->block_count; i++)
		if (profile->blocks[i]->header.state == state)
			return true;
	return false;
}

/* Advice for a block without samples, by its state. With several such blocks, the first state in the table counts. */
static const struct {
	uint32_t state;
	const char *advice;
} state_advice[] = {
        {BAREPROF_STATE_RUNNING,
         "is the sampling timer running, its interrupt enabled, and its handler in the vector table? "
         "Does the period fit the timer?"},
        {BAREPROF_STATE_ARMED, "its trigger function was not called"},
        {BAREPROF_STATE_STOPPED, "call bareprof_start() after bareprof_init(), or start it before a pull"},
};

static void warn_of_state(const struct report *report)
{
	const struct profile *profile = report->profile;

	for (size_t i = 0; i < sizeof state_advice / sizeof *state_advice; i++) {
		if (!is_any_in_state(profile, state_advice[i].state))
			continue;
		bool has_run = state_advice[i].state == BAREPROF_STATE_STOPPED && has_calls(profile);
		bool has_rate = profile->blocks[0]->header.period != 0;
		report_warn(report, NULL, "no samples: the profile is %s; %s",
		            capture_state_name(state_advice[i].state),
		            !has_rate ? "its period is unknown: BAREPROF_DEFINE needs .clock_hz and .rate_hz"
		            : has_run ? "calls were counted: did the sampling timer run, with its interrupt enabled?"
		                      : state_advice[i].advice);
		return;
	}
	report_warn(report, NULL, "no samples: the state of the profile is '%s'; pull it again",
	            capture_state_name(profile->blocks[0]->header.state));
}

static void warn_of_no_samples(const struct report *report)
{
	const struct profile *profile = report->profile;

	if (profile->total_samples > 0)
		return;
	if (report->options->context != NULL)
		report_warn(report, NULL, "no samples of this context");
	else if (is_of_gmon(profile) || profile->block_count == 0)
		report_warn(report, NULL, "no samples");
	else
		warn_of_state(report);
}

/* Ticks are counted for the whole block, so a report of one context cannot be checked. */
static void warn_of_contradictions(const struct report *report)
{
	const struct profile *profile = report->profile;

	for (size_t i = 0; report->options->context == NULL && i < profile->capture_count; i++) {
		for (size_t j = 0; j < profile->captures[i]->block_count; j++) {
			const struct capture_block *block = &profile->captures[i]->blocks[j];

			if (capture_sum_samples(block).balance == CAPTURE_DOES_NOT_ADD_UP)
				report_warn(report, profile->captures[i]->path,
				            ": samples and ticks of core %u do not add up: the block %s",
				            block->header.core,
				            capture_state_is_clearing(block->header.state) ? "was being reset"
				                                                           : "is damaged");
		}
	}
}

/* The largest plausible share of time spent in sampling interrupts. A timer that cannot count a whole period wraps
 * early, and the rest of the period then seems to belong to the interrupt. */
#define LARGE_HANDLER_PART 0.5

static const char *problem_of_cost(const struct capture_block *block)
{
	double part;

	if (capture_handler_part(block, &part) == CAPTURE_HANDLER_IMPOSSIBLE)
		return "ignored";
	return part > LARGE_HANDLER_PART ? "choose a longer period, or one that the timer can count" : NULL;
}

static void warn_of_cost(const struct report *report, const char *path, const struct capture_block *block)
{
	const struct capture_header *header = &block->header;
	const char *problem = problem_of_cost(block);

	if (problem != NULL)
		report_warn(report, path,
		            ": core %u reports that a sampling interrupt takes %.0f of %u clock units: %s",
		            header->core, (double)block->tick_cost / (double)header->ticks, header->period, problem);
}

static void warn_of_costs(const struct report *report)
{
	const struct profile *profile = report->profile;

	for (size_t i = 0; i < profile->capture_count; i++) {
		for (size_t j = 0; j < profile->captures[i]->block_count; j++)
			warn_of_cost(report, profile->captures[i]->path, &profile->captures[i]->blocks[j]);
	}
}

void report_warn_of_fixed_distances(const struct report *report)
{
	if (profile_distances(report->profile) == CAPTURE_DISTANCES_FIXED)
		report_warn(
		        report, NULL,
		        "samples were taken at fixed intervals: times of work that repeats in step with them may be "
		        "far off, and errors may be larger than shown; sample with BAREPROF_TIMER_ISR and a "
		        "period of at least 512");
}

bool report_is_sparse(const struct report *report)
{
	for (size_t i = 0; i < report->profile->block_count; i++)
		if (report->profile->blocks[i]->granule_size > 0)
			return true;
	return false;
}

/* The bytes of code of the widest bin or granule in all captures. */
static uint32_t widest_bin_size(const struct profile *profile)
{
	uint32_t widest = 0;

	for (size_t i = 0; i < profile->block_count; i++) {
		const struct capture_block *block = profile->blocks[i];

		widest = block->bin_size > widest ? block->bin_size : widest;
		widest = block->granule_size > widest ? block->granule_size : widest;
	}
	return widest;
}

static void format_advice_on_sharing(const struct report *report, char *advice, size_t size)
{
	bool is_sparse = report_is_sparse(report);

	/* For lines, the advice depends on their size, because their instructions are known. */
	if (report->options->lines && report->profile->separating_size > 0)
		snprintf(advice, size, "%s of %" PRIu64 " bytes would separate the hot lines",
		         is_sparse ? "granules" : "bins", report->profile->separating_size);
	else if (is_of_gmon(report->profile))
		snprintf(advice, size, "record with smaller bins");
	else
		snprintf(advice, size, "give BAREPROF_%s", is_sparse ? "GRANULES fewer bytes" : "DEFINE more bins");
}

uint64_t report_count_shared(const struct report *report)
{
	const struct profile *profile = report->profile;

	if (report->options->lines)
		return profile_count_of(profile->line_samples_shared);
	if (report->options->inlines)
		return profile_count_of(profile->inline_samples_shared);
	return profile->losses.samples_shared;
}

void report_warn_of_sharing(const struct report *report)
{
	char advice[80];
	bool sparse = report_is_sparse(report);
	double percent = report_percent((double)report_count_shared(report), report->profile->total_samples);

	if (percent < SHARED_PERCENT)
		return;
	format_advice_on_sharing(report, advice, sizeof advice);
	report_warn(report, NULL,
	            "%.0f %% of the samples lie in %s that several %s share (%u bytes of code per %s): %s", percent,
	            sparse ? "granules" : "bins", report->options->lines ? "lines" : "functions",
	            widest_bin_size(report->profile), sparse ? "granule" : "bin", advice);
}

/* All samples of such a function may belong to others, with which it shares bins. */
static void warn_of_uncertain_functions(const struct report *report)
{
	const struct profile *profile = report->profile;
	size_t count = 0;

	for (size_t i = 0; i < profile->node_count; i++)
		count += profile->nodes[i].is_only_shared;
	if (count > 0 && !report->options->lines && !report->options->inlines)
		report_warn(report, NULL,
		            "%zu function%s marked%s may not have run: sampled only in %s shared with others", count,
		            count == 1 ? "" : "s", REPORT_ONLY_SHARED, report_is_sparse(report) ? "granules" : "bins");
}

void report_warn_of_no_lines(const struct report *report)
{
	const struct image *image = report->profile->image;
	const char *problem = image_unreadable_lines(image);

	if (problem != NULL)
		report_warn(report, image->path, ": line information unreadable: %s", problem);
	else
		report_warn(report, image->path,
		            " has no line information for the code that was sampled or called: compile it with -g");
}

static bool has_focus(const struct profile_node *node)
{
	return (node->marks.included & 1u << FILTER_TIME) != 0;
}

/* Focusing on one member hides most of its cycle's time. */
static void warn_of_focus_on_member(const struct report *report, const struct profile_cycle *cycle, size_t number)
{
	const struct profile *profile = report->profile;
	size_t focused = 0;
	const char *name = NULL;

	for (size_t i = 0; i < cycle->member_count; i++) {
		const struct profile_node *node = &profile->nodes[cycle->members[i]];

		focused += has_focus(node);
		if (has_focus(node) && name == NULL)
			name = node->name;
	}
	if (name != NULL && focused < cycle->member_count)
		report_warn(report, demangler_name(report->names, name),
		            " is in cycle %zu, whose other functions are filtered out: focus on them too, or break the "
		            "cycle",
		            number);
}

static void warn_of_focus(const struct report *report)
{
	const struct profile *profile = report->profile;

	for (size_t i = 0; profile->filters != NULL && i < profile->cycle_count; i++)
		warn_of_focus_on_member(report, &profile->cycles[i], i + 1);
}

static void warn_of_cycles(const struct report *report)
{
	const struct profile *profile = report->profile;
	size_t largest;
	double part = profile_part_in_cycles(profile, &largest);

	if (part < VIEWS_CYCLES_PART)
		return;
	report_warn(report, NULL,
	            "%.0f %% of the time is in %scycle %zu, which several functions call: total times of its callers "
	            "assume average costs%s and can be far off; %s",
	            100 * part, profile->cycle_count > 1 ? "cycles, most of it in " : "", largest + 1,
	            profile->cycles[largest].is_too_large ? ", the same for all calls into this large cycle," : "",
	            report->options->hints[HINT_MEASURE]);
}

void report_print_warnings(const struct report *report)
{
	const struct profile *profile = report->profile;

	if (report->options->idle_arcs != NULL)
		report_warn(report, report->options->idle_arcs, ": no such call was recorded");
	warn_of_focus(report);
	warn_of_contradictions(report);
	warn_of_no_samples(report);
	warn_of_costs(report);
	report_warn_of_contexts(report);
	report_warn_of_fixed_distances(report);
	report_warn_of_sharing(report);
	/* Lines without a file come last. */
	if (report->shows_lines && profile->line_count > 0 && profile->lines[0].file == NULL)
		report_warn_of_no_lines(report);
	warn_of_missing_calls(report);
	warn_of_spurious_callers(report);
	warn_of_cycles(report);
	warn_of_uncertain_functions(report);
	report_warn_of_stacks(report);
}
