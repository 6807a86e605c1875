/* SPDX-License-Identifier: MIT */
/* A board's UART as console and pipe: nothing is lost or mixed, however slow the UART is. */
#include "board.h"
#include "test.h"
#include "uart.h"

#include <string.h>

/* The UART accepts one byte in this many attempts. */
static struct {
	char line[1024];
	size_t size;
	unsigned slowness;
	unsigned attempts;
} uart;

static int start(void **state)
{
	uint8_t byte;

	while (board_pipe_read(&byte, 1) != 0)
		;
	memset(&uart, 0, sizeof uart);
	uart.slowness = 1;
	return 0;
}

bool uart_transmit(uint8_t byte)
{
	if (++uart.attempts % uart.slowness != 0)
		return false;
	assert_true(uart.size < sizeof uart.line - 1);
	uart.line[uart.size++] = (char)byte;
	return true;
}

static void receive(const char *text)
{
	for (; *text != '\0'; text++)
		uart_received((uint8_t)*text);
}

EACH_TEST(start, NULL);

TEST(text_waits_for_the_uart)
{
	uart.slowness = 3;
	board_console_write("text ");
	board_console_write_number(0xBEEF, 16);
	assert_string_equal(uart.line, "text beef");
}

/* Like the link: offers the rest again, until all is accepted. */
static void write_all(const char *frame)
{
	size_t size = strlen(frame), written = 0;

	while (written < size)
		written += board_pipe_write((const uint8_t *)frame + written, size - written);
}

TEST(a_pipe_accepts_as_much_as_it_has_room_for)
{
	uart.slowness = 4;
	uart.attempts = 2;
	assert_int_equal(board_pipe_write((const uint8_t *)"frame", 5), 0);
	assert_int_equal(board_pipe_write((const uint8_t *)"frame", 5), 1);
	uart.slowness = 1;
	assert_int_equal(board_pipe_write((const uint8_t *)"rame", 4), 4);
	assert_string_equal(uart.line, "frame");
}

TEST(a_slow_uart_sends_frames_whole)
{
	uart.slowness = 3;
	write_all("<frame>");
	write_all("<another>");
	assert_string_equal(uart.line, "<frame><another>");
}

TEST(text_does_not_split_a_frame)
{
	const char *frame = "<a frame>";
	size_t written;

	uart.slowness = 2;
	written = board_pipe_write((const uint8_t *)frame, 9);
	assert_in_range(written, 0, 8);
	board_console_write("text");
	assert_string_equal(uart.line, "<a frame>text");
	assert_int_equal(board_pipe_write((const uint8_t *)frame + written, 9 - written), 9 - written);
	board_console_write("more");
	write_all("<next>");
	assert_string_equal(uart.line, "<a frame>textmore<next>");
}

TEST(received_bytes_are_read_in_order)
{
	uint8_t bytes[8] = {0};

	for (unsigned round = 0; round < 3 * BOARD_PIPE_BYTES; round++) {
		receive("abcde");
		assert_int_equal(board_pipe_read(bytes, 2), 2);
		assert_memory_equal(bytes, "ab", 2);
		assert_int_equal(board_pipe_read(bytes, sizeof bytes), 3);
		assert_memory_equal(bytes, "cde", 3);
	}
	assert_int_equal(board_pipe_read(bytes, sizeof bytes), 0);
}

TEST(only_bytes_that_find_the_buffer_full_are_lost)
{
	uint8_t bytes[BOARD_PIPE_BYTES + 1];

	for (unsigned i = 0; i < BOARD_PIPE_BYTES + 10; i++)
		uart_received((uint8_t)i);
	assert_int_equal(board_pipe_read(bytes, sizeof bytes), BOARD_PIPE_BYTES);
	for (unsigned i = 0; i < BOARD_PIPE_BYTES; i++)
		assert_int_equal(bytes[i], i);
	receive("z");
	assert_int_equal(board_pipe_read(bytes, sizeof bytes), 1);
	assert_int_equal(bytes[0], 'z');
}
