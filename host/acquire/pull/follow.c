/* SPDX-License-Identifier: MIT */
/* See follow.h. */
#include "acquire/pull/follow.h"

#include "acquire/pull/session.h"
#include "base/wait.h"

#include <bareprof/block.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Changes when the file is written or replaced. All zero: not a regular file, which is not read again, because reading
 * a pipe could block for ever. */
struct stamp {
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec modified;
};

struct follow {
	struct pull_options options; /* without the requests that were already sent */
	struct pull_session session;
	struct stamp stamp; /* identifies the ELF in the session */
	unsigned reloads;
	struct error elf_problem;
	bool has_begun; /* the requests were sent */
};

static struct stamp stamp_of(const char *path)
{
	struct stat file;

	if (stat(path, &file) != 0 || !S_ISREG(file.st_mode))
		return (struct stamp){0};
	return (struct stamp){file.st_dev, file.st_ino, file.st_size, file.st_mtim};
}

static bool is_same_stamp(const struct stamp *left, const struct stamp *right)
{
	return left->device == right->device && left->inode == right->inode && left->size == right->size &&
	       left->modified.tv_sec == right->modified.tv_sec && left->modified.tv_nsec == right->modified.tv_nsec;
}

enum status follow_create(const struct pull_options *options, struct follow **follow, struct error *error)
{
	struct follow *new = calloc(1, sizeof *new);

	if (new == NULL)
		return status_no_memory(error, options->elf_path);
	new->options = *options;
	new->session.options = &new->options;
	/* Taken before the file is read, so that a later change shows in the stamp. */
	new->stamp = stamp_of(options->elf_path);
	enum status status = pull_session_prepare(&new->session, error);
	if (status != STATUS_OK) {
		pull_session_release(&new->session);
		free(new);
		return status;
	}
	*follow = new;
	return STATUS_OK;
}

/* Replaces the session by one with the new ELF. The target is not reset again. */
static void adopt_session(struct follow *follow, const struct pull_session *next, const struct stamp *stamp)
{
	pull_session_close(&follow->session);
	const bool was_connected = follow->session.was_connected;
	const struct error left = follow->session.left;
	pull_session_release(&follow->session);
	follow->session = *next;
	follow->session.was_connected = was_connected;
	follow->session.left = left;
	follow->stamp = *stamp;
	follow->reloads++;
}

/* Reads the ELF again if its file has changed. If a linker is still writing the file, it is tried again the next
 * time. */
static void refresh_elf(struct follow *follow)
{
	const struct stamp stamp = stamp_of(follow->options.elf_path), none = {0};
	struct pull_session next = {.options = &follow->options};

	if (is_same_stamp(&stamp, &follow->stamp) || is_same_stamp(&stamp, &none))
		return;
	if (pull_session_prepare(&next, &follow->elf_problem) == STATUS_OK) {
		adopt_session(follow, &next, &stamp);
		follow->elf_problem.message[0] = '\0';
	} else {
		pull_session_release(&next);
	}
}

/* Sends the requests after the first connection. The reset is requested only once. A profile that starts on request
 * must be started again after each reset of the target. */
static enum status send_requests(struct follow *follow, struct error *error)
{
	enum status status = pull_session_control(&follow->session, error);

	if (status != STATUS_OK)
		return status;
	follow->has_begun = true;
	follow->options.reset = false;
	return STATUS_OK;
}

static bool is_stopped(const struct pull_session *session)
{
	bool is_any = false;

	for (size_t i = 0; i < session->located.count; i++)
		is_any |= session->located.blocks[i].state == BAREPROF_STATE_STOPPED;
	return is_any;
}

static enum status connect_target(struct follow *follow, int cancel, struct error *error)
{
	enum status status = pull_session_open(&follow->session, cancel, error);

	if (status == STATUS_OK && (!follow->has_begun || (follow->options.start && is_stopped(&follow->session))))
		status = send_requests(follow, error);
	return status;
}

static enum status let_run(struct follow *follow, unsigned milliseconds, struct error *error)
{
	follow->session.disruption = DISRUPTION_NONE;
	enum status status = pull_session_let_run(&follow->session, milliseconds, error);
	const enum disruption disruption = follow->session.disruption;
	const bool has_stopped = disruption == DISRUPTION_RESET_STOPPED || disruption == DISRUPTION_LOST_STOPPED;

	if (status == STATUS_OK && has_stopped && follow->options.start)
		status = send_requests(follow, error);
	return status;
}

static enum status run_or_connect(struct follow *follow, unsigned milliseconds, int cancel, struct error *error)
{
	if (follow->session.target != NULL)
		return let_run(follow, milliseconds, error);
	if (follow->session.was_connected && !wait_pause(milliseconds, cancel))
		return status_fail(error, "interrupted");
	refresh_elf(follow);
	return connect_target(follow, cancel, error);
}

static enum status decode_session(const struct follow *follow, struct capture **capture, struct error *error)
{
	uint8_t *file;
	size_t size;
	enum status status = pull_session_encode(&follow->session, &file, &size, error);

	if (status != STATUS_OK)
		return status;
	status = capture_decode(follow->session.source, file, size, capture, error);
	free(file);
	return status;
}

enum status follow_take(struct follow *follow, unsigned milliseconds, int cancel, struct capture **capture,
                        struct error *error)
{
	refresh_elf(follow);
	enum status status = run_or_connect(follow, milliseconds, cancel, error);

	if (status == STATUS_OK)
		status = pull_session_read(&follow->session, error);
	if (status == STATUS_OK)
		status = decode_session(follow, capture, error);
	if (status == STATUS_OK)
		return STATUS_OK;
	pull_session_close(&follow->session);
	return status_add(status, error, &follow->session.left);
}

unsigned follow_reloads(const struct follow *follow)
{
	return follow->reloads;
}

const char *follow_elf_problem(const struct follow *follow)
{
	return follow->elf_problem.message;
}

void follow_close(struct follow *follow, struct error *left)
{
	left->message[0] = '\0';
	if (follow == NULL)
		return;
	pull_session_close(&follow->session);
	*left = follow->session.left;
	pull_session_release(&follow->session);
	free(follow);
}
