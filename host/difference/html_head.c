/* SPDX-License-Identifier: MIT */
/* What the page begins with: the builds, what they took and lost, how they were compared, and the rules. */
#include "difference/html.h"

#include "text/text.h"

#include <math.h>
#include <string.h>

/* Rows that broke a rule and are named; of others it is said how many there are. */
#define BREACHES_MAX 20
#define ID_BYTES     8 /* of the build-id, as many as tell builds apart */

/* --- Builds. */

static void print_count(const struct html *html, uint64_t value)
{
	char count[TEXT_COUNT_SIZE];
	fputs(text_format_count(value, count), html->stream);
}

static void print_label(const struct html *html, enum build build)
{
	html_print_text(html->stream, html->options->labels[build]);
}

static void print_id(const struct html *html, enum build build)
{
	const struct image *image = html->comparison->builds[build].image;
	if (image->build_id_size == 0)
		fputs("none", html->stream);
	for (size_t i = 0; i < image->build_id_size && i < ID_BYTES; i++)
		fprintf(html->stream, "%02x", image->build_id[i]);
}

static void print_identity(const struct html *html, enum build build)
{
	html_print_text(html->stream, profile_identity_text(html->comparison->builds[build].profile));
}

static void print_captures(const struct html *html, enum build build)
{
	print_count(html, html->comparison->builds[build].capture_count);
}

static void print_samples(const struct html *html, enum build build)
{
	print_count(html, profile_count_of(html->comparison->builds[build].samples));
}

static void print_time(const struct html *html, double time)
{
	char text[FORMAT_SIZE];
	struct format_unit unit = format_unit_of(html->comparison->time_unit, time);
	fputs(format_quantity(&unit, COMPARE_SELF, time, text), html->stream);
}

static void print_sampled_time(const struct html *html, enum build build)
{
	print_time(html, html->comparison->builds[build].time);
}

static void print_work(const struct html *html, enum build build)
{
	char text[FORMAT_SIZE];
	fputs(format_calls(html->comparison->builds[build].work, text), html->stream);
}

static const struct {
	const char *what;
	void (*print)(const struct html *html, enum build build);
} facts[] = {
        {"firmware", print_label},           {"build-id", print_id},     {"captures", print_captures},
        {"captures are of", print_identity}, {"samples", print_samples}, {"sampled time", print_sampled_time},
        {"units of work", print_work},
};

static void print_facts(const struct html *html)
{
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
		fprintf(html->stream, "<tr><th scope=\"row\">%s</th>", facts[i].what);
		for (enum build build = BUILD_OLD; build < BUILD_COUNT; build++) {
			fprintf(html->stream, "<td>");
			facts[i].print(html, build);
			fprintf(html->stream, "</td>");
		}
		fprintf(html->stream, "<td></td></tr>\n");
	}
}

/* In the words of the report's losses. */
static const struct {
	const char *what;
	size_t offset; /* of its count in struct profile_losses */
} losses[] = {
        {"ticks merged while interrupts were masked", offsetof(struct profile_losses, ticks_missed)},
        {"samples outside the sampled ranges", offsetof(struct profile_losses, samples_outside)},
        {"samples that found the table full", offsetof(struct profile_losses, samples_table_full)},
        {"calls that found the arc table full", offsetof(struct profile_losses, arcs_dropped)},
        {"calls in flight while the block was read", offsetof(struct profile_losses, arcs_in_flight)},
        {"counts lost to full counters", offsetof(struct profile_losses, saturated)},
        {"ticks while the block was read", offsetof(struct profile_losses, skew)},
};

static uint64_t loss_of(const struct html *html, enum build build, size_t offset)
{
	uint64_t count;
	memcpy(&count, (const char *)&html->comparison->builds[build].profile->losses + offset, sizeof count);
	return count;
}

/* What neither build lost is left out. */
static void print_losses(const struct html *html)
{
	for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
		uint64_t old = loss_of(html, BUILD_OLD, losses[i].offset);
		uint64_t new = loss_of(html, BUILD_NEW, losses[i].offset);
		if (old == 0 && new == 0)
			continue;
		fprintf(html->stream, "<tr class=\"broken\"><th scope=\"row\">%s</th><td>", losses[i].what);
		print_count(html, old);
		fprintf(html->stream, "</td><td>");
		print_count(html, new);
		fprintf(html->stream, "</td><td></td></tr>\n");
	}
}

/* --- All of it. */

/* What comes behind "per". */
static void print_unit(const struct html *html)
{
	const struct comparison *comparison = html->comparison;
	if (comparison->unit == COMPARE_PER_SECOND)
		fputs("second", html->stream);
	else if (comparison->unit == COMPARE_PER_SAMPLE)
		fputs("sample", html->stream);
	else {
		fputs("call of ", html->stream);
		html_print_text(html->stream, notes_name(html->notes, comparison->unit_row));
	}
}

