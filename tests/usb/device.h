/* SPDX-License-Identifier: MIT */
/*
 * Models of USB devices, as the programs use them that plug one in: umockdev.c and vhci.c. Each program is linked with
 * one model, board.c or tests/probe-model/probe.c. Sections are those of USB 2.0.
 */
#ifndef TESTS_USB_DEVICE_H
#define TESTS_USB_DEVICE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The device cannot continue a transfer yet; it is asked again later. */
#define DEVICE_NOT_NOW (-EAGAIN)

#define DEVICE_WORD(value)     (uint8_t)((value)&0xFF), (uint8_t)((value) >> 8)
#define DEVICE_DESCRIPTOR_SIZE 18 /* 9.6.1 */

struct device;

struct device_ops {
	/* Handles requests that device.c does not know: those of a class, and GET_DESCRIPTOR of an interface. Returns
	 * the number of bytes written to data, or -EPIPE for an unknown request. NULL: all are unknown. */
	int (*control)(struct device *device, const uint8_t setup[8], uint8_t *data, size_t capacity);
	/* Sends bytes to the host. Returns their number, which ends the transfer, or DEVICE_NOT_NOW, -EPIPE or -ENODEV.
	 */
	int (*send)(struct device *device, uint8_t endpoint, uint8_t *bytes, size_t capacity);
	/* Receives bytes from the host. Returns the number accepted, or DEVICE_NOT_NOW, -EPIPE or -ENODEV. ends: the
	 * bytes end with a short or an empty packet. */
	int (*receive)(struct device *device, uint8_t endpoint, const uint8_t *bytes, size_t size, bool ends);
	/* Returns false if the device refuses. */
	bool (*clear_halt)(struct device *device, uint8_t endpoint);
	/* Plugs the device in again. */
	void (*plug_in)(struct device *device);
	/* Ends everything that the device has started. */
	void (*stop)(struct device *device);
};

/* Indices of string descriptors. */
enum {
	STRING_LANGUAGES,
	STRING_MAKER,
	STRING_PRODUCT,
	STRING_SERIAL,
	STRING_INTERFACE, /* the interface by which the device is recognised */
	STRING_CONSOLE,
	STRING_COUNT
};

/* The beginning of each model's state. */
struct device {
	const struct device_ops *ops;
	uint16_t vendor, product;
	const char *strings[STRING_COUNT];
	unsigned interface;         /* number of the interface with STRING_INTERFACE */
	unsigned packet;            /* largest packet, in bytes; at full speed at most 64 */
	const uint8_t *descriptors; /* the device's, then the configuration's with all that it includes */
	size_t descriptors_size;
	uint8_t false_string_length; /* stated by string descriptors instead of their length; 0: none */
	int input;                   /* readable when there may be more to send; -1: none */
	bool is_gone;
};

/* A transfer that the host has submitted, in a list. */
struct transfer {
	struct transfer *next;
	uint8_t endpoint;     /* with bit 7 towards the host; 0: control */
	const uint8_t *setup; /* the 8 bytes of a control transfer's setup packet */
	uint8_t *bytes;
	size_t size, done;
	bool ends; /* with a short or an empty packet */
	bool is_finished;
	int status; /* 0 or a negative errno */
};

/* Usage of the model's words on the command line. */
extern const char device_usage[];

/* Creates the device from the words after argv[0]; argv[*end] is the first word after them. Returns NULL on wrong
 * words.
 */
struct device *device_open(int argc, char **argv, int *end);
/* Creates another device of the kind, silent, with another serial number. */
struct device *device_open_twin(const struct device *device, const char *serial);

/* Writes the descriptors of a device whose classes are those of its interfaces to bytes, which it keeps: its own
 * (9.6.1), then the configuration's. */
void device_describe(struct device *device, uint8_t *bytes, uint64_t vendor, uint64_t product, uint64_t release,
                     const uint8_t *configuration, size_t size);

/* Milliseconds. */
uint64_t device_now(void);

/* Copies at most capacity bytes, and returns their number. */
int device_copy(const uint8_t *bytes, size_t size, uint8_t *data, size_t capacity);
/* Whether a transfer from the host of this size ends with a short or an empty packet. */
bool device_ends_transfer(const struct device *device, size_t size, bool has_zero_packet);

void transfers_append(struct transfer **first, struct transfer *transfer);
void transfers_remove(struct transfer **first, const struct transfer *transfer);
/* Advances all transfers as far as possible, those of one endpoint in order. */
void transfers_advance(struct transfer *first, struct device *device);

#endif
