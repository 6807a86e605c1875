/* SPDX-License-Identifier: MIT */
/* The firmware ELF: its functions, code, identity and source lines, read by libelf and libdw. ELFs are untrusted: sizes
 * are checked, memory is bounded and no other file is opened. */
#ifndef FIRMWARE_IMAGE_H
#define FIRMWARE_IMAGE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest name of a function, section or source file; a longer one is cut and ends in IMAGE_NAME_CUT. Without a
 * limit, an ELF whose symbols share one long string would make the output grow with the square of its size. */
#define IMAGE_NAME_MAX 1024
#define IMAGE_NAME_CUT "..."

/* The section that the linker reserves for the unwind table of firmware with path trees. */
#define UNWIND_TABLE_SECTION ".bareprof_unwind"

enum image_isa { IMAGE_ISA_OTHER, IMAGE_ISA_ARM, IMAGE_ISA_RISCV };

/*
 * An extent of code with one owner: [start, end), never empty, sorted by start, never overlapping. Where sized
 * functions overlap, the one that starts last owns the bytes, so a function that continues after a nested one has two
 * extents.
 */
struct image_function {
	const char *name; /* owned by the image; from the ELF, not escaped */
	uint64_t start;   /* Thumb bit removed */
	uint64_t end;
	bool sized;    /* end comes from the symbol's size; otherwise (NOTYPE labels) from the next symbol or the end of
	                  the section */
	bool is_label; /* the symbol is not of function type; also a line of IMAGE_BY_LINE within such a label */
	bool is_line;  /* a line of IMAGE_BY_LINE */
	bool is_local; /* local binding: visible only in its own source file */
	size_t order;  /* for a division by symbols: the position in the symbol table, or of the first alias */
	const char *file;    /* for a division with source files; owned by the image; NULL: unknown */
	int line;            /* the line where it begins; 0: unknown */
	size_t first;        /* index of its first extent, which differs from its own for later extents */
	size_t inlined_into; /* for inlined code that image_split_inlined() made a function: index of the first extent
	                        of the function that it was inlined into, which may itself be split; otherwise
	                        IMAGE_NOT_INLINED */
};

#define IMAGE_NOT_INLINED SIZE_MAX

/* A section with code (SHF_ALLOC | SHF_EXECINSTR, PROGBITS), sorted by address. If it ends at 2^64 its last byte is
 * omitted, so that address + size does not overflow. */
struct image_code {
	const char *name;
	uint64_t address;
	uint64_t size;
	const uint8_t *bytes; /* contents in the ELF; owned by the image; NULL: none */
};

/* Memory that code runs from: [start, end). */
struct image_region {
	const char *name;
	uint64_t start, end;
};

#define IMAGE_REGIONS_MAX 16

/* The ways to divide code into functions. */
enum image_rule {
	IMAGE_BY_SIZE, /* by the sizes of symbols: the state after opening */
	/*
	 * As GNU gprof does (docs/GPROF.md): each code symbol extends to the next one, and one of several symbols at an
	 * address is chosen. Unlike in GNU gprof, local clones (.isra, .part, .cold), code in all sections and the last
	 * symbol have rows of their own.
	 */
	IMAGE_BY_SYMBOL,
	/* Like IMAGE_BY_SYMBOL, with a "function" for each extent of code of one source line. If the line was inlined,
	 * it has the name of the inlined function. */
	IMAGE_BY_LINE,
};

struct image_division {
	enum image_rule rule;
	bool no_static;          /* ignore local symbols: their code belongs to the symbol before them */
	bool functions_only;     /* ignore local labels */
	bool lines;              /* look up file and line of each function; implied by IMAGE_BY_LINE */
	const char *symbol_file; /* take symbols from the lines `ADDRESS T|t NAME` of this file; NULL: from the ELF */
};

#define IMAGE_HOOKS_MAX 4

/* Addresses of code: start inclusive, end exclusive. */
struct image_range {
	uint64_t start, end;
};

