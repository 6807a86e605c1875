/* SPDX-License-Identifier: MIT */
/* See wire.h. */
#include "wire.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

struct wire wire;

void wire_open(const char *options)
{
	char *text = strdup(options), *rest = text;
	const char *words[16];
	size_t count = 0;

	for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL; count++)
		words[count] = word;
	/* The target keeps using the text. */
	wire = (struct wire){.target = swd_open(words, count), .options = text, .turnaround = 1};
	assert_non_null(wire.target);
}

void wire_close(void)
{
	swd_close(wire.target);
	free(wire.options);
}

void wire_drive(uint64_t bits, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		assert_int_equal(swd_clock(wire.target, true, (bits >> i & 1) != 0), bits >> i & 1);
}

void wire_drive_bytes(const char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		wire_drive((uint8_t)bytes[i], 8);
}

uint64_t wire_sample(unsigned count)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < count; i++)
		bits |= (uint64_t)swd_clock(wire.target, false, false) << i;
	return bits;
}

unsigned wire_parity(uint32_t word)
{
	return (unsigned)__builtin_popcount(word) & 1;
}

void wire_reset(void)
{
	wire_drive_bytes("\xff\xff\xff\xff\xff\xff\xff\x00", 8);
}

void wire_switch_to_swd(void)
{
	wire_drive_bytes("\xff\xff\xff\xff\xff\xff\xff\x9e\xe7", 9);
	wire_reset();
}

unsigned wire_ask(unsigned request)
{
	wire_drive(request, 8);
	wire_sample(wire.turnaround);
	return (unsigned)wire_sample(3);
}

unsigned wire_read(unsigned request, uint32_t *word)
{
	unsigned ack = wire_ask(request);

	if (ack == OK || wire.always_data) {
		uint64_t bits = wire_sample(33);

		if (ack == OK && wire_parity((uint32_t)bits) != bits >> 32)
			ack = GARBLED;
		if (word != NULL)
			*word = (uint32_t)bits;
	}
	wire_sample(wire.turnaround);
	return ack;
}

unsigned wire_write(unsigned request, uint32_t word)
{
	unsigned ack = wire_ask(request);

	wire_sample(wire.turnaround);
	if (ack == OK || wire.always_data)
		wire_drive((uint64_t)wire_parity(word) << 32 | word, 33);
	return ack;
}

void wire_assert_reads(unsigned request, uint32_t expected)
{
	uint32_t word = ~expected;

	assert_int_equal(wire_read(request, &word), OK);
	assert_int_equal(word, expected);
}

void wire_assert_writes(unsigned request, uint32_t word)
{
	assert_int_equal(wire_write(request, word), OK);
}

void wire_power_up(void)
{
	uint32_t status = 0;

	wire_assert_writes(WRITE_CONTROL, POWER);
	for (unsigned i = 0; i < 100 && (status & POWERED) != POWERED; i++)
		assert_int_equal(wire_read(READ_STATUS, &status), OK);
	assert_int_equal(status & POWERED, POWERED);
}

void wire_connect(void)
{
	wire_switch_to_swd();
	wire_assert_reads(READ_DPIDR, DPIDR);
	wire_power_up();
	wire_assert_writes(WRITE_SELECT, 0);
}

void wire_begin_at(uint32_t address)
{
	wire_assert_writes(WRITE_CSW, 0x23000052);
	wire_assert_writes(WRITE_TAR, address);
}

uint32_t wire_peek(uint32_t address)
{
	uint32_t word = 0;

	wire_begin_at(address);
	assert_int_equal(wire_read(READ_DRW, NULL), OK);
	assert_int_equal(wire_read(READ_RDBUFF, &word), OK);
	return word;
}

void wire_poke(uint32_t address, uint32_t word)
{
	wire_begin_at(address);
	wire_assert_writes(WRITE_DRW, word);
}
