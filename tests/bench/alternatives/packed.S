/* SPDX-License-Identifier: MIT */
/* Slots of 8 bytes; see packed.c. Addresses are odd in Thumb, so the base is, and offsets are even. */
#include "hook.inc"

#define REACH_BITS 17

	begin
	ldr r2, .Lbase
	sub r3, lr, r2
	sub r2, ip, r2
	orr lr, r2, r3
	lsrs lr, lr, #REACH_BITS
	bne .Lelsewhere
	add lr, r2, r3
	and r1, r1, lr
	add r0, r0, r1, lsl #1
	lsrs r3, r3, #1
	orr r3, r3, r2, lsl #15
	ldr r2, [r0, #ARCS]
	cmp r2, r3
	bne .Lelsewhere
	count_and_end ARCS + 4
.Lbase:
	.word bareprof_text_start + 1
	.size __gnu_mcount_nc, . - __gnu_mcount_nc
