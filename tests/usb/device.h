/* SPDX-License-Identifier: MIT */
/*
 * A USB device whose other side is a program: a board with a console (CDC-ACM, interfaces 0 and 1) and the bulk
 * endpoints of bareprof (vendor's class, interface 2), all of which lead to the program's standard input and output.
 * What the host's side makes of transfers is up to umockdev.c and vhci.c.
 */
#ifndef TESTS_USB_DEVICE_H
#define TESTS_USB_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define DEVICE_VENDOR  0xcafe
#define DEVICE_PRODUCT 0x4010

/* Bytes of a packet at full speed (USB 2.0, 5.8.3). */
#define DEVICE_PACKET 64

/* Faults come by themselves: each so many-th transfer of bytes that could be made; 0 = never. */
struct device_faults {
	unsigned stall_in, stall_out; /* the endpoint is halted; on the way out after half the bytes */
	unsigned empty_in;            /* the device sends an empty packet */
	unsigned longest_in;          /* bytes; transfers to the host end there. 0 = they end where bytes do */
	uint64_t unplug_after;        /* bytes to the host; 0 = stays */
	bool stays_halted;            /* a halt cannot be cleared */
	bool refuses_clearing;        /* and the request to do so fails */
	bool sends_no_empty;          /* behind a full packet: a transfer that has room for more goes on */
	bool gathers;                 /* packets from the host reach the program when a short one ends them */
};

struct device {
	const char *serial;
	const char *interface_name;
	struct device_faults faults;
	int program;      /* the socket to it; -1 = there is none: nothing is taken or sent */
	pid_t program_id; /* of its group of processes, too */
	bool is_gone;
	bool in_halted, out_halted;
	unsigned in_count, out_count; /* transfers of bytes */
	uint64_t sent;                /* bytes to the host */
	uint8_t gathered[8192];
	size_t gathered_size;
};

/* Takes the options off the front of argv, which end at the first word that is none: its index, or 0 after a message.
 */
int device_parse_options(struct device *device, int argc, char **argv);
/* Starts the program, a line for the shell. */
bool device_start_program(struct device *device, const char *command);
/* Hangs up on it, as a terminal would. */
void device_stop_program(const struct device *device);
/* The device is there again, as after being plugged in. */
void device_plug_in(struct device *device);

/* Device and configuration descriptor, one behind the other, as the kernel shows them. */
extern const uint8_t device_descriptors[];
extern const size_t device_descriptors_size;

/* Answers a request on the control endpoint. The setup packet (USB 2.0, 9.3) says how many bytes follow; those to the
 * host are put to data[0..capacity). Returns how many, or -EPIPE: the device does not know the request. */
int device_control(struct device *device, const uint8_t setup[8], uint8_t *data, size_t capacity);

/* A transfer that nothing can be done for is asked about again. */
#define DEVICE_NOT_NOW (-EAGAIN)

/* Sends some bytes to the host: how many (the transfer ends), DEVICE_NOT_NOW, -EPIPE or -ENODEV. */
int device_send(struct device *device, uint8_t *bytes, size_t capacity);
/* Takes some of size bytes from the host: how many, DEVICE_NOT_NOW, -EPIPE or -ENODEV. ends: a short packet or an empty
 * one is the last. */
int device_take(struct device *device, const uint8_t *bytes, size_t size, bool ends);
/* False if the device refuses that. */
bool device_clear_halt(struct device *device, uint8_t endpoint);
/* The notifications of the console: none ever comes. */
bool device_is_bulk(uint8_t endpoint);

#endif
