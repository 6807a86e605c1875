/* SPDX-License-Identifier: MIT */
/* Functions inlined into others: leaf alone, within middle, and within wrapper, which has no code of its own but that
 * of leaf. */
volatile int sink;

static inline __attribute__((always_inline)) int leaf(int value)
{
	if (sink > value)
		sink = value;
	return value ^ sink;
}

static inline __attribute__((always_inline)) int middle(int value)
{
	int sum = leaf(value) * 3;

	sink = sum;
	return sum + leaf(sum);
}

static inline __attribute__((always_inline)) int wrapper(int value)
{
	return leaf(value);
}

__attribute__((noinline)) int one(int count)
{
	int sum = sink;

	for (int i = 0; i < count; i++)
		sum += middle(i);
	return sum - leaf(sum);
}

__attribute__((noinline)) int two(int count)
{
	int sum = leaf(count);

	for (int i = 0; i < count; i++)
		sum += wrapper(i) + sink;
	sink = sum;
	return sum - leaf(sum);
}

int outer(int count)
{
	return one(count) + two(count + 1);
}
