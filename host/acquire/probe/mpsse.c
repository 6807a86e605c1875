/* SPDX-License-Identifier: MIT */
/* See mpsse.h. */
#include "acquire/probe/mpsse.h"

/* Data shifts (3.2): outputs change at the falling edge, inputs are sampled at the rising edge; lowest bit first. */
enum {
	WRITE = 0x19,
	READ = 0x28,
	IN_BITS = 0x02,
	WRITE_TMS = 0x4B,
	TMS_READS = 0x20,
	SET_LOW = 0x80,    /* 3.6.1 */
	SET_HIGH = 0x82,   /* 3.6.3 */
	SET_DIVISOR = 0x86 /* 3.8.2 */
};

/* Maximum clocks of a command that changes TMS: bits 0 to 6 of its byte; bit 7 is TDI (3.4). */
#define TMS_CLOCKS_MAX 7u

#define BYTES_MAX 65536u

/* The longest command without its data, including pin changes before it. */
#define COMMAND_MAX 16u

/* Half of the master clock of 60 MHz (3.8.2). */
#define FASTEST      30000000u
#define DIVISORS_MAX 65536u

static bool bit_of(const uint8_t *bits, size_t index)
{
	return bits[index / 8] >> index % 8 & 1;
}

static uint8_t byte_of(const uint8_t *bits, size_t from, size_t count)
{
	uint8_t byte = 0;

	for (size_t i = 0; i < count && i < 8; i++)
		byte |= (uint8_t)(bit_of(bits, from + i) << i);
	return byte;
}

static size_t run_of(const uint8_t *bits, size_t from, size_t count)
{
	size_t length = 1;

	while (from + length < count && bit_of(bits, from + length) == bit_of(bits, from))
		length++;
	return length;
}

static void put_command_byte(struct mpsse *mpsse, unsigned byte)
{
	mpsse->commands[mpsse->count++] = (uint8_t)byte;
}

static size_t command_room(const struct mpsse *mpsse)
{
	const size_t used = mpsse->count + COMMAND_MAX;

	if (mpsse->piece_count + 2 > MPSSE_PIECES_MAX || used >= MPSSE_COMMANDS_MAX)
		return 0;
	return MPSSE_COMMANDS_MAX - used;
}

void mpsse_begin(struct mpsse *mpsse)
{
	mpsse->count = mpsse->answer_size = mpsse->piece_count = 0;
}

static void add_low_pins(struct mpsse *mpsse)
{
	put_command_byte(mpsse, SET_LOW);
	put_command_byte(mpsse, mpsse->level & 0xFFu);
	put_command_byte(mpsse, mpsse->outputs & 0xFFu);
}

void mpsse_add_pins(struct mpsse *mpsse)
{
	add_low_pins(mpsse);
	put_command_byte(mpsse, SET_HIGH);
	put_command_byte(mpsse, mpsse->level >> 8);
	put_command_byte(mpsse, mpsse->outputs >> 8);
}

void mpsse_add_speed(struct mpsse *mpsse, uint32_t *speed)
{
	uint32_t divisor = *speed > 0 ? (FASTEST + *speed - 1) / *speed : DIVISORS_MAX;

	if (divisor > DIVISORS_MAX)
		divisor = DIVISORS_MAX;
	if (divisor == 0)
		divisor = 1;
	put_command_byte(mpsse, SET_DIVISOR);
	put_command_byte(mpsse, (divisor - 1) & 0xFFu);
	put_command_byte(mpsse, (divisor - 1) >> 8);
	*speed = FASTEST / divisor;
}

static void note_piece(struct mpsse *mpsse, size_t at, size_t clocks, bool in_bytes)
{
	mpsse->pieces[mpsse->piece_count++] =
	        (struct mpsse_piece){.at = (uint32_t)at, .clocks = (uint32_t)clocks, .in_bytes = in_bytes};
	mpsse->answer_size += in_bytes ? clocks / 8 : 1;
}

/* Adds clocks at which TMS does not change: whole bytes, then the rest. bits: to write; NULL: only read. */
static void add_shift(struct mpsse *mpsse, const uint8_t *bits, bool reads, size_t from, size_t count)
{
	const unsigned command = (bits != NULL ? (unsigned)WRITE : 0) | (reads ? (unsigned)READ : 0);
	const size_t bytes = count / 8, rest = count % 8;

	if (bytes > 0) {
		put_command_byte(mpsse, command);
		put_command_byte(mpsse, (unsigned)(bytes - 1) & 0xFFu);
		put_command_byte(mpsse, (unsigned)(bytes - 1) >> 8);
		for (size_t i = 0; bits != NULL && i < bytes; i++)
			put_command_byte(mpsse, byte_of(bits, from + 8 * i, 8));
		if (reads)
			note_piece(mpsse, from, 8 * bytes, true);
	}
	if (rest > 0) {
		put_command_byte(mpsse, command | IN_BITS);
		put_command_byte(mpsse, (unsigned)rest - 1);
		if (bits != NULL)
			put_command_byte(mpsse, byte_of(bits, from + 8 * bytes, rest));
		if (reads)
			note_piece(mpsse, from + 8 * bytes, rest, false);
	}
}

