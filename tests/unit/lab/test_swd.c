/* SPDX-License-Identifier: MIT */
/* The target behind two wires, by what a host drives and samples: bytes and clocks are written out from IHI 0031, B4
 * and B5. */
#include "../../lab/swd.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { OK = 1, WAIT = 2, FAULT = 4, SILENT = 7 };

/* Requests: start, APnDP, RnW, A[2:3], parity, stop, park, the first lowest. */
enum {
	READ_DPIDR = 0xa5,
	WRITE_ABORT = 0x81,
	READ_STATUS = 0x8d,
	WRITE_CONTROL = 0xa9,
	WRITE_SELECT = 0xb1,
	READ_RESEND = 0x95,
	READ_RDBUFF = 0xbd,
	WRITE_TARGETSEL = 0x99,
	READ_CSW = 0x87,
	WRITE_CSW = 0xa3,
	READ_TAR = 0xaf,
	WRITE_TAR = 0x8b,
	READ_DRW = 0x9f,
	WRITE_DRW = 0xbb,
};

#define RAM       0x20000000u
#define DPIDR     0x2ba01477u
#define POWER     0x50000000u
#define POWERED   0xf0000000u
#define CLEAR_ALL 0x1eu
#define OVERRUNS  1u

#define STICKY_OVERRUN 0x02u
#define STICKY_ERROR   0x20u
#define READ_OK        0x40u
#define WRITE_ERROR    0x80u

#define WORDS_OF_1_WINDOW 256u

struct wire {
	struct swd_target *target;
	unsigned turnaround;
	bool always_data;
};

static struct wire open_target(const char *const *options, size_t count)
{
	struct wire wire = {.target = swd_open(options, count), .turnaround = 1};

	assert_non_null(wire.target);
	return wire;
}

#define OPEN(...)                                                                \
	open_target((const char *const[]){"ram=0x20000000,0x2000", __VA_ARGS__}, \
	            sizeof((const char *const[]){"ram=0x20000000,0x2000", __VA_ARGS__}) / sizeof(char *))

static void drive(struct wire *wire, uint64_t bits, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		assert_int_equal(swd_clock(wire->target, true, (bits >> i & 1) != 0), bits >> i & 1);
}

static void drive_bytes(struct wire *wire, const char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		drive(wire, (uint8_t)bytes[i], 8);
}

static uint64_t sample(struct wire *wire, unsigned count)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < count; i++)
		bits |= (uint64_t)swd_clock(wire->target, false, false) << i;
	return bits;
}

static unsigned parity_of(uint32_t word)
{
	return (unsigned)__builtin_popcount(word) & 1;
}

static void reset_line(struct wire *wire)
{
	drive_bytes(wire, "\xff\xff\xff\xff\xff\xff\xff\x00", 8);
}

static void switch_to_swd(struct wire *wire)
{
	drive_bytes(wire, "\xff\xff\xff\xff\xff\xff\xff\x9e\xe7", 9);
	reset_line(wire);
}

static unsigned ask(struct wire *wire, unsigned request)
{
	drive(wire, request, 8);
	sample(wire, wire->turnaround);
	return (unsigned)sample(wire, 3);
}

/* Reads a word; the acknowledge is what there is if it is not OK. */
static unsigned read_word(struct wire *wire, unsigned request, uint32_t *word)
{
	unsigned ack = ask(wire, request);

	if (ack == OK || wire->always_data) {
		uint64_t bits = sample(wire, 33);
		*word = (uint32_t)bits;
		if (ack == OK && parity_of(*word) != bits >> 32)
			ack = 8;
	}
	sample(wire, wire->turnaround);
	return ack;
}

static unsigned write_word(struct wire *wire, unsigned request, uint32_t word)
{
	unsigned ack = ask(wire, request);

	sample(wire, wire->turnaround);
	if (ack == OK || wire->always_data)
		drive(wire, (uint64_t)parity_of(word) << 32 | word, 33);
	return ack;
}

static void assert_reads(struct wire *wire, unsigned request, uint32_t expected)
{
	uint32_t word = ~expected;

	assert_int_equal(read_word(wire, request, &word), OK);
	assert_int_equal(word, expected);
}

