/* SPDX-License-Identifier: MIT */
/*
 * The firmware ELF: its functions, code, identity and source lines. Everything in an ELF is hostile: sizes are checked,
 * memory is bounded, no other file is opened. Knows nothing of captures. Reading is libelf's and libdw's work.
 */
#ifndef FIRMWARE_IMAGE_H
#define FIRMWARE_IMAGE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Names of functions, sections and source files are at most this long; a longer one is cut and ends in IMAGE_NAME_CUT.
 * Else an ELF whose symbols share one long string would make the output as long as the square of its size.
 */
#define IMAGE_NAME_MAX 1024
#define IMAGE_NAME_CUT "..."

enum image_isa { IMAGE_ISA_OTHER, IMAGE_ISA_ARM, IMAGE_ISA_RISCV, IMAGE_ISA_X86 };

/*
 * A extent of code with one owner: [start, end), never empty, sorted by start, never overlapping. Where sized
 * functions overlap, the one that starts last owns the bytes; a function that goes on behind one inside it has two
 * extents.
 */
struct image_function {
	const char *name; /* owned by the image; from the ELF, not escaped */
	uint64_t start;   /* Thumb bit removed */
	uint64_t end;
	bool sized; /* end comes from the symbol's size; else (NOTYPE labels) from the next symbol or the section's end
	             */
	bool is_label;    /* a symbol that the ELF does not call a function; a line of IMAGE_BY_LINE within one */
	bool is_line;     /* of these, a line */
	bool is_local;    /* seen in its own source file only */
	size_t order;     /* of a division by symbols: the place among the ELF's symbols; of aliases, the first one's */
	const char *file; /* of a division that tells source files; owned by the image; NULL: not known */
	int line;         /* where it begins there; 0: not known */
	size_t first;     /* index of its first extent: another one's where others lie between */
	size_t inlined_into; /* of code that was inlined and has been outlined (image_split_inlined()): index of the
	                first extent of the function, or of the outlined one, that it was inlined into; else
	                IMAGE_NOT_INLINED */
};

#define IMAGE_NOT_INLINED SIZE_MAX

/* A section that holds code (SHF_ALLOC | SHF_EXECINSTR, PROGBITS), sorted by address. One up to 2^64 lacks its last
 * byte, so that address + size is an address as well. */
struct image_code {
	const char *name;
	uint64_t address;
	uint64_t size;
	const uint8_t *bytes; /* as in the ELF; owned by the image */
};

/* Memory that a scan for the block must search: allocated, writable. Sorted by address, merged where adjacent. */
struct image_memory {
	uint64_t address;
	uint64_t size;
};

/* How code is divided into functions. */
enum image_rule {
	IMAGE_BY_SIZE, /* as symbols say how long they are: how an image is opened */
	/*
	 * As GNU gprof does it (docs/GPROF.md): symbols of code reach to the next one, whatever lies between; of
	 * several at one address one is taken. Local clones (.isra, .part, .cold), code in all sections and the last
	 * symbol have their own, which GNU gprof denies them.
	 */
	IMAGE_BY_SYMBOL,
	/* The same, and within them a "function" for each extent of code of one source line, which has the name of the
	 * function that the line is of, if that was inlined. */
	IMAGE_BY_LINE,
};

struct image_division {
	enum image_rule rule;
	bool no_static;      /* local symbols do not count: their code is that of the symbol before them */
	bool functions_only; /* local labels do not count */
	bool lines;          /* file and line of each function are looked up; IMAGE_BY_LINE does anyway */
	const char
	        *symbol_file; /* symbols are the lines `ADDRESS T|t NAME` of this file, not the ELF's; NULL: the ELF's
	                       */
};

struct image {
	const char *path;
	enum image_rule rule; /* that functions were divided by */
	enum image_isa isa;
	unsigned address_size; /* 4 or 8 */
	bool big_endian;
	bool is_movable; /* position-independent: where it will lie is decided when it is loaded */
	struct image_function *functions;
	size_t function_count;
	struct image_code *code;
	size_t code_count;
	struct image_code *data; /* sections that hold constants and variables with values in the file */
	size_t data_count;
	struct image_memory *memory;
	size_t memory_count;
	uint8_t build_id[64];
	size_t build_id_size;          /* 0: the ELF has no build-id note */
	uint64_t build_id_address;     /* where the note lies in the target, 0 if it is not loaded */
	bool has_instrumentation_hook; /* one of __gnu_mcount_nc, _mcount, mcount, __cyg_profile_func_enter is defined
	                                */
	/* Where the recorder's own code lies; 0 and 0 if the firmware has none or its script does not bound it. */
	uint64_t recorder_start, recorder_end;
	uint64_t vector_address; /* lowest loaded address of code or data in flash: where the vectors must be */
	struct image_private *private;
};

/* Opens the ELF at path. On success *image is the caller's, to be closed. A file that is no ELF, is cut, lies about its
 * sizes or has no function at all is one error naming file and, where there is one, offset. */
enum status image_open(const char *path, struct image **image, struct error *error);
/* The same from memory; path is for messages. bytes are not kept. */
enum status image_decode(const char *path, const uint8_t *bytes, size_t size, struct image **image,
                         struct error *error);
/* NULL is allowed. */
void image_close(struct image *image);

/* Divides the code anew: replaces functions and function_count, so what refers to them is void. *image stays as it was
 * on failure. Of a division IMAGE_BY_SIZE only `lines` counts. */
