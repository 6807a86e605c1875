/* SPDX-License-Identifier: MIT */
/* The model of a target, clock by clock, against IHI 0031, B4 and B5. Faults are checked by the suite probe-model. */
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

static int open_target(void **state)
{
	char options[128];

	snprintf(options, sizeof options, "ram=0x20000000,0x2000 %s", (const char *)*state);
	wire_open(options);
	return 0;
}

static int connect_target(void **state)
{
	open_target(state);
	wire_connect();
	return 0;
}

static int close_target(void **state)
{
	wire_close();
	return 0;
}

/* A test on a target with these options that is connected, or not yet. */
#define CONNECTED(options, name)   TEST_FROM(options, name, connect_target, close_target)
#define UNCONNECTED(options, name) TEST_FROM(options, name, open_target, close_target)

static void fill(void)
{
	uint32_t *words = swd_memory(wire.target, RAM, 0x2000);

	assert_non_null(words);
	for (uint32_t i = 0; i < 0x800; i++)
		words[i] = 0xabc00000 + i;
}

UNCONNECTED("power-up=0", target_listens_to_jtag_until_it_is_switched_to_swd)
{
	wire_reset();
	assert_int_equal(wire_ask(READ_DPIDR), SILENT);
	wire_switch_to_swd();
	wire_assert_reads(READ_DPIDR, DPIDR);
	wire_drive_bytes("\xff\xff\xff\xff\xff\xff\xff\x3c\xe7", 9);
	wire_reset();
	assert_int_equal(wire_ask(READ_DPIDR), SILENT);
}

UNCONNECTED("start=swd", line_reset_is_50_high_and_2_low_clocks)
{
	wire_drive(~0ull, 49);
	wire_drive(0, 8);
	assert_int_equal(wire_ask(READ_DPIDR), SILENT);
	wire_drive(0, 8);
	wire_drive(~0ull, 50);
	wire_drive(0, 1);
	assert_int_equal(wire_ask(READ_DPIDR), SILENT);
	wire_drive(0, 8);
	wire_drive(~0ull, 50);
	wire_drive(0, 2);
	wire_assert_reads(READ_DPIDR, DPIDR);
}

UNCONNECTED("start=swd", first_read_after_a_line_reset_must_be_dpidr)
{
	wire_reset();
	assert_int_equal(wire_ask(READ_STATUS), SILENT);
	wire_sample(1 + 33);
	assert_int_equal(wire_ask(READ_DPIDR), SILENT);
	wire_reset();
	wire_assert_reads(READ_DPIDR, DPIDR);
	assert_int_equal(swd_counts(wire.target)->protocol_errors, 1);
}

CONNECTED("power-up=0", wrong_parity_silences_the_target_until_a_line_reset)
{
	assert_int_equal(wire_ask(READ_DPIDR ^ 0x20), SILENT);
	wire_sample(8);
	assert_int_equal(wire_ask(READ_DPIDR), SILENT);
	wire_reset();
	wire_assert_reads(READ_DPIDR, DPIDR);
}

CONNECTED("power-up=0", reads_of_memory_are_posted)
{
	fill();
	wire_begin_at(RAM + 8);
	assert_int_equal(wire_read(READ_DRW, NULL), OK);
	wire_assert_reads(READ_DRW, 0xabc00002);
	wire_assert_reads(READ_RDBUFF, 0xabc00003);
	wire_assert_reads(READ_RDBUFF, 0xabc00003);
	wire_assert_reads(READ_RESEND, 0xabc00003);
	wire_assert_reads(READ_STATUS, POWERED | READ_OK);
	assert_int_equal(swd_counts(wire.target)->words, 2);
}

static void read_last_word_and_next(uint32_t next)
{
	fill();
	wire_begin_at(RAM + 0x3fc);
	assert_int_equal(wire_read(READ_DRW, NULL), OK);
	wire_assert_reads(READ_DRW, 0xabc000ff);
	wire_assert_reads(READ_RDBUFF, next);
}

CONNECTED("power-up=0", tar_wraps_at_1_kib)
{
	read_last_word_and_next(0xabc00000);
}

CONNECTED("power-up=0 wrap=4096", tar_wraps_at_4_kib)
{
	read_last_word_and_next(0xabc00100);
}

CONNECTED("power-up=0", narrow_accesses_use_their_byte_lanes)
{
	wire_poke(RAM, 0x44332211);
	wire_assert_writes(WRITE_CSW, 0x23000050);
	wire_assert_writes(WRITE_TAR, RAM + 2);
	wire_assert_writes(WRITE_DRW, 0xaabbccdd);
	assert_int_equal(wire_peek(RAM), 0x44bb2211);
	wire_assert_writes(WRITE_CSW, 0x23000061);
	wire_assert_writes(WRITE_TAR, RAM);
	assert_int_equal(wire_read(READ_DRW, NULL), OK);
	wire_assert_reads(READ_RDBUFF, 0x44bb2211);
}