static void assert_writes(struct wire *wire, unsigned request, uint32_t word)
{
	assert_int_equal(write_word(wire, request, word), OK);
}

static void power_up(struct wire *wire)
{
	uint32_t status = 0;

	assert_writes(wire, WRITE_CONTROL, POWER);
	for (unsigned i = 0; i < 100 && (status & POWERED) != POWERED; i++)
		assert_int_equal(read_word(wire, READ_STATUS, &status), OK);
	assert_int_equal(status & POWERED, POWERED);
}

static void connect(struct wire *wire)
{
	switch_to_swd(wire);
	assert_reads(wire, READ_DPIDR, DPIDR);
	power_up(wire);
	assert_writes(wire, WRITE_SELECT, 0);
}

/* Words by words, from address on. */
static void begin_at(struct wire *wire, uint32_t address)
{
	assert_writes(wire, WRITE_CSW, 0x23000052);
	assert_writes(wire, WRITE_TAR, address);
}

static uint32_t peek(struct wire *wire, uint32_t address)
{
	uint32_t word = 0;

	begin_at(wire, address);
	assert_int_equal(read_word(wire, READ_DRW, &word), OK);
	assert_int_equal(read_word(wire, READ_RDBUFF, &word), OK);
	return word;
}

static void poke(struct wire *wire, uint32_t address, uint32_t word)
{
	begin_at(wire, address);
	assert_writes(wire, WRITE_DRW, word);
}

static void fill(struct wire *wire)
{
	uint32_t *words = swd_memory(wire->target, RAM, 0x2000);

	assert_non_null(words);
	for (uint32_t i = 0; i < 0x800; i++)
		words[i] = 0xabc00000 + i;
}

static void a_read_takes_46_clocks(void **state)
{
	struct wire wire = OPEN("power-up=0");

	(void)state;
	connect(&wire);
	uint64_t before = swd_counts(wire.target)->clocks;
	assert_reads(&wire, READ_DPIDR, DPIDR);
	assert_int_equal(swd_counts(wire.target)->clocks - before, 46);
	assert_writes(&wire, WRITE_SELECT, 0);
	assert_int_equal(swd_counts(wire.target)->clocks - before, 92);
	assert_int_equal(swd_counts(wire.target)->collisions, 0);
	swd_close(wire.target);
}

static void it_listens_to_jtag_until_it_is_switched(void **state)
{
	struct wire wire = OPEN("power-up=0");

	(void)state;
	reset_line(&wire);
	assert_int_equal(ask(&wire, READ_DPIDR), SILENT);
	switch_to_swd(&wire);
	assert_reads(&wire, READ_DPIDR, DPIDR);
	drive_bytes(&wire, "\xff\xff\xff\xff\xff\xff\xff\x3c\xe7", 9);
	reset_line(&wire);
	assert_int_equal(ask(&wire, READ_DPIDR), SILENT);
	swd_close(wire.target);
}

static void a_line_reset_needs_50_clocks_and_2_low_ones(void **state)
{
	struct wire wire = OPEN("start=swd");

	(void)state;
	drive(&wire, ~0ull, 49);
	drive(&wire, 0, 8);
	assert_int_equal(ask(&wire, READ_DPIDR), SILENT);
	drive(&wire, 0, 8);
	drive(&wire, ~0ull, 50);
	drive(&wire, 0, 1);
	assert_int_equal(ask(&wire, READ_DPIDR), SILENT);
	drive(&wire, 0, 8);
	drive(&wire, ~0ull, 50);
	drive(&wire, 0, 2);
	assert_reads(&wire, READ_DPIDR, DPIDR);
	swd_close(wire.target);
}

static void the_first_after_a_line_reset_is_dpidr(void **state)
{
	struct wire wire = OPEN("start=swd");

	(void)state;
	reset_line(&wire);
	assert_int_equal(ask(&wire, READ_STATUS), SILENT);
	sample(&wire, 1 + 33);
	assert_int_equal(ask(&wire, READ_DPIDR), SILENT);
	reset_line(&wire);
	assert_reads(&wire, READ_DPIDR, DPIDR);
	assert_int_equal(swd_counts(wire.target)->protocol_errors, 1);
	swd_close(wire.target);
}

