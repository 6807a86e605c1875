/* SPDX-License-Identifier: MIT */
/* The target behind two wires, by what a host drives and samples: bytes and clocks are written out from IHI 0031, B4
 * and B5. */
#include "wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define RAM       0x20000000u
#define CLEAR_ALL 0x1eu /* of ABORT */
#define OVERRUNS  1u    /* of CTRL/STAT */

#define STICKY_OVERRUN 0x02u
#define STICKY_ERROR   0x20u
#define READ_OK        0x40u
#define WRITE_ERROR    0x80u

#define WORDS_OF_1_WINDOW 256u

#define OPEN(...)                                                              \
	wire_open((const char *const[]){"ram=0x20000000,0x2000", __VA_ARGS__}, \
	          sizeof((const char *const[]){"ram=0x20000000,0x2000", __VA_ARGS__}) / sizeof(char *))

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
	wire_connect(&wire);
	uint64_t before = swd_counts(wire.target)->clocks;
	wire_assert_reads(&wire, READ_DPIDR, DPIDR);
	assert_int_equal(swd_counts(wire.target)->clocks - before, 46);
	wire_assert_writes(&wire, WRITE_SELECT, 0);
	assert_int_equal(swd_counts(wire.target)->clocks - before, 92);
	assert_int_equal(swd_counts(wire.target)->collisions, 0);
	swd_close(wire.target);
}

static void it_listens_to_jtag_until_it_is_switched(void **state)
{
	struct wire wire = OPEN("power-up=0");

	(void)state;
	wire_reset(&wire);
	assert_int_equal(wire_ask(&wire, READ_DPIDR), SILENT);
	wire_switch_to_swd(&wire);
	wire_assert_reads(&wire, READ_DPIDR, DPIDR);
	wire_drive_bytes(&wire, "\xff\xff\xff\xff\xff\xff\xff\x3c\xe7", 9);
	wire_reset(&wire);
	assert_int_equal(wire_ask(&wire, READ_DPIDR), SILENT);
	swd_close(wire.target);
}

static void a_line_reset_needs_50_clocks_and_2_low_ones(void **state)
{
	struct wire wire = OPEN("start=swd");

	(void)state;
	wire_drive(&wire, ~0ull, 49);
	wire_drive(&wire, 0, 8);
	assert_int_equal(wire_ask(&wire, READ_DPIDR), SILENT);
	wire_drive(&wire, 0, 8);
	wire_drive(&wire, ~0ull, 50);
	wire_drive(&wire, 0, 1);
	assert_int_equal(wire_ask(&wire, READ_DPIDR), SILENT);
	wire_drive(&wire, 0, 8);
	wire_drive(&wire, ~0ull, 50);
	wire_drive(&wire, 0, 2);
	wire_assert_reads(&wire, READ_DPIDR, DPIDR);
	swd_close(wire.target);
}

static void the_first_after_a_line_reset_is_dpidr(void **state)
{
	struct wire wire = OPEN("start=swd");

	(void)state;
	wire_reset(&wire);
	assert_int_equal(wire_ask(&wire, READ_STATUS), SILENT);
	wire_sample(&wire, 1 + 33);
	assert_int_equal(wire_ask(&wire, READ_DPIDR), SILENT);
	wire_reset(&wire);
	wire_assert_reads(&wire, READ_DPIDR, DPIDR);
	assert_int_equal(swd_counts(wire.target)->protocol_errors, 1);
	swd_close(wire.target);
}

static void a_request_of_wrong_parity_is_not_answered_until_a_line_reset(void **state)
{
	struct wire wire = OPEN("power-up=0");

	(void)state;
	wire_connect(&wire);
	assert_int_equal(wire_ask(&wire, READ_DPIDR ^ 0x20), SILENT);
	wire_sample(&wire, 8);
	assert_int_equal(wire_ask(&wire, READ_DPIDR), SILENT);
	wire_reset(&wire);
	wire_assert_reads(&wire, READ_DPIDR, DPIDR);
	swd_close(wire.target);
}

