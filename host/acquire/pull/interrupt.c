/* SPDX-License-Identifier: MIT */
/* See interrupt.h. */
#include "acquire/pull/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

static const int held[] = {SIGINT, SIGTERM, SIGHUP};

static void collect_signals(sigset_t *signals)
{
	sigemptyset(signals);
	for (size_t i = 0; i < sizeof held / sizeof held[0]; i++) {
		struct sigaction action;

		if (sigaction(held[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
			sigaddset(signals, held[i]);
	}
}

enum status interrupt_defer(struct interrupt *interrupt, struct error *error)
{
	sigset_t signals;

	collect_signals(&signals);
	interrupt->descriptor = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
	if (interrupt->descriptor < 0)
		return status_fail(error, "cannot hold back signals: %s", strerror(errno));
	sigprocmask(SIG_BLOCK, &signals, &interrupt->before);
	return STATUS_OK;
}

enum status interrupt_copy(const struct interrupt *interrupt, int *copy, struct error *error)
{
	*copy = fcntl(interrupt->descriptor, F_DUPFD_CLOEXEC, 0);
	return *copy < 0 ? status_fail(error, "cannot wait for signals: %s", strerror(errno)) : STATUS_OK;
}

enum status interrupt_mute(int copy, struct error *error)
{
	int never = eventfd(0, EFD_CLOEXEC);
	bool is_muted = never >= 0 && dup3(never, copy, O_CLOEXEC) == copy;

	enum status status = is_muted ? STATUS_OK : status_fail(error, "cannot wait for signals: %s", strerror(errno));
	if (never >= 0)
		close(never);
	return status;
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
