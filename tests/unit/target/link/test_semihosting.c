/* SPDX-License-Identifier: MIT */
/* The pipe into a file of the debugger, which is this test. */
#include "peer.h"

#include "../../../../target/isa/native/semihosting.h"
#include "test.h"

#include <bareprof/semihosting.h>
#include <string.h>

/* Semihosting for AArch32 and AArch64, chapter 5: SYS_OPEN, SYS_WRITE, and the mode "wb". */
#define OPEN              0x01
#define WRITE             0x05
#define MODE_WRITE_BINARY 5
#define HANDLE            77

static unsigned opened;
static bool is_refused;

uintptr_t isa_semihosting(uintptr_t operation, const uintptr_t *arguments)
{
	if (operation == OPEN) {
		assert_string_equal((const char *)arguments[0], "bareprof.log");
		assert_int_equal(arguments[1], MODE_WRITE_BINARY);
		assert_int_equal(arguments[2], strlen("bareprof.log"));
		opened++;
		return is_refused ? UINTPTR_MAX : HANDLE;
	}
	assert_false(is_refused);
	assert_int_equal(operation, WRITE);
	assert_int_equal(arguments[0], HANDLE);
	assert_true(arguments[2] <= PEER_STREAM_MAX - peer.sent_size);
	memcpy(peer.sent + peer.sent_size, (const void *)arguments[1], arguments[2]);
	peer.sent_size += arguments[2];
	return 0;
}

static void begin(void)
{
	peer_begin(1000, 2, 256);
	peer_link.pipe = (struct bareprof_pipe){bareprof_semihosting_write, NULL, NULL};
	opened = 0;
}

/* Before any test that opens the file, which stays open. */
TEST(a_refused_file_is_tried_again)
{
	const uint8_t byte = 1;

	begin();
	is_refused = true;
	assert_int_equal(bareprof_semihosting_write(&byte, 1), 1);
	assert_int_equal(bareprof_semihosting_write(&byte, 1), 1);
	assert_int_equal(opened, 2);
	assert_int_equal(peer.sent_size, 0);
	is_refused = false;
}

TEST(the_block_goes_to_one_file)
{
	begin();
	bareprof_send();
	bareprof_send();
	assert_int_equal(opened, 1);
	for (unsigned i = 0; i < 2; i++) {
		assert_true(peer_next());
		assert_int_equal(peer.frame.type, BAREPROF_FRAME_IDENTITY);
		peer_expect_data(0, 0, peer_memory_size(), 256);
	}
	peer_expect_nothing();
}
