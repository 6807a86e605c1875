/* SPDX-License-Identifier: MIT */
/* Halting and resetting a core, and keeping chips awake. Every change of a register is undone. */
#include "acquire/target/cortex.h"

#include "acquire/dap/cpuid.h"
#include "acquire/target/keep_awake.h"
#include "acquire/target/target.h"
#include "test.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define CPUID 0xE000ED00u
#define AIRCR 0xE000ED0Cu
#define DHCSR 0xE000EDF0u
#define DCRSR 0xE000EDF4u
#define DCRDR 0xE000EDF8u

#define S_REGRDY   0x10000u
#define S_HALT     0x20000u
#define S_RESET_ST 0x2000000u

/* A target with some words of memory, and a core of which DHCSR and AIRCR are modelled. */
static struct {
	struct {
		uint32_t address, word;
	} words[8];
	size_t count;
	uint32_t controls;       /* of DHCSR */
	bool is_deaf;            /* does not halt or reset */
	unsigned reads_in_reset; /* that fail after a reset */
	unsigned resetting;
	bool was_reset;
	bool never_ready, has_selected;
	uint32_t selected;                /* register of the core */
	unsigned reads_until_ready;       /* of DHCSR, until it can be read */
	uint32_t gated, clock, clock_bit; /* a register that cannot be written without its clock; 0: none */
	char log[256];
} chip;

static struct target probe;

static enum status read_dhcsr(uint32_t *word, struct error *error)
{
	if (chip.resetting > 0) {
		chip.resetting--;
		return status_fail(error, "fault");
	}
	*word = chip.controls | (chip.controls & 2 && !chip.is_deaf ? S_HALT : 0) | (chip.was_reset ? S_RESET_ST : 0);
	if (chip.has_selected && chip.reads_until_ready == 0)
		*word |= S_REGRDY;
	chip.reads_until_ready -= chip.reads_until_ready > 0;
	chip.was_reset = false;
	return STATUS_OK;
}

static enum status read_word(struct target *target, uint64_t address, uint32_t *word, size_t count, struct error *error)
{
	assert_ptr_equal(target, &probe);
	assert_int_equal(count, 1);
	if (address == DHCSR)
		return read_dhcsr(word, error);
	if (address == AIRCR) {
		*word = 0xFA056302;
		return STATUS_OK;
	}
	if (address == DCRDR && chip.reads_until_ready == 0) {
		*word = 0x11111111 * chip.selected;
		return STATUS_OK;
	}
	for (size_t i = 0; i < chip.count; i++)
		if (chip.words[i].address == address) {
			*word = chip.words[i].word;
			return STATUS_OK;
		}
	return status_fail(error, "fault");
}

static void write_core(uint32_t address, uint32_t word)
{
	if (address == DHCSR && word >> 16 == 0xA05F)
		chip.controls = word & 0xFFFF;
	if (address == AIRCR && (word & 0xFFFF0007) == 0x05FA0004 && !chip.is_deaf) {
		chip.was_reset = true;
		chip.resetting = chip.reads_in_reset;
	}
}

static void select_register(uint32_t number)
{
	assert_true(chip.controls & 2);
	chip.selected = number;
	chip.has_selected = true;
	chip.reads_until_ready = chip.never_ready ? UINT32_MAX : 2;
}

static bool can_be_written(uint32_t address)
{
	bool has_clock = chip.gated != address;

	for (size_t i = 0; i < chip.count; i++)
		has_clock |= chip.words[i].address == chip.clock && chip.words[i].word & chip.clock_bit;
	return has_clock;
}

static enum status write_word(struct target *target, uint64_t address, uint32_t word, struct error *error)
{
	size_t length = strlen(chip.log);

	(void)error;
	assert_ptr_equal(target, &probe);
	snprintf(chip.log + length, sizeof chip.log - length, "%08x=%08x ", (unsigned)address, word);
	if (address == DCRSR)
		select_register(word);
	write_core((uint32_t)address, word);
	for (size_t i = 0; i < chip.count; i++)
		if (chip.words[i].address == address && can_be_written((uint32_t)address))
			chip.words[i].word = word;
	return STATUS_OK;
}

static const struct target_ops ops = {.read_register = read_word, .write_register = write_word};

static void add_word(uint32_t address, uint32_t word)
{
	chip.words[chip.count].address = address;
	chip.words[chip.count++].word = word;
}

