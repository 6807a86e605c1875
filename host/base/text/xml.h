/* SPDX-License-Identifier: MIT */
/* Text escaped for XML (1.0, fifth edition) and HTML. */
#ifndef BASE_TEXT_XML_H
#define BASE_TEXT_XML_H

#include <stdio.h>

/* Text between tags or in quoted attributes: special characters become references; characters that XML forbids or
 * text_print() escapes become \xNN. */
void xml_print(FILE *stream, const char *text);

#endif
