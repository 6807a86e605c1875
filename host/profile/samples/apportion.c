/* SPDX-License-Identifier: MIT */
/*
 * See apportion.h. Cells and blocks form a path: a block that lies in several cells ends every cell that it touches
 * except the last, and begins every one except the first. So two walks, one forwards and one backwards, carry the
 * evidence of the cells on either side of each block (belief propagation on a tree: Pearl, "Probabilistic Reasoning in
 * Intelligent Systems", 1988, section 4.3). Evidence is a number of samples on a number of instructions: a gamma
 * distribution of samples per instruction.
 */
#include "profile/samples/apportion.h"

#include <math.h>

/* The samples of the prior: Jeffreys' prior of a Poisson rate has half a sample. */
#define PRIOR_SAMPLES 0.5
/* How closely blocks follow the mean of their function, as an exponent: the rates of blocks differ by orders of
 * magnitude. */
#define FUNCTION_WEIGHT 0.7
/* Uncertainty about blocks without other evidence: 0 means that samples are shared as expected, 1 that one block has
 * all of them. */
#define DOUBT 0.5
/* A difference of more standard deviations than this is not chance. */
#define SIGMAS          3.0
#define SIGMAS_OF_PROOF 5.0
/* A cell with more samples than this multiple of the expected ones cannot be explained by one slow instruction. */
#define STALL_MAX 4.0

/* Expected samples per instruction of a part: a weighted geometric mean of the rates of its cell and of its function in
 * other cells. */
static double density_of(const struct cell_run *run, const struct group_part *part, double of_cell)
{
	const struct density *density = &run->densities[part->function];

	if (density->instructions <= 0 || of_cell <= 0)
		return of_cell;
	double of_function = (PRIOR_SAMPLES + density->samples) / (PRIOR_SAMPLES / of_cell + density->instructions);
	return of_cell * pow(of_function / of_cell, FUNCTION_WEIGHT);
}

static double instructions_of_cell(const struct cell_run *run, const struct cell *cell)
{
	double sum = 0;

	for (size_t i = cell->first; i < cell->end; i++)
		sum += run->parts[i].instructions;
	return sum;
}

/* The expected samples of a part, without the evidence of its own cell. */
static void expect_samples(const struct cell_run *run, struct group_part *part, double of_cell,
                           struct sample_evidence evidence)
{
	double mean = density_of(run, part, of_cell);

	part->has_evidence = evidence.instructions > 0;
	part->expected = mean * part->instructions;
	part->variance = 0;
	if (!part->has_evidence)
		return;
	double shape = PRIOR_SAMPLES + evidence.samples;
	double rate = PRIOR_SAMPLES / mean + evidence.instructions;
	part->expected = part->instructions * shape / rate;
	part->variance = part->expected * part->expected / shape;
}

struct sums {
	double expected, variance; /* sums over parts with evidence */
	double open;               /* expected samples of parts without evidence */
};

/* Sums over all parts of a cell except one. */
static struct sums sum_parts(const struct cell_run *run, const struct cell *cell, size_t except)
{
	struct sums sums = {0, 0, 0};

	for (size_t i = cell->first; i < cell->end; i++) {
		const struct group_part *part = &run->parts[i];

		if (i == except)
			continue;
		sums.expected += part->has_evidence ? part->expected : 0;
		sums.variance += part->variance;
		sums.open += part->has_evidence ? 0 : part->expected;
	}
	return sums;
}

/* Sets the expected samples of all parts from the evidence of the cells to the left and to the right. */
static void expect_all(const struct cell_run *run, const struct cell *cell, struct sample_evidence left,
                       struct sample_evidence right)
{
	double of_cell = (double)cell->count / instructions_of_cell(run, cell);

	for (size_t i = cell->first; i < cell->end; i++) {
		struct sample_evidence evidence = {0, 0};

		if (i == cell->first)
			evidence = left;
		if (i + 1 == cell->end) {
			evidence.samples += right.samples;
			evidence.instructions += right.instructions;
		}
		expect_samples(run, &run->parts[i], of_cell, evidence);
	}
}

/*
 * The evidence of a cell for one of its parts: the samples that the other parts leave, as a gamma distribution of the
 * same mean and variance. If the others exceed the count by chance, half a standard deviation is used, the mean of the
 * possible values.
 */
static struct sample_evidence evidence_of(const struct cell_run *run, const struct cell *cell, size_t part)
{
	double count = (double)cell->count;
	struct sums others = sum_parts(run, cell, part);
	double open = others.open < count ? others.open : count;
	double variance = count + others.variance + DOUBT * open * open;
	double left = fmax(count - others.expected - open, 0.5 * sqrt(variance));

	return (struct sample_evidence){left * left / variance, run->parts[part].instructions * left / variance};
}

