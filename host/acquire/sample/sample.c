/* SPDX-License-Identifier: MIT */
/* The stages of sampling, in order. See sample.h. */
#include "acquire/sample/sample.h"

#include "acquire/pull/interrupt.h"
#include "acquire/sample/batches.h"
#include "acquire/sample/filing.h"
#include "acquire/sample/sampling.h"
#include "base/file/file.h"
#include "base/file/inputs.h"
#include "firmware/image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

struct sample {
	const struct sample_options *options;
	struct image *image;
	struct batches batches;
	struct stack_copies stacks; /* with options->stack_bytes */
	struct identity_result identity;
	uint64_t seed;
	struct sampling_end end;
	struct file_writer writer;
};

static enum status open_image(struct sample *sample, struct error *error)
{
	enum status status = image_open(sample->options->elf_path, &sample->image, error);

	if (status == STATUS_OK)
		status = identity_check_isa(sample->image, sample->options->source, error);
	if (status != STATUS_OK || (sample->image->isa == IMAGE_ISA_ARM && sample->image->address_size == 4))
		return status;
	if (sample->image->isa != IMAGE_ISA_RISCV)
		return status_fail(error,
		                   "%s: is for neither Cortex-M nor RISC-V, and no other core can be sampled through a "
		                   "probe",
		                   sample->options->elf_path);
	if (!sample->options->halt)
		return status_fail(
		        error, "%s: a RISC-V core cannot be sampled while it runs, only by halting it for each read",
		        sample->options->elf_path);
	return STATUS_OK;
}

static bool is_riscv(const struct sample *sample)
{
	return sample->image->isa == IMAGE_ISA_RISCV;
}

static enum status create_output(struct sample *sample, struct error *error)
{
	struct file_inputs inputs = {0};

	enum status status = file_inputs_add(&inputs, sample->options->elf_path, error);
	if (status == STATUS_OK)
		status = file_check_output(sample->options->output_path, &inputs, error);
	file_inputs_free(&inputs);
	return status != STATUS_OK ? status : file_create(&sample->writer, sample->options->output_path, error);
}

static bool has_stacks(const struct sample *sample)
{
	return sample->options->stack_bytes > 0;
}

static enum status prepare(struct sample *sample, struct error *error)
{
	enum status status = open_image(sample, error);

	if (status == STATUS_OK)
		status = create_output(sample, error);
	if (status != STATUS_OK)
		return status;
	if (getrandom(&sample->seed, sizeof sample->seed, 0) != sizeof sample->seed)
		return status_fail(error, "no random numbers: %s", strerror(errno));
	if (has_stacks(sample)) {
		stack_copies_begin(&sample->stacks, sample->image->address_size, sample->options->stack_bytes,
		                   sample->seed);
		sample->stacks.is_cortex_m = sample->image->isa == IMAGE_ISA_ARM;
		sample->stacks.end = image_stack_end(sample->image);
	}
	return batches_begin(&sample->batches, sample->image) ? STATUS_OK
	                                                      : status_no_memory(error, sample->options->elf_path);
}

/* Without a block, compares the code if it can be read. */
static enum status check_identity(struct sample *sample, struct target *target, struct error *error)
{
	enum status status =
	        identity_check(target, sample->image, NULL, sample->options->force, &sample->identity, error);
	bool is_unreadable = !sample->identity.has_code_hash && !target->is_lost;

	return is_unreadable ? STATUS_OK : status;
}

/* A signal is noticed between batches. */
static enum status take_samples(struct sample *sample, struct target *target, int cancel, struct error *error)
{
	const struct sampling_plan plan = {
	        .sampler = is_riscv(sample) || has_stacks(sample) ? &sampler_halting : &sampler_pcsr,
	        .nanoseconds = (uint64_t)sample->options->milliseconds * 1000000,
	        .rate = sample->options->rate,
	        .seed = sample->seed,
	        .stacks = has_stacks(sample) ? &sample->stacks : NULL,
	        .cancel = cancel,
	        .stopwatch = &stopwatch_system,
	        .progress = sample->options->progress,
	        .context = sample->options->context,
	};

	return sampling_run(target, &plan, &sample->batches, &sample->end, error);
}

/* A signal cancels the target's operations only until something in the core is changed that must be restored. */
static enum status read_target(struct sample *sample, struct target *target, const struct interrupt *interrupt,
                               int cancel, struct error *error)
{
	enum status status = check_identity(sample, target, error);

	if (status == STATUS_OK)
		status = interrupt_mute(cancel, error);
	return status != STATUS_OK ? status : take_samples(sample, target, interrupt->descriptor, error);
}

/* *left: changes in the target that could not be undone; empty if none. */
static enum status run_session(struct sample *sample, const struct interrupt *interrupt, int cancel, struct error *left,
                               struct error *error)
{
	struct target_setup setup = TARGET_SETUP_DEFAULT;
	struct target *target;

	if (sample->options->setup != NULL)
		setup = *sample->options->setup;
	setup.cancel = cancel;
	/* RISC-V is reached over JTAG only. */
	if (is_riscv(sample) && setup.transport == TARGET_DEFAULT_TRANSPORT)
		setup.transport = TARGET_JTAG;
	setup.left = left;
	enum status status = target_open(sample->options->source, &setup, &target, error);
	if (status != STATUS_OK)
		return status;
	status = read_target(sample, target, interrupt, cancel, error);
	target_close(target, left);
	return status;
}

/* A signal before the first sample is reported as an interruption, not as the failure that it caused. */
static enum status run_guarded(struct sample *sample, struct error *error)
{
	struct interrupt interrupt;
	struct error left = {.message = ""};
	int cancel;

	enum status status = interrupt_defer(&interrupt, error);
	if (status != STATUS_OK)
		return status;
	status = interrupt_copy(&interrupt, &cancel, error);
	if (status == STATUS_OK) {
		status = run_session(sample, &interrupt, cancel, &left, error);
		close(cancel);
	}
	if (interrupt_release(&interrupt) && sample->batches.batches == 0)
		status = status_fail(error, "interrupted");
	return status_add(status, error, &left);
}

static enum status write_capture(struct sample *sample, struct error *error)
{
	const struct filing filing = {
	        .source = sample->options->source->text,
	        .time = time(NULL),
	        .is_same_build = sample->identity.verdict == IDENTITY_SAME,
	        .has_code_hash = sample->identity.has_code_hash,
	        .code_hash = sample->identity.code_hash,
	        .seed = sample->seed,
	        .stacks = has_stacks(sample) ? &sample->stacks : NULL,
	};
	uint8_t *file;
	size_t size;

	enum status status = filing_encode(&sample->batches, &filing, &file, &size, error);
	if (status != STATUS_OK)
		return status;
	/* The stream keeps a write error, and file_commit() reports it. */
	fwrite(file, 1, size, sample->writer.stream);
	free(file);
	return file_commit(&sample->writer, error);
}

static void summarise(const struct sample *sample, struct sample_summary *summary)
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
	        .identity = sample->identity.verdict,
	};
}

enum status sample_run(const struct sample_options *options, struct sample_summary *summary, struct error *error)
{
	struct sample sample = {.options = options};

	*summary = (struct sample_summary){0};
	enum status status = prepare(&sample, error);
	if (status == STATUS_OK)
		status = run_guarded(&sample, error);
	if (status == STATUS_OK)
		status = write_capture(&sample, error);
	if (status == STATUS_OK)
		summarise(&sample, summary);
	batches_free(&sample.batches);
	stack_copies_free(&sample.stacks);
	file_discard(&sample.writer);
	image_close(sample.image);
	return status;
}
