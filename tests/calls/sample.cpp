/* SPDX-License-Identifier: MIT */
/* Every kind of call that compilers generate, to be compiled in many ways and linked; never run. */
typedef unsigned long word;
typedef int (*operation)(int left, int right);

#define KEEP __attribute__((noinline, used))
/* Too far away for a direct call, if the instruction set limits its distance. */
#ifdef NEAR
#define FAR KEEP
#else
#define FAR __attribute__((noinline, used, section(".far")))
#endif

extern volatile int sink;
extern operation volatile hook;
volatile int sink;
operation volatile hook;

FAR int far_leaf(int value)
{
	return value * 3 + sink;
}

static KEEP int add(int left, int right)
{
	return left + right + sink;
}

static KEEP int subtract(int left, int right)
{
	return left - right - sink;
}

KEEP int multiply(int left, int right)
{
	return left * right;
}

FAR int far_caller(int value)
{
	return far_leaf(value) + add(value, 1) + multiply(value, 2);
}

static const operation operations[] = {add, subtract, multiply};
operation chosen = subtract;

KEEP int apply(operation function, int left, int right)
{
	return function(left, right) + 1;
}

KEEP int tail(int value)
{
	sink = value;
	return far_leaf(value);
}

KEEP int tail_of_near(int value)
{
	sink = value;
	return tail(value);
}

KEEP int tail_through_pointer(int value)
{
	return hook(value, 1);
}

KEEP int conditional_tail(int value)
{
	if (value > 3)
		return tail(value);
	return value;
}

KEEP int recursive(int value)
{
	return value < 2 ? 1 : recursive(value - 1) + recursive(value - 2);
}

KEEP int even(int value);

KEEP int odd(int value)
{
	return value == 0 ? 0 : even(value - 1) + sink;
}

KEEP int even(int value)
{
	return value == 0 ? 1 : odd(value - 1) + sink;
}

KEEP int choose(int value)
{
	switch (value) {
	case 0:
		return add(value, 1);
	case 1:
		return subtract(value, 2);
	case 2:
		return multiply(value, 3);
	case 3:
		return tail(value);
	case 4:
		return recursive(value);
	case 5:
		return even(value);
	case 6:
		return odd(sink);
	default:
		return operations[value & 1](value, sink);
	}
}

struct base {
	virtual int size() const = 0;
	virtual int twice() const
	{
		return 2 * size();
	}
	int offset;
};

struct derived : base {
	int size() const override
	{
		return offset + sink;
	}
};

struct grandchild : derived {
	int twice() const override
	{
		return derived::twice() + far_leaf(offset);
	}
};

KEEP int total(const base *const *items, int count)
{
	int sum = 0;

	for (int i = 0; i < count; i++)
		sum += items[i]->size() + items[i]->twice();
	return sum;
}

KEEP long long divide(long long left, long long right)
{
	return left / right;
}

KEEP double scale(double value, float factor)
{
	return value * factor + value / 3.0;
}

/* More live values than registers, and counting loops. */
KEEP int crowded(const int *values, int count)
{
	int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;

	for (int i = 0; i < count; i++) {
		a += values[i] * b;
		b ^= add(a, c);
		c -= far_leaf(b);
		d += apply(operations[i % 3], c, e);
		e = e * d + apply(multiply, e, f);
		f = apply(i & 1 ? add : subtract, f, a);
	}
	return a + b + c + d + e + f;
}

static derived one;
static grandchild two;

/* Discarded by the linker unless the compiler's library lacks them. */
extern "C" {
void __cxa_pure_virtual(void)
{
	for (;;)
		;
}

KEEP void *memset(void *target, int value, word size)
{
	volatile char *bytes = static_cast<volatile char *>(target);
	for (word i = 0; i < size; i++)
		bytes[i] = static_cast<char>(value);
	return target;
}

KEEP int start(void)
{
	const base *const items[] = {&one, &two};
	int values[16] = {1, 2, 3};
	hook = chosen;
	int sum = choose(sink) + total(items, 2) + crowded(values, 16) + far_caller(2);
	sum += tail_of_near(1) + tail_through_pointer(2) + conditional_tail(sink);
	return sum + static_cast<int>(divide(sum, sink)) + static_cast<int>(scale(sum, 0.5f));
}
}
