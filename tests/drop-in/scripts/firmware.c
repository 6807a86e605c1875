/* SPDX-License-Identifier: MIT */
/*
 * The firmware that scripts.sh links by each script, and that start.sh runs on QEMU's mps2-an385: start-up code, which
 * is instrumented and runs before .data and .bss have their contents, and some work. Macros: VECTORS, HEADER and
 * STARTUP are sections; COPY_FROM, COPY_TO, COPY_END, CLEAR, CLEAR_END and STACK, symbols of the script (scripts.txt).
 * PLAIN is the firmware without bareprof. POLL calls the link, which it has not. RESETS is how often it resets the core
 * and begins again, with RESET_RUNNING while the profile runs. STEP is a constant by which builds differ.
 */
#include <stdint.h>

#define ROUNDS 3000
#ifndef RESETS
#define RESETS 0u
#endif
#ifndef STEP
#define STEP 3
#endif

#define WORD(address)  (*(volatile uint32_t *)(address))
#define UNINSTRUMENTED __attribute__((no_instrument_function))

extern uint32_t COPY_FROM[], COPY_TO[], COPY_END[], CLEAR[], CLEAR_END[], STACK[];

int main(void);
void Reset_Handler(void);
void SystemInit(void);

static volatile uint32_t ticks = 1;
static volatile uint32_t sum;

#ifdef PLAIN
void SysTick_Handler(void);
void SysTick_Handler(void)
{
	ticks = ticks + 1;
}
#define bareprof_init()
#define bareprof_start() (void)0
#define bareprof_stop()  (void)0
#define start_sampling()
#elif defined(__arm__)
#include "bareprof_timer_systick.h"

BAREPROF_DEFINE(.clock_hz = 25000000, .rate_hz = 10000);
BAREPROF_TIMER(SysTick_Handler, 0x1000000u, (BAREPROF_SYSTICK_RVR = clock_units - 1u, ticks = ticks + 1),
               BAREPROF_SYSTICK_CVR, bareprof_systick_start(period));
#define start_sampling() bareprof_timer_start()
#else
#include "bareprof.h"

#define MTIME            ((const volatile uint32_t *)0x0200BFF8u)
#define MTIMECMP         ((volatile uint32_t *)0x02004000u)

BAREPROF_DEFINE(.clock_hz = 10000000, .rate_hz = 1000, .counts_missed_ticks = true);
BAREPROF_MTIMER_ISR(machine_timer_interrupt, MTIME, MTIMECMP);
#define start_sampling() bareprof_mtimer_start(MTIME, MTIMECMP, 10000)
#endif

/* Code that runs before code is copied to RAM cannot call a hook there. */
#ifdef STARTUP
__attribute__((section(STARTUP), no_instrument_function))
#endif
void Reset_Handler(void)
{
	const uint32_t *from = COPY_FROM;

	SystemInit();
	for (uint32_t *to = COPY_TO; to < COPY_END; to++)
		*to = *from++;
	for (uint32_t *word = CLEAR; word < CLEAR_END; word++)
		*word = 0;
	main();
}

__attribute__((noinline)) void SystemInit(void)
{
	sum = 0;
}

__attribute__((noinline)) static void step(void)
{
	sum = sum + STEP;
}

__attribute__((noinline)) static void work(void)
{
	for (int i = 0; i < 16; i++)
		step();
}

#if defined(__arm__) && !defined(PLAIN)
UNINSTRUMENTED static void say(const char *text)
{
	for (; *text != 0; text++) {
		while ((WORD(0x40004004) & 1) != 0) /* UART0, DDI 0479, 4.3 */
			;
		WORD(0x40004000) = (uint8_t)*text;
	}
}

UNINSTRUMENTED static void say_number(uint32_t number)
{
	char digits[11];
	char *digit = digits + sizeof digits - 1;

	*digit = 0;
	do
		*--digit = (char)('0' + number % 10);
	while ((number /= 10) != 0);
	say(digit);
}

/* Says whether the gate was open before init. */
UNINSTRUMENTED static void say_gate(void)
{
	const uint32_t gate = WORD((uintptr_t)bareprof_block + BAREPROF_OFFSET_GATE);

	WORD(0x40004008) = 1;
	say(gate == BAREPROF_GATE((uintptr_t)bareprof_block, BAREPROF_STATE_RUNNING) ? "gate open\n" : "gate closed\n");
}

/* Resets the core (AIRCR, Armv7-M ARM B3.2.6), until it has done so RESETS times. */
UNINSTRUMENTED static void reset_core(void)
{
	static volatile uint32_t resets[2] __attribute__((section(".noinit"))); /* the number and its complement */
	const uint32_t number = resets[0] == ~resets[1] ? resets[0] : 0;

	if (number == RESETS)
		return;
	resets[0] = number + 1;
	resets[1] = ~(number + 1);
	WORD(0xE000ED0C) = 0x05FA0004;
	for (;;)
		;
}

#define mask()   __asm volatile("cpsid i" : : : "memory")
#define unmask() __asm volatile("cpsie i" : : : "memory")
#else
#define say(text)
#define say_number(number) (void)(number)
#define say_gate()
#define reset_core()
#define mask()
#define unmask()
#endif

/* No tick comes while the profile is switched. */
int main(void)
{
	uint32_t first;

	say_gate();
	bareprof_init();
	start_sampling();
	mask();
	bareprof_start();
	first = ticks;
	unmask();
	for (int round = 0; round < ROUNDS; round++)
		work();
	mask();
	say("ticks ");
	say_number(ticks - first);
	say("\n");
#ifndef RESET_RUNNING
	bareprof_stop();
#endif
	reset_core();
	bareprof_stop();
	unmask();
	say("done\n");
	for (;;) {
#ifdef POLL
		bareprof_poll();
#endif
	}
}

#ifdef __arm__
extern void (*const vector_table[])(void);
__attribute__((section(VECTORS), used)) void (*const vector_table[16])(void) = {
        [0] = (void (*)(void))(uintptr_t)STACK,
        [1] = Reset_Handler,
        [15] = SysTick_Handler,
};
#else
#define STRING_OF(text) #text
#define STRING(text)    STRING_OF(text)
__asm(".pushsection " VECTORS ", \"ax\", @progbits\n"
      ".globl _start\n"
      "_start:\n\t"
      "la sp, " STRING(STACK) "\n\t"
                              "call Reset_Handler\n"
                              ".popsection");
#endif

/* A header for the boot loader. */
#ifdef HEADER
extern const uint8_t ImageVectorTable[256];
__attribute__((section(HEADER), used)) const uint8_t ImageVectorTable[256] = {1};
#endif
