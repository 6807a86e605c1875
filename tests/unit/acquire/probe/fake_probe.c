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

static void damage(const struct fake_damage *damage, struct fake_answer *answer)
{
	for (unsigned i = 0; i < 4; i++)
		if (damage->bytes[i] != KEEP)
			answer->bytes[i] = (uint8_t)damage->bytes[i];
	if (damage->size_max != 0 && answer->size > damage->size_max)
		answer->size = damage->size_max;
	answer->size -= damage->cut;
}

static void queue(struct fake_probe *probe, const struct fake_answer *answer)
{
	unsigned number = ++probe->answer_count;

	probe->endless += answer->size % 64 == 0 && answer->size != probe->firmware.packet_size;
	if (number == probe->lost_answer || (probe->silent_from && number >= probe->silent_from))
		return;
	if (number == probe->late_answer) {
		probe->late = *answer;
		probe->has_late = true;
		return;
	}
	assert_true(probe->answer_end - probe->answer_first < 64);
	struct fake_answer *queued = &probe->answers[probe->answer_end++ % 64];
	*queued = *answer;
	if (number == probe->damaged_answer)
		damage(&probe->damage, queued);
	if (probe->pads)
		queued->size = probe->firmware.packet_size;
	if (probe->answer_end - probe->answer_first > probe->in_flight_max)
		probe->in_flight_max = probe->answer_end - probe->answer_first;
}

static enum status fake_send(struct packets *packets, const void *bytes, size_t size, uint64_t deadline,
                             struct error *error)
{
	struct fake_probe *probe = (struct fake_probe *)packets;
	struct fake_answer answer = {0};

	assert_true(probe->request_count < 4096 && size > 0);
	probe->too_long += size > probe->firmware.packet_size;
	memcpy(probe->requests[probe->request_count], bytes, size < 16 ? size : 16);
	probe->sizes[probe->request_count++] = size;
	if (probe->unplugged_at && probe->request_count >= probe->unplugged_at)
		return status_fail(error, "fake: unplugged");
	if (probe->has_late)
		probe->answers[probe->answer_end++ % 64] = probe->late;
	probe->has_late = false;
	answer.size = cmsis_dap_execute(&probe->firmware, bytes, size, answer.bytes);
	queue(probe, &answer);
	return STATUS_OK;
}

static enum status fake_receive(struct packets *packets, void *bytes, size_t capacity, uint64_t deadline, size_t *size,
                                struct error *error)
{
	struct fake_probe *probe = (struct fake_probe *)packets;

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

void fake_probe_init(struct fake_probe *probe, const char *fault)
{
	const char *const options[] = {"ram=0,0x2000", "power-up=0", fault};

	swd_close(probe->target);
	memset(probe, 0, sizeof *probe);
	probe->packets = (struct packets){
	        .ops = &fake_ops, .source = "fake", .size_max = 1024, .in_flight_max = 8, .cancel = -1};
	probe->target = swd_open(options, fault != NULL ? 3 : 2);
	probe->memory = swd_memory(probe->target, 0, FAKE_PROBE_WORDS * sizeof *probe->memory);
	for (unsigned i = 0; i < FAKE_PROBE_WORDS; i++)
		probe->memory[i] = fake_probe_word(i);
	cmsis_dap_start(&probe->firmware, probe->target, "1", 512, 4);
}
