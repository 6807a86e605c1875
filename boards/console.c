/* SPDX-License-Identifier: MIT */
/* A board's UART as its console and as the pipe of a link. */
#include "board.h"
#include "uart.h"

/* Received bytes, with counts that only grow: the interrupt increments one, the reader the other. If the buffer is
 * full, a byte and its frame are lost, and the host sends the frame again. The library's ring (bareprof/ring.h) is not
 * used, because it would add to the code of each firmware whose recorder is measured. */
static struct {
	volatile uint8_t bytes[BOARD_PIPE_BYTES];
	volatile uint32_t put;
	volatile uint32_t taken;
} received;

/*
 * The rest of a frame that the UART has not accepted yet. The link keeps those bytes and offers them again
 * (bareprof/link.h). Console text sends them first, so that it does not land in the middle of the frame. When the link
 * offers them, they count as sent.
 */
static struct {
	const uint8_t *rest;
	size_t size;
	size_t ahead;
} frame;

static void frame_finish(void)
{
	while (frame.size > 0) {
		if (!uart_transmit(*frame.rest))
			continue;
		frame.rest++;
		frame.size--;
		frame.ahead++;
	}
}

void board_console_write(const char *text)
{
	frame_finish();
	for (; *text != '\0'; text++)
		while (!uart_transmit((uint8_t)*text))
			;
}

void board_console_write_number(uintptr_t number, unsigned base)
{
	char digits[24];
	unsigned first = sizeof(digits) - 1;

	digits[first] = '\0';
	do {
		digits[--first] = "0123456789abcdef"[number % base];
		number /= base;
	} while (number != 0);
	board_console_write(&digits[first]);
}

size_t board_pipe_write(const uint8_t *bytes, size_t size)
{
	size_t written = frame.ahead;

	while (written < size && uart_transmit(bytes[written]))
		written++;
	frame.rest = bytes + written;
	frame.size = size - written;
	frame.ahead = 0;
	return written;
}

void uart_received(uint8_t byte)
{
	uint32_t put = received.put;

	if (put - received.taken == BOARD_PIPE_BYTES)
		return;
	received.bytes[put % BOARD_PIPE_BYTES] = byte;
	received.put = put + 1;
}

size_t board_pipe_read(uint8_t *bytes, size_t size)
{
	size_t read = 0;
	uint32_t taken = received.taken;

	for (; read < size && taken != received.put; taken++)
		bytes[read++] = received.bytes[taken % BOARD_PIPE_BYTES];
	received.taken = taken;
	return read;
}
