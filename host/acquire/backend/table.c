/* SPDX-License-Identifier: MIT */
/* The table of all kinds of SOURCE. */
#include "acquire/backend/backends.h"

extern const struct target_ops backend_cmsis_dap, backend_file, backend_ftdi, backend_gdb, backend_jlink, backend_link,
        backend_openocd, backend_qemu, backend_stlink;

#define BACKEND(ops) .syntax = &(ops).syntax, .backend = &(ops)
#define CHANNEL(ops) .syntax = &(ops).syntax, .backend = &backend_link, .channel = &(ops)

/* The rest of a row, if the build has the library. */
#ifdef HAVE_LIBUSB_1_0
#define USB_LIBRARY(other) other
#define IF_LIBUSB(...)     __VA_ARGS__
#else
#define USB_LIBRARY(other) "libusb-1.0"
#define IF_LIBUSB(...)     .syntax = NULL
#endif
#ifdef HAVE_LIBJAYLINK
#define IF_LIBJAYLINK(...) IF_LIBUSB(__VA_ARGS__)
#else
#define IF_LIBJAYLINK(...) .syntax = NULL
#endif
#ifdef HAVE_LIBFTDI1
#define IF_LIBFTDI(...) IF_LIBUSB(__VA_ARGS__)
#else
#define IF_LIBFTDI(...) .syntax = NULL
#endif
#ifdef HAVE_JANSSON
#define IF_JANSSON(...) __VA_ARGS__
#else
#define IF_JANSSON(...) .syntax = NULL
#endif
#ifdef HAVE_LIBSERIALPORT
#define IF_LIBSERIALPORT(...) __VA_ARGS__
#else
#define IF_LIBSERIALPORT(...) .syntax = NULL
#endif

const struct source_kind source_kinds[] = {
        {"cmsis-dap", "libusb-1.0", true, IF_LIBUSB(BACKEND(backend_cmsis_dap))},
        {"stlink", "libusb-1.0", true, IF_LIBUSB(BACKEND(backend_stlink))},
        {"jlink", USB_LIBRARY("libjaylink"), true, IF_LIBJAYLINK(BACKEND(backend_jlink))},
        {"ftdi", USB_LIBRARY("libftdi1"), true, IF_LIBFTDI(BACKEND(backend_ftdi))},
        {"gdb", NULL, false, BACKEND(backend_gdb)},
        {"openocd", NULL, false, BACKEND(backend_openocd)},
        {"qemu", "jansson", false, IF_JANSSON(BACKEND(backend_qemu))},
        {"file", NULL, false, BACKEND(backend_file)},
        {"uart", "libserialport", true, IF_LIBSERIALPORT(CHANNEL(channel_uart))},
        {"usb", "libusb-1.0", true, IF_LIBUSB(CHANNEL(channel_usb))},
        {"tcp", NULL, false, CHANNEL(channel_tcp)},
        {.scheme = NULL},
};
