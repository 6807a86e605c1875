/* SPDX-License-Identifier: MIT */
/* The firmware of the tests of source lines. */
#ifndef UNIT_PROFILE_LINES_LAYOUT_H
#define UNIT_PROFILE_LINES_LAYOUT_H

#include "../firmware.h"

/*
 * f0 at 0x8000: 4 bytes of line 10, 8 of line 20, 4 of line 30. f1 at 0x8010: 4 bytes of line 50, then 12 of no line.
 * f2 at 0x8020 without lines.
 */
static const char lines_layout[] =
        "\t.syntax unified\n\t.macro nops n\n\t.rept \\n\n\tnop\n\t.endr\n\t.endm\n\t.file 1 \"src/code.c\"\n\t.text\n"
        "\t.global f0\n\t.type f0, %function\n\t.thumb_func\nf0:\n"
        "\t.loc 1 10\n\tnops 2\n\t.loc 1 20\n\tnops 4\n\t.loc 1 30\n\tnops 2\n\t.size f0, 16\n"
        "\t.global f1\n\t.type f1, %function\n\t.thumb_func\nf1:\n"
        "\t.loc 1 50\n\tnops 2\n\t.size f1, 16\n"
        "\t.section .text.other,\"ax\"\n\tnops 6\n"
        "\t.global f2\n\t.type f2, %function\n\t.thumb_func\nf2:\n\tnops 8\n\t.size f2, 16\n" FIRMWARE_LINES;

#endif
