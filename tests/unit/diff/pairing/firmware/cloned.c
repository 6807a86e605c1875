/* SPDX-License-Identifier: MIT */
/* Functions that GCC clones: .constprop, .isra, .part. STEP_AS: attributes of the function that the first one calls. */
#define KEEP   __attribute__((noinline))
#define INLINE inline __attribute__((always_inline))
#ifndef STEP_AS
#define STEP_AS KEEP
#endif

extern volatile int sink;
volatile int sink;
struct pair {
	int first, second;
};

static STEP_AS int step(int value)
{
	return value / (sink | 1) + sink;
}

static KEEP int constant(int value, int factor)
{
	for (int i = 0; i < value; i++)
		value += step(value) * factor;
	return value;
}

static KEEP int scalar(const struct pair *pair)
{
	return sink + pair->first * sink;
}

/* The rest is too much to be inlined where the beginning is. */
static int partial(int value)
{
	if (value < 5)
		return value;
	for (int i = 0; i < value; i++)
		for (int j = 0; j < i; j++)
			sink = sink * 3 + i / (j + sink) + scalar(&(struct pair){i, j});
	for (int i = 0; i < value; i++)
		sink = constant(sink * 7 - i, 3) % (value + sink);
	return sink;
}

KEEP int first(int value)
{
	struct pair pair = {value, sink};

	return constant(value, 3) + scalar(&pair) + partial(value);
}

KEEP int second(int value)
{
	struct pair pair = {sink, value};

	return constant(value + 1, 5) - scalar(&pair) + partial(value + 9);
}

void start(void)
{
	for (;;)
		sink = first(sink) + second(sink) + partial(sink);
}
