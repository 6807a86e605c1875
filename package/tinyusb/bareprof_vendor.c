/* SPDX-License-Identifier: MIT */
/* Two bulk endpoints of TinyUSB's vendor class as a pipe of the link. */
#include "bareprof_tinyusb.h"
#include "tusb.h"

/* The flush sends incomplete packets. */
size_t bareprof_vendor_write(const uint8_t *bytes, size_t size)
{
	const uint32_t room = tud_vendor_n_write_available(BAREPROF_VENDOR_INTERFACE);
	const uint32_t written =
	        tud_vendor_n_write(BAREPROF_VENDOR_INTERFACE, bytes, size < room ? (uint32_t)size : room);

	tud_vendor_n_write_flush(BAREPROF_VENDOR_INTERFACE);
	return written;
}

size_t bareprof_vendor_read(uint8_t *bytes, size_t size)
{
	return tud_vendor_n_read(BAREPROF_VENDOR_INTERFACE, bytes, (uint32_t)size);
}
