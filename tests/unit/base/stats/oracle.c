/* SPDX-License-Identifier: MIT */
/* See oracle.h. */
#include "oracle.h"

#include <math.h>

long double oracle_binomial(unsigned first, unsigned count, double odds)
{
	long double sum = 0;
	for (unsigned i = first; i <= count; i++) {
		sum += expl(lgammal(count + 1.0L) - lgammal(i + 1.0L) - lgammal(count - i + 1.0L) + i * logl(odds) -
		            count * log1pl(odds));
	}
	return sum;
}

long double oracle_poisson(unsigned count, double mean)
{
	long double sum = 0;
	for (unsigned i = 0; i < count; i++)
		sum += expl(i * logl(mean) - mean - lgammal(i + 1.0L));
	return sum;
}

long double oracle_student(double t, double freedom)
{
	enum { STEPS = 12000 };
	const long double quarter = acosl(0), from = atanl(t / sqrtl(freedom)), step = (quarter - from) / STEPS;
	const long double scale = expl(lgammal((freedom + 1) / 2) - lgammal(freedom / 2)) / sqrtl(2 * quarter);

	long double sum = 0;
	for (int i = 0; i <= STEPS; i++) {
		long double weight = i == 0 || i == STEPS ? 1 : i % 2 == 1 ? 4 : 2;
		sum += weight * powl(fmaxl(0, cosl(from + i * step)), freedom - 1);
	}
	return 2 * scale * sum * step / 3;
}
