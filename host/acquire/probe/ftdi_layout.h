/* SPDX-License-Identifier: MIT */
/* How boards connect the pins of an FTDI chip's MPSSE channel. TCK/SWCLK, TDI, TDO and TMS are always pins 0 to 3
 * (FTDI, AN_108, 2.1). A pin is a bit of a mask; pins of the high byte are bits 8 to 15. */
#ifndef ACQUIRE_PROBE_FTDI_LAYOUT_H
#define ACQUIRE_PROBE_FTDI_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#define FTDI_TCK 0x0001u
#define FTDI_TDI 0x0002u
#define FTDI_TDO 0x0004u
#define FTDI_TMS 0x0008u

/* How the host drives SWDIO. It always reads SWDIO at TDO. */
enum ftdi_swdio {
	FTDI_NO_SWD,
	FTDI_SWDIO_DIRECT, /* from TDI, perhaps through a resistor; TDI becomes an input while the target drives */
	FTDI_SWDIO_BUFFER, /* from TDI through a buffer, enabled while TMS is high */
};

/* How the reset pin is driven low. */
enum ftdi_reset {
	FTDI_NO_RESET,
	FTDI_RESET_OPEN_DRAIN, /* low output to reset, otherwise an input */
	FTDI_RESET_PUSH_PULL,  /* low output to reset, otherwise high output */
	FTDI_RESET_ENABLE,     /* high output to reset, which enables a buffer */
};

struct ftdi_layout {
	const char *name;
	const char *product_name; /* selects this layout; NULL: the ids select it; "": only its name selects it */
	unsigned channel;         /* 0: A */
	enum ftdi_swdio swdio;
	enum ftdi_reset reset;
	uint16_t vendor, product;
	uint16_t level, outputs, reset_pin;
	bool has_jtag;
};

/* Ends with a NULL name. */
extern const struct ftdi_layout ftdi_layouts[];

/* The layout with this name of length characters; NULL: there is none. */
const struct ftdi_layout *ftdi_layout_find(const char *name, unsigned length);
/* The layout of a device; NULL: unknown. */
const struct ftdi_layout *ftdi_layout_of(uint16_t vendor, uint16_t product, const char *product_name);

#endif
