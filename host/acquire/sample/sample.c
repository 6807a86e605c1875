/* SPDX-License-Identifier: MIT */
/* The stages of sampling, in order. See sample.h. */
#include "acquire/sample/sample.h"

#include "acquire/pull/interrupt.h"
#include "acquire/pull/session.h"
#include "acquire/sample/batches.h"
#include "acquire/sample/filing.h"
#include "acquire/sample/sampling.h"
#include "base/file/file.h"
#include "firmware/image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

struct sample {
	const struct sample_options *options;
	struct pull_session session;
	struct batches batches;
	struct stack_copies stacks; /* with options->stack_bytes */
	uint64_t seed;
	struct sampling_end end;
	struct file_writer writer;
};

static enum status open_sampled_image(struct sample *sample, struct error *error)
{
	const struct pull_options *options = &sample->options->pull;
	struct image **image = &sample->session.image;

	enum status status = image_open(options->elf_path, image, error);
	if (status == STATUS_OK)
		status = identity_check_isa(*image, options->source, error);
	if (status != STATUS_OK || ((*image)->isa == IMAGE_ISA_ARM && (*image)->address_size == 4))
		return status;
	if ((*image)->isa != IMAGE_ISA_RISCV)
		return status_fail(error,
		                   "%s: is for neither Cortex-M nor RISC-V, and no other core can be sampled through a "
		                   "probe",
		                   options->elf_path);
	if (!sample->options->halt)
		return status_fail(
		        error, "%s: a RISC-V core cannot be sampled while it runs, only by halting it for each read",
		        options->elf_path);
	return STATUS_OK;
}

static bool is_riscv(const struct sample *sample)
{
	return sample->session.image->isa == IMAGE_ISA_RISCV;
}

static bool wants_stacks(const struct sample *sample)
{
	return sample->options->stack_bytes > 0;
}

static enum status prepare_sampling(struct sample *sample, struct error *error)
{
	enum status status = open_sampled_image(sample, error);

	if (status == STATUS_OK)
		status = pull_session_check_output(&sample->session, error);
	if (status == STATUS_OK)
		status = file_create(&sample->writer, sample->options->pull.output_path, error);
	if (status != STATUS_OK)
		return status;
	if (getrandom(&sample->seed, sizeof sample->seed, 0) != sizeof sample->seed)
		return status_fail(error, "no random numbers: %s", strerror(errno));
	if (wants_stacks(sample)) {
		stack_copies_begin(&sample->stacks, sample->session.image->address_size, sample->options->stack_bytes,
		                   sample->seed);
		sample->stacks.is_cortex_m = sample->session.image->isa == IMAGE_ISA_ARM;
		sample->stacks.end = image_stack_end(sample->session.image);
	}
	return batches_begin(&sample->batches, sample->session.image)
	               ? STATUS_OK
	               : status_no_memory(error, sample->options->pull.elf_path);
}

/* Without a block, compares the code if it can be read. */
static enum status check_code_identity(struct sample *sample, struct error *error)
{
	struct pull_session *session = &sample->session;

	enum status status = identity_check(session->target, session->image, NULL, sample->options->pull.force,
	                                    &session->identity, error);
	const bool is_unreadable = !session->identity.has_code_crc && !session->target->is_lost;
	return is_unreadable ? STATUS_OK : status;
}

/* Takes samples. A signal is noticed between batches. */
static enum status take_samples(struct sample *sample, int cancel, struct error *error)
{
	const struct sampling_plan plan = {
	        .sampler = is_riscv(sample) || wants_stacks(sample) ? &sampler_halting : &sampler_pcsr,
	        .nanoseconds = (uint64_t)sample->options->milliseconds * 1000000,
	        .rate = sample->options->rate,
	        .seed = sample->seed,
	        .stacks = wants_stacks(sample) ? &sample->stacks : NULL,
	        .cancel = cancel,
	        .clock = &clock_system,
	        .progress = sample->options->progress,
	        .context = sample->options->context,
	};

	return sampling_run(sample->session.target, &plan, &sample->batches, &sample->end, error);
}

/* A signal cancels the target's operations only until the core is changed in a way that must be restored. */
static enum status run_sample_session(struct sample *sample, const struct interrupt *interrupt, int cancel,
                                      struct error *error)
{
	enum status status = pull_session_connect(&sample->session, cancel, error);

	if (status == STATUS_OK)
		status = check_code_identity(sample, error);
	if (status == STATUS_OK)
		status = interrupt_mute(cancel, error);
	if (status == STATUS_OK)
		status = take_samples(sample, interrupt->descriptor, error);
	pull_session_close(&sample->session);
	return status;
}

/* A signal before the first sample is reported as an interruption, not as the failure that it caused. */
static enum status sample_guarded(struct sample *sample, struct error *error)
{
	struct interrupt interrupt;
	int cancel;

	enum status status = interrupt_defer(&interrupt, error);
	if (status != STATUS_OK)
		return status;
	status = interrupt_copy(&interrupt, &cancel, error);
	if (status == STATUS_OK) {
		status = run_sample_session(sample, &interrupt, cancel, error);
		close(cancel);
	}
	if (interrupt_release(&interrupt) && sample->batches.batches == 0)
		status = status_fail(error, "interrupted");
	return status_add(status, error, &sample->session.left);
}

static enum status write_capture(struct sample *sample, struct error *error)
{
	const struct filing filing = {
	        .source = sample->options->pull.source->text,
	        .time = time(NULL),
	        .is_same_build = sample->session.identity.verdict == IDENTITY_SAME,
	        .has_code_crc = sample->session.identity.has_code_crc,
	        .code_crc = sample->session.identity.code_crc,
	        .seed = sample->seed,
	        .stacks = wants_stacks(sample) ? &sample->stacks : NULL,
	};
	bool is_contradictory;
	uint8_t *file;
	size_t size;

	enum status status = filing_encode(&sample->batches, &filing, &file, &size, error);
	if (status != STATUS_OK)
		return status;
	return pull_session_write_file(&sample->session, file, size, &sample->writer, &is_contradictory, error);
}

static void summarise_samples(const struct sample *sample, struct sample_summary *summary)
{
	const struct batches *batches = &sample->batches;

	*summary = (struct sample_summary){
	        .reads = batches->reads,
	        .batches = batches->batches,
	        .unavailable = batches->unavailable,
	        .samples = batches_are_enough(batches) ? filing_samples(batches) : 0,
	        .largest_share = batches_largest_share(batches),
	        .stacks = sample->stacks.count,
	        .seconds = (double)batches->nanoseconds / 1e9,
	        .end = sample->end,
	        .identity = sample->session.identity.verdict,
	};
}

enum status sample_run(const struct sample_options *options, struct sample_summary *summary, struct error *error)
{
	struct sample sample = {.options = options, .session.options = &options->pull};

	*summary = (struct sample_summary){0};
	enum status status = prepare_sampling(&sample, error);
	if (status == STATUS_OK)
		status = sample_guarded(&sample, error);
	if (status == STATUS_OK)
		status = write_capture(&sample, error);
	if (status == STATUS_OK)
		summarise_samples(&sample, summary);
	batches_free(&sample.batches);
	stack_copies_free(&sample.stacks);
	file_discard(&sample.writer);
	pull_session_release(&sample.session);
	return status;
}