/* The evidence of the cell, and of the cells on one side of it, for the block with which it begins or ends. */
static struct sample_evidence pass_evidence(const struct cell_run *run, const struct cell *cell, size_t part,
                                            struct sample_evidence left, struct sample_evidence right)
{
	if (cell->end == cell->first)
		return (struct sample_evidence){0, 0};
	if (cell->end - cell->first == 1)
		return (struct sample_evidence){left.samples + right.samples + (double)cell->count,
		                                left.instructions + right.instructions + run->parts[part].instructions};
	expect_all(run, cell, left, right);
	return evidence_of(run, cell, part);
}

static void walk_forwards(struct cell_run *run)
{
	const struct sample_evidence nothing = {0, 0};
	struct sample_evidence before = nothing;

	for (size_t i = 0; i < run->cell_count; i++) {
		struct cell *cell = &run->cells[i];

		cell->left = cell->is_linked ? before : nothing;
		cell->left.instructions += cell->gap_before;
		before = pass_evidence(run, cell, cell->end - 1, cell->left, nothing);
	}
}

static void walk_backwards(struct cell_run *run)
{
	const struct sample_evidence nothing = {0, 0};
	struct sample_evidence behind = nothing;

	for (size_t i = run->cell_count; i-- > 0;) {
		struct cell *cell = &run->cells[i];
		bool is_linked = i + 1 < run->cell_count && run->cells[i + 1].is_linked;

		cell->right = is_linked ? behind : nothing;
		cell->right.instructions += cell->gap_after;
		behind = pass_evidence(run, cell, cell->first, nothing, cell->right);
	}
}

/* Samples beyond the expected ones may also come from a slow instruction in a block that has evidence. */
static void doubt_instruction_times(struct cell_run *run, const struct cell *cell, double unexpected)
{
	struct sums sums = sum_parts(run, cell, SIZE_MAX);

	for (size_t i = cell->first; i < cell->end; i++) {
		struct group_part *part = &run->parts[i];

		if (part->has_evidence)
			part->variance += unexpected * unexpected * part->expected / sums.expected;
	}
}

/* Blocks without evidence share the samples that the others leave: fewer than expected if fewer are left, more only if
 * the others cannot have caused them. */
static void fit_open_parts(struct cell_run *run, const struct cell *cell)
{
	struct sums sums = sum_parts(run, cell, SIZE_MAX);
	double sigma = sqrt((double)cell->count + sums.variance);
	double left = (double)cell->count - sums.expected;
	double open = sums.open;

	if (open > left)
		open = fmin(open, fmax(left, sigma));
	else if (sums.open > 0 && left - open > SIGMAS * sigma) {
		if ((double)cell->count < STALL_MAX * sums.expected)
			doubt_instruction_times(run, cell, left - open);
		open = left;
	}
	for (size_t i = cell->first; i < cell->end && sums.open > 0; i++) {
		struct group_part *part = &run->parts[i];

		if (part->has_evidence)
			continue;
		part->expected *= open / sums.open;
		part->variance = DOUBT * part->expected * open;
	}
}

/* Divides the samples beyond the expected ones in proportion to each part's variance: its counting variance plus the
 * variance of the expectation. */
static void split_surplus(struct cell_run *run, const struct cell *cell)
{
	double count = (double)cell->count, spread = 0, expected = 0, given = 0;

	for (size_t i = cell->first; i < cell->end; i++) {
		spread += run->parts[i].expected + run->parts[i].variance;
		expected += run->parts[i].expected;
	}
	for (size_t i = cell->first; i < cell->end; i++) {
		struct group_part *part = &run->parts[i];

		part->gain = (part->expected + part->variance) / spread;
		part->samples = fmax(part->expected + part->gain * (count - expected), 0);
		given += part->samples;
	}
	for (size_t i = cell->first; i < cell->end; i++)
		run->parts[i].samples *= count / given;
}

static void split_cell(struct cell_run *run, const struct cell *cell)
{
	if (cell->end == cell->first)
		return;
	struct group_part *only = &run->parts[cell->first];
	expect_all(run, cell, cell->left, cell->right);
	if (cell->end - cell->first > 1) {
		fit_open_parts(run, cell);
		split_surplus(run, cell);
		return;
	}
	only->gain = 1;
	only->samples = (double)cell->count;
	only->variance = 0;
}

void apportion_samples(struct cell_run *run)
{
	walk_forwards(run);
	walk_backwards(run);
	for (size_t i = 0; i < run->cell_count; i++)
		split_cell(run, &run->cells[i]);
}

bool apportion_is_short(const struct cell_run *run, const struct cell *cell)
{
	struct sums sums = sum_parts(run, cell, SIZE_MAX);
	double left = (double)cell->count - sums.expected;

	return sums.open <= 0 && (double)cell->count > STALL_MAX * sums.expected &&
	       left > SIGMAS_OF_PROOF * sqrt((double)cell->count + sums.variance);
}
