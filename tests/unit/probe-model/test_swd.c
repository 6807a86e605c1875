/* SPDX-License-Identifier: MIT */
/* The model of a target, clock by clock, with bytes and clocks written from IHI 0031, B4 and B5. */
#include "wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
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

/* A test on a target with these options, which is connected, or not yet. */
#define CONNECTED(test, options) cmocka_unit_test_prestate_setup_teardown(test, connect_target, close_target, options)
#define OPENED(test, options)    cmocka_unit_test_prestate_setup_teardown(test, open_target, close_target, options)

static int open_target(void **state)
{
	static struct wire wire;
	char options[128];

	snprintf(options, sizeof options, "ram=0x20000000,0x2000 %s", (const char *)*state);
	wire = wire_open(options);
	*state = &wire;
	return 0;
}

static int connect_target(void **state)
{
	open_target(state);
	wire_connect(*state);
	return 0;
}

static int close_target(void **state)
{
	wire_close(*state);
	return 0;
}

static void fill(struct wire *wire)
{
	uint32_t *words = swd_memory(wire->target, RAM, 0x2000);

	assert_non_null(words);
	for (uint32_t i = 0; i < 0x800; i++)
		words[i] = 0xabc00000 + i;
}

static void transfer_takes_46_clocks(void **state)
{
	struct wire *wire = *state;

	uint64_t before = swd_counts(wire->target)->clocks;
	wire_assert_reads(wire, READ_DPIDR, DPIDR);
	assert_int_equal(swd_counts(wire->target)->clocks - before, 46);
	wire_assert_writes(wire, WRITE_SELECT, 0);
	assert_int_equal(swd_counts(wire->target)->clocks - before, 92);
	assert_int_equal(swd_counts(wire->target)->collisions, 0);
}

static void target_listens_to_jtag_until_it_is_switched_to_swd(void **state)
{
	struct wire *wire = *state;

	wire_reset(wire);
	assert_int_equal(wire_ask(wire, READ_DPIDR), SILENT);
	wire_switch_to_swd(wire);
	wire_assert_reads(wire, READ_DPIDR, DPIDR);
	wire_drive_bytes(wire, "\xff\xff\xff\xff\xff\xff\xff\x3c\xe7", 9);
	wire_reset(wire);
	assert_int_equal(wire_ask(wire, READ_DPIDR), SILENT);
}

static void line_reset_is_50_high_and_2_low_clocks(void **state)
{
	struct wire *wire = *state;

	wire_drive(wire, ~0ull, 49);
	wire_drive(wire, 0, 8);
	assert_int_equal(wire_ask(wire, READ_DPIDR), SILENT);
	wire_drive(wire, 0, 8);
	wire_drive(wire, ~0ull, 50);
	wire_drive(wire, 0, 1);
	assert_int_equal(wire_ask(wire, READ_DPIDR), SILENT);
	wire_drive(wire, 0, 8);
	wire_drive(wire, ~0ull, 50);
	wire_drive(wire, 0, 2);
	wire_assert_reads(wire, READ_DPIDR, DPIDR);
}

static void first_read_after_a_line_reset_must_be_dpidr(void **state)
{
	struct wire *wire = *state;

	wire_reset(wire);
	assert_int_equal(wire_ask(wire, READ_STATUS), SILENT);
	wire_sample(wire, 1 + 33);
	assert_int_equal(wire_ask(wire, READ_DPIDR), SILENT);
	wire_reset(wire);
	wire_assert_reads(wire, READ_DPIDR, DPIDR);
	assert_int_equal(swd_counts(wire->target)->protocol_errors, 1);
}

static void wrong_parity_silences_the_target_until_a_line_reset(void **state)
{
	struct wire *wire = *state;

	assert_int_equal(wire_ask(wire, READ_DPIDR ^ 0x20), SILENT);
	wire_sample(wire, 8);
	assert_int_equal(wire_ask(wire, READ_DPIDR), SILENT);
	wire_reset(wire);
	wire_assert_reads(wire, READ_DPIDR, DPIDR);
}

