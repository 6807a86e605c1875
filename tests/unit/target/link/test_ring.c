/* SPDX-License-Identifier: MIT */
/* The ring between an interrupt, simulated by signals, and the main loop. */
#include "../../interrupt.h"
#include "test.h"

#include <bareprof/ring.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

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

TEST(bytes_come_out_in_order)
{
	take(4, "");
	put("abc", 3);
	take(2, "ab");
	put("defghij", 7);
	take(16, "cdefghij");
	take(16, "");
}

TEST(a_full_ring_takes_no_more)
{
	put("0123456789", 8);
	put("x", 0);
	take(3, "012");
	put("abcdef", 3);
	take(16, "34567abc");
}

TEST(counts_may_wrap)
{
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

TEST(nothing_is_lost_when_interrupts_put)
{
	uint32_t taken = 0;

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

TEST(nothing_is_lost_when_interrupts_take)
{
	uint8_t bytes[16];
	uint32_t sent = 0;

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

static void put_five(void)
{
	put("abcde", 5);
}

static void put_three(void)
{
	put("xyz", 3);
}

static void take_three(void)
{
	take(3, "abc");
}

/* The last run of each loop was not interrupted: the ring is left with what work() did alone. */
TEST(a_put_can_be_interrupted_anywhere_by_a_take)
{
	while (interrupted(put_five, put_three, take_three))
		take(16, "dexyz");
	take(16, "abcdexyz");
}

TEST(a_take_can_be_interrupted_anywhere_by_a_put)
{
	while (interrupted(put_five, take_three, put_three))
		take(16, "dexyz");
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

static void clear_bytes(void)
{
	memset(ring.bytes, 0xEE, 8);
}

TEST(an_empty_ring_gives_only_what_was_put)
{
	static void (*const both[])(void) = {put_as_many_as_fit, take_all_there_are};

	for (unsigned take_is_interrupted = 0; take_is_interrupted < 2; take_is_interrupted++) {
		while (interrupted(clear_bytes, both[take_is_interrupted], both[!take_is_interrupted])) {
			assert_int_equal(put_count, 8);
			assert_true(taken_count == 0 || taken_count == 8);
			assert_memory_equal(taken_bytes, "01234567", taken_count);
			take(16, taken_count == 0 ? "01234567" : "");
		}
		take_all_there_are();
	}
}

static void fill(void)
{
	put("abcdefgh", 8);
}

TEST(a_full_ring_is_not_overwritten)
{
	while (interrupted(fill, take_all_there_are, put_as_many_as_fit)) {
		assert_int_equal(taken_count, 8);
		assert_memory_equal(taken_bytes, "abcdefgh", 8);
		take(16, put_count == 0 ? "" : "01234567");
	}
}

#endif
