/* SPDX-License-Identifier: MIT */
/* Checking of a comparison against rules. */
#include "base/array.h"
#include "diff/rules/rule.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct rule_check {
	const struct rule *rule;
	const struct comparison *comparison;
	struct demangler *names;
	struct rule_result *result;
	size_t *rows;         /* the rows that the rule applies to */
	double nearest_bound; /* bound of result->nearest */
	struct error *error;
};

/* The value that the rule compares with its limit, without its error. */
static double compared_value(const struct rule *rule, const struct stats_change *values)
{
	switch (rule->limit.measure) {
	case RULE_RATIO:
		/* From 0 to 0 is not a change. */
		return values->old == values->new ? 1 : values->ratio;
	case RULE_DIFFERENCE:
		return values->new - values->old;
	default:
		return values->new;
	}
}

/* The interval that the rule compares with its limit; both bounds are NAN if it is unknown. */
static struct stats_interval compared_interval(const struct rule *rule, const struct compare_change *change,
                                               const struct stats_change *values, double confidence)
{
	bool is_same = values->old == values->new && values->is_exact;
	double value = compared_value(rule, values);
	struct stats_interval interval = {value, value};

	if (rule->is_point)
		return interval;
	switch (rule->limit.measure) {
	case RULE_RATIO:
		return is_same ? interval : values->ratio_interval;
	case RULE_DIFFERENCE:
		return values->difference_interval;
	default:
		stats_value_interval(&change->sums[BUILD_NEW], confidence, &interval);
		return interval;
	}
}

/* The bound that decides whether the whole interval is beyond the limit. */
static double bound_of(const struct rule *rule, struct stats_interval interval)
{
	return rule->is_below ? interval.high : interval.low;
}

static bool is_further(const struct rule *rule, double bound, double than)
{
	return rule->is_below ? bound < than : bound > than;
}

/* Whether the whole interval is beyond the limit. */
static bool is_beyond(const struct rule *rule, struct stats_interval interval)
{
	double bound = bound_of(rule, interval), limit = rule->limit.value;

	return is_further(rule, bound, limit) || (rule->takes_limit && bound == limit);
}

static bool is_significant(const struct compare_change *change, double confidence)
{
	return change->values.is_exact ? compare_is_change(change) : change->q <= 1 - confidence;
}

/* If both values are 0, there is no test and no change. */
static bool can_be_significant(const struct compare_change *change)
{
	const struct stats_change *values = &change->values;

	return values->is_exact || !isnan(change->q) || (values->old <= 0 && values->new <= 0);
}

static bool is_judgeable(const struct rule_check *check, const struct compare_change *change)
{
	const struct rule *rule = check->rule;
	struct stats_interval interval =
	        compared_interval(rule, change, &change->values, check->comparison->confidence);

	return !isnan(interval.low) && (!rule->is_significant || can_be_significant(change));
}

static enum status append_breach(struct rule_check *check, size_t row, const struct stats_change *values)
{
	struct rule_result *result = check->result;
	const struct rule_breach breach = {.row = row, .values = *values};

	return array_append(&result->breaches, &result->breach_count, &breach, sizeof breach)
	               ? STATUS_OK
	               : status_no_memory(check->error, check->rule->origin);
}

/* Intervals widen with the confidence, so only a breach at the comparison's confidence must be checked at the
 * rule's. */
static bool is_breach(const struct rule_check *check, const struct compare_change *change, struct stats_change *values)
{
	const struct rule *rule = check->rule;
	double confidence = check->comparison->confidence;

	if (!is_beyond(rule, compared_interval(rule, change, &change->values, confidence)) ||
	    (rule->is_significant && !is_significant(change, confidence)))
		return false;
	compare_change_at(change, check->result->confidence, values);
	return is_beyond(rule, compared_interval(rule, change, values, check->result->confidence));
}

/* Keeps the row nearest to the limit. Skips rows that are farther away even at the comparison's confidence. */
static void look_for_nearest(struct rule_check *check, size_t row, const struct compare_change *change)
{
	const struct rule *rule = check->rule;
	struct rule_result *result = check->result;
	struct stats_change values = change->values;
	double bound = bound_of(rule, compared_interval(rule, change, &values, check->comparison->confidence));

	if (result->has_nearest && !is_further(rule, bound, check->nearest_bound))
		return;
	compare_change_at(change, result->confidence, &values);
	bound = bound_of(rule, compared_interval(rule, change, &values, result->confidence));
	if (result->has_nearest && !is_further(rule, bound, check->nearest_bound))
		return;
	result->has_nearest = true;
	result->nearest = (struct rule_breach){.row = row, .values = values};
	check->nearest_bound = bound;
}

