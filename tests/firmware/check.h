/* SPDX-License-Identifier: MIT */
/* For firmware that checks itself: the words of the profile block, and a line per check on the console. */
#ifndef FIRMWARE_CHECK_H
#define FIRMWARE_CHECK_H

#include "board.h"

#include <bareprof/bareprof.h>
#include <stdbool.h>

CORE_INLINE volatile uint32_t *block_word(uint32_t offset)
{
	return (volatile uint32_t *)bareprof_block + offset / sizeof(uint32_t);
}

/* Prints `ok NAME` or `not ok NAME: failed`; returns the number of failures. */
UNINSTRUMENTED static inline int check(const char *name, bool holds)
{
	board_console_write(holds ? "ok " : "not ok ");
	board_console_write(name);
	board_console_write(holds ? "\n" : ": failed\n");
	return !holds;
}

#endif