static void memory_is_read_posted(void **state)
{
	struct wire wire = OPEN("power-up=0");
	uint32_t word;

	(void)state;
	wire_connect(&wire);
	fill(&wire);
	wire_begin_at(&wire, RAM + 8);
	assert_int_equal(wire_read(&wire, READ_DRW, &word), OK);
	wire_assert_reads(&wire, READ_DRW, 0xabc00002);
	wire_assert_reads(&wire, READ_RDBUFF, 0xabc00003);
	wire_assert_reads(&wire, READ_RDBUFF, 0xabc00003);
	wire_assert_reads(&wire, READ_RESEND, 0xabc00003);
	wire_assert_reads(&wire, READ_STATUS, POWERED | READ_OK);
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

		wire_connect(&wire);
		fill(&wire);
		wire_begin_at(&wire, RAM + 0x3fc);
		assert_int_equal(wire_read(&wire, READ_DRW, &word), OK);
		wire_assert_reads(&wire, READ_DRW, 0xabc00000 + WORDS_OF_1_WINDOW - 1);
		wire_assert_reads(&wire, READ_RDBUFF, wide ? 0xabc00000 + WORDS_OF_1_WINDOW : 0xabc00000);
		swd_close(wire.target);
	}
}

static void narrow_accesses_are_in_their_lanes(void **state)
{
	struct wire wire = OPEN("power-up=0");
	uint32_t word;

	(void)state;
	wire_connect(&wire);
	wire_poke(&wire, RAM, 0x44332211);
	wire_assert_writes(&wire, WRITE_CSW, 0x23000050);
	wire_assert_writes(&wire, WRITE_TAR, RAM + 2);
	wire_assert_writes(&wire, WRITE_DRW, 0xaabbccdd);
	assert_int_equal(wire_peek(&wire, RAM), 0x44bb2211);
	wire_assert_writes(&wire, WRITE_CSW, 0x23000061);
	wire_assert_writes(&wire, WRITE_TAR, RAM);
	assert_int_equal(wire_read(&wire, READ_DRW, &word), OK);
	wire_assert_reads(&wire, READ_RDBUFF, 0x44bb2211);
	swd_close(wire.target);
}

static void what_an_access_port_lacks_is_not_stored(void **state)
{
	struct wire wire = OPEN("power-up=0", "sizes=4", "packed=0", "prot=0x03000000");
	uint32_t word;

	(void)state;
	wire_connect(&wire);
	wire_assert_writes(&wire, WRITE_CSW, 0x2b000052);
	wire_assert_writes(&wire, WRITE_CSW, 0x2b000060);
	assert_int_equal(wire_read(&wire, READ_CSW, &word), OK);
	wire_assert_reads(&wire, READ_RDBUFF, 0x03000052);
	swd_close(wire.target);
}

static uint32_t read_identity(struct wire *wire, uint32_t access_port)
{
	uint32_t word = 0;

	wire_assert_writes(wire, WRITE_SELECT, access_port << 24 | 0xf0);
	assert_int_equal(wire_read(wire, READ_DRW, &word), OK);
	assert_int_equal(wire_read(wire, READ_RDBUFF, &word), OK);
	return word;
}

static void access_ports_are_where_they_are_told(void **state)
{
	struct wire wire = OPEN("power-up=0", "ap=1", "ap2=3");

	(void)state;
	wire_connect(&wire);
	for (uint32_t i = 0; i < 8; i++)
		assert_int_equal(read_identity(&wire, i), i == 1 || i == 3 ? 0x74770001 : 0);
	swd_close(wire.target);
}

static void access_ports_need_power(void **state)
{
	struct wire wire = OPEN("power-up=100");
	uint32_t word;

	(void)state;
	wire_switch_to_swd(&wire);
	wire_assert_reads(&wire, READ_DPIDR, DPIDR);
	wire_assert_writes(&wire, WRITE_CONTROL, POWER);
	assert_int_equal(wire_read(&wire, READ_CSW, &word), FAULT);
	wire_assert_reads(&wire, READ_STATUS, POWER | STICKY_ERROR);
	wire_assert_writes(&wire, WRITE_ABORT, CLEAR_ALL);
	wire_assert_reads(&wire, READ_STATUS, POWERED);
	swd_close(wire.target);
}

