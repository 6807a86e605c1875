/* SPDX-License-Identifier: MIT */
/* The table of all ways of access, and the calls through it. See access.h. */
#include "target/backend/backend.h"

#include "target/channel/channel.h"
#include "target/channel/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const struct access_ops *const access_table[] = {
#ifdef HAVE_LIBUSB_1_0
        &access_cmsis_dap,
#endif
        &access_gdb,       &access_openocd,
#ifdef HAVE_JANSSON
        &access_qemu,
#endif
        &access_link,      &access_file,    NULL,
};

const struct channel_lacking access_lacking[] = {
#ifndef HAVE_LIBUSB_1_0
        {"cmsis-dap", "libusb-1.0", true},
#endif
#ifndef HAVE_JANSSON
        {"qemu", "jansson", false},
#endif
        {NULL, NULL, false},
};

void access_init(struct access *access, const struct access_ops *ops, const char *source)
{
	access->ops = ops;
	snprintf(access->source, sizeof access->source, "%s", source);
}

const char *access_address(const char *source)
{
	source += strcspn(source, SOURCE_SCHEME_ENDS);
	return *source == ':' ? source + 1 : source;
}

/* Without the options, each of which begins with "[,". */
static int address_length(const char *synopsis)
{
	const char *options = strstr(synopsis, "[,");

	return options != NULL ? (int)(options - synopsis) : (int)strlen(synopsis);
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
	for (size_t i = 0; access_table[i] != NULL; i++)
		if (access_table[i]->scheme != NULL && index-- == 0)
			return (struct known){access_table[i]->scheme, access_table[i]->synopsis};
	for (size_t i = 0; channel_table[i] != NULL; i++)
		if (index-- == 0)
			return (struct known){channel_table[i]->scheme, channel_table[i]->synopsis};
	return (struct known){NULL, NULL};
}

/* That whose scheme, with end behind it, source begins with; without scheme if there is none. */
static struct known find_known(const char *source, char end)
{
	struct known known;

	for (size_t i = 0; (known = known_at(i)).scheme != NULL; i++) {
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
	for (; table->scheme != NULL; table++)
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
	if (library == NULL)
		library = lacking_library(access_lacking, source);
	if (library != NULL)
		return status_usage(error, "%.100s: this bareprof was built without %s", source, library);
	if (mistyped != NULL)
		return status_usage(error, "%.100s: no such source; did you mean %s:%.100s?", source, mistyped,
		                    source + strlen(mistyped) + 1);
	if (synopsis != NULL)
		return status_usage(error, "%.100s: it needs an address: %.100s%.*s", source, source,
		                    address_length(synopsis), synopsis);
	if (meant != NULL)
		return status_usage(error, "%.100s: no such source; did you mean %s:%.100s?", source, meant, source);
	for (size_t i = 0; known_at(i).scheme != NULL; i++)
		length = add_known(known, sizeof known, length, known_at(i));
	return status_usage(error, "%.100s: no such source; expected one of: %s", source, known);
}

const struct access_ops *access_find(const char *source)
{
	for (size_t i = 0; access_table[i] != NULL; i++) {
		const struct access_ops *ops = access_table[i];
		bool is_named = ops->scheme != NULL && source_has_scheme(source, ops->scheme) &&
		                (ops->synopsis[0] == '[' || source[strlen(ops->scheme)] == ':');
		if (is_named || (ops->scheme == NULL && channel_find(source) != NULL))
			return ops;
	}
	return NULL;
}

enum status access_list_inputs(const char *source, struct file_inputs *inputs, struct error *error)
{
	const struct access_ops *ops = access_find(source);
	if (ops == NULL || ops->list_inputs == NULL)
		return STATUS_OK;
	return ops->list_inputs(access_address(source), inputs, error);
}

static enum status check_setup(const char *source, const struct access_ops *ops, const struct access_setup *setup,
                               struct error *error)
{
	/* The options of a command line that it comes from. */
	const struct {
		bool is_asked;
		unsigned setup;
		const char *option;
	} all[] = {
	        {setup->speed > 0, ACCESS_SPEED, "--speed"},
	        {setup->access_port >= 0, ACCESS_PORT, "--ap"},
	        {setup->core >= 0, ACCESS_CORE, "--core"},
	        {setup->halt, ACCESS_HALT, "--halt"},
	        {setup->reset_target, ACCESS_RESET, "--reset-target"},
	        {setup->keep_awake, ACCESS_AWAKE, "--keep-awake"},
	        {setup->observer->trace != NULL, ACCESS_TRACE, "--verbose"},
	        {setup->observer->text != NULL, ACCESS_TEXT, "--console"},
	};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		if (all[i].is_asked && !(ops->setups & all[i].setup))
			return status_usage(error, "%s: there is no %s for such a source", source, all[i].option);
	return STATUS_OK;
}

enum status access_open(const char *source, const struct access_setup *setup, struct access **access,
                        struct error *error)
{
	static const struct client_observer nobody;
	struct access_setup own = ACCESS_SETUP_PLAIN;
	const struct access_ops *ops = access_find(source);
	struct error left;

	if (setup != NULL)
		own = *setup;
	if (own.observer == NULL)
		own.observer = &nobody;
	if (own.left == NULL)
		own.left = &left;
	own.left->message[0] = 0;
	if (ops == NULL)
		return unknown_scheme(source, error);
	enum status status = check_setup(source, ops, &own, error);
	if (status == STATUS_OK)
		status = ops->open(source, &own, access, error);
	return status && own.left == &left ? status_add(status, error, &left) : status;
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

enum status access_read_repeatedly(struct access *access, uint64_t address, uint32_t *words, size_t count,
                                   struct error *error)
{
	if (access->ops->read_repeatedly == NULL)
		return status_fail(error, "%s: cannot read a register of the core while it runs", access->source);
	return access->ops->read_repeatedly(access, address, words, count, error);
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
	if (access->ops->extent == NULL)
		return false;
	access->ops->extent(access, address, size);
	return true;
}

enum status access_run(struct access *access, unsigned milliseconds, struct error *error)
{
	if (access->ops->run == NULL)
		return status_fail(error, "%s: there is no target that could run", access->source);
	return access->ops->run(access, milliseconds, error);
}

struct access_traffic access_traffic(const struct access *access)
{
	struct access_traffic traffic = {0};

	if (access->ops->traffic != NULL)
		access->ops->traffic(access, &traffic);
	return traffic;
}

enum status access_close(struct access *access, struct error *left)
{
	enum status status = access != NULL ? access->ops->close(access, left) : STATUS_OK;
	if (status == STATUS_OK)
		left->message[0] = 0;
	return status;
}