static enum status judge_change(struct rule_check *check, size_t row, const struct compare_change *change)
{
	struct stats_change values;

	if (is_breach(check, change, &values))
		return append_breach(check, row, &values);
	look_for_nearest(check, row, change);
	return STATUS_OK;
}

/* The offset of the parameters of a demangled name, which may contain parentheses; its length if it has none. */
static size_t find_parameters(const char *demangled)
{
	const char *end = strrchr(demangled, ')');
	size_t depth = 0;

	for (const char *at = end; at != NULL && at > demangled; at--) {
		depth += *at == ')';
		depth -= *at == '(';
		if (depth == 0)
			return (size_t)(at - demangled);
	}
	return strlen(demangled);
}

static bool fits_demangled(const char *pattern, const char *demangled)
{
	char bare[DEMANGLE_NAME_MAX + 1];
	size_t length = find_parameters(demangled);

	memcpy(bare, demangled, length);
	bare[length] = '\0';
	return fnmatch(pattern, demangled, 0) == 0 || fnmatch(pattern, bare, 0) == 0;
}

bool rule_pattern_fits(const char *pattern, const char *name, struct demangler *names)
{
	/* A name may contain characters that are special in patterns: operator[]. */
	if (demangler_matches(names, name, pattern) || fnmatch(pattern, name, 0) == 0)
		return true;
	const char *demangled = demangler_find(names, name);
	if (demangled == NULL)
		return false;
	const char *plain = demangler_find_template(names, name);
	return fits_demangled(pattern, demangled) || (plain != NULL && fnmatch(pattern, plain, 0) == 0);
}

/* Rows that are not functions match only by their exact name, not by a pattern. */
static bool is_row_named(const struct rule_check *check, const struct compare_row *row)
{
	const char *pattern = check->rule->pattern;

	if (row->kind != PROFILE_FUNCTION && pattern[0] != '<')
		return false;
	for (enum build build = 0; build < BUILD_COUNT; build++)
		if (row->names[build] != NULL && rule_pattern_fits(pattern, row->names[build], check->names))
			return true;
	return false;
}

/* Calls of inlined code are not counted. */
static bool has_quantity(const struct rule_check *check, const struct compare_row *row)
{
	enum compare_quantity quantity = check->rule->quantity;

	if ((quantity == COMPARE_CALLS || quantity == COMPARE_PER_CALL_TIME) &&
	    (row->inlining[BUILD_OLD] != COMPARE_CALLED || row->inlining[BUILD_NEW] != COMPARE_CALLED))
		return false;
	return is_judgeable(check, &row->changes[quantity]);
}

static const char *quantity_name(const struct rule *rule)
{
	bool is_time = rule->pattern == NULL && rule->quantity == COMPARE_SELF;

	return is_time ? "time" : compare_quantity_name(rule->quantity);
}

static enum status fail_unknown(const struct rule_check *check)
{
	const struct rule *rule = check->rule;

	if (rule->quantity == COMPARE_TOTAL && !check->comparison->has_total_errors)
		return status_fail(check->error,
		                   "%s: rule '%.120s' matches nothing: errors of total times were not estimated; "
		                   "use point(total(...)) without 'and significant'",
		                   rule->origin, rule->text);
	bool needs_calls = rule->quantity == COMPARE_CALLS || rule->quantity == COMPARE_PER_CALL_TIME;
	return status_fail(check->error,
	                   "%s: rule '%.120s' matches nothing: '%s' is unknown for every function it names%s",
	                   rule->origin, rule->text, quantity_name(rule),
	                   needs_calls ? ", because they are inlined in one of the builds or not instrumented" : "");
}

static enum status find_judged_rows(struct rule_check *check)
{
	const struct comparison *comparison = check->comparison;
	const struct rule *rule = check->rule;
	size_t named = 0;

	for (size_t i = 0; i < comparison->row_count; i++) {
		if (!is_row_named(check, &comparison->rows[i]))
			continue;
		named++;
		if (has_quantity(check, &comparison->rows[i]))
			check->rows[check->result->looked_at++] = i;
	}
	if (named == 0)
		return status_fail(check->error,
		                   "%s: rule '%.120s' matches nothing: no function of either build is named '%.80s'",
		                   rule->origin, rule->text, rule->pattern);
	return check->result->looked_at == 0 ? fail_unknown(check) : STATUS_OK;
}

