/* SPDX-License-Identifier: MIT */
/* The table of formats. */
#include "diff/formats/diff.h"

#include "diff/formats/output.h"

const struct diff_format *const diff_formats[] = {
        &diff_text, &diff_markdown, &diff_json, &diff_junit, &diff_folded, &diff_html, NULL,
};

enum status diff_write(const struct diff_format *format, const struct comparison *comparison,
                       const struct rule_results *rules, const struct diff_output_options *options, FILE *stream,
                       struct error *error)
{
	struct diff_output output = {
	        .format = format, .comparison = comparison, .rules = rules, .options = options, .stream = stream};
	enum status status = notes_create(comparison, options->names, &output.notes, error);

	if (status == STATUS_OK)
		status = head_create(comparison, &output.notes, options, &output.head, error);
	if (status == STATUS_OK)
		status = format->write(&output, error);
	head_free(&output.head);
	notes_free(&output.notes);
	return status;
}
