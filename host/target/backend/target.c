/* SPDX-License-Identifier: MIT */
/* The table of all ways of access, and the calls through it. See access.h. */
#include "target/backend/target.h"

#include "target/channel/channel.h"
#include "target/channel/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const struct target_ops *const backend_table[] = {
#ifdef HAVE_LIBUSB_1_0
        &backend_cmsis_dap,
#endif
        &backend_gdb,       &backend_openocd,
#ifdef HAVE_JANSSON
        &backend_qemu,
#endif
        &backend_link,      &backend_file,    NULL,
};

const struct channel_lacking unavailable_backends[] = {
#ifndef HAVE_LIBUSB_1_0
        {"cmsis-dap", "libusb-1.0", true},
#endif
#ifndef HAVE_JANSSON
        {"qemu", "jansson", false},
#endif
        {NULL, NULL, false},
};

void target_init(struct target *target, const struct target_ops *ops, const char *source)
{
	target->ops = ops;
	snprintf(target->source, sizeof target->source, "%s", source);
}

const char *target_address(const char *source)
{
	source += strcspn(source, SOURCE_SCHEME_ENDS);
	return *source == ':' ? source + 1 : source;
}

/* Without the options, each of which begins with "[,". */
static int address_length(const char *synopsis)
{
	const char *options = strstr(synopsis, "[,");

	return options ? (int)(options - synopsis) : (int)strlen(synopsis);
}

/* What a SOURCE may begin with. */
struct known {
	const char *scheme, *synopsis;
};

static size_t add_known(char *list, size_t capacity, size_t length, struct known known)
{
	if (length >= capacity)
		return length;
	return length + (size_t)snprintf(list + length, capacity - length, "%s%s%.*s", length > 0 ? ", " : "",
	                                 known.scheme, address_length(known.synopsis), known.synopsis);
}

/* The ways of access and the channels, one behind the other; behind the last one there is one without scheme. */
static struct known known_at(size_t index)
{
	for (size_t i = 0; backend_table[i]; i++)
		if (backend_table[i]->scheme && index-- == 0)
			return (struct known){backend_table[i]->scheme, backend_table[i]->synopsis};
	for (size_t i = 0; channel_table[i]; i++)
		if (index-- == 0)
			return (struct known){channel_table[i]->scheme, channel_table[i]->synopsis};
	return (struct known){NULL, NULL};
}

/* That whose scheme, with end behind it, source begins with; without scheme if there is none. */
static struct known find_known(const char *source, char end)
{
	struct known known;

	for (size_t i = 0; (known = known_at(i)).scheme; i++) {
		size_t length = strlen(known.scheme);
		if (strncmp(source, known.scheme, length) == 0 && source[length] == end)
			break;
	}
	return known;
}

/* The scheme of what was named without one; NULL = it is no name of a file. */
static const char *lacking_scheme(const char *source)
{
	struct stat file;

	if (stat(source, &file) == 0 && S_ISREG(file.st_mode))
		return "file";
	return strncmp(source, "/dev/", strlen("/dev/")) == 0 ? "uart" : NULL;
}

/* The library of table without which this build cannot open source; NULL = it is not for that. */
static const char *lacking_library(const struct channel_lacking *table, const char *source)
{
	for (; table->scheme; table++)
		if (source_has_scheme(source, table->scheme))
			return table->library;
	return NULL;
}

static enum status unknown_scheme(const char *source, struct error *error)
{
	const char *meant = lacking_scheme(source);
	const char *mistyped = find_known(source, '=').scheme;
	const char *synopsis = find_known(source, 0).synopsis;
	char known[448] = "";
	size_t length = 0;

	const char *library = lacking_library(channel_lacking, source);
	if (!library)
		library = lacking_library(unavailable_backends, source);
	if (library)
		return status_usage(error, "%.100s: this bareprof was built without %s", source, library);
	if (mistyped)
		return status_usage(error, "%.100s: no such source; did you mean %s:%.100s?", source, mistyped,
		                    source + strlen(mistyped) + 1);
	if (synopsis)
		return status_usage(error, "%.100s: it needs an address: %.100s%.*s", source, source,
		                    address_length(synopsis), synopsis);
	if (meant)
		return status_usage(error, "%.100s: no such source; did you mean %s:%.100s?", source, meant, source);
	for (size_t i = 0; known_at(i).scheme; i++)
		length = add_known(known, sizeof known, length, known_at(i));
	return status_usage(error, "%.100s: no such source; expected one of: %s", source, known);
}

