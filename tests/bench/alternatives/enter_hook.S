/* SPDX-License-Identifier: MIT */
/* enter_hook(caller, callee): the hook as a function at callee enters it that is to return to caller. */
	.syntax unified
	.thumb
	.text
	.globl enter_hook
	.type enter_hook, %function
	.thumb_func
	.balign 4
enter_hook:
	push {r4, lr}
	adr r4, .Lback
	adds r4, r4, #1
	push {r0}
	mov lr, r1
	b __gnu_mcount_nc
	.balign 4
.Lback:
	pop {r4, pc}
	.size enter_hook, . - enter_hook
