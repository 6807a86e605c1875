/* SPDX-License-Identifier: MIT */
/*
 * uint32_t call_other(uint32_t seed): the border between the security states. Non-secure code enters the Secure state
 * at an SG instruction in a region that may be called, and comes back by BXNS; Secure code calls Non-secure code by
 * BLXNS, which keeps none of its registers (Armv8-M ARM C2.4).
 */
#include "settings.h"

	.syntax unified
	.thumb

#ifdef BOARD_IS_NONSECURE

	.section .other_state.gateways, "ax", %progbits
	.type other_gateway, %function
	.thumb_func
other_gateway:
	sg
	push {r4, lr}
	bl other_work
	pop {r4, lr}
	bxns lr
	.size other_gateway, . - other_gateway

	.text
	.globl call_other
	.type call_other, %function
	.thumb_func
call_other:
	ldr ip, =other_gateway
	bx ip
	.size call_other, . - call_other
	.ltorg

#else

	.text
	.globl call_other
	.type call_other, %function
	.thumb_func
call_other:
	push {r3-r11, lr}
	ldr ip, =other_work
	bic ip, ip, #1 /* bit 0 would keep the Secure state */
	blxns ip
	pop {r3-r11, pc}
	.size call_other, . - call_other
	.ltorg

#endif
