/* SPDX-License-Identifier: MIT */
/*
 * Runs a tool that uses libusb with a model of a device (device.h) plugged in. umockdev's preload library redirects the
 * tool's file accesses and ioctls to this program.
 *
 *	umockdev [OPTION]... DEVICE TOOL [ARGUMENT]...
 *
 * DEVICE is the model's words: see board.c and tests/probe-model/probe.c. Options:
 *
 *	--plug-in-again     plug the device in again after it was unplugged
 *	--twin SERIAL       plug in a second such device, which is silent
 *	--no-permission     the tool may not open the device
 *	--late-cancels N    the first N transfers that the tool cancels have just ended, without data
 *
 * The tool receives SIGINT if this program does. The exit status is the tool's. Differences from hardware: time, and
 *how transfers end when the device is unplugged. Linux ends them too, but reports POLLERR, which umockdev cannot.
 */
#include "../options/options.h"
#include "device.h"

#include <linux/capability.h>
#include <linux/usbdevice_fs.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <umockdev.h>
#include <unistd.h>

struct request {
	struct transfer transfer;
	UMockdevIoctlClient *client; /* the submitter, not referenced */
	UMockdevIoctlData *urb, *buffer;
};

/* More than any model has. */
#define INTERFACES_MAX 8

/* umockdev always reports the device as ready, so a tool that waits for it asks for finished transfers in a loop. After
 * this many vain requests, each takes longer than the one before, so that the loop does not occupy a processor. */
#define IDLE_REAPS            2
#define IDLE_MICROSECONDS     250
#define IDLE_MICROSECONDS_MAX 5000

/* A port of the bus with a device. While the device is plugged in, only a thread of umockdev's uses it and its
 * transfers. */
struct port {
	struct device *device;
	unsigned number; /* of the port, and of the device on the bus */
	char node[32], path[64];
	struct transfer *transfers;                  /* each begins a struct request */
	UMockdevIoctlClient *owners[INTERFACES_MAX]; /* clients that claimed the interfaces; NULL: none */
	UMockdevIoctlBase *handler;
	unsigned idle_reaps; /* in a row without a finished transfer */
	bool is_unplugged;   /* the tool sees it, or soon will */
	struct bus *bus;
};

struct bus {
	UMockdevTestbed *testbed;
	GMainLoop *loop;
	struct device *device;
	struct port first, second, twin; /* second: of the device that is plugged in again */
	bool plugs_in_again, is_refused;
	uint64_t late_cancels;
	const char *twin_serial;
	int tool_status;
};

static struct usbdevfs_urb *urb_of(const struct request *request)
{
	return (struct usbdevfs_urb *)(void *)request->urb->data;
}

static void remove_request(struct port *port, struct request *request)
{
	transfers_remove(&port->transfers, &request->transfer);
	g_object_unref(request->urb);
	g_clear_object(&request->buffer);
	g_free(request);
}

static int submit(struct port *port, UMockdevIoctlClient *client, UMockdevIoctlData *argument)
{
	struct request *request = g_new0(struct request, 1);
	struct transfer *transfer = &request->transfer;

	request->client = client;
	request->urb = umockdev_ioctl_data_resolve(argument, 0, sizeof(struct usbdevfs_urb), NULL);
	const struct usbdevfs_urb *urb = urb_of(request);
	transfer->endpoint = urb->endpoint;
	transfer->size = (size_t)urb->buffer_length;
	transfer->ends =
	        device_ends_transfer(port->device, transfer->size, (urb->flags & USBDEVFS_URB_ZERO_PACKET) != 0);
	if (transfer->size > 0) {
		request->buffer = umockdev_ioctl_data_resolve(
		        request->urb, G_STRUCT_OFFSET(struct usbdevfs_urb, buffer), (gsize)transfer->size, NULL);
		transfer->bytes = request->buffer->data;
	}
	/* The data follow the setup packet in the buffer. */
	if (urb->type == USBDEVFS_URB_TYPE_CONTROL) {
		transfer->setup = transfer->bytes;
		transfer->bytes += 8;
		transfer->size -= 8;
	}
	transfers_append(&port->transfers, transfer);
	return 0;
}

