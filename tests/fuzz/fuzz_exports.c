/* SPDX-License-Identifier: MIT */
/*
 * A firmware and a capture in all formats: the first four bytes are the size of the ELF, the rest is the capture. Every
 * format must be written, for all names, addresses and counts.
 */
#include "fuzz.h"

#include "profile/analysis.h"
#include "profile/arc_sites.h"
#include "profile/lines.h"
#include "profile/regions.h"
#include "profile/split.h"
#include "report/output.h"

#include <stdio.h>

static void write_format(const struct profile *profile, const struct output_format *format)
{
	struct error error = {.message = ""};
	char *text;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	require(stream != NULL);
	require(format->write(profile, stream, &error) == STATUS_OK || error.message[0] != '\0');
	require(fclose(stream) == 0);
	/* JSON ends with a line end, also after hostile names. */
	require(format->binary || size == 0 || text[size - 1] == '\n');
	free(text);
}

static void write_page(const struct profile *profile)
{
	/* No program is run, and no file read. */
	const struct output_report_options options = {.without_source = true};
	struct error error = {.message = ""};
	char *text;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	require(stream != NULL);
	require(output_html(profile, &options, stream, &error) == STATUS_OK);
	require(fclose(stream) == 0);
	/* Names must not end the element of the data, nor begin one: the page has the scripts and elements of its own.
	 */
	size_t scripts = 0;
	for (const char *script = text; (script = strstr(script, "<script")) != NULL; script++)
		scripts++;
	require(scripts == 2);
	free(text);
}

static void write_all(struct profile *profile)
{
	struct error error = {.message = ""};

	require(analysis_find_lines(profile, &error) == STATUS_OK);
	require(analysis_find_line_totals(profile, &error) == STATUS_OK);
	require(analysis_find_call_sites(profile, &error) == STATUS_OK);
	require(analysis_find_regions(profile, NULL, 0, &error) == STATUS_OK);
	for (const struct output_format *const *format = output_table; *format != NULL; format++)
		if ((*format)->split == OUTPUT_WHOLE)
			write_format(profile, *format);
	write_page(profile);
}

/* Formats with parts need each part's lines and calls. */
static void write_parts(struct profile *profile, const struct analysis_options *options)
{
	struct error error = {.message = ""};

	require(analysis_split(profile, ANALYSIS_BY_CONTEXT | ANALYSIS_BY_CORE, options, &error) == STATUS_OK);
	for (size_t i = 0; i < profile->part_count; i++) {
		require(analysis_find_lines(profile->parts[i].profile, &error) == STATUS_OK);
		require(analysis_find_call_sites(profile->parts[i].profile, &error) == STATUS_OK);
	}
	for (const struct output_format *const *format = output_table; *format != NULL; format++)
		if ((*format)->split != OUTPUT_WHOLE)
			write_format(profile, *format);
	write_page(profile);
}

static void profile_of(const struct image *image, const struct capture *capture)
{
	const struct analysis_options options = {.force = true, .static_calls = true, .total_errors = true};
	struct profile *profile;
	struct error error = {.message = ""};

	if (analysis_run(image, &capture, 1, &options, &profile, &error) != STATUS_OK) {
		require(error.message[0] != '\0');
		return;
	}
	write_all(profile);
	write_parts(profile, &options);
	profile_free(profile);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct image *image;
	struct capture *capture;
	struct error error;
	uint32_t elf;

	if (size < sizeof elf)
		return 0;
	memcpy(&elf, data, sizeof elf);
	data += sizeof elf;
	size -= sizeof elf;
	elf = elf < size ? elf : (uint32_t)size;
	if (image_decode("fuzz.elf", copy_of(data, elf), elf, &image, &error) != STATUS_OK)
		return 0;
	if (capture_decode("fuzz.bprof", data + elf, size - elf, &capture, &error) == STATUS_OK) {
		profile_of(image, capture);
		capture_close(capture);
	}
	image_close(image);
	return 0;
}
