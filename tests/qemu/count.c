/* SPDX-License-Identifier: MIT */
/*
 * A QEMU plugin that counts how often the instruction at each address was executed, for comparison with sampled
 * profiles.
 *
 * Arguments: output=PATH, for a line `ADDRESS COUNT` per address (hexadecimal, decimal); start=ADDRESS and stop=ADDRESS
 * (hexadecimal, optional): count only from the first execution of the instruction at start until the next execution of
 * the one at stop. The file is written at stop, or at exit without one. first=ADDRESS and end=ADDRESS (hexadecimal,
 * optional): count only instructions from first on, before end. pause=ADDRESS and resume=ADDRESS (hexadecimal,
 * optional): count executions from the one to the other, both included, separately, in a third column of the file.
 */
#include "plugin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int qemu_plugin_version = 1;

#define BUCKETS 8192u

struct counter {
	struct counter *next;
	uint64_t address;
	uint64_t count;
	uint64_t paused_count;
};

/* The interface passes no context to the translation callback, so the plugin's state is global. */
static struct counter *buckets[BUCKETS];
static const char *path;
static uint64_t start_address;
static uint64_t stop_address;
static uint64_t first_address;
static uint64_t end_address = UINT64_MAX;
static uint64_t pause_address;
static uint64_t resume_address;
static bool has_start;
static bool has_stop;
static bool has_pause;
static bool has_resume;
static bool started;
static bool paused;
static bool written;

/* An address has one counter, even if its code is translated several times. */
static struct counter *counter_of(uint64_t address)
{
	struct counter **bucket = &buckets[address / 2u % BUCKETS];

	for (struct counter *counter = *bucket; counter != NULL; counter = counter->next)
		if (counter->address == address)
			return counter;
	struct counter *counter = calloc(1, sizeof(*counter));
	if (counter == NULL)
		abort();
	counter->address = address;
	counter->next = *bucket;
	*bucket = counter;
	return counter;
}

static void clear_counters(unsigned cpu, void *context)
{
	(void)cpu;
	(void)context;
	if (started)
		return;
	started = true;
	for (unsigned i = 0; i < BUCKETS; i++)
		for (struct counter *counter = buckets[i]; counter != NULL; counter = counter->next)
			counter->count = counter->paused_count = 0;
}

static void count_apart(unsigned cpu, void *context)
{
	struct counter *counter = context;

	(void)cpu;
	if (paused)
		counter->paused_count++;
	else
		counter->count++;
}

static void pause_counting(unsigned cpu, void *context)
{
	(void)cpu;
	(void)context;
	paused = true;
}

static void resume_counting(unsigned cpu, void *context)
{
	(void)cpu;
	(void)context;
	paused = false;
}

static void write_counter(FILE *file, const struct counter *counter)
{
	if (counter->count == 0 && counter->paused_count == 0)
		return;
	fprintf(file, "%" PRIx64 " %" PRIu64, counter->address, counter->count);
	if (has_pause)
		fprintf(file, " %" PRIu64, counter->paused_count);
	fputc('\n', file);
}

static void write_counters(void)
{
	FILE *file = fopen(path, "w");

	if (file == NULL) {
		perror(path);
		return;
	}
	for (unsigned i = 0; i < BUCKETS; i++)
		for (const struct counter *counter = buckets[i]; counter != NULL; counter = counter->next)
			write_counter(file, counter);
	if (fclose(file) != 0)
		perror(path);
	written = true;
}

static void write_at_stop(unsigned cpu, void *context)
{
	(void)cpu;
	(void)context;
	if (!written && (started || !has_start))
		write_counters();
}

static void write_at_exit(qemu_plugin_id_t id, void *context)
{
	(void)id;
	(void)context;
	if (!written && !has_stop)
		write_counters();
}

/* Callbacks run in the order in which they are registered, so the instructions at pause and resume are counted apart.
 */
static void count_instruction(struct qemu_plugin_insn *instruction, struct counter *counter)
{
	const uint64_t address = counter->address;

	if (has_start && address == start_address)
		qemu_plugin_register_vcpu_insn_exec_cb(instruction, clear_counters, QEMU_PLUGIN_CB_NO_REGS, NULL);
	if (has_stop && address == stop_address)
		qemu_plugin_register_vcpu_insn_exec_cb(instruction, write_at_stop, QEMU_PLUGIN_CB_NO_REGS, NULL);
	if (has_pause && address == pause_address)
		qemu_plugin_register_vcpu_insn_exec_cb(instruction, pause_counting, QEMU_PLUGIN_CB_NO_REGS, NULL);
	if (address >= first_address && address < end_address) {
		if (has_pause)
			qemu_plugin_register_vcpu_insn_exec_cb(instruction, count_apart, QEMU_PLUGIN_CB_NO_REGS,
			                                       counter);
		else
			qemu_plugin_register_vcpu_insn_exec_inline(instruction, QEMU_PLUGIN_INLINE_ADD_U64,
			                                           &counter->count, 1);
	}
	if (has_resume && address == resume_address)
		qemu_plugin_register_vcpu_insn_exec_cb(instruction, resume_counting, QEMU_PLUGIN_CB_NO_REGS, NULL);
}

static void count_block(qemu_plugin_id_t id, struct qemu_plugin_tb *block)
{
	size_t size = qemu_plugin_tb_n_insns(block);

	(void)id;
	for (size_t i = 0; i < size; i++) {
		struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, i);

		count_instruction(instruction, counter_of(qemu_plugin_insn_vaddr(instruction)));
	}
}

/* The arguments that are addresses. */
static const struct address_argument {
	const char *name;
	uint64_t *address;
	bool *given;
} address_arguments[] = {
        {"start=", &start_address, &has_start}, {"stop=", &stop_address, &has_stop},
        {"first=", &first_address, NULL},       {"end=", &end_address, NULL},
        {"pause=", &pause_address, &has_pause}, {"resume=", &resume_address, &has_resume},
};

static bool parse_argument(const char *argument)
{
	if (strncmp(argument, "output=", 7) == 0) {
		path = argument + 7;
		return true;
	}
	for (size_t i = 0; i < sizeof(address_arguments) / sizeof(*address_arguments); i++) {
		const struct address_argument *known = &address_arguments[i];
		size_t length = strlen(known->name);

		if (strncmp(argument, known->name, length) != 0)
			continue;
		*known->address = strtoull(argument + length, NULL, 16);
		if (known->given != NULL)
			*known->given = true;
		return true;
	}
	return false;
}

int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc, char **argv)
{
	(void)info;
	for (int i = 0; i < argc; i++)
		if (!parse_argument(argv[i])) {
			fprintf(stderr, "count plugin: unknown argument %s\n", argv[i]);
			return 1;
		}
	if (path == NULL) {
		fprintf(stderr, "count plugin: output=PATH is missing\n");
		return 1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, count_block);
	qemu_plugin_register_atexit_cb(id, write_at_exit, NULL);
	return 0;
}
