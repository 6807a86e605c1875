/* SPDX-License-Identifier: MIT */
/* Zephyr's declarations, as far as the example uses them. */
#define IRQ_ZERO_LATENCY 1
#define IRQ_DIRECT_CONNECT(irq, priority, handler, flags)                                                           \
	do {                                                                                                        \
		_Static_assert(!((flags)&IRQ_ZERO_LATENCY) || CONFIG_ZERO_LATENCY_IRQS, "the feature is disabled"); \
		static void (*const volatile entry)(void) __attribute__((used)) = handler;                          \
	} while (0)
