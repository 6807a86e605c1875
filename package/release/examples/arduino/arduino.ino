/* SPDX-License-Identifier: MIT */
/* Something to profile. All of bareprof is in sampling.c. */
extern "C" void sampling_begin(void);

static volatile int total;

static __attribute__((noinline)) int count_ones(unsigned long number)
{
  int ones = 0;

  for (; number != 0; number >>= 1)
    ones += number & 1;
  return ones;
}

void setup()
{
  sampling_begin();
}

void loop()
{
  for (unsigned long number = 1000; number < 1100; number++)
    total += count_ones(number * 65521);
}
