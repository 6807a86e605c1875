/* SPDX-License-Identifier: MIT */
/*
 * See machine.h. Between the functions that run are others that never do, so that both share granules; some are
 * instrumented, some are not. The line has no faults, which the compiler cannot know, and each message takes the same
 * instructions.
 */
#include "machine.h"

#define UNPROFILED __attribute__((no_instrument_function, noinline))
#define FUNCTION   __attribute__((noinline))

#define MESSAGE_BYTES 9u

enum state { WAITING, KIND, LENGTH_LOW, LENGTH_HIGH, SEQUENCE, PAYLOAD, ESCAPED, CHECK_LOW, CHECK_HIGH, BROKEN };

struct machine {
	enum state state;
	uint32_t length, received, sequence, sum, crc;
	uint32_t messages, failures, repairs;
};

static struct machine machine;
static uint8_t payload[64];
static uint32_t noise = 2463534242u;
static uint32_t position;
static volatile uint32_t fault;

/* --- The line: an endless row of messages with two bytes of payload. */

FUNCTION static uint32_t next_noise(void)
{
	noise ^= noise << 13;
	noise ^= noise >> 17;
	noise ^= noise << 5;
	return noise;
}

FUNCTION void line_reset(void)
{
	position = 0;
	noise = 1;
}

FUNCTION static uint8_t line_byte(void)
{
	uint32_t place = position++ % MESSAGE_BYTES;

	switch (place) {
	case 0:
		return 0x7E;
	case 1:
		return (uint8_t)(position % 3);
	case 2:
		return 2;
	case 3:
		return 0;
	case 4:
		return (uint8_t)position;
	case 7:
		return 0xA5;
	case 8:
		return 0x55;
	default:
		return (uint8_t)(next_noise() >> 8);
	}
}

FUNCTION void line_fault(void)
{
	fault = 1;
}

/* --- Sums. */

UNPROFILED static uint32_t crc_step(uint32_t crc, uint8_t byte)
{
	crc ^= byte;
	for (unsigned bit = 0; bit < 2; bit++)
		crc = crc >> 1 ^ (0xEDB88320u & (0u - (crc & 1)));
	return crc;
}

UNPROFILED void crc_repair(void)
{
	machine.crc = ~machine.crc;
}

FUNCTION static void add_to_sum(uint8_t byte)
{
	machine.sum = machine.sum * 31u + byte;
	machine.crc = crc_step(machine.crc, byte);
}

FUNCTION void sum_clear(void)
{
	machine.sum = 0;
}

/* --- Messages. */

FUNCTION static void keep(uint8_t byte)
{
	payload[machine.received++ % sizeof payload] = byte;
}

UNPROFILED void payload_clear(void)
{
	for (unsigned i = 0; i < sizeof payload; i++)
		*(volatile uint8_t *)&payload[i] = 0;
}

FUNCTION static void begin(void)
{
	machine.length = machine.received = 0;
	machine.sum = 0x12345678u;
	machine.crc = 0xFFFFFFFFu;
}

FUNCTION void give_up(void)
{
	machine.failures++;
	machine.state = WAITING;
}

/* One message in 64. */
FUNCTION static void note_progress(void)
{
	machine.repairs += machine.crc & 1;
}

FUNCTION void abandon(void)
{
	machine.messages = 0;
	payload_clear();
}

FUNCTION static void finish(void)
{
	machine.messages++;
	if (machine.messages % 64 == 0)
		note_progress();
	if (fault != 0)
		abandon();
}

FUNCTION void recover(void)
{
	line_reset();
	sum_clear();
	crc_repair();
	line_fault();
}

FUNCTION static enum state take(enum state state, uint8_t byte)
{
	switch (state) {
	case WAITING:
		if (byte == 0x7E)
			begin();
		return byte == 0x7E ? KIND : WAITING;
	case KIND:
		return byte <= 3 ? LENGTH_LOW : BROKEN;
	case LENGTH_LOW:
		machine.length = byte;
		return LENGTH_HIGH;
	case LENGTH_HIGH:
		machine.length |= (uint32_t)byte << 8;
		return SEQUENCE;
	case SEQUENCE:
		machine.sequence = byte;
		return PAYLOAD;
	case PAYLOAD:
		add_to_sum(byte);
		keep(byte);
		return machine.received == machine.length ? CHECK_LOW : PAYLOAD;
	case ESCAPED:
		keep(byte ^ 0x20u);
		return PAYLOAD;
	case CHECK_LOW:
		return CHECK_HIGH;
	case CHECK_HIGH:
		finish();
		return WAITING;
	default:
		recover();
		give_up();
		return WAITING;
	}
}

UNPROFILED void machine_dump(void)
{
	fault = machine.sequence + machine.repairs;
}

FUNCTION void machine_run(uint32_t messages)
{
	for (uint32_t i = 0; i < messages * MESSAGE_BYTES; i++)
		machine.state = take(machine.state, line_byte());
}

uint32_t machine_messages(void)
{
	return machine.messages;
}

uint32_t machine_failures(void)
{
	return machine.failures;
}