CONNECTED("power-up=0 sizes=4 packed=0 prot=0x03000000", unsupported_bits_of_csw_are_not_stored)
{
	wire_assert_writes(WRITE_CSW, 0x2b000052);
	wire_assert_writes(WRITE_CSW, 0x2b000060);
	assert_int_equal(wire_read(READ_CSW, NULL), OK);
	wire_assert_reads(READ_RDBUFF, 0x03000052);
}

UNCONNECTED("power-up=100", access_ports_need_power)
{
	wire_switch_to_swd();
	wire_assert_reads(READ_DPIDR, DPIDR);
	wire_assert_writes(WRITE_CONTROL, POWER);
	assert_int_equal(wire_read(READ_CSW, NULL), FAULT);
	wire_assert_reads(READ_STATUS, POWER | STICKY_ERROR);
	wire_assert_writes(WRITE_ABORT, CLEAR_ALL);
	wire_assert_reads(READ_STATUS, POWERED);
}

CONNECTED("power-up=0", sticky_error_lasts_until_abort)
{
	wire_begin_at(0x40000000);
	assert_int_equal(wire_read(READ_DRW, NULL), OK);
	assert_int_equal(wire_read(READ_RDBUFF, NULL), FAULT);
	assert_int_equal(wire_write(WRITE_TAR, RAM), FAULT);
	wire_assert_reads(READ_STATUS, POWERED | STICKY_ERROR);
	wire_assert_writes(WRITE_ABORT, CLEAR_ALL);
	wire_assert_reads(READ_STATUS, POWERED);
	assert_int_equal(wire_peek(RAM), 0);
}

CONNECTED("power-up=0", write_with_wrong_parity_has_no_effect)
{
	wire_begin_at(RAM);
	assert_int_equal(wire_ask(WRITE_DRW), OK);
	wire_sample(1);
	wire_drive(7, 33);
	wire_assert_reads(READ_STATUS, POWERED | WRITE_ERROR);
	wire_assert_writes(WRITE_ABORT, CLEAR_ALL);
	assert_int_equal(wire_peek(RAM), 0);
}

CONNECTED("power-up=0 busy=60", busy_access_port_answers_wait)
{
	wire_assert_writes(WRITE_CSW, 0x23000052);
	assert_int_equal(wire_write(WRITE_TAR, RAM), WAIT);
	wire_drive(0, 60);
	wire_assert_writes(WRITE_TAR, RAM);
	assert_int_equal(wire_read(READ_RDBUFF, NULL), WAIT);
	assert_int_equal(wire_read(READ_STATUS, NULL), OK);
}

CONNECTED("power-up=0 wait=2", overrun_detection_adds_data_to_every_acknowledge)
{
	wire_assert_writes(WRITE_CONTROL, POWER | OVERRUNS);
	wire.always_data = true;
	wire_assert_writes(WRITE_CSW, 0x23000052);
	assert_int_equal(wire_write(WRITE_TAR, RAM), WAIT);
	assert_int_equal(wire_read(READ_DRW, NULL), FAULT);
	wire_assert_reads(READ_STATUS, POWERED | OVERRUNS | STICKY_OVERRUN);
	wire_assert_writes(WRITE_ABORT, CLEAR_ALL);
	assert_int_equal(swd_counts(wire.target)->overruns, 1);
	assert_int_equal(swd_counts(wire.target)->collisions, 0);
}

CONNECTED("power-up=0", turnaround_is_configurable)
{
	for (unsigned clocks = 4; clocks >= 1; clocks--) {
		wire_assert_writes(WRITE_SELECT, 1);
		wire_assert_writes(WRITE_CONTROL, (clocks - 1) << 8);
		wire.turnaround = clocks;
		wire_assert_writes(WRITE_SELECT, 0);
		wire_assert_reads(READ_DPIDR, DPIDR);
	}
	assert_int_equal(swd_counts(wire.target)->collisions, 0);
}

static void wake(void)
{
	wire_drive_bytes("\xff\x92\xf3\x09\x62\x95\x2d\x85\x86\xe9\xaf\xdd\xe3\xa2\x0e\xbc\x19\xa0\x01", 19);
	wire_reset();
}

static void select_target(uint32_t id)
{
	wire_reset();
	assert_int_equal(wire_ask(WRITE_TARGETSEL), SILENT);
	wire_sample(1);
	wire_drive((uint64_t)wire_parity(id) << 32 | id, 33);
}

UNCONNECTED("start=dormant dpidr=0x5ba02477", dormant_target_wakes_and_sleeps_again)
{
	wire_switch_to_swd();
	assert_int_equal(wire_ask(READ_DPIDR), SILENT);
	wake();
	wire_assert_reads(READ_DPIDR, 0x5ba02477);
	wire_drive_bytes("\xff\xff\xff\xff\xff\xff\xff\xbc\xe3", 9);
	wire_reset();
	assert_int_equal(wire_ask(READ_DPIDR), SILENT);
}