enum status image_divide(struct image *image, const struct image_division *division, struct error *error);

/* The index of the first function that ends behind address, function_count if there is none. O(log n). */
size_t image_first_function_after(const struct image *image, uint64_t address);

/* A name of a function; it may have several, of which struct image_function has one. */
struct image_entry {
	const char *name; /* owned by the image; from the ELF, not escaped */
	uint64_t address; /* where the function begins; Thumb bit removed */
	bool is_local;
	const char *source; /* of local ones, the file that was compiled, as the symbol table has it: most often without
	                       folders. Owned by the image; NULL: not known, as behind link-time optimization */
	size_t unit;        /* which of the files it is, from 1 on: several may have one name; 0: not known */
};

/* All names of functions, by rising address. *entries is the caller's to free; false if memory is short. */
bool image_entries(const struct image *image, struct image_entry **entries, size_t *count);

/* The function that owns address, or NULL. O(log n). */
const struct image_function *image_function_at(const struct image *image, uint64_t address);

/* Whether address is in the recorder's own code. */
bool image_is_recorder(const struct image *image, uint64_t address);

/* The code section that holds address, or NULL. O(log n). */
const struct image_code *image_code_at(const struct image *image, uint64_t address);

/* The value of a symbol (any type but section and file; Thumb bit removed from functions); false if there is none. */
bool image_symbol(const struct image *image, const char *name, uint64_t *value);
/* The same with the size that the ELF gives it: 0 for labels; it may lie. */
bool image_object(const struct image *image, const char *name, uint64_t *value, uint64_t *size);

/*
 * Source file and line of an address from DWARF; false if unknown. For the start of a function: where the function
 * begins. *file is owned by the image; it is absolute, or relative to the folder of the compilation.
 */
bool image_line(const struct image *image, uint64_t address, const char **file, int *line);
/* That folder, owned by the image; NULL: not known. */
const char *image_line_folder(const struct image *image, uint64_t address);

/*
 * Why line information that the ELF has could not be read, as a clause about the file: it is damaged, or reading it
 * would take time or memory out of proportion to the file. NULL: it was read, there is none, or nothing has asked for
 * it yet.
 */
const char *image_unreadable_lines(const struct image *image);

/* The folder that the first source with lines was compiled in; NULL if DWARF does not tell. Owned by the image. */
const char *image_compilation_folder(const struct image *image);

/* A call that the compiler replaced by the callee's body: whose code is at an address, from the inside out. */
struct image_inline {
	const char *name; /* of the function; owned by the image, "" if DWARF does not tell */
	const char *file; /* of the line at hand in that function; as image_line() gives it; NULL: not known */
	int line;
};

/*
 * The functions whose code lies at address, from DWARF: the innermost inlined one first, each next one having inlined
 * the one before, the function itself last. At most capacity are stored; returns how many. 0: DWARF does not tell.
 */
size_t image_inlines(const struct image *image, uint64_t address, struct image_inline *inlines, size_t capacity);

/* Calls found() for each extent [low, high) of code over which image_inlines() gives the same functions, by rising
 * address, none empty. */
typedef void (*image_inline_found)(void *context, uint64_t low, uint64_t high);
void image_each_inline(const struct image *image, image_inline_found found, void *context);

/*
 * Divides the code anew, by size: what DWARF says was inlined of functions of these names (as image_inlines() gives
 * them) becomes functions of their own, one for each function that they were inlined into, with that as their host.
 * Names that were inlined nowhere are passed over. A function keeps its first instruction, so that it is where it was;
 * so does an outlined one that is a host and has no other code. *image stays as it was on failure.
 */
enum status image_split_inlined(struct image *image, const char *const *names, size_t count, struct error *error);

/* The index of the function that holds the code of an outlined one, however deep; of others, their own. */
size_t image_containing_function(const struct image *image, size_t function);

/* Calls found() for each extent [low, high) of code that DWARF assigns to a line, by rising address, none empty; where
 * image_inlines() changes, another one begins. */
typedef void (*image_line_found)(void *context, uint64_t low, uint64_t high, const char *file, int line);
void image_each_line(const struct image *image, image_line_found found, void *context);

/*
 * What lies among code and is not what the image's ISA says: data, and Arm's older instruction set among Thumb. From
 * mapping symbols (ELF for the Arm Architecture 5.5.5, RISC-V psABI "Mapping Symbol"): without them, all is code.
 */
enum image_content { IMAGE_CONTENT_DATA, IMAGE_CONTENT_A32 };
struct image_extent {
	uint64_t start, end;
	enum image_content content;
};

/* By rising address, none empty, none overlapping. *extents is the caller's to free; false if memory is short. */
bool image_data_in_code(const struct image *image, struct image_extent **extents, size_t *count);

/* Why the recorded callers of a function are invented. */
enum image_spurious_caller {
	IMAGE_INTERRUPT_ENTRY,   /* its caller is whatever the interrupted code had in ra */
	IMAGE_NO_RETURN_ADDRESS, /* it hands the hook no return address, but what a0 happens to hold: clang's -pg */
};

typedef void (*image_spurious_caller_found)(void *context, const struct image_function *function,
                                            enum image_spurious_caller invention);

/* Calls found() for each RISC-V function that calls an instrumentation hook but has no caller to tell it. Nothing on
 * other ISAs. */
void image_find_spurious_callers(const struct image *image, image_spurious_caller_found found, void *context);

#endif
