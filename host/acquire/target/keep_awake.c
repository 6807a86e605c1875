/* SPDX-License-Identifier: MIT */
/* See keep_awake.h. */
#include "acquire/target/keep_awake.h"

#include "acquire/target/cortex.h"
#include "acquire/target/target.h"

#include <stddef.h>

#define DEVICES_MAX 16

/* The device bits of DBGMCU_IDCODE, and the offset of DBGMCU_CR from it. */
#define DEVICE_MASK    0xFFFu
#define CONTROL_OFFSET 4u

/* DBGMCU_CR. In families without DBG_SLEEP, the clock of the debug part stays on during sleep. */
#define SLEEP        (1u << 0)
#define STOP_STANDBY (3u << 1)
/* STM32H7: DBGSLEEP_D1 to DBGSTBY_D1; the same bits for D2, in chips with a second core; and the clocks of the debug
 * parts in D1 and D3. */
#define H7_DOMAINS 0x3Fu
#define H7_CLOCKS  (3u << 21)

/* The chapter "Debug support" of each manual describes DBGMCU_IDCODE with its devices, and DBGMCU_CR. */
static const struct family {
	const char *name;
	uint32_t idcode;             /* address */
	struct register_clock clock; /* DBGMCUEN of RCC_APB2ENR, DBGEN of RCC_APBENR1; DBGMCU_IDCODE needs none */
	uint32_t bits;
	uint16_t devices[DEVICES_MAX]; /* ended by 0 */
} families[] = {
        /* RM0091, RM0360 */
        {"STM32F0", 0x40015800, {0x40021018, 1u << 22}, STOP_STANDBY, {0x440, 0x442, 0x444, 0x445, 0x448}},
        /* RM0490 */
        {"STM32C0", 0x40015800, {0x4002103C, 1u << 27}, STOP_STANDBY, {0x443, 0x44C, 0x44D, 0x453, 0x493}},
        /* RM0444, RM0454 */
        {"STM32G0", 0x40015800, {0x4002103C, 1u << 27}, STOP_STANDBY, {0x456, 0x460, 0x466, 0x467}},
        /* RM0367, RM0376, RM0377 */
        {"STM32L0", 0x40015800, {0x40021034, 1u << 22}, SLEEP | STOP_STANDBY, {0x417, 0x425, 0x447, 0x457}},
        /* RM0008, RM0041 */
        {"STM32F1", 0xE0042000, {0}, SLEEP | STOP_STANDBY, {0x410, 0x412, 0x414, 0x418, 0x420, 0x428, 0x430}},
        /* RM0033 */
        {"STM32F2", 0xE0042000, {0}, SLEEP | STOP_STANDBY, {0x411}},
        /* RM0316, RM0313, RM0364, RM0365, RM0366 */
        {"STM32F3", 0xE0042000, {0}, SLEEP | STOP_STANDBY, {0x422, 0x432, 0x438, 0x439, 0x446}},
        /* RM0090, RM0368, RM0383, RM0386, RM0390, RM0401, RM0402, RM0430 */
        {"STM32F4",
         0xE0042000,
         {0},
         SLEEP | STOP_STANDBY,
         {0x413, 0x419, 0x421, 0x423, 0x431, 0x433, 0x434, 0x441, 0x458, 0x463}},
        /* RM0385, RM0410, RM0431 */
        {"STM32F7", 0xE0042000, {0}, SLEEP | STOP_STANDBY, {0x449, 0x451, 0x452}},
        /* RM0038 */
        {"STM32L1", 0xE0042000, {0}, SLEEP | STOP_STANDBY, {0x416, 0x427, 0x429, 0x436, 0x437}},
        /* RM0351, RM0392, RM0394, RM0432 */
        {"STM32L4", 0xE0042000, {0}, SLEEP | STOP_STANDBY, {0x415, 0x435, 0x461, 0x462, 0x464, 0x470, 0x471}},
        /* RM0440 */
        {"STM32G4", 0xE0042000, {0}, SLEEP | STOP_STANDBY, {0x468, 0x469, 0x479}},
        /* RM0434, RM0471, RM0473, RM0478 */
        {"STM32WB", 0xE0042000, {0}, SLEEP | STOP_STANDBY, {0x494, 0x495, 0x496}},
        /* RM0453, RM0461 */
        {"STM32WL", 0xE0042000, {0}, SLEEP | STOP_STANDBY, {0x497}},
        /* RM0438 */
        {"STM32L5", 0xE0044000, {0}, STOP_STANDBY, {0x472}},
        /* RM0456 */
        {"STM32U5", 0xE0044000, {0}, STOP_STANDBY, {0x455, 0x476, 0x481, 0x482}},
        /* RM0481, RM0492 */
        {"STM32H5", 0xE0044000, {0}, STOP_STANDBY, {0x474, 0x478, 0x484}},
        /* RM0399, RM0433, RM0455, RM0468 */
        {"STM32H7", 0x5C001000, {0}, H7_DOMAINS | H7_CLOCKS, {0x450, 0x480, 0x483}},
};

