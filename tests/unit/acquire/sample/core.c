/* SPDX-License-Identifier: MIT */
/* See core.h. */
#include "core.h"

#define READ_NANOSECONDS    UINT64_C(8000)
#define REQUEST_NANOSECONDS UINT64_C(100000)

static struct image_function functions[] = {
        {.name = "work", .start = CORE_WORK_START, .end = CORE_FILTER_START, .sized = true},
        {.name = "filter", .start = CORE_FILTER_START, .end = CORE_CODE_END, .sized = true},
};
static struct image_code code[] = {{.name = ".text", .address = CORE_WORK_START, .size = 0x200}};

const struct image core_image = {
        .path = "fw.elf",
        .isa = IMAGE_ISA_ARM,
        .address_size = 4,
        .functions = functions,
        .function_count = 2,
        .code = code,
        .code_count = 1,
        .build_id = {0xAB, 0xCD},
        .build_id_size = 2,
};

static const struct {
	uint32_t pc;
	uint64_t nanoseconds;
} program[CORE_PLACES] = {
        [CORE_WORK] = {CORE_WORK_START + 0x10, 200000},
        [CORE_FILTER] = {CORE_FILTER_START + 0x21, 150000},
        [CORE_ASLEEP] = {0xFFFFFFFF, 500000},
        [CORE_BOOT_ROM] = {CORE_BOOT_ROM_PC, 50000},
        [CORE_WORK_AGAIN] = {CORE_WORK_START + 0x40, 100000},
};

static uint32_t sampled_pc(const struct core *core)
{
	uint64_t time = core->now % 1000000;
	size_t place = 0;

	if (!core->has_pcsr)
		return 0;
	while (time >= program[place].nanoseconds)
		time -= program[place++].nanoseconds;
	return core->is_halted ? 0xFFFFFFFF : program[place].pc;
}

/* Whether the time has passed; true only once. */
static bool is_due(const struct core *core, uint64_t *time)
{
	if (*time == 0 || core->now < *time)
		return false;

	*time = 0;
	return true;
}

static uint32_t read_status(struct core *core)
{
	uint32_t status = core->was_reset ? 0x02000000 : 0;

	core->was_reset = false;
	return status;
}

static uint32_t read_word(struct core *core, uint64_t address)
{
	core->now += READ_NANOSECONDS;
	core->was_reset |= is_due(core, &core->is_reset);
	if (is_due(core, &core->loses_trace))
		core->demcr = 0;
	switch (address) {
	case 0xE000101C:
		return sampled_pc(core);
	case 0xE000ED00:
		return core->cpuid;
	case 0xE000EDF0:
		return read_status(core);
	default:
		return address == 0xE000EDFC ? core->demcr : 0;
	}
}

static enum status read_register(struct target *target, uint64_t address, uint32_t *words, size_t count,
                                 struct error *error)
{
	struct core *core = (struct core *)target;

	core->now += REQUEST_NANOSECONDS;
	if (core->vanishes > 0 && core->now >= core->vanishes)
		return status_fail(error, "%s: unplugged", target->source);
	for (size_t i = 0; i < count; i++)
		words[i] = read_word(core, address);
	return STATUS_OK;
}

static enum status write_register(struct target *target, uint64_t address, uint32_t word, struct error *error)
{
	if (address != 0xE000EDFC)
		return status_fail(error, "%s: nothing else may be written", target->source);
	((struct core *)target)->demcr = word;
	return STATUS_OK;
}

static const struct target_ops ops = {
        .syntax.scheme = "core", .read_register = read_register, .write_register = write_register};

static struct core *timed; /* the latest, whose time the clock shows */

static uint64_t nanoseconds(void)
{
	return timed->now;
}

static bool pause_nanoseconds(uint64_t duration, int cancel)
{
	(void)cancel;
	timed->now += duration;
	return timed->cancels == 0 || timed->now < timed->cancels;
}

const struct clock core_clock = {.nanoseconds = nanoseconds, .pause_nanoseconds = pause_nanoseconds};

void core_init(struct core *core)
{
	*core = (struct core){.cpuid = 0x412FC230, .demcr = 0x1, .has_pcsr = true, .was_reset = true};
	target_init(&core->target, &(struct source){.text = "core:0", .backend = &ops});
	timed = core;
}
