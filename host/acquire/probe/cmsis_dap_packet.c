/* SPDX-License-Identifier: MIT */
/* See cmsis_dap_packet.h. */
#include "acquire/probe/cmsis_dap_packet.h"

/* Command, index, count, then a register and its word per access; the answer is command, count, acknowledge and the
 * words read. */
#define TRANSFER      0x05
#define TRANSFER_HEAD 3u
#define TRANSFER_MAX  255u

/* Command, index, 16-bit count and register, then the words; the answer has a 16-bit count, too. */
#define BLOCK        0x06
#define BLOCK_HEAD   5u
#define BLOCK_MAX    0xffffu
#define BLOCK_ANSWER 4u

#define WORD 4u

/* Packet sizes of endpoints are multiples of 64, except at low speed, which no probe uses (USB 2.0, 5.7.3 and 5.8.3).
 */
#define ENDPOINT_PACKET 64u

/* TAR, if its bank is selected (IHI 0031, C2.2). */
#define WRITE_OF_TAR (DAP_AP | 4u)

static bool is_read(const struct dap_transfer *run)
{
	return run->reg & DAP_READ;
}

static size_t smaller_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

void cmsis_dap_put_word(uint8_t *bytes, uint32_t word)
{
	for (unsigned i = 0; i < WORD; i++)
		bytes[i] = (uint8_t)(word >> (8 * i));
}

static uint32_t get_word(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* The run that the next word belongs to. */
static const struct dap_transfer *pass_word(struct cmsis_dap_place *place)
{
	const struct dap_transfer *run = place->transfers;

	if (++place->done == run->count) {
		place->transfers++;
		place->count--;
		place->done = 0;
	}
	return run;
}

/* The number of words for a DAP_TransferBlock. 0: use DAP_Transfer, because other registers fit into the packet, too,
 * or because the answer would end with a full packet of the endpoint: not every probe sends an empty packet after it,
 * and the host would wait. The answer to a reading DAP_Transfer has an odd size. */
static uint32_t words_of_block(const struct cmsis_dap_place *place, size_t size_max)
{
	const struct dap_transfer *run = place->transfers;
	uint32_t left = run->count - place->done;

	size_t head = is_read(run) ? BLOCK_ANSWER : BLOCK_HEAD;
	size_t words = smaller_of(smaller_of(left, BLOCK_MAX), (size_max - head) / WORD);
	size_t as_transfer = smaller_of(TRANSFER_MAX, (size_max - TRANSFER_HEAD) / (is_read(run) ? WORD : 1 + WORD));
	size_t answer = BLOCK_ANSWER + (is_read(run) ? words * WORD : 0);
	bool is_endless = answer % ENDPOINT_PACKET == 0 && answer != size_max;
	bool is_alone = left >= as_transfer || place->count == 1;
	return words > 1 && is_alone && !is_endless ? (uint32_t)words : 0;
}

static void pack_block(struct cmsis_dap_place *place, uint32_t words, struct cmsis_dap_packet *packet)
{
	const struct dap_transfer *run = place->transfers;
	const uint8_t head[BLOCK_HEAD] = {BLOCK, 0, (uint8_t)words, (uint8_t)(words >> 8), run->reg};

	for (size_t i = 0; i < BLOCK_HEAD; i++)
		packet->request[i] = head[i];
	packet->size = BLOCK_HEAD;
	packet->accesses = words;
	packet->reads = is_read(run) ? words : 0;
	for (uint32_t i = 0; i < words; i++) {
		if (!is_read(run)) {
			cmsis_dap_put_word(packet->request + packet->size, run->words[place->done]);
			packet->size += WORD;
		}
		pass_word(place);
	}
}

static void pack_transfer(struct cmsis_dap_place *place, size_t size_max, struct cmsis_dap_packet *packet)
{
	size_t answer = TRANSFER_HEAD;

	packet->size = TRANSFER_HEAD;
	packet->accesses = packet->reads = 0;
	while (place->count > 0 && packet->accesses < TRANSFER_MAX) {
		const struct dap_transfer *run = place->transfers;
		size_t size = is_read(run) ? 1 : 1 + WORD;

		if (packet->size + size > size_max || answer + WORD > size_max)
			break;
		packet->request[packet->size] = run->reg;
		if (is_read(run)) {
			packet->reads++;
			answer += WORD;
		} else {
			cmsis_dap_put_word(packet->request + packet->size + 1, run->words[place->done]);
		}
		packet->size += size;
		packet->accesses++;
		pass_word(place);
	}
	packet->request[0] = TRANSFER;
	packet->request[1] = 0;
	packet->request[2] = (uint8_t)packet->accesses;
}

/* Whether a packet may follow before its predecessor is known to have succeeded. The probe executes it even if the
 * predecessor failed. If that failed to set an address, reads are discarded, but writes would go elsewhere. */
static bool may_follow(const struct cmsis_dap_packet *packet)
{
	struct cmsis_dap_place place = packet->from;

	for (uint32_t i = 0; i < packet->accesses; i++) {
		const struct dap_transfer *run = pass_word(&place);

		if (!is_read(run) && run->reg != WRITE_OF_TAR)
			return false;
	}
	return true;
}

void cmsis_dap_pack(struct cmsis_dap_place *place, size_t size_max, struct cmsis_dap_packet *packet)
{
	uint32_t words = words_of_block(place, size_max);

	packet->from = *place;
	packet->is_block = words > 0;
	if (packet->is_block)
		pack_block(place, words, packet);
	else
		pack_transfer(place, size_max, packet);
	packet->may_follow = may_follow(packet);
}

static void take_words(const struct cmsis_dap_packet *packet, const uint8_t *bytes)
{
	struct cmsis_dap_place place = packet->from;

	for (uint32_t i = 0; i < packet->accesses; i++) {
		uint32_t index = place.done;
		const struct dap_transfer *run = pass_word(&place);

		if (is_read(run)) {
			run->words[index] = get_word(bytes);
			bytes += WORD;
		}
	}
}

bool cmsis_dap_unpack(const struct cmsis_dap_packet *packet, const uint8_t *answer, size_t size, enum dap_ack *ack)
{
	size_t head = packet->is_block ? BLOCK_ANSWER : TRANSFER_HEAD;

	if (size < head || answer[0] != packet->request[0])
		return false;
	uint32_t done = packet->is_block ? answer[1] | (uint32_t)answer[2] << 8 : answer[1];
	/* Bits 2 to 0 are the target's acknowledge; bit 3 means wrong parity or acknowledge (CMSIS-DAP,
	 * DAP_Transfer). */
	*ack = dap_ack_of(answer[head - 1]);
	if (*ack != DAP_OK)
		return done <= packet->accesses;
	/* HID reports, and bulk packets of some probes, are padded. */
	if (done != packet->accesses || size < head + packet->reads * WORD)
		return false;
	take_words(packet, answer + head);
	return true;
}