static void a_request_of_wrong_parity_is_not_answered_until_a_line_reset(void **state)
{
	struct wire wire = OPEN("power-up=0");

	(void)state;
	connect(&wire);
	assert_int_equal(ask(&wire, READ_DPIDR ^ 0x20), SILENT);
	sample(&wire, 8);
	assert_int_equal(ask(&wire, READ_DPIDR), SILENT);
	reset_line(&wire);
	assert_reads(&wire, READ_DPIDR, DPIDR);
	swd_close(wire.target);
}

static void memory_is_read_posted(void **state)
{
	struct wire wire = OPEN("power-up=0");
	uint32_t word;

	(void)state;
	connect(&wire);
	fill(&wire);
	begin_at(&wire, RAM + 8);
	assert_int_equal(read_word(&wire, READ_DRW, &word), OK);
	assert_reads(&wire, READ_DRW, 0xabc00002);
	assert_reads(&wire, READ_RDBUFF, 0xabc00003);
	assert_reads(&wire, READ_RDBUFF, 0xabc00003);
	assert_reads(&wire, READ_RESEND, 0xabc00003);
	assert_int_equal(swd_counts(wire.target)->words, 2);
	swd_close(wire.target);
}

static void tar_wraps_where_its_increment_ends(void **state)
{
	const char *const options[] = {"power-up=0", "wrap=4096"};

	(void)state;
	for (size_t wide = 0; wide < 2; wide++) {
		struct wire wire = OPEN(options[0], options[wide]);
		uint32_t word = 0;

		connect(&wire);
		fill(&wire);
		begin_at(&wire, RAM + 0x3fc);
		assert_int_equal(read_word(&wire, READ_DRW, &word), OK);
		assert_reads(&wire, READ_DRW, 0xabc00000 + WORDS_OF_1_WINDOW - 1);
		assert_reads(&wire, READ_RDBUFF, wide ? 0xabc00000 + WORDS_OF_1_WINDOW : 0xabc00000);
		swd_close(wire.target);
	}
}

static void narrow_accesses_are_in_their_lanes(void **state)
{
	struct wire wire = OPEN("power-up=0");
	uint32_t word;

	(void)state;
	connect(&wire);
	poke(&wire, RAM, 0x44332211);
	assert_writes(&wire, WRITE_CSW, 0x23000050);
	assert_writes(&wire, WRITE_TAR, RAM + 2);
	assert_writes(&wire, WRITE_DRW, 0xaabbccdd);
	assert_int_equal(peek(&wire, RAM), 0x44bb2211);
	assert_writes(&wire, WRITE_CSW, 0x23000061);
	assert_writes(&wire, WRITE_TAR, RAM);
	assert_int_equal(read_word(&wire, READ_DRW, &word), OK);
	assert_reads(&wire, READ_RDBUFF, 0x44bb2211);
	swd_close(wire.target);
}

static void what_an_access_port_lacks_is_not_stored(void **state)
{
	struct wire wire = OPEN("power-up=0", "sizes=4", "packed=0", "prot=0x03000000");
	uint32_t word;

	(void)state;
	connect(&wire);
	assert_writes(&wire, WRITE_CSW, 0x2b000052);
	assert_writes(&wire, WRITE_CSW, 0x2b000060);
	assert_int_equal(read_word(&wire, READ_CSW, &word), OK);
	assert_reads(&wire, READ_RDBUFF, 0x03000052);
	swd_close(wire.target);
}

static uint32_t read_identity(struct wire *wire, uint32_t access_port)
{
	uint32_t word = 0;

	assert_writes(wire, WRITE_SELECT, access_port << 24 | 0xf0);
	assert_int_equal(read_word(wire, READ_DRW, &word), OK);
	assert_int_equal(read_word(wire, READ_RDBUFF, &word), OK);
	return word;
}

