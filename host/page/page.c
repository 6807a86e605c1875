/* SPDX-License-Identifier: MIT */
/* See page.h. */
#include "page/page.h"

#include "page/files.h"

#include <stdbool.h>
#include <string.h>

static void print_lines(FILE *stream, const char *const *lines)
{
	for (; *lines != NULL; lines++)
		fputs(*lines, stream);
}

/* The browser applies and runs only the style and script with these hashes, and loads nothing (Content Security Policy
 * Level 3, 2.3.1). */
static void print_policy(FILE *stream)
{
	fprintf(stream,
	        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; "
	        "form-action 'none'; style-src 'sha256-%s'; script-src 'sha256-%s'\">\n",
	        page_style_hash, page_script_hash);
}

/* The policy's hashes cover every byte between the tags. */
static void print_style(FILE *stream)
{
	fprintf(stream, "<style>");
	print_lines(stream, page_css);
	fprintf(stream, "</style>\n");
}

static void print_script(FILE *stream)
{
	fprintf(stream, "<script>");
	print_lines(stream, page_js);
	fprintf(stream, "</script>\n");
}

static const struct {
	const char *name;
	void (*print)(FILE *stream);
} own_slots[] = {{"policy", print_policy}, {"style", print_style}, {"script", print_script}};

#define SLOT_BEGIN "<!-- "
#define SLOT_END   " -->\n"

/* True if the line is the slot with this name. */
static bool is_slot(const char *line, const char *name)
{
	const size_t begin = strlen(SLOT_BEGIN), length = strlen(name);

	return strncmp(line, SLOT_BEGIN, begin) == 0 && strncmp(line + begin, name, length) == 0 &&
	       strcmp(line + begin + length, SLOT_END) == 0;
}

static void print_line(FILE *stream, const char *line, const struct page_slot *slots, void *context)
{
	for (size_t i = 0; i < sizeof own_slots / sizeof *own_slots; i++)
		if (is_slot(line, own_slots[i].name)) {
			own_slots[i].print(stream);
			return;
		}
	for (; slots->name != NULL; slots++)
		if (is_slot(line, slots->name)) {
			slots->print(context);
			return;
		}
	if (strncmp(line, SLOT_BEGIN, strlen(SLOT_BEGIN)) != 0)
		fputs(line, stream);
}

void page_print(FILE *stream, const struct page_slot *slots, void *context)
{
	for (const char *const *line = page_html; *line != NULL; line++)
		print_line(stream, *line, slots, context);
}
