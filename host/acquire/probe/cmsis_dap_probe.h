/* SPDX-License-Identifier: MIT */
/* The connection to a CMSIS-DAP probe: commands and answers in packets (Arm, "CMSIS-DAP", 2.1, whose command names are
 * used here). Private to the cmsis_dap files. */
#ifndef ACQUIRE_PROBE_CMSIS_DAP_PROBE_H
#define ACQUIRE_PROBE_CMSIS_DAP_PROBE_H

#include "acquire/probe/cmsis_dap_packet.h"
#include "acquire/usb/packets.h"

/* More packets in flight do not make a full-speed probe faster, and some probes have room for fewer than they claim. */
#define CMSIS_DAP_IN_FLIGHT_MAX 4u

enum cmsis_dap_port { CMSIS_DAP_SWD = 1, CMSIS_DAP_JTAG = 2 };

/* All zero before it is opened. */
struct cmsis_dap_probe {
	struct packets *packets;
	char source[256];                     /* for messages */
	char protocol[16];                    /* protocol version, for messages */
	uint8_t capabilities;                 /* as DAP_Info reports them */
	unsigned timeout;                     /* milliseconds for an answer */
	size_t answer_size;                   /* 0: no answer came, or it belonged to another command */
	uint8_t answer[CMSIS_DAP_PACKET_MAX]; /* the last answer */
	unsigned in_flight_max;
	unsigned sent,
	        answered; /* packets of a series; at the end, the difference is the number of outstanding answers */
	unsigned losses;  /* losses in a row; the owner of a series sets it to 0 after a success */
	unsigned packets_lost;
	bool is_connected; /* the pins are driven */
	bool is_reset_low; /* the reset pin is, or may be, low */
	bool is_lost;      /* the probe no longer answers properly */
};

/* Queries the probe, which must be closed even after a failure. timeout: milliseconds to wait for an answer. */
enum status cmsis_dap_probe_open(struct cmsis_dap_probe *probe, struct packets *packets, const char *source,
                                 unsigned timeout, struct error *error);
/* Switches the pins to SWD or JTAG. */
enum status cmsis_dap_connect(struct cmsis_dap_probe *probe, enum cmsis_dap_port port, struct error *error);
/* Sends a command and waits for its answer, of at least two bytes. Late answers to other commands are skipped. */
enum status cmsis_dap_ask(struct cmsis_dap_probe *probe, const uint8_t *request, size_t size, struct error *error);
/* Like cmsis_dap_ask(), for a command that must succeed: any other answer is a failure. */
enum status cmsis_dap_ask_for_success(struct cmsis_dap_probe *probe, const uint8_t *request, size_t size,
                                      struct error *error);
/* Send a packet of a series, and receive its answer. */
enum status cmsis_dap_send(struct cmsis_dap_probe *probe, const uint8_t *request, size_t size, struct error *error);
enum status cmsis_dap_receive(struct cmsis_dap_probe *probe, uint64_t deadline, struct error *error);
/* Fails because an answer does not match its command. */
enum status cmsis_dap_fail_mismatch(const struct cmsis_dap_probe *probe, struct error *error);
/* Call it after a missing or wrong answer: it discards answers in flight, and returns whether the probe is usable. */
bool cmsis_dap_resynchronise(struct cmsis_dap_probe *probe);
/* See dap_ops. */
enum status cmsis_dap_set_speed(struct cmsis_dap_probe *probe, uint32_t speed, struct error *error);
enum status cmsis_dap_drive_reset(struct cmsis_dap_probe *probe, bool is_low, struct error *error);
void cmsis_dap_finish(struct cmsis_dap_probe *probe);
/* Also closes the packets. */
void cmsis_dap_probe_close(struct cmsis_dap_probe *probe);

#endif