static bool is_too_late(struct bus *bus)
{
	if (bus->late_cancels == 0)
		return false;
	bus->late_cancels--;
	return true;
}

static int discard(struct port *port, UMockdevIoctlData *argument)
{
	gulong address = *(gulong *)(void *)argument->data;

	for (struct transfer *transfer = port->transfers; transfer != NULL; transfer = transfer->next) {
		if (((struct request *)transfer)->urb->client_addr != address || transfer->is_finished)
			continue;
		transfer->is_finished = true;
		if (is_too_late(port->bus))
			return EINVAL;
		transfer->status = -ENOENT;
		return 0;
	}
	return EINVAL;
}

static gboolean unplug(gpointer data);

static int reap(struct port *port, UMockdevIoctlClient *client, UMockdevIoctlData *argument)
{
	transfers_advance(port->transfers, port->device);
	for (struct transfer *transfer = port->transfers; transfer != NULL; transfer = transfer->next) {
		struct request *request = (struct request *)transfer;

		if (request->client != client || !transfer->is_finished)
			continue;
		urb_of(request)->status = transfer->status;
		urb_of(request)->actual_length = (int)transfer->done;
		UMockdevIoctlData *address = umockdev_ioctl_data_resolve(argument, 0, sizeof(void *), NULL);
		umockdev_ioctl_data_set_ptr(address, 0, request->urb);
		g_object_unref(address);
		remove_request(port, request);
		port->idle_reaps = 0;
		return 0;
	}
	if (++port->idle_reaps > IDLE_REAPS)
		g_usleep(MIN((port->idle_reaps - IDLE_REAPS) * IDLE_MICROSECONDS, IDLE_MICROSECONDS_MAX));
	if (!port->device->is_gone)
		return EAGAIN;
	/* Linux still gives out transfers that ended before, but a tool that has seen the unplugging does not ask. */
	if (!port->is_unplugged)
		g_idle_add(unplug, port);
	port->is_unplugged = true;
	return ENODEV;
}

static int get_capabilities(UMockdevIoctlData *argument)
{
	UMockdevIoctlData *data = umockdev_ioctl_data_resolve(argument, 0, sizeof(guint32), NULL);

	*(guint32 *)(void *)data->data = USBDEVFS_CAP_ZERO_PACKET | USBDEVFS_CAP_BULK_CONTINUATION |
	                                 USBDEVFS_CAP_NO_PACKET_SIZE_LIM | USBDEVFS_CAP_REAP_AFTER_DISCONNECT;
	g_object_unref(data);
	return 0;
}

static int clear_halt(struct port *port, UMockdevIoctlData *argument)
{
	UMockdevIoctlData *data = umockdev_ioctl_data_resolve(argument, 0, sizeof(guint32), NULL);
	bool is_cleared = port->device->ops->clear_halt(port->device, (uint8_t)data->data[0]);

	g_object_unref(data);
	return is_cleared ? 0 : EPIPE;
}

/* Claims or releases an interface, which belongs to one client at a time. */
static int claim(struct port *port, UMockdevIoctlClient *client, UMockdevIoctlData *argument, bool is_claimed)
{
	UMockdevIoctlData *data = umockdev_ioctl_data_resolve(argument, 0, sizeof(guint32), NULL);
	guint32 number;

	memcpy(&number, data->data, sizeof number);
	g_object_unref(data);
	if (number >= INTERFACES_MAX)
		return ENOENT;
	if (port->owners[number] && port->owners[number] != client)
		return is_claimed ? EBUSY : EINVAL;
	port->owners[number] = is_claimed ? client : NULL;
	return 0;
}

