/* SPDX-License-Identifier: MIT */
/* See fake_probe.h. */
#include "fake_probe.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

uint32_t fake_probe_word(unsigned index)
{
	return index * 2654435761u + 0x1234567u;
}

static uint32_t word_at(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void answer_byte(struct fake_answer *answer, unsigned byte)
{
	answer->bytes[answer->size++] = (uint8_t)byte;
}

static void answer_word(struct fake_answer *answer, uint32_t word)
{
	for (unsigned i = 0; i < 4; i++)
		answer_byte(answer, word >> (8 * i));
}

/* The address that is accessed next; the port counts on within 1 KB only. */
static uint32_t next_address(struct fake_probe *probe)
{
	uint32_t address = probe->tar;
	probe->tar = (address & ~0x3ffu) | ((address + 4) & 0x3ff);
	return address;
}

static uint32_t *memory_at(struct fake_probe *probe, uint32_t address)
{
	return &probe->memory[address / 4 % FAKE_PROBE_WORDS];
}

static uint32_t read_register(struct fake_probe *probe, uint8_t reg)
{
	switch (reg) {
	case 0x02:
		return FAKE_PROBE_DPIDR;
	case 0x07:
		return probe->tar;
	case 0x0f:
		return *memory_at(probe, next_address(probe));
	default:
		return 0;
	}
}

static void write_register(struct fake_probe *probe, uint8_t reg, uint32_t word)
{
	if (reg == 0x05)
		probe->tar = word;
	else if (reg == 0x0d)
		*memory_at(probe, next_address(probe)) = word;
}

/* Makes one access, unless it fails; returns its acknowledge. A read of an access port is posted: where another
 * follows, that one fetches its word, else a read of RDBUFF does. */
static uint8_t make_access(struct fake_probe *probe, uint8_t reg, const uint8_t *data, bool *is_posted,
                           struct fake_answer *answer)
{
	bool is_posting = (reg & 3) == 3;

	probe->wire_transfers += *is_posted && !is_posting ? 2 : 1;
	*is_posted = is_posting;
	if (++probe->accesses == probe->failing_access)
		return probe->failing_ack;
	if (reg & 2)
		answer_word(answer, read_register(probe, reg));
	else
		write_register(probe, reg, word_at(data));
	return 1;
}

/* Of DAP_Transfer and DAP_TransferBlock: count accesses from next on. */
static void make_accesses(struct fake_probe *probe, unsigned count, const uint8_t *next, bool is_block,
                          struct fake_answer *answer)
{
	size_t head = answer->size;
	bool is_posted = false;
	unsigned done = 0;
	uint8_t ack = 1, reg = next[0];

	answer->size = head + (is_block ? 3 : 2);
	next += is_block;
	while (done < count) {
		if (!is_block)
			reg = *next++;
		ack = make_access(probe, reg, next, &is_posted, answer);
		if (ack != 1)
			break;
		next += reg & 2 ? 0 : 4;
		done++;
	}
	/* What was posted is fetched, or the last write is looked at. */
	probe->wire_transfers += is_posted || !(reg & 2) ? 1 : 0;
	answer->bytes[head] = (uint8_t)done;
	answer->bytes[head + 1] = is_block ? (uint8_t)(done >> 8) : ack;
	if (is_block)
		answer->bytes[head + 2] = ack;
}

static void tell_of_itself(const struct fake_probe *probe, uint8_t id, struct fake_answer *answer)
{
	switch (id) {
	case 0x04:
		answer_byte(answer, (unsigned)strlen(probe->version) + 1);
		for (const char *next = probe->version; *next; next++)
			answer_byte(answer, (uint8_t)*next);
		answer_byte(answer, 0);
		break;
	case 0xf0:
		answer_byte(answer, 1);
		answer_byte(answer, probe->capabilities);
		break;
	case 0xfe:
		answer_byte(answer, 1);
		answer_byte(answer, probe->packet_count);
		break;
	case 0xff:
		answer_byte(answer, 2);
		answer_byte(answer, probe->packet_size);
		answer_byte(answer, probe->packet_size >> 8);
		break;
	default:
		answer_byte(answer, 0);
	}
}

static void answer_command(struct fake_probe *probe, const uint8_t *request, struct fake_answer *answer)
{
	answer_byte(answer, request[0]);
	switch (request[0]) {
	case 0x00:
		tell_of_itself(probe, request[1], answer);
		break;
	case 0x02:
		answer_byte(answer, probe->connected_port);
		break;
	case 0x04:
		probe->idle_clocks = request[1];
		probe->wait_retries = request[2] | (unsigned)request[3] << 8;
		answer_byte(answer, 0);
		break;
	case 0x05:
		make_accesses(probe, request[2], request + 3, false, answer);
		break;
	case 0x06:
		make_accesses(probe, request[2] | (unsigned)request[3] << 8, request + 4, true, answer);
		break;
	case 0x1d:
		answer_byte(answer, 0);
		answer_byte(answer, 0x1f); /* nobody drove the line */
		break;
	default:
		answer_byte(answer, 0);
	}
}

static void check_answer(struct fake_probe *probe, const struct fake_answer *answer)
{
	probe->too_long += answer->size > probe->packet_size;
	probe->endless_answers += answer->size % 64 == 0 && answer->size != probe->packet_size;
}

static void queue(struct fake_probe *probe, const struct fake_answer *answer)
{
	unsigned number = ++probe->answers_made;
	bool is_spoilt = number == probe->spoilt_answer;

	if (number == probe->lost_answer || (probe->silent_from && number >= probe->silent_from))
		return;
	if (number == probe->late_answer) {
		probe->late = *answer;
		probe->has_late = true;
		return;
	}
	if (probe->spoils_on && number > probe->spoilt_answer)
		is_spoilt = answer->bytes[0] == 0x05 || answer->bytes[0] == 0x06;
	assert_true(probe->answer_end - probe->answer_first < 64);
	struct fake_answer *queued = &probe->answers[probe->answer_end++ % 64];
	*queued = *answer;
	if (is_spoilt && probe->spoil != NULL)
		probe->spoil(queued);
	if (probe->pads)
		queued->size = probe->packet_size;
	if (probe->answer_end - probe->answer_first > probe->in_flight_longest)
		probe->in_flight_longest = probe->answer_end - probe->answer_first;
}

static enum status fake_send(struct packets *packets, const void *bytes, size_t size, uint64_t deadline,
                             struct error *error)
{
	struct fake_probe *probe = (struct fake_probe *)packets;
	struct fake_answer answer = {0};
	uint8_t request[2048] = {0};

	(void)deadline;
	assert_true(probe->request_count < 4096 && size > 0 && size <= sizeof request);
	probe->too_long += size > probe->packet_size;
	memcpy(request, bytes, size);
	memcpy(probe->requests[probe->request_count], request, 16);
	probe->sizes[probe->request_count++] = size;
	if (probe->unplugged_at && probe->request_count >= probe->unplugged_at)
		return status_fail(error, "fake: unplugged");
	if (probe->has_late)
		probe->answers[probe->answer_end++ % 64] = probe->late;
	probe->has_late = false;
	if (request[0] == probe->unknown_command)
		answer_byte(&answer, 0xff);
	else
		answer_command(probe, request, &answer);
	if (request[0] == probe->refused_command)
		answer.bytes[1] = 0xff;
	check_answer(probe, &answer);
	queue(probe, &answer);
	return STATUS_OK;
}

static enum status fake_receive(struct packets *packets, void *bytes, size_t capacity, uint64_t deadline, size_t *size,
                                struct error *error)
{
	struct fake_probe *probe = (struct fake_probe *)packets;

	(void)deadline;
	*size = 0;
	if (probe->unplugged_at && probe->request_count >= probe->unplugged_at)
		return status_fail(error, "fake: unplugged");
	if (probe->answer_first == probe->answer_end)
		return status_fail(error, "fake: no answer");
	const struct fake_answer *answer = &probe->answers[probe->answer_first++ % 64];
	assert_true(answer->size <= capacity);
	memcpy(bytes, answer->bytes, answer->size);
	*size = answer->size;
	return STATUS_OK;
}

static void fake_close(struct packets *packets)
{
	((struct fake_probe *)packets)->is_closed = true;
}

static const struct packets_ops fake_ops = {.send = fake_send, .receive = fake_receive, .close = fake_close};

void fake_probe_init(struct fake_probe *probe)
{
	memset(probe, 0, sizeof *probe);
	probe->packets = (struct packets){
	        .ops = &fake_ops, .source = "fake", .size_max = 1024, .in_flight_max = 8, .cancel = -1};
	probe->packet_size = 512;
	probe->packet_count = 4;
	probe->capabilities = 0x01;
	probe->connected_port = 1;
	probe->version = "2.1.0";
	probe->unknown_command = probe->refused_command = 0xff;
	for (unsigned i = 0; i < FAKE_PROBE_WORDS; i++)
		probe->memory[i] = fake_probe_word(i);
}
