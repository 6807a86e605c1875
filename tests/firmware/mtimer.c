/* SPDX-License-Identifier: MIT */
/*
 * With -DMTIMER the sampling interrupt of QEMU's "virt" machine is the library's instead of the board's, which serves
 * any hart.
 */
typedef int mtimer_may_be_empty;

#ifdef MTIMER
#include <bareprof/bareprof.h>

/* SiFive FU540-C000 manual, chapter CLINT. */
#define MTIMECMP ((volatile uint32_t *)0x02004000u)
#define MTIME    ((volatile uint32_t *)0x0200BFF8u)

BAREPROF_MTIMER_ISR(board_sampling_interrupt, MTIME, MTIMECMP);
#endif