static void access_ports_are_where_they_are_told(void **state)
{
	struct wire wire = OPEN("power-up=0", "ap=1", "ap2=3");

	(void)state;
	connect(&wire);
	for (uint32_t i = 0; i < 8; i++)
		assert_int_equal(read_identity(&wire, i), i == 1 || i == 3 ? 0x74770001 : 0);
	swd_close(wire.target);
}

static void access_ports_need_power(void **state)
{
	struct wire wire = OPEN("power-up=100");
	uint32_t word;

	(void)state;
	switch_to_swd(&wire);
	assert_reads(&wire, READ_DPIDR, DPIDR);
	assert_writes(&wire, WRITE_CONTROL, POWER);
	assert_int_equal(read_word(&wire, READ_CSW, &word), FAULT);
	assert_reads(&wire, READ_STATUS, POWER | STICKY_ERROR);
	assert_writes(&wire, WRITE_ABORT, CLEAR_ALL);
	assert_reads(&wire, READ_STATUS, POWERED);
	swd_close(wire.target);
}

static void an_error_is_noted_until_abort(void **state)
{
	struct wire wire = OPEN("power-up=0");
	uint32_t word;

	(void)state;
	connect(&wire);
	begin_at(&wire, 0x40000000);
	assert_int_equal(read_word(&wire, READ_DRW, &word), OK);
	assert_int_equal(read_word(&wire, READ_RDBUFF, &word), FAULT);
	assert_int_equal(write_word(&wire, WRITE_TAR, RAM), FAULT);
	assert_reads(&wire, READ_STATUS, POWERED | STICKY_ERROR);
	assert_writes(&wire, WRITE_ABORT, CLEAR_ALL);
	assert_reads(&wire, READ_STATUS, POWERED);
	assert_int_equal(peek(&wire, RAM), 0);
	swd_close(wire.target);
}

static void garbled_data_is_not_written(void **state)
{
	struct wire wire = OPEN("power-up=0");

	(void)state;
	connect(&wire);
	begin_at(&wire, RAM);
	assert_int_equal(ask(&wire, WRITE_DRW), OK);
	sample(&wire, 1);
	drive(&wire, 7, 33);
	assert_reads(&wire, READ_STATUS, POWERED | WRITE_ERROR);
	assert_writes(&wire, WRITE_ABORT, CLEAR_ALL);
	assert_int_equal(peek(&wire, RAM), 0);
	swd_close(wire.target);
}

static void a_busy_access_port_answers_wait(void **state)
{
	struct wire wire = OPEN("power-up=0", "busy=60");
	uint32_t word;

	(void)state;
	connect(&wire);
	assert_writes(&wire, WRITE_CSW, 0x23000052);
	assert_int_equal(write_word(&wire, WRITE_TAR, RAM), WAIT);
	drive(&wire, 0, 60);
	assert_writes(&wire, WRITE_TAR, RAM);
	assert_int_equal(read_word(&wire, READ_RDBUFF, &word), WAIT);
	assert_int_equal(read_word(&wire, READ_STATUS, &word), OK);
	swd_close(wire.target);
}

static void with_overrun_detection_data_follows_any_acknowledge(void **state)
{
	struct wire wire = OPEN("power-up=0", "wait=2");
	uint32_t word;

	(void)state;
	connect(&wire);
	assert_writes(&wire, WRITE_CONTROL, POWER | OVERRUNS);
	wire.always_data = true;
	assert_writes(&wire, WRITE_CSW, 0x23000052);
	assert_int_equal(write_word(&wire, WRITE_TAR, RAM), WAIT);
	assert_int_equal(read_word(&wire, READ_DRW, &word), FAULT);
	assert_reads(&wire, READ_STATUS, POWERED | OVERRUNS | STICKY_OVERRUN);
	assert_writes(&wire, WRITE_ABORT, CLEAR_ALL);
	assert_int_equal(swd_counts(wire.target)->overruns, 1);
	assert_int_equal(swd_counts(wire.target)->collisions, 0);
	swd_close(wire.target);
}

