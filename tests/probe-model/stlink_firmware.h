/* SPDX-License-Identifier: MIT */
/*
 * Model of the firmware of an ST-Link of version 2 or 3: executes its commands on the wires of a target. ST publishes
 * no specification; the commands are those that OpenOCD (stlink_usb.c), pyOCD (probe/stlink) and stlink-tools send, and
 * what these programs expect back.
 */
#ifndef PROBE_MODEL_STLINK_FIRMWARE_H
#define PROBE_MODEL_STLINK_FIRMWARE_H

#include "swd.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STLINK_COMMAND_SIZE 16
/* The longest data phase of memory. Answers may be slightly longer. */
#define STLINK_DATA_MAX   6144
#define STLINK_ANSWER_MAX 8192

enum stlink_mode { STLINK_DFU, STLINK_MASS, STLINK_DEBUG, STLINK_SWIM, STLINK_BOOTLOADER };

struct stlink_firmware {
	struct swd_target *target;
	uint64_t hardware, release; /* V2, J37 */
	uint64_t product;           /* its USB id */
	uint64_t wait_retries;      /* retries of an access that gets WAIT, before it is reported to the host */
	enum stlink_mode mode;

	/* The answer to the last command. */
	uint8_t answer[STLINK_ANSWER_MAX];
	size_t answer_size;
	bool has_status; /* the answer begins with a status */
	size_t expected; /* bytes of data that the host has to send for the last command */

	unsigned memory_commands, status_commands, memory_bytes;
	/* Mistakes of the host: commands that this release lacks, wrong sizes and addresses. */
	unsigned violations;
	bool has_left_dfu;

	/* Private. */
	uint8_t command[STLINK_COMMAND_SIZE];
	uint16_t last_status;
	uint32_t fault_address;
	bool is_open[256]; /* access ports */
	uint32_t kilohertz;
	uint8_t misc[8 * 256];
	uint32_t misc_items;
};

void stlink_start(struct stlink_firmware *firmware);
/* Executes a command, or waits for its data. */
void stlink_execute(struct stlink_firmware *firmware, const uint8_t command[STLINK_COMMAND_SIZE]);
/* Executes the last command with its data. */
void stlink_take_data(struct stlink_firmware *firmware, const uint8_t *data);

#endif
