/* SPDX-License-Identifier: MIT */
/* See output.h. */
#include "diff/formats/output.h"

#include "base/text/text.h"
#include "diff/formats/columns.h"

#define BREACHES_MAX 20 /* listed in one cell */

void output_print_name(const struct diff_output *output, size_t row)
{
	const char *note = notes_text(output->notes, row);

	output->format->print_name(output->stream, notes_name(output->notes, row));
	if (note[0] == '\0')
		return;
	fputs(" (", output->stream);
	output->format->print_text(output->stream, note);
	fputc(')', output->stream);
}

void output_print_breach(const struct diff_output *output, const struct rule_result *result,
                         const struct rule_breach *breach)
{
	char text[FORMAT_VALUES_SIZE];

	if (breach->row == PAIRING_NONE)
		fputs("the firmware", output->stream);
	else
		output->format->print_name(output->stream, notes_name(output->notes, breach->row));
	fputs(": ", output->stream);
	output->format->print_numbers(output->stream, format_breach(output->comparison, result, breach, text));
}

void output_print_breaches_as_lines(const struct diff_output *output, const struct rule_result *result)
{
	if (result->breach_count == 0 && result->has_nearest) {
		fputs("<br>nearest: ", output->stream);
		output_print_breach(output, result, &result->nearest);
	}
	for (size_t i = 0; i < result->breach_count && i < BREACHES_MAX; i++) {
		fputs("<br>", output->stream);
		output_print_breach(output, result, &result->breaches[i]);
	}
	if (result->breach_count > BREACHES_MAX)
		fprintf(output->stream, "<br>and %zu more", result->breach_count - BREACHES_MAX);
}

void output_begin_row(const struct diff_output *output, const struct compare_row *row)
{
	enum compare_verdict verdict = columns_verdict(row);

	text_begin(output->stream, output->options->colour,
	           verdict == COMPARE_MORE   ? TEXT_WARNING
	           : verdict == COMPARE_LESS ? TEXT_GOOD
	                                     : TEXT_DIM);
}
