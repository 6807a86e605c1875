/* SPDX-License-Identifier: MIT */
/* See interrupt.h. */
#include "pull/interrupt.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

static const int held[] = {SIGINT, SIGTERM, SIGHUP};

static void collect(sigset_t *signals)
{
	sigemptyset(signals);
	for (size_t i = 0; i < sizeof held / sizeof held[0]; i++) {
		struct sigaction action;
		if (sigaction(held[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
			sigaddset(signals, held[i]);
	}
}

enum status interrupt_hold(struct interrupt *interrupt, struct error *error)
{
	sigset_t signals;

	collect(&signals);
	interrupt->descriptor = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
	if (interrupt->descriptor < 0)
		return status_fail(error, "cannot hold back signals: %s", strerror(errno));
	sigprocmask(SIG_BLOCK, &signals, &interrupt->before);
	return STATUS_OK;
}

bool interrupt_release(struct interrupt *interrupt)
{
	struct signalfd_siginfo information;
	bool came = false;

	if (interrupt->descriptor < 0)
		return false;
	while (read(interrupt->descriptor, &information, sizeof information) == sizeof information)
		came = true;
	close(interrupt->descriptor);
	interrupt->descriptor = -1;
	sigprocmask(SIG_SETMASK, &interrupt->before, NULL);
	return came;
}
