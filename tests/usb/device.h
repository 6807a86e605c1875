/* SPDX-License-Identifier: MIT */
/*
 * A USB device that is a program, as the programs see it that plug it in (umockdev.c and vhci.c). They are linked with
 * one model each: board.c is a board, tests/probe-model/probe.c a debug probe. What the host's side makes of transfers
 * is up to those who plug it in.
 */
#ifndef TESTS_USB_DEVICE_H
#define TESTS_USB_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A transfer that nothing can be done for is asked about again. */
#define DEVICE_NOT_NOW (-EAGAIN)

struct device;

struct device_ops {
	/* Answers a request on the control endpoint. The setup packet (USB 2.0, 9.3) says how many bytes follow; those
	 * to the host are put to data[0..capacity). Returns how many, or -EPIPE: the device does not know the request.
	 */
	int (*control)(struct device *device, const uint8_t setup[8], uint8_t *data, size_t capacity);
	/* Sends some bytes to the host: how many (the transfer ends), DEVICE_NOT_NOW, -EPIPE or -ENODEV. */
	int (*send)(struct device *device, uint8_t endpoint, uint8_t *bytes, size_t capacity);
	/* Takes some of size bytes from the host: how many, DEVICE_NOT_NOW, -EPIPE or -ENODEV. ends: a short packet or
	 * an empty one is the last. */
	int (*take)(struct device *device, uint8_t endpoint, const uint8_t *bytes, size_t size, bool ends);
	/* False if the device refuses that. */
	bool (*clear_halt)(struct device *device, uint8_t endpoint);
	/* The device is there again, as after being plugged in. */
	void (*plug_in)(struct device *device);
	/* Nobody looks at it any more. */
	void (*stop)(struct device *device);
};

/* Every model's state begins with this. */
struct device {
	const struct device_ops *ops;
	uint16_t vendor, product;
	const char *product_name, *serial;
	const char *interface_name;
	unsigned interface;         /* the one of that name */
	unsigned packet;            /* bytes of the largest on its endpoints: up to 64 at full speed */
	const uint8_t *descriptors; /* of the device and the configuration, one behind the other, as the kernel shows
	                               them */
	size_t descriptors_size;
	int input; /* readable once there may be more to send; -1 = that is not told */
	bool is_gone;
};

/* What has to follow the model's options on the command line, for a message on how it is used. */
extern const char device_usage[];

/* Takes the model's options and the word that says what is behind the device off the front of argv, and starts that.
 * *count: how many there were. NULL after a message, or if argv ends before. */
struct device *device_open(int argc, char **argv, int *count);
/* A second one, which has another serial number and is silent. */
struct device *device_open_twin(const struct device *device, const char *serial);

#endif
