/* SPDX-License-Identifier: MIT */
/* Any bytes as a file of rules, which are held against a comparison of a few functions. */
#include "../unit/diff/rules/builds.h"
#include "diff/rules/rule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

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

static void check_results(const struct rule_set *gate, const struct rule_results *results)
{
	size_t broken = 0;
	require(results->count == gate->count);
	for (size_t i = 0; i < results->count; i++) {
		const struct rule_result *result = &results->items[i];
		broken += result->breach_count > 0;
		require(result->breach_count <= result->looked_at && result->looked_at > 0);
		require(result->confidence >= 0.95 && result->confidence < 1);
	}
	require(results->broken == broken);
}

/* One for all inputs: to make it takes longer than most of them. */
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

static void judge(const struct rule_set *gate)
{
	struct builds builds;
	struct rule_results results;
	struct error error = {.message = ""};
	fill(&builds);
	struct demangler *names = find_demangler();
	if (rule_set_judge(gate, &builds.comparison, names, &results, &error) == STATUS_OK)
		check_results(gate, &results);
	else
		require(error.message[0] != '\0');
	rule_results_free(&results);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rule_set gate = {0};
	struct error error = {.message = ""};
	if (rule_set_add_lines(&gate, "fuzz", (const char *)data, size, &error) != STATUS_OK)
		require(error.message[0] != '\0');
	for (size_t i = 0; i < gate.count; i++)
		require(isfinite(gate.rules[i].limit.value) && gate.rules[i].text[0] != '\0');
	judge(&gate);
	rule_set_free(&gate);
	return 0;
}
