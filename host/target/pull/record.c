/* SPDX-License-Identifier: MIT */
/* See record.h. */
#include "target/pull/record.h"

#include "capture/capture.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Concatenates all blocks. */
static enum status join_blocks(const struct pull_session *session, uint8_t **bytes, size_t *size, struct error *error)
{
	*size = 0;
	for (size_t i = 0; i < session->located.count; i++)
		*size += session->snapshots[i].header.block_size;
	*bytes = malloc(*size + 1); /* not 0 */
	if (!*bytes)
		return status_fail(error, "%s: out of memory for blocks of %zu bytes", session->source, *size);
	uint8_t *next = *bytes;
	for (size_t i = 0; i < session->located.count; i++) {
		memcpy(next, session->snapshots[i].bytes, session->snapshots[i].header.block_size);
		next += session->snapshots[i].header.block_size;
	}
	return STATUS_OK;
}

static enum status encode(const struct pull_session *session, uint8_t **file, size_t *file_size, struct error *error)
{
	uint32_t skews[LOCATE_BLOCKS_MAX][2];
	uint8_t *bytes;
	size_t size;

	for (size_t i = 0; i < session->located.count; i++) {
		skews[i][0] = (uint32_t)session->snapshots[i].ticks_before;
		skews[i][1] = (uint32_t)session->snapshots[i].ticks_after;
	}
	const struct capture_trailer trailer = {
	        .source = session->source,
	        .time = time(NULL),
	        .has_code_hash = session->identity.has_code_hash,
	        .code_hash = session->identity.code_hash,
	        .skews = (const uint32_t(*)[2])skews,
	        .skew_count = session->located.count,
	};
	enum status status = join_blocks(session, &bytes, &size, error);
	if (status)
		return status;
	status = capture_encode(bytes, size, &trailer, file, file_size, error);
	free(bytes);
	return status;
}

/* A capture that no other command could read is a failure. */
static enum status check_capture(const struct pull_session *session, const uint8_t *file, size_t size,
                                 bool *is_contradictory, struct error *error)
{
	struct capture *capture;

	enum status status = capture_decode(session->source, file, size, &capture, error);
	if (status)
		return status;
	for (size_t i = 0; i < capture->block_count; i++)
		*is_contradictory |= capture_sum_samples(&capture->blocks[i]).balance == CAPTURE_DOES_NOT_ADD_UP;
	capture_close(capture);
	return STATUS_OK;
}

static enum status write_capture(const struct pull_session *session, struct file_writer *writer, bool *is_contradictory,
                                 struct error *error)
{
	uint8_t *file;
	size_t size;

	enum status status = encode(session, &file, &size, error);
	if (status)
		return status;
	status = check_capture(session, file, size, is_contradictory, error);
	if (status) {
		free(file);
		return status;
	}
	/* The stream keeps a write error, and file_commit() reports it. */
	fwrite(file, 1, size, writer->stream);
	free(file);
	return file_commit(writer, error);
}

static void summarise(const struct pull_session *session, bool is_contradictory, struct pull_summary *summary)
{
	*summary = (struct pull_summary){
	        .block_count = session->located.count,
	        .uninitialised = session->located.uninitialised,
	        .identity = session->identity.verdict,
	        .disruption = session->disruption,
	        .is_contradictory = is_contradictory,
	        .caution = session->options->source->backend->caution,
	        .traffic = session->traffic,
	};
	for (size_t i = 0; i < session->located.count; i++) {
		const struct capture_header *header = &session->snapshots[i].header;
		summary->blocks[i].address = header->block_address;
		summary->blocks[i].size = header->block_size;
		summary->blocks[i].ticks = (uint32_t)header->ticks; /* 32 bits in a block */
		summary->blocks[i].ticks_passed =
		        (uint32_t)(session->snapshots[i].ticks_after - session->snapshots[i].ticks_before);
		summary->blocks[i].state = header->state;
	}
}

enum status record_write(const struct pull_session *session, struct file_writer *writer, struct pull_summary *summary,
                         struct error *error)
{
	bool is_contradictory = false;

	enum status status = write_capture(session, writer, &is_contradictory, error);
	if (!status)
		summarise(session, is_contradictory, summary);
	return status;
}
