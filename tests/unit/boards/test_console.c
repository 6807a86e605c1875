/* SPDX-License-Identifier: MIT */
/* A board's UART as console and pipe: nothing is lost or mixed, however slow the UART is. */
#include "board.h"
#include "uart.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* The UART has room for one byte of so many attempts. */
static struct {
	char line[1024];
	size_t size;
	unsigned slowness;
	unsigned attempts;
} uart;

static int start(void **state)
{
	uint8_t byte;

	(void)state;
	uart.slowness = 1;
	board_console_write("");
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

static void text_waits_for_the_uart(void **state)
{
	(void)state;
	uart.slowness = 3;
	board_console_write("text ");
	board_console_write_number(0xBEEF, 16);
	assert_string_equal(uart.line, "text beef");
}

static void a_pipe_returns_at_once(void **state)
{
	static const uint8_t frame[] = "frame";

	(void)state;
	uart.slowness = 1000;
	assert_int_equal(board_pipe_write(frame, 5), 5);
	assert_int_equal(board_pipe_write(frame, 5), 0);
	assert_int_equal(board_pipe_read((uint8_t[1]){0}, 1), 0);
	assert_true(uart.attempts <= 3);
	assert_int_equal(uart.size, 0);
}

static void text_does_not_come_in_the_middle_of_a_frame(void **state)
{
	static const uint8_t frame[] = "<a frame>";

	(void)state;
	uart.slowness = 2;
	assert_int_equal(board_pipe_write(frame, 9), 9);
	board_console_write("text");
	assert_string_equal(uart.line, "<a frame>text");
}

static void a_frame_goes_out_while_the_pipe_is_read(void **state)
{
	static const uint8_t frame[] = "frame";
	uint8_t byte;

	(void)state;
	uart.slowness = 2;
	assert_int_equal(board_pipe_write(frame, 5), 5);
	for (unsigned polls = 0; polls < 10; polls++)
		assert_int_equal(board_pipe_read(&byte, 1), 0);
	assert_string_equal(uart.line, "frame");
}

static void what_is_longer_than_the_buffer_is_taken_in_pieces(void **state)
{
	uint8_t bytes[3 * BOARD_PIPE_BYTES + 5];
	size_t written = 0;

	(void)state;
	uart.slowness = 2;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)(i * 7);
	while (written < sizeof bytes)
		written += board_pipe_write(bytes + written, sizeof bytes - written);
	board_console_write("");
	assert_int_equal(uart.size, sizeof bytes);
	assert_memory_equal(uart.line, bytes, sizeof bytes);
}

static void what_is_received_is_read_in_order(void **state)
{
	uint8_t bytes[8] = {0};

	(void)state;
	for (unsigned round = 0; round < 3 * BOARD_PIPE_BYTES; round++) {
		receive("abcde");
		assert_int_equal(board_pipe_read(bytes, 2), 2);
		assert_memory_equal(bytes, "ab", 2);
		assert_int_equal(board_pipe_read(bytes, sizeof bytes), 3);
		assert_memory_equal(bytes, "cde", 3);
	}
	assert_int_equal(board_pipe_read(bytes, sizeof bytes), 0);
}

static void what_finds_the_buffer_full_is_lost_and_nothing_else(void **state)
{
	uint8_t bytes[BOARD_PIPE_BYTES + 1];

	(void)state;
	for (unsigned i = 0; i < BOARD_PIPE_BYTES + 10; i++)
		uart_received((uint8_t)i);
	assert_int_equal(board_pipe_read(bytes, sizeof bytes), BOARD_PIPE_BYTES);
	for (unsigned i = 0; i < BOARD_PIPE_BYTES; i++)
		assert_int_equal(bytes[i], i);
	receive("z");
	assert_int_equal(board_pipe_read(bytes, sizeof bytes), 1);
	assert_int_equal(bytes[0], 'z');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup(text_waits_for_the_uart, start),
	        cmocka_unit_test_setup(a_pipe_returns_at_once, start),
	        cmocka_unit_test_setup(text_does_not_come_in_the_middle_of_a_frame, start),
	        cmocka_unit_test_setup(a_frame_goes_out_while_the_pipe_is_read, start),
	        cmocka_unit_test_setup(what_is_longer_than_the_buffer_is_taken_in_pieces, start),
	        cmocka_unit_test_setup(what_is_received_is_read_in_order, start),
	        cmocka_unit_test_setup(what_finds_the_buffer_full_is_lost_and_nothing_else, start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
