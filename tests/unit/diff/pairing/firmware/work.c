/* SPDX-License-Identifier: MIT */
/* Functions that differ, to be built in two ways: SMOOTH is the name of one function. */
#ifndef SMOOTH
#define SMOOTH smooth
#endif
#define KEEP __attribute__((noinline))

extern volatile int sink;
volatile int sink;
int table[16];

KEEP unsigned checksum(const unsigned char *bytes, int count)
{
	unsigned sum = 0;

	for (int i = 0; i < count; i++)
		sum = (sum << 5 | sum >> 27) ^ bytes[i];
	return sum;
}

KEEP int SMOOTH(int count)
{
	int sum = 0;

	for (int i = 0; i < count; i++)
		sum += table[i & 15] * (16 - i);
	sink = sum;
	return sum >> 4;
}

KEEP void scale(int factor)
{
	for (int i = 0; i < 16; i++)
		table[i] = table[i] * factor / 7;
}

void start(void)
{
	for (;;) {
		scale(sink);
		sink = SMOOTH(sink) + (int)checksum((const unsigned char *)table, sink);
	}
}
