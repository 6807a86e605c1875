/* SPDX-License-Identifier: MIT */
/* Four slots per hash; see buckets.c. The arc is looked for in all four. */
#include "hook.inc"

#define SLOT_SIZE 12

	.macro way number, next
	ldrd r2, r3, [r0, #CALLER + \number * SLOT_SIZE]
	cmp r2, ip
	bne \next
	cmp r3, lr
	bne \next
	.endm

	begin
	bic r1, r1, #12 /* saved, were the mask of buckets in bareprof_layout */
	add r2, ip, lr
	and r1, r1, r2
	add r1, r1, r1, lsl #1
	add r0, r0, r1
	way 0, .Lsecond
.Lcount:
	count_and_end COUNT
.Lsecond:
	way 1, .Lthird
	add r0, r0, #SLOT_SIZE
	b .Lcount
.Lthird:
	way 2, .Lfourth
	add r0, r0, #2 * SLOT_SIZE
	b .Lcount
.Lfourth:
	way 3, .Lelsewhere
	add r0, r0, #3 * SLOT_SIZE
	b .Lcount
	.size __gnu_mcount_nc, . - __gnu_mcount_nc
