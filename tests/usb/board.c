/* SPDX-License-Identifier: MIT */
/*
 * Model of a USB board: a console (CDC-ACM, interfaces 0 and 1) and the bulk endpoints of bareprof (vendor class,
 * interface 2). All of them lead to the standard input and output of a program.
 *
 *	[OPTION]... PROGRAM
 *
 * PROGRAM is a line for the shell. Options:
 *
 *	--serial NUMBER     the serial number; 77 by default
 *	--name NAME         the name of interface 2; bareprof by default
 *	--stall-in N        halts the endpoint at every Nth transfer to the host
 *	--stall-out N       halts the endpoint at every Nth transfer from the host, after half its bytes
 *	--empty-in N        sends an empty packet as every Nth transfer to the host
 *	--longest-in BYTES  ends transfers to the host after this many bytes
 *	--unplug-after BYTES  is unplugged after this many bytes to the host
 *	--stays-halted      ignores the request to clear a halt
 *	--refuses-clearing  refuses the request to clear a halt
 *	--sends-no-empty    sends no empty packet after a full one: a transfer with room for more goes on
 *	--gathers           keeps packets from the host until a short packet ends them
 *
 * Sections are those of USB 2.0; CDC: USB Class Definitions for Communications Devices 1.2; PSTN: its subclass for
 * modems 1.2.
 */
#include "../options/options.h"
#include "device.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#define BOARD_VENDOR  0xcafe
#define BOARD_PRODUCT 0x4010

/* Bytes of a packet at full speed (5.8.3). */
#define BOARD_PACKET 64

/* See the options above; 0: never. */
struct faults {
	uint64_t stall_in, stall_out, empty_in, longest_in, unplug_after;
	bool stays_halted, refuses_clearing, sends_no_empty, gathers;
};

/* device.input is the socket to the program; a board without a program neither sends nor receives. */
struct board {
	struct device device;
	struct faults faults;
	pid_t program_id; /* also the id of its process group */
	bool in_halted, out_halted;
	uint64_t in_count, out_count; /* transfers with bytes */
	uint64_t sent;                /* bytes to the host */
	uint8_t gathered[8192];
	size_t gathered_size;
};

static struct board *board_of(struct device *device)
{
	return (struct board *)device;
}

enum { CONSOLE_NOTICES = 0x81, CONSOLE_OUT = 0x02, CONSOLE_IN = 0x82, LINK_OUT = 0x03, LINK_IN = 0x83 };

#define WORD(value)               DEVICE_WORD(value)
#define BULK_ENDPOINT(address)    7, 5, (address), 2, WORD(BOARD_PACKET), 0 /* 9.6.6 */
#define CONFIGURATION_SIZE        (9 + CONSOLE_SIZE + 9 + 7 + 7)
#define CONSOLE_SIZE              (8 + 9 + 5 + 5 + 4 + 5 + 7 + 9 + 7 + 7)
#define ABSTRACT_CONTROL_COMMANDS 2 /* line coding and the control lines, PSTN 5.3.2 */

static const uint8_t descriptors[] = {
        /* Device, 9.6.1. Its class says that interfaces are grouped. */
        DEVICE_DESCRIPTOR_SIZE, 1, WORD(0x200), 0xef, 2, 1, 64, WORD(BOARD_VENDOR), WORD(BOARD_PRODUCT), WORD(0x100),
        STRING_MAKER, STRING_PRODUCT, STRING_SERIAL, 1,
        /* Configuration, 9.6.3: three interfaces, powered by the bus with 100 mA. */
        9, 2, WORD(CONFIGURATION_SIZE), 3, 1, 0, 0x80, 50,
        /* Group of the console's two interfaces. */
        8, 11, 0, 2, 2, 2, 0, STRING_CONSOLE,
        /* Control interface, 9.6.5; header, call management, abstract control, union: CDC 5.2.3, PSTN 5.3. */
        9, 4, 0, 0, 1, 2, 2, 0, STRING_CONSOLE, /**/
        5, 0x24, 0, WORD(0x120),                /**/
        5, 0x24, 1, 0, 1,                       /**/
        4, 0x24, 2, ABSTRACT_CONTROL_COMMANDS,  /**/
        5, 0x24, 6, 0, 1,                       /**/
        7, 5, CONSOLE_NOTICES, 3, WORD(16), 16, /**/
        /* Data interface. */
        9, 4, 1, 0, 2, 10, 0, 0, 0, BULK_ENDPOINT(CONSOLE_OUT), BULK_ENDPOINT(CONSOLE_IN),
        /* The link. */
        9, 4, 2, 0, 2, 0xff, 0, 0, STRING_INTERFACE, BULK_ENDPOINT(LINK_OUT), BULK_ENDPOINT(LINK_IN)};

_Static_assert(sizeof descriptors == DEVICE_DESCRIPTOR_SIZE + CONFIGURATION_SIZE,
               "the configuration's length is wrong");

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

/* Hangs up on the program, as a terminal does. */
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

static int control(struct device *device, const uint8_t setup[8], uint8_t *data, size_t capacity)
{
	/* 115200 baud, one stop bit, no parity, 8 bits: PSTN 6.3.11. */
	static const uint8_t line_coding[7] = {0x00, 0xc2, 0x01, 0x00, 0, 0, 8};

	(void)device;
	switch (setup[0] << 8 | setup[1]) {
	case 0xA121: /* GET_LINE_CODING */
		return device_copy(line_coding, sizeof line_coding, data, capacity);
	case 0x2120: /* SET_LINE_CODING */
	case 0x2122: /* SET_CONTROL_LINE_STATE */
	case 0x2123: /* SEND_BREAK */
		return 0;
	default:
		return -EPIPE;
	}
}

static bool is_due(uint64_t count, uint64_t each)
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
	/* Peek first: bytes that meet a fault are sent later. */
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

/* Keeps bytes until their end, then passes them on at once: they are far fewer than a socket holds. */
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

static int receive_bytes(struct device *device, uint8_t endpoint, const uint8_t *bytes, size_t size, bool ends)
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
	ssize_t sent = size > 0 ? send(device->input, bytes, size, 0) : 0;
	if (sent < 0)
		return errno == EAGAIN ? DEVICE_NOT_NOW : -EPIPE;
	return (int)sent;
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
        .receive = receive_bytes,
        .clear_halt = clear_halt,
        .plug_in = plug_in,
        .stop = stop,
};

static struct board *create(const char *serial, const char *interface_name)
{
	struct board *board = calloc(1, sizeof *board);

	if (board == NULL)
		abort();
	board->device =
	        (struct device){.ops = &board_ops,
	                        .vendor = BOARD_VENDOR,
	                        .product = BOARD_PRODUCT,
	                        .strings = {NULL, "Example", "Example board", serial, interface_name, "Console"},
	                        .interface = 2,
	                        .packet = BOARD_PACKET,
	                        .descriptors = descriptors,
	                        .descriptors_size = sizeof descriptors,
	                        .input = -1};
	return board;
}

const char device_usage[] = "[OPTION]... PROGRAM";

struct device *device_open(int argc, char **argv, int *end)
{
	struct board *board = create("77", "bareprof");
	struct faults *faults = &board->faults;
	const struct option_row rows[] = {
	        {"serial", OPTION_TEXT, &board->device.strings[STRING_SERIAL]},
	        {"name", OPTION_TEXT, &board->device.strings[STRING_INTERFACE]},
	        {"stall-in", OPTION_NUMBER, &faults->stall_in},
	        {"stall-out", OPTION_NUMBER, &faults->stall_out},
	        {"empty-in", OPTION_NUMBER, &faults->empty_in},
	        {"longest-in", OPTION_NUMBER, &faults->longest_in},
	        {"unplug-after", OPTION_NUMBER, &faults->unplug_after},
	        {"stays-halted", OPTION_FLAG, &faults->stays_halted},
	        {"refuses-clearing", OPTION_FLAG, &faults->refuses_clearing},
	        {"sends-no-empty", OPTION_FLAG, &faults->sends_no_empty},
	        {"gathers", OPTION_FLAG, &faults->gathers},
	};
	int program = options_read(rows, sizeof rows / sizeof rows[0], argc, argv);

	if (program >= argc || strncmp(argv[program], "--", 2) == 0 || !start_program(board, argv[program]))
		return NULL;
	*end = program + 1;
	return &board->device;
}

struct device *device_open_twin(const struct device *device, const char *serial)
{
	return &create(serial, device->strings[STRING_INTERFACE])->device;
}
