/* SPDX-License-Identifier: MIT */
/*
 * The HiFive1 (FE310-G000): sampling and work by the machine timer, console on UART0, which the board forwards through
 * USB. Register facts: FE310-G000 manual v3p2, chapters CLINT, PLIC, GPIO, UART and Clock Generation.
 *
 * The chip has timers to spare (PWM, the RTC's comparator), but QEMU 7.2 emulates none of them. So the machine timer
 * has two deadlines, and the deadline of the work raises an external interrupt.
 */
#include "board.h"
#include "uart.h"

#include <bareprof/bareprof.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

/* The halves of 64-bit registers, low and high. */
#define MTIMECMP ((volatile uint32_t *)0x02004000u)
#define MTIME    ((volatile uint32_t *)0x0200BFF8u)

#define PLIC                  0x0C000000u
#define PLIC_PRIORITY(source) REGISTER(PLIC + 4u * (source))
#define PLIC_ENABLE           REGISTER(PLIC + 0x2000u)
#define PLIC_THRESHOLD        REGISTER(PLIC + 0x200000u)
#define PLIC_CLAIM            REGISTER(PLIC + 0x200004u)

/* The deadline of the work uses an unused pin, 0 (source 8). Its input is off, as after reset, so it reads low, and its
 * low interrupt is pending. Enabling that interrupt raises it, and disabling it acknowledges it. */
#define GPIO_INPUT_ENABLE         REGISTER(0x10012004u)
#define GPIO_LOW_INTERRUPT_ENABLE REGISTER(0x10012030u)
#define WORK_PIN                  (1u << 0)
#define WORK_INTERRUPT            8u

/* The clock is the board's crystal, 16 MHz. */
#define CRYSTAL_CONFIGURATION REGISTER(0x10008004u)
#define PLL_CONFIGURATION     REGISTER(0x10008008u)
#define PLL_OUTPUT_DIVIDER    REGISTER(0x1000800Cu)
#define CRYSTAL_ENABLE        (1u << 30)
#define CRYSTAL_READY         (1u << 31)
#define PLL_SELECTED          (1u << 16)
#define PLL_OF_CRYSTAL        (1u << 17)
#define PLL_BYPASS            (1u << 18)
#define PLL_DIVIDE_BY_1       (1u << 8)
#define CORE_CLOCK_HZ         16000000u

/* The first function of pins 16 and 17 is receiver and transmitter of UART0. Its receive interrupt comes when its FIFO
 * holds more bytes than the watermark in UART_RECEIVE_CONTROL, 0. */
#define GPIO_FUNCTION_ENABLE   REGISTER(0x10012038u)
#define GPIO_FUNCTION_SELECT   REGISTER(0x1001203Cu)
#define UART_TRANSMIT          REGISTER(0x10013000u)
#define UART_RECEIVE           REGISTER(0x10013004u)
#define UART_TRANSMIT_CONTROL  REGISTER(0x10013008u)
#define UART_RECEIVE_CONTROL   REGISTER(0x1001300Cu)
#define UART_INTERRUPT_ENABLE  REGISTER(0x10013010u)
#define UART_DIVISOR           REGISTER(0x10013018u)
#define UART_FULL              (1u << 31) /* in UART_TRANSMIT */
#define UART_EMPTY             (1u << 31) /* in UART_RECEIVE: there is no byte */
#define UART_ON                1u
#define UART_RECEIVE_WATERMARK 2u
#define UART_INTERRUPT         3u
#define CONSOLE_PINS           (3u << 16)
#define CONSOLE_BAUD           115200u

/* mtime counts 32768 times per second: 512 counts take 15625 microseconds. */
#define COUNTS_PER_STEP       512u
#define MICROSECONDS_PER_STEP 15625u

/* In counts of mtime; UINT64_MAX if not started. */
static uint64_t sampling_deadline = UINT64_MAX;
static uint64_t work_deadline = UINT64_MAX;
static uint32_t sampling_period;
static uint32_t work_microseconds;
/* How early the work's deadlines are, because counts have no fractions; in counts / MICROSECONDS_PER_STEP. */
static uint32_t work_remainder;

void board_external_interrupt(void);
void board_sampling_interrupt(void);
void external_interrupt(void);

static inline uint64_t read_mtime(void)
{
	uint32_t high;
	uint32_t low;

	do {
		high = MTIME[1];
		low = MTIME[0];
	} while (MTIME[1] != high);
	return (uint64_t)high << 32 | low;
}

/* Writes in the order of the privileged architecture, 3.2.1: no deadline in between is earlier than both. */
static inline void wait_for_nearest(void)
{
	uint64_t nearest = sampling_deadline < work_deadline ? sampling_deadline : work_deadline;

	MTIMECMP[1] = 0xFFFFFFFFu;
	MTIMECMP[0] = (uint32_t)nearest;
	MTIMECMP[1] = (uint32_t)(nearest >> 32);
}