static bool has_device(const struct family *family, uint32_t device)
{
	for (size_t i = 0; i < DEVICES_MAX && family->devices[i]; i++)
		if (family->devices[i] == device)
			return true;
	return false;
}

static enum status try_register(struct target *target, uint32_t address, uint32_t *word, struct error *error)
{
	return target->ops->try_register != NULL ? target->ops->try_register(target, address, word, error)
	                                         : target->ops->read_register(target, address, word, 1, error);
}

/* NULL: none. A failed read is only a mismatch, because a chip may lack the register of another family. */
static const struct family *find_family(struct target *target)
{
	struct error ignored;

	for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
		uint32_t idcode;

		if (try_register(target, families[i].idcode, &idcode, &ignored) == STATUS_OK &&
		    has_device(&families[i], idcode & DEVICE_MASK))
			return &families[i];
	}
	return NULL;
}

/* Reads and writes a register. A change that the running core makes between the two accesses is lost. */
static enum status change_bits(struct target *target, uint32_t address, uint32_t clear, uint32_t set, uint32_t *found,
                               struct error *error)
{
	enum status status = target->ops->read_register(target, address, found, 1, error);

	if (status != STATUS_OK)
		return status;
	uint32_t word = (*found & ~clear) | set;
	return word == *found ? STATUS_OK : target->ops->write_register(target, address, word, error);
}

/* Enables the register's clock only for the write: the bits are kept when the clock is disabled again. */
static enum status change_control(struct target *target, const struct kept_awake *awake, uint32_t clear, uint32_t set,
                                  uint32_t *found, struct error *error)
{
	const struct register_clock *clock = &awake->clock;
	uint32_t clocks = clock->bit, ignored;
	enum status status = STATUS_OK;

	if (clock->address)
		status = change_bits(target, clock->address, 0, clock->bit, &clocks, error);
	if (status == STATUS_OK)
		status = change_bits(target, awake->address, clear, set, found, error);
	if (status == STATUS_OK && (clocks & clock->bit) != clock->bit)
		status = change_bits(target, clock->address, clock->bit, 0, &ignored, error);
	return status;
}

enum status keep_awake_begin(struct target *target, struct kept_awake *awake, struct error *error)
{
	const struct family *family = find_family(target);
	uint32_t found = UINT32_MAX;

	*awake = (struct kept_awake){0};
	if (family == NULL) {
		/* A lost target also matches no family: report that the target is lost, not an unknown chip. */
		enum status identified = cortex_identify(target, error);

		if (identified != STATUS_OK)
			return identified;
		return status_fail(error,
		                   "%s: cannot keep this chip awake: the known families are those of STM32 C0, F, G, "
		                   "H5, H7, L, U5, WB "
		                   "and WL",
		                   target->source);
	}
	awake->name = family->name;
	awake->address = family->idcode + CONTROL_OFFSET;
	awake->clock = family->clock;
	enum status status = change_control(target, awake, 0, family->bits, &found, error);
	awake->added = family->bits & ~found;
	return status;
}

enum status keep_awake_end(struct target *target, struct kept_awake *awake, struct error *error)
{
	uint32_t ignored;

	if (awake->name == NULL)
		return STATUS_OK;
	awake->name = NULL;
	return change_control(target, awake, awake->added, 0, &ignored, error);
}
