/* SPDX-License-Identifier: MIT */
/* An attached device, for `bareprof devices`. */
#ifndef ACQUIRE_DEVICE_H
#define ACQUIRE_DEVICE_H

struct attached_device {
	const char *source;      /* SOURCE to type: "uart:/dev/ttyACM0" */
	const char *description; /* for people: "BBC micro:bit CMSIS-DAP, 0d28:0204, serial 9900" */
	const char *problem;     /* why it cannot be opened, and the remedy; NULL: it can be opened */
};
typedef void (*device_found)(void *context, const struct attached_device *device);

#endif
