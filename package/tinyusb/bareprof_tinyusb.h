/* SPDX-License-Identifier: MIT */
/*
 * Pipes of bareprof's link over TinyUSB: a virtual serial port (CDC-ACM) or two bulk endpoints (vendor class). Copy
 * this file and bareprof_cdc.c or bareprof_vendor.c to your project; README.md has the rest.
 */
#ifndef BAREPROF_TINYUSB_H
#define BAREPROF_TINYUSB_H

#include <stddef.h>
#include <stdint.h>

/* The number of the interface among those of its class, from 0. */
#ifndef BAREPROF_CDC_INTERFACE
#define BAREPROF_CDC_INTERFACE 0
#endif
#ifndef BAREPROF_VENDOR_INTERFACE
#define BAREPROF_VENDOR_INTERFACE 0
#endif

/* For BAREPROF_LINK. Call them from the context that calls tud_task(), or from tasks if TinyUSB is built with OS
 * support. */
size_t bareprof_cdc_write(const uint8_t *bytes, size_t size);
size_t bareprof_cdc_read(uint8_t *bytes, size_t size);

size_t bareprof_vendor_write(const uint8_t *bytes, size_t size);
size_t bareprof_vendor_read(uint8_t *bytes, size_t size);

#endif
