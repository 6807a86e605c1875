/* SPDX-License-Identifier: MIT */
/* See uart_ports.h. */
#include "acquire/channel/uart_ports.h"

#include "base/file/user.h"

#include <ctype.h>
#include <errno.h>
#include <grp.h>
#include <libserialport.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int compare_port_names(const void *left, const void *right)
{
	const struct sp_port *const *first = left;
	const struct sp_port *const *second = right;

	return strverscmp(sp_get_port_name(*first), sp_get_port_name(*second));
}

/* All ports, sorted by name, to be freed by sp_free_port_list(). *ports is NULL if the kernel has no terminals, as in
 * some containers. */
static enum status find_ports(struct sp_port ***ports, struct error *error)
{
	size_t count = 0;

	*ports = NULL;
	if (sp_list_ports(ports) != SP_OK)
		return sp_last_error_code() == ENOENT
		               ? STATUS_OK
		               : status_fail(error, "cannot list the serial ports: %s", strerror(sp_last_error_code()));
	while ((*ports)[count] != NULL)
		count++;
	qsort(*ports, count, sizeof **ports, compare_port_names);
	return STATUS_OK;
}

static void describe_port(const struct sp_port *port, char *text, size_t capacity)
{
	const char *product = sp_get_port_usb_product(port);
	const char *serial = sp_get_port_usb_serial(port);
	int vendor_id, product_id;

	if (sp_get_port_usb_vid_pid(port, &vendor_id, &product_id) == SP_OK)
		snprintf(text, capacity, "%s, %04x:%04x%s%s", product != NULL ? product : "USB", vendor_id, product_id,
		         serial != NULL ? ", serial " : "", serial != NULL ? serial : "");
	else
		snprintf(text, capacity, "serial port of this computer");
}

static bool explain_use(const char *device, char *text, size_t capacity)
{
	char user[FILE_USER_MAX];
	bool found = file_find_user(device, user, sizeof user);

	if (found)
		snprintf(text, capacity, "in use by %s", user);
	return found;
}

static void explain_denial(const char *device, char *text, size_t capacity)
{
	struct stat node;
	const mode_t wanted = S_IRGRP | S_IWGRP;
	bool is_group_enough = stat(device, &node) == 0 && (node.st_mode & wanted) == wanted;
	const struct group *group = is_group_enough ? getgrgid(node.st_gid) : NULL;

	if (group != NULL)
		snprintf(text, capacity,
		         "permission denied: add yourself to group %s (sudo usermod -aG %s $USER) and log in again",
		         group->gr_name, group->gr_name);
	else
		snprintf(text, capacity,
		         "permission denied, also for its group: a udev rule must give it to one "
		         "(SUBSYSTEM==\"tty\", GROUP=\"dialout\", MODE=\"0660\")");
}

static bool is_character_device(const char *path)
{
	struct stat node;

	return stat(path, &node) == 0 && S_ISCHR(node.st_mode);
}

/* Finds a rate after the device, as other programs write it: "/dev/ttyUSB0:9600", or with a comma. Returns its digits,
 * or the end of the text. */
static const char *find_rate(const char *device)
{
	const char *end = device + strlen(device), *rate = end;

	while (rate > device && isdigit((unsigned char)rate[-1]))
		rate--;
	return rate > device && (rate[-1] == ',' || rate[-1] == ':') ? rate : end;
}

/* Guesses the device from a name without its folder, or with a rate appended. False: no guess. */
static bool guess_device(const char *device, char *meant, size_t capacity)
{
	const char *rate = find_rate(device);
	size_t name = *rate ? (size_t)(rate - device) - 1 : strlen(device);
	int length = snprintf(meant, capacity, "%s%.*s", device[0] == '/' ? "" : "/dev/", (int)name, device);

	if (length < 0 || (size_t)length >= capacity || !is_character_device(meant))
		return false;
	if (*rate)
		snprintf(meant + length, capacity - (size_t)length, ",baud=%s", rate);
	return true;
}

static void explain_absence(const char *device, char *text, size_t capacity)
{
	char meant[PATH_MAX];
	struct sp_port **ports;
	struct error ignored;

	if (guess_device(device, meant, sizeof meant)) {
		snprintf(text, capacity, "no such device; did you mean uart:%s?", meant);
		return;
	}
	bool is_any = find_ports(&ports, &ignored) == STATUS_OK && ports != NULL && ports[0] != NULL;

	size_t length = (size_t)snprintf(text, capacity, "no such device; %s",
	                                 is_any ? "there are:" : "there is no serial port: is the cable plugged in?");
	for (size_t i = 0; is_any && ports[i] != NULL && length < capacity; i++)
		length += (size_t)snprintf(text + length, capacity - length, " %s", sp_get_port_name(ports[i]));
	sp_free_port_list(ports);
}

void uart_ports_explain(const char *device, int failure, char *text, size_t capacity)
{
	char resolved[PATH_MAX];

	switch (failure) {
	case EACCES:
		explain_denial(device, text, capacity);
		return;
	case ENOENT:
		explain_absence(device, text, capacity);
		return;
	case EBUSY:
		if (realpath(device, resolved) == NULL || !explain_use(resolved, text, capacity))
			snprintf(text, capacity, "in use by another program");
		return;
	default:
		snprintf(text, capacity, "%s", strerror(failure));
	}
}

static void report_port(const struct sp_port *port, device_found found, void *context)
{
	const char *name = sp_get_port_name(port);
	char source[PATH_MAX], description[512], problem[256] = "";

	snprintf(source, sizeof source, "uart:%s", name);
	describe_port(port, description, sizeof description);
	/* Not checked by opening, which would assert DTR and reset some boards. */
	if (access(name, R_OK | W_OK) < 0)
		uart_ports_explain(name, errno, problem, sizeof problem);
	else
		explain_use(name, problem, sizeof problem);
	const struct attached_device device = {source, description, problem[0] ? problem : NULL};
	found(context, &device);
}

enum status uart_ports_list(device_found found, void *context, struct error *error)
{
	struct sp_port **ports;

	enum status status = find_ports(&ports, error);
	for (size_t i = 0; ports != NULL && ports[i] != NULL; i++)
		report_port(ports[i], found, context);
	sp_free_port_list(ports);
	return status;
}