UNCONNECTED("rp2040=1 power-up=0", only_the_selected_target_answers)
{
	static const uint32_t ids[] = {0x01002927, 0x11002927};

	wake();
	assert_int_equal(wire_ask(READ_DPIDR), SILENT);
	for (unsigned core = 0; core < 2; core++) {
		select_target(ids[core]);
		wire_assert_reads(READ_DPIDR, 0x0bc12477);
		wire_assert_writes(WRITE_SELECT, 3);
		wire_assert_reads(READ_STATUS, core << 28 | 1);
		wire_assert_writes(WRITE_SELECT, 0);
		wire_power_up();
		wire_poke(RAM, core + 1);
		assert_int_equal(wire_peek(RAM), core + 1);
	}
	select_target(0x21002927);
	assert_int_equal(wire_ask(READ_DPIDR), SILENT);
	assert_int_equal(swd_counts(wire.target)->rescues, 0);
}

UNCONNECTED("rp2040=1", rescue_port_resets_the_chip)
{
	wake();
	select_target(0xf1002927);
	wire_assert_reads(READ_DPIDR, 0x0bc12477);
	wire_assert_writes(WRITE_CONTROL, POWER);
	assert_int_equal(swd_counts(wire.target)->rescues, 1);
	assert_int_equal(swd_counts(wire.target)->resets, 1);
}

CONNECTED("power-up=0 cache=5000", cache_hides_recent_writes_of_the_core)
{
	uint32_t *word = swd_memory(wire.target, RAM, sizeof *word);

	*word = 7;
	assert_int_equal(wire_peek(RAM), 0);
	wire_assert_writes(WRITE_CSW, 0x2b000052);
	wire_assert_writes(WRITE_TAR, RAM);
	wire_assert_reads(READ_DRW, 0);
	wire_assert_reads(READ_RDBUFF, 7);
	for (unsigned i = 0; i < 5000; i++)
		wire_sample(1);
	wire_reset();
	wire_assert_reads(READ_DPIDR, DPIDR);
	assert_int_equal(wire_peek(RAM), 7);
}

CONNECTED("power-up=0", debug_registers_halt_and_reset_the_core)
{
	assert_int_equal(wire_peek(0xe000ed00), 0x411fc272);
	wire_poke(0xe000edf0, 3);
	assert_int_equal(wire_peek(0xe000edf0) & 0x20003, 0);
	wire_poke(0xe000edf0, 0xa05f0003);
	/* Instructions were retired before, and none since. */
	assert_int_equal(wire_peek(0xe000edf0) & 0x1020003, 0x1020003);
	assert_int_equal(wire_peek(0xe000edf0) & 0x1020003, 0x20003);
	wire_poke(0xe000edf0, 0xa05f0000);
	assert_int_equal(wire_peek(0xe000edf0) & 0x1020003, 0x1000000);
	wire_poke(0xe000ed0c, 0x05fa0004);
	assert_int_equal(wire_peek(0xe000edf0) & 1u << 25, 1u << 25);
	swd_drive_reset(wire.target, true);
	swd_drive_reset(wire.target, false);
	assert_int_equal(swd_counts(wire.target)->halts, 1);
	assert_int_equal(swd_counts(wire.target)->resets, 2);
}

CONNECTED("power-up=0", failed_read_clears_readok)
{
	assert_int_equal(wire_peek(RAM), 0);
	wire_assert_reads(READ_STATUS, POWERED | READ_OK);
	wire_begin_at(RAM + 2);
	assert_int_equal(wire_read(READ_DRW, NULL), OK);
	wire_assert_reads(READ_STATUS, POWERED | STICKY_ERROR);
}

CONNECTED("power-up=0", banked_data_registers_read_four_words)
{
	static const unsigned banks[] = {READ_CSW, READ_TAR, READ_BANK_2, READ_DRW};

	fill();
	wire_begin_at(RAM + 0x14);
	wire_assert_writes(WRITE_SELECT, 0x10);
	assert_int_equal(wire_read(banks[0], NULL), OK);
	for (uint32_t i = 1; i < 4; i++)
		wire_assert_reads(banks[i], 0xabc00003 + i);
	wire_assert_reads(READ_RDBUFF, 0xabc00007);
}

CONNECTED("power-up=0 busy=100000", abort_frees_a_busy_access_port)
{
	wire_assert_writes(WRITE_CSW, 0x23000052);
	assert_int_equal(wire_write(WRITE_TAR, RAM), WAIT);
	wire_assert_writes(WRITE_ABORT, 1);
	wire_assert_writes(WRITE_TAR, RAM);
}

CONNECTED("power-up=0", access_port_forgets_its_registers_without_power)
{
	wire_begin_at(RAM + 4);
	wire_assert_writes(WRITE_CONTROL, 0);
	wire_power_up();
	assert_int_equal(wire_read(READ_TAR, NULL), OK);
	wire_assert_reads(READ_RDBUFF, 0);
}

CONNECTED("power-up=0 ap2=1", each_access_port_has_the_registers_of_its_core)
{
	wire_poke(0xe000edfc, 1u << 24);
	wire_assert_writes(WRITE_SELECT, 1u << 24);
	assert_int_equal(wire_peek(0xe000edfc), 0);
	wire_poke(RAM, 5);
	wire_assert_writes(WRITE_SELECT, 0);
	assert_int_equal(wire_peek(RAM), 5);
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
