/* SPDX-License-Identifier: MIT */
/*
 * A device whose other side is a program: a board with a console (CDC-ACM, interfaces 0 and 1) and the bulk endpoints
 * of bareprof (vendor's class, interface 2), all of which lead to the program's standard input and output. Chapters:
 * USB 2.0; CDC: USB Class Definitions for Communications Devices 1.2; PSTN: its subclass for modems 1.2.
 */
#include "device.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#define BOARD_VENDOR  0xcafe
#define BOARD_PRODUCT 0x4010

/* Bytes of a packet at full speed (USB 2.0, 5.8.3). */
#define BOARD_PACKET 64

/* Faults come by themselves: each so many-th transfer of bytes that could be made; 0 = never. */
struct faults {
	unsigned stall_in, stall_out; /* the endpoint is halted; on the way out after half the bytes */
	unsigned empty_in;            /* the board sends an empty packet */
	unsigned longest_in;          /* bytes; transfers to the host end there. 0 = they end where bytes do */
	uint64_t unplug_after;        /* bytes to the host; 0 = stays */
	bool stays_halted;            /* a halt cannot be cleared */
	bool refuses_clearing;        /* and the request to do so fails */
	bool sends_no_empty;          /* behind a full packet: a transfer that has room for more goes on */
	bool gathers;                 /* packets from the host reach the program when a short one ends them */
};

/* Its input is the socket to the program; without one nothing is taken or sent. */
struct board {
	struct device device;
	struct faults faults;
	pid_t program_id; /* of its group of processes, too */
	bool in_halted, out_halted;
	unsigned in_count, out_count; /* transfers of bytes */
	uint64_t sent;                /* bytes to the host */
	uint8_t gathered[8192];
	size_t gathered_size;
};

static struct board *board_of(struct device *device)
{
	return (struct board *)device;
}

enum { CONSOLE_NOTICES = 0x81, CONSOLE_OUT = 0x02, CONSOLE_IN = 0x82, LINK_OUT = 0x03, LINK_IN = 0x83 };

enum { STRING_LANGUAGES, STRING_MAKER, STRING_PRODUCT, STRING_SERIAL, STRING_CONSOLE, STRING_LINK };

#define WORD(value)               ((value)&0xFF), ((value) >> 8)
#define BULK_ENDPOINT(address)    7, 5, (address), 2, WORD(BOARD_PACKET), 0 /* 9.6.6 */
#define DEVICE_SIZE               18
#define CONFIGURATION_SIZE        (9 + CONSOLE_SIZE + 9 + 7 + 7)
#define CONSOLE_SIZE              (8 + 9 + 5 + 5 + 4 + 5 + 7 + 9 + 7 + 7)
#define ABSTRACT_CONTROL_COMMANDS 2 /* line coding and the control lines, PSTN 5.3.2 */

static const uint8_t descriptors[] = {
        /* Device, 9.6.1; its class says that interfaces are grouped. */
        DEVICE_SIZE, 1, WORD(0x200), 0xef, 2, 1, 64, WORD(BOARD_VENDOR), WORD(BOARD_PRODUCT), WORD(0x100), STRING_MAKER,
        STRING_PRODUCT, STRING_SERIAL, 1,
        /* Configuration, 9.6.3: three interfaces, powered by the bus with 100 mA. */
        9, 2, WORD(CONFIGURATION_SIZE), 3, 1, 0, 0x80, 50,
        /* The group of the console's two. */
        8, 11, 0, 2, 2, 2, 0, STRING_CONSOLE,
        /* Its control: 9.6.5; header, call management, abstract control, union: CDC 5.2.3, PSTN 5.3. */
        9, 4, 0, 0, 1, 2, 2, 0, STRING_CONSOLE, /**/
        5, 0x24, 0, WORD(0x120),                /**/
        5, 0x24, 1, 0, 1,                       /**/
        4, 0x24, 2, ABSTRACT_CONTROL_COMMANDS,  /**/
        5, 0x24, 6, 0, 1,                       /**/
        7, 5, CONSOLE_NOTICES, 3, WORD(16), 16, /**/
        /* Its data. */
        9, 4, 1, 0, 2, 10, 0, 0, 0, BULK_ENDPOINT(CONSOLE_OUT), BULK_ENDPOINT(CONSOLE_IN),
        /* The link. */
        9, 4, 2, 0, 2, 0xff, 0, 0, STRING_LINK, BULK_ENDPOINT(LINK_OUT), BULK_ENDPOINT(LINK_IN)};

_Static_assert(sizeof descriptors == DEVICE_SIZE + CONFIGURATION_SIZE, "the configuration's length is wrong");

enum {
	OPTION_STALL_IN,
	OPTION_STALL_OUT,
	OPTION_EMPTY_IN,
	OPTION_LONGEST_IN,
	OPTION_UNPLUG,
	OPTION_STAYS_HALTED,
	OPTION_REFUSES_CLEARING,
	OPTION_SENDS_NO_EMPTY,
	OPTION_GATHERS,
	OPTION_SERIAL,
	OPTION_NAME
};

static const struct option long_options[] = {
        {"stall-in", required_argument, NULL, OPTION_STALL_IN},
        {"stall-out", required_argument, NULL, OPTION_STALL_OUT},
        {"empty-in", required_argument, NULL, OPTION_EMPTY_IN},
        {"longest-in", required_argument, NULL, OPTION_LONGEST_IN},
        {"unplug-after", required_argument, NULL, OPTION_UNPLUG},
        {"stays-halted", no_argument, NULL, OPTION_STAYS_HALTED},
        {"refuses-clearing", no_argument, NULL, OPTION_REFUSES_CLEARING},
        {"sends-no-empty", no_argument, NULL, OPTION_SENDS_NO_EMPTY},
        {"gathers", no_argument, NULL, OPTION_GATHERS},
        {"serial", required_argument, NULL, OPTION_SERIAL},
        {"name", required_argument, NULL, OPTION_NAME},
        {NULL, 0, NULL, 0},
};

static bool take_option(struct board *board, int option)
{
	unsigned number = optarg != NULL ? (unsigned)strtoul(optarg, NULL, 0) : 0;

	switch (option) {
	case OPTION_STALL_IN:
		board->faults.stall_in = number;
		return true;
	case OPTION_STALL_OUT:
		board->faults.stall_out = number;
		return true;
	case OPTION_EMPTY_IN:
		board->faults.empty_in = number;
		return true;
	case OPTION_LONGEST_IN:
		board->faults.longest_in = number;
		return true;
	case OPTION_UNPLUG:
		board->faults.unplug_after = number;
		return true;
	case OPTION_STAYS_HALTED:
		board->faults.stays_halted = true;
		return true;
	case OPTION_REFUSES_CLEARING:
		board->faults.refuses_clearing = true;
		return true;
	case OPTION_SENDS_NO_EMPTY:
		board->faults.sends_no_empty = true;
		return true;
	case OPTION_GATHERS:
		board->faults.gathers = true;
		return true;
	case OPTION_SERIAL:
		board->device.serial = optarg;
		return true;
	case OPTION_NAME:
		board->device.interface_name = optarg;
		return true;
	default:
		return false;
	}
}