struct image {
	const char *path;
	enum image_rule rule; /* the current division */
	enum image_isa isa;
	unsigned machine;      /* EM_* of the ELF header */
	unsigned address_size; /* 4 or 8 */
	bool big_endian;
	struct image_function *functions;
	size_t function_count;
	struct image_code *code;
	size_t code_count;
	/* The executable segments, as far as code sections go: sorted, none overlapping, named for their largest
	 * section. If there are more than IMAGE_REGIONS_MAX, the last one extends over the rest. */
	struct image_region *regions;
	size_t region_count;
	struct image_code *data; /* sections with constants and initialised variables */
	size_t data_count;
	struct image_code *memory; /* to search for the block: allocated, writable; merged where adjacent */
	size_t memory_count;
	uint8_t build_id[64];
	size_t build_id_size;            /* 0: the ELF has no build-id note */
	uint64_t build_id_address;       /* address of the note in the target; 0 if it is not loaded */
	uint64_t hooks[IMAGE_HOOKS_MAX]; /* __gnu_mcount_nc, _mcount, mcount, __cyg_profile_func_enter */
	size_t hook_count;               /* how many are defined; 0: no code is instrumented */
	/* The recorder's code: sorted, none overlapping. None if the firmware has no recorder. */
	struct image_range *recorder;
	size_t recorder_count;
	uint64_t vector_address; /* the lowest load address of code or data: where the vectors must be */
	struct image_private *private;
};

#define IMAGE_BUILD_ID_TEXT_SIZE (2 * sizeof((struct image *)0)->build_id + 1)

/* Writes the build-id in hexadecimal digits, none if there is no build-id. Returns text. */
const char *image_format_build_id(const struct image *image, char text[IMAGE_BUILD_ID_TEXT_SIZE]);

/* The bit that selects the instruction set in code addresses: 1 on Arm, 0 elsewhere. */
static inline uint64_t image_thumb_bit(const struct image *image)
{
	return image->isa == IMAGE_ISA_ARM ? 1 : 0;
}

/* True for EXC_RETURN and FNC_RETURN of Arm's M profile (Armv8-M ARM B3.21 and B3.23), which are not addresses of code.
 */
static inline bool image_is_special_return(const struct image *image, uint64_t return_address)
{
	return image->isa == IMAGE_ISA_ARM && return_address >= 0xFEFFFFFEu;
}

/* Opens the ELF at path. On success the caller closes *image. A file that is not an ELF, is truncated, has wrong sizes
 * or no functions is an error naming the file and, where possible, the offset. */
enum status image_open(const char *path, struct image **image, struct error *error);
/* Like image_open(), from memory; path is for messages. bytes come from malloc() and belong to the image, even on
 * failure. */
enum status image_decode(const char *path, uint8_t *bytes, size_t size, struct image **image, struct error *error);
/* NULL is allowed. */
void image_close(struct image *image);

/* Divides the code by another rule: replaces functions and function_count, so indices and pointers into them become
 * invalid. *image is unchanged on failure. For IMAGE_BY_SIZE only `lines` has an effect. */
enum status image_divide(struct image *image, const struct image_division *division, struct error *error);

/* The index of the first function that ends after address; function_count if there is none. O(log n). */
size_t image_first_function_after(const struct image *image, uint64_t address);

/* One name of a function; struct image_function has only one of them. */
struct image_entry {
	const char *name; /* owned by the image; from the ELF, not escaped */
	uint64_t address; /* start of the function; Thumb bit removed */
	bool is_local;
	const char *source; /* for local symbols, the compiled file as in the symbol table, usually without folders.
	                       Owned by the image; NULL: unknown, for example after link-time optimisation */
	size_t unit;        /* number of that file, from 1, because several may have the same name; 0: unknown */
};

/* All names of functions, in ascending order of address. The caller frees *entries; false when out of memory. */
bool image_entries(const struct image *image, struct image_entry **entries, size_t *count);

/* The function that owns address, or NULL. O(log n). */
const struct image_function *image_function_at(const struct image *image, uint64_t address);

/* Whether an instrumentation hook is at address. */
bool image_is_hook(const struct image *image, uint64_t address);

/* Whether address is in the recorder's code. */
bool image_is_recorder(const struct image *image, uint64_t address);

/* The code section that holds address, or NULL. O(log n). */
const struct image_code *image_code_at(const struct image *image, uint64_t address);

/* The value of a symbol (any type except section and file; Thumb bit removed from functions); false if undefined. */
bool image_symbol(const struct image *image, const char *name, uint64_t *value);
/* Like image_symbol(), with the size stated in the ELF, which is 0 for labels and may be wrong. */
bool image_object(const struct image *image, const char *name, uint64_t *value, uint64_t *size);

/* The address after the main stack, by the symbols of usual linker scripts, or the first of Arm's vectors; 0: unknown.
 * Untrusted. */
uint64_t image_stack_end(const struct image *image);

