/* SPDX-License-Identifier: MIT */
/*
 * With -DMTIMER the sampling interrupt of QEMU's "virt" machine is the library's instead of the board's, which serves
 * any hart.
 */
typedef int mtimer_may_be_empty;

#ifdef MTIMER
#include <bareprof/timer_mtimer.h>

/* SiFive FU540-C000 manual, chapter CLINT. */
BAREPROF_TIMER_MTIMER(board_sampling_interrupt, 0x0200BFF8, 0x02004000);
#endif
