/* SPDX-License-Identifier: MIT */
/* The table of all ways of access, and the calls through it. See access.h. */
#include "probe/access.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct access_ops *const access_table[] = {&access_gdb, &access_file, NULL};

void access_init(struct access *access, const struct access_ops *ops, const char *address)
{
	access->ops = ops;
	snprintf(access->source, sizeof access->source, "%s:%s", ops->scheme, address);
}

static enum status unknown_scheme(const char *source, struct error *error)
{
	char known[256] = "";
	size_t length = 0;

	for (size_t i = 0; access_table[i] && length < sizeof known; i++)
		length += (size_t)snprintf(known + length, sizeof known - length, "%s%s:%s", i ? ", " : "",
		                           access_table[i]->scheme, access_table[i]->synopsis);
	return status_usage(error, "%.100s: no such source; expected one of: %s", source, known);
}

const struct access_ops *access_find(const char *source)
{
	size_t length = strcspn(source, ":");

	for (size_t i = 0; access_table[i]; i++) {
		const char *scheme = access_table[i]->scheme;
		if (source[length] == ':' && strlen(scheme) == length && strncmp(source, scheme, length) == 0)
			return access_table[i];
	}
	return NULL;
}

enum status access_list_inputs(const char *source, struct file_inputs *inputs, struct error *error)
{
	const struct access_ops *ops = access_find(source);
	if (!ops || !ops->list_inputs)
		return STATUS_OK;
	return ops->list_inputs(source + strlen(ops->scheme) + 1, inputs, error);
}

enum status access_open(const char *source, int cancel, struct access **access, struct error *error)
{
	const struct access_ops *ops = access_find(source);
	return ops ? ops->open(source + strlen(ops->scheme) + 1, cancel, access, error) : unknown_scheme(source, error);
}

/* Sizes come from the target's memory, so their sums may lie. */
static enum status check_span(const struct access *access, uint64_t address, size_t size, struct error *error)
{
	if (size > 0 && address > UINT64_MAX - (size - 1))
		return status_fail(error, "%s: %zu bytes at 0x%" PRIx64 " do not fit into the address space",
		                   access->source, size, address);
	return STATUS_OK;
}

enum status access_read(struct access *access, uint64_t address, void *buffer, size_t size, struct error *error)
{
	enum status status = check_span(access, address, size, error);
	return status ? status : access->ops->read(access, address, buffer, size, error);
}

bool access_can_write(const struct access *access)
{
	return access->ops->write != NULL;
}

enum status access_write(struct access *access, uint64_t address, const void *bytes, size_t size, struct error *error)
{
	if (!access_can_write(access))
		return status_fail(error, "%s: cannot be written to", access->source);
	enum status status = check_span(access, address, size, error);
	return status ? status : access->ops->write(access, address, bytes, size, error);
}

bool access_extent(const struct access *access, uint64_t *address, uint64_t *size)
{
	if (!access->ops->extent)
		return false;
	access->ops->extent(access, address, size);
	return true;
}

enum status access_run(struct access *access, unsigned milliseconds, struct error *error)
{
	if (!access->ops->run)
		return status_fail(error, "%s: there is no target that could run", access->source);
	return access->ops->run(access, milliseconds, error);
}

enum status access_close(struct access *access, struct error *error)
{
	return access ? access->ops->close(access, error) : STATUS_OK;
}