static void reads_of_memory_are_posted(void **state)
{
	struct wire *wire = *state;
	uint32_t word;

	fill(wire);
	wire_begin_at(wire, RAM + 8);
	assert_int_equal(wire_read(wire, READ_DRW, &word), OK);
	wire_assert_reads(wire, READ_DRW, 0xabc00002);
	wire_assert_reads(wire, READ_RDBUFF, 0xabc00003);
	wire_assert_reads(wire, READ_RDBUFF, 0xabc00003);
	wire_assert_reads(wire, READ_RESEND, 0xabc00003);
	wire_assert_reads(wire, READ_STATUS, POWERED | READ_OK);
	assert_int_equal(swd_counts(wire->target)->words, 2);
}

static void read_last_word_and_next(struct wire *wire, uint32_t next)
{
	uint32_t word;

	fill(wire);
	wire_begin_at(wire, RAM + 0x3fc);
	assert_int_equal(wire_read(wire, READ_DRW, &word), OK);
	wire_assert_reads(wire, READ_DRW, 0xabc000ff);
	wire_assert_reads(wire, READ_RDBUFF, next);
}

static void tar_wraps_at_1_kib(void **state)
{
	read_last_word_and_next(*state, 0xabc00000);
}

static void tar_wraps_at_4_kib(void **state)
{
	read_last_word_and_next(*state, 0xabc00100);
}

static void narrow_accesses_use_their_byte_lanes(void **state)
{
	struct wire *wire = *state;
	uint32_t word;

	wire_poke(wire, RAM, 0x44332211);
	wire_assert_writes(wire, WRITE_CSW, 0x23000050);
	wire_assert_writes(wire, WRITE_TAR, RAM + 2);
	wire_assert_writes(wire, WRITE_DRW, 0xaabbccdd);
	assert_int_equal(wire_peek(wire, RAM), 0x44bb2211);
	wire_assert_writes(wire, WRITE_CSW, 0x23000061);
	wire_assert_writes(wire, WRITE_TAR, RAM);
	assert_int_equal(wire_read(wire, READ_DRW, &word), OK);
	wire_assert_reads(wire, READ_RDBUFF, 0x44bb2211);
}

static void unsupported_bits_of_csw_are_not_stored(void **state)
{
	struct wire *wire = *state;
	uint32_t word;

	wire_assert_writes(wire, WRITE_CSW, 0x2b000052);
	wire_assert_writes(wire, WRITE_CSW, 0x2b000060);
	assert_int_equal(wire_read(wire, READ_CSW, &word), OK);
	wire_assert_reads(wire, READ_RDBUFF, 0x03000052);
}

static uint32_t read_identity(struct wire *wire, uint32_t access_port)
{
	uint32_t word = 0;

	wire_assert_writes(wire, WRITE_SELECT, access_port << 24 | 0xf0);
	assert_int_equal(wire_read(wire, READ_DRW, &word), OK);
	assert_int_equal(wire_read(wire, READ_RDBUFF, &word), OK);
	return word;
}

static void options_place_the_access_ports(void **state)
{
	struct wire *wire = *state;

	for (uint32_t i = 0; i < 8; i++)
		assert_int_equal(read_identity(wire, i), i == 1 || i == 3 ? 0x74770001 : 0);
}

static void access_ports_need_power(void **state)
{
	struct wire *wire = *state;
	uint32_t word;

	wire_switch_to_swd(wire);
	wire_assert_reads(wire, READ_DPIDR, DPIDR);
	wire_assert_writes(wire, WRITE_CONTROL, POWER);
	assert_int_equal(wire_read(wire, READ_CSW, &word), FAULT);
	wire_assert_reads(wire, READ_STATUS, POWER | STICKY_ERROR);
	wire_assert_writes(wire, WRITE_ABORT, CLEAR_ALL);
	wire_assert_reads(wire, READ_STATUS, POWERED);
}

static void sticky_error_lasts_until_abort(void **state)
{
	struct wire *wire = *state;
	uint32_t word;

	wire_begin_at(wire, 0x40000000);
	assert_int_equal(wire_read(wire, READ_DRW, &word), OK);
	assert_int_equal(wire_read(wire, READ_RDBUFF, &word), FAULT);
	assert_int_equal(wire_write(wire, WRITE_TAR, RAM), FAULT);
	wire_assert_reads(wire, READ_STATUS, POWERED | STICKY_ERROR);
	wire_assert_writes(wire, WRITE_ABORT, CLEAR_ALL);
	wire_assert_reads(wire, READ_STATUS, POWERED);
	assert_int_equal(wire_peek(wire, RAM), 0);
}