static const char *class_of(enum compare_verdict verdict)
{
	return verdict == COMPARE_MORE ? "more" : verdict == COMPARE_LESS ? "less" : "noise";
}

static void print_whole(const struct html *html, enum compare_quantity quantity, const struct compare_change *change)
{
	char text[FORMAT_SIZE];
	struct format_unit unit =
	        format_unit_of(html->comparison->time_unit, fmax(change->values.old, change->values.new));
	fprintf(html->stream, "<td>%s</td>", format_quantity(&unit, quantity, change->values.old, text));
	fprintf(html->stream, "<td>%s</td>", format_quantity(&unit, quantity, change->values.new, text));
	fprintf(html->stream, "<td class=\"%s\">%s", class_of(change->verdict),
	        format_ratio(change->values.ratio, text));
	fprintf(html->stream, " %s</td></tr>\n", format_interval(&change->values.ratio_interval, text));
}

void html_print_builds(const struct html *html)
{
	fprintf(html->stream,
	        "<div class=\"wide\">\n<table class=\"names\">\n<thead><tr><td></td><th scope=\"col\">old</th>"
	        "<th scope=\"col\">new</th><th scope=\"col\">change</th></tr></thead>\n<tbody>\n");
	print_facts(html);
	print_losses(html);
	fprintf(html->stream, "<tr><th scope=\"row\">time per ");
	print_unit(html);
	fprintf(html->stream, "</th>");
	print_whole(html, COMPARE_SELF, &html->comparison->time);
	fprintf(html->stream, "<tr><th scope=\"row\">size of code</th>");
	print_whole(html, COMPARE_SIZE, &html->comparison->size);
	fprintf(html->stream, "</tbody>\n</table>\n</div>\n");
}

static void print_warning_of_one_run(const struct html *html)
{
	const bool *has_spread = html->comparison->has_spread;
	if (has_spread[BUILD_OLD] && has_spread[BUILD_NEW])
		return;
	const char *of = !has_spread[BUILD_OLD] && !has_spread[BUILD_NEW] ? "each build"
	                 : has_spread[BUILD_OLD]                          ? "the new build"
	                                                                  : "the old build";
	fprintf(html->stream,
	        "<p class=\"warning\">Run-to-run variance is unknown: there is one capture of %s. Times are compared "
	        "by "
	        "counting statistics alone.</p>\n",
	        of);
}

void html_print_basis(const struct html *html)
{
	const struct comparison *comparison = html->comparison;
	fprintf(html->stream, "<p>Times and calls are per ");
	print_unit(html);
	if (comparison->is_unit_chosen && comparison->unit == COMPARE_PER_CALL)
		fprintf(html->stream, ", the most-called common root (<code>--per-call-of</code> names another)");
	fprintf(html->stream,
	        ". Intervals hold with a confidence of %g %%; of what is called a change, %g %% at the most are false "
	        "discoveries. A change of less than %g %% is called none.</p>\n",
	        100 * comparison->confidence, 100 * (1 - comparison->confidence), 100 * comparison->min_change);
	print_warning_of_one_run(html);
}

/* --- Rules. */

static void print_breach(const struct html *html, const struct gate_breach *breach)
{
	char text[FORMAT_SIZE];
	fprintf(html->stream, "<br>");
	html_print_text(html->stream,
	                breach->row == PAIRING_NONE ? "the whole firmware" : notes_name(html->notes, breach->row));
	fprintf(html->stream, ": %s", format_ratio(breach->values.ratio, text));
	fprintf(html->stream, " %s", format_interval(&breach->values.ratio_interval, text));
}

static void print_result(const struct html *html, const struct gate_result *result)
{
	bool is_broken = result->breach_count > 0;
	fprintf(html->stream, "<tr><td class=\"%s\">%s</td><th scope=\"row\"><code>", is_broken ? "broken" : "held",
	        is_broken ? "BROKEN" : "held");
	html_print_text(html->stream, result->text);
	fprintf(html->stream, "</code>");
	for (size_t i = 0; i < result->breach_count && i < BREACHES_MAX; i++)
		print_breach(html, &result->breaches[i]);
	if (result->breach_count > BREACHES_MAX)
		fprintf(html->stream, "<br>and %zu more", result->breach_count - BREACHES_MAX);
	fprintf(html->stream, "</th></tr>\n");
}

void html_print_rules(const struct html *html)
{
	if (html->gate->count == 0)
		return;
	fprintf(html->stream,
	        "<section aria-labelledby=\"rules\">\n<h2 id=\"rules\">Rules: %zu of %zu broken</h2>\n"
	        "<table class=\"rules\">\n<tbody>\n",
	        html->gate->broken, html->gate->count);
	for (size_t i = 0; i < html->gate->count; i++)
		print_result(html, &html->gate->items[i]);
	fprintf(html->stream, "</tbody>\n</table>\n</section>\n");
}