static int begin(void **state)
{
	memset(&chip, 0, sizeof chip);
	add_word(CPUID, 0x412FC231);
	target_init(&probe, &(struct source){.text = "probe", .backend = &ops});
	return 0;
}

static void identify(void)
{
	assert_success(core_cortex.identify(&probe, &failure), &failure);
}

EACH_TEST(begin, NULL);

TEST_WITH(core_is_recognised_by_the_architecture_in_its_cpuid, NULL, NULL)
{
	assert_true(cortex_is_cpuid(0x412FC231));  /* Cortex-M3 */
	assert_true(cortex_is_cpuid(0x410CC601));  /* Cortex-M0+ */
	assert_true(cortex_is_cpuid(0x411CD200));  /* Cortex-M23 */
	assert_true(cortex_is_cpuid(0x410FD213));  /* Cortex-M33 */
	assert_false(cortex_is_cpuid(0x41069265)); /* ARM926EJ-S */
	assert_false(cortex_is_cpuid(0));
	assert_false(cortex_is_cpuid(UINT32_MAX));
}

TEST(identifying_a_core_writes_nothing)
{
	identify();

	assert_success(core_cortex.resume(&probe, &failure), &failure);
	assert_string_equal(chip.log, "");
}

TEST(core_other_than_cortex_m_is_reported)
{
	static const uint32_t others[] = {0, UINT32_MAX, 0x41069265};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		chip.words[0].word = others[i];
		assert_failure(cortex_identify(&probe, &failure), &failure,
		               "not a Cortex-M core: its CPUID reads as 0x");
	}
}

/* Each write keeps interrupts masked that a debugger masked; without C_DEBUGEN the bit has no meaning. */
TEST(halted_core_is_resumed_in_its_former_state)
{
	static const struct {
		uint32_t found, halted, resumed; /* the controls in DHCSR */
		const char *log;
	} cases[] = {
	        {0, 3, 0, "e000edf0=a05f0003 e000edf0=a05f0000 "},
	        {1, 3, 1, "e000edf0=a05f0003 e000edf0=a05f0001 "},
	        {3, 3, 3, ""},
	        {8, 3, 8, "e000edf0=a05f0003 e000edf0=a05f0008 "},
	        {9, 11, 9, "e000edf0=a05f000b e000edf0=a05f0009 "},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		begin(state);
		chip.controls = cases[i].found;
		identify();
		assert_success(core_cortex.halt(&probe, &failure), &failure);
		assert_int_equal(chip.controls, cases[i].halted);
		assert_success(core_cortex.resume(&probe, &failure), &failure);
		assert_int_equal(chip.controls, cases[i].resumed);
		assert_string_equal(chip.log, cases[i].log);
	}
}

TEST(core_that_does_not_halt_is_reported_and_released)
{
	chip.is_deaf = true;
	identify();
	assert_int_equal(core_cortex.halt(&probe, &failure), STATUS_FAILED);
	assert_string_equal(failure.message, "probe: the core did not halt in 500 ms (DHCSR 0x00000003)");
	assert_success(core_cortex.resume(&probe, &failure), &failure);
	assert_int_equal(chip.controls, 0);
}

TEST(reset_is_awaited_while_reads_fail)
{
	chip.reads_in_reset = 5;
	chip.was_reset = true; /* an earlier reset */
	identify();
	assert_success(core_cortex.reset(&probe, &failure), &failure);
	assert_int_equal(chip.resetting, 0);
	assert_string_equal(chip.log, "e000ed0c=05fa6304 ");
}

TEST(target_that_does_not_reset_is_reported)
{
	chip.is_deaf = true;
	chip.was_reset = true; /* before it is identified: an earlier reset */
	identify();
	chip.was_reset = true;
	assert_int_equal(core_cortex.reset(&probe, &failure), STATUS_FAILED);
	assert_string_equal(failure.message,
	                    "probe: the target was asked to reset and did not in 500 ms (DHCSR 0x00000000)");
}

