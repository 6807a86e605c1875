/* SPDX-License-Identifier: MIT */
/* Pyroscope's POST /ingest: name, labels and times in the query, the profile itself in the body. "Ingestion" in
 * https://grafana.com/docs/pyroscope/v1.10.x/configure-server/about-server-api; pkg/ingester/pyroscope/
 * ingest_handler.go and pkg/og/util/attime of github.com/grafana/pyroscope: times of ten digits are seconds. */
#include "push/api.h"

#include <inttypes.h>
#include <string.h>

/* Percent-encoding of everything but the unreserved characters of RFC 3986, section 2.3. */
static void write_encoded(const char *text, FILE *stream)
{
	static const char unreserved[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";

	for (; *text != '\0'; text++)
		fprintf(stream, strchr(unreserved, *text) != NULL ? "%c" : "%%%02X", (unsigned char)*text);
}

static void ingest_write_query(const struct push_profile *profile, FILE *stream)
{
	fputs("name=", stream);
	write_encoded(profile->application, stream);
	write_encoded("{", stream);
	for (size_t i = 0; i < profile->labels.count; i++) {
		write_encoded(i > 0 ? "," : "", stream);
		write_encoded(profile->labels.items[i].name, stream);
		write_encoded("=", stream);
		write_encoded(profile->labels.items[i].value, stream);
	}
	write_encoded("}", stream);
	fprintf(stream, "&from=%" PRId64 "&until=%" PRId64 "&format=pprof&spyName=bareprof", profile->from,
	        profile->until);
}

static void ingest_write_body(const struct push_profile *profile, FILE *stream)
{
	fwrite(profile->bytes, 1, profile->size, stream);
}

const struct push_api push_ingest = {
        .path = "/ingest",
        .content_type = "application/octet-stream",
        .write_query = ingest_write_query,
        .write_body = ingest_write_body,
};