static void drive_swdio(struct mpsse *mpsse, bool is_driven)
{
	uint16_t *pins = mpsse->layout->swdio == FTDI_SWDIO_BUFFER ? &mpsse->level : &mpsse->outputs;
	const uint16_t pin = mpsse->layout->swdio == FTDI_SWDIO_BUFFER ? FTDI_TMS : FTDI_TDI;

	if (((*pins & pin) != 0) == is_driven)
		return;
	*pins = (uint16_t)(is_driven ? *pins | pin : *pins & ~pin);
	add_low_pins(mpsse);
}

static size_t limit_to_room(size_t count, const struct mpsse *mpsse)
{
	const size_t max = 8 * (command_room(mpsse) < BYTES_MAX ? command_room(mpsse) : BYTES_MAX);

	return count < max ? count : max;
}

size_t mpsse_add_swd(struct mpsse *mpsse, const uint8_t *bits, const uint8_t *direction, size_t from, size_t count)
{
	size_t at = from;

	while (at < count && command_room(mpsse) > 0) {
		const bool is_driven = bit_of(direction, at);
		const size_t length = limit_to_room(run_of(direction, at, count), mpsse);

		drive_swdio(mpsse, is_driven);
		add_shift(mpsse, is_driven ? bits : NULL, !is_driven, at, length);
		at += length;
	}
	return at - from;
}

/* The number of clocks, from this one on, for one command that changes TMS. They must have the same TDI, and end where
 * TMS stays constant. */
static size_t tms_clocks(const uint8_t *tms, const uint8_t *tdi, size_t at, size_t count)
{
	size_t clocks = 1;

	while (clocks < TMS_CLOCKS_MAX && at + clocks < count && bit_of(tdi, at + clocks) == bit_of(tdi, at) &&
	       (bit_of(tms, at + clocks) != bit_of(tms, at + clocks - 1) || run_of(tms, at + clocks, count) < 8))
		clocks++;
	return clocks;
}

static size_t add_tms_command(struct mpsse *mpsse, const uint8_t *tms, const uint8_t *tdi, bool tdo, size_t at,
                              size_t count)
{
	const size_t clocks = tms_clocks(tms, tdi, at, count);

	put_command_byte(mpsse, WRITE_TMS | (tdo ? (unsigned)TMS_READS : 0));
	put_command_byte(mpsse, (unsigned)clocks - 1);
	put_command_byte(mpsse, byte_of(tms, at, clocks) | (unsigned)bit_of(tdi, at) << 7);
	if (bit_of(tms, at + clocks - 1))
		mpsse->level |= FTDI_TMS;
	else
		mpsse->level &= (uint16_t)~FTDI_TMS;
	if (tdo)
		note_piece(mpsse, at, clocks, false);
	return clocks;
}

size_t mpsse_add_jtag(struct mpsse *mpsse, const uint8_t *tms, const uint8_t *tdi, bool tdo, size_t from, size_t count)
{
	size_t at = from;

	while (at < count && command_room(mpsse) > 0) {
		const size_t run = limit_to_room(run_of(tms, at, count), mpsse);

		if (bit_of(tms, at) == ((mpsse->level & FTDI_TMS) != 0) && run > 1) {
			add_shift(mpsse, tdi, tdo, at, run);
			at += run;
		} else {
			at += add_tms_command(mpsse, tms, tdi, tdo, at, count);
		}
	}
	return at - from;
}

static void set_bits(uint8_t *bits, size_t from, size_t count, unsigned value)
{
	for (size_t i = 0; i < count; i++) {
		const uint8_t mask = (uint8_t)(1u << (from + i) % 8);
		uint8_t *byte = &bits[(from + i) / 8];

		*byte = (uint8_t)(value >> i & 1 ? *byte | mask : *byte & ~mask);
	}
}

/* Bits arrive at the high end of their byte (3.3.6, 3.4.2). */
void mpsse_take(const struct mpsse *mpsse, const uint8_t *answer, uint8_t *samples)
{
	for (size_t i = 0; i < mpsse->piece_count; i++) {
		const struct mpsse_piece *piece = &mpsse->pieces[i];

		if (!piece->in_bytes)
			set_bits(samples, piece->at, piece->clocks, (unsigned)*answer++ >> (8 - piece->clocks));
		for (uint32_t done = 0; piece->in_bytes && done < piece->clocks; done += 8)
			set_bits(samples, piece->at + done, 8, *answer++);
	}
}