static enum status judge_rows(struct rule_check *check)
{
	const struct comparison *comparison = check->comparison;
	enum status status = find_judged_rows(check);

	if (status != STATUS_OK)
		return status;
	/* All intervals hold at once with the confidence of the comparison, by Bonferroni's inequality. */
	check->result->confidence = 1 - (1 - comparison->confidence) / (double)check->result->looked_at;
	for (size_t i = 0; status == STATUS_OK && i < check->result->looked_at; i++) {
		size_t row = check->rows[i];

		status = judge_change(check, row, &comparison->rows[row].changes[check->rule->quantity]);
	}
	return status;
}

/* Per second or per sample, all time is constant, however slow the firmware has become. */
static enum status fail_given(const struct rule_check *check)
{
	const struct rule *rule = check->rule;

	return status_fail_with(check->error, HINT_SELECT_UNIT,
	                        "%s: rule '%.120s' matches nothing: all time %s is the same by definition",
	                        rule->origin, rule->text,
	                        check->comparison->unit == COMPARE_PER_SECOND ? "per second" : "per sample");
}

static enum status judge_firmware(struct rule_check *check)
{
	const struct comparison *comparison = check->comparison;
	const struct compare_change *change =
	        check->rule->quantity == COMPARE_SIZE ? &comparison->size : &comparison->time;

	if (change == &comparison->time && compare_is_per_time(comparison))
		return fail_given(check);
	if (!is_judgeable(check, change))
		return fail_unknown(check);
	check->result->looked_at = 1;
	check->result->confidence = comparison->confidence;
	return judge_change(check, PAIRING_NONE, change);
}

static enum status check_unit(const struct rule_check *check)
{
	const struct rule *rule = check->rule;
	enum profile_time_unit unit = check->comparison->time_unit;

	if (!rule->limit.is_time || rule->limit.time_unit == unit)
		return STATUS_OK;
	return status_fail(check->error, "%s: rule '%.120s': %s", rule->origin, rule->text,
	                   unit == PROFILE_SAMPLES ? "some capture does not record its clock, so times are in samples: "
	                                             "give the limit in samples or %"
	                                           : "times are in seconds: give the limit in ns, us, ms, s or %");
}

/* Orders breaches: the worst first, equal ones by row. */
static int compare_breaches(const void *left, const void *right, void *context)
{
	const struct rule_breach *a = left, *b = right;
	const struct rule *rule = context;
	double x = compared_value(rule, &a->values), y = compared_value(rule, &b->values);

	if (x != y)
		return (x < y) == rule->is_below ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

static enum status judge_rule(struct rule_check *check)
{
	const struct rule *rule = check->rule;
	struct rule_result *result = check->result;

	*result = (struct rule_result){
	        .text = rule->text,
	        .origin = rule->origin,
	        .quantity = rule->quantity,
	        .is_point = rule->is_point,
	        .is_of_firmware = rule->pattern == NULL,
	};
	enum status status = check_unit(check);
	if (status == STATUS_OK)
		status = rule->pattern == NULL ? judge_firmware(check) : judge_rows(check);
	if (result->breach_count > 1)
		qsort_r(result->breaches, result->breach_count, sizeof *result->breaches, compare_breaches,
		        (void *)rule);
	return status;
}

enum status rule_set_judge(const struct rule_set *set, const struct comparison *comparison, struct demangler *names,
                           struct rule_results *results, struct error *error)
{
	struct rule_check check = {.comparison = comparison, .names = names, .error = error};
	enum status status = STATUS_OK;

	*results = (struct rule_results){.items = calloc(set->count + 1, sizeof *results->items)};
	check.rows = calloc(comparison->row_count + 1, sizeof *check.rows);
	if (results->items == NULL || check.rows == NULL)
		status = status_fail(error, "out of memory for judging %zu rules", set->count);
	for (size_t i = 0; status == STATUS_OK && i < set->count; i++) {
		check.rule = &set->rules[i];
		check.result = &results->items[results->count++];
		status = judge_rule(&check);
		results->broken += check.result->breach_count > 0;
	}
	free(check.rows);
	return status;
}

void rule_results_free(struct rule_results *results)
{
	for (size_t i = 0; i < results->count; i++)
		free(results->items[i].breaches);
	free(results->items);
	*results = (struct rule_results){0};
}
