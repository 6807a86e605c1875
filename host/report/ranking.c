/* SPDX-License-Identifier: MIT */
/* See ranking.h. */
#include "report/ranking.h"

#include <stdlib.h>
#include <string.h>

/* Largest first. */
static int compare_values(double left, double right)
{
	return (left < right) - (left > right);
}

static int compare_by_total(const void *left, const void *right)
{
	const struct profile_node *const *a = left, *const *b = right;
	int order = compare_values(profile_node_total(*a), profile_node_total(*b));

	if (order == 0)
		order = strcmp((*a)->name, (*b)->name);
	return order != 0 ? order : (*a > *b) - (*a < *b);
}

static int compare_by_self(const void *left, const void *right)
{
	const struct profile_node *const *a = left, *const *b = right;
	int by_self = compare_values((*a)->self_time, (*b)->self_time);

	return by_self != 0 ? by_self : compare_by_total(left, right);
}

enum status ranking_create(const struct profile *profile, enum ranking_order order, struct ranking *ranking,
                           struct error *error)
{
	*ranking = (struct ranking){.nodes = calloc(profile->node_count + 1, sizeof(struct profile_node *))};
	if (ranking->nodes == NULL)
		return status_fail(error, "out of memory for a list of %zu functions", profile->node_count);
	for (size_t i = 0; i < profile->node_count; i++) {
		const struct profile_node *node = &profile->nodes[i];

		if (node->self_samples > 0 || profile_node_total(node) > 0 || profile_node_calls(node) > 0)
			ranking->nodes[ranking->count++] = node;
	}
	qsort(ranking->nodes, ranking->count, sizeof(struct profile_node *),
	      order == RANKING_BY_SELF ? compare_by_self : compare_by_total);
	return STATUS_OK;
}

void ranking_free(struct ranking *ranking)
{
	free(ranking->nodes);
}
