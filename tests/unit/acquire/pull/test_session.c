/* SPDX-License-Identifier: MIT */
/* Pulls from a gdb server that end early, or whose firmware changes: the target keeps running, and only whole captures
 * are left as files. */
#include "firmware.h"
#include "session.h"

#include "../sources.h"
#include "test.h"

#include <bareprof/block.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static pthread_t puller;
static int signal_number;
static char signal_at; /* first letter of the request during which the signal comes */
static struct pull_summary summary;

static enum status pull(struct stub *stub)
{
	return session_pull(stub, (struct pull_options){.force = true}, &summary, &failure);
}

static void send_signal(const struct stub *stub)
{
	if (stub->request[0] == signal_at)
		pthread_kill(puller, signal_number);
}

static int begin(void **state)
{
	puller = pthread_self();
	signal_number = SIGINT;
	signal_at = 'm';
	failure.message[0] = 0;
	return session_begin(state);
}

EACH_TEST(begin, session_end);

TEST(signal_ends_the_session_and_leaves_no_file)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

	for (size_t i = 0; i < 3; i++) {
		struct stub stub = {.fault = STUB_SILENCE, .on_request = send_signal};
		sigset_t held;

		signal_number = signals[i];
		assert_failure(pull(&stub), &failure, "interrupted");
		assert_string_equal(failure.message, "interrupted");
		assert_string_equal(stub.log, "qr?mD");
		assert_int_equal(summary.block_count, 0);
		assert_int_not_equal(access(session.output_path, F_OK), 0);
		sigprocmask(SIG_BLOCK, NULL, &held);
		assert_false(sigismember(&held, signals[i]));
	}
}

TEST(signal_while_connecting_reports_the_state_of_the_target)
{
	struct stub stub = {.fault = STUB_CLOSES_INSTEAD, .fault_at = '?', .on_request = send_signal};
	static const char begins[] = "interrupted; gdb:";

	signal_at = '?';
	assert_failure(pull(&stub), &failure, "the target may have been left halted");
	assert_memory_equal(failure.message, begins, sizeof begins - 1);
}

TEST(ignored_signal_stays_ignored)
{
	struct stub stub = {.on_request = send_signal};

	signal_number = SIGHUP;
	signal(SIGHUP, SIG_IGN);
	enum status status = pull(&stub);
	signal(SIGHUP, SIG_DFL);
	assert_success(status, &failure);
}

TEST(capture_is_kept_if_only_disconnecting_fails)
{
	struct stub stub = {.fault = STUB_CLOSES_INSTEAD, .fault_at = 'D'};

	assert_failure(pull(&stub), &failure, " is written, but gdb:");
	assert_contains(failure.message, "the target may have been left halted");
	assert_int_equal(summary.block_count, 1);
	firmware_open_capture(session.output_path);
}

/* The first failure says why, and the second what to do. */
TEST(failure_to_disconnect_is_appended_to_an_earlier_failure)
{
	struct stub stub = {.fault = STUB_CLOSES_INSTEAD, .fault_at = 'm'};

	assert_failure(pull(&stub), &failure, "(request 'm");
	assert_contains(failure.message, "the target may have been left halted");
}

/* Contents of the target's memory from its first run on. */
static struct {
	struct stub *stub;
	uint64_t address;
	const char *bytes;
	size_t size;
} flashed;

static void flash(const struct stub *stub)
{
	if (stub->request[0] == 'c')
		memcpy(flashed.stub->memory + (flashed.address - STUB_BASE), flashed.bytes, flashed.size);
}

static void assert_flashing_is_detected(uint64_t address, const char *bytes, size_t size, bool force,
                                        const char *message)
{
	struct stub stub = {.on_request = flash};

	flashed.stub = &stub;
	flashed.address = address;
	flashed.bytes = bytes;
	flashed.size = size;
	assert_failure(
	        session_pull(&stub, (struct pull_options){.wait_milliseconds = 10, .force = force}, &summary, &failure),
	        &failure, message);
	assert_int_not_equal(access(session.output_path, F_OK), 0);
}

TEST(firmware_flashed_during_the_wait_is_detected)
{
	static const char build_id[] = {BAREPROF_IDENTITY_BUILD_ID, 2, 0, 0, 0x12, (char)0xAB};

	_Static_assert(BAREPROF_OFFSET_IDENTITY_SIZE == BAREPROF_OFFSET_IDENTITY_KIND + 1, "build_id");
	assert_flashing_is_detected(FIRMWARE_BLOCK + BAREPROF_OFFSET_IDENTITY_KIND, build_id, sizeof build_id, true,
	                            "the target runs another firmware than when the pull began, build 12ab and not "
	                            "without an id: was it flashed meanwhile?");
}

TEST(block_lost_during_the_wait_is_detected)
{
	static const char zeros[FAKE_BLOCK_SIZE];

	assert_flashing_is_detected(FIRMWARE_BLOCK, zeros, sizeof zeros, true,
	                            "the block at 0x20001000 now reads as zeros: was the target reset and is not yet "
	                            "in bareprof_init(), or does it sleep (WFI)? A debugger then needs its debug part "
	                            "kept on");
	assert_flashing_is_detected(FIRMWARE_BLOCK, "x", 1, true,
	                            "the block at 0x20001000 is no longer there: was the target flashed");
}

/* Without a build-id the code identifies the firmware: that of firmware.S, here in memory that the server has. */
TEST(code_flashed_during_the_wait_is_detected)
{
	static const uint8_t code[] = {0x00, 0x00, 0x01, 0x20, 0x09, 0x00, 0x00, 0x20, 0xFF, 0xF7, 0xFE, 0xBF};

	firmware_build(session.elf_path, "-DSYMBOLS -Wl,-Ttext=0x20000000 -Wl,-Tbss=0x20000100");
	memcpy(fake_at(&session.fake, FAKE_BASE), code, sizeof code);
	fake_put_block(&session.fake, FIRMWARE_BLOCK + 0x100);
	assert_success(
	        session_pull(&(struct stub){0}, (struct pull_options){.wait_milliseconds = 10}, &summary, &failure),
	        &failure);
	assert_int_equal(summary.identity, IDENTITY_SAME);
	unlink(session.output_path);
	assert_flashing_is_detected(FAKE_BASE + 8, "\x00\xBF", 2, false, "the code in the target (CRC-32 ");
}
