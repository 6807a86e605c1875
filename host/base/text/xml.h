/* SPDX-License-Identifier: MIT */
/* Text of XML (1.0, fifth edition) and of HTML. Knows nothing of what it says. */
#ifndef BASE_TEXT_XML_H
#define BASE_TEXT_XML_H

#include <stdio.h>

/* Between tags or within quotes: what means something to XML is escaped as XML does it; what XML must not hold, and
 * what text_print() escapes, becomes \xNN. */
void xml_print(FILE *stream, const char *text);

#endif
