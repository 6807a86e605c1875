/* SPDX-License-Identifier: MIT */
/* See code.h. */
#include "code.h"
#include "test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SYMBOLS_MAX  16
#define COUNT(array) (sizeof(array) / sizeof *(array))

uint64_t code_put(struct code *code, uint64_t address, const char *hexadecimal)
{
	for (const char *next = hexadecimal; *next != '\0';) {
		char *end;

		unsigned long value = strtoul(next, &end, 16);
		for (; end > next; next += 2, value >>= 8) {
			assert_in_range(address, CODE_BASE, CODE_BASE + CODE_SIZE - 1);
			code->bytes[address++ - CODE_BASE] = (uint8_t)value;
		}
		while (*next == ' ')
			next++;
	}
	return address;
}

struct image *code_image(const struct code *code)
{
	struct elf_writer_section sections[2] = {
	        {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, CODE_BASE, code->size, code->bytes},
	};
	struct elf_writer_symbol symbols[SYMBOLS_MAX] = {
	        {"f", CODE_BASE, 0x40, STB_GLOBAL, STT_FUNC, 1},
	        {"g", CODE_BASE + 0x40, 0x40, STB_GLOBAL, STT_FUNC, 1},
	        {"h", CODE_BASE + 0x80, 0x40, STB_GLOBAL, STT_FUNC, 1},
	};
	size_t symbol_count = 3;

	if (code->f_size != 0)
		symbols[0].size = code->f_size;
	if (code->size == 0)
		sections[0].size = CODE_SIZE;
	if (code->data != NULL)
		sections[1] = *code->data;
	for (size_t i = 0; code->symbols != NULL && code->symbols[i].name != NULL; i++)
		symbols[symbol_count++] = code->symbols[i];
	return elf_writer_image(&(struct elf_writer_plan){
	        .class = code->class,
	        .order = code->is_big_endian ? ELFDATA2MSB : ELFDATA2LSB,
	        .machine = code->machine,
	        .sections = sections,
	        .section_count = code->data != NULL ? 2 : 1,
	        .symbols = symbols,
	        .symbol_count = symbol_count,
	});
}

static void append(char text[CODE_TEXT], const struct call *call)
{
	static const char *const kinds[] = {"direct", "tail", "indirect", "address"};
	size_t length = strlen(text);
	const char *comma = length > 0 ? ", " : "";

	if (call->kind == CALL_INDIRECT)
		snprintf(text + length, CODE_TEXT - length, "%s%s %" PRIx64, comma, kinds[call->kind], call->site);
	else
		snprintf(text + length, CODE_TEXT - length, "%s%s %" PRIx64 ">%" PRIx64, comma, kinds[call->kind],
		         call->site, call->target);
}

const char *code_calls(const struct code *code, char text[CODE_TEXT])
{
	struct calls calls;
	struct image *image = code_image(code);

	assert_success(calls_find(image, &calls, &failure), &failure);
	text[0] = '\0';
	for (size_t i = 0; i < calls.count; i++)
		append(text, &calls.items[i]);
	calls_free(&calls);
	return text;
}

bool code_has_direct(const char *text)
{
	return strncmp(text, "direct", strlen("direct")) == 0 || strstr(text, ", direct") != NULL;
}

void code_expect(const struct code *code, const char *title, const char *expected)
{
	char text[CODE_TEXT];

	if (strcmp(code_calls(code, text), expected) != 0)
		fail_msg("%s: found '%s', expected '%s'", title, text, expected);
}
