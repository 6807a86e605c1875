/* SPDX-License-Identifier: MIT */
/*
 * BAREPROF_TIMER_ISR(name, acknowledge) for the ISA of the build; <bareprof/bareprof.h> documents it. Each ISA with its
 * own entry has one line here.
 */
#ifndef BAREPROF_TIMER_ISR_H
#define BAREPROF_TIMER_ISR_H

#include <bareprof/code.h>

/* BAREPROF_OPTIONAL_SEMICOLON ends a macro that ends in a function: a semicolon may follow, which C allows only as an
 * extension, or another declaration. */
#ifdef __cplusplus
#define BAREPROF_EXTERN_C extern "C"
#define BAREPROF_OPTIONAL_SEMICOLON
#else
#define BAREPROF_EXTERN_C           extern
#define BAREPROF_OPTIONAL_SEMICOLON __extension__
#endif

/* The assembly of a handler has a second name, by which hosts know that it is the recorder's. */
#define BAREPROF_ISR_BEGIN(name) \
	".set bareprof_isr_" BAREPROF_STRING(name) ", .\n\t.type bareprof_isr_" BAREPROF_STRING(name) ", STT_FUNC\n\t"
#define BAREPROF_ISR_END(name) \
	"\n\t.size bareprof_isr_" BAREPROF_STRING(name) ", . - bareprof_isr_" BAREPROF_STRING(name)

#if defined(__arm__)
#include <bareprof/isa/arm_m.h>
#elif defined(__riscv)
#include <bareprof/isa/riscv.h>
#else
#include <bareprof/isa/generic.h>
#endif

/*
 * Checks the parameters of acknowledge: a function that ignores the distance would make the timer fire at a fixed
 * distance, or never.
 */
#define BAREPROF_TAKES_UNITS                                                                     \
	"bareprof: acknowledge is void (uint32_t clock_units) and sets the timer to fire then; " \
	"BAREPROF_FIXED_TIMER_ISR takes void (void)"
#define BAREPROF_TAKES_NOTHING \
	"bareprof: acknowledge of BAREPROF_FIXED_TIMER_ISR is void (void); BAREPROF_TIMER_ISR gives it a distance"
#ifdef __cplusplus
extern "C++" {
constexpr bool bareprof_takes_units(void (*)(uint32_t))
{
	return true;
}
template <typename Other> constexpr bool bareprof_takes_units(Other)
{
	return false;
}
constexpr bool bareprof_takes_nothing(void (*)(void))
{
	return true;
}
template <typename Other> constexpr bool bareprof_takes_nothing(Other)
{
	return false;
}
}
#define BAREPROF_IS_ACKNOWLEDGE(acknowledge)       bareprof_takes_units(acknowledge)
#define BAREPROF_IS_FIXED_ACKNOWLEDGE(acknowledge) bareprof_takes_nothing(acknowledge)
#else
#define BAREPROF_IS_ACKNOWLEDGE(acknowledge)       __builtin_types_compatible_p(__typeof__(acknowledge), void(uint32_t))
#define BAREPROF_IS_FIXED_ACKNOWLEDGE(acknowledge) __builtin_types_compatible_p(__typeof__(acknowledge), void(void))
#endif

#define BAREPROF_TIMER_ISR(name, acknowledge)                                               \
	BAREPROF_STATIC_ASSERT(BAREPROF_IS_ACKNOWLEDGE(acknowledge), BAREPROF_TAKES_UNITS); \
	BAREPROF_TIMER_ISR_OF_ISA(name, acknowledge) BAREPROF_OPTIONAL_SEMICOLON
#define BAREPROF_FIXED_TIMER_ISR(name, acknowledge)                                                 \
	BAREPROF_STATIC_ASSERT(BAREPROF_IS_FIXED_ACKNOWLEDGE(acknowledge), BAREPROF_TAKES_NOTHING); \
	BAREPROF_FIXED_TIMER_ISR_OF_ISA(name, acknowledge) BAREPROF_OPTIONAL_SEMICOLON

#endif
