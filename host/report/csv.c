/* SPDX-License-Identifier: MIT */
/* The functions as CSV (RFC 4180, except that lines end with LF alone, because awk and cut would add a CR to the last
 * column), most self time first. Names are untrusted: no cell can end its line, and none is a formula. */
#include "base/text/escape.h"
#include "profile/measurement.h"
#include "report/json_profile.h"
#include "report/output.h"
#include "report/ranking.h"
#include "report/views.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct csv {
	const struct profile *profile;
	struct demangler *names;
	FILE *stream;
	bool has_estimate;
};

/* RFC 4180, section 2.7: a quote within quotes is doubled. */
static const struct escape quotes[] = {{'"', "\"\""}, {'\0', NULL}};

/* Unprintable bytes, and the first character of a formula, become \xNN. */
static void add_csv_text(const struct csv *csv, const char *text)
{
	/* Spreadsheets in some languages separate columns by semicolons. */
	const char *quote = strpbrk(text, ",;\" ") != NULL ? "\"" : "";

	fputs(quote, csv->stream);
	/* Spreadsheets run a cell that begins with one of these as a formula, even if it is quoted (OWASP, "CSV
	 * Injection"). OWASP also lists tab and CR, which are unprintable and so escaped anywhere. */
	if (*text != '\0' && strchr("=+-@", *text) != NULL)
		fprintf(csv->stream, "\\x%02x", (unsigned)(unsigned char)*text++);
	escape_print(csv->stream, text, quotes, "\\x");
	fprintf(csv->stream, "%s,", quote);
}

/* Empty if it is unknown. */
static void add_csv_number(const struct csv *csv, double value)
{
	if (isfinite(value))
		fprintf(csv->stream, "%.9g", value);
	fputc(',', csv->stream);
}

static void add_csv_names(const struct csv *csv, const struct profile_node *node)
{
	const char *name = demangler_name(csv->names, node->name);

	add_csv_text(csv, name);
	add_csv_text(csv, strcmp(name, node->name) == 0 ? "" : node->name);
	add_csv_text(csv, json_profile_kind(node->kind));
}

/* Rows for time outside all code have no address. */
static void add_csv_place(const struct csv *csv, const struct profile_node *node)
{
	const char *file = NULL;
	int line = 0;

	if (profile_node_line(csv->profile->image, node, &file, &line)) {
		add_csv_text(csv, file);
		fprintf(csv->stream, "%d,", line);
	} else {
		fputs(",,", csv->stream);
	}
	if (node->end > 0)
		fprintf(csv->stream, "0x%08" PRIx64 ",%" PRIu64 ",", node->address, node->end - node->address);
	else
		fputs(",,", csv->stream);
}

static void add_csv_times(const struct csv *csv, const struct profile_node *node)
{
	add_csv_number(csv, node->self_samples);
	add_csv_number(csv, node->self_time);
	add_csv_number(csv, sqrt(node->self_variance));
	add_csv_number(csv, profile_node_total(node));
	add_csv_number(csv,
	               csv->profile->has_total_variance && !node->is_lower_bound ? sqrt(node->total_variance) : NAN);
}

/* Empty if it is unknown. */
static void add_csv_calls(const struct csv *csv, uint64_t calls)
{
	if (profile_knows_calls(csv->profile, calls))
		fprintf(csv->stream, "%" PRIu64, calls);
	fputc(',', csv->stream);
}

/* The columns of a measured profile, empty if no calls were recorded. */
static void add_csv_estimate(const struct csv *csv, const struct profile_node *node)
{
	if (!csv->has_estimate) {
		fputs(",,,", csv->stream);
		return;
	}
	fprintf(csv->stream, ",%.9g,", profile_node_estimate(node));
	if (csv->profile->has_total_variance)
		fprintf(csv->stream, "%.9g", sqrt(node->estimated_variance));
	fputs(node->differs_from_estimate ? ",yes" : ",no", csv->stream);
}

static void add_csv_row(const struct csv *csv, const struct profile_node *node)
{
	add_csv_names(csv, node);
	add_csv_place(csv, node);
	add_csv_times(csv, node);
	add_csv_calls(csv, profile_node_calls(node));
	add_csv_calls(csv, node->self_calls);
	if (node->cycle != PROFILE_NONE)
		fprintf(csv->stream, "%zu", node->cycle + 1);
	if (csv->profile->measurement != NULL) {
		add_csv_estimate(csv, node);
		fputs(node->is_lower_bound ? ",yes" : ",no", csv->stream);
	}
	fputc('\n', csv->stream);
}

/* Columns of times name their unit. */
static void add_csv_headings(const struct csv *csv)
{
	bool in_seconds = csv->profile->time_unit == PROFILE_SECONDS;

	fprintf(csv->stream, "name,symbol,kind,file,line,address,size,self_samples,%s,calls,self_calls,cycle",
	        in_seconds ? "self_seconds,self_error_seconds,total_seconds,total_error_seconds"
	                   : "self_time_samples,self_error_samples,total_time_samples,total_error_samples");
	if (csv->profile->measurement != NULL)
		fprintf(csv->stream, ",%s,differs_from_estimate,total_is_lower_bound",
		        in_seconds ? "estimated_total_seconds,estimated_total_error_seconds"
		                   : "estimated_total_time_samples,estimated_total_error_samples");
	fputc('\n', csv->stream);
}

static enum status write_csv(const struct profile *profile, FILE *stream, struct error *error)
{
	struct csv csv = {
	        .profile = profile,
	        .stream = stream,
	        .names = views_names_create(profile, error),
	        .has_estimate = profile_has_estimate(profile),
	};
	struct ranking ranking = {0};

	if (csv.names == NULL)
		return STATUS_FAILED;
	enum status status = ranking_create(profile, RANKING_BY_SELF, &ranking, error);
	if (status == STATUS_OK)
		add_csv_headings(&csv);
	for (size_t i = 0; i < ranking.count; i++)
		add_csv_row(&csv, ranking.nodes[i]);
	ranking_free(&ranking);
	demangler_free(csv.names);
	return status;
}

const struct output_format output_csv = {
        .name = "csv",
        .summary = "a table of the functions, for spreadsheets and scripts",
        .total_times = true,
        .total_errors = true,
        .write = write_csv,
};
