/* SPDX-License-Identifier: MIT */
/* The ring between an interrupt and the main loop; signals play the interrupt. */
#include "../../interrupt.h"

#include <bareprof/ring.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/time.h>

#include <cmocka.h>

BAREPROF_RING(ring, 8);
BAREPROF_RING(busy, 16);

static void put(const char *bytes, size_t expected)
{
	assert_int_equal(bareprof_ring_put(&ring, (const uint8_t *)bytes, strlen(bytes)), expected);
}

static void take(size_t size, const char *expected)
{
	uint8_t bytes[16];

	assert_int_equal(bareprof_ring_take(&ring, bytes, size), strlen(expected));
	assert_memory_equal(bytes, expected, strlen(expected));
}

static void bytes_come_out_in_order(void **state)
{
	(void)state;
	take(4, "");
	put("abc", 3);
	take(2, "ab");
	put("defghij", 7);
	take(16, "cdefghij");
	take(16, "");
}

static void a_full_ring_takes_no_more(void **state)
{
	(void)state;
	put("0123456789", 8);
	put("x", 0);
	take(3, "012");
	put("abcdef", 3);
	take(16, "34567abc");
}

static void counts_may_wrap(void **state)
{
	(void)state;
	ring.put = ring.taken = UINT32_MAX - 2;
	for (unsigned i = 0; i < 10; i++) {
		put("0123456789", 8);
		take(5, "01234");
		put("abc", 3);
		take(16, "567abc");
	}
}

/* The interrupt puts the bytes 0, 1, 2..., and counts those that found no room. */
static volatile uint32_t next_byte, calls;

static void put_interrupt(int signal)
{
	uint8_t bytes[3];
	const uint32_t next = next_byte;

	(void)signal;
	for (uint32_t i = 0; i < 3; i++)
		bytes[i] = (uint8_t)(next + i);
	next_byte = next + (uint32_t)bareprof_ring_put(&busy, bytes, sizeof bytes);
	calls++;
}

static void take_interrupt(int signal)
{
	uint8_t bytes[3];
	const size_t size = bareprof_ring_take(&busy, bytes, sizeof bytes);

	(void)signal;
	for (size_t i = 0; i < size; i++)
		assert_int_equal(bytes[i], (uint8_t)next_byte++);
	calls++;
}

static void set_timer(suseconds_t microseconds)
{
	const struct itimerval timer = {{0, microseconds}, {0, microseconds}};

	assert_int_equal(setitimer(ITIMER_REAL, &timer, NULL), 0);
}

static void interrupt_often(void (*handler)(int signal))
{
	const struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};

	next_byte = calls = 0;
	assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
	set_timer(20);
}

static void nothing_is_lost_when_interrupts_put(void **state)
{
	uint32_t taken = 0;

	(void)state;
	interrupt_often(put_interrupt);
	while (calls < 2000) {
		uint8_t bytes[5];
		const size_t size = bareprof_ring_take(&busy, bytes, sizeof bytes);

		for (size_t i = 0; i < size; i++)
			assert_int_equal(bytes[i], (uint8_t)taken++);
	}
	assert_true(taken > 0);
	set_timer(0);
}

static void nothing_is_lost_when_interrupts_take(void **state)
{
	uint8_t bytes[16];
	uint32_t sent = 0;

	(void)state;
	bareprof_ring_take(&busy, bytes, sizeof bytes);
	interrupt_often(take_interrupt);
	while (calls < 2000) {
		for (uint32_t i = 0; i < 5; i++)
			bytes[i] = (uint8_t)(sent + i);
		sent += (uint32_t)bareprof_ring_put(&busy, bytes, 5);
	}
	assert_true(sent > 0);
	set_timer(0);
}

#ifdef __x86_64__

static void put_three(void)
{
	put("xyz", 3);
}

static void take_three(void)
{
	uint8_t bytes[3];

	assert_int_equal(bareprof_ring_take(&ring, bytes, sizeof bytes), 3);
	assert_memory_equal(bytes, "abc", 3);
}

static void a_put_can_be_interrupted_anywhere_by_a_take(void **state)
{
	uint32_t instructions;

	(void)state;
	catch_instructions();
	for (instructions = 0;; instructions++) {
		put("abcde", 5);
		if (!interrupted_after(instructions, put_three, take_three))
			break;
		take(16, "dexyz");
	}
	assert_true(instructions > 20);
	take(16, "abcdexyz");
}

static void a_take_can_be_interrupted_anywhere_by_a_put(void **state)
{
	uint32_t instructions;

	(void)state;
	catch_instructions();
	for (instructions = 0;; instructions++) {
		put("abcde", 5);
		if (!interrupted_after(instructions, take_three, put_three))
			break;
		take(16, "dexyz");
	}
	assert_true(instructions > 20);
	take(16, "de");
}

/* The reader finds all bytes of a write or none yet; the writer finds all of the room or none yet. */
static uint32_t put_count, taken_count;
static uint8_t taken_bytes[8];

static void put_as_many_as_fit(void)
{
	put_count = (uint32_t)bareprof_ring_put(&ring, (const uint8_t *)"01234567", 8);
}

static void take_all_there_are(void)
{
	taken_count = (uint32_t)bareprof_ring_take(&ring, taken_bytes, sizeof taken_bytes);
}

static void an_empty_ring_gives_only_what_was_put(void **state)
{
	static void (*const both[])(void) = {put_as_many_as_fit, take_all_there_are};
	uint32_t instructions;

	(void)state;
	catch_instructions();
	for (unsigned take_is_interrupted = 0; take_is_interrupted < 2; take_is_interrupted++) {
		for (instructions = 0;; instructions++) {
			memset(ring.bytes, 0xEE, 8);
			if (!interrupted_after(instructions, both[take_is_interrupted], both[!take_is_interrupted]))
				break;
			assert_int_equal(put_count, 8);
			assert_true(taken_count == 0 || taken_count == 8);
			assert_memory_equal(taken_bytes, "01234567", taken_count);
			take(16, taken_count == 0 ? "01234567" : "");
		}
		assert_true(instructions > 20);
		take_all_there_are();
	}
}

static void a_full_ring_is_not_overwritten(void **state)
{
	uint32_t instructions;

	(void)state;
	catch_instructions();
	for (instructions = 0;; instructions++) {
		put("abcdefgh", 8);
		if (!interrupted_after(instructions, take_all_there_are, put_as_many_as_fit))
			break;
		assert_int_equal(taken_count, 8);
		assert_memory_equal(taken_bytes, "abcdefgh", 8);
		take(16, put_count == 0 ? "" : "01234567");
	}
	assert_true(instructions > 20);
}

#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(bytes_come_out_in_order),
	        cmocka_unit_test(a_full_ring_takes_no_more),
	        cmocka_unit_test(counts_may_wrap),
	        cmocka_unit_test(nothing_is_lost_when_interrupts_put),
	        cmocka_unit_test(nothing_is_lost_when_interrupts_take),
#ifdef __x86_64__
	        cmocka_unit_test(a_put_can_be_interrupted_anywhere_by_a_take),
	        cmocka_unit_test(a_take_can_be_interrupted_anywhere_by_a_put),
	        cmocka_unit_test(an_empty_ring_gives_only_what_was_put),
	        cmocka_unit_test(a_full_ring_is_not_overwritten),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
