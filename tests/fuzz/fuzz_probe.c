/* SPDX-License-Identifier: MIT */
/*
 * Damaged answers of a debug probe, from a correct model: an input describes how each answer is damaged, in order.
 * Requests never exceed the packet size of the probe, at most COUNT are in flight, and nothing is read beyond an
 * answer. Lost or truncated answers never lead to wrong memory. If nothing was damaged until the connection was
 * established, a read after the last damage returns the memory of the target, unless more answers were damaged than
 * the host tolerates.
 */
#include "fuzz.h"

#include "acquire/dap/arm_debug.h"
#include "acquire/probe/cmsis_dap.h"
#include "base/wait.h"

#include "../probe-model/cmsis_dap.h"

#include <stdio.h>
#include <string.h>

#define BASE        0x20000000u
#define SIZE        256u
#define PACKET      64u
#define COUNT       4u
#define ANSWERS_MAX (2 * COUNT)

/* The host gives up a probe after a wrong answer if it does not answer DAP_Info, or after more consecutive wrong
 * answers than this (host/acquire/probe/cmsis_dap.c). */
#define INFO       0
#define LOSSES_MAX 8

enum damage { KEEP, LOSE, TRUNCATE, FLIP, REPLACE, DAMAGES };

struct answer {
	size_t size;
	uint8_t bytes[1024];
};

static struct bench {
	struct packets packets; /* the first field, so that the host gets its address */
	struct cmsis_dap firmware;
	struct swd_target *target;
	struct answer answers[ANSWERS_MAX];
	unsigned first, count;
	const uint8_t *input;
	size_t left;                 /* of the input */
	bool is_damaging, is_forged; /* forged: with bytes that the probe did not send */
	unsigned losses;             /* damaged answers; one to INFO counts as more than LOSSES_MAX */
} bench;

static uint8_t next_byte(void)
{
	if (bench.left == 0)
		return 0;
	bench.left--;
	return *bench.input++;
}

static void replace(struct answer *answer)
{
	answer->size = next_byte() * 4u;
	for (size_t i = 0; i < answer->size; i++)
		answer->bytes[i] = next_byte();
}

static void damage(struct answer *answer, uint8_t command)
{
	enum damage how = next_byte() % DAMAGES;

	if (how != KEEP)
		bench.losses += command == INFO ? LOSSES_MAX + 1 : 1;
	switch (how) {
	case LOSE:
		answer->size = 0;
		break;
	case TRUNCATE:
		answer->size = next_byte() % answer->size;
		break;
	case FLIP:
		bench.is_forged = true;
		/* Mostly the fields for count and status. */
		answer->bytes[next_byte() % answer->size] ^= next_byte();
		break;
	case REPLACE:
		bench.is_forged = true;
		replace(answer);
		break;
	default:
		break;
	}
}

static enum status send_request(struct packets *packets, const void *bytes, size_t size, uint64_t deadline,
                                struct error *error)
{
	(void)deadline;
	(void)error;
	const uint8_t *request = bytes;

	require(size > 0 && size <= packets->size_max && bench.count < ANSWERS_MAX);
	struct answer *answer = &bench.answers[(bench.first + bench.count) % ANSWERS_MAX];
	answer->size = cmsis_dap_execute(&bench.firmware, request, size, answer->bytes);
	if (bench.is_damaging && answer->size > 0)
		damage(answer, request[0]);
	if (answer->size > 0)
		bench.count++;
	return STATUS_OK;
}

static enum status receive_answer(struct packets *packets, void *bytes, size_t capacity, uint64_t deadline,
                                  size_t *size, struct error *error)
{
	(void)packets;
	(void)deadline;
	*size = 0;
	if (bench.count == 0)
		return status_fail(error, "no answer");
	const struct answer *answer = &bench.answers[bench.first++ % ANSWERS_MAX];
	bench.count--;
	/* A bulk transfer that exceeds the buffer of the receiver is an error. */
	if (answer->size > capacity)
		return status_fail(error, "too long");
	memcpy(bytes, answer->bytes, answer->size);
	*size = answer->size;
	return STATUS_OK;
}

static void close_packets(struct packets *packets)
{
	packets->ops = NULL;
}

static const struct packets_ops packets_ops = {.send = send_request, .receive = receive_answer, .close = close_packets};

static void plug_in(const uint8_t *data, size_t size)
{
	static const char *const options[] = {"ram=0x20000000,0x1000"};

	bench = (struct bench){
	        .packets =
	                {.ops = &packets_ops, .source = "fuzz", .size_max = 1024, .in_flight_max = COUNT, .cancel = -1},
	        .target = swd_open(options, 1),
	        .input = data,
	        .left = size,
	};
	require(bench.target != NULL);
	cmsis_dap_start(&bench.firmware, bench.target, "1", PACKET, COUNT);
	uint8_t *memory = swd_memory(bench.target, BASE, SIZE);
	for (size_t i = 0; i < SIZE; i++)
		memory[i] = (uint8_t)(i * 7 + 1);
}

static struct access *connect_to_target(void)
{
	const struct target_setup setup = {.speed = 1000000,
	                                   .access_port = -1,
	                                   .core = -1,
	                                   .cancel = -1,
	                                   .timeout = 20,
	                                   .clock = &clock_system,
	                                   .observer = &target_nobody};
	struct error error;
	struct access *adi;
	struct dap *dap;

	if (cmsis_dap_open(&bench.packets, "fuzz", 20, &dap, &error) != STATUS_OK ||
	    arm_debug_connect(dap, &setup, &adi, &error) != STATUS_OK)
		return NULL;
	return adi;
}

/* Whether the read succeeded. Its data must be right if nothing was forged, or if is_surely_right. */
static bool read_memory(struct access *adi, bool is_surely_right)
{
	uint8_t bytes[SIZE];
	struct error error;

	if (access_read(adi, BASE, bytes, SIZE, &error) != STATUS_OK)
		return false;
	if (is_surely_right || !bench.is_forged)
		require(memcmp(bytes, swd_memory(bench.target, BASE, SIZE), SIZE) == 0);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool was_well;

	plug_in(data, size);
	was_well = next_byte() % 2 == 0;
	bench.is_damaging = !was_well;
	struct access *adi = connect_to_target();
	require(adi != NULL || !was_well);
	if (adi != NULL) {
		bench.is_damaging = true;
		read_memory(adi, false);
		bench.is_damaging = false;
		require(read_memory(adi, was_well) || !was_well || bench.losses > LOSSES_MAX);
		access_close(adi);
	}
	require(bench.packets.ops == NULL);
	swd_close(bench.target);
	return 0;
}
