@ SPDX-License-Identifier: MIT
@ start calls main, which calls seldom and helper; helper jumps on to last. The recorder's hook is called, too.
	.syntax unified
	.cpu cortex-m3
	.thumb
	.macro function name
	.global \name
	.type \name, %function
	.thumb_func
\name:
	.endm
	.text
	function start
	bl main
	.size start, . - start
	function main
	bl __gnu_mcount_nc
	bl seldom
	bl helper
	bx lr
	.size main, . - main
	function seldom
	bx lr
	.size seldom, . - seldom
	function helper
	b.w last
	.size helper, . - helper
	function last
	bx lr
	.size last, . - last
	.global bareprof_code_start
bareprof_code_start:
	function __gnu_mcount_nc
	bx lr
	.size __gnu_mcount_nc, . - __gnu_mcount_nc
	.global bareprof_code_end
bareprof_code_end:
	.align 2
