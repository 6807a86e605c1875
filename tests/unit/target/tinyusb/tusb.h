/* SPDX-License-Identifier: MIT */
/*
 * The part of TinyUSB that the glue in package/tinyusb/ uses, with the types of TinyUSB's headers: tusb_config.h is the
 * application's, the descriptors are bytes of the USB specifications (USB 2.0, 9.6; CDC 1.2, 5.2; PSTN 1.2, 5.3).
 */
#ifndef UNIT_TARGET_TINYUSB_TUSB_H
#define UNIT_TARGET_TINYUSB_TUSB_H

#include <stdbool.h>
#include <stdint.h>

uint32_t tud_cdc_n_read(uint8_t itf, void *buffer, uint32_t bufsize);
uint32_t tud_cdc_n_write(uint8_t itf, void const *buffer, uint32_t bufsize);
uint32_t tud_cdc_n_write_flush(uint8_t itf);
uint32_t tud_cdc_n_write_available(uint8_t itf);

uint32_t tud_vendor_n_read(uint8_t itf, void *buffer, uint32_t bufsize);
uint32_t tud_vendor_n_write(uint8_t itf, void const *buffer, uint32_t bufsize);
uint32_t tud_vendor_n_write_flush(uint8_t itf);
uint32_t tud_vendor_n_write_available(uint8_t itf);

void tud_task(void);
uint8_t const *tud_descriptor_configuration_cb(uint8_t index);

#define LOW_HIGH(number) (uint8_t)(number), (uint8_t)((number) >> 8)

#define TUD_CONFIG_DESC_LEN 9
#define TUD_CONFIG_DESCRIPTOR(number, interfaces, text, length, attributes, milliampere) \
	TUD_CONFIG_DESC_LEN, 2, LOW_HIGH(length), interfaces, number, text, 0x80 | (attributes), (milliampere) / 2

#define BULK(address, size) 7, 5, address, 2, LOW_HIGH(size), 0

#define TUD_VENDOR_DESC_LEN (9 + 7 + 7)
#define TUD_VENDOR_DESCRIPTOR(number, text, out, in, size) \
	9, 4, number, 0, 2, 0xFF, 0, 0, text, BULK(out, size), BULK(in, size)

#define TUD_CDC_DESC_LEN (8 + 9 + 5 + 5 + 4 + 5 + 7 + 9 + 7 + 7)
#define TUD_CDC_DESCRIPTOR(number, text, notify, notify_size, out, in, size)                                           \
	8, 11, number, 2, 2, 2, 0, 0, 9, 4, number, 0, 1, 2, 2, 0, text, 5, 0x24, 0, LOW_HIGH(0x0120), 5, 0x24, 1, 0,  \
	        (number) + 1, 4, 0x24, 2, 6, 5, 0x24, 6, number, (number) + 1, 7, 5, notify, 3, LOW_HIGH(notify_size), \
	        16, 9, 4, (number) + 1, 0, 2, 10, 0, 0, 0, BULK(out, size), BULK(in, size)

#endif
