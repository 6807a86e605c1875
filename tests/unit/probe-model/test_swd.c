/* SPDX-License-Identifier: MIT */
/* The model of a target, clock by clock, with bytes and clocks written from IHI 0031, B4 and B5. */
#include "test.h"
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RAM       0x20000000u
#define CLEAR_ALL 0x1eu /* of ABORT */
#define OVERRUNS  1u    /* of CTRL/STAT */

#define STICKY_OVERRUN 0x02u
#define STICKY_ERROR   0x20u
#define READ_OK        0x40u
#define WRITE_ERROR    0x80u

/* A test on a target with these options, which is connected, or not yet. */

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

TEST_FROM("power-up=0", transfer_takes_46_clocks, connect_target, close_target)
{
	struct wire *wire = *state;

	uint64_t before = swd_counts(wire->target)->clocks;
	wire_assert_reads(wire, READ_DPIDR, DPIDR);
	assert_int_equal(swd_counts(wire->target)->clocks - before, 46);
	wire_assert_writes(wire, WRITE_SELECT, 0);
	assert_int_equal(swd_counts(wire->target)->clocks - before, 92);
	assert_int_equal(swd_counts(wire->target)->collisions, 0);
}

TEST_FROM("power-up=0", target_listens_to_jtag_until_it_is_switched_to_swd, open_target, close_target)
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

TEST_FROM("start=swd", line_reset_is_50_high_and_2_low_clocks, open_target, close_target)
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

TEST_FROM("start=swd", first_read_after_a_line_reset_must_be_dpidr, open_target, close_target)
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

TEST_FROM("power-up=0", wrong_parity_silences_the_target_until_a_line_reset, connect_target, close_target)
{
	struct wire *wire = *state;

	assert_int_equal(wire_ask(wire, READ_DPIDR ^ 0x20), SILENT);
	wire_sample(wire, 8);
	assert_int_equal(wire_ask(wire, READ_DPIDR), SILENT);
	wire_reset(wire);
	wire_assert_reads(wire, READ_DPIDR, DPIDR);
}

TEST_FROM("power-up=0", reads_of_memory_are_posted, connect_target, close_target)
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

TEST_FROM("power-up=0", tar_wraps_at_1_kib, connect_target, close_target)
{
	read_last_word_and_next(*state, 0xabc00000);
}

TEST_FROM("power-up=0 wrap=4096", tar_wraps_at_4_kib, connect_target, close_target)
{
	read_last_word_and_next(*state, 0xabc00100);
}

TEST_FROM("power-up=0", narrow_accesses_use_their_byte_lanes, connect_target, close_target)
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

TEST_FROM("power-up=0 sizes=4 packed=0 prot=0x03000000", unsupported_bits_of_csw_are_not_stored, connect_target,
          close_target)
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

TEST_FROM("power-up=0 ap=1 ap2=3", options_place_the_access_ports, connect_target, close_target)
{
	struct wire *wire = *state;

	for (uint32_t i = 0; i < 8; i++)
		assert_int_equal(read_identity(wire, i), i == 1 || i == 3 ? 0x74770001 : 0);
}

TEST_FROM("power-up=100", access_ports_need_power, open_target, close_target)
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

TEST_FROM("power-up=0", sticky_error_lasts_until_abort, connect_target, close_target)
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

TEST_FROM("power-up=0", write_with_wrong_parity_has_no_effect, connect_target, close_target)
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

TEST_FROM("power-up=0 busy=60", busy_access_port_answers_wait, connect_target, close_target)
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

TEST_FROM("power-up=0 wait=2", overrun_detection_adds_data_to_every_acknowledge, connect_target, close_target)
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

TEST_FROM("power-up=0", turnaround_is_configurable, connect_target, close_target)
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

TEST_FROM("start=dormant dpidr=0x5ba02477", dormant_target_wakes_and_sleeps_again, open_target, close_target)
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

TEST_FROM("rp2040=1 power-up=0", only_the_selected_target_answers, open_target, close_target)
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

TEST_FROM("rp2040=1", rescue_port_resets_the_chip, open_target, close_target)
{
	struct wire *wire = *state;

	wake(wire);
	select_target(wire, 0xf1002927);
	wire_assert_reads(wire, READ_DPIDR, 0x0bc12477);
	wire_assert_writes(wire, WRITE_CONTROL, POWER);
	assert_int_equal(swd_counts(wire->target)->rescues, 1);
	assert_int_equal(swd_counts(wire->target)->resets, 1);
}

TEST_FROM("power-up=0 wait=2", wait_fault_answers_wait_three_times, connect_target, close_target)
{
	struct wire *wire = *state;

	wire_assert_writes(wire, WRITE_CSW, 0x23000052);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(wire_write(wire, WRITE_TAR, RAM), WAIT);
	wire_assert_writes(wire, WRITE_TAR, RAM);
	wire_assert_writes(wire, WRITE_TAR, RAM);
	assert_int_equal(swd_counts(wire->target)->waits, 3);
}

