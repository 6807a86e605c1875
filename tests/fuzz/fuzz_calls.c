/* SPDX-License-Identifier: MIT */
/*
 * Arbitrary code of each instruction set: its blocks, calls, fingerprints and call sites. The first byte chooses the
 * instruction set, the second the distance between functions; the rest is code, and data as well. If the first byte is
 * REPEATED or above, the code is repeated up to CODE_MAX and only its blocks are found, so that a few bytes show
 * quadratic time. Damaged ELFs are tested by fuzz_image.c.
 */
#include "fuzz.h"

#include "firmware/calls/call_sites.h"
#include "firmware/calls/calls.h"
#include "firmware/calls/code_map.h"
#include "firmware/calls/decoder.h"
#include "firmware/calls/fingerprint.h"
#include "firmware/private.h"

#include <elf.h>
#include <string.h>

#define BASE          0x10000u
#define FUNCTIONS_MAX 64
#define REPEATED      250
#define CODE_MAX      0x18000u
#define COUNT(array)  (sizeof(array) / sizeof *(array))

static const struct {
	enum image_isa isa;
	unsigned machine, address_size;
	bool big_endian;
} machines[] = {
        {IMAGE_ISA_ARM, EM_ARM, 4, false},
        {IMAGE_ISA_ARM, EM_ARM, 4, true},
        {IMAGE_ISA_RISCV, EM_RISCV, 4, false},
        {IMAGE_ISA_RISCV, EM_RISCV, 8, false},
};

/* Functions that begin every `distance` bytes. Those with odd numbers end a byte early, some have two extents, and some
 * were inlined into the first one. */
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

/* The guarantees of calls.h. */
static void check(const struct image *image, const struct calls *calls)
{
	for (size_t i = 0; i < calls->count; i++) {
		const struct call *call = &calls->items[i];
		bool rises = i == 0 || calls->items[i - 1].site <= call->site;
		bool has_target =
		        call->kind == CALL_INDIRECT ? call->target == 0 : image_code_at(image, call->target) != NULL;
		bool is_in_code = call->length == 0 || (image_code_at(image, call->site) != NULL &&
		                                        image_code_at(image, call->site + call->length - 1) != NULL);

		require(rises && has_target && is_in_code && call->length <= INSTRUCTION_MAX &&
		        (call->length == 0) <= (call->kind == CALL_ADDRESS));
	}
}

/* No function has more instructions than bytes, and parts of other functions have none. */
static void check_fingerprints(const struct image *image)
{
	bool wanted[FUNCTIONS_MAX];
	struct fingerprint fingerprints[FUNCTIONS_MAX];

	memset(wanted, true, sizeof wanted);
	require(fingerprints_find(image, wanted, fingerprints));
	for (size_t i = 0; i < image->function_count; i++) {
		const struct image_function *function = &image->functions[i];
		bool is_part = function->first != i || function->inlined_into != IMAGE_NOT_INLINED;

		require(fingerprints[i].instructions <= image->code->size &&
		        (!is_part || fingerprints[i].instructions == 0));
	}
}

static struct call_site check_site(struct call_sites *sites, uint64_t return_address, uint64_t callee)
{
	struct call_site site;

	require(call_sites_check(sites, return_address, callee, &site));
	return site;
}

/* Every call found by decoding all code is a call site, and a direct call may reach its target. Here functions may
 * begin at odd addresses, but Thumb code does not. */
static void check_found_sites(const struct image *image, struct call_sites *sites, const struct calls *calls)
{
	uint64_t thumb_bit = image_thumb_bit(image);

	for (size_t i = 0; i < calls->count; i++) {
		const struct call *call = &calls->items[i];
		uint64_t callee = call->kind == CALL_INDIRECT ? BASE : call->target;
		bool is_call = call->kind == CALL_DIRECT || call->kind == CALL_INDIRECT;
		bool is_possible = thumb_bit == 0 || (call->site & 1) == 0;

		require(!is_call || !is_possible ||
		        !check_site(sites, (call->site + call->length) | thumb_bit, callee).is_false);
	}
}

/* Tries each address as a return address, with several callees. False callers are in the code, or 0. */
static void check_sites(const struct image *image, const struct calls *calls)
{
	struct call_sites *sites = call_sites_create(image);

	require(sites != NULL);
	check_found_sites(image, sites, calls);
	for (uint64_t offset = 0; offset <= image->code->size + 2; offset++) {
		const struct call_site site = check_site(sites, BASE + offset, BASE + offset / 2);

		require((!site.is_false || offset <= image->code->size) && (!site.is_entry || site.is_false));
	}
	require(check_site(sites, 0, BASE).is_entry && !check_site(sites, 0x80000000, BASE).is_false);
	call_sites_free(sites);
}

/* Blocks are adjacent and contain all instructions. */
static void check_blocks(const struct image *image)
{
	struct code_map *map = code_map_create(image);
	bool is_decoded = !image->big_endian;
	uint64_t end_of_code = BASE + image->code->size, instructions = 0, end;

	require(map != NULL);
	for (uint64_t low = BASE; low < end_of_code; low = end) {
		end = code_map_block_end(map, low, end_of_code);
		instructions += code_map_instructions(map, low, end);
		require(end > low && end <= end_of_code && code_map_begins_block(map, low) &&
		        (!is_decoded || code_map_block_start(map, low, end - 1) == low));
	}
	require(instructions == code_map_instructions(map, BASE, end_of_code) && instructions <= image->code->size);
	for (size_t i = 0; i < image->function_count; i++)
		require(!code_map_is_instrumented(map, i) || is_decoded);
	code_map_free(map);
}

/* Copies of the code, in memory of exactly their size. */
static uint8_t *repeat(const uint8_t *bytes, size_t size, size_t times)
{
	uint8_t *code = malloc(size * times);

	require(code != NULL);
	for (size_t i = 0; i < times; i++)
		memcpy(code + i * size, bytes, size);
	return code;
}

static void check_calls(const struct image *image)
{
	struct calls calls;
	struct error error;

	require(calls_find(image, &calls, &error) == STATUS_OK);
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
	struct image_private private = {.size = 0};
	const struct image image = {
	        .path = "fuzz.elf",
	        .isa = machines[machine].isa,
	        .machine = machines[machine].machine,
	        .address_size = machines[machine].address_size,
	        .big_endian = machines[machine].big_endian,
	        .functions = functions,
	        .function_count = divide(functions, distance, code_size),
	        .code = &code,
	        .code_count = 1,
	        .data = &words,
	        .data_count = 1,
	        .hooks = {BASE},
	        .hook_count = 1,
	        .private = &private,
	};
	check_blocks(&image);
	if (times == 1)
		check_calls(&image);
	free(bytes);
	return 0;
}