static void the_turnaround_is_chosen(void **state)
{
	struct wire wire = OPEN("power-up=0");

	(void)state;
	connect(&wire);
	for (unsigned clocks = 4; clocks >= 1; clocks--) {
		assert_writes(&wire, WRITE_SELECT, 1);
		assert_writes(&wire, WRITE_CONTROL, (clocks - 1) << 8);
		wire.turnaround = clocks;
		assert_writes(&wire, WRITE_SELECT, 0);
		assert_reads(&wire, READ_DPIDR, DPIDR);
	}
	assert_int_equal(swd_counts(wire.target)->collisions, 0);
	swd_close(wire.target);
}

static void wake(struct wire *wire)
{
	drive_bytes(wire, "\xff\x92\xf3\x09\x62\x95\x2d\x85\x86\xe9\xaf\xdd\xe3\xa2\x0e\xbc\x19\xa0\x01", 19);
	reset_line(wire);
}

static void select_target(struct wire *wire, uint32_t id)
{
	reset_line(wire);
	assert_int_equal(ask(wire, WRITE_TARGETSEL), SILENT);
	sample(wire, 1);
	drive(wire, (uint64_t)parity_of(id) << 32 | id, 33);
}

static void a_dormant_target_is_woken(void **state)
{
	struct wire wire = OPEN("start=dormant", "dpidr=0x5ba02477");

	(void)state;
	switch_to_swd(&wire);
	assert_int_equal(ask(&wire, READ_DPIDR), SILENT);
	wake(&wire);
	assert_reads(&wire, READ_DPIDR, 0x5ba02477);
	drive_bytes(&wire, "\xff\xff\xff\xff\xff\xff\xff\xbc\xe3", 9);
	reset_line(&wire);
	assert_int_equal(ask(&wire, READ_DPIDR), SILENT);
	swd_close(wire.target);
}

static void of_several_the_selected_target_answers(void **state)
{
	static const uint32_t ids[] = {0x01002927, 0x11002927};
	struct wire wire = OPEN("rp2040=1", "power-up=0");

	(void)state;
	wake(&wire);
	assert_int_equal(ask(&wire, READ_DPIDR), SILENT);
	for (unsigned core = 0; core < 2; core++) {
		select_target(&wire, ids[core]);
		assert_reads(&wire, READ_DPIDR, 0x0bc12477);
		assert_writes(&wire, WRITE_SELECT, 3);
		assert_reads(&wire, READ_STATUS, core << 28 | 1);
		assert_writes(&wire, WRITE_SELECT, 0);
		power_up(&wire);
		poke(&wire, RAM, core + 1);
		assert_int_equal(peek(&wire, RAM), core + 1);
	}
	select_target(&wire, 0x21002927);
	assert_int_equal(ask(&wire, READ_DPIDR), SILENT);
	assert_int_equal(swd_counts(wire.target)->rescues, 0);
	swd_close(wire.target);
}

static void the_rescue_port_resets_the_chip(void **state)
{
	struct wire wire = OPEN("rp2040=1");

	(void)state;
	wake(&wire);
	select_target(&wire, 0xf1002927);
	assert_reads(&wire, READ_DPIDR, 0x0bc12477);
	assert_writes(&wire, WRITE_CONTROL, POWER);
	assert_int_equal(swd_counts(wire.target)->rescues, 1);
	assert_int_equal(swd_counts(wire.target)->resets, 1);
	swd_close(wire.target);
}

static void a_wait_ends_after_three(void **state)
{
	struct wire wire = OPEN("power-up=0", "wait=2");

	(void)state;
	connect(&wire);
	assert_writes(&wire, WRITE_CSW, 0x23000052);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(write_word(&wire, WRITE_TAR, RAM), WAIT);
	assert_writes(&wire, WRITE_TAR, RAM);
	assert_writes(&wire, WRITE_TAR, RAM);
	assert_int_equal(swd_counts(wire.target)->waits, 3);
	swd_close(wire.target);
}

static void an_endless_wait_ends_by_abort(void **state)
{
	struct wire wire = OPEN("power-up=0", "wait-for-ever=2");

	(void)state;
	connect(&wire);
	assert_writes(&wire, WRITE_CSW, 0x23000052);
	for (unsigned i = 0; i < 100; i++)
		assert_int_equal(write_word(&wire, WRITE_TAR, RAM), WAIT);
	assert_writes(&wire, WRITE_ABORT, 1);
	assert_writes(&wire, WRITE_TAR, RAM);
	assert_int_equal(write_word(&wire, WRITE_TAR, RAM), WAIT);
	swd_close(wire.target);
}

