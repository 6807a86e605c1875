/* SPDX-License-Identifier: MIT */
/* Constants among code, larger than the gaps that an unwind table covers. */
	.text
	.balign 4
	.type constants, %object
constants:
	.fill CONSTANTS / 4, 4, 0x12345678
	.size constants, . - constants
