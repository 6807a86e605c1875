/* SPDX-License-Identifier: MIT */
/* Credentials of push. No message repeats them. */
#include "base/file/file.h"
#include "command/push_options.h"

#include <stdlib.h>
#include <string.h>

#define CREDENTIAL_MAX ((size_t)65536)

/* A control character would end the HTTP header that contains the credential. */
static bool is_sendable(const char *text)
{
	for (; *text != '\0'; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7F)
			return false;
	return true;
}

/* where: the name of the file or of the variable. */
static enum status check_credential(const char *text, const char *where, bool is_user, struct error *error)
{
	if (text[0] == '\0')
		return status_fail(error, "%s: empty: expected a %s", where, is_user ? "USER:PASSWORD" : "token");
	if (!is_sendable(text))
		return status_fail(error, "%s: contains a control character: expected one line", where);
	if (is_user && strchr(text, ':') == NULL)
		return status_fail(error, "%s: contains no colon: expected USER:PASSWORD", where);
	return STATUS_OK;
}

/* The first line of the file; the caller frees *text. */
static enum status read_first_line(const char *path, char **text, struct error *error)
{
	uint8_t *bytes;
	size_t size;
	enum status status = file_read_limited(path, CREDENTIAL_MAX, &bytes, &size, error);

	if (status != STATUS_OK)
		return status;
	while (size > 0 && strchr("\r\n", bytes[size - 1]) != NULL && bytes[size - 1] != '\0')
		size--;
	bool has_zero = memchr(bytes, 0, size) != NULL;
	*text = has_zero ? NULL : strndup((const char *)bytes, size);
	free(bytes);
	if (has_zero)
		return status_fail(error, "%s: contains a zero byte: expected one line", path);
	return *text != NULL ? STATUS_OK : status_no_memory(error, path);
}

static enum status read_credential(const char *path, const char *variable, bool is_user, char **text,
                                   struct error *error)
{
	const char *value = path == NULL ? getenv(variable) : NULL;
	enum status status = STATUS_OK;

	if (path != NULL)
		status = read_first_line(path, text, error);
	else if (value != NULL && (*text = strdup(value)) == NULL)
		status = status_no_memory(error, variable);
	if (status != STATUS_OK || *text == NULL)
		return status;
	return check_credential(*text, path != NULL ? path : variable, is_user, error);
}

enum status push_credentials_read(const struct push_options *options, const struct http_address *address,
                                  struct http_credentials *credentials, struct error *error)
{
	const bool has_file = options->token_file != NULL || options->user_file != NULL;
	enum status status = STATUS_OK;

	if (options->token_file != NULL || !has_file)
		status = read_credential(options->token_file, "BAREPROF_PUSH_TOKEN", false, &credentials->token, error);
	if (status == STATUS_OK && (options->user_file != NULL || !has_file))
		status = read_credential(options->user_file, "BAREPROF_PUSH_USER", true, &credentials->user, error);
	if (status != STATUS_OK)
		return status;
	if (credentials->token != NULL && credentials->user != NULL)
		return status_usage(error, "push: both a token and a user are given: a request can carry only one");
	if ((credentials->token != NULL || credentials->user != NULL) && !address->is_confidential)
		return status_usage(error, "%.200s: credentials are not sent unencrypted: use https://", address->text);
	return STATUS_OK;
}

void push_credentials_free(struct http_credentials *credentials)
{
	free(credentials->token);
	free(credentials->user);
	*credentials = (struct http_credentials){0};
}