static void reads_and_memory_fail_as_often_as_told(void **state)
{
	struct wire wire = OPEN("power-up=0", "fault=3", "parity=7", "silent=16");
	uint32_t word;
	unsigned garbled = 0;

	(void)state;
	switch_to_swd(&wire);
	for (unsigned i = 1; i <= 15; i++) {
		unsigned ack = read_word(&wire, READ_DPIDR, &word);
		garbled += ack == 8;
		assert_int_equal(ack, i % 7 == 0 ? 8 : OK);
		assert_int_equal(word, i % 7 == 0 ? DPIDR ^ 1 : DPIDR);
	}
	assert_int_equal(garbled, 2);
	assert_int_equal(ask(&wire, READ_DPIDR), SILENT);
	reset_line(&wire);
	assert_reads(&wire, READ_DPIDR, DPIDR);
	assert_writes(&wire, WRITE_CONTROL, POWER);
	begin_at(&wire, RAM);
	assert_writes(&wire, WRITE_DRW, 1);
	assert_writes(&wire, WRITE_DRW, 2);
	assert_writes(&wire, WRITE_DRW, 3);
	assert_reads(&wire, READ_STATUS, POWERED | STICKY_ERROR);
	swd_close(wire.target);
}

static void a_reset_target_is_silent_and_without_power(void **state)
{
	struct wire wire = OPEN("power-up=0", "reset=5");

	(void)state;
	connect(&wire);
	assert_int_equal(ask(&wire, WRITE_CSW), SILENT);
	reset_line(&wire);
	assert_reads(&wire, READ_DPIDR, DPIDR);
	assert_reads(&wire, READ_STATUS, 0);
	assert_int_equal(swd_counts(wire.target)->resets, 1);
	swd_close(wire.target);
}

static void an_unplugged_line_stays_silent(void **state)
{
	struct wire wire = OPEN("start=swd", "unplug=2");

	(void)state;
	reset_line(&wire);
	assert_reads(&wire, READ_DPIDR, DPIDR);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(ask(&wire, READ_DPIDR), SILENT);
		reset_line(&wire);
	}
	swd_close(wire.target);
}

static void a_sleeping_core_shows_zeros_unless_its_debug_part_is_kept_awake(void **state)
{
	struct wire wire = OPEN("power-up=0", "zeros=2");

	(void)state;
	connect(&wire);
	poke(&wire, RAM, 7);
	assert_int_equal(peek(&wire, RAM), 0);
	poke(&wire, 0xe0042004, 1);
	assert_int_equal(peek(&wire, RAM), 7);
	swd_close(wire.target);
}

static void a_cache_hides_what_the_core_wrote_last(void **state)
{
	struct wire wire = OPEN("power-up=0", "cache=5000");
	uint32_t *word = swd_memory(wire.target, RAM, sizeof *word);

	(void)state;
	connect(&wire);
	*word = 7;
	assert_int_equal(peek(&wire, RAM), 0);
	assert_writes(&wire, WRITE_CSW, 0x2b000052);
	assert_writes(&wire, WRITE_TAR, RAM);
	assert_reads(&wire, READ_DRW, 0);
	assert_reads(&wire, READ_RDBUFF, 7);
	for (unsigned i = 0; i < 5000; i++)
		sample(&wire, 1);
	reset_line(&wire);
	assert_reads(&wire, READ_DPIDR, DPIDR);
	assert_int_equal(peek(&wire, RAM), 7);
	swd_close(wire.target);
}

static void program_counters_are_spread_evenly_beside_the_share_asleep(void **state)
{
	struct wire wire = OPEN("power-up=0", "pcs=0x1000,20", "asleep=25");
	unsigned counts[10] = {0}, asleep = 0;

	(void)state;
	connect(&wire);
	assert_int_equal(peek(&wire, 0xe000101c), 0);
	poke(&wire, 0xe000edfc, 1u << 24);
	for (unsigned i = 0; i < 1000; i++) {
		uint32_t pc = peek(&wire, 0xe000101c);
		if (pc == 0xffffffff)
			asleep++;
		else
			counts[(pc - 0x1000) / 2]++;
	}
	assert_int_equal(asleep, 250);
	for (unsigned i = 0; i < 10; i++)
		assert_in_range(counts[i], 70, 80);
	swd_close(wire.target);
}

