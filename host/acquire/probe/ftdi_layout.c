/* SPDX-License-Identifier: MIT */
/* See ftdi_layout.h. The pins follow OpenOCD's configurations in interface/ftdi/ and board/. */
#include "acquire/probe/ftdi_layout.h"

#include <stddef.h>
#include <string.h>

#define JTAG_OUTPUTS (FTDI_TCK | FTDI_TDI | FTDI_TMS)

const struct ftdi_layout ftdi_layouts[] = {
        {.name = "tigard",
         .vendor = 0x0403,
         .product = 0x6010,
         .product_name = "Tigard V1.1",
         .channel = 1,
         .level = FTDI_TMS | 0x0030,
         .outputs = JTAG_OUTPUTS | 0x0030,
         .swdio = FTDI_SWDIO_DIRECT,
         .has_jtag = true,
         .reset = FTDI_RESET_PUSH_PULL,
         .reset_pin = 0x0020},
        {.name = "minimodule",
         .vendor = 0x0403,
         .product = 0x6010,
         .product_name = "FT2232H MiniModule",
         .level = FTDI_TMS,
         .outputs = JTAG_OUTPUTS,
         .swdio = FTDI_SWDIO_DIRECT,
         .has_jtag = true,
         .reset = FTDI_RESET_OPEN_DRAIN,
         .reset_pin = 0x0020},
        {.name = "esp-prog",
         .vendor = 0x0403,
         .product = 0x6010,
         .product_name = "",
         .level = FTDI_TMS,
         .outputs = JTAG_OUTPUTS | 0xF000,
         .has_jtag = true},
        {.name = "hifive1",
         .vendor = 0x0403,
         .product = 0x6010,
         .product_name = "",
         .level = FTDI_TMS,
         .outputs = JTAG_OUTPUTS | 0x0010,
         .has_jtag = true,
         .reset = FTDI_RESET_OPEN_DRAIN,
         .reset_pin = 0x0020},
        {.name = "olimex",
         .vendor = 0x15BA,
         .product = 0x002B,
         .level = FTDI_TMS | 0x0900,
         .outputs = JTAG_OUTPUTS | 0x0B10,
         .has_jtag = true,
         .reset = FTDI_RESET_ENABLE,
         .reset_pin = 0x0200},
        /* nTRST, 0x0100, enables the adapter, which drives SWDIO while TMS is high. */
        {.name = "olimex-swd",
         .vendor = 0x15BA,
         .product = 0x002B,
         .product_name = "",
         .level = FTDI_TMS | 0x0800,
         .outputs = JTAG_OUTPUTS | 0x0B10,
         .swdio = FTDI_SWDIO_BUFFER,
         .reset = FTDI_RESET_ENABLE,
         .reset_pin = 0x0200},
        {.name = "ft232h",
         .vendor = 0x0403,
         .product = 0x6014,
         .level = FTDI_TMS,
         .outputs = JTAG_OUTPUTS,
         .swdio = FTDI_SWDIO_DIRECT,
         .has_jtag = true,
         .reset = FTDI_RESET_OPEN_DRAIN,
         .reset_pin = 0x0010},
        {.name = "ft2232h",
         .vendor = 0x0403,
         .product = 0x6010,
         .level = FTDI_TMS,
         .outputs = JTAG_OUTPUTS,
         .swdio = FTDI_SWDIO_DIRECT,
         .has_jtag = true,
         .reset = FTDI_RESET_OPEN_DRAIN,
         .reset_pin = 0x0010},
        {.name = "ft4232h",
         .vendor = 0x0403,
         .product = 0x6011,
         .level = FTDI_TMS,
         .outputs = JTAG_OUTPUTS,
         .swdio = FTDI_SWDIO_DIRECT,
         .has_jtag = true,
         .reset = FTDI_RESET_OPEN_DRAIN,
         .reset_pin = 0x0010},
        {.name = NULL},
};

const struct ftdi_layout *ftdi_layout_find(const char *name, unsigned length)
{
	for (const struct ftdi_layout *layout = ftdi_layouts; layout->name != NULL; layout++)
		if (strlen(layout->name) == length && strncmp(layout->name, name, length) == 0)
			return layout;
	return NULL;
}

const struct ftdi_layout *ftdi_layout_of(uint16_t vendor, uint16_t product, const char *product_name)
{
	for (const struct ftdi_layout *layout = ftdi_layouts; layout->name != NULL; layout++)
		if (layout->vendor == vendor && layout->product == product &&
		    (layout->product_name == NULL ||
		     (layout->product_name[0] != 0 && strcmp(layout->product_name, product_name) == 0)))
			return layout;
	return NULL;
}
