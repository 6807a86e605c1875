/* SPDX-License-Identifier: MIT */
/* A board of which nothing but its UART is there. */
#ifndef BOARDS_SETTINGS_H
#define BOARDS_SETTINGS_H

#endif
