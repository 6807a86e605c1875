/* SPDX-License-Identifier: MIT */
/* See wire.h. */
#include "wire.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

struct wire wire_open(const char *options)
{
	char *text = strdup(options), *rest = text;
	const char *words[16];
	size_t count = 0;

	for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL; count++)
		words[count] = word;
	/* The target keeps using the text. */
	struct wire wire = {.target = swd_open(words, count), .options = text, .turnaround = 1};
	assert_non_null(wire.target);
	return wire;
}

void wire_close(struct wire *wire)
{
	swd_close(wire->target);
	free(wire->options);
}

void wire_drive(struct wire *wire, uint64_t bits, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		assert_int_equal(swd_clock(wire->target, true, (bits >> i & 1) != 0), bits >> i & 1);
}

void wire_drive_bytes(struct wire *wire, const char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		wire_drive(wire, (uint8_t)bytes[i], 8);
}

uint64_t wire_sample(struct wire *wire, unsigned count)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < count; i++)
		bits |= (uint64_t)swd_clock(wire->target, false, false) << i;
	return bits;
}

unsigned wire_parity(uint32_t word)
{
	return (unsigned)__builtin_popcount(word) & 1;
}

void wire_reset(struct wire *wire)
{
	wire_drive_bytes(wire, "\xff\xff\xff\xff\xff\xff\xff\x00", 8);
}

void wire_switch_to_swd(struct wire *wire)
{
	wire_drive_bytes(wire, "\xff\xff\xff\xff\xff\xff\xff\x9e\xe7", 9);
	wire_reset(wire);
}

unsigned wire_ask(struct wire *wire, unsigned request)
{
	wire_drive(wire, request, 8);
	wire_sample(wire, wire->turnaround);
	return (unsigned)wire_sample(wire, 3);
}

unsigned wire_read(struct wire *wire, unsigned request, uint32_t *word)
{
	unsigned ack = wire_ask(wire, request);

	if (ack == OK || wire->always_data) {
		uint64_t bits = wire_sample(wire, 33);
		*word = (uint32_t)bits;
		if (ack == OK && wire_parity(*word) != bits >> 32)
			ack = GARBLED;
	}
	wire_sample(wire, wire->turnaround);
	return ack;
}

unsigned wire_write(struct wire *wire, unsigned request, uint32_t word)
{
	unsigned ack = wire_ask(wire, request);

	wire_sample(wire, wire->turnaround);
	if (ack == OK || wire->always_data)
		wire_drive(wire, (uint64_t)wire_parity(word) << 32 | word, 33);
	return ack;
}

void wire_assert_reads(struct wire *wire, unsigned request, uint32_t expected)
{
	uint32_t word = ~expected;

	assert_int_equal(wire_read(wire, request, &word), OK);
	assert_int_equal(word, expected);
}

void wire_assert_writes(struct wire *wire, unsigned request, uint32_t word)
{
	assert_int_equal(wire_write(wire, request, word), OK);
}

void wire_power_up(struct wire *wire)
{
	uint32_t status = 0;

	wire_assert_writes(wire, WRITE_CONTROL, POWER);
	for (unsigned i = 0; i < 100 && (status & POWERED) != POWERED; i++)
		assert_int_equal(wire_read(wire, READ_STATUS, &status), OK);
	assert_int_equal(status & POWERED, POWERED);
}

void wire_connect(struct wire *wire)
{
	wire_switch_to_swd(wire);
	wire_assert_reads(wire, READ_DPIDR, DPIDR);
	wire_power_up(wire);
	wire_assert_writes(wire, WRITE_SELECT, 0);
}

void wire_begin_at(struct wire *wire, uint32_t address)
{
	wire_assert_writes(wire, WRITE_CSW, 0x23000052);
	wire_assert_writes(wire, WRITE_TAR, address);
}

uint32_t wire_peek(struct wire *wire, uint32_t address)
{
	uint32_t word = 0;

	wire_begin_at(wire, address);
	assert_int_equal(wire_read(wire, READ_DRW, &word), OK);
	assert_int_equal(wire_read(wire, READ_RDBUFF, &word), OK);
	return word;
}

void wire_poke(struct wire *wire, uint32_t address, uint32_t word)
{
	wire_begin_at(wire, address);
	wire_assert_writes(wire, WRITE_DRW, word);
}
