/* SPDX-License-Identifier: MIT */
/* How a warning is printed. */
#include "base/text/text.h"
#include "report/report.h"

#include <stdarg.h>

void report_begin_warning(const struct report *report)
{
	text_begin(report->stream, report->colour, TEXT_WARNING);
	fprintf(report->stream, "Warning   ");
}

void report_end_warning(const struct report *report)
{
	text_end(report->stream, report->colour);
	fputc('\n', report->stream);
}

void report_warn(const struct report *report, const char *subject, const char *format, ...)
{
	va_list arguments;

	report_begin_warning(report);
	text_print(report->stream, subject != NULL ? subject : "");
	va_start(arguments, format);
	vfprintf(report->stream, format, arguments);
	va_end(arguments);
	report_end_warning(report);
}
