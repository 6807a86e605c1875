	.syntax unified
	.thumb
	.global main, work, unused, _etext
	.type main, %function
	.type work, %function
	.type unused, %function
main:
	bl work
	bx lr
work:
	nop
	bx lr
unused:
	nop
	bx lr
_etext:
