/* SPDX-License-Identifier: MIT */
/*
 * A profile for Go's pprof and the viewers that read its format: profile.proto of github.com/google/pprof, compressed
 * by gzip. Frames have lines and inlined functions. The innermost frame is at the sampled code, and a caller is at the
 * site of most of its calls or, if measured, of most of their time.
 */
#include "base/array.h"
#include "profile/arc_sites.h"
#include "profile/paths.h"
#include "profile/split.h"
#include "report/output.h"
#include "report/pprof_tables.h"
#include "report/views.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <zlib.h>

/* Field numbers of profile.proto. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_TIME_NANOS = 9,
	PROFILE_DURATION_NANOS = 10,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
	PROFILE_COMMENT = 13,
};
enum { VALUE_TYPE = 1, VALUE_UNIT = 2 };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3 };
enum { LABEL_KEY = 1, LABEL_STRING = 2 };
enum {
	MAPPING_ID = 1,
	MAPPING_START = 2,
	MAPPING_LIMIT = 3,
	MAPPING_FILE = 5,
	MAPPING_BUILD_ID = 6,
	MAPPING_HAS_FUNCTIONS = 7,
	MAPPING_HAS_FILES = 8,
	MAPPING_HAS_LINES = 9,
	MAPPING_HAS_INLINES = 10,
};

struct pprof_writer {
	const struct profile *profile;
	const struct profile *part;
	bool has_time;
	const struct profile_node *cut; /* the frame of callers that are cut off */
	/* The call site of each arc, or NULL; the locations of arcs and nodes, 0: not created yet. */
	const struct profile_call_site **sites;
	uint64_t *arc_locations, *node_locations;
	struct protobuf labels; /* the labels of the part, as fields of a sample */
	struct pprof_tables tables;
	struct protobuf message, item, packed;
	char **texts; /* strings of the profile that nobody else owns */
	size_t text_count;
};

static uint64_t string_index(struct pprof_writer *writer, const char *text)
{
	return pprof_string(&writer->tables, text);
}

/* --- Samples. */

static uint64_t node_location(struct pprof_writer *writer, size_t node)
{
	uint64_t *location = &writer->node_locations[node];

	if (*location == 0)
		*location = pprof_function_location(&writer->tables, &writer->part->nodes[node]);
	return *location;
}

/* The location of a caller: where it calls the next function of the path. */
static uint64_t caller_location(struct pprof_writer *writer, size_t caller, size_t callee)
{
	const struct profile *part = writer->part;

	if (caller == PROFILE_NONE)
		return pprof_function_location(&writer->tables, writer->cut);
	size_t arc = profile_find_arc(part, caller, callee);
	if (arc == PROFILE_NONE || writer->sites[arc] == NULL)
		return node_location(writer, caller);
	uint64_t *location = &writer->arc_locations[arc];
	if (*location == 0)
		*location = pprof_code_location(&writer->tables, &part->nodes[caller], writer->sites[arc]->address);
	return *location;
}

static void pack_locations(struct pprof_writer *writer, const struct profile_path *path)
{
	size_t leaf = path->nodes[path->depth - 1];

	protobuf_pack(&writer->packed,
	              path->address == 0
	                      ? node_location(writer, leaf)
	                      : pprof_code_location(&writer->tables, &writer->part->nodes[leaf], path->address));
	for (size_t i = path->depth - 1; i > 0; i--)
		protobuf_pack(&writer->packed, caller_location(writer, path->nodes[i - 1], path->nodes[i]));
}

/* Copies value; the copy lives as long as the tables. */
static void add_pprof_label(struct pprof_writer *writer, const char *key, const char *value)
{
	if (value == NULL || value[0] == '\0')
		return;
	value = array_append_text(&writer->texts, &writer->text_count, value, strlen(value));
	if (value == NULL) {
		writer->tables.is_short_of_memory = true;
		return;
	}
	protobuf_add_number(&writer->packed, LABEL_KEY, string_index(writer, key));
	protobuf_add_number(&writer->packed, LABEL_STRING, string_index(writer, value));
	protobuf_add_message(&writer->labels, SAMPLE_LABEL, &writer->packed);
}

static enum status add_pprof_sample(void *context, const struct profile_path *path, struct error *error)
{
	struct pprof_writer *writer = context;

	pack_locations(writer, path);
	protobuf_add_message(&writer->item, SAMPLE_LOCATION, &writer->packed);
	protobuf_pack(&writer->packed, path->samples);
	if (writer->has_time)
		protobuf_pack(&writer->packed, (uint64_t)llround(path->time * 1e9));
	protobuf_add_message(&writer->item, SAMPLE_VALUE, &writer->packed);
	protobuf_append(&writer->item, &writer->labels);
	protobuf_add_message(&writer->message, PROFILE_SAMPLE, &writer->item);
	return writer->tables.is_short_of_memory || writer->message.is_short_of_memory
	               ? status_fail(error, "out of memory for the samples of %zu functions", writer->part->node_count)
	               : STATUS_OK;
}

