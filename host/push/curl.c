/* SPDX-License-Identifier: MIT */
/* The HTTP client, by libcurl. */
#define CURL_DISABLE_TYPECHECK
#include "push/http.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* An answer is a line or two; more than this is not read. libcurl has a limit of its own for headers. */
#define BODY_MAX ((size_t)64 << 10)

/* Longer waits would overflow in milliseconds. */
#define RETRY_AFTER_MAX ((curl_off_t)1000000)

#define CONNECT_LIMIT 10000L /* milliseconds */

/* --- Addresses. */

/* A part of a URL, which curl_free() frees; NULL: none. */
static char *url_part(CURLU *url, CURLUPart part)
{
	char *text = NULL;

	return curl_url_get(url, part, &text, 0) == CURLUE_OK ? text : NULL;
}

static bool has_part(CURLU *url, CURLUPart part)
{
	char *text = url_part(url, part);
	bool is_there = text != NULL;

	curl_free(text);
	return is_there;
}

/* Accepts loopback addresses and the name that RFC 6761, section 6.3 reserves. */
static bool is_this_machine(const char *host)
{
	return strcasecmp(host, "localhost") == 0 || strncmp(host, "127.", 4) == 0 || strcmp(host, "[::1]") == 0;
}

static enum status take_address(CURLU *url, const char *scheme, const char *host, struct http_address *address,
                                struct error *error)
{
	bool is_encrypted = scheme != NULL && strcmp(scheme, "https") == 0;

	if (scheme == NULL || host == NULL || (!is_encrypted && strcmp(scheme, "http") != 0))
		return status_usage(error, "the URL must begin with http:// or https://");
	if (has_part(url, CURLUPART_USER) || has_part(url, CURLUPART_PASSWORD))
		return status_usage(error, "the URL contains a user or a password, which other users of this machine "
		                           "can see: put them in a file or the environment");
	if (has_part(url, CURLUPART_QUERY) || has_part(url, CURLUPART_FRAGMENT))
		return status_usage(error, "the URL has a query or a fragment, which cannot be sent");
	char *text = url_part(url, CURLUPART_URL);
	address->text = text != NULL ? strdup(text) : NULL;
	address->is_confidential = is_encrypted || is_this_machine(host);
	curl_free(text);
	return address->text != NULL ? STATUS_OK : status_fail(error, "out of memory for the URL");
}

/* Messages do not repeat the URL, because it may contain a password. */
static enum status http_curl_parse(const char *text, struct http_address *address, struct error *error)
{
	CURLU *url = curl_url();

	if (url == NULL)
		return status_fail(error, "out of memory for the URL");
	/* Other schemes that libcurl knows, such as file, are refused by take_address(). */
	if (curl_url_set(url, CURLUPART_URL, text, 0) != CURLUE_OK) {
		curl_url_cleanup(url);
		return status_usage(error, "not a URL that begins with http:// or https://");
	}
	char *scheme = url_part(url, CURLUPART_SCHEME), *host = url_part(url, CURLUPART_HOST);
	enum status status = take_address(url, scheme, host, address, error);
	curl_free(scheme);
	curl_free(host);
	curl_url_cleanup(url);
	return status;
}

/* --- Requests. */

struct http_exchange {
	CURL *handle;
	struct curl_slist *headers;
	char reason[CURL_ERROR_SIZE];
	char line[HTTP_TEXT_MAX];
	size_t length;     /* bytes in line */
	bool line_is_over; /* no more bytes belong to line */
	size_t body_size;
};

/* Stores the first line for messages. A result of 0 makes libcurl drop an answer that is too long. */
static size_t keep_first_line(char *bytes, size_t size, size_t count, void *context)
{
	struct http_exchange *exchange = context;

	for (size_t i = 0; i < size * count && !exchange->line_is_over; i++) {
		exchange->line_is_over = strchr("\r\n", bytes[i]) != NULL || exchange->length + 1 == HTTP_TEXT_MAX;
		if (!exchange->line_is_over)
			exchange->line[exchange->length++] = bytes[i];
	}
	exchange->body_size += size * count;
	return exchange->body_size > BODY_MAX ? 0 : size * count;
}

static bool add_request_header(struct http_exchange *exchange, const char *header)
{
	struct curl_slist *headers = curl_slist_append(exchange->headers, header);

	if (headers != NULL)
		exchange->headers = headers;
	return headers != NULL;
}

/* "Expect:" keeps libcurl from waiting a second for servers that do not know 100-continue. */
static bool set_headers(struct http_exchange *exchange, const struct http_request *request)
{
	char type[128] = "Content-Type: ";

	strncat(type, request->content_type, sizeof type - strlen(type) - 1);
	return add_request_header(exchange, type) && add_request_header(exchange, "Expect:") &&
	       curl_easy_setopt(exchange->handle, CURLOPT_HTTPHEADER, exchange->headers) == CURLE_OK;
}

