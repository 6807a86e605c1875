/* SPDX-License-Identifier: MIT */
/*
 * Noise from run to run, which the captures of one build show by how they differ: the test of Student and Welch ("The
 * significance of the difference between two means when the population variances are unequal", 1938) and Fieller's
 * interval of a ratio ("Some problems in interval estimation", 1954).
 */
#include "base/stats/beta.h"
#include "base/stats/evidence.h"

#include <math.h>

/* So many captures of each build, and at most so many times as many of one as of the other, for Welch's estimate. */
#define WELCH_CAPTURES 5
#define WELCH_BALANCE  1.5

/* Two rates, their variances, and the degrees of freedom by which these are known. */
struct runs {
	double old, new;
	double old_variance, new_variance;
	double difference_variance; /* also where it is tried whether there is one */
	double freedom;
};

static bool tells_of_runs(const struct stats_sum *sum)
{
	return !isnan(sum->spread) && sum->captures > 1;
}

static double rate_variance(const struct stats_sum *sum)
{
	return sum->spread / sum->work / sum->work;
}

/*
 * Degrees of freedom of the build with fewer captures are a bound that always holds (Mickey, Brown: "Bounds on the
 * distribution functions of the Behrens-Fisher statistic", 1966), and a costly one. Welch's estimate is taken in their
 * place, up to twice that bound, where both builds have some captures and about as many: else it gives more false
 * alarms than it should, twice as many for 2 captures beside 10.
 */
static double freedom_of(const struct stats_sum *old, const struct stats_sum *new, const struct runs *runs)
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

static void take_both(const struct stats_sum *old, const struct stats_sum *new, struct runs *runs)
{
	runs->old_variance = rate_variance(old);
	runs->new_variance = rate_variance(new);
	runs->difference_variance = runs->old_variance + runs->new_variance;
	runs->freedom = freedom_of(old, new, runs);
}

/*
 * Only known has several captures: one of other's is taken to vary in the same proportion. As the ratio of the rates is
 * tried, this moves with it, so that it is the same as if known's varied by as much more. Of the difference it is in
 * proportion to the larger rate: runs may be much slower than most, but not as much faster, and the one that is known
 * may be such a run.
 */
static void take_one(const struct stats_sum *known, const struct stats_sum *other, double *variance, struct runs *runs)
{
	double own = rate_variance(known), lent = own * (double)known->captures / (double)other->captures;
	double ratio = other->sum / other->work / (known->sum / known->work);
	*variance = own + lent;
	runs->difference_variance = own + lent * fmax(1, ratio * ratio);
	runs->freedom = (double)known->captures - 1;
}

/* False if nothing tells of them. */
static bool runs_of(const struct stats_sum *old, const struct stats_sum *new, struct runs *runs)
{
	*runs = (struct runs){.old = old->sum / old->work, .new = new->sum / new->work};
	if (tells_of_runs(old) && tells_of_runs(new))
		take_both(old, new, runs);
	else if (tells_of_runs(old))
		take_one(old, new, &runs->old_variance, runs);
	else if (tells_of_runs(new))
		take_one(new, old, &runs->new_variance, runs);
	/* Captures that do not differ show nothing: of few samples it is likely that two have the same number. */
	return runs->old_variance + runs->new_variance > 0;
}

/* The chance of a value of Student's t as far from 0. */
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

/* What ratios are within limit deviations, of those that are not negative; values and deviations are of one scale. */
static struct stats_interval ratios(const struct runs *runs, double limit)
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

/* Ratios stay, and no square of a square is out of range. */
static void scale(struct runs *runs, double by)
{
	runs->old /= by;
	runs->new /= by;
	runs->old_variance /= by * by;
	runs->new_variance /= by * by;
}

bool evidence_of_runs(const struct stats_sum *old, const struct stats_sum *new, double excess,
                      struct evidence *evidence)
{
	struct runs runs;
	if (!runs_of(old, new, &runs))
		return false;
	double change = runs.new - runs.old, deviation = sqrt(runs.difference_variance);
	double limit = student_limit(excess, runs.freedom);
	evidence->p = student_chance(change / deviation, runs.freedom);
	evidence->difference = (struct stats_interval){change - limit * deviation, change + limit * deviation};
	scale(&runs, runs.old + runs.new + deviation);
	evidence->ratio = ratios(&runs, limit);
	return true;
}

bool interval_of_runs(const struct stats_sum *sum, double excess, struct stats_interval *interval)
{
	if (!tells_of_runs(sum) || sum->spread == 0)
		return false;
	double value = sum->sum / sum->work;
	double margin = student_limit(excess, (double)sum->captures - 1) * sqrt(rate_variance(sum));
	*interval = (struct stats_interval){fmax(0, value - margin), value + margin};
	return true;
}
