/* SPDX-License-Identifier: MIT */
/* The interrupt controller of an Arm M-profile core (Armv6-M ARM B3.4, Armv7-M ARM B3.4). */
#ifndef BOARDS_ISA_ARM_M_NVIC_H
#define BOARDS_ISA_ARM_M_NVIC_H

#include <stdint.h>

#define NVIC_ISER ((volatile uint32_t *)0xE000E100u)
#define NVIC_ISPR ((volatile uint32_t *)0xE000E200u)
#define NVIC_IPR  ((volatile uint32_t *)0xE000E400u)

/* Every core has at least the upper two bits of a priority. */
#define NVIC_PRIORITY_HIGHEST 0x00u
#define NVIC_PRIORITY_MIDDLE  0x80u /* a UART without a FIFO needs service soon */
#define NVIC_PRIORITY_LOWEST  0xC0u

/* Uses word accesses only, because Armv6-M has no others (Armv6-M ARM B3.4). */
static inline void nvic_enable(unsigned interrupt, uint32_t priority)
{
	unsigned shift = interrupt % 4u * 8u;
	uint32_t others = NVIC_IPR[interrupt / 4u] & ~(0xFFu << shift);

	NVIC_IPR[interrupt / 4u] = others | priority << shift;
	NVIC_ISER[interrupt / 32u] = 1u << interrupt % 32u;
}

static inline void nvic_pend(unsigned interrupt)
{
	NVIC_ISPR[interrupt / 32u] = 1u << interrupt % 32u;
}

#endif
