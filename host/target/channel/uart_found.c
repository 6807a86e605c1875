/* SPDX-License-Identifier: MIT */
/* See uart_found.h. Uses the kernel's calls and structure: the C library's lose unusual rates (ioctl_tty(2), BOTHER),
 * and the headers of the two conflict. */
#include "target/channel/uart_found.h"

#include <asm/termbits.h>
#include <stdlib.h>
#include <sys/ioctl.h>

/* On Alpha and PowerPC the first structure has rates. */
#ifndef TCGETS2
#define termios2 termios
#define TCGETS2  TCGETS
#define TCSETS2  TCSETS
#endif

struct uart_found {
	struct termios2 settings;
};

struct uart_found *uart_found_keep(int descriptor)
{
	struct uart_found *found = malloc(sizeof *found);

	if (found != NULL && ioctl(descriptor, TCGETS2, &found->settings) == 0)
		return found;
	free(found);
	return NULL;
}

void uart_found_restore(int descriptor, struct uart_found *found)
{
	if (found != NULL)
		ioctl(descriptor, TCSETS2, &found->settings);
	free(found);
}
