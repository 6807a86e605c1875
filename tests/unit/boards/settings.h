/* SPDX-License-Identifier: MIT */
/* A board of which nothing but its UART is there. */
#ifndef UNIT_BOARDS_SETTINGS_H
#define UNIT_BOARDS_SETTINGS_H

#endif