/* Handles an ioctl as usbfs does. Returns 0 or an errno. */
static int serve(struct port *port, UMockdevIoctlClient *client)
{
	gulong request = umockdev_ioctl_client_get_request(client);
	UMockdevIoctlData *argument = umockdev_ioctl_client_get_arg(client);

	/* Transfers can be reaped after the device was unplugged, too. */
	if (request == USBDEVFS_REAPURB || request == USBDEVFS_REAPURBNDELAY)
		return reap(port, client, argument);
	if (port->device->is_gone)
		return ENODEV;
	switch (request) {
	case USBDEVFS_GET_CAPABILITIES:
		return get_capabilities(argument);
	case USBDEVFS_GETDRIVER:
	case USBDEVFS_IOCTL: /* by which a driver of the kernel is detached */
		return ENODATA;
	case USBDEVFS_CLAIMINTERFACE:
	case USBDEVFS_DISCONNECT_CLAIM: /* begins with the number of the interface, too */
		return claim(port, client, argument, true);
	case USBDEVFS_RELEASEINTERFACE:
		return claim(port, client, argument, false);
	case USBDEVFS_SETINTERFACE:
	case USBDEVFS_SETCONFIGURATION:
		return 0;
	case USBDEVFS_CLEAR_HALT:
		return clear_halt(port, argument);
	case USBDEVFS_SUBMITURB:
		return submit(port, client, argument);
	case USBDEVFS_DISCARDURB:
		return discard(port, argument);
	default:
		return ENOTTY;
	}
}

static gboolean handle_ioctl(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, gpointer data)
{
	struct port *port = data;

	(void)handler;
	int failure = serve(port, client);
	umockdev_ioctl_client_complete(client, failure ? -1 : 0, failure);
	return TRUE;
}

/* A client that closes the device loses its interfaces and its transfers. */
static void forget_client(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, gpointer data)
{
	struct port *port = data;

	(void)handler;
	for (unsigned i = 0; i < INTERFACES_MAX; i++)
		if (port->owners[i] == client)
			port->owners[i] = NULL;
	for (struct transfer *transfer = port->transfers, *next; transfer != NULL; transfer = next) {
		struct request *request = (struct request *)transfer;

		next = transfer->next;
		if (request->client == client)
			remove_request(port, request);
	}
}

/* Describes the device and its named interface as the kernel does in sysfs. */
static GString *describe(const struct port *port)
{
	const struct device *device = port->device;
	GString *text = g_string_new(NULL);
	char *serial = g_convert(device->strings[STRING_SERIAL], -1, "UTF-8", "ISO-8859-1", NULL, NULL, NULL);

	g_string_append_printf(text,
	                       "P: %s\nN: bus/usb/001/%03u\nE: DEVTYPE=usb_device\nE: DEVNAME=%s\nE: SUBSYSTEM=usb\n"
	                       "E: BUSNUM=001\nE: DEVNUM=%03u\nA: busnum=1\\n\nA: devnum=%u\\n\nA: speed=%u\\n\n"
	                       "A: bConfigurationValue=1\\n\nA: idVendor=%04x\\n\nA: idProduct=%04x\\n\n"
	                       "A: serial=%s\\n\nA: product=%s\\n\nA: bNumConfigurations=1\\n\n"
	                       "H: descriptors=",
	                       port->path, port->number, port->node, port->number, port->number,
	                       device->packet > 64 ? 480 : 12, device->vendor, device->product, serial,
	                       device->strings[STRING_PRODUCT]);
	g_free(serial);
	for (size_t i = 0; i < device->descriptors_size; i++)
		g_string_append_printf(text, "%02X", device->descriptors[i]);
	g_string_append_printf(text,
	                       "\n\nP: %s/1-%u:1.%u\nE: DEVTYPE=usb_interface\nE: SUBSYSTEM=usb\n"
	                       "A: interface=%s\\n\n",
	                       port->path, port->number, device->interface, device->strings[STRING_INTERFACE]);
	return text;
}

static void fail(const char *what, const GError *error)
{
	fprintf(stderr, "umockdev: %s: %s\n", what, error->message);
	exit(125);
}

