/* SPDX-License-Identifier: MIT */
/* See fake_stlink.h. */
#include "fake_stlink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum status fail_unplugged(struct fake_stlink *fake, struct error *error)
{
	fake->exchange.is_lost = true;
	return status_fail(error, "fake: the device was unplugged");
}

static void execute(struct fake_stlink *fake, const struct exchange_phases *phases)
{
	struct stlink_firmware *firmware = &fake->firmware;

	memcpy(fake->commands[fake->command_count++ % FAKE_STLINK_LOG], phases->command, STLINK_COMMAND_SIZE);
	stlink_execute(firmware, phases->command);
	if (firmware->expected != phases->out_size)
		fake->wrong_phases++;
	else if (firmware->expected > 0)
		stlink_take_data(firmware, phases->out);
	fake->wrong_phases += firmware->answer_size != phases->in_size;
}

static enum status fake_run(struct exchange *exchange, const struct exchange_phases *phases, uint64_t deadline,
                            size_t *received, struct error *error)
{
	struct fake_stlink *fake = (struct fake_stlink *)exchange;
	static uint8_t answer[2 * STLINK_ANSWER_MAX];

	(void)deadline;
	*received = 0;
	if (fake->before != NULL)
		fake->before(fake);
	if (fake->unplugged_at && fake->command_count + 1 >= fake->unplugged_at)
		return fail_unplugged(fake, error);
	execute(fake, phases);
	size_t size = fake->firmware.answer_size;
	memcpy(answer, fake->firmware.answer, size);
	if (size > 0) {
		fake->answer_count++;
		if (fake->spoil != NULL)
			fake->spoil(fake, fake->answer_count, answer, &size);
	}
	if (phases->in_size > 0 && size == 0)
		return status_fail(error, "fake: no answer came in time");
	*received = size;
	if (phases->in_size > 0)
		memcpy(phases->in, answer, size < phases->in_size ? size : phases->in_size);
	return STATUS_OK;
}

static void fake_drain(struct exchange *exchange, unsigned milliseconds)
{
	(void)exchange;
	(void)milliseconds;
}

static void fake_close(struct exchange *exchange)
{
	((struct fake_stlink *)exchange)->is_closed = true;
}

static const struct exchange_ops fake_ops = {.run = fake_run, .drain = fake_drain, .close = fake_close};

void fake_stlink_init(struct fake_stlink *fake, unsigned kind, unsigned release, const char *const *target)
{
	const char *options[16] = {"ram=0x20000000,0x200000", "power-up=0"};
	size_t count = 2;

	for (; target != NULL && *target != NULL && count < 16; target++)
		options[count++] = *target;
	fake_stlink_end(fake);
	memset(fake, 0, sizeof *fake);
	fake->exchange = (struct exchange){.ops = &fake_ops, .source = "stlink", .cancel = -1};
	fake->firmware.hardware = kind;
	fake->firmware.release = release;
	fake->firmware.product = kind == 2 ? 0x3748 : 0x374f;
	fake->firmware.wait_retries = 0;
	fake->firmware.mode = STLINK_MASS;
	fake->firmware.target = swd_open(options, count);
	if (fake->firmware.target == NULL)
		abort();
	stlink_start(&fake->firmware);
	fake->memory = swd_memory(fake->firmware.target, FAKE_STLINK_BASE, FAKE_STLINK_SIZE);
	for (uint32_t i = 0; i < FAKE_STLINK_SIZE; i++)
		fake->memory[i] = (uint8_t)(i * 2654435761u >> 13);
}

void fake_stlink_end(struct fake_stlink *fake)
{
	swd_close(fake->firmware.target);
	fake->firmware.target = NULL;
}

unsigned fake_stlink_count(const struct fake_stlink *fake, uint8_t detail)
{
	unsigned count = 0;

	for (unsigned i = 0; i < fake->command_count && i < FAKE_STLINK_LOG; i++)
		count += fake->commands[i][0] == 0xF2 && fake->commands[i][1] == detail;
	return count;
}