static void an_error_is_noted_until_abort(void **state)
{
	struct wire wire = OPEN("power-up=0");
	uint32_t word;

	(void)state;
	wire_connect(&wire);
	wire_begin_at(&wire, 0x40000000);
	assert_int_equal(wire_read(&wire, READ_DRW, &word), OK);
	assert_int_equal(wire_read(&wire, READ_RDBUFF, &word), FAULT);
	assert_int_equal(wire_write(&wire, WRITE_TAR, RAM), FAULT);
	wire_assert_reads(&wire, READ_STATUS, POWERED | STICKY_ERROR);
	wire_assert_writes(&wire, WRITE_ABORT, CLEAR_ALL);
	wire_assert_reads(&wire, READ_STATUS, POWERED);
	assert_int_equal(wire_peek(&wire, RAM), 0);
	swd_close(wire.target);
}

static void garbled_data_is_not_written(void **state)
{
	struct wire wire = OPEN("power-up=0");

	(void)state;
	wire_connect(&wire);
	wire_begin_at(&wire, RAM);
	assert_int_equal(wire_ask(&wire, WRITE_DRW), OK);
	wire_sample(&wire, 1);
	wire_drive(&wire, 7, 33);
	wire_assert_reads(&wire, READ_STATUS, POWERED | WRITE_ERROR);
	wire_assert_writes(&wire, WRITE_ABORT, CLEAR_ALL);
	assert_int_equal(wire_peek(&wire, RAM), 0);
	swd_close(wire.target);
}

static void a_busy_access_port_answers_wait(void **state)
{
	struct wire wire = OPEN("power-up=0", "busy=60");
	uint32_t word;

	(void)state;
	wire_connect(&wire);
	wire_assert_writes(&wire, WRITE_CSW, 0x23000052);
	assert_int_equal(wire_write(&wire, WRITE_TAR, RAM), WAIT);
	wire_drive(&wire, 0, 60);
	wire_assert_writes(&wire, WRITE_TAR, RAM);
	assert_int_equal(wire_read(&wire, READ_RDBUFF, &word), WAIT);
	assert_int_equal(wire_read(&wire, READ_STATUS, &word), OK);
	swd_close(wire.target);
}

static void with_overrun_detection_data_follows_any_acknowledge(void **state)
{
	struct wire wire = OPEN("power-up=0", "wait=2");
	uint32_t word;

	(void)state;
	wire_connect(&wire);
	wire_assert_writes(&wire, WRITE_CONTROL, POWER | OVERRUNS);
	wire.always_data = true;
	wire_assert_writes(&wire, WRITE_CSW, 0x23000052);
	assert_int_equal(wire_write(&wire, WRITE_TAR, RAM), WAIT);
	assert_int_equal(wire_read(&wire, READ_DRW, &word), FAULT);
	wire_assert_reads(&wire, READ_STATUS, POWERED | OVERRUNS | STICKY_OVERRUN);
	wire_assert_writes(&wire, WRITE_ABORT, CLEAR_ALL);
	assert_int_equal(swd_counts(wire.target)->overruns, 1);
	assert_int_equal(swd_counts(wire.target)->collisions, 0);
	swd_close(wire.target);
}

static void the_turnaround_is_chosen(void **state)
{
	struct wire wire = OPEN("power-up=0");

	(void)state;
	wire_connect(&wire);
	for (unsigned clocks = 4; clocks >= 1; clocks--) {
		wire_assert_writes(&wire, WRITE_SELECT, 1);
		wire_assert_writes(&wire, WRITE_CONTROL, (clocks - 1) << 8);
		wire.turnaround = clocks;
		wire_assert_writes(&wire, WRITE_SELECT, 0);
		wire_assert_reads(&wire, READ_DPIDR, DPIDR);
	}
	assert_int_equal(swd_counts(wire.target)->collisions, 0);
	swd_close(wire.target);
}

static void wake(struct wire *wire)
{
	wire_drive_bytes(wire, "\xff\x92\xf3\x09\x62\x95\x2d\x85\x86\xe9\xaf\xdd\xe3\xa2\x0e\xbc\x19\xa0\x01", 19);
	wire_reset(wire);
}

static void select_target(struct wire *wire, uint32_t id)
{
	wire_reset(wire);
	assert_int_equal(wire_ask(wire, WRITE_TARGETSEL), SILENT);
	wire_sample(wire, 1);
	wire_drive(wire, (uint64_t)wire_parity(id) << 32 | id, 33);
}

static void a_dormant_target_is_woken(void **state)
{
	struct wire wire = OPEN("start=dormant", "dpidr=0x5ba02477");

	(void)state;
	wire_switch_to_swd(&wire);
	assert_int_equal(wire_ask(&wire, READ_DPIDR), SILENT);
	wake(&wire);
	wire_assert_reads(&wire, READ_DPIDR, 0x5ba02477);
	wire_drive_bytes(&wire, "\xff\xff\xff\xff\xff\xff\xff\xbc\xe3", 9);
	wire_reset(&wire);
	assert_int_equal(wire_ask(&wire, READ_DPIDR), SILENT);
	swd_close(wire.target);
}

static void of_several_the_selected_target_answers(void **state)
{
	static const uint32_t ids[] = {0x01002927, 0x11002927};
	struct wire wire = OPEN("rp2040=1", "power-up=0");

	(void)state;
	wake(&wire);
	assert_int_equal(wire_ask(&wire, READ_DPIDR), SILENT);
	for (unsigned core = 0; core < 2; core++) {
		select_target(&wire, ids[core]);
		wire_assert_reads(&wire, READ_DPIDR, 0x0bc12477);
		wire_assert_writes(&wire, WRITE_SELECT, 3);
		wire_assert_reads(&wire, READ_STATUS, core << 28 | 1);
		wire_assert_writes(&wire, WRITE_SELECT, 0);
		wire_power_up(&wire);
		wire_poke(&wire, RAM, core + 1);
		assert_int_equal(wire_peek(&wire, RAM), core + 1);
	}
	select_target(&wire, 0x21002927);
	assert_int_equal(wire_ask(&wire, READ_DPIDR), SILENT);
	assert_int_equal(swd_counts(wire.target)->rescues, 0);
	swd_close(wire.target);
}

static void the_rescue_port_resets_the_chip(void **state)
{
	struct wire wire = OPEN("rp2040=1");

	(void)state;
	wake(&wire);
	select_target(&wire, 0xf1002927);
	wire_assert_reads(&wire, READ_DPIDR, 0x0bc12477);
	wire_assert_writes(&wire, WRITE_CONTROL, POWER);
	assert_int_equal(swd_counts(wire.target)->rescues, 1);
	assert_int_equal(swd_counts(wire.target)->resets, 1);
	swd_close(wire.target);
}

static void a_wait_ends_after_three(void **state)
{
	struct wire wire = OPEN("power-up=0", "wait=2");

	(void)state;
	wire_connect(&wire);
	wire_assert_writes(&wire, WRITE_CSW, 0x23000052);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(wire_write(&wire, WRITE_TAR, RAM), WAIT);
	wire_assert_writes(&wire, WRITE_TAR, RAM);
	wire_assert_writes(&wire, WRITE_TAR, RAM);
	assert_int_equal(swd_counts(wire.target)->waits, 3);
	swd_close(wire.target);
}

static void an_endless_wait_ends_by_abort(void **state)
{
	struct wire wire = OPEN("power-up=0", "wait-for-ever=2");

	(void)state;
	wire_connect(&wire);
	wire_assert_writes(&wire, WRITE_CSW, 0x23000052);
	for (unsigned i = 0; i < 100; i++)
		assert_int_equal(wire_write(&wire, WRITE_TAR, RAM), WAIT);
	wire_assert_writes(&wire, WRITE_ABORT, 1);
	wire_assert_writes(&wire, WRITE_TAR, RAM);
	assert_int_equal(wire_write(&wire, WRITE_TAR, RAM), WAIT);
	swd_close(wire.target);
}

static void reads_and_memory_fail_as_often_as_told(void **state)
{
	struct wire wire = OPEN("power-up=0", "fault=3", "parity=7", "silent=16");
	uint32_t word;
	unsigned garbled = 0;

	(void)state;
	wire_switch_to_swd(&wire);
	for (unsigned i = 1; i <= 15; i++) {
		unsigned ack = wire_read(&wire, READ_DPIDR, &word);
		garbled += ack == GARBLED;
		assert_int_equal(ack, i % 7 == 0 ? GARBLED : OK);
		assert_int_equal(word, i % 7 == 0 ? DPIDR ^ 1 : DPIDR);
	}
	assert_int_equal(garbled, 2);
	assert_int_equal(wire_ask(&wire, READ_DPIDR), SILENT);
	wire_reset(&wire);
	wire_assert_reads(&wire, READ_DPIDR, DPIDR);
	wire_assert_writes(&wire, WRITE_CONTROL, POWER);
	wire_begin_at(&wire, RAM);
	wire_assert_writes(&wire, WRITE_DRW, 1);
	wire_assert_writes(&wire, WRITE_DRW, 2);
	wire_assert_writes(&wire, WRITE_DRW, 3);
	wire_assert_reads(&wire, READ_STATUS, POWERED | STICKY_ERROR);
	swd_close(wire.target);
}

static void a_reset_target_is_silent_and_without_power(void **state)
{
	struct wire wire = OPEN("power-up=0", "reset=5");

	(void)state;
	wire_connect(&wire);
	assert_int_equal(wire_ask(&wire, WRITE_CSW), SILENT);
	wire_reset(&wire);
	wire_assert_reads(&wire, READ_DPIDR, DPIDR);
	wire_assert_reads(&wire, READ_STATUS, 0);
	assert_int_equal(swd_counts(wire.target)->resets, 1);
	swd_close(wire.target);
}

static void an_unplugged_line_stays_silent(void **state)
{
	struct wire wire = OPEN("start=swd", "unplug=2");

	(void)state;
	wire_reset(&wire);
	wire_assert_reads(&wire, READ_DPIDR, DPIDR);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(wire_ask(&wire, READ_DPIDR), SILENT);
		wire_reset(&wire);
	}
	swd_close(wire.target);
}

static void a_sleeping_core_shows_zeros_unless_its_debug_part_is_kept_awake(void **state)
{
	struct wire wire = OPEN("power-up=0", "zeros=2");

	(void)state;
	wire_connect(&wire);
	wire_poke(&wire, RAM, 7);
	assert_int_equal(wire_peek(&wire, RAM), 0);
	wire_poke(&wire, 0xe0042004, 1);
	assert_int_equal(wire_peek(&wire, RAM), 7);
	swd_close(wire.target);
}

static void a_cache_hides_what_the_core_wrote_last(void **state)
{
	struct wire wire = OPEN("power-up=0", "cache=5000");
	uint32_t *word = swd_memory(wire.target, RAM, sizeof *word);

	(void)state;
	wire_connect(&wire);
	*word = 7;
	assert_int_equal(wire_peek(&wire, RAM), 0);
	wire_assert_writes(&wire, WRITE_CSW, 0x2b000052);
	wire_assert_writes(&wire, WRITE_TAR, RAM);
	wire_assert_reads(&wire, READ_DRW, 0);
	wire_assert_reads(&wire, READ_RDBUFF, 7);
	for (unsigned i = 0; i < 5000; i++)
		wire_sample(&wire, 1);
	wire_reset(&wire);
	wire_assert_reads(&wire, READ_DPIDR, DPIDR);
	assert_int_equal(wire_peek(&wire, RAM), 7);
	swd_close(wire.target);
}