static void attach(struct bus *bus, struct device *device, unsigned number, struct port *port)
{
	GError *error = NULL;

	*port = (struct port){.device = device, .number = number, .bus = bus};
	snprintf(port->node, sizeof port->node, "/dev/bus/usb/001/%03u", number);
	snprintf(port->path, sizeof port->path, "/devices/model/usb1/1-%u", number);
	port->handler = umockdev_ioctl_base_new();
	g_signal_connect(port->handler, "handle-ioctl", G_CALLBACK(handle_ioctl), port);
	g_signal_connect(port->handler, "client-vanished", G_CALLBACK(forget_client), port);
	if (!umockdev_testbed_attach_ioctl(bus->testbed, port->node, port->handler, &error))
		fail("cannot attach the device", error);
	/* Last, since a tool that waits for the device opens it as soon as it appears. */
	GString *text = describe(port);
	if (!umockdev_testbed_add_from_string(bus->testbed, text->str, &error))
		fail("cannot describe the device", error);
	g_string_free(text, TRUE);
}

static gboolean plug_in(gpointer data);

/* Makes the tool see the unplugging. The device may come back, as another one. */
static gboolean unplug(gpointer data)
{
	struct port *port = data;
	char *path = g_strconcat("/sys", port->path, NULL);

	umockdev_testbed_remove_device(port->bus->testbed, path);
	g_free(path);
	if (port->bus->plugs_in_again)
		g_timeout_add(300, plug_in, port->bus);
	return G_SOURCE_REMOVE;
}

static gboolean plug_in(gpointer data)
{
	struct bus *bus = data;

	bus->device->ops->plug_in(bus->device);
	attach(bus, bus->device, 9, &bus->second);
	return G_SOURCE_REMOVE;
}

/* Without this capability, the mode of a file binds its owner, too. */
static void refuse(const struct bus *bus)
{
	char *root = umockdev_testbed_get_root_dir(bus->testbed);
	char *node = g_strconcat(root, bus->first.node, NULL);

	chmod(node, 0);
	prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0);
	g_free(node);
	g_free(root);
}

static void end_with_tool(GPid tool, gint status, gpointer data)
{
	struct bus *bus = data;

	(void)tool;
	bus->tool_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	g_main_loop_quit(bus->loop);
}

static volatile pid_t tool_process;

static void pass_on(int number)
{
	kill(tool_process, number);
}

/* Runs the tool with umockdev's library before the C library. */
static void start_tool(struct bus *bus, char **words)
{
	const pid_t tool = fork();

	if (tool == 0) {
		setenv("LD_PRELOAD", "libumockdev-preload.so.0", 1);
		execvp(words[0], words);
		_exit(127);
	}
	tool_process = tool;
	signal(SIGINT, pass_on);
	g_child_watch_add(tool, end_with_tool, bus);
}

int main(int argc, char **argv)
{
	static struct bus bus;
	const struct option_row rows[] = {
	        {"plug-in-again", OPTION_FLAG, &bus.plugs_in_again},
	        {"no-permission", OPTION_FLAG, &bus.is_refused},
	        {"twin", OPTION_TEXT, &bus.twin_serial},
	        {"late-cancels", OPTION_NUMBER, &bus.late_cancels},
	};
	const int own = options_read(rows, sizeof rows / sizeof rows[0], argc, argv) - 1;
	int end = 0;

	bus.device = device_open(argc - own, argv + own, &end);
	if (bus.device == NULL || argc - own - end < 1) {
		fprintf(stderr, "usage: umockdev %s TOOL [ARGUMENT]...\n", device_usage);
		return 125;
	}
	bus.testbed = umockdev_testbed_new();
	bus.loop = g_main_loop_new(NULL, FALSE);
	attach(&bus, bus.device, 2, &bus.first);
	if (bus.twin_serial != NULL)
		attach(&bus, device_open_twin(bus.device, bus.twin_serial), 3, &bus.twin);
	if (bus.is_refused)
		refuse(&bus);
	start_tool(&bus, argv + own + end);
	g_main_loop_run(bus.loop);
	/* Ends umockdev's thread, which a program that the tool left running may still keep busy with the device. */
	g_object_unref(bus.testbed);
	bus.device->ops->stop(bus.device);
	return bus.tool_status;
}
