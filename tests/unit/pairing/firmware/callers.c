/* SPDX-License-Identifier: MIT */
/* What same_name.c needs; GLOBAL: and a function of the same name that is not local. */
extern volatile int sink;
volatile int sink;
void use3(void);
void use5(void);

#ifdef GLOBAL
int helper(int value);
__attribute__((noinline)) int helper(int value)
{
	return value * 11 + sink;
}
#else
#define helper(value) (value)
#endif

void start(void)
{
	for (;;) {
		sink = helper(sink);
		use3();
		use5();
	}
}
