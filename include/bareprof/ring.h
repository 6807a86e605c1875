/* SPDX-License-Identifier: MIT */
/*
 * A ring of bytes between an interrupt handler and the main loop, for pipes of the link: a UART that receives by
 * interrupt loses nothing while the main loop is busy. One side puts, the other takes, each from one context only;
 * neither masks interrupts nor waits for the other.
 *
 * 	BAREPROF_RING(received, 64);
 *
 * 	void UART0_IRQHandler(void)
 * 	{
 * 		const uint8_t byte = UART0->DATA;
 * 		bareprof_ring_put(&received, &byte, 1);
 * 	}
 *
 * 	static size_t uart_read(uint8_t *bytes, size_t size)
 * 	{
 * 		return bareprof_ring_take(&received, bytes, size);
 * 	}
 */
#ifndef BAREPROF_RING_H
#define BAREPROF_RING_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bareprof_ring {
	uint8_t *bytes;
	uint32_t mask;           /* masks a count to an index of bytes */
	volatile uint32_t put;   /* bytes put so far, modulo 2^32; only bareprof_ring_put() writes it */
	volatile uint32_t taken; /* bytes taken so far; only bareprof_ring_take() writes it */
};

/* Defines an empty ring that holds size bytes, a power of two: `static struct bareprof_ring name`. */
#define BAREPROF_RING(name, size)                                             \
	typedef char name##_is_no_power_of_2[((size) & ((size)-1)) ? -1 : 1]; \
	static uint8_t name##_bytes[size];                                    \
	static struct bareprof_ring name = {name##_bytes, (size)-1u, 0, 0}

/* Puts as many bytes as there is room for, and returns their number; the caller may keep the rest or drop it. */
size_t bareprof_ring_put(struct bareprof_ring *ring, const uint8_t *bytes, size_t size);
/* Takes at most size bytes, and returns their number. */
size_t bareprof_ring_take(struct bareprof_ring *ring, uint8_t *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif
