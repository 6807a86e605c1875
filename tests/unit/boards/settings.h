/* SPDX-License-Identifier: MIT */
/* The settings of a board that has only a UART. */
#ifndef UNIT_BOARDS_SETTINGS_H
#define UNIT_BOARDS_SETTINGS_H

#endif