static void write_with_wrong_parity_has_no_effect(void **state)
{
	struct wire *wire = *state;

	wire_begin_at(wire, RAM);
	assert_int_equal(wire_ask(wire, WRITE_DRW), OK);
	wire_sample(wire, 1);
	wire_drive(wire, 7, 33);
	wire_assert_reads(wire, READ_STATUS, POWERED | WRITE_ERROR);
	wire_assert_writes(wire, WRITE_ABORT, CLEAR_ALL);
	assert_int_equal(wire_peek(wire, RAM), 0);
}

static void busy_access_port_answers_wait(void **state)
{
	struct wire *wire = *state;
	uint32_t word;

	wire_assert_writes(wire, WRITE_CSW, 0x23000052);
	assert_int_equal(wire_write(wire, WRITE_TAR, RAM), WAIT);
	wire_drive(wire, 0, 60);
	wire_assert_writes(wire, WRITE_TAR, RAM);
	assert_int_equal(wire_read(wire, READ_RDBUFF, &word), WAIT);
	assert_int_equal(wire_read(wire, READ_STATUS, &word), OK);
}

static void overrun_detection_adds_data_to_every_acknowledge(void **state)
{
	struct wire *wire = *state;
	uint32_t word;

	wire_assert_writes(wire, WRITE_CONTROL, POWER | OVERRUNS);
	wire->always_data = true;
	wire_assert_writes(wire, WRITE_CSW, 0x23000052);
	assert_int_equal(wire_write(wire, WRITE_TAR, RAM), WAIT);
	assert_int_equal(wire_read(wire, READ_DRW, &word), FAULT);
	wire_assert_reads(wire, READ_STATUS, POWERED | OVERRUNS | STICKY_OVERRUN);
	wire_assert_writes(wire, WRITE_ABORT, CLEAR_ALL);
	assert_int_equal(swd_counts(wire->target)->overruns, 1);
	assert_int_equal(swd_counts(wire->target)->collisions, 0);
}

