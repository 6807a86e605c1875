/* SPDX-License-Identifier: MIT */
/* A local function of a name that others have, which does what N says; POINTER: it is also called by its address. */
#ifndef KEEP
#define KEEP __attribute__((noinline))
#endif
#define PASTE(word, number) word##number
#define NAME(word, number)  PASTE(word, number)

extern volatile int sink;

static KEEP int helper(int value)
{
	for (int i = 0; i < N; i++)
		value = value * N + sink;
	return value ^ N;
}

#ifdef POINTER
static int (*volatile pointer)(int) = helper;
#else
#define pointer helper
#endif

void NAME(use, N)(void);
void NAME(use, N)(void)
{
	sink = helper(sink) + pointer(sink + N);
}
