/* SPDX-License-Identifier: MIT */
/* A virtual serial port of TinyUSB as a pipe of the link. */
#include "bareprof_tinyusb.h"
#include "tusb.h"

/*
 * Writes only as much as there is room for: while no terminal has opened the port (DTR), TinyUSB accepts any amount and
 * overwrites older bytes. The flush sends incomplete packets.
 */
size_t bareprof_cdc_write(const uint8_t *bytes, size_t size)
{
	const uint32_t room = tud_cdc_n_write_available(BAREPROF_CDC_INTERFACE);
	const uint32_t written = tud_cdc_n_write(BAREPROF_CDC_INTERFACE, bytes, size < room ? (uint32_t)size : room);

	tud_cdc_n_write_flush(BAREPROF_CDC_INTERFACE);
	return written;
}

size_t bareprof_cdc_read(uint8_t *bytes, size_t size)
{
	return tud_cdc_n_read(BAREPROF_CDC_INTERFACE, bytes, (uint32_t)size);
}