/* Source file and line of an address from DWARF; false if unknown. For the start of a function, the line where the
 * function begins. *file is owned by the image, and absolute or relative to the compilation folder. */
bool image_line(const struct image *image, uint64_t address, const char **file, int *line);
/* Like image_line(), but always for the instruction at address, even where a function begins. Within inlined code,
 * finds the line in the innermost function. */
bool image_instruction_line(const struct image *image, uint64_t address, const char **file, int *line);
/* True if DWARF has a line for any code of the image. */
bool image_has_lines(const struct image *image);
/* The compilation folder of address, owned by the image; NULL: unknown. */
const char *image_line_folder(const struct image *image, uint64_t address);

/*
 * Why the line information of the ELF could not be read, as a clause about the file: it is damaged, or reading it would
 * take time or memory out of proportion to the file. NULL: it was read, there is none, or it has not been needed yet.
 */
const char *image_unreadable_lines(const struct image *image);

/* The compilation folder of the first unit with lines; NULL: unknown. Owned by the image. */
const char *image_compilation_folder(const struct image *image);

/* How the image was compiled, as far as DWARF says. */
struct image_compilation {
	bool is_known;   /* a compiler is named; otherwise all are false */
	bool with_clang; /* some code; clang does not record its options */
	bool with_hooks; /* some file was compiled by GCC with -pg or -finstrument-functions */
	bool with_lto;   /* some code was compiled by GCC with -flto, or generated at the link */
};

struct image_compilation image_compilation(const struct image *image);

/* One level of inlining at an address. */
struct image_inline {
	const char *name; /* name of the function; owned by the image, "" if DWARF does not name it */
	const char *file; /* file of the current line in that function, as from image_line(); NULL: unknown */
	int line;
};

/*
 * The functions whose code is at address, from DWARF: the innermost inlined function first, then each function that the
 * previous one was inlined into, and the function itself last. Stores at most capacity; returns how many. 0: DWARF has
 * none.
 */
size_t image_inlines(const struct image *image, uint64_t address, struct image_inline *inlines, size_t capacity);

/*
 * Divides the code by size and makes the inlined code of the named functions (named as in image_inlines()) functions of
 * their own, one for each function that they were inlined into, see inlined_into. Names that were never inlined are
 * ignored. A function keeps its first instruction, and so its start; so does a split function that contains others but
 * would have no code of its own. *image is unchanged on failure.
 */
enum status image_split_inlined(struct image *image, const char *const *names, size_t count, struct error *error);

/* The index of the real function that contains a split one, through all levels of inlining. A real function contains
 * itself. */
size_t image_containing_function(const struct image *image, size_t function);
/* The first range of the containing function, which represents the function as a whole. */
size_t image_whole_function(const struct image *image, size_t function);

/* Calls found() for each extent [low, high) of code that DWARF assigns to a line, in ascending order, none empty.
 * Extents also end where image_inlines() changes. */
typedef void (*image_line_found)(void *context, uint64_t low, uint64_t high, const char *file, int line);
void image_each_line(const struct image *image, image_line_found found, void *context);

/*
 * Content of code sections other than the image's instruction set: data, and Arm (A32) code in a Thumb image. Known
 * from mapping symbols (ELF for the Arm Architecture 5.5.5, RISC-V psABI "Mapping Symbol"); without them everything
 * counts as code.
 */
enum image_content { IMAGE_CONTENT_DATA, IMAGE_CONTENT_A32 };
struct image_extent {
	uint64_t start, end;
	enum image_content content;
};

/* In ascending order, none empty, none overlapping. The caller frees *extents; false when out of memory. */
bool image_data_in_code(const struct image *image, struct image_extent **extents, size_t *count);

/* Why the recorded callers of a function are spurious. */
enum image_spurious_caller {
	IMAGE_INTERRUPT_ENTRY,   /* an interrupt handler: its caller is a stale value of ra */
	IMAGE_NO_RETURN_ADDRESS, /* it passes no return address to the hook, only a stale a0: clang's -pg */
	IMAGE_OVERWRITTEN_LINK,  /* it uses lr before it calls the hook, which finds the caller there: GCC's -pg on
	                            Armv6-M for a function that saves r8 to r11 */
};

typedef void (*image_spurious_caller_found)(void *context, const struct image_function *function,
                                            enum image_spurious_caller reason);

/* Calls found() for each function that calls an instrumentation hook without a valid caller. None on ISAs without a
 * decoder. */
void image_find_spurious_callers(const struct image *image, image_spurious_caller_found found, void *context);

#endif
