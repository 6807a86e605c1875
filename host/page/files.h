/* SPDX-License-Identifier: MIT */
/* The files of assets/ as the build embeds them (host/embed.awk). Private to page/. */
#ifndef PAGE_FILES_H
#define PAGE_FILES_H

/* NULL-terminated arrays of lines, and the hashes of the last two for a Content-Security-Policy. */
extern const char *const page_html[], *const page_css[], *const page_js[];
extern const char page_style_hash[], page_script_hash[];

#endif
