/* SPDX-License-Identifier: MIT */
/*
 * Runs a tool that uses libusb with a device plugged in (device.h), by umockdev: its preload library takes the tool's
 * calls of files and ioctls here.
 *
 *	umockdev [OPTION]... DEVICE TOOL [ARGUMENT]...
 *
 * DEVICE is what the model takes: for board.c its options, and a line for the shell whose input and output are the
 * board's other side. Before it there may be:
 *
 *	--plug-in-again     once it was unplugged
 *	--twin SERIAL       there is a second such device, which is silent
 *	--no-permission     the tool may not open the device
 *
 * The exit status is the tool's. Not like the real thing: time, and an end of transfers that were left behind by the
 * unplugging (Linux ends them, as this does, but tells by POLLERR, which umockdev cannot).
 */
#include "device.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/usbdevice_fs.h>
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
	UMockdevIoctlClient *client; /* who made it, not referenced */
	UMockdevIoctlData *urb, *buffer;
	size_t taken; /* bytes of it, on the way to the device */
	bool is_done;
};

/* More than any device here has. */
#define INTERFACES_MAX 8

/* One device on the bus. Requests are handled by a thread of umockdev's, nothing else touches them or the device while
 * it is plugged in. */
struct socket {
	struct device *device;
	unsigned number; /* of the device on the bus, and of its port */
	char node[32], path[64];
	GQueue requests;                             /* in order */
	UMockdevIoctlClient *owners[INTERFACES_MAX]; /* who has claimed them; NULL = nobody */
	UMockdevIoctlBase *handler;
	struct rig *rig;
};

struct rig {
	UMockdevTestbed *testbed;
	GMainLoop *loop;
	struct device *device;
	struct socket socket, second, twin_socket;
	bool plugs_in_again, is_refused;
	char *twin_serial;
	int tool_status;
};

static struct usbdevfs_urb *urb_of(const struct request *request)
{
	return (struct usbdevfs_urb *)(void *)request->urb->data;
}

static void finish(struct request *request, int status, size_t size)
{
	urb_of(request)->status = status;
	urb_of(request)->actual_length = (int)size;
	request->is_done = true;
}

static void free_request(struct request *request)
{
	g_object_unref(request->urb);
	g_clear_object(&request->buffer);
	g_free(request);
}

/* The data follow the setup packet in the buffer. */
static void do_control(struct device *device, struct request *request)
{
	uint8_t *setup = request->buffer->data;
	int size = device->ops->control(device, setup, setup + 8, (size_t)urb_of(request)->buffer_length - 8);
	finish(request, size < 0 ? size : 0, size < 0 ? 0 : (size_t)size);
}

static void do_in(struct device *device, struct request *request)
{
	const struct usbdevfs_urb *urb = urb_of(request);
	int size = device->ops->send(device, urb->endpoint, request->buffer->data, (size_t)urb->buffer_length);
	if (size >= 0)
		finish(request, 0, (size_t)size);
	else if (size != DEVICE_NOT_NOW)
		finish(request, size == -ENODEV ? -ESHUTDOWN : size, 0);
}

static void do_out(struct device *device, struct request *request)
{
	const struct usbdevfs_urb *urb = urb_of(request);
	size_t all = (size_t)urb->buffer_length;
	bool ends = all % device->packet != 0 || all == 0 || urb->flags & USBDEVFS_URB_ZERO_PACKET;
	const uint8_t *bytes = request->buffer ? request->buffer->data : NULL;
	int size = 0;

	while (size >= 0 && !request->is_done) {
		size = device->ops->take(device, urb->endpoint, bytes + request->taken, all - request->taken, ends);
		if (size > 0)
			request->taken += (size_t)size;
		if (size >= 0 && request->taken == all)
			finish(request, 0, all);
	}
	if (size < 0 && size != DEVICE_NOT_NOW)
		finish(request, size == -ENODEV ? -ESHUTDOWN : size, request->taken);
}

static void do_request(struct device *device, struct request *request)
{
	if (urb_of(request)->type == USBDEVFS_URB_TYPE_CONTROL)
		do_control(device, request);
	else if (urb_of(request)->endpoint & 0x80)
		do_in(device, request);
	else
		do_out(device, request);
}

/* Does what can be done; on each endpoint in order, whatever comes meanwhile. */
static void advance(struct socket *socket)
{
	bool waits[256] = {false};

	for (GList *one = socket->requests.head; one; one = one->next) {
		struct request *request = one->data;
		bool *endpoint_waits = &waits[urb_of(request)->endpoint];
		if (!request->is_done && !*endpoint_waits)
			do_request(socket->device, request);
		*endpoint_waits |= !request->is_done;
	}
}

static int submit(struct socket *socket, UMockdevIoctlClient *client, UMockdevIoctlData *argument)
{
	struct request *request = g_new0(struct request, 1);
	request->client = client;
	request->urb = umockdev_ioctl_data_resolve(argument, 0, sizeof(struct usbdevfs_urb), NULL);
	if (urb_of(request)->buffer_length > 0)
		request->buffer =
		        umockdev_ioctl_data_resolve(request->urb, G_STRUCT_OFFSET(struct usbdevfs_urb, buffer),
		                                    (gsize)urb_of(request)->buffer_length, NULL);
	g_queue_push_tail(&socket->requests, request);
	return 0;
}

static int discard(struct socket *socket, UMockdevIoctlData *argument)
{
	gulong address = *(gulong *)(void *)argument->data;

	for (GList *one = socket->requests.head; one; one = one->next) {
		struct request *request = one->data;
		if (request->urb->client_addr != address || request->is_done)
			continue;
		finish(request, -ENOENT, request->taken);
		return 0;
	}
	return EINVAL;
}

static int reap(struct socket *socket, UMockdevIoctlClient *client, UMockdevIoctlData *argument)
{
	advance(socket);
	for (GList *one = socket->requests.head; one; one = one->next) {
		struct request *request = one->data;
		if (request->client != client || !request->is_done)
			continue;
		UMockdevIoctlData *address = umockdev_ioctl_data_resolve(argument, 0, sizeof(void *), NULL);
		umockdev_ioctl_data_set_ptr(address, 0, request->urb);
		g_object_unref(address);
		g_queue_delete_link(&socket->requests, one);
		free_request(request);
		return 0;
	}
	return socket->device->is_gone ? ENODEV : EAGAIN;
}

static int tell_capabilities(UMockdevIoctlData *argument)
{
	UMockdevIoctlData *data = umockdev_ioctl_data_resolve(argument, 0, sizeof(guint32), NULL);
	*(guint32 *)(void *)data->data = USBDEVFS_CAP_ZERO_PACKET | USBDEVFS_CAP_BULK_CONTINUATION |
	                                 USBDEVFS_CAP_NO_PACKET_SIZE_LIM | USBDEVFS_CAP_REAP_AFTER_DISCONNECT;
	g_object_unref(data);
	return 0;
}

static int clear_halt(struct socket *socket, UMockdevIoctlData *argument)
{
	UMockdevIoctlData *data = umockdev_ioctl_data_resolve(argument, 0, sizeof(guint32), NULL);
	bool is_cleared = socket->device->ops->clear_halt(socket->device, (uint8_t)data->data[0]);
	g_object_unref(data);
	return is_cleared ? 0 : EPIPE;
}

/* An interface is of one client at a time, that which opened the device and claimed it. */
static int own(struct socket *socket, UMockdevIoctlClient *client, UMockdevIoctlData *argument, bool is_claimed)
{
	UMockdevIoctlData *data = umockdev_ioctl_data_resolve(argument, 0, sizeof(guint32), NULL);
	guint32 number;

	memcpy(&number, data->data, sizeof number);
	g_object_unref(data);
	if (number >= INTERFACES_MAX)
		return ENOENT;
	if (socket->owners[number] && socket->owners[number] != client)
		return is_claimed ? EBUSY : EINVAL;
	socket->owners[number] = is_claimed ? client : NULL;
	return 0;
}

/* What usbfs answers: 0 or an errno. */
static int serve(struct socket *socket, UMockdevIoctlClient *client)
{
	gulong request = umockdev_ioctl_client_get_request(client);
	UMockdevIoctlData *argument = umockdev_ioctl_client_get_arg(client);

	/* Also of a device that is gone the requests can be taken back. */
	if (request == USBDEVFS_REAPURB || request == USBDEVFS_REAPURBNDELAY)
		return reap(socket, client, argument);
	if (socket->device->is_gone)
		return ENODEV;
	switch (request) {
	case USBDEVFS_GET_CAPABILITIES:
		return tell_capabilities(argument);
	case USBDEVFS_GETDRIVER:
		return ENODATA;
	case USBDEVFS_CLAIMINTERFACE:
		return own(socket, client, argument, true);
	case USBDEVFS_RELEASEINTERFACE:
		return own(socket, client, argument, false);
	case USBDEVFS_SETINTERFACE:
	case USBDEVFS_SETCONFIGURATION:
		return 0;
	case USBDEVFS_CLEAR_HALT:
		return clear_halt(socket, argument);
	case USBDEVFS_SUBMITURB:
		return submit(socket, client, argument);
	case USBDEVFS_DISCARDURB:
		return discard(socket, argument);
	default:
		return ENOTTY;
	}
}

static gboolean plug_in(gpointer data);
static gboolean unplug(gpointer data);

static gboolean handle_ioctl(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, gpointer data)
{
	struct socket *socket = data;
	bool was_gone = socket->device->is_gone;

	(void)handler;
	int failure = serve(socket, client);
	if (!was_gone && socket->device->is_gone)
		g_idle_add(unplug, socket);
	umockdev_ioctl_client_complete(client, failure ? -1 : 0, failure);
	return TRUE;
}

/* Closing a device ends what its owner had asked of it, and his owning. */
static void forget_client(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, gpointer data)
{
	struct socket *socket = data;

	(void)handler;
	for (unsigned i = 0; i < INTERFACES_MAX; i++)
		if (socket->owners[i] == client)
			socket->owners[i] = NULL;
	for (GList *one = socket->requests.head, *next; one; one = next) {
		struct request *request = one->data;
		next = one->next;
		if (request->client != client)
			continue;
		g_queue_delete_link(&socket->requests, one);
		free_request(request);
	}
}

/* The device's folder and that of the interface which has a name, as the kernel would show them. */
static GString *describe(const struct socket *socket)
{
	const struct device *device = socket->device;
	GString *text = g_string_new(NULL);
	g_string_append_printf(text,
	                       "P: %s\nN: bus/usb/001/%03u\nE: DEVTYPE=usb_device\nE: DEVNAME=%s\nE: SUBSYSTEM=usb\n"
	                       "E: BUSNUM=001\nE: DEVNUM=%03u\nA: busnum=1\\n\nA: devnum=%u\\n\nA: speed=%u\\n\n"
	                       "A: bConfigurationValue=1\\n\nA: idVendor=%04x\\n\nA: idProduct=%04x\\n\n"
	                       "A: serial=%s\\n\nA: product=%s\\n\nA: bNumConfigurations=1\\n\n"
	                       "H: descriptors=",
	                       socket->path, socket->number, socket->node, socket->number, socket->number,
	                       device->packet > 64 ? 480 : 12, device->vendor, device->product, device->serial,
	                       device->product_name);
	for (size_t i = 0; i < device->descriptors_size; i++)
		g_string_append_printf(text, "%02X", device->descriptors[i]);
	g_string_append_printf(text,
	                       "\n\nP: %s/1-%u:1.%u\nE: DEVTYPE=usb_interface\nE: SUBSYSTEM=usb\n"
	                       "A: interface=%s\\n\n",
	                       socket->path, socket->number, device->interface, device->interface_name);
	return text;
}

static void fail(const char *what, const GError *error)
{
	fprintf(stderr, "umockdev: %s: %s\n", what, error->message);
	exit(125);
}

static void attach(struct rig *rig, struct device *device, unsigned number, struct socket *socket)
{
	GError *error = NULL;

	*socket = (struct socket){.device = device, .number = number, .rig = rig};
	snprintf(socket->node, sizeof socket->node, "/dev/bus/usb/001/%03u", number);
	snprintf(socket->path, sizeof socket->path, "/devices/rig/usb1/1-%u", number);
	GString *text = describe(socket);
	if (!umockdev_testbed_add_from_string(rig->testbed, text->str, &error))
		fail("cannot describe the device", error);
	g_string_free(text, TRUE);
	socket->handler = umockdev_ioctl_base_new();
	g_signal_connect(socket->handler, "handle-ioctl", G_CALLBACK(handle_ioctl), socket);
	g_signal_connect(socket->handler, "client-vanished", G_CALLBACK(forget_client), socket);
	if (!umockdev_testbed_attach_ioctl(rig->testbed, socket->node, socket->handler, &error))
		fail("cannot attach the device", error);
}

/* Who unplugs it gets to see that it is gone; then it may come back, as another device. */
static gboolean unplug(gpointer data)
{
	struct socket *socket = data;
	char *path = g_strconcat("/sys", socket->path, NULL);

	umockdev_testbed_remove_device(socket->rig->testbed, path);
	g_free(path);
	if (socket->rig->plugs_in_again)
		g_timeout_add(300, plug_in, socket->rig);
	return G_SOURCE_REMOVE;
}

static gboolean plug_in(gpointer data)
{
	struct rig *rig = data;

	rig->device->ops->plug_in(rig->device);
	attach(rig, rig->device, 9, &rig->second);
	return G_SOURCE_REMOVE;
}

/* The owner of a file may open it whatever its mode says only by a capability. */
static void refuse(const struct rig *rig)
{
	char *root = umockdev_testbed_get_root_dir(rig->testbed);
	char *node = g_strconcat(root, rig->socket.node, NULL);

	chmod(node, 0);
	prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0);
	g_free(node);
	g_free(root);
}

static void note_end(GPid tool, gint status, gpointer data)
{
	struct rig *rig = data;

	(void)tool;
	rig->tool_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	g_main_loop_quit(rig->loop);
}

/* Takes this program's own options: the index of the first word that is none. */
static int take_own_options(struct rig *rig, int argc, char **argv)
{
	int i = 1;

	for (; i < argc; i++) {
		if (strcmp(argv[i], "--plug-in-again") == 0)
			rig->plugs_in_again = true;
		else if (strcmp(argv[i], "--no-permission") == 0)
			rig->is_refused = true;
		else if (strcmp(argv[i], "--twin") == 0 && i + 1 < argc)
			rig->twin_serial = argv[++i];
		else
			break;
	}
	return i;
}

/* Runs the tool with umockdev's library in front of the C library's. */
static void start_tool(struct rig *rig, char **words)
{
	pid_t tool = fork();
	if (tool == 0) {
		setenv("LD_PRELOAD", "libumockdev-preload.so.0", 1);
		execvp(words[0], words);
		_exit(127);
	}
	g_child_watch_add(tool, note_end, rig);
}

int main(int argc, char **argv)
{
	static struct rig rig;

	int own = take_own_options(&rig, argc, argv) - 1;
	int count = 0;
	rig.device = device_open(argc - own, argv + own, &count);
	if (rig.device == NULL || argc - own - count < 1) {
		fprintf(stderr, "usage: umockdev %s TOOL [ARGUMENT]...\n", device_usage);
		return 125;
	}
	rig.testbed = umockdev_testbed_new();
	rig.loop = g_main_loop_new(NULL, FALSE);
	attach(&rig, rig.device, 2, &rig.socket);
	if (rig.twin_serial != NULL)
		attach(&rig, device_open_twin(rig.device, rig.twin_serial), 3, &rig.twin_socket);
	if (rig.is_refused)
		refuse(&rig);
	start_tool(&rig, argv + own + count);
	g_main_loop_run(rig.loop);
	rig.device->ops->stop(rig.device);
	g_object_unref(rig.testbed);
	return rig.tool_status;
}
