/* SPDX-License-Identifier: MIT */
/*
 * QEMU's RISC-V "virt" machine, 32 and 64 bit: sampling by the machine timer (mtimecmp), work by the alarm of the RTC
 * through the PLIC, console on the UART. Addresses: hw/riscv/virt.c of QEMU. Registers: SiFive FU540-C000 manual,
 * chapters CLINT and PLIC, goldfish RTC (GOLDFISH-VIRTUAL-HARDWARE), 16550 data sheet.
 */
#include "board.h"
#include "uart.h"

#define BAREPROF_TIMER_REMAINING __attribute__((weak))
#include <bareprof/timer_mtimer.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define MSIP(hart) REGISTER(0x02000000u + 4u * (hart))

#define MTIMECMP(hart) (0x02004000u + 8u * (hart))
#define MTIME          0x0200BFF8u

#define SECOND_STACK_BYTES 4096u

#define RTC                 0x00101000u
#define RTC_TIME_LOW        REGISTER(RTC + 0x00u) /* reading it latches the high half */
#define RTC_TIME_HIGH       REGISTER(RTC + 0x04u)
#define RTC_ALARM_LOW       REGISTER(RTC + 0x08u) /* writing it sets the alarm */
#define RTC_ALARM_HIGH      REGISTER(RTC + 0x0Cu)
#define RTC_IRQ_ENABLED     REGISTER(RTC + 0x10u)
#define RTC_CLEAR_INTERRUPT REGISTER(RTC + 0x1Cu)
#define RTC_INTERRUPT       11u

/* Context 0 is machine mode of hart 0. */
#define PLIC                  0x0C000000u
#define PLIC_PRIORITY(source) REGISTER(PLIC + 4u * (source))
#define PLIC_ENABLE           REGISTER(PLIC + 0x2000u)
#define PLIC_THRESHOLD        REGISTER(PLIC + 0x200000u)
#define PLIC_CLAIM            REGISTER(PLIC + 0x200004u)

#define UART                   ((volatile uint8_t *)0x10000000u)
#define UART_DATA              0
#define UART_INTERRUPT_ENABLE  1
#define UART_FIFO_CONTROL      2
#define UART_LINE_STATUS       5
#define UART_RECEIVE_INTERRUPT 0x01u
#define UART_FIFO_ENABLE       0x01u /* the FIFO interrupts at the first byte */
#define UART_RECEIVED          0x01u
#define UART_TRANSMIT_EMPTY    0x20u
#define UART_INTERRUPT         10u

static uint32_t work_nanoseconds;
static uint64_t work_deadline;

void board_external_interrupt(void);

/* Sets the deadline as late as the high half allows. */
static void never_sample(void)
{
	REGISTER(MTIMECMP(core_number()) + 4u) = 0xFFFFFFFFu;
}

/* Weak: a firmware may define its own. */
__attribute__((weak)) void board_sampling_interrupt(void);
BAREPROF_TIMER_MTIMER_OF_HART(board_sampling_interrupt, MTIME, MTIMECMP(core_number()));

static void receive(void)
{
	while (UART[UART_LINE_STATUS] & UART_RECEIVED)
		uart_received(UART[UART_DATA]);
}

/* Entered by external_interrupt in vectors.S with interrupts enabled and the external one masked. */
void board_external_interrupt(void)
{
	uint32_t source = PLIC_CLAIM;

	if (source == RTC_INTERRUPT)
		work_interrupt();
	else if (source == UART_INTERRUPT)
		receive();
	PLIC_CLAIM = source;
}

static void set_work_alarm(void)
{
	work_deadline += work_nanoseconds;
	RTC_ALARM_HIGH = (uint32_t)(work_deadline >> 32);
	RTC_ALARM_LOW = (uint32_t)work_deadline;
}

void board_init(void)
{
	never_sample();
	PLIC_PRIORITY(RTC_INTERRUPT) = 1;
	PLIC_PRIORITY(UART_INTERRUPT) = 1;
	PLIC_THRESHOLD = 0;
	PLIC_ENABLE = 1u << RTC_INTERRUPT | 1u << UART_INTERRUPT;
	UART[UART_FIFO_CONTROL] = UART_FIFO_ENABLE;
	UART[UART_INTERRUPT_ENABLE] = UART_RECEIVE_INTERRUPT;
	core_interrupt_enable(CORE_MIE_TIMER | CORE_MIE_EXTERNAL);
	core_interrupts_restore(CORE_MSTATUS_MIE);
}

uint32_t bareprof_core_number(void)
{
	return (uint32_t)core_number();
}

static void (*second_core_function)(void);

static void second_core_begin(void)
{
	MSIP(1u) = 0;
	never_sample();
	core_interrupt_enable(CORE_MIE_TIMER);
	core_interrupts_restore(CORE_MSTATUS_MIE);
	second_core_function();
}

void board_second_core_start(void (*function)(void))
{
	static __attribute__((aligned(16))) uint8_t stack[SECOND_STACK_BYTES];

	second_core_function = function;
	core_second.function = second_core_begin;
	core_second.stack_end = stack + sizeof stack;
	__asm volatile("fence" : : : "memory");
	MSIP(1u) = 1;
}

bool uart_transmit(uint8_t byte)
{
	if ((UART[UART_LINE_STATUS] & UART_TRANSMIT_EMPTY) == 0)
		return false;
	UART[UART_DATA] = byte;
	return true;
}

void board_sampling_start(uint32_t period)
{
	bareprof_timer_set(period);
}

void board_work_start(uint32_t microseconds)
{
	uint32_t low = RTC_TIME_LOW;

	work_deadline = (uint64_t)RTC_TIME_HIGH << 32 | low;
	work_nanoseconds = microseconds * 1000u;
	RTC_IRQ_ENABLED = 1;
	set_work_alarm();
}

void board_work_acknowledge(void)
{
	RTC_CLEAR_INTERRUPT = 1;
	set_work_alarm();
}
