/* SPDX-License-Identifier: MIT */
/*
 * Variances of measured total times. The stacks of a stratum are a sample. So if something is on the part P of n
 * stacks, the variance of P is P (1 - P) / n (Cochran: "Sampling techniques", 1977, section 5.3). With few stacks, P
 * may be 0 or 1 by chance. So each variance is computed with STACK_ERRORS_PRIOR additional stacks, which contain it as
 * often as all stacks do. Private to profile/.
 */
#ifndef PROFILE_STACKS_STACK_ERRORS_H
#define PROFILE_STACKS_STACK_ERRORS_H

#define STACK_ERRORS_PRIOR 1.0

/* The part of all stacks that contain something, plus one stack that does and one that does not: never 0 or 1. */
static inline double stack_errors_prior(double observed, double all)
{
	return (observed + 1) / (all + 2);
}

/* The variance of the part of a stratum's time in which something is on the stack. observations: the number of the
 * stratum's stacks. */
static inline double stack_errors_seen(double time, double observations, double part, double prior)
{
	double smooth = (observations * part + STACK_ERRORS_PRIOR * prior) / (observations + STACK_ERRORS_PRIOR);

	return time * time * smooth * (1 - smooth) / observations;
}

/* stack_errors_seen() for something that is on none of the stratum's stacks, divided by its prior, which is small: its
 * square is left out, so callers can multiply the sum over several strata by the prior. */
static inline double stack_errors_unseen(double time, double observations)
{
	return time * time * STACK_ERRORS_PRIOR / ((observations + STACK_ERRORS_PRIOR) * observations);
}

#endif
