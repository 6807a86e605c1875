/* SPDX-License-Identifier: MIT */
/* See device.h. */
#include "device.h"

#include <string.h>
#include <time.h>

void device_describe(struct device *device, uint8_t *bytes, uint64_t vendor, uint64_t product, uint64_t release,
                     const uint8_t *configuration, size_t size)
{
	const uint8_t own[DEVICE_DESCRIPTOR_SIZE] = {DEVICE_DESCRIPTOR_SIZE,
	                                             1,
	                                             DEVICE_WORD(0x200),
	                                             0,
	                                             0,
	                                             0,
	                                             64,
	                                             DEVICE_WORD(vendor),
	                                             DEVICE_WORD(product),
	                                             DEVICE_WORD(release),
	                                             STRING_MAKER,
	                                             STRING_PRODUCT,
	                                             STRING_SERIAL,
	                                             1};

	memcpy(bytes, own, sizeof own);
	memmove(bytes + sizeof own, configuration, size);
	device->descriptors = bytes;
	device->descriptors_size = sizeof own + size;
	device->vendor = (uint16_t)vendor;
	device->product = (uint16_t)product;
}

uint64_t device_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

int device_copy(const uint8_t *bytes, size_t size, uint8_t *data, size_t capacity)
{
	size = size < capacity ? size : capacity;
	if (size > 0)
		memcpy(data, bytes, size);
	return (int)size;
}

bool device_ends_transfer(const struct device *device, size_t size, bool has_zero_packet)
{
	return size % device->packet != 0 || size == 0 || has_zero_packet;
}

/* 9.6.7: UTF-16. */
static int describe_string(const struct device *device, const char *text, uint8_t *data, size_t capacity)
{
	const size_t size = 2 + 2 * strlen(text);
	uint8_t bytes[256] = {device->false_string_length != 0 ? device->false_string_length : (uint8_t)size, 3};

	for (size_t i = 2; i < size && i < sizeof bytes; i += 2)
		bytes[i] = (uint8_t)*text++;
	return device_copy(bytes, size, data, capacity);
}

static int describe(const struct device *device, uint8_t type, uint8_t index, uint8_t *data, size_t capacity)
{
	static const uint8_t languages[] = {4, 3, DEVICE_WORD(0x409)};

	if (type == 1)
		return device_copy(device->descriptors, DEVICE_DESCRIPTOR_SIZE, data, capacity);
	if (type == 2)
		return device_copy(device->descriptors + DEVICE_DESCRIPTOR_SIZE,
		                   device->descriptors_size - DEVICE_DESCRIPTOR_SIZE, data, capacity);
	if (type == 3 && index == STRING_LANGUAGES)
		return device_copy(languages, sizeof languages, data, capacity);
	if (type == 3 && index < STRING_COUNT && device->strings[index] != NULL)
		return describe_string(device, device->strings[index], data, capacity);
	return -EPIPE;
}

static int control(struct device *device, const uint8_t setup[8], uint8_t *data, size_t capacity)
{
	const size_t length = (size_t)(setup[6] | setup[7] << 8);

	capacity = length < capacity ? length : capacity;
	switch (setup[0] << 8 | setup[1]) {
	case 0x8006: /* GET_DESCRIPTOR, 9.4.3 */
		return describe(device, setup[3], setup[2], data, capacity);
	case 0x8000: /* GET_STATUS, 9.4.5 */
		return device_copy((const uint8_t[]){0, 0}, 2, data, capacity);
	case 0x0201: /* CLEAR_FEATURE of an endpoint, 9.4.1 */
		return device->ops->clear_halt(device, setup[4]) ? 0 : -EPIPE;
	case 0x0009: /* SET_CONFIGURATION */
	case 0x010B: /* SET_INTERFACE */
		return 0;
	default:
		return device->ops->control != NULL ? device->ops->control(device, setup, data, capacity) : -EPIPE;
	}
}

static void finish(struct transfer *transfer, int status)
{
	transfer->is_finished = true;
	transfer->status = status == -ENODEV ? -ESHUTDOWN : status;
}

/* Adds the result of a device's function: a number of bytes or an error. Returns false if the transfer finished with an
 * error or cannot continue yet. */
static bool add(struct transfer *transfer, int size)
{
	if (size < 0 && size != DEVICE_NOT_NOW)
		finish(transfer, size);
	if (size > 0)
		transfer->done += (size_t)size;
	return size >= 0;
}

static void receive(struct device *device, struct transfer *transfer)
{
	while (!transfer->is_finished &&
	       add(transfer, device->ops->receive(device, transfer->endpoint, transfer->bytes + transfer->done,
	                                          transfer->size - transfer->done, transfer->ends)))
		if (transfer->done == transfer->size)
			finish(transfer, 0);
}

static void advance(struct device *device, struct transfer *transfer)
{
	if (transfer->setup == NULL && (transfer->endpoint & 0x80) == 0) {
		receive(device, transfer);
		return;
	}
	const int size = transfer->setup != NULL
	                         ? control(device, transfer->setup, transfer->bytes, transfer->size)
	                         : device->ops->send(device, transfer->endpoint, transfer->bytes, transfer->size);
	if (add(transfer, size))
		finish(transfer, 0);
	if (transfer->setup != NULL && size == 0 && (transfer->setup[0] & 0x80) == 0)
		transfer->done = transfer->size;
}

void transfers_append(struct transfer **first, struct transfer *transfer)
{
	while (*first != NULL)
		first = &(*first)->next;

	*first = transfer;
	transfer->next = NULL;
}

void transfers_remove(struct transfer **first, const struct transfer *transfer)
{
	while (*first != transfer)
		first = &(*first)->next;

	*first = transfer->next;
}

void transfers_advance(struct transfer *first, struct device *device)
{
	bool is_waiting[256] = {false};

	for (struct transfer *transfer = first; transfer != NULL; transfer = transfer->next) {
		if (!transfer->is_finished && !is_waiting[transfer->endpoint])
			advance(device, transfer);
		is_waiting[transfer->endpoint] |= !transfer->is_finished;
	}
}
