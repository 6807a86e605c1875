/* SPDX-License-Identifier: MIT */
/* BAREPROF_TIMER_ISR(name, acknowledge) for the ISA at hand; <bareprof/bareprof.h> tells what it does. One line per ISA
 * with an entry of its own. Knows nothing of timers. */
#ifndef BAREPROF_TIMER_ISR_H
#define BAREPROF_TIMER_ISR_H

#ifdef __cplusplus
#define BAREPROF_EXTERN_C extern "C"
#else
#define BAREPROF_EXTERN_C extern
#endif

/* The handler is the profiler's own code: placed and left uninstrumented as the library is. */
#define BAREPROF_ISR_ATTRIBUTES used, no_instrument_function, section(".text.bareprof")

#if defined(__arm__)
#include <bareprof/isa/arm_m.h>
#elif defined(__riscv)
#include <bareprof/isa/riscv.h>
#else
#include <bareprof/isa/generic.h>
#endif

#endif
