/* SPDX-License-Identifier: MIT */
/* Arbitrary bytes as a file of rules, checked against a comparison of a few functions. */
#include "fuzz.h"

#include "../unit/diff/rules/builds.h"
#include "diff/rules/rule.h"

#include <math.h>
#include <string.h>

static void fill(struct builds *builds)
{
	builds_begin(builds);
	struct compare_row *row = builds_add(builds, "main", "main");
	builds_set_samples(&row->changes[COMPARE_SELF], 100, 200);
	builds_set_unsure(&row->changes[COMPARE_TOTAL], 100, 200);
	builds_set_exact(&row->changes[COMPARE_CALLS], 1, 2);
	row = builds_add(builds, "_ZN1A1fEi", NULL);
	builds_set_samples(&row->changes[COMPARE_SHARE], 100, 0);
	builds_set_exact(&row->changes[COMPARE_SIZE], 64, 0);
	row = builds_add(builds, NULL, "<unavailable>");
	row->kind = PROFILE_UNAVAILABLE;
	builds_set_samples(&builds->comparison.time, 1000, 1100);
	builds_set_exact(&builds->comparison.size, 1000, 1100);
}

static void check_results(const struct rule_set *rules, const struct rule_results *results)
{
	size_t broken = 0;

	require(results->count == rules->count);
	for (size_t i = 0; i < results->count; i++) {
		const struct rule_result *result = &results->items[i];

		broken += result->breach_count > 0;
		require(result->breach_count <= result->looked_at && result->looked_at > 0);
		require(result->confidence >= 0.95 && result->confidence < 1);
	}
	require(results->broken == broken);
}

/* One for all inputs, because creating it takes longer than most of them. */
static struct demangler *find_demangler(void)
{
	static struct demangler *names;
	struct demangle_style style;

	require(demangle_find_style("auto", &style));
	if (names == NULL)
		names = demangler_create(style);
	require(names != NULL);
	return names;
}

static void judge(const struct rule_set *rules)
{
	struct builds builds;
	struct rule_results results;
	struct error error = {.message = ""};

	fill(&builds);
	struct demangler *names = find_demangler();
	if (rule_set_judge(rules, &builds.comparison, names, &results, &error) == STATUS_OK)
		check_results(rules, &results);
	else
		require(error.message[0] != '\0');
	rule_results_free(&results);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rule_set rules = {0};
	struct error error = {.message = ""};

	if (rule_set_add_lines(&rules, "fuzz", (const char *)data, size, &error) != STATUS_OK)
		require(error.message[0] != '\0');
	for (size_t i = 0; i < rules.count; i++)
		require(isfinite(rules.rules[i].limit.value) && rules.rules[i].text[0] != '\0');
	judge(&rules);
	rule_set_free(&rules);
	return 0;
}
