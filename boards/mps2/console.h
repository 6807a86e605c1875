/* SPDX-License-Identifier: MIT */
/* The console of all MPS boards. board.h declares board_console_write(). */
#ifndef BOARDS_MPS2_CONSOLE_H
#define BOARDS_MPS2_CONSOLE_H

void console_start(void);

#endif
