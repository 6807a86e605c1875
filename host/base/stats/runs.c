/* SPDX-License-Identifier: MIT */
/*
 * Variation between runs, estimated from the differences between captures of one build: the test of Student and Welch
 * ("The significance of the difference between two means when the population variances are unequal", 1938) and
 * Fieller's interval of a ratio ("Some problems in interval estimation", 1954).
 */
#include "base/stats/beta.h"
#include "base/stats/evidence.h"

#include <math.h>

/* Welch's estimate is used from this many captures per build on, if the larger number is at most this many times the
 * smaller. */
#define WELCH_CAPTURES 5
#define WELCH_BALANCE  1.5

/* Two rates with the variance of each, and the degrees of freedom of the variances. */
struct run_rates {
	double old, new;
	double old_variance, new_variance;
	double difference_variance; /* variance of new - old, used for the test */
	double freedom;
};

static bool has_spread(const struct stats_sum *sum)
{
	return !isnan(sum->spread) && sum->captures > 1;
}

static double rate_variance(const struct stats_sum *sum)
{
	return sum->spread / sum->work / sum->work;
}

/*
 * The degrees of freedom of the build with fewer captures are a lower bound that always holds (Mickey, Brown: "Bounds
 * on the distribution functions of the Behrens-Fisher statistic", 1966) but loses power. Welch's estimate, limited to
 * twice that bound, replaces it if both builds have enough captures and similar numbers of them; otherwise it gives too
 * many false alarms, twice the nominal rate for 2 captures against 10.
 */
static double freedom_of(const struct stats_sum *old, const struct stats_sum *new, const struct run_rates *runs)
{
	double fewer = fmin((double)old->captures, (double)new->captures);
	double more = fmax((double)old->captures, (double)new->captures);

	if (fewer < WELCH_CAPTURES || more > WELCH_BALANCE * fewer || !(runs->difference_variance > 0))
		return fewer - 1;
	double old_part = runs->old_variance / runs->difference_variance;
	double new_part = runs->new_variance / runs->difference_variance;
	double welch = 1 / (old_part * old_part / ((double)old->captures - 1) +
	                    new_part * new_part / ((double)new->captures - 1));
	return fmin(welch, 2 * (fewer - 1));
}

static void use_both(const struct stats_sum *old, const struct stats_sum *new, struct run_rates *runs)
{
	runs->old_variance = rate_variance(old);
	runs->new_variance = rate_variance(new);
	runs->difference_variance = runs->old_variance + runs->new_variance;
	runs->freedom = freedom_of(old, new, runs);
}

/*
 * Only one build, known, has several captures. Captures of the other build are assumed to vary in the same proportion.
 * In the interval of the ratio, this variation scales with the ratio, as if known had more variance. In the difference,
 * it is taken in proportion to the larger rate: a single run may be much slower than the rest, but not much faster, and
 * the only run of the other build may be such a slow one.
 */
static void use_one(const struct stats_sum *known, const struct stats_sum *other, double *variance,
                    struct run_rates *runs)
{
	double own = rate_variance(known), assumed = own * (double)known->captures / (double)other->captures;
	double ratio = other->sum / other->work / (known->sum / known->work);

	*variance = own + assumed;
	runs->difference_variance = own + assumed * fmax(1, ratio * ratio);
	runs->freedom = (double)known->captures - 1;
}

/* False if the variation of both builds is unknown. */
static bool runs_of(const struct stats_sum *old, const struct stats_sum *new, struct run_rates *runs)
{
	*runs = (struct run_rates){.old = old->sum / old->work, .new = new->sum / new->work};
	if (has_spread(old) && has_spread(new))
		use_both(old, new, runs);
	else if (has_spread(old))
		use_one(old, new, &runs->old_variance, runs);
	else if (has_spread(new))
		use_one(new, old, &runs->new_variance, runs);
	/* Equal captures prove nothing: with few samples, two captures are likely to have the same number. */
	return runs->old_variance + runs->new_variance > 0;
}

/* The two-sided tail of Student's t. */
static double student_chance(double t, double freedom)
{
	struct beta beta = beta_prepare(freedom / 2, 0.5);

	return beta_at(&beta, freedom / t / t).tail;
}

static double student_limit(double chance, double freedom)
{
	struct beta beta = beta_prepare(freedom / 2, 0.5);

	return sqrt(freedom / beta_quantile(&beta, chance));
}

/* Fieller's interval, restricted to ratios that are not negative. Values and deviations must be scaled, see
 * scale_rates(). */
static struct stats_interval ratio_interval(const struct run_rates *runs, double limit)
{
	double old_square = limit * limit * runs->old_variance, new_square = limit * limit * runs->new_variance;
	double old_rest = runs->old * runs->old - old_square, new_rest = runs->new * runs->new - new_square;
	double root = sqrt(fmax(0, new_square * runs->old * runs->old + new_rest * old_square));
	double middle = runs->old * runs->new + root;

	return (struct stats_interval){
	        .low = new_rest > 0 ? new_rest / middle : 0,
	        .high = old_rest > 0 ? middle / old_rest : INFINITY,
	};
}

/* Scales values so that fourth powers cannot overflow. Ratios do not change. */
static void scale_rates(struct run_rates *runs, double by)
{
	runs->old /= by;
	runs->new /= by;
	runs->old_variance /= by * by;
	runs->new_variance /= by * by;
}

bool evidence_of_runs(const struct stats_sum *old, const struct stats_sum *new, double alpha, struct evidence *evidence)
{
	struct run_rates runs;

	if (!runs_of(old, new, &runs))
		return false;
	double change = runs.new - runs.old, deviation = sqrt(runs.difference_variance);
	double limit = student_limit(alpha, runs.freedom);
	evidence->p = student_chance(change / deviation, runs.freedom);
	evidence->difference = (struct stats_interval){change - limit * deviation, change + limit * deviation};
	scale_rates(&runs, runs.old + runs.new + deviation);
	evidence->ratio = ratio_interval(&runs, limit);
	return true;
}

bool interval_of_runs(const struct stats_sum *sum, double alpha, struct stats_interval *interval)
{
	if (!has_spread(sum) || sum->spread == 0)
		return false;
	double value = sum->sum / sum->work;
	double margin = student_limit(alpha, (double)sum->captures - 1) * sqrt(rate_variance(sum));
	*interval = (struct stats_interval){fmax(0, value - margin), value + margin};
	return true;
}

/* The deviation of a capture from its expected part; 0 within rounding, so that equal captures are exact. */
static double deviation_of_part(double part, double due)
{
	double difference = part - due;

	return fabs(difference) <= STATS_ROUNDING * part ? 0 : difference;
}

double stats_spread(const double *parts, const double *works, size_t count)
{
	double part = 0, work = 0, squares = 0;

	if (count < 2)
		return NAN;
	for (size_t i = 0; i < count; i++) {
		part += parts[i];
		work += works[i];
	}
	for (size_t i = 0; i < count; i++) {
		double difference = deviation_of_part(parts[i], part / work * works[i]);

		squares += difference * difference;
	}
	return squares * (double)count / (double)(count - 1);
}