/* In a measured profile calls may lack a count. */
static bool is_better_site(const struct profile_call_site *site, const struct profile_call_site *best)
{
	if (best == NULL || site->time > best->time || site->time < best->time)
		return best == NULL || site->time > best->time;
	return site->count > best->count;
}

static void find_sites(struct pprof_writer *writer)
{
	const struct profile *part = writer->part;

	for (size_t i = 0; i < part->call_site_count; i++) {
		const struct profile_call_site *site = &part->call_sites[i], **best = &writer->sites[site->arc];

		if (is_better_site(site, *best))
			*best = site;
	}
}

/* part: NULL if the profile is not split. */
static void make_labels(struct pprof_writer *writer, const struct profile_part *part)
{
	const struct profile *profile = writer->profile;
	const bool is_of_core = part != NULL && part->of_core;
	const unsigned only_core = profile->block_count > 0 ? profile->blocks[0]->header.core : 0;
	char text[PART_NAME_MAX];

	writer->labels.size = 0;
	if (part != NULL && part->of_context)
		add_pprof_label(writer, "context", part_names_format_context(part, text));
	if (is_of_core || !profile_has_cores(profile)) {
		snprintf(text, sizeof text, "%u", is_of_core ? part->core : only_core);
		add_pprof_label(writer, "core", text);
	}
	add_pprof_label(writer, "board", profile->block_count > 0 ? profile->blocks[0]->header.board : NULL);
}

static enum status add_samples_of_part(struct pprof_writer *writer, const struct profile_part *of, struct error *error)
{
	const struct profile *part = writer->part;
	struct scratch scratch = {.count = 0};
	enum status status = STATUS_OK;

	writer->sites = scratch_array(&scratch, part->arc_count, sizeof(const struct profile_call_site *));
	writer->arc_locations = scratch_array(&scratch, part->arc_count, sizeof *writer->arc_locations);
	writer->node_locations = scratch_array(&scratch, part->node_count, sizeof *writer->node_locations);
	if (scratch.is_short_of_memory) {
		status = status_fail(error, "out of memory for %zu arcs", part->arc_count);
	} else {
		find_sites(writer);
		make_labels(writer, of);
		status = analysis_each_code_path(part, add_pprof_sample, writer, error);
	}
	scratch_free(&scratch);
	return status;
}

static enum status add_samples_of_parts(struct pprof_writer *writer, struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < views_part_count(writer->profile); i++) {
		const struct profile_part *of = writer->profile->part_count > 0 ? &writer->profile->parts[i] : NULL;

		writer->part = of != NULL ? of->profile : writer->profile;
		status = add_samples_of_part(writer, of, error);
	}
	return status;
}

/* --- Fields of the profile as a whole. */

/* Formats a string that lives as long as the tables. */
static uint64_t __attribute__((format(printf, 2, 3)))
format_string(struct pprof_writer *writer, const char *format, ...)
{
	char text[512];
	va_list arguments;

	va_start(arguments, format);
	int length = vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	const char *copy =
	        length < 0 ? NULL : array_append_text(&writer->texts, &writer->text_count, text, sizeof text);
	writer->tables.is_short_of_memory |= copy == NULL;
	return copy == NULL ? 0 : string_index(writer, copy);
}

static void add_value_type(struct pprof_writer *writer, unsigned field, const char *type, const char *unit)
{
	protobuf_add_number(&writer->item, VALUE_TYPE, string_index(writer, type));
	protobuf_add_number(&writer->item, VALUE_UNIT, string_index(writer, unit));
	protobuf_add_message(&writer->message, field, &writer->item);
}

static void add_mapping(struct pprof_writer *writer)
{
	const struct image *image = writer->profile->image;
	char build_id[IMAGE_BUILD_ID_TEXT_SIZE];
	uint64_t limit = 0;

	for (size_t i = 0; i < image->code_count; i++)
		limit = image->code[i].address + image->code[i].size;
	protobuf_add_number(&writer->item, MAPPING_ID, 1);
	protobuf_add_number(&writer->item, MAPPING_START, image->code_count > 0 ? image->code[0].address : 0);
	protobuf_add_number(&writer->item, MAPPING_LIMIT, limit);
	protobuf_add_number(&writer->item, MAPPING_FILE, string_index(writer, image->path));
	protobuf_add_number(&writer->item, MAPPING_BUILD_ID,
	                    format_string(writer, "%s", image_format_build_id(image, build_id)));
	for (unsigned field = MAPPING_HAS_FUNCTIONS; field <= MAPPING_HAS_INLINES; field++)
		protobuf_add_number(&writer->item, field, 1);
	protobuf_add_message(&writer->message, PROFILE_MAPPING, &writer->item);
}

/* string: its index in the table of strings. */
static void add_comment(struct pprof_writer *writer, uint64_t string)
{
	protobuf_add_number(&writer->message, PROFILE_COMMENT, string);
}

