/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as code of each instruction set: its blocks, its calls, its fingerprints, its call sites. The first byte
 * chooses it, the second how far apart functions begin; the rest is code, and data as well. From REPEATED on, the code
 * is repeated up to CODE_MAX, and only its blocks are found: a few bytes then show quadratic time. What an ELF may lie
 * about is fuzz_image.c's business.
 */
#include "firmware/calls/call_sites.h"
#include "firmware/calls/calls.h"
#include "firmware/calls/code_map.h"
#include "firmware/calls/fingerprint.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define BASE          0x10000u
#define FUNCTIONS_MAX 64
#define REPEATED      250
#define CODE_MAX      0x18000u
#define HOOK          "mcount"
#define COUNT(array)  (sizeof(array) / sizeof *(array))

static const struct {
	enum image_isa isa;
	unsigned machine, address_size;
	bool big_endian;
} machines[] = {
        {IMAGE_ISA_ARM, EM_ARM, 4, false},     {IMAGE_ISA_ARM, EM_ARM, 4, true},  {IMAGE_ISA_RISCV, EM_RISCV, 4, false},
        {IMAGE_ISA_RISCV, EM_RISCV, 8, false}, {IMAGE_ISA_X86, EM_386, 4, false}, {IMAGE_ISA_X86, EM_X86_64, 8, false},
};

/* The smallest firmware that can be opened: what it lacks is set in the image. */
struct firmware {
	Elf32_Ehdr header;
	Elf32_Shdr sections[4];
	Elf32_Sym symbols[2];
	char strings[1 + sizeof HOOK];
	uint8_t code[4];
};

