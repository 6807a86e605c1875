/* SPDX-License-Identifier: MIT */
/* The terminal of this build. */
#include "top/terminal.h"

#ifdef HAVE_NCURSESW
extern top_terminal_run top_screen_run;

top_terminal_run *const top_terminal = top_screen_run;
#else
top_terminal_run *const top_terminal = NULL;
#endif