static void program_counters_are_spread_evenly_beside_the_share_asleep(void **state)
{
	struct wire wire = OPEN("power-up=0", "pcs=0x1000,20", "asleep=25");
	unsigned counts[10] = {0}, asleep = 0;

	(void)state;
	wire_connect(&wire);
	assert_int_equal(wire_peek(&wire, 0xe000101c), 0);
	wire_poke(&wire, 0xe000edfc, 1u << 24);
	for (unsigned i = 0; i < 1000; i++) {
		uint32_t pc = wire_peek(&wire, 0xe000101c);
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
	wire_connect(&wire);
	assert_int_equal(wire_peek(&wire, 0xe000ed00), 0x411fc272);
	wire_poke(&wire, 0xe000edf0, 3);
	assert_int_equal(wire_peek(&wire, 0xe000edf0) & 0x20003, 0);
	wire_poke(&wire, 0xe000edf0, 0xa05f0003);
	/* Instructions were retired before, and none since. */
	assert_int_equal(wire_peek(&wire, 0xe000edf0) & 0x1020003, 0x1020003);
	assert_int_equal(wire_peek(&wire, 0xe000edf0) & 0x1020003, 0x20003);
	wire_poke(&wire, 0xe000edf0, 0xa05f0000);
	assert_int_equal(wire_peek(&wire, 0xe000edf0) & 0x1020003, 0x1000000);
	wire_poke(&wire, 0xe000ed0c, 0x05fa0004);
	assert_int_equal(wire_peek(&wire, 0xe000edf0) & 1u << 25, 1u << 25);
	swd_drive_reset(wire.target, true);
	swd_drive_reset(wire.target, false);
	assert_int_equal(swd_counts(wire.target)->halts, 1);
	assert_int_equal(swd_counts(wire.target)->resets, 2);
	swd_close(wire.target);
}

static void a_deaf_core_is_reset_by_its_pin_only(void **state)
{
	struct wire wire = OPEN("power-up=0", "deaf=1");

	(void)state;
	wire_connect(&wire);
	wire_poke(&wire, 0xe000ed0c, 0x05fa0004);
	assert_int_equal(wire_peek(&wire, 0xe000edf0) & 1u << 25, 0);
	swd_drive_reset(wire.target, true);
	assert_int_equal(wire_peek(&wire, 0xe000edf0) & 1u << 25, 1u << 25);
	assert_int_equal(swd_counts(wire.target)->resets, 1);
	swd_close(wire.target);
}

static void a_failed_read_is_not_noted_as_good(void **state)
{
	struct wire wire = OPEN("power-up=0");
	uint32_t word;

	(void)state;
	wire_connect(&wire);
	assert_int_equal(wire_peek(&wire, RAM), 0);
	wire_assert_reads(&wire, READ_STATUS, POWERED | READ_OK);
	wire_begin_at(&wire, RAM + 2);
	assert_int_equal(wire_read(&wire, READ_DRW, &word), OK);
	wire_assert_reads(&wire, READ_STATUS, POWERED | STICKY_ERROR);
	swd_close(wire.target);
}

static void four_words_are_read_without_an_increment(void **state)
{
	static const unsigned banks[] = {READ_CSW, READ_TAR, READ_BANK_2, READ_DRW};
	struct wire wire = OPEN("power-up=0");
	uint32_t word;

	(void)state;
	wire_connect(&wire);
	fill(&wire);
	wire_begin_at(&wire, RAM + 0x14);
	wire_assert_writes(&wire, WRITE_SELECT, 0x10);
	assert_int_equal(wire_read(&wire, banks[0], &word), OK);
	for (uint32_t i = 1; i < 4; i++)
		wire_assert_reads(&wire, banks[i], 0xabc00003 + i);
	wire_assert_reads(&wire, READ_RDBUFF, 0xabc00007);
	swd_close(wire.target);
}

static void abort_frees_a_busy_access_port(void **state)
{
	struct wire wire = OPEN("power-up=0", "busy=100000");

	(void)state;
	wire_connect(&wire);
	wire_assert_writes(&wire, WRITE_CSW, 0x23000052);
	assert_int_equal(wire_write(&wire, WRITE_TAR, RAM), WAIT);
	wire_assert_writes(&wire, WRITE_ABORT, 1);
	wire_assert_writes(&wire, WRITE_TAR, RAM);
	swd_close(wire.target);
}

static void an_access_port_without_power_forgets(void **state)
{
	struct wire wire = OPEN("power-up=0");
	uint32_t word;

	(void)state;
	wire_connect(&wire);
	wire_begin_at(&wire, RAM + 4);
	wire_assert_writes(&wire, WRITE_CONTROL, 0);
	wire_power_up(&wire);
	assert_int_equal(wire_read(&wire, READ_TAR, &word), OK);
	wire_assert_reads(&wire, READ_RDBUFF, 0);
	swd_close(wire.target);
}

static void each_access_port_has_the_registers_of_its_core(void **state)
{
	struct wire wire = OPEN("power-up=0", "ap2=1");

	(void)state;
	wire_connect(&wire);
	wire_poke(&wire, 0xe000edfc, 1u << 24);
	wire_assert_writes(&wire, WRITE_SELECT, 1u << 24);
	assert_int_equal(wire_peek(&wire, 0xe000edfc), 0);
	wire_poke(&wire, RAM, 5);
	wire_assert_writes(&wire, WRITE_SELECT, 0);
	assert_int_equal(wire_peek(&wire, RAM), 5);
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
	        cmocka_unit_test(a_deaf_core_is_reset_by_its_pin_only),
	        cmocka_unit_test(a_failed_read_is_not_noted_as_good),
	        cmocka_unit_test(four_words_are_read_without_an_increment),
	        cmocka_unit_test(abort_frees_a_busy_access_port),
	        cmocka_unit_test(an_access_port_without_power_forgets),
	        cmocka_unit_test(each_access_port_has_the_registers_of_its_core),
	        cmocka_unit_test(wrong_options_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
