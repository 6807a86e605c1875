/* SPDX-License-Identifier: MIT */
/*
 * The library's table, searched by the hook itself as arcs.c does it, until a slot is free. A return address in Thumb
 * is odd, and so is the step that arcs.c makes of it; one that is not is left to arcs.c, after some probes.
 */
#include "hook.inc"

#define PROBES_MAX 64

	begin
	add r2, ip, lr
	and r1, r1, r2
	add r1, r1, r1, lsl #1
	add r0, r0, r1
	ldrd r2, r3, [r0, #CALLER]
	cmp r2, ip
	bne .Lsearch
	cmp r3, lr
	bne .Lsearch
.Lcount:
	count_and_end COUNT

.Lsearch:
	push {r4, r5, r6}
	ldr r1, .Llayout
	ldrd r4, r1, [r1]
	add r6, ip, lr
	movs r5, #PROBES_MAX
.Lprobe:
	cbz r3, .Labsent
	subs r5, r5, #1
	beq .Labsent
	add r6, r6, ip, lsl #2
	and r0, r6, r1
	add r0, r0, r0, lsl #1
	add r0, r0, r4
	ldrd r2, r3, [r0, #CALLER]
	cmp r2, ip
	bne .Lprobe
	cmp r3, lr
	bne .Lprobe
	pop {r4, r5, r6}
	b .Lcount
.Labsent:
	pop {r4, r5, r6}
	b .Lelsewhere
	.size __gnu_mcount_nc, . - __gnu_mcount_nc
