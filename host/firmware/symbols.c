/* SPDX-License-Identifier: MIT */
/* The ELF's symbol table, by entry and by name. */
#include "firmware/bits.h"
#include "firmware/private.h"

#include <limits.h>
#include <string.h>

const char *image_string(const struct image *image, const struct image_section *table, uint64_t offset)
{
	if (table->type != SHT_STRTAB || offset >= table->size)
		return "";
	/* If the table ends in NUL all its strings are terminated, so none needs a scan. */
	const uint8_t *strings = image->private->bytes + table->offset;
	if (strings[table->size - 1] != 0)
		return "";
	return (const char *)strings + offset;
}

static void find_hooks(struct image *image)
{
	static const char *const names[IMAGE_HOOKS_MAX] = {"__gnu_mcount_nc", "_mcount", "mcount",
	                                                   "__cyg_profile_func_enter"};

	for (size_t i = 0; i < IMAGE_HOOKS_MAX; i++)
		if (image_symbol(image, names[i], &image->hooks[image->hook_count]))
			image->hook_count++;
}

bool image_is_hook(const struct image *image, uint64_t address)
{
	for (size_t i = 0; i < image->hook_count; i++)
		if (image->hooks[i] == address)
			return true;
	return false;
}

static size_t find_symbol_section(const struct image_private *private, uint32_t type, uint32_t link)
{
	for (size_t i = 1; i < private->section_count; i++)
		if (private->sections[i].type == type && (link == 0 || private->sections[i].link == link))
			return i;
	return 0;
}

static enum status load_symbol_table(struct image *image, size_t table, struct error *error)
{
	struct image_private *private = image->private;
	const struct image_section *section = &private->sections[table];

	if (section->link >= private->section_count || private->sections[section->link].type != SHT_STRTAB)
		return status_fail(
		        error, "%s: the symbol table (section %zu) refers to section %u, which is not a string table",
		        image->path, table, (unsigned)section->link);
	private->symbol_names = &private->sections[section->link];
	private->symbols = elf_getdata(elf_getscn(private->elf, table), NULL);
	if (private->symbols == NULL)
		return status_fail(error, "%s: the symbol table (section %zu) cannot be read: %s", image->path, table,
		                   elf_errmsg(-1));
	private->symbol_count = private->symbols->d_size / gelf_fsize(private->elf, ELF_T_SYM, 1, EV_CURRENT);
	if (private->symbol_count > INT_MAX)
		return status_fail(error, "%s: %zu symbols are more than can be read", image->path,
		                   private->symbol_count);
	size_t indices = find_symbol_section(private, SHT_SYMTAB_SHNDX, (uint32_t)table);
	if (indices != 0)
	private->symbol_section_indices = elf_getdata(elf_getscn(private->elf, indices), NULL);
	return STATUS_OK;
}

enum status image_load_symbols(struct image *image, struct error *error)
{
	size_t table = find_symbol_section(image->private, SHT_SYMTAB, 0);

	if (table == 0)
		return status_fail(error, "%s: no symbol table: build with symbols or do not strip", image->path);
	enum status status = load_symbol_table(image, table, error);
	if (status != STATUS_OK)
		return status;
	find_hooks(image);
	return STATUS_OK;
}

/* NULL for symbols without a section: absolute, undefined, common. */
static const struct image_section *section_of(const struct image_private *private, const GElf_Sym *symbol,
                                              Elf32_Word extended_index)
{
	size_t index = symbol->st_shndx;

	if (index == SHN_XINDEX)
		index = extended_index;
	else if (index >= SHN_LORESERVE)
		return NULL;
	return index > 0 && index < private->section_count ? &private->sections[index] : NULL;
}

bool image_names_function(const struct elf_symbol *symbol)
{
	return symbol->type == STT_FUNC || symbol->type == STT_GNU_IFUNC;
}

bool image_symbol_at(const struct image *image, size_t index, struct elf_symbol *symbol)
{
	const struct image_private *private = image->private;
	GElf_Sym entry;
	Elf32_Word extended_index = 0;

	if (gelf_getsymshndx(private->symbols, private->symbol_section_indices, (int)index, &entry, &extended_index) ==
	    NULL)
		return false;
	*symbol = (struct elf_symbol){
	        .name = image_string(image, private->symbol_names, entry.st_name),
	        .value = entry.st_value,
	        .size = entry.st_size,
	        .type = GELF_ST_TYPE(entry.st_info),
	        .binding = GELF_ST_BIND(entry.st_info),
	        .defined = entry.st_shndx != SHN_UNDEF,
	        .section = section_of(private, &entry, extended_index),
	};
	/* ELF for the Arm Architecture, 5.5.3: bit 0 of a function address selects the instruction set. */
	if (image_names_function(symbol))
		symbol->value &= ~image_thumb_bit(image);
	return true;
}

static bool is_symbol_named(const struct elf_symbol *symbol, const char *name)
{
	return symbol->defined && symbol->type != STT_SECTION && symbol->type != STT_FILE &&
	       strcmp(symbol->name, name) == 0;
}

unsigned image_binding_rank(unsigned binding)
{
	switch (binding) {
	case STB_LOCAL:
		return 2;
	case STB_WEAK:
		return 1;
	default:
		return 0;
	}
}

/* The first global symbol of this name, else the first weak one, else the first local one. */
bool image_object(const struct image *image, const char *name, uint64_t *value, uint64_t *size)
{
	unsigned best = UINT_MAX;

	for (size_t i = 0; i < image->private->symbol_count; i++) {
		struct elf_symbol symbol;

		if (!image_symbol_at(image, i, &symbol) || !is_symbol_named(&symbol, name))
			continue;
		unsigned rank = image_binding_rank(symbol.binding);
		if (rank < best) {
			best = rank;
			*value = symbol.value;
			*size = symbol.size;
		}
	}
	return best != UINT_MAX;
}

bool image_symbol(const struct image *image, const char *name, uint64_t *value)
{
	uint64_t size;

	return image_object(image, name, value, &size);
}

/* --- The main stack. */

/* The initial stack pointer of Arm's M profile (Armv7-M ARM B1.5.3). */
static uint64_t first_vector(const struct image *image)
{
	const struct image_private *private = image->private;

	for (size_t i = 0; image->isa == IMAGE_ISA_ARM && i < private->section_count; i++) {
		const struct image_section *section = &private->sections[i];

		if (section->type == SHT_PROGBITS && (section->flags & SHF_ALLOC) != 0 && section->size >= 4 &&
		    section->address == image->vector_address)
			return number_at(private->bytes + section->offset, 4, image->big_endian);
	}
	return 0;
}

uint64_t image_stack_end(const struct image *image)
{
	/* The symbol of our linker scripts, then the symbols of CMSIS, ST, picolibc and SiFive. */
	static const char *const names[] = {"bareprof_stack_end", "stack_top",  "__StackTop", "_estack", "__stack",
	                                    "__stack_top",        "_stack_top", "_sp"};
	uint64_t end;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (image_symbol(image, names[i], &end))
			return end;
	return first_vector(image);
}