TEST(chip_is_kept_awake_and_restored)
{
	static const struct {
		const char *name;
		uint32_t idcode, device, found, expected; /* found, expected: DBGMCU_CR, at idcode + 4 */
		uint32_t clock, clock_bit, clocks; /* of DBGMCU_CR: the register, its bit and its value; 0: none */
	} chips[] = {
	        {"STM32F1", 0xE0042000, 0x20036410, 0x100, 0x107, 0, 0, 0},
	        {"STM32F4", 0xE0042000, 0x100F6413, 0x100, 0x107, 0, 0, 0},
	        {"STM32WB", 0xE0042000, 0x20016494, 0x100, 0x107, 0, 0, 0},
	        {"STM32WL", 0xE0042000, 0x10036497, 0x100, 0x107, 0, 0, 0},
	        {"STM32U5", 0xE0044000, 0x30016482, 0x100, 0x106, 0, 0, 0},
	        {"STM32H5", 0xE0044000, 0x10016484, 0x100, 0x106, 0, 0, 0},
	        {"STM32H7", 0x5C001000, 0x20036450, 0x100, 0x60013F, 0, 0, 0},
	        {"STM32F0", 0x40015800, 0x20006440, 0, 0x6, 0x40021018, 0x400000, 1},
	        {"STM32F0", 0x40015800, 0x20006440, 0, 0x6, 0x40021018, 0x400000, 0x400001},
	        {"STM32L0", 0x40015800, 0x10086447, 0, 0x7, 0x40021034, 0x400000, 1},
	        {"STM32G0", 0x40015800, 0x10006460, 0, 0x6, 0x4002103C, 0x8000000, 1},
	        {"STM32C0", 0x40015800, 0x10006453, 0, 0x6, 0x4002103C, 0x8000000, 1},
	};

	for (size_t i = 0; i < sizeof chips / sizeof *chips; i++) {
		struct kept_awake awake;

		begin(state);
		add_word(chips[i].idcode, chips[i].device);
		add_word(chips[i].idcode + 4, chips[i].found);
		add_word(chips[i].clock, chips[i].clocks);
		chip.gated = chips[i].clock ? chips[i].idcode + 4 : 0;
		chip.clock = chips[i].clock;
		chip.clock_bit = chips[i].clock_bit;
		assert_success(keep_awake_begin(&probe, &awake, &failure), &failure);
		assert_string_equal(awake.name, chips[i].name);
		assert_int_equal(chip.words[2].word, chips[i].expected);
		assert_int_equal(chip.words[3].word, chips[i].clocks);
		for (unsigned times = 0; times < 2; times++)
			assert_success(keep_awake_end(&probe, &awake, &failure), &failure);
		assert_int_equal(chip.words[2].word, chips[i].found);
		assert_int_equal(chip.words[3].word, chips[i].clocks);
	}
}

/* The register has other bits, for peripherals that stop while the core is halted. */
TEST(bits_that_firmware_sets_meanwhile_are_kept)
{
	struct kept_awake awake;

	add_word(0xE0042000, 0x20036410);
	add_word(0xE0042004, 0x2);
	assert_success(keep_awake_begin(&probe, &awake, &failure), &failure);
	chip.words[2].word |= 0x200;
	assert_success(keep_awake_end(&probe, &awake, &failure), &failure);
	assert_int_equal(chip.words[2].word, 0x202);
}

TEST(unknown_chip_is_reported_and_not_changed)
{
	struct kept_awake awake;

	add_word(0xE0042000, 0x20036999);
	add_word(0xE0042004, 0);
	assert_failure(keep_awake_begin(&probe, &awake, &failure), &failure, "cannot keep this chip awake");
	assert_success(keep_awake_end(&probe, &awake, &failure), &failure);
	assert_string_equal(chip.log, "");
}

TEST(registers_of_the_halted_core_are_read)
{
	struct core_registers registers;
	uint64_t pc;

	identify();
	assert_success(core_cortex.halt(&probe, &failure), &failure);
	assert_success(core_cortex.read_registers(&probe, &registers, &failure), &failure);
	assert_int_equal(registers.pc, 15 * UINT64_C(0x11111111));
	assert_int_equal(registers.lr, 14 * UINT64_C(0x11111111));
	assert_int_equal(registers.sp, 13 * UINT64_C(0x11111111));
	assert_int_equal(registers.fp, 7 * UINT64_C(0x11111111));
	assert_success(core_cortex.read_pc(&probe, &pc, &failure), &failure);
	assert_int_equal(pc, registers.pc);
	assert_null(strstr(chip.log, "e000edf8=")); /* only selected, never written */
}

TEST(register_that_never_becomes_readable_fails)
{
	uint64_t pc;

	identify();
	assert_success(core_cortex.halt(&probe, &failure), &failure);
	chip.never_ready = true;
	assert_int_equal(core_cortex.read_pc(&probe, &pc, &failure), STATUS_FAILED);
	assert_string_equal(failure.message, "probe: the core did not show its registers in 500 ms (DHCSR 0x00020003)");
}
