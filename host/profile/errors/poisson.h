/* SPDX-License-Identifier: MIT */
/* Pseudorandom numbers, the same on every run, and Poisson draws from them. */
#ifndef PROFILE_ERRORS_POISSON_H
#define PROFILE_ERRORS_POISSON_H

#include <stdint.h>

/* splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014). Any state is valid. */
struct random {
	uint64_t state;
};

/* Evenly from [0, 1). */
double random_unit(struct random *random);

/* A Poisson distribution, made ready for draws. */
struct poisson {
	double mean;
	double limit;                      /* exp(-mean), of a small mean */
	double a, b, inverse_alpha, quick; /* of a larger mean: names of the paper */
};

/* mean: 0 or more. */
struct poisson poisson_prepare(double mean);

/*
 * A whole number. For a mean below 10 by Knuth's products ("The Art of Computer Programming" 2, 3.4.1, algorithm Q),
 * else by transformed rejection (Hoermann: "The transformed rejection method for generating Poisson random variables",
 * 1993, algorithm PTRS): exact except for rounding, at a cost that does not grow with the mean.
 */
double poisson_draw(const struct poisson *poisson, struct random *random);

#endif
