/* SPDX-License-Identifier: MIT */
/* Heapsort: in place, without recursion and without a bad worst case, for small stacks. */
#include "sort.h"

#include "count.h"

int compare_by_value(const struct record *left, const struct record *right)
{
	COUNT(compare_by_value);
	return left->value - right->value;
}

int compare_by_time(const struct record *left, const struct record *right)
{
	COUNT(compare_by_time);
	if (left->time == right->time)
		return left->channel - right->channel;
	return left->time < right->time ? -1 : 1;
}

static inline void swap_records(struct record *left, struct record *right)
{
	struct record held = *left;

	*left = *right;
	*right = held;
}

/* Lets the record at root sink until none of its children belongs after it. */
static void sift_down(struct record *records, size_t root, size_t count, record_comparison compare)
{
	size_t child;

	COUNT(sift_down);
	while ((child = 2 * root + 1) < count) {
		if (child + 1 < count && compare(&records[child], &records[child + 1]) < 0)
			child++;
		if (compare(&records[root], &records[child]) >= 0)
			return;
		swap_records(&records[root], &records[child]);
		root = child;
	}
}

void sort_records(struct record *records, size_t count, record_comparison compare)
{
	COUNT(sort_records);
	for (size_t root = count / 2; root-- > 0;)
		sift_down(records, root, count, compare);
	for (size_t end = count; end-- > 1;) {
		swap_records(&records[0], &records[end]);
		sift_down(records, 0, end, compare);
	}
}