static bool set_credentials(CURL *handle, const struct http_credentials *credentials)
{
	if (credentials->token != NULL)
		return curl_easy_setopt(handle, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER) == CURLE_OK &&
		       curl_easy_setopt(handle, CURLOPT_XOAUTH2_BEARER, credentials->token) == CURLE_OK;
	return credentials->user == NULL ||
	       (curl_easy_setopt(handle, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC) == CURLE_OK &&
	        curl_easy_setopt(handle, CURLOPT_USERPWD, credentials->user) == CURLE_OK);
}

static bool set_request(struct http_exchange *exchange, const struct http_request *request)
{
	CURL *handle = exchange->handle;

	return curl_easy_setopt(handle, CURLOPT_URL, request->url) == CURLE_OK &&
	       curl_easy_setopt(handle, CURLOPT_POST, 1L) == CURLE_OK &&
	       curl_easy_setopt(handle, CURLOPT_POSTFIELDS, request->body) == CURLE_OK &&
	       curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->size) == CURLE_OK &&
	       curl_easy_setopt(handle, CURLOPT_USERAGENT, "bareprof/" BAREPROF_VERSION) == CURLE_OK &&
	       set_headers(exchange, request) && set_credentials(handle, request->credentials) &&
	       (request->authorities == NULL ||
	        curl_easy_setopt(handle, CURLOPT_CAINFO, request->authorities) == CURLE_OK);
}

static bool set_transfer_options(struct http_exchange *exchange, const struct http_request *request)
{
	CURL *handle = exchange->handle;

	return curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, (long)request->limit) == CURLE_OK &&
	       curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_LIMIT) == CURLE_OK &&
	       curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
	       curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
	       curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, exchange->reason) == CURLE_OK &&
	       curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, keep_first_line) == CURLE_OK &&
	       curl_easy_setopt(handle, CURLOPT_WRITEDATA, exchange) == CURLE_OK;
}

/* Failures of the network and of a busy server may pass. Others, such as a wrong certificate, are permanent. */
static bool is_transient(CURLcode result)
{
	static const CURLcode transient[] = {
	        CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT,
	        CURLE_OPERATION_TIMEDOUT,    CURLE_SEND_ERROR,           CURLE_RECV_ERROR,
	        CURLE_GOT_NOTHING,           CURLE_PARTIAL_FILE,         CURLE_HTTP2,
	        CURLE_HTTP2_STREAM,
	};

	for (size_t i = 0; i < sizeof transient / sizeof *transient; i++)
		if (result == transient[i])
			return true;
	return false;
}

/* A status counts even if the transfer failed after it, because the server has already decided. */
static void take_http_answer(struct http_exchange *exchange, CURLcode result, struct http_answer *answer)
{
	long status = 0;
	curl_off_t retry_after = 0;
	char *location = NULL;
	const char *text = exchange->line;

	curl_easy_getinfo(exchange->handle, CURLINFO_RESPONSE_CODE, &status);
	curl_easy_getinfo(exchange->handle, CURLINFO_RETRY_AFTER, &retry_after);
	curl_easy_getinfo(exchange->handle, CURLINFO_REDIRECT_URL, &location);
	if (retry_after > RETRY_AFTER_MAX)
		retry_after = RETRY_AFTER_MAX;
	answer->status = status >= 200 ? (unsigned)status : 0;
	answer->is_transient = is_transient(result);
	answer->retry_after = retry_after > 0 ? (uint64_t)retry_after * 1000 : 0;
	if (answer->status == 0)
		text = exchange->reason[0] != '\0' ? exchange->reason : curl_easy_strerror(result);
	else if (location != NULL)
		text = location;
	snprintf(answer->text, sizeof answer->text, "%.*s", HTTP_TEXT_MAX - 1, text);
}

static enum status http_curl_post(const struct http_request *request, struct http_answer *answer, struct error *error)
{
	struct http_exchange exchange = {.handle = curl_easy_init()};
	bool is_ready =
	        exchange.handle != NULL && set_request(&exchange, request) && set_transfer_options(&exchange, request);

	*answer = (struct http_answer){0};
	if (is_ready)
		take_http_answer(&exchange, curl_easy_perform(exchange.handle), answer);
	curl_easy_cleanup(exchange.handle);
	curl_slist_free_all(exchange.headers);
	return is_ready ? STATUS_OK : status_fail(error, "cannot set up libcurl for a request");
}

const struct http_client http_client_curl = {.parse = http_curl_parse, .post = http_curl_post};
