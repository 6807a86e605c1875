/* SPDX-License-Identifier: MIT */
/*
 * The work of the periodic interrupt: converts the channels, debounces the button, checks the frame of the digital
 * sensor by its CRC and queues the measurements. A model of slowly wandering, noisy sensors replaces converters, which
 * the emulated boards lack.
 */
#include "acquisition.h"

#include "board.h"
#include "count.h"
#include "crc.h"

#define CHANNELS       4
#define FRAME_SIZE     20
#define DEBOUNCE_TICKS 5
#define QUEUE_SIZE     64u /* a power of two */

struct queue {
	struct measurement slots[QUEUE_SIZE];
	volatile uint32_t put;
	volatile uint32_t taken;
	uint32_t overruns;
};

struct button {
	bool pressed;
	uint8_t ticks_changed;
	uint32_t presses;
};

static struct queue queue;
static struct button button;
static uint32_t noise = 0x2545F491u;
static uint32_t ticks;
static int16_t levels[CHANNELS];
static uint8_t frame[FRAME_SIZE];
static volatile uint32_t frame_check;

/* Marsaglia's xorshift: noise that is the same in every run. */
static inline uint32_t next_noise(void)
{
	noise ^= noise << 13;
	noise ^= noise >> 17;
	noise ^= noise << 5;
	return noise;
}

static int16_t convert_channel(unsigned channel)
{
	int32_t step = (int32_t)(next_noise() % 129u) - 64;
	int32_t level = levels[channel] + step - levels[channel] / 32;

	COUNT(convert_channel);
	levels[channel] = (int16_t)level;
	return (int16_t)(level + (int32_t)(next_noise() & 0x1Fu));
}

static void debounce_button(bool contact)
{
	COUNT(debounce_button);
	if (contact == button.pressed) {
		button.ticks_changed = 0;
		return;
	}
	if (++button.ticks_changed < DEBOUNCE_TICKS)
		return;
	button.pressed = contact;
	button.ticks_changed = 0;
	button.presses += contact;
}

static void ring_put(const struct measurement *measurement)
{
	uint32_t put = queue.put;

	COUNT(ring_put);
	if (put - queue.taken == QUEUE_SIZE) {
		queue.overruns++;
		return;
	}
	queue.slots[put % QUEUE_SIZE] = *measurement;
	queue.put = put + 1;
}

void work_interrupt(void)
{
	board_work_acknowledge();
	COUNT(work_interrupt);
	ticks++;
	for (unsigned channel = 0; channel < CHANNELS; channel++) {
		struct measurement measurement = {ticks, convert_channel(channel), (uint16_t)channel};

		ring_put(&measurement);
		frame[ticks * CHANNELS % FRAME_SIZE + channel] = (uint8_t)measurement.value;
	}
	debounce_button(noise % 16u < 8u + (ticks >> 5 & 7u));
	frame_check = crc32(frame, sizeof(frame));
}

bool acquisition_take(struct measurement *measurement)
{
	uint32_t taken = queue.taken;

	COUNT(acquisition_take);
	if (taken == queue.put)
		return false;
	*measurement = queue.slots[taken % QUEUE_SIZE];
	queue.taken = taken + 1;
	return true;
}
