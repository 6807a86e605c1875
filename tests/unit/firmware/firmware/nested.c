/* SPDX-License-Identifier: MIT */
/* A function inlined into one that is inlined into a third, at two places. */
volatile int sink;

static inline __attribute__((always_inline)) int innermost(int value)
{
	if (sink > value)
		sink = value;
	return value ^ sink;
}

static inline __attribute__((always_inline)) int middle(int value)
{
	int sum = innermost(value) * 3;

	return sum + innermost(sum);
}

int outer(int count)
{
	int sum = sink;

	for (int i = 0; i < count; i++)
		sum += middle(i);
	return sum - innermost(sum);
}
