/* SPDX-License-Identifier: MIT */
/* A board's UART as its console and as the pipe of a link. Knows nothing of boards and of what is sent. */
#include "board.h"
#include "uart.h"

/* Counts that only grow; the interrupt moves one, the reader the other. A byte that finds it full is lost, and with it
 * its frame, which the host then sends again. Not the library's ring (bareprof/ring.h): that would be in the text of
 * each firmware whose recorder is measured. */
static struct {
	volatile uint8_t bytes[BOARD_PIPE_BYTES];
	volatile uint32_t put;
	volatile uint32_t taken;
} received;

/* The frame that is being sent. It is kept here so that no text comes in its middle, however little the UART takes at a
 * time. */
static struct {
	uint8_t bytes[BOARD_PIPE_BYTES];
	size_t size;
	size_t sent;
} sending;

/* Sends what the UART has room for. */
static bool frame_is_sent(void)
{
	while (sending.sent < sending.size && uart_transmit(sending.bytes[sending.sent]))
		sending.sent++;
	return sending.sent == sending.size;
}

void board_console_write(const char *text)
{
	while (!frame_is_sent())
		;
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
	if (!frame_is_sent())
		return 0;
	sending.size = size < BOARD_PIPE_BYTES ? size : BOARD_PIPE_BYTES;
	for (size_t i = 0; i < sending.size; i++)
		sending.bytes[i] = bytes[i];
	sending.sent = 0;
	(void)frame_is_sent();
	return sending.size;
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

	(void)frame_is_sent();
	for (; read < size && taken != received.put; taken++)
		bytes[read++] = received.bytes[taken % BOARD_PIPE_BYTES];
	received.taken = taken;
	return read;
}
