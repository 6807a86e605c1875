/* SPDX-License-Identifier: MIT */
/* The parts of the page of a profile. Private to report/. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "base/text/json.h"
#include "report/report.h"
#include "report/source.h"
#include "report/views.h"

struct html {
	struct report report; /* of the whole profile, with its parts */
	struct sources sources;
	struct error *error;
	enum status status; /* STATUS_OK until a part fails */
};

/* Adds the source and the instructions of the functions with the most time. */
void html_add_code(struct html *html, struct json *json);
/* Prints all data of the page, for its scripts. context: a struct html. */
void html_print_profile(void *context);

#endif