const struct target_ops *target_find(const char *source)
{
	for (size_t i = 0; backend_table[i]; i++) {
		const struct target_ops *ops = backend_table[i];
		bool is_named = ops->scheme != NULL && source_has_scheme(source, ops->scheme) &&
		                (ops->synopsis[0] == '[' || source[strlen(ops->scheme)] == ':');
		if (is_named || (ops->scheme == NULL && channel_find(source) != NULL))
			return ops;
	}
	return NULL;
}

enum status target_list_inputs(const char *source, struct file_inputs *inputs, struct error *error)
{
	const struct target_ops *ops = target_find(source);
	if (!ops || !ops->list_inputs)
		return STATUS_OK;
	return ops->list_inputs(target_address(source), inputs, error);
}

static enum status check_setup(const char *source, const struct target_ops *ops, const struct target_setup *setup,
                               struct error *error)
{
	/* The options of a command line that it comes from. */
	const struct {
		bool is_asked;
		unsigned setup;
		const char *option;
	} all[] = {
	        {setup->speed > 0, TARGET_CAN_SET_SPEED, "--speed"},
	        {setup->access_port >= 0, TARGET_CAN_CHOOSE_PORT, "--ap"},
	        {setup->core >= 0, TARGET_CAN_CHOOSE_CORE, "--core"},
	        {setup->halt, TARGET_CAN_HALT, "--halt"},
	        {setup->reset_target, TARGET_CAN_RESET, "--reset-target"},
	        {setup->keep_awake, TARGET_CAN_KEEP_AWAKE, "--keep-awake"},
	        {setup->observer->trace != NULL, TARGET_CAN_TRACE, "--verbose"},
	        {setup->observer->text != NULL, TARGET_HAS_TEXT, "--console"},
	};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		if (all[i].is_asked && !(ops->setups & all[i].setup))
			return status_usage(error, "%s: there is no %s for such a source", source, all[i].option);
	return STATUS_OK;
}

enum status target_open(const char *source, const struct target_setup *setup, struct target **target,
                        struct error *error)
{
	static const struct client_observer nobody;
	struct target_setup own = TARGET_SETUP_DEFAULT;
	const struct target_ops *ops = target_find(source);
	struct error left;

	if (setup)
		own = *setup;
	if (!own.observer)
		own.observer = &nobody;
	if (!own.left)
		own.left = &left;
	own.left->message[0] = 0;
	if (!ops)
		return unknown_scheme(source, error);
	enum status status = check_setup(source, ops, &own, error);
	if (!status)
		status = ops->open(source, &own, target, error);
	return status && own.left == &left ? status_add(status, error, &left) : status;
}

/* Sizes come from the target's memory, so their sums may lie. */
static enum status check_span(const struct target *target, uint64_t address, size_t size, struct error *error)
{
	if (size > 0 && address > UINT64_MAX - (size - 1))
		return status_fail(error, "%s: %zu bytes at 0x%" PRIx64 " do not fit into the address space",
		                   target->source, size, address);
	return STATUS_OK;
}

enum status target_read(struct target *target, uint64_t address, void *buffer, size_t size, struct error *error)
{
	enum status status = check_span(target, address, size, error);
	return status ? status : target->ops->read(target, address, buffer, size, error);
}

enum status target_read_repeatedly(struct target *target, uint64_t address, uint32_t *words, size_t count,
                                   struct error *error)
{
	if (!target->ops->read_repeatedly)
		return status_fail(error, "%s: cannot read a register of the core while it runs", target->source);
	return target->ops->read_repeatedly(target, address, words, count, error);
}

bool target_can_write(const struct target *target)
{
	return target->ops->write != NULL;
}

enum status target_write(struct target *target, uint64_t address, const void *bytes, size_t size, struct error *error)
{
	if (!target_can_write(target))
		return status_fail(error, "%s: cannot be written to", target->source);
	enum status status = check_span(target, address, size, error);
	return status ? status : target->ops->write(target, address, bytes, size, error);
}

bool target_extent(const struct target *target, uint64_t *address, uint64_t *size)
{
	if (!target->ops->extent)
		return false;
	target->ops->extent(target, address, size);
	return true;
}

enum status target_run(struct target *target, unsigned milliseconds, struct error *error)
{
	if (!target->ops->run)
		return status_fail(error, "%s: there is no target that could run", target->source);
	return target->ops->run(target, milliseconds, error);
}

struct target_traffic target_traffic(const struct target *target)
{
	struct target_traffic traffic = {0};

	if (target->ops->traffic)
		target->ops->traffic(target, &traffic);
	return traffic;
}

enum status target_close(struct target *target, struct error *left)
{
	enum status status = target ? target->ops->close(target, left) : STATUS_OK;
	if (!status)
		left->message[0] = 0;
	return status;
}
