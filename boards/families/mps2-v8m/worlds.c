/* SPDX-License-Identifier: MIT */
/*
 * The security attribution of the images for Cortex-M33: SAU, memory and peripheral protection controllers, interrupts.
 * An address is Non-secure if both the SAU and the image's IDAU say so; the IDAU checks bit 28 (DAI 0505 and DAI 0521,
 * memory map).
 */
#include "worlds.h"

#include "devices.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))

/* Armv8-M ARM D1.2: the SAU. */
#define SAU_CTRL             REGISTER(0xE000EDD0u)
#define SAU_RNR              REGISTER(0xE000EDD8u)
#define SAU_RBAR             REGISTER(0xE000EDDCu)
#define SAU_RLAR             REGISTER(0xE000EDE0u)
#define SAU_ENABLE           0x1u
#define SAU_REGION_ENABLE    0x1u
#define SAU_REGION_CALLABLE  0x2u
#define SAU_REGION_LAST_MASK 0xFFFFFFE0u

#define NSACR                REGISTER(0xE000ED8Cu)
#define NSACR_FPU            0xC00u
#define NVIC_ITNS(interrupt) REGISTER(0xE000E380u + 4u * ((interrupt) / 32u))

/* The Secure privilege control block (SSE-200 TRM, Arm 101104; the IoT kit of AN505 has it, too). */
#define NSCCFG             REGISTER(0x50080014u)
#define NSCCFG_CODE        0x1u
#define APBNSPPC0          REGISTER(0x50080070u) /* port n is TIMER n, port 2 the dual timer */
#define APBNSPPCEXP1       REGISTER(0x50080084u)
#define APBNSPPCEXP1_UART0 0x20u

/* Memory protection controllers of SSRAM 1 and SSRAM 3 (SIE-200 TRM, Arm DDI 0571, AHB5 memory protection controller).
 */
struct protection {
	volatile uint32_t control;
	volatile uint32_t reserved[3];
	volatile uint32_t block_max; /* the last word of the table */
	volatile uint32_t block_configuration;
	volatile uint32_t block_index;
	volatile uint32_t block_table; /* the word at the index: one bit per block; 1: Non-secure */
};

#define SSRAM1_PROTECTION ((struct protection *)0x58007000u)
#define SSRAM3_PROTECTION ((struct protection *)0x58009000u)

extern const char gateways_start[];
extern const char gateways_end[];

SECURE_STATE static void sau_region(uint32_t number, uint32_t start, uint32_t end, uint32_t attributes)
{
	SAU_RNR = number;
	SAU_RBAR = start;
	SAU_RLAR = ((end - 1u) & SAU_REGION_LAST_MASK) | attributes;
}

SECURE_STATE static void protection_release(struct protection *protection, uint32_t first)
{
	for (uint32_t index = first; index <= protection->block_max; index++) {
		protection->block_index = index;
		protection->block_table = 0xFFFFFFFFu;
	}
}

SECURE_STATE void worlds_split(void)
{
	protection_release(SSRAM1_PROTECTION, (SSRAM1_PROTECTION->block_max + 1u) / 2u);
	protection_release(SSRAM3_PROTECTION, 0);
	sau_region(0, 0x00200000u, 0x00400000u, SAU_REGION_ENABLE);
	sau_region(1, 0x28200000u, 0x28400000u, SAU_REGION_ENABLE);
	sau_region(2, 0x40000000u, 0x50000000u, SAU_REGION_ENABLE);
	if (&gateways_end[0] != &gateways_start[0])
		sau_region(3, (uint32_t)gateways_start, (uint32_t)gateways_end,
		           SAU_REGION_CALLABLE | SAU_REGION_ENABLE);
	NSCCFG = NSCCFG_CODE;
	SAU_CTRL = SAU_ENABLE;
	NSACR |= NSACR_FPU;
	__asm volatile("dsb\n\tisb" : : : "memory");
}

SECURE_STATE void worlds_release_timers(uint32_t timers)
{
	APBNSPPC0 |= timers;
	NVIC_ITNS(TIMER0_INTERRUPT) |= timers << TIMER0_INTERRUPT;
}

SECURE_STATE void worlds_release_console(void)
{
	APBNSPPCEXP1 |= APBNSPPCEXP1_UART0;
	NVIC_ITNS(UART0_INTERRUPT) |= 1u << UART0_INTERRUPT % 32u;
}
