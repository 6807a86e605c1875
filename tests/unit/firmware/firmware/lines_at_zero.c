/* SPDX-License-Identifier: MIT */
/* Built with -ffunction-sections and --gc-sections: the linker discards unused(), which is longer than the vectors. */
volatile int sink;

__attribute__((section(".vectors"), used)) const unsigned vectors[16] = {0x20001000};

int unused(int count)
{
	for (int i = 0; i < count; i++) {
		sink += i * count;
		sink ^= count;
		sink -= i;
		sink += sink * i;
		sink ^= sink << 3;
		sink += sink >> 2;
	}
	return sink;
}

__attribute__((noinline)) int near_zero(int value)
{
	sink += value;
	return sink * 2;
}

__attribute__((noinline)) int far_from_zero(int value)
{
	for (int i = 0; i < value; i++) {
		sink += i * value;
		sink ^= value;
		sink -= i;
		sink += near_zero(i);
	}
	return sink;
}

__attribute__((noinline)) int farther_from_zero(int value)
{
	sink -= value;
	return far_from_zero(sink) + 1;
}

int main(void)
{
	return farther_from_zero(3);
}