static void a_core_is_halted_and_reset_as_its_registers_say(void **state)
{
	struct wire wire = OPEN("power-up=0");

	(void)state;
	connect(&wire);
	assert_int_equal(peek(&wire, 0xe000ed00), 0x411fc272);
	poke(&wire, 0xe000edf0, 3);
	assert_int_equal(peek(&wire, 0xe000edf0) & 0x20003, 0);
	poke(&wire, 0xe000edf0, 0xa05f0003);
	assert_int_equal(peek(&wire, 0xe000edf0) & 0x20003, 0x20003);
	poke(&wire, 0xe000edf0, 0xa05f0000);
	assert_int_equal(peek(&wire, 0xe000edf0) & 0x20003, 0);
	poke(&wire, 0xe000ed0c, 0x05fa0004);
	assert_int_equal(peek(&wire, 0xe000edf0) & 1u << 25, 1u << 25);
	swd_drive_reset(wire.target, true);
	swd_drive_reset(wire.target, false);
	assert_int_equal(swd_counts(wire.target)->halts, 1);
	assert_int_equal(swd_counts(wire.target)->resets, 2);
	swd_close(wire.target);
}

static void wrong_options_are_refused(void **state)
{
	static const char *const wrong[] = {"wait=",
	                                    "wait=x",
	                                    "wait=1x",
	                                    "nothing=1",
	                                    "start=sw",
	                                    "ram=1",
	                                    "pcs=1,1",
	                                    "file=0,/no/such/file",
	                                    "elf=/no/such/file"};

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		assert_null(swd_open(&wrong[i], 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_read_takes_46_clocks),
	        cmocka_unit_test(it_listens_to_jtag_until_it_is_switched),
	        cmocka_unit_test(a_line_reset_needs_50_clocks_and_2_low_ones),
	        cmocka_unit_test(the_first_after_a_line_reset_is_dpidr),
	        cmocka_unit_test(a_request_of_wrong_parity_is_not_answered_until_a_line_reset),
	        cmocka_unit_test(memory_is_read_posted),
	        cmocka_unit_test(tar_wraps_where_its_increment_ends),
	        cmocka_unit_test(narrow_accesses_are_in_their_lanes),
	        cmocka_unit_test(what_an_access_port_lacks_is_not_stored),
	        cmocka_unit_test(access_ports_are_where_they_are_told),
	        cmocka_unit_test(access_ports_need_power),
	        cmocka_unit_test(an_error_is_noted_until_abort),
	        cmocka_unit_test(garbled_data_is_not_written),
	        cmocka_unit_test(a_busy_access_port_answers_wait),
	        cmocka_unit_test(with_overrun_detection_data_follows_any_acknowledge),
	        cmocka_unit_test(the_turnaround_is_chosen),
	        cmocka_unit_test(a_dormant_target_is_woken),
	        cmocka_unit_test(of_several_the_selected_target_answers),
	        cmocka_unit_test(the_rescue_port_resets_the_chip),
	        cmocka_unit_test(a_wait_ends_after_three),
	        cmocka_unit_test(an_endless_wait_ends_by_abort),
	        cmocka_unit_test(reads_and_memory_fail_as_often_as_told),
	        cmocka_unit_test(a_reset_target_is_silent_and_without_power),
	        cmocka_unit_test(an_unplugged_line_stays_silent),
	        cmocka_unit_test(a_sleeping_core_shows_zeros_unless_its_debug_part_is_kept_awake),
	        cmocka_unit_test(a_cache_hides_what_the_core_wrote_last),
	        cmocka_unit_test(program_counters_are_spread_evenly_beside_the_share_asleep),
	        cmocka_unit_test(a_core_is_halted_and_reset_as_its_registers_say),
	        cmocka_unit_test(wrong_options_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
