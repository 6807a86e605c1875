/* SPDX-License-Identifier: MIT */
/*
 * Model of a J-Link's firmware: executes its commands on the wires of a target (SEGGER, RM08001-R7, "J-Link USB
 * Protocol", chapter 5; its sections are cited). Registration and status bytes are not in that document; they are as
 * libjaylink and probe-rs expect them.
 */
#ifndef PROBE_MODEL_JLINK_FIRMWARE_H
#define PROBE_MODEL_JLINK_FIRMWARE_H

#include "swd.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest command: 65535 bits, twice, after four bytes (5.5.12). */
#define JLINK_COMMAND_MAX (4 + 2 * 8192)
#define JLINK_ANSWER_MAX  16384
#define JLINK_CONFIG_SIZE 256

struct jlink_firmware {
	struct swd_target *target;
	/* Answers to queries. */
	const char *version;
	uint64_t hardware;     /* decimal digits TTMMmmrr: type, major and minor version, revision */
	uint64_t capabilities; /* 5.3.4 */
	uint64_t interfaces;   /* a bit for each: 0 JTAG, 1 SWD */
	uint64_t memory;       /* free bytes */
	uint64_t base_hertz, min_divider;
	uint64_t millivolts; /* at VTref */
	/* Every Nth shift clocks nothing, and has this status; 0: none. */
	uint64_t refuse, code;

	/* The answer to the last command, in one transfer or two. */
	uint8_t answer[JLINK_ANSWER_MAX];
	size_t answer_size;
	size_t first_part; /* bytes of the first transfer; 0: all are in one */
	bool has_status;   /* the answer ends with a status */

	unsigned shifts;     /* commands to clock bits, without violations */
	unsigned violations; /* commands that this probe does not have, or that are wrong */
	unsigned connections;
	uint32_t kilohertz;
	bool is_reset_low, is_trst_low;

	/* Private. */
	uint8_t interface;
	uint8_t config[JLINK_CONFIG_SIZE];
};

/* Resets what the host has set. */
void jlink_start(struct jlink_firmware *firmware);
/* The size of the command that begins with these bytes; 0: it depends on bytes after them. */
size_t jlink_command_size(const uint8_t *bytes, size_t count);
/* Executes a complete command. */
void jlink_execute(struct jlink_firmware *firmware, const uint8_t *command);
/* The clock that results from kilohertz: the next lower one that a divider of the base frequency gives, in Hz. */
uint32_t jlink_hertz(const struct jlink_firmware *firmware);

#endif
