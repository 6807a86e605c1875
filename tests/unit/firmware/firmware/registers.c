/* SPDX-License-Identifier: MIT */
/* A function that needs more registers than Armv6-M's low ones, and a hook. */
int work(int value);

__attribute__((noinline)) int work(int value)
{
	__asm__ volatile("");
	return value;
}

__attribute__((noinline)) int many_registers(int a, int b, int c, int d)
{
	int sum = 0;

	for (int i = 0; i < a; i++) {
		int w = work(b + i), x = work(c + w), y = work(d * x), z = work(a + y);

		sum += w * x + y * z + a + b + c + d;
		sum ^= work(w) + work(x) + work(y) + work(z) + work(i);
	}
	return sum;
}

__attribute__((no_instrument_function)) void reset_handler(void)
{
	many_registers(1, 2, 3, 4);
	for (;;)
		;
}

__attribute__((naked, no_instrument_function)) void __gnu_mcount_nc(void)
{
	__asm__ volatile("pop {r0}");
}

__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *function, void *caller)
{
	(void)function;
	(void)caller;
}

__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *function, void *caller)
{
	(void)function;
	(void)caller;
}
