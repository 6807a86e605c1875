/* SPDX-License-Identifier: MIT */
/*
 * Target access: the memory of a target, whatever stands in between. One file per way of access, one line each in
 * access.c's table. Knows nothing of blocks and images.
 */
#ifndef TARGET_BACKEND_TARGET_H
#define TARGET_BACKEND_TARGET_H

#include "base/file/inputs.h"
#include "base/status.h"
#include "target/channel/channel.h"
#include "target/channel/client.h"
#include "target/dap/adi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct target;

/* How a target is to be reached, beyond its SOURCE. */
struct target_setup {
	/* As soon as this descriptor can be read from, whatever waits for the source fails, and target_close() alone
	 * still talks to it, for less than two seconds. -1 = nothing cancels. */
	int cancel;
	/* Is told of the target's text, of how far a read is and of more; NULL = nobody is. Must outlive the access, as
	 * what it points to. */
	const struct client_observer *observer;
	/* Where opening fails: what of the target was not left as it was found; empty if nothing. NULL = it is told
	 * behind the reason. */
	struct error *left;
	uint32_t speed;       /* Hz of the clock of a debug port; 0 = the usual */
	int access_port;      /* of a debug port; -1 = the first that leads to the memory of the core */
	int core;             /* -1 = the first */
	bool halt;            /* the core stands still, but while run() is to let it; it is left as it was found */
	bool was_left_halted; /* with halt: by an access before, whose connection was lost; it ran before that */
	bool reset_target;    /* the target is reset first */
	bool keep_awake;      /* its debug part stays on while it sleeps; as it was, after the closing */
};

/* Nothing is done to the target that need not be. */
#define TARGET_SETUP_DEFAULT                                \
	{                                                   \
		.cancel = -1, .access_port = -1, .core = -1 \
	}

/* What of a setup a way of access can do; the rest is a usage error. */
#define TARGET_CAN_SET_SPEED   1u
#define TARGET_CAN_CHOOSE_PORT 2u
#define TARGET_CAN_CHOOSE_CORE 4u
#define TARGET_CAN_HALT        8u
#define TARGET_CAN_RESET       16u
#define TARGET_CAN_KEEP_AWAKE  32u
#define TARGET_CAN_TRACE       64u  /* it tells observer->trace of each transfer, */
#define TARGET_HAS_TEXT        128u /* observer->text of what the target prints */

/* What was moved so far, for the user, as far as it is counted. */
struct target_traffic {
	bool has_frames; /* a link */
	struct client_traffic frames;
	bool has_transfers; /* a debug port */
	struct adi_traffic transfers;
};

struct target_ops {
	/* The word before the colon of a SOURCE: "gdb". NULL = those of all channels, see channel.h. */
	const char *scheme;
	const char *synopsis; /* what follows that, for --help: ":HOST:PORT"; "[" first: it may be left out */
	const char *summary;  /* one line for --help */
	const char *caution;  /* what the way of access may do to the target, for the user; NULL = nothing */

	bool is_cortex_m; /* the core of its targets is one */
	unsigned setups;  /* ACCESS_ bits: what it does beyond reading and writing memory */

	/* Connects to SOURCE. On success *target is the caller's, to be closed. For the rest see target_open();
	 * setup->observer and setup->left are never NULL, what is left is empty. */
	enum status (*open)(const char *source, const struct target_setup *setup, struct target **target,
	                    struct error *error);
	/* Tells of each source of its kind that is attached. NULL = they cannot be listed, or channels do. */
	enum status (*list)(channel_device_found found, void *context, struct error *error);
	/* Reads size bytes at address into buffer, all or nothing. */
	enum status (*read)(struct target *target, uint64_t address, void *buffer, size_t size, struct error *error);
	/* Reads the word at an aligned address count times in a row, as fast as it goes: a register that changes. In
	 * the byte order of this computer. NULL = it cannot. */
	enum status (*read_repeatedly)(struct target *target, uint64_t address, uint32_t *words, size_t count,
	                               struct error *error);
	/* Writes size bytes, in order of rising addresses. NULL = the source cannot be written. */
	enum status (*write)(struct target *target, uint64_t address, const void *bytes, size_t size,
	                     struct error *error);
	/* Lets the target run for so long of the host's time. NULL = the source never runs (a dump). */
	enum status (*run)(struct target *target, unsigned milliseconds, struct error *error);
	/* All memory that the source holds, where it is one stretch of known bounds (a dump, a link). NULL = it is not.
	 */
	void (*extent)(const struct target *target, uint64_t *address, uint64_t *size);
	/* Adds the file that what follows the scheme names. NULL = the source is no file. */
	enum status (*list_inputs)(const char *address, struct file_inputs *inputs, struct error *error);
	/* Adds to *traffic, which is all zero before. NULL = nothing is counted. */
	void (*traffic)(const struct target *target, struct target_traffic *traffic);
	/* Leaves the target running, disconnects and frees. Reports a target that could not be left running. */
	enum status (*close)(struct target *target, struct error *error);
};

/* Every implementation's state begins with this. */
struct target {
	const struct target_ops *ops;
	char source[256]; /* as the user wrote it, for messages */
	bool is_lost; /* something failed because the source is gone or silent: more would fail, too, and as slowly */
};

/* For open(): begins a state with its ops and the SOURCE that led to it. */
void target_init(struct target *target, const struct target_ops *ops, const char *source);
/* For open(): what follows the scheme. */
const char *target_address(const char *source);

extern const struct target_ops backend_cmsis_dap; /* a debug probe that speaks CMSIS-DAP: cmsis_dap.c */
extern const struct target_ops backend_gdb;       /* GDB remote serial protocol: gdb.c */
extern const struct target_ops backend_file;      /* a memory dump made by any tool, a recorded stream: dump.c */
extern const struct target_ops backend_link;      /* frames over any channel: link.c */
extern const struct target_ops backend_openocd;   /* OpenOCD's Tcl server: openocd.c */
extern const struct target_ops backend_qemu;      /* QEMU's QMP: qemu.c */

/* The table of all ways of access, ended by NULL. */
extern const struct target_ops *const backend_table[];
/* Those that this build lacks, because a library was not there, ended by one without scheme. */
extern const struct channel_lacking unavailable_backends[];

/* Adds the file that SOURCE is read from, if it is one: it must not be written over. */
enum status target_list_inputs(const char *source, struct file_inputs *inputs, struct error *error);

/* The way of access that SOURCE names by its scheme, or NULL. */
const struct target_ops *target_find(const char *source);

/* Opens SOURCE (scheme:address); setup = NULL: TARGET_SETUP_DEFAULT. An unknown scheme is a usage error that
 * lists the known ones, as is a setup that it does not have. */
enum status target_open(const char *source, const struct target_setup *setup, struct target **target,
                        struct error *error);

enum status target_read(struct target *target, uint64_t address, void *buffer, size_t size, struct error *error);
enum status target_write(struct target *target, uint64_t address, const void *bytes, size_t size, struct error *error);
enum status target_read_repeatedly(struct target *target, uint64_t address, uint32_t *words, size_t count,
                                   struct error *error);
bool target_can_write(const struct target *target);
/* False if the source may reach memory anywhere. */
bool target_extent(const struct target *target, uint64_t *address, uint64_t *size);
enum status target_run(struct target *target, unsigned milliseconds, struct error *error);
struct target_traffic target_traffic(const struct target *target);
/* Closes; NULL is allowed. *left: what of the target was not left as it was found; empty if nothing. */
enum status target_close(struct target *target, struct error *left);

#endif