/* Adds a comment for each kind of loss that occurred. If losses are known, no comment means no loss. */
static void add_loss_comments(struct pprof_writer *writer)
{
	const struct profile_losses *losses = &writer->profile->losses;
	const struct {
		uint64_t count;
		const char *what;
	} kinds[] = {
	        {losses->ticks_missed_known ? losses->ticks_missed : 0, "ticks missed while interrupts were masked"},
	        {losses->samples_outside, "samples outside the sampled ranges"},
	        {losses->samples_table_full, "samples in coarse bins, because the table was full"},
	        {losses->arcs_dropped, "calls not counted, because the table of arcs was full"},
	        {losses->saturated, "increments lost to counters at their maximum"},
	};

	if (!profile_losses_are_known(losses))
		add_comment(writer, string_index(writer, "losses are unknown: gmon.out does not record them"));
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (kinds[i].count > 0)
			add_comment(writer,
			            format_string(writer, "lost: %" PRIu64 " %s", kinds[i].count, kinds[i].what));
}

/* Adds the time of one sample if all samples have the same. */
static void add_period(struct pprof_writer *writer)
{
	const struct profile *profile = writer->profile;
	double period = 0;

	for (size_t i = 0; i < profile->block_count; i++) {
		double own = profile_sample_time(profile, profile->blocks[i]) +
		             profile_handler_time(profile, profile->blocks[i]);

		if (i > 0 && fabs(own - period) > 1e-12)
			return;
		period = own;
	}
	add_value_type(writer, PROFILE_PERIOD_TYPE, "cpu", "nanoseconds");
	protobuf_add_number(&writer->message, PROFILE_PERIOD, (uint64_t)llround(period * 1e9));
}

static void add_pprof_time(struct pprof_writer *writer)
{
	const struct profile *profile = writer->profile;
	int64_t time = profile->capture_count > 0 ? profile->captures[0]->time : 0;

	if (time > 0)
		protobuf_add_number(&writer->message, PROFILE_TIME_NANOS, (uint64_t)time * 1000000000);
	if (!writer->has_time)
		return;
	protobuf_add_number(&writer->message, PROFILE_DURATION_NANOS, (uint64_t)llround(profile->total_time * 1e9));
	add_period(writer);
}

static void add_pprof_head(struct pprof_writer *writer)
{
	char text[VIEWS_PATHS_TEXT_MAX];

	string_index(writer, "");
	add_value_type(writer, PROFILE_SAMPLE_TYPE, "samples", "count");
	if (writer->has_time)
		add_value_type(writer, PROFILE_SAMPLE_TYPE, "cpu", "nanoseconds");
	add_mapping(writer);
	add_pprof_time(writer);
	add_comment(writer, format_string(writer, "bareprof " BAREPROF_VERSION ": %s",
	                                  views_format_paths_text(writer->profile, text)));
	add_comment(writer, format_string(writer, "firmware: %s", profile_identity_text(writer->profile)));
	add_loss_comments(writer);
}

static enum status compress_to(FILE *stream, const struct protobuf *message, struct error *error)
{
	z_stream zip = {.next_in = message->bytes, .avail_in = (uInt)message->size};

	unsigned char block[65536];
	int result = Z_OK;

	if (message->size > UINT32_MAX || deflateInit2(&zip, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + 16 /* gzip */,
	                                               MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
		return status_fail(error, "cannot compress %zu bytes of profile", message->size);
	while (result != Z_STREAM_END) {
		zip.next_out = block;
		zip.avail_out = sizeof block;
		result = deflate(&zip, Z_FINISH);
		fwrite(block, 1, sizeof block - zip.avail_out, stream);
	}
	deflateEnd(&zip);
	return STATUS_OK;
}

static void pprof_writer_free(struct pprof_writer *writer)
{
	for (size_t i = 0; i < writer->text_count; i++)
		free(writer->texts[i]);
	free(writer->texts);
	free(writer->message.bytes);
	free(writer->item.bytes);
	free(writer->packed.bytes);
	free(writer->labels.bytes);
	demangler_free(writer->tables.names);
	pprof_tables_free(&writer->tables);
}

static enum status write_pprof(const struct profile *profile, FILE *stream, struct error *error)
{
	const struct profile_node cut = {.kind = PROFILE_UNKNOWN_CALLER, .name = VIEWS_CUT_NAME};
	struct pprof_writer writer = {
	        .profile = profile,
	        .has_time = profile->time_unit == PROFILE_SECONDS,
	        .cut = &cut,
	        .tables = {.names = views_names_create(profile, error), .image = profile->image},
	};
	enum status status = STATUS_FAILED;

	if (writer.tables.names != NULL) {
		add_pprof_head(&writer);
		status = add_samples_of_parts(&writer, error);
	}
	if (status == STATUS_OK) {
		protobuf_append(&writer.message, &writer.tables.message);
		status = writer.message.is_short_of_memory || writer.tables.is_short_of_memory
		                 ? status_no_memory(error, profile->image->path)
		                 : compress_to(stream, &writer.message, error);
	}
	pprof_writer_free(&writer);
	return status;
}

const struct output_format output_pprof = {
        .name = "pprof",
        .summary = "a profile for Go's pprof, with lines and inlined functions",
        .binary = true,
        .total_times = true,
        .split = OUTPUT_BY_CORE_AND_CONTEXT,
        .lines = true,
        .call_sites = true,
        .write = write_pprof,
};
