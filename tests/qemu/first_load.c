/* SPDX-License-Identifier: MIT */
/*
 * A QEMU plugin that detects loads of RAM that was not stored to since reset, which RAM with ECC would answer with a
 * fault.
 *
 * Arguments: output=PATH; start=ADDRESS and size=BYTES (hexadecimal, decimal). At exit the file gets one line: `LOADS
 * STORES EARLY PC ADDRESS`: the numbers of accesses, the number of loads that came too early, and the place of the
 * first of these (hexadecimal).
 */
#include "plugin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int qemu_plugin_version = 1;

/* The interface passes no context to the translation callback, so the plugin's state is global. */
static const char *path;
static uint64_t start;
static uint64_t size;
static bool *stored;
static uint64_t loads, stores, early, early_pc, early_address;

static void load(uint64_t pc, uint64_t offset)
{
	loads++;
	if (stored[offset])
		return;
	if (early++ == 0) {
		early_pc = pc;
		early_address = start + offset;
	}
}

static void access_memory(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address, void *context)
{
	const uint64_t end = address + (UINT64_C(1) << qemu_plugin_mem_size_shift(info));

	(void)cpu;
	for (uint64_t byte = address; byte < end; byte++) {
		if (byte < start || byte - start >= size)
			continue;
		if (qemu_plugin_mem_is_store(info)) {
			stores++;
			stored[byte - start] = true;
		} else {
			load((uintptr_t)context, byte - start);
		}
	}
}

static void watch_block(qemu_plugin_id_t id, struct qemu_plugin_tb *block)
{
	(void)id;
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
		struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, i);

		qemu_plugin_register_vcpu_mem_cb(instruction, access_memory, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
		                                 (void *)(uintptr_t)qemu_plugin_insn_vaddr(instruction));
	}
}

static void write_result(qemu_plugin_id_t id, void *context)
{
	FILE *file = fopen(path, "w");

	(void)id;
	(void)context;
	if (file == NULL) {
		perror(path);
		return;
	}
	fprintf(file, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIx64 " %" PRIx64 "\n", loads, stores, early, early_pc,
	        early_address);
	if (fclose(file) != 0)
		perror(path);
}

static bool parse_argument(const char *argument)
{
	if (strncmp(argument, "output=", 7) == 0)
		path = argument + 7;
	else if (strncmp(argument, "start=", 6) == 0)
		start = strtoull(argument + 6, NULL, 16);
	else if (strncmp(argument, "size=", 5) == 0)
		size = strtoull(argument + 5, NULL, 10);
	else
		return false;
	return true;
}

int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc, char **argv)
{
	(void)info;
	for (int i = 0; i < argc; i++)
		if (!parse_argument(argv[i])) {
			fprintf(stderr, "first_load plugin: unknown argument %s\n", argv[i]);
			return 1;
		}
	stored = size != 0 ? calloc(size, sizeof(bool)) : NULL;
	if (path == NULL || stored == NULL) {
		fprintf(stderr, "first_load plugin: output=PATH and size=BYTES are needed\n");
		return 1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, watch_block);
	qemu_plugin_register_atexit_cb(id, write_result, NULL);
	return 0;
}