static const struct firmware firmware = {
        .header =
                {
                        .e_ident = {0x7F, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
                        .e_type = ET_EXEC,
                        .e_machine = EM_ARM,
                        .e_version = EV_CURRENT,
                        .e_shoff = offsetof(struct firmware, sections),
                        .e_ehsize = sizeof(Elf32_Ehdr),
                        .e_shentsize = sizeof(Elf32_Shdr),
                        .e_shnum = 4,
                        .e_shstrndx = 3,
                },
        .sections =
                {
                        {.sh_type = SHT_NULL},
                        {.sh_type = SHT_PROGBITS,
                         .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                         .sh_addr = BASE,
                         .sh_offset = offsetof(struct firmware, code),
                         .sh_size = 4},
                        {.sh_type = SHT_SYMTAB,
                         .sh_link = 3,
                         .sh_offset = offsetof(struct firmware, symbols),
                         .sh_size = 2 * sizeof(Elf32_Sym),
                         .sh_entsize = sizeof(Elf32_Sym)},
                        {.sh_type = SHT_STRTAB,
                         .sh_offset = offsetof(struct firmware, strings),
                         .sh_size = 1 + sizeof HOOK},
                },
        .symbols = {{0}, {.st_name = 1, .st_value = BASE, .st_size = 4, .st_info = STT_FUNC, .st_shndx = 1}},
        .strings = "\0" HOOK,
};

static struct image *open_firmware(void)
{
	struct image *image;
	struct error error;
	if (image_decode("fuzz.elf", (const uint8_t *)&firmware, sizeof firmware, &image, &error) != STATUS_OK)
		abort();
	return image;
}

/* Functions that begin every `distance` bytes; those of odd number lack a byte at their end, some have two extents,
 * some were inlined into the first one. */
static size_t divide(struct image_function functions[FUNCTIONS_MAX], uint64_t distance, uint64_t size)
{
	size_t count = 0;
	static char names[FUNCTIONS_MAX][4];
	for (uint64_t start = 0; count < FUNCTIONS_MAX && start + distance <= size; start += distance, count++) {
		names[count][0] = (char)('0' + count);
		functions[count] = (struct image_function){
		        .name = names[count],
		        .start = BASE + start,
		        .end = BASE + start + distance - (count & 1),
		        .first = count % 4 == 3 ? count - 2 : count,
		        .inlined_into = count % 4 == 2 ? 0 : IMAGE_NOT_INLINED,
		};
	}
	return count;
}

/* What calls.h promises, whatever the code. */
static void check(const struct image *image, const struct calls *calls)
{
	for (size_t i = 0; i < calls->count; i++) {
		const struct call *call = &calls->items[i];
		bool rises = i == 0 || calls->items[i - 1].site <= call->site;
		bool has_target =
		        call->kind == CALL_INDIRECT ? call->target == 0 : image_code_at(image, call->target) != NULL;
		bool is_in_code = call->length == 0 || (image_code_at(image, call->site) != NULL &&
		                                        image_code_at(image, call->site + call->length - 1) != NULL);
		if (!rises || !has_target || !is_in_code || call->length > CALL_LENGTH_MAX ||
		    (call->length == 0) > (call->kind == CALL_ADDRESS))
			abort();
	}
}

/* No more instructions than bytes, and none of what is part of another function. */
static void check_fingerprints(const struct image *image)
{
	bool wanted[FUNCTIONS_MAX];
	struct fingerprint fingerprints[FUNCTIONS_MAX];
	memset(wanted, true, sizeof wanted);
	if (!fingerprints_find(image, wanted, fingerprints))
		abort();
	for (size_t i = 0; i < image->function_count; i++) {
		const struct image_function *function = &image->functions[i];
		bool is_part = function->first != i || function->inlined_into != IMAGE_NOT_INLINED;
		if (fingerprints[i].instructions > image->code->size || (is_part && fingerprints[i].instructions > 0))
			abort();
	}
}

static struct call_site check_site(struct call_sites *sites, uint64_t return_address, uint64_t callee)
{
	struct call_site site;
	if (!call_sites_check(sites, return_address, callee, &site))
		abort();
	return site;
}

/* What was found by decoding all code is a call site, and a direct call may reach what it calls. Functions may begin at
 * odd addresses here; no Thumb code does. */
static void check_found_sites(const struct image *image, struct call_sites *sites, const struct calls *calls)
{
	uint64_t thumb_bit = image_thumb_bit(image);
	for (size_t i = 0; i < calls->count; i++) {
		const struct call *call = &calls->items[i];
		uint64_t callee = call->kind == CALL_INDIRECT ? BASE : call->target;
		bool is_call = call->kind == CALL_DIRECT || call->kind == CALL_INDIRECT;
		bool is_possible = thumb_bit == 0 || (call->site & 1) == 0;
		if (is_call && is_possible &&
		    check_site(sites, (call->site + call->length) | thumb_bit, callee).is_false)
			abort();
	}
}

/* False callers are in the code, or 0; each place as return address, and several callees. */
static void check_sites(const struct image *image, const struct calls *calls)
{
	struct call_sites *sites = call_sites_create(image);
	if (sites == NULL)
		abort();
	check_found_sites(image, sites, calls);
	for (uint64_t offset = 0; offset <= image->code->size + 2; offset++) {
		const struct call_site site = check_site(sites, BASE + offset, BASE + offset / 2);
		if ((site.is_false && offset > image->code->size) || (site.is_entry && !site.is_false))
			abort();
	}
	if (!check_site(sites, 0, BASE).is_entry || check_site(sites, 0x80000000, BASE).is_false)
		abort();
	call_sites_free(sites);
}

/* Blocks follow each other without a gap and have all instructions. */
static void check_blocks(const struct image *image)
{
	struct code_map *map = code_map_create(image);
	bool is_decoded = calls_can_decode(image) && !image->big_endian;
	uint64_t end_of_code = BASE + image->code->size, instructions = 0, end;
	if (map == NULL)
		abort();
	for (uint64_t low = BASE; low < end_of_code; low = end) {
		end = code_map_block_end(map, low, end_of_code);
		instructions += code_map_instructions(map, low, end);
		if (end <= low || end > end_of_code || !code_map_begins_block(map, low) ||
		    (is_decoded && code_map_block_start(map, low, end - 1) != low))
			abort();
	}
	if (instructions != code_map_instructions(map, BASE, end_of_code) || instructions > image->code->size)
		abort();
	for (size_t i = 0; i < image->function_count; i++)
		if (code_map_is_instrumented(map, i) && !is_decoded)
			abort();
	code_map_free(map);
}

/* This many copies of the code, in memory of exactly their size. */
static uint8_t *repeat(const uint8_t *bytes, size_t size, size_t times)
{
	uint8_t *code = malloc(size * times);
	if (code == NULL)
		abort();
	for (size_t i = 0; i < times; i++)
		memcpy(code + i * size, bytes, size);
	return code;
}

static void check_calls(const struct image *image)
{
	struct calls calls;
	struct error error;
	if (calls_find(image, &calls, &error) != STATUS_OK)
		abort();
	check(image, &calls);
	check_fingerprints(image);
	check_sites(image, &calls);
	calls_free(&calls);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 4)
		return 0;
	struct image_function functions[FUNCTIONS_MAX];
	size_t machine = data[0] % COUNT(machines);
	uint64_t distance = 2 + data[1];
	size_t times = data[0] >= REPEATED && size < CODE_MAX ? CODE_MAX / (size - 2) : 1;
	size_t code_size = times * (size - 2);
	uint8_t *bytes = repeat(data + 2, size - 2, times);
	struct image_code code = {.name = ".text", .address = BASE, .size = code_size, .bytes = bytes};
	struct image_code words = {.name = ".got", .address = 0, .size = code_size, .bytes = bytes};
	struct image *opened = open_firmware();
	struct image image = *opened;
	image.isa = machines[machine].isa;
	image.machine = machines[machine].machine;
	image.address_size = machines[machine].address_size;
	image.big_endian = machines[machine].big_endian;
	image.code = &code;
	image.data = &words;
	image.data_count = 1;
	image.functions = functions;
	image.function_count = divide(functions, distance, code_size);
	check_blocks(&image);
	if (times == 1)
		check_calls(&image);
	image_close(opened);
	free(bytes);
	return 0;
}
