/* SPDX-License-Identifier: MIT */
/* Functions of every kind that compilers emit symbols for. */
#define KEEP __attribute__((used, noinline))

volatile int sink;
int initialised = 5;
__attribute__((section(".bareprof"), aligned(8), used)) unsigned long long bareprof_block[64];

KEEP int original(int value)
{
	return value * 3;
}

/* Aliases: a weak one, a global one with underscores, a local one. */
int weak_alias(int value) __attribute__((weak, alias("original")));
int __underscored_alias(int value) __attribute__((alias("original")));
static int local_alias(int value) __attribute__((alias("original"), used));

static int __attribute__((noinline)) scaled(int value, int factor)
{
	sink += value;
	return value * factor + sink;
}

__attribute__((cold, noinline)) void failed(void)
{
	sink = -1;
}

KEEP int checked(int value)
{
	if (value < 0) {
		failed();
		sink *= value;
		failed();
	}
	return scaled(value, 7) + scaled(value + 1, 7);
}

__attribute__((section(".ramcode"), used, noinline, long_call)) int in_ram(int value)
{
	return value + 1;
}

__attribute__((section(".itcm"), used, noinline, long_call)) int in_itcm(int value)
{
	return value - 1;
}

KEEP int last_in_text(int value)
{
	while (value-- > 0)
		sink += original(value);
	return sink;
}

void __gnu_mcount_nc(void);

KEEP void reset_handler(void)
{
	checked(sink + initialised);
	last_in_text(3);
	__gnu_mcount_nc();
}
