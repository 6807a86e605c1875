/* SPDX-License-Identifier: MIT */
/*
 * How the recorder's functions are compiled. A project's options are for all of its files, but -pg must not reach the
 * recorder, which would record itself for ever, nor must anything else that adds code to functions.
 */
#ifndef BAREPROF_CODE_H
#define BAREPROF_CODE_H

/* The section of the recorder's code, to which each function adds its name: linker scripts place .text.* with code, and
 * --gc-sections drops the functions that nothing calls. Define another, such as .iram1.bareprof, for faster memory; the
 * recorder's constants stay in flash. */
#ifndef BAREPROF_CODE_SECTION
#define BAREPROF_CODE_SECTION .text.bareprof
#endif

#ifndef __ASSEMBLER__
#ifdef __has_attribute
#define BAREPROF_HAS_ATTRIBUTE(attribute) __has_attribute(attribute)
#else
#define BAREPROF_HAS_ATTRIBUTE(attribute) 0
#endif
#if BAREPROF_HAS_ATTRIBUTE(no_stack_protector)
#define BAREPROF_WITHOUT_PROTECTOR , no_stack_protector
#else
#define BAREPROF_WITHOUT_PROTECTOR
#endif
#if BAREPROF_HAS_ATTRIBUTE(no_profile_instrument_function)
#define BAREPROF_WITHOUT_COVERAGE , no_profile_instrument_function
#else
#define BAREPROF_WITHOUT_COVERAGE
#endif
/* On a computer, tests run the recorder under the sanitizers. */
#if !defined(__arm__) && !defined(__riscv)
#define BAREPROF_WITHOUT_SANITIZERS
#elif defined(__clang__)
#define BAREPROF_WITHOUT_SANITIZERS , no_sanitize("all")
#elif BAREPROF_HAS_ATTRIBUTE(no_sanitize)
#define BAREPROF_WITHOUT_SANITIZERS , no_sanitize("address", "undefined", "thread")
#else
#define BAREPROF_WITHOUT_SANITIZERS
#endif
/* clang has no pragma that sets options for a whole file, as target/compiler.h does for GCC. */
#if defined(__clang__)
#define BAREPROF_SMALL , minsize, no_builtin
#else
#define BAREPROF_SMALL
#endif
#define BAREPROF_RECORDER_ATTRIBUTES                                                                            \
	no_instrument_function BAREPROF_WITHOUT_PROTECTOR BAREPROF_WITHOUT_COVERAGE BAREPROF_WITHOUT_SANITIZERS \
	        BAREPROF_SMALL

#define BAREPROF_STRING_OF(...) #__VA_ARGS__
#define BAREPROF_STRING(...)    BAREPROF_STRING_OF(__VA_ARGS__)

/* Begins the definition of a function of the recorder. Hosts recognise its code by the names of the hooks, and by names
 * that begin with bareprof_. A function with another name, such as a handler, gets a second one (timer_isr.h). */
#define BAREPROF_CODE(name) \
	__attribute__((section(BAREPROF_STRING(BAREPROF_CODE_SECTION) "." #name), unused, BAREPROF_RECORDER_ATTRIBUTES))
/* Begins the definition of a constant, which is dropped with the functions that use it. */
#define BAREPROF_CONSTANT(name) __attribute__((section(".rodata.bareprof." #name)))
/* Begins the definition of a function that is inlined into its callers. */
#define BAREPROF_INLINE __attribute__((always_inline, unused, BAREPROF_RECORDER_ATTRIBUTES)) static inline
#endif

#endif
