/* SPDX-License-Identifier: MIT */
/* See output.h. */
#include "diff/formats/output.h"

#include "base/text/text.h"
#include "diff/formats/format.h"

#include <stdint.h>

void output_print_name(const struct diff_output *output, size_t row)
{
	const char *note = notes_text(&output->notes, row);

	output->format->print_name(output->stream, notes_name(&output->notes, row));
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
	else if (output->format->has_notes_in_breaches)
		output_print_name(output, breach->row);
	else
		output->format->print_name(output->stream, notes_name(&output->notes, breach->row));
	fputs(": ", output->stream);
	format_values(output->comparison, result->quantity, &breach->values, result->is_point, text);
	output->format->print_numbers(output->stream, text);
}

void output_print_breaches(const struct diff_output *output, const struct rule_result *result)
{
	const struct diff_format *format = output->format;
	size_t max = format->lists_all_breaches && output->options->all ? SIZE_MAX : format->breaches_max;

	if (result->breach_count == 0 && result->has_nearest) {
		fprintf(output->stream, "%snearest: ", format->breach_begin);
		output_print_breach(output, result, &result->nearest);
		fputs(format->breach_end, output->stream);
	}
	for (size_t i = 0; i < result->breach_count && i < max; i++) {
		fputs(format->breach_begin, output->stream);
		output_print_breach(output, result, &result->breaches[i]);
		fputs(format->breach_end, output->stream);
	}
	if (result->breach_count <= max)
		return;
	fprintf(output->stream, "%sand %zu more", format->breach_begin, result->breach_count - max);
	if (format->lists_all_breaches)
		fprintf(output->stream, "; %s", output->options->hints[HINT_SHOW_ALL]);
	fputs(format->breach_end, output->stream);
}

void output_begin_row(const struct diff_output *output, const struct compare_row *row)
{
	enum compare_verdict verdict = COMPARE_NOISE;

	for (size_t i = COMPARE_SELF; verdict == COMPARE_NOISE && i <= COMPARE_PER_CALL_TIME; i++)
		if (compare_is_change(&row->changes[i]))
			verdict = row->changes[i].verdict;
	text_begin(output->stream, output->options->colour,
	           verdict == COMPARE_MORE   ? TEXT_WARNING
	           : verdict == COMPARE_LESS ? TEXT_GOOD
	                                     : TEXT_DIM);
}
