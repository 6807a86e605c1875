/* SPDX-License-Identifier: MIT */
/* A recursive function, which GCC at -O3 inlines into itself and into its caller. */
extern volatile int sink;
volatile int sink;

int tree(int depth)
{
	if (depth < 2)
		return sink;
	return tree(depth - 1) + tree(depth - 2);
}

int walk(int depth)
{
	return tree(depth) * 3;
}

void start(void)
{
	for (;;)
		sink = walk(sink);
}