TEST_FROM("power-up=0 wait-for-ever=2", endless_wait_ends_by_abort, connect_target, close_target)
{
	struct wire *wire = *state;

	wire_assert_writes(wire, WRITE_CSW, 0x23000052);
	for (unsigned i = 0; i < 100; i++)
		assert_int_equal(wire_write(wire, WRITE_TAR, RAM), WAIT);
	wire_assert_writes(wire, WRITE_ABORT, 1);
	wire_assert_writes(wire, WRITE_TAR, RAM);
	assert_int_equal(wire_write(wire, WRITE_TAR, RAM), WAIT);
}

TEST_FROM("power-up=0 fault=3 parity=7 silent=16", periodic_faults_occur_at_their_period, open_target, close_target)
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

TEST_FROM("power-up=0 reset=5", reset_silences_and_powers_down_the_target, connect_target, close_target)
{
	struct wire *wire = *state;

	assert_int_equal(wire_ask(wire, WRITE_CSW), SILENT);
	wire_reset(wire);
	wire_assert_reads(wire, READ_DPIDR, DPIDR);
	wire_assert_reads(wire, READ_STATUS, 0);
	assert_int_equal(swd_counts(wire->target)->resets, 1);
}

TEST_FROM("start=swd unplug=2", unplugged_line_stays_silent, open_target, close_target)
{
	struct wire *wire = *state;

	wire_reset(wire);
	wire_assert_reads(wire, READ_DPIDR, DPIDR);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(wire_ask(wire, READ_DPIDR), SILENT);
		wire_reset(wire);
	}
}

TEST_FROM("power-up=0 zeros=2", sleeping_core_reads_as_zeros_unless_kept_awake, connect_target, close_target)
{
	struct wire *wire = *state;

	wire_poke(wire, RAM, 7);
	assert_int_equal(wire_peek(wire, RAM), 0);
	wire_poke(wire, 0xe0042004, 1);
	assert_int_equal(wire_peek(wire, RAM), 7);
}

TEST_FROM("power-up=0 cache=5000", cache_hides_recent_writes_of_the_core, connect_target, close_target)
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

TEST_FROM("power-up=0 pcs=0x1000,20 asleep=25", program_counters_are_even_except_for_the_share_asleep, connect_target,
          close_target)
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

TEST_FROM("power-up=0", debug_registers_halt_and_reset_the_core, connect_target, close_target)
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

TEST_FROM("power-up=0 deaf=1", only_the_pin_resets_a_deaf_core, connect_target, close_target)
{
	struct wire *wire = *state;

	wire_poke(wire, 0xe000ed0c, 0x05fa0004);
	assert_int_equal(wire_peek(wire, 0xe000edf0) & 1u << 25, 0);
	swd_drive_reset(wire->target, true);
	assert_int_equal(wire_peek(wire, 0xe000edf0) & 1u << 25, 1u << 25);
	assert_int_equal(swd_counts(wire->target)->resets, 1);
}

TEST_FROM("power-up=0", failed_read_clears_readok, connect_target, close_target)
{
	struct wire *wire = *state;
	uint32_t word;

	assert_int_equal(wire_peek(wire, RAM), 0);
	wire_assert_reads(wire, READ_STATUS, POWERED | READ_OK);
	wire_begin_at(wire, RAM + 2);
	assert_int_equal(wire_read(wire, READ_DRW, &word), OK);
	wire_assert_reads(wire, READ_STATUS, POWERED | STICKY_ERROR);
}

TEST_FROM("power-up=0", banked_data_registers_read_four_words, connect_target, close_target)
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

TEST_FROM("power-up=0 busy=100000", abort_frees_a_busy_access_port, connect_target, close_target)
{
	struct wire *wire = *state;

	wire_assert_writes(wire, WRITE_CSW, 0x23000052);
	assert_int_equal(wire_write(wire, WRITE_TAR, RAM), WAIT);
	wire_assert_writes(wire, WRITE_ABORT, 1);
	wire_assert_writes(wire, WRITE_TAR, RAM);
}

TEST_FROM("power-up=0", access_port_forgets_its_registers_without_power, connect_target, close_target)
{
	struct wire *wire = *state;
	uint32_t word;

	wire_begin_at(wire, RAM + 4);
	wire_assert_writes(wire, WRITE_CONTROL, 0);
	wire_power_up(wire);
	assert_int_equal(wire_read(wire, READ_TAR, &word), OK);
	wire_assert_reads(wire, READ_RDBUFF, 0);
}

TEST_FROM("power-up=0 ap2=1", each_access_port_has_the_registers_of_its_core, connect_target, close_target)
{
	struct wire *wire = *state;

	wire_poke(wire, 0xe000edfc, 1u << 24);
	wire_assert_writes(wire, WRITE_SELECT, 1u << 24);
	assert_int_equal(wire_peek(wire, 0xe000edfc), 0);
	wire_poke(wire, RAM, 5);
	wire_assert_writes(wire, WRITE_SELECT, 0);
	assert_int_equal(wire_peek(wire, RAM), 5);
}

TEST(wrong_options_are_refused)
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

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		assert_null(swd_open(&wrong[i], 1));
}