static void turnaround_is_configurable(void **state)
{
	struct wire *wire = *state;

	for (unsigned clocks = 4; clocks >= 1; clocks--) {
		wire_assert_writes(wire, WRITE_SELECT, 1);
		wire_assert_writes(wire, WRITE_CONTROL, (clocks - 1) << 8);
		wire->turnaround = clocks;
		wire_assert_writes(wire, WRITE_SELECT, 0);
		wire_assert_reads(wire, READ_DPIDR, DPIDR);
	}
	assert_int_equal(swd_counts(wire->target)->collisions, 0);
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

static void dormant_target_wakes_and_sleeps_again(void **state)
{
	struct wire *wire = *state;

	wire_switch_to_swd(wire);
	assert_int_equal(wire_ask(wire, READ_DPIDR), SILENT);
	wake(wire);
	wire_assert_reads(wire, READ_DPIDR, 0x5ba02477);
	wire_drive_bytes(wire, "\xff\xff\xff\xff\xff\xff\xff\xbc\xe3", 9);
	wire_reset(wire);
	assert_int_equal(wire_ask(wire, READ_DPIDR), SILENT);
}

static void only_the_selected_target_answers(void **state)
{
	static const uint32_t ids[] = {0x01002927, 0x11002927};
	struct wire *wire = *state;

	wake(wire);
	assert_int_equal(wire_ask(wire, READ_DPIDR), SILENT);
	for (unsigned core = 0; core < 2; core++) {
		select_target(wire, ids[core]);
		wire_assert_reads(wire, READ_DPIDR, 0x0bc12477);
		wire_assert_writes(wire, WRITE_SELECT, 3);
		wire_assert_reads(wire, READ_STATUS, core << 28 | 1);
		wire_assert_writes(wire, WRITE_SELECT, 0);
		wire_power_up(wire);
		wire_poke(wire, RAM, core + 1);
		assert_int_equal(wire_peek(wire, RAM), core + 1);
	}
	select_target(wire, 0x21002927);
	assert_int_equal(wire_ask(wire, READ_DPIDR), SILENT);
	assert_int_equal(swd_counts(wire->target)->rescues, 0);
}

static void rescue_port_resets_the_chip(void **state)
{
	struct wire *wire = *state;

	wake(wire);
	select_target(wire, 0xf1002927);
	wire_assert_reads(wire, READ_DPIDR, 0x0bc12477);
	wire_assert_writes(wire, WRITE_CONTROL, POWER);
	assert_int_equal(swd_counts(wire->target)->rescues, 1);
	assert_int_equal(swd_counts(wire->target)->resets, 1);
}

static void wait_fault_answers_wait_three_times(void **state)
{
	struct wire *wire = *state;

	wire_assert_writes(wire, WRITE_CSW, 0x23000052);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(wire_write(wire, WRITE_TAR, RAM), WAIT);
	wire_assert_writes(wire, WRITE_TAR, RAM);
	wire_assert_writes(wire, WRITE_TAR, RAM);
	assert_int_equal(swd_counts(wire->target)->waits, 3);
}

static void endless_wait_ends_by_abort(void **state)
{
	struct wire *wire = *state;

	wire_assert_writes(wire, WRITE_CSW, 0x23000052);
	for (unsigned i = 0; i < 100; i++)
		assert_int_equal(wire_write(wire, WRITE_TAR, RAM), WAIT);
	wire_assert_writes(wire, WRITE_ABORT, 1);
	wire_assert_writes(wire, WRITE_TAR, RAM);
	assert_int_equal(wire_write(wire, WRITE_TAR, RAM), WAIT);
}

static void periodic_faults_occur_at_their_period(void **state)
{
	struct wire *wire = *state;
	uint32_t word;
	unsigned garbled = 0;

	wire_switch_to_swd(wire);
	for (unsigned i = 1; i <= 15; i++) {
		unsigned ack = wire_read(wire, READ_DPIDR, &word);
		garbled += ack == GARBLED;
		assert_int_equal(ack, i % 7 == 0 ? GARBLED : OK);
		assert_int_equal(word, i % 7 == 0 ? DPIDR ^ 1 : DPIDR);
	}
	assert_int_equal(garbled, 2);
	assert_int_equal(wire_ask(wire, READ_DPIDR), SILENT);
	wire_reset(wire);
	wire_assert_reads(wire, READ_DPIDR, DPIDR);
	wire_assert_writes(wire, WRITE_CONTROL, POWER);
	wire_begin_at(wire, RAM);
	wire_assert_writes(wire, WRITE_DRW, 1);
	wire_assert_writes(wire, WRITE_DRW, 2);
	wire_assert_writes(wire, WRITE_DRW, 3);
	wire_assert_reads(wire, READ_STATUS, POWERED | STICKY_ERROR);
}

static void reset_silences_and_powers_down_the_target(void **state)
{
	struct wire *wire = *state;

	assert_int_equal(wire_ask(wire, WRITE_CSW), SILENT);
	wire_reset(wire);
	wire_assert_reads(wire, READ_DPIDR, DPIDR);
	wire_assert_reads(wire, READ_STATUS, 0);
	assert_int_equal(swd_counts(wire->target)->resets, 1);
}

static void unplugged_line_stays_silent(void **state)
{
	struct wire *wire = *state;

	wire_reset(wire);
	wire_assert_reads(wire, READ_DPIDR, DPIDR);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(wire_ask(wire, READ_DPIDR), SILENT);
		wire_reset(wire);
	}
}

static void sleeping_core_reads_as_zeros_unless_kept_awake(void **state)
{
	struct wire *wire = *state;

	wire_poke(wire, RAM, 7);
	assert_int_equal(wire_peek(wire, RAM), 0);
	wire_poke(wire, 0xe0042004, 1);
	assert_int_equal(wire_peek(wire, RAM), 7);
}

static void cache_hides_recent_writes_of_the_core(void **state)
{
	struct wire *wire = *state;
	uint32_t *word = swd_memory(wire->target, RAM, sizeof *word);

	*word = 7;
	assert_int_equal(wire_peek(wire, RAM), 0);
	wire_assert_writes(wire, WRITE_CSW, 0x2b000052);
	wire_assert_writes(wire, WRITE_TAR, RAM);
	wire_assert_reads(wire, READ_DRW, 0);
	wire_assert_reads(wire, READ_RDBUFF, 7);
	for (unsigned i = 0; i < 5000; i++)
		wire_sample(wire, 1);
	wire_reset(wire);
	wire_assert_reads(wire, READ_DPIDR, DPIDR);
	assert_int_equal(wire_peek(wire, RAM), 7);
}

