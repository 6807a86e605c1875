/* SPDX-License-Identifier: MIT */
/* The MPU of Arm M profile (Armv7-M ARM B3.5, Armv8-M ARM B11), or the PMP of RISC-V (privileged architecture 3.7). */
#include "guard.h"

#if defined __arm__

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define MPU_TYPE          REGISTER(0xE000ED90u)
#define MPU_CTRL          REGISTER(0xE000ED94u)
#define MPU_RNR           REGISTER(0xE000ED98u)
#define MPU_RBAR          REGISTER(0xE000ED9Cu)
#define MPU_RASR          REGISTER(0xE000EDA0u) /* Armv8-M: RLAR */
#define MPU_ENABLE        1u
#define MPU_DEFAULT_MAP   4u

#if __ARM_ARCH >= 8
/* A region cannot forbid anything, but an address outside all regions is forbidden. */
static void allow(uint32_t number, uint32_t start, uint32_t end)
{
	MPU_RNR = number;
	MPU_RBAR = start;
	MPU_RASR = (end - 1u) / 32u * 32u | 1u;
}

static uint32_t forbid(uint32_t low, uint32_t high)
{
	allow(0, 0, low);
	allow(1, low + GUARD_BYTES, high);
	allow(2, high + GUARD_BYTES, 0);
	return MPU_ENABLE;
}
#else
static void forbid_one(uint32_t number, uint32_t start)
{
	MPU_RNR = number;
	MPU_RBAR = start;
	MPU_RASR = 7u << 1 | 1u; /* 2^8 bytes, no access */
}

static uint32_t forbid(uint32_t low, uint32_t high)
{
	forbid_one(0, low);
	forbid_one(1, high);
	return MPU_ENABLE | MPU_DEFAULT_MAP;
}
#endif

bool guard_two(uintptr_t low, uintptr_t high)
{
	if (MPU_TYPE == 0)
		return false;
	MPU_CTRL = forbid(low, high);
	__asm volatile("dsb\n\tisb" : : : "memory");
	return MPU_CTRL != 0;
}

#else

/* Locked, so that it holds in machine mode; a power of two at its natural alignment; no access. */
#define PMP_FORBIDDEN 0x98u

static uintptr_t pmp_address(uintptr_t start)
{
	return start >> 2 | (GUARD_BYTES / 8u - 1u);
}

bool guard_two(uintptr_t low, uintptr_t high)
{
	uintptr_t entries;

	__asm volatile("csrw pmpaddr0, %0\n\t"
	               "csrw pmpaddr1, %1\n\t"
	               "csrw pmpcfg0, %2"
	               :
	               : "r"(pmp_address(low)), "r"(pmp_address(high)), "r"(PMP_FORBIDDEN << 8 | PMP_FORBIDDEN));
	__asm volatile("csrr %0, pmpcfg0" : "=r"(entries));
	return (entries & 0xFFFFu) == (PMP_FORBIDDEN << 8 | PMP_FORBIDDEN);
}

#endif
