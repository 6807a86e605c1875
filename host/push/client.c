/* SPDX-License-Identifier: MIT */
/* The HTTP client of this build. */
#include "push/http.h"

#ifdef HAVE_LIBCURL
extern const struct http_client http_client_curl;

const struct http_client *const http_client = &http_client_curl;
#else
const struct http_client *const http_client = NULL;
#endif