static bool start_program(struct board *board, const char *command)
{
	int ends[2];

	signal(SIGPIPE, SIG_IGN);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return false;
	board->program_id = fork();
	if (board->program_id == 0) {
		setpgid(0, 0);
		signal(SIGPIPE, SIG_DFL);
		dup2(ends[1], STDIN_FILENO);
		dup2(ends[1], STDOUT_FILENO);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	board->device.input = ends[0];
	return board->program_id > 0 && (setpgid(board->program_id, 0) == 0 || errno == EACCES);
}

/* Hangs up on the program, as a terminal would. */
static void stop(struct device *device)
{
	kill(-board_of(device)->program_id, SIGHUP);
}

static void plug_in(struct device *device)
{
	struct board *board = board_of(device);

	board->faults.unplug_after = 0;
	board->in_halted = board->out_halted = device->is_gone = false;
	board->gathered_size = 0;
}

/* 9.6.7: UTF-16. */
static int describe_string(const char *text, uint8_t *data, size_t capacity)
{
	size_t size = 2 + 2 * strlen(text);

	if (size > capacity)
		return -EPIPE;
	data[0] = (uint8_t)size;
	data[1] = 3;
	for (size_t i = 2; i < size; i += 2) {
		data[i] = (uint8_t)*text++;
		data[i + 1] = 0;
	}
	return (int)size;
}

static int copy(const uint8_t *bytes, size_t size, uint8_t *data, size_t capacity)
{
	if (size > capacity)
		return -EPIPE;
	memcpy(data, bytes, size);
	return (int)size;
}

static int describe(const struct device *device, uint8_t type, uint8_t index, uint8_t *data, size_t capacity)
{
	static const uint8_t languages[] = {4, 3, WORD(0x409)};
	const char *const strings[] = {NULL,           "Example", device->product_name,
	                               device->serial, "Console", device->interface_name};

	if (type == 1)
		return copy(descriptors, DEVICE_SIZE, data, capacity);
	if (type == 2)
		return copy(descriptors + DEVICE_SIZE, CONFIGURATION_SIZE, data, capacity);
	if (type == 3 && index == STRING_LANGUAGES)
		return copy(languages, sizeof languages, data, capacity);
	if (type == 3 && index < sizeof strings / sizeof strings[0])
		return describe_string(strings[index], data, capacity);
	return -EPIPE;
}

static bool clear_halt(struct device *device, uint8_t endpoint);

static int control(struct device *device, const uint8_t setup[8], uint8_t *data, size_t capacity)
{
	/* 115200 baud, one stop bit, no parity, 8 bits: PSTN 6.3.11. */
	static const uint8_t line_coding[7] = {0x00, 0xc2, 0x01, 0x00, 0, 0, 8};
	size_t length = (size_t)(setup[6] | setup[7] << 8);
	uint8_t answer[256];
	int size;

	switch (setup[0] << 8 | setup[1]) {
	case 0x8006: /* GET_DESCRIPTOR, 9.4.3 */
		size = describe(device, setup[3], setup[2], answer, sizeof answer);
		break;
	case 0x8000: /* GET_STATUS, 9.4.5 */
		size = copy((const uint8_t[]){0, 0}, 2, answer, sizeof answer);
		break;
	case 0xA121: /* GET_LINE_CODING */
		size = copy(line_coding, sizeof line_coding, answer, sizeof answer);
		break;
	case 0x0201: /* CLEAR_FEATURE of an endpoint, 9.4.1 */
		return clear_halt(device, setup[4]) ? 0 : -EPIPE;
	case 0x0009: /* SET_CONFIGURATION */
	case 0x010B: /* SET_INTERFACE */
	case 0x2120: /* SET_LINE_CODING */
	case 0x2122: /* SET_CONTROL_LINE_STATE */
	case 0x2123: /* SEND_BREAK */
		return 0;
	default:
		return -EPIPE;
	}
	if (size < 0)
		return size;
	/* The host may ask for less than there is (9.3.5). */
	length = length < capacity ? length : capacity;
	length = length < (size_t)size ? length : (size_t)size;
	memcpy(data, answer, length);
	return (int)length;
}

static bool is_due(unsigned count, unsigned each)
{
	return each != 0 && count % each == 0;
}

static int send_bytes(struct device *device, uint8_t endpoint, uint8_t *bytes, size_t capacity)
{
	struct board *board = board_of(device);
	const struct faults *faults = &board->faults;

	if (endpoint == CONSOLE_NOTICES)
		return DEVICE_NOT_NOW;
	if (device->is_gone)
		return -ENODEV;
	if (board->in_halted)
		return -EPIPE;
	if (faults->longest_in != 0 && capacity > faults->longest_in)
		capacity = faults->longest_in;
	/* Looked at before anything is taken off: what meets a fault stays to be sent. */
	ssize_t size = device->input < 0 ? 0 : recv(device->input, bytes, capacity, MSG_PEEK);
	if (size <= 0 || (faults->sends_no_empty && (size_t)size < capacity && size % BOARD_PACKET == 0))
		return DEVICE_NOT_NOW;
	board->in_count++;
	board->in_halted = is_due(board->in_count, faults->stall_in);
	if (board->in_halted)
		return -EPIPE;
	if (is_due(board->in_count, faults->empty_in))
		return 0;
	size = recv(device->input, bytes, (size_t)size, 0);
	board->sent += (uint64_t)size;
	device->is_gone = faults->unplug_after != 0 && board->sent >= faults->unplug_after;
	return (int)size;
}

/* All that was gathered goes at once or not yet: it is far less than a socket holds. */
static int gather(struct board *board, const uint8_t *bytes, size_t size, bool ends)
{
	if (size > sizeof board->gathered - board->gathered_size)
		return -EPIPE;
	memcpy(board->gathered + board->gathered_size, bytes, size);
	board->gathered_size += size;
	if (ends) {
		if (send(board->device.input, board->gathered, board->gathered_size, 0) < 0)
			return -EPIPE;
		board->gathered_size = 0;
	}
	return (int)size;
}

static int take_bytes(struct device *device, uint8_t endpoint, const uint8_t *bytes, size_t size, bool ends)
{
	struct board *board = board_of(device);

	(void)endpoint;
	if (device->is_gone)
		return -ENODEV;
	if (board->out_halted)
		return -EPIPE;
	if (device->input < 0)
		return DEVICE_NOT_NOW;
	board->out_count++;
	board->out_halted = is_due(board->out_count, board->faults.stall_out);
	if (board->out_halted)
		size /= 2;
	if (board->faults.gathers)
		return gather(board, bytes, size, ends);
	ssize_t taken = size > 0 ? send(device->input, bytes, size, 0) : 0;
	if (taken < 0)
		return errno == EAGAIN ? DEVICE_NOT_NOW : -EPIPE;
	return (int)taken;
}

static bool clear_halt(struct device *device, uint8_t endpoint)
{
	struct board *board = board_of(device);

	if (board->faults.refuses_clearing)
		return false;
	if (board->faults.stays_halted)
		return true;
	if (endpoint == LINK_IN)
		board->in_halted = false;
	if (endpoint == LINK_OUT)
		board->out_halted = false;
	return true;
}

static const struct device_ops board_ops = {
        .control = control,
        .send = send_bytes,
        .take = take_bytes,
        .clear_halt = clear_halt,
        .plug_in = plug_in,
        .stop = stop,
};

static struct board *create(const char *serial, const char *interface_name)
{
	struct board *board = calloc(1, sizeof *board);

	if (board == NULL)
		abort();
	board->device = (struct device){.ops = &board_ops,
	                                .vendor = BOARD_VENDOR,
	                                .product = BOARD_PRODUCT,
	                                .product_name = "Example board",
	                                .serial = serial,
	                                .interface_name = interface_name,
	                                .interface = 2,
	                                .packet = BOARD_PACKET,
	                                .descriptors = descriptors,
	                                .descriptors_size = sizeof descriptors,
	                                .input = -1};
	return board;
}

const char device_usage[] = "[OPTION]... PROGRAM";

struct device *device_open(int argc, char **argv, int *count)
{
	struct board *board = create("77", "bareprof");
	int option;

	while ((option = getopt_long(argc, argv, "+", long_options, NULL)) != -1)
		if (!take_option(board, option))
			return NULL;
	if (optind >= argc || !start_program(board, argv[optind]))
		return NULL;
	*count = optind + 1;
	return &board->device;
}

struct device *device_open_twin(const struct device *device, const char *serial)
{
	return &create(serial, device->interface_name)->device;
}