static void program_counters_are_even_except_for_the_share_asleep(void **state)
{
	struct wire *wire = *state;
	unsigned counts[10] = {0}, asleep = 0;

	assert_int_equal(wire_peek(wire, 0xe000101c), 0);
	wire_poke(wire, 0xe000edfc, 1u << 24);
	for (unsigned i = 0; i < 1000; i++) {
		uint32_t pc = wire_peek(wire, 0xe000101c);
		if (pc == 0xffffffff)
			asleep++;
		else
			counts[(pc - 0x1000) / 2]++;
	}
	assert_int_equal(asleep, 250);
	for (unsigned i = 0; i < 10; i++)
		assert_in_range(counts[i], 70, 80);
}

static void debug_registers_halt_and_reset_the_core(void **state)
{
	struct wire *wire = *state;

	assert_int_equal(wire_peek(wire, 0xe000ed00), 0x411fc272);
	wire_poke(wire, 0xe000edf0, 3);
	assert_int_equal(wire_peek(wire, 0xe000edf0) & 0x20003, 0);
	wire_poke(wire, 0xe000edf0, 0xa05f0003);
	/* Instructions were retired before, and none since. */
	assert_int_equal(wire_peek(wire, 0xe000edf0) & 0x1020003, 0x1020003);
	assert_int_equal(wire_peek(wire, 0xe000edf0) & 0x1020003, 0x20003);
	wire_poke(wire, 0xe000edf0, 0xa05f0000);
	assert_int_equal(wire_peek(wire, 0xe000edf0) & 0x1020003, 0x1000000);
	wire_poke(wire, 0xe000ed0c, 0x05fa0004);
	assert_int_equal(wire_peek(wire, 0xe000edf0) & 1u << 25, 1u << 25);
	swd_drive_reset(wire->target, true);
	swd_drive_reset(wire->target, false);
	assert_int_equal(swd_counts(wire->target)->halts, 1);
	assert_int_equal(swd_counts(wire->target)->resets, 2);
}

static void only_the_pin_resets_a_deaf_core(void **state)
{
	struct wire *wire = *state;

	wire_poke(wire, 0xe000ed0c, 0x05fa0004);
	assert_int_equal(wire_peek(wire, 0xe000edf0) & 1u << 25, 0);
	swd_drive_reset(wire->target, true);
	assert_int_equal(wire_peek(wire, 0xe000edf0) & 1u << 25, 1u << 25);
	assert_int_equal(swd_counts(wire->target)->resets, 1);
}

static void failed_read_clears_readok(void **state)
{
	struct wire *wire = *state;
	uint32_t word;

	assert_int_equal(wire_peek(wire, RAM), 0);
	wire_assert_reads(wire, READ_STATUS, POWERED | READ_OK);
	wire_begin_at(wire, RAM + 2);
	assert_int_equal(wire_read(wire, READ_DRW, &word), OK);
	wire_assert_reads(wire, READ_STATUS, POWERED | STICKY_ERROR);
}

static void banked_data_registers_read_four_words(void **state)
{
	static const unsigned banks[] = {READ_CSW, READ_TAR, READ_BANK_2, READ_DRW};
	struct wire *wire = *state;
	uint32_t word;

	fill(wire);
	wire_begin_at(wire, RAM + 0x14);
	wire_assert_writes(wire, WRITE_SELECT, 0x10);
	assert_int_equal(wire_read(wire, banks[0], &word), OK);
	for (uint32_t i = 1; i < 4; i++)
		wire_assert_reads(wire, banks[i], 0xabc00003 + i);
	wire_assert_reads(wire, READ_RDBUFF, 0xabc00007);
}

static void abort_frees_a_busy_access_port(void **state)
{
	struct wire *wire = *state;

	wire_assert_writes(wire, WRITE_CSW, 0x23000052);
	assert_int_equal(wire_write(wire, WRITE_TAR, RAM), WAIT);
	wire_assert_writes(wire, WRITE_ABORT, 1);
	wire_assert_writes(wire, WRITE_TAR, RAM);
}

