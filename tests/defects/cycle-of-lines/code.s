	.syntax unified
	.thumb
	.global main, there, back, _etext
	.type main, %function
	.type there, %function
	.type back, %function
main:
	bl there
	bx lr
there:
	bl back
	bx lr
back:
	bl there
	bx lr
_etext:
