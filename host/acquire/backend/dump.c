/* SPDX-License-Identifier: MIT */
/* The backend for files: a memory dump made by any tool, or a recorded stream of frames. A bare dump does not state its
 * start address, but each profile block in it holds its own address. */
#include "acquire/channel/frame.h"
#include "acquire/channel/recording.h"
#include "acquire/target/target.h"
#include "base/file/file.h"
#include "capture/capture.h"

#include <bareprof/block.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct dump {
	struct target target;
	uint8_t *bytes;
	size_t size;
	uint64_t base; /* address of the first byte */
};

/* Whether a block that fits into the dump begins at offset, and its address in the target. */
static bool block_at(const struct dump *dump, size_t offset, uint64_t *address)
{
	struct capture_header header;
	struct error ignored;
	size_t left = dump->size - offset;

	if (capture_header_decode(dump->target.source, dump->bytes + offset, left, &header, &ignored) != STATUS_OK)
		return false;
	*address = header.block_address;
	return header.block_size <= left && header.header_size <= header.block_size && header.block_address >= offset &&
	       header.block_address <= UINT64_MAX - left;
}

static enum status find_dump_base(struct dump *dump, bool *found, struct error *error)
{
	const uint8_t *next = dump->bytes;
	const uint8_t *end = dump->bytes + dump->size;
	size_t first = SIZE_MAX; /* offset of the first block */

	while ((next = memmem(next, (size_t)(end - next), BAREPROF_MAGIC, BAREPROF_MAGIC_SIZE)) != NULL) {
		size_t offset = (size_t)(next - dump->bytes);
		uint64_t address;

		next += BAREPROF_MAGIC_SIZE;
		if (!block_at(dump, offset, &address))
			continue;
		if (first == SIZE_MAX) {
			first = offset;
			dump->base = address - offset;
		} else if (dump->base != address - offset) {
			return status_fail(error,
			                   "%s: the blocks at offsets 0x%zx and 0x%zx disagree about where the dump "
			                   "begins (0x%" PRIx64 " or 0x%" PRIx64 "): say base=ADDRESS",
			                   dump->target.source, first, offset, dump->base, address - offset);
		}
	}
	*found = first != SIZE_MAX;
	return STATUS_OK;
}

/* Passes on the text between the frames of a recording, like the text of a live target. An extra zero byte at the end
 * completes a text or an unfinished frame. */
static void report_recorded_text(const struct dump *dump)
{
	const struct target_observer *observer = dump->target.observer;
	struct frame_decoder decoder;
	uint8_t text[2 * FRAME_CONTENT_MAX];
	size_t text_size = 0;

	frame_decoder_init(&decoder);
	for (size_t i = 0; observer->text != NULL && i <= dump->size; i++) {
		if (frame_decoder_take(&decoder, i < dump->size ? dump->bytes[i] : 0) == FRAME_TEXT) {
			memcpy(text + text_size, decoder.content, decoder.size);
			text_size += decoder.size;
		}
		if (text_size > sizeof text - FRAME_CONTENT_MAX || (i == dump->size && text_size > 0)) {
			observer->text(observer->context, text, text_size);
			text_size = 0;
		}
	}
}

/* Replaces the frames by the memory that they contain. */
static enum status decode_recording(struct dump *dump, const char *path, struct error *error)
{
	struct error reason;
	struct recording recording;
	size_t length = strlen(path);

	if (recording_decode(path, dump->bytes, dump->size, &recording, &reason) != STATUS_OK) {
		bool is_prefixed = strncmp(reason.message, path, length) == 0;

		return status_fail(error, "%s: no complete profile block in it, nor a complete transmission%s%s",
		                   dump->target.source, is_prefixed ? "" : ": ",
		                   reason.message + (is_prefixed ? length : 0));
	}
	report_recorded_text(dump);
	free(dump->bytes);
	dump->bytes = recording.memory;
	dump->size = recording.size;
	dump->base = recording.address;
	if (recording.note[0] != 0)
		target_note(&dump->target, recording.note);
	return STATUS_OK;
}

/* Terminals are refused: unlike a file, a terminal never reports the end of its input. */
static bool is_terminal(const char *path)
{
	int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	bool answer = descriptor >= 0 && isatty(descriptor);

	if (descriptor >= 0)
		close(descriptor);
	return answer;
}

static enum status dump_open(struct target *target, const struct source *source, const struct target_setup *setup,
                             struct error *error)
{
	struct dump *dump = (struct dump *)target;
	const char *path = source->address;

	(void)setup;
	if (is_terminal(path))
		return status_usage(error, "%s: a serial port or terminal, not a file: uart:%s?", target->source, path);
	enum status status = file_read(path, &dump->bytes, &dump->size, error);
	if (status == STATUS_OK && dump->size == 0)
		status = status_fail(error, "%s: is empty", target->source);
	if (status != STATUS_OK)
		return status;
	if (source_value(source, "base") == NULL) {
		bool found = false;

		status = find_dump_base(dump, &found, error);
		return status || found ? status : decode_recording(dump, path, error);
	}
	status = source_number(source, "base", 0, UINT64_MAX, &dump->base, error);
	if (status == STATUS_OK && dump->base > UINT64_MAX - (dump->size - 1))
		status = status_usage(error, "%s: with that base the dump would end beyond the address space",
		                      target->source);
	return status;
}

static enum status dump_close(struct target *target, struct error *error)
{
	(void)error;
	free(((struct dump *)target)->bytes);
	return STATUS_OK;
}

static enum status dump_read(struct target *target, uint64_t address, void *buffer, size_t size, struct error *error)
{
	const struct dump *dump = (const struct dump *)target;

	if (address < dump->base || address - dump->base > dump->size || size > dump->size - (address - dump->base))
		return status_fail(error,
		                   "%s: %zu bytes at 0x%08" PRIx64 " are not in the dump, which holds 0x%08" PRIx64
		                   " and 0x%zx bytes from there",
		                   target->source, size, address, dump->base, dump->size);
	memcpy(buffer, dump->bytes + (address - dump->base), size);
	return STATUS_OK;
}

static void dump_extent(const struct target *target, uint64_t *address, uint64_t *size)
{
	const struct dump *dump = (const struct dump *)target;

	*address = dump->base;
	*size = dump->size;
}

const struct target_ops backend_file = {
        .syntax = {.scheme = "file",
                   .synopsis = ":DUMP[,base=ADDRESS]",
                   .summary = "a memory dump made by any tool, or a stream from bareprof_send()",
                   .options = {"base"}},
        .is_file = true,
        .state_size = sizeof(struct dump),
        .capabilities = TARGET_HAS_TEXT,
        .open = dump_open,
        .read = dump_read,
        .extent = dump_extent,
        .close = dump_close,
};