static void access_port_forgets_its_registers_without_power(void **state)
{
	struct wire *wire = *state;
	uint32_t word;

	wire_begin_at(wire, RAM + 4);
	wire_assert_writes(wire, WRITE_CONTROL, 0);
	wire_power_up(wire);
	assert_int_equal(wire_read(wire, READ_TAR, &word), OK);
	wire_assert_reads(wire, READ_RDBUFF, 0);
}

static void each_access_port_has_the_registers_of_its_core(void **state)
{
	struct wire *wire = *state;

	wire_poke(wire, 0xe000edfc, 1u << 24);
	wire_assert_writes(wire, WRITE_SELECT, 1u << 24);
	assert_int_equal(wire_peek(wire, 0xe000edfc), 0);
	wire_poke(wire, RAM, 5);
	wire_assert_writes(wire, WRITE_SELECT, 0);
	assert_int_equal(wire_peek(wire, RAM), 5);
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
	        CONNECTED(transfer_takes_46_clocks, "power-up=0"),
	        OPENED(target_listens_to_jtag_until_it_is_switched_to_swd, "power-up=0"),
	        OPENED(line_reset_is_50_high_and_2_low_clocks, "start=swd"),
	        OPENED(first_read_after_a_line_reset_must_be_dpidr, "start=swd"),
	        CONNECTED(wrong_parity_silences_the_target_until_a_line_reset, "power-up=0"),
	        CONNECTED(reads_of_memory_are_posted, "power-up=0"),
	        CONNECTED(tar_wraps_at_1_kib, "power-up=0"),
	        CONNECTED(tar_wraps_at_4_kib, "power-up=0 wrap=4096"),
	        CONNECTED(narrow_accesses_use_their_byte_lanes, "power-up=0"),
	        CONNECTED(unsupported_bits_of_csw_are_not_stored, "power-up=0 sizes=4 packed=0 prot=0x03000000"),
	        CONNECTED(options_place_the_access_ports, "power-up=0 ap=1 ap2=3"),
	        OPENED(access_ports_need_power, "power-up=100"),
	        CONNECTED(sticky_error_lasts_until_abort, "power-up=0"),
	        CONNECTED(write_with_wrong_parity_has_no_effect, "power-up=0"),
	        CONNECTED(busy_access_port_answers_wait, "power-up=0 busy=60"),
	        CONNECTED(overrun_detection_adds_data_to_every_acknowledge, "power-up=0 wait=2"),
	        CONNECTED(turnaround_is_configurable, "power-up=0"),
	        OPENED(dormant_target_wakes_and_sleeps_again, "start=dormant dpidr=0x5ba02477"),
	        OPENED(only_the_selected_target_answers, "rp2040=1 power-up=0"),
	        OPENED(rescue_port_resets_the_chip, "rp2040=1"),
	        CONNECTED(wait_fault_answers_wait_three_times, "power-up=0 wait=2"),
	        CONNECTED(endless_wait_ends_by_abort, "power-up=0 wait-for-ever=2"),
	        OPENED(periodic_faults_occur_at_their_period, "power-up=0 fault=3 parity=7 silent=16"),
	        CONNECTED(reset_silences_and_powers_down_the_target, "power-up=0 reset=5"),
	        OPENED(unplugged_line_stays_silent, "start=swd unplug=2"),
	        CONNECTED(sleeping_core_reads_as_zeros_unless_kept_awake, "power-up=0 zeros=2"),
	        CONNECTED(cache_hides_recent_writes_of_the_core, "power-up=0 cache=5000"),
	        CONNECTED(program_counters_are_even_except_for_the_share_asleep, "power-up=0 pcs=0x1000,20 asleep=25"),
	        CONNECTED(debug_registers_halt_and_reset_the_core, "power-up=0"),
	        CONNECTED(only_the_pin_resets_a_deaf_core, "power-up=0 deaf=1"),
	        CONNECTED(failed_read_clears_readok, "power-up=0"),
	        CONNECTED(banked_data_registers_read_four_words, "power-up=0"),
	        CONNECTED(abort_frees_a_busy_access_port, "power-up=0 busy=100000"),
	        CONNECTED(access_port_forgets_its_registers_without_power, "power-up=0"),
	        CONNECTED(each_access_port_has_the_registers_of_its_core, "power-up=0 ap2=1"),
	        cmocka_unit_test(wrong_options_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
