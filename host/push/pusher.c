/* SPDX-License-Identifier: MIT */
/* Pyroscope's POST /push.v1.PusherService/Push, as JSON:
 * https://grafana.com/docs/pyroscope/latest/reference-server-api, section "Ingestion Path". */
#include "base/text/json.h"
#include "push/api.h"

#include <inttypes.h>
#include <string.h>

/* Continues 64-bit FNV-1a (RFC 9923) over bytes of the profile and its labels. */
static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static uint64_t hash_profile(const struct push_profile *profile, uint64_t hash)
{
	hash = hash_bytes(hash, profile->application, strlen(profile->application) + 1);
	for (size_t i = 0; i < profile->labels.count; i++) {
		const struct push_label *label = &profile->labels.items[i];

		hash = hash_bytes(hash, label->name, strlen(label->name) + 1);
		hash = hash_bytes(hash, label->value, strlen(label->value) + 1);
	}
	return hash_bytes(hash, profile->bytes, profile->size);
}

/* A UUID of version 8 (RFC 9562, section 5.8). A profile has the same UUID in every attempt, so that a store can
 * recognise it. */
static void add_id(struct json *json, const struct push_profile *profile)
{
	uint64_t high = hash_profile(profile, UINT64_C(0xcbf29ce484222325)), low = hash_profile(profile, high);
	char text[40];

	snprintf(text, sizeof text, "%08" PRIx64 "-%04" PRIx64 "-8%03" PRIx64 "-%04" PRIx64 "-%012" PRIx64, high >> 32,
	         (high >> 16) & 0xFFFF, high & 0xFFF, 0x8000 | ((low >> 48) & 0x3FFF), low & UINT64_C(0xFFFFFFFFFFFF));
	json_add_string(json, "ID", text);
}

/* RFC 4648, section 4. */
static void write_base64(const struct push_profile *profile, FILE *stream)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < profile->size; i += 3) {
		size_t left = profile->size - i;
		const unsigned char *bytes = (const unsigned char *)profile->bytes + i;
		unsigned group = (unsigned)bytes[0] << 16 | (left > 1 ? (unsigned)bytes[1] << 8 : 0) |
		                 (left > 2 ? (unsigned)bytes[2] : 0);

		fputc(digits[group >> 18], stream);
		fputc(digits[group >> 12 & 63], stream);
		fputc(left > 1 ? digits[group >> 6 & 63] : '=', stream);
		fputc(left > 2 ? digits[group & 63] : '=', stream);
	}
}

static void add_json_label(struct json *json, const char *name, const char *value)
{
	json_open(json, NULL, '{');
	json_add_string(json, "name", name);
	json_add_string(json, "value", value);
	json_close(json, '}');
}

static void add_series_labels(struct json *json, const struct push_profile *profile)
{
	json_open(json, "labels", '[');
	add_json_label(json, "__name__", "process_cpu");
	add_json_label(json, "service_name", profile->application);
	for (size_t i = 0; i < profile->labels.count; i++)
		add_json_label(json, profile->labels.items[i].name, profile->labels.items[i].value);
	json_close(json, ']');
}

static void add_samples(struct json *json, const struct push_profile *profile)
{
	json_open(json, "samples", '[');
	json_open(json, NULL, '{');
	add_id(json, profile);
	/* Base64 needs no escapes. */
	fputs(", \"rawProfile\": \"", json->stream);
	write_base64(profile, json->stream);
	fputc('"', json->stream);
	json_close(json, '}');
	json_close(json, ']');
}

static void pusher_write_body(const struct push_profile *profile, FILE *stream)
{
	struct json json = {.stream = stream};

	json_open(&json, NULL, '{');
	json_open(&json, "series", '[');
	json_open(&json, NULL, '{');
	add_series_labels(&json, profile);
	add_samples(&json, profile);
	json_close(&json, '}');
	json_close(&json, ']');
	json_close(&json, '}');
}

const struct push_api push_pusher = {
        .path = "/push.v1.PusherService/Push",
        .content_type = "application/json",
        .write_body = pusher_write_body,
};
