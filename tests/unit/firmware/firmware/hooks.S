/* SPDX-License-Identifier: MIT */
/* The hooks; DISTANCE moves them out of reach of the short calls. */
	.section .text.hooks, "ax"
	.if DISTANCE > 0
	.space DISTANCE
	.endif
	.global _mcount
	.type _mcount, @function
_mcount:
	ret
	.size _mcount, . - _mcount

	.global __cyg_profile_func_enter
	.type __cyg_profile_func_enter, @function
__cyg_profile_func_enter:
	ret
	.size __cyg_profile_func_enter, . - __cyg_profile_func_enter

	.global __cyg_profile_func_exit
	.type __cyg_profile_func_exit, @function
__cyg_profile_func_exit:
	ret
	.size __cyg_profile_func_exit, . - __cyg_profile_func_exit
