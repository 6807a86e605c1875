/* SPDX-License-Identifier: MIT */
/* A function that is inlined, or not, as MIX_AS says; UNRELATED: the second caller calls another one with the same
 * code; POINTER: it calls the function by its address. LINKAGE: extern of a function that keeps its symbol wherever it
 * is inlined.
 */
#ifndef LINKAGE
#define LINKAGE static
#endif
#define KEEP   __attribute__((noinline))
#define INLINE inline __attribute__((always_inline))

extern volatile int sink;
volatile int sink;

LINKAGE MIX_AS int mix(int value)
{
	for (int i = 0; i < 5; i++)
		value = value * 31 + sink;
	return value;
}

#ifdef UNRELATED
static KEEP int unrelated(int value)
{
	for (int i = 0; i < 5; i++)
		value = value * 31 + sink;
	return value;
}
#elif defined(POINTER)
static int (*volatile unrelated)(int) = mix;
#else
#define unrelated mix
#endif

KEEP int first(int value)
{
	sink = value + 1;
	return mix(value) + mix(value + 3);
}

KEEP int second(int value)
{
	sink = value - 1;
	return unrelated(value) ^ 77;
}

void start(void)
{
	for (;;)
		sink = first(sink) + second(sink);
}
