/* SPDX-License-Identifier: MIT */
/* Callers for same_name.c, SEVEN: a third time; GLOBAL: and a function of the same name that is not local. */
extern volatile int sink;
volatile int sink;
void use3(void);
void use5(void);
#ifdef SEVEN
void use7(void);
#else
#define use7()
#endif

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
		use7();
	}
}