/* Deadlines that have passed were merged into this interrupt while interrupts were masked. */
static void advance_sampling(uint32_t counts)
{
	uint64_t late = read_mtime() - sampling_deadline;

	if (late >= sampling_period) {
		uint32_t missed = (uint32_t)(late / sampling_period);

		bareprof_tick_missed(missed);
		sampling_deadline += (uint64_t)missed * sampling_period;
	}
	sampling_deadline += counts;
}

__attribute__((weak)) uint32_t bareprof_timer_remaining(void)
{
	return (uint32_t)sampling_deadline - MTIME[0];
}

static inline void advance_work(void)
{
	work_remainder += work_microseconds * COUNTS_PER_STEP;
	work_deadline += work_remainder / MICROSECONDS_PER_STEP;
	work_remainder %= MICROSECONDS_PER_STEP;
}

static inline void sample_if_due(uintptr_t pc)
{
	if (read_mtime() >= sampling_deadline)
		bareprof_tick(pc, advance_sampling);
}

/* The timer's handler reads the PC itself. BAREPROF_TIMER_ISR would sample at the work's deadlines, too. */
BAREPROF_CODE(board_sampling_interrupt) __attribute__((used, interrupt)) void board_sampling_interrupt(void)
{
	sample_if_due(core_interrupted_pc());
	if (read_mtime() >= work_deadline) {
		advance_work();
		GPIO_LOW_INTERRUPT_ENABLE = WORK_PIN;
		/* A sample that is due now belongs to the external interrupt, which has priority: the chip would take
		 * it there, but QEMU would file it under the interrupted code. */
		sample_if_due((uintptr_t)external_interrupt);
	}
	wait_for_nearest();
}

/*
 * Waits up to one count of mtime, which is 488 clocks. Samples and work both begin at a count, so without the wait
 * samples would hit the same few instructions of the work every time.
 */
static inline void wait_part_of_a_count(void)
{
	static uint32_t noise;

	noise = noise * 1664525u + 1013904223u;
	for (uint32_t clocks = noise >> 23; clocks >= 2; clocks -= 2)
		__asm volatile("");
}

static void receive(void)
{
	for (uint32_t data = UART_RECEIVE; (data & UART_EMPTY) == 0; data = UART_RECEIVE)
		uart_received((uint8_t)data);
}

/* Entered by external_interrupt in vectors.S with interrupts enabled and the external one masked. */
void board_external_interrupt(void)
{
	uint32_t source = PLIC_CLAIM;

	if (source == WORK_INTERRUPT) {
		wait_part_of_a_count();
		work_interrupt();
	} else if (source == UART_INTERRUPT) {
		receive();
	}
	PLIC_CLAIM = source;
}

/* Switches to the internal oscillator first, as after reset: a boot loader may have left the chip on the PLL. */
static void start_clock(void)
{
	CRYSTAL_CONFIGURATION = CRYSTAL_ENABLE;
	while ((CRYSTAL_CONFIGURATION & CRYSTAL_READY) == 0)
		;
	PLL_CONFIGURATION &= ~PLL_SELECTED;
	PLL_OUTPUT_DIVIDER = PLL_DIVIDE_BY_1;
	PLL_CONFIGURATION = PLL_BYPASS | PLL_OF_CRYSTAL;
	PLL_CONFIGURATION = PLL_BYPASS | PLL_OF_CRYSTAL | PLL_SELECTED;
}

void board_init(void)
{
	start_clock();
	wait_for_nearest();
	GPIO_INPUT_ENABLE &= ~WORK_PIN;
	PLIC_PRIORITY(WORK_INTERRUPT) = 1;
	PLIC_PRIORITY(UART_INTERRUPT) = 1;
	PLIC_THRESHOLD = 0;
	PLIC_ENABLE = 1u << WORK_INTERRUPT | 1u << UART_INTERRUPT;
	core_interrupt_enable(CORE_MIE_TIMER | CORE_MIE_EXTERNAL);
	core_interrupts_restore(CORE_MSTATUS_MIE);

	GPIO_FUNCTION_SELECT &= ~CONSOLE_PINS;
	GPIO_FUNCTION_ENABLE |= CONSOLE_PINS;
	UART_DIVISOR = CORE_CLOCK_HZ / CONSOLE_BAUD - 1u;
	UART_TRANSMIT_CONTROL = UART_ON;
	UART_RECEIVE_CONTROL = UART_ON;
	UART_INTERRUPT_ENABLE = UART_RECEIVE_WATERMARK;
}

bool uart_transmit(uint8_t byte)
{
	if (UART_TRANSMIT & UART_FULL)
		return false;
	UART_TRANSMIT = byte;
	return true;
}

void board_sampling_start(uint32_t period)
{
	unsigned long state = core_interrupts_save();

	sampling_period = period;
	sampling_deadline = read_mtime() + period;
	wait_for_nearest();
	core_interrupts_restore(state);
}

void board_work_start(uint32_t microseconds)
{
	unsigned long state = core_interrupts_save();

	work_microseconds = microseconds;
	work_deadline = read_mtime();
	advance_work();
	wait_for_nearest();
	core_interrupts_restore(state);
}

void board_work_acknowledge(void)
{
	GPIO_LOW_INTERRUPT_ENABLE = 0;
}
