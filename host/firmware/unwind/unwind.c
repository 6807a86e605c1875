/* SPDX-License-Identifier: MIT */
/* See unwind.h. */
#include "firmware/unwind/unwind.h"

#include "base/search.h"
#include "firmware/bits.h"
#include "firmware/unwind/frame_code.h"
#include "firmware/unwind/unwinder.h"

#include <stdlib.h>

/* No microcontroller has a larger stack: an address further away is damaged. */
#define STACK_MAX (UINT64_C(1) << 24)

/* Bytes from an interrupted instruction to the address that represents it in a path. */
#define INTERRUPTED_BYTES 2

/* The functions that save registers for -msave-restore continue in each other. Together they have fewer bytes than
 * this. */
#define SAVES_MAX 128

struct unwinder {
	const struct image *image;
	struct frame_rows rows;
	struct frame_code *code;
	uint8_t *properties; /* by row: the properties of its function, enum frame_function */
};

/* --- Creation. */

/* A call of the hook of Arm's -pg: the function pushes LR before it, and the hook restores LR from there. */
static bool call_keeps_return_address(const struct unwinder *unwinder, const struct call *call)
{
	return call->kind == CALL_DIRECT && image_is_hook(unwinder->image, call->target);
}

/* Finds functions that call others while their return address is only in its register: they never return. */
static void find_lost_returns(struct unwinder *unwinder)
{
	const struct calls *calls = frame_code_calls(unwinder->code);

	for (size_t i = 0; i < calls->count; i++) {
		const struct call *call = &calls->items[i];
		bool is_call = call->kind == CALL_DIRECT || call->kind == CALL_INDIRECT;
		const struct frame_row *row = is_call ? frame_row_at(&unwinder->rows, call->site) : NULL;
		const struct frame_row *callee = is_call ? frame_row_at(&unwinder->rows, call->target) : NULL;

		/* A call by another link register does not change this one. */
		if (row != NULL && row->ra == FRAME_SAME && (callee == NULL || callee->ra != FRAME_UNKNOWN) &&
		    !call_keeps_return_address(unwinder, call))
			frame_code_add_property(unwinder->code, call->site, FRAME_LOSES_RETURN);
	}
}

static enum status fill_unwinder(struct unwinder *unwinder, struct error *error)
{
	enum status status = frame_code_create(unwinder->image, &unwinder->code, error);

	if (status == STATUS_OK)
		status = frame_rows_compile(unwinder->image, frame_code_calls(unwinder->code), &unwinder->rows, error);
	if (status != STATUS_OK)
		return status;
	unwinder->properties = calloc(unwinder->rows.count + 1, 1);
	if (unwinder->properties == NULL)
		return status_no_memory(error, unwinder->image->path);
	find_lost_returns(unwinder);
	for (size_t i = 0; i < unwinder->rows.count; i++)
		unwinder->properties[i] = (uint8_t)frame_code_properties(unwinder->code, unwinder->rows.rows[i].low);
	return STATUS_OK;
}

enum status unwinder_create(const struct image *image, struct unwinder **unwinder, struct error *error)
{
	struct unwinder *created = calloc(1, sizeof *created);

	*unwinder = NULL;
	if (created == NULL)
		return status_no_memory(error, image->path);
	created->image = image;
	enum status status = fill_unwinder(created, error);
	if (status == STATUS_OK)
		*unwinder = created;
	else
		unwinder_free(created);
	return status;
}

void unwinder_free(struct unwinder *unwinder)
{
	if (unwinder == NULL)
		return;
	frame_rows_free(&unwinder->rows);
	frame_code_free(unwinder->code);
	free(unwinder->properties);
	free(unwinder);
}

size_t unwinder_row_count(const struct unwinder *unwinder)
{
	return unwinder->rows.count;
}

const struct image_function *unwinder_called_entry(const struct unwinder *unwinder)
{
	return frame_code_called_entry(unwinder->code);
}

const struct frame_rows *unwinder_rows(const struct unwinder *unwinder)
{
	return &unwinder->rows;
}

unsigned unwinder_function(const struct unwinder *unwinder, uint64_t address)
{
	return frame_code_properties(unwinder->code, address);
}

bool unwinder_is_return(const struct unwinder *unwinder, uint64_t address)
{
	return frame_code_is_return(unwinder->code, address);
}

/* --- The words of a stack. */

struct stack_walk {
	const struct unwinder *unwinder;
	const struct unwind_stack *stack;
	struct unwind_path *path;
	unsigned word_size;
	uint64_t pc, lr, sp, fp;
	bool is_leaf;       /* the interrupted function: its pc is not a return address */
	bool is_fp_lost;    /* fp is unknown */
	size_t word, place; /* the number of a word of the stack, and how many words before it were kept */
};

/* Sets how the path ends; returns false, as do its callers. */
static bool end_unwinding(struct stack_walk *walk, enum unwind_end how)
{
	walk->path->end = how;
	return false;
}

static uint64_t wrap_address(const struct stack_walk *walk, uint64_t address)
{
	return walk->word_size == 4 ? address & UINT32_MAX : address;
}

static bool is_aligned(const struct stack_walk *walk, uint64_t number)
{
	return (number & (walk->word_size - 1)) == 0;
}

/* The index of word `number` of the stack among the kept words. */
static size_t place_of_word(struct stack_walk *walk, size_t number)
{
	const uint8_t *kept = walk->stack->kept;

	if (number < walk->word)
		walk->word = walk->place = 0;
	for (; walk->word < number; walk->word++)
		walk->place += has_bit(kept, walk->word);
	return walk->place;
}

enum reading { READ, READ_DROPPED, READ_ENDED };

/*
 * Reads the word at address. READ_DROPPED: it was not kept. READ_ENDED: the path has ended, because the word is outside
 * the stack, or after the bytes that were copied.
 */
static enum reading read_stack_word(struct stack_walk *walk, uint64_t address, uint64_t *value)
{
	const struct unwind_stack *stack = walk->stack;
	uint64_t offset = address - stack->sp;
	bool is_outside = address < stack->sp || offset > STACK_MAX || !is_aligned(walk, offset);
	bool is_beyond = is_outside || offset >= stack->size || stack->size - offset < walk->word_size;

	if (is_outside || (is_beyond && stack->is_whole)) {
		end_unwinding(walk, UNWIND_BAD);
		return READ_ENDED;
	}
	if (is_beyond) {
		walk->path->needed = offset + walk->word_size;
		end_unwinding(walk, UNWIND_CUT);
		return READ_ENDED;
	}
	if (stack->kept != NULL) {
		size_t number = (size_t)offset / walk->word_size;

		if (!has_bit(stack->kept, number))
			return READ_DROPPED;
		offset = place_of_word(walk, number) * walk->word_size;
	}
	*value = number_at(stack->bytes + offset, walk->word_size, walk->unwinder->image->big_endian);
	return READ;
}

/* --- Return addresses. */

/* All ones is the return address of a function that was not called. */
static bool is_special(const struct stack_walk *walk, uint64_t ra)
{
	return image_is_special_return(walk->unwinder->image, ra) && ra != UINT32_MAX;
}

/* Whether ra is the return address of a call. If ra could be something else, the call must also be able to enter the
 * function at pc. */
static bool follows_call(const struct stack_walk *walk, uint64_t ra, unsigned properties)
{
	struct frame_code *code = walk->unwinder->code;
	uint64_t thumb_bit = image_thumb_bit(walk->unwinder->image);
	uint64_t address = ra & ~thumb_bit;

	if ((ra & 1) != thumb_bit || !frame_code_is_return(code, address))
		return false;
	bool is_in_question =
	        (properties & (FRAME_CONTINUES_ENTRY | FRAME_LOSES_RETURN)) != 0 || frame_code_is_start(code, address);
	return !is_in_question || frame_code_can_call(code, address, walk->pc);
}

/* The exception frame (Armv7-M ARM B1.5.6 to B1.5.8): offsets of its words, and its sizes without and with registers of
 * the FPU. */
enum { FRAME_LR = 20, FRAME_PC = 24, FRAME_XPSR = 28, FRAME_BYTES = 32, FRAME_FPU_BYTES = 104 };
#define EXC_RETURN         0xFFFFFF00u /* or above, with these bits: */
#define EXC_RETURN_BASIC   0x10u       /* the frame has no registers of the FPU */
#define EXC_RETURN_SECURE  0x40u       /* the frame is on a stack of the Secure state; 1 before Armv8-M */
#define EXC_RETURN_TO      0x1u        /* the handler is in the Secure state; 1 before Armv8-M */
#define EXC_RETURN_DEFAULT 0x20u       /* no further registers are below the frame (Armv8-M ARM B3.21, DCRS) */
#define EXC_RETURN_PROCESS 0x4u        /* the frame is on the process stack, and handlers are on the main stack */
#define XPSR_ALIGNED       0x200u      /* a word was added above the frame */

/* True if the exception frame is at the SP that the handler began with. */
static bool has_frame_here(uint64_t ra)
{
	bool is_secure = (ra & EXC_RETURN_SECURE) != 0, is_handler_secure = (ra & EXC_RETURN_TO) != 0;

	return ra >= EXC_RETURN && (ra & EXC_RETURN_PROCESS) == 0 && (ra & EXC_RETURN_DEFAULT) != 0 &&
	       is_secure == is_handler_secure;
}

/* Ends the path in a handler that returns to ra; or, if wanted, goes on to the code that it interrupted, provided that
 * the exception frame is at sp. */
static bool leave_handler(struct stack_walk *walk, uint64_t ra)
{
	struct unwind_path *path = walk->path;
	uint64_t pc, lr, xpsr;

	if (!walk->stack->through_interrupts || !has_frame_here(ra) || path->depth == UNWIND_DEPTH_MAX)
		return end_unwinding(walk, UNWIND_EXCEPTION);
	if (read_stack_word(walk, walk->sp + FRAME_PC, &pc) != READ ||
	    read_stack_word(walk, walk->sp + FRAME_LR, &lr) != READ ||
	    read_stack_word(walk, walk->sp + FRAME_XPSR, &xpsr) != READ)
		return end_unwinding(walk, UNWIND_EXCEPTION);
	walk->sp += (ra & EXC_RETURN_BASIC) != 0 ? FRAME_BYTES : FRAME_FPU_BYTES;
	walk->sp += (xpsr & XPSR_ALIGNED) != 0 ? walk->word_size : 0;
	walk->pc = pc & ~image_thumb_bit(walk->unwinder->image);
	walk->lr = lr;
	walk->is_leaf = true;
	path->returns[path->depth++] = walk->pc + INTERRUPTED_BYTES;
	return true;
}

/* Whether the interrupted code was a handler: EXC_RETURN bit 3 (Armv7-M ARM B1.5.8, Armv8-M ARM B3.21). */
static bool is_in_handler(const struct stack_walk *walk)
{
	return walk->stack->entry != 0 && (walk->stack->entry & 8u) == 0;
}

/* Ends the path in a function whose return address leads nowhere. Handlers may have such addresses, and are not tasks.
 */
static bool end_outermost(struct stack_walk *walk, unsigned properties, enum unwind_end otherwise)
{
	if ((properties & FRAME_CONTINUES_ENTRY) != 0)
		return end_unwinding(walk, UNWIND_ROOT);
	if ((properties & FRAME_IS_HANDLER) != 0)
		return end_unwinding(walk, UNWIND_EXCEPTION);
	enum unwind_end how = (properties & FRAME_IS_POINTED_TO) != 0 ? UNWIND_TASK : otherwise;
	return end_unwinding(walk, how == UNWIND_TASK && is_in_handler(walk) ? UNWIND_EXCEPTION : how);
}

static bool end_without_return(struct stack_walk *walk, unsigned properties)
{
	return end_outermost(walk, properties, (properties & FRAME_LOSES_RETURN) != 0 ? UNWIND_NO_ROW : UNWIND_BAD);
}

static bool return_to(struct stack_walk *walk, uint64_t ra, unsigned properties)
{
	struct unwind_path *path = walk->path;

	if (ra == 0 || ra == wrap_address(walk, UINT64_MAX))
		return end_outermost(walk, properties, UNWIND_TASK);
	if (is_special(walk, ra))
		return leave_handler(walk, ra);
	if (!follows_call(walk, ra, properties))
		return end_without_return(walk, properties);
	if (path->depth == UNWIND_DEPTH_MAX)
		return end_unwinding(walk, UNWIND_BAD);
	walk->pc = ra & ~image_thumb_bit(walk->unwinder->image);
	path->returns[path->depth++] = walk->pc;
	walk->is_leaf = false;
	return true;
}

/* --- Frames. */

/* Ends the path in a function without frame information. A handler may have been called by other code as well. */
static bool end_without_row(struct stack_walk *walk, unsigned properties)
{
	bool is_handler = (properties & FRAME_IS_HANDLER) != 0 && is_in_handler(walk);

	if ((properties & FRAME_CONTINUES_ENTRY) != 0)
		return end_unwinding(walk, UNWIND_ROOT);
	return end_unwinding(walk, is_handler ? UNWIND_EXCEPTION : UNWIND_NO_ROW);
}

/* The hook of Arm's -pg restores the link register of its caller, which may be a handler. */
static bool is_in_hook(const struct stack_walk *walk)
{
	const struct image_function *function = image_function_at(walk->unwinder->image, walk->pc);

	return function != NULL && image_is_hook(walk->unwinder->image, function->start);
}

/* A leaf function without frame information has its return address in the link register, if the call before that
 * address can have entered it. After a call by the function, the link register has an address in the function itself.
 */
static bool return_by_link(struct stack_walk *walk, unsigned properties)
{
	const struct unwinder *unwinder = walk->unwinder;
	uint64_t lr = walk->lr;
	uint64_t address = lr & ~image_thumb_bit(unwinder->image);

	/* Without rows, the caller's stack pointer is known only where the function has not changed it. */
	bool is_moved = (properties & FRAME_MOVES_STACK) != 0 && !frame_code_is_start(unwinder->code, walk->pc);
	if (walk->is_leaf && is_special(walk, lr) && !is_in_hook(walk))
		return is_moved ? end_unwinding(walk, UNWIND_EXCEPTION) : leave_handler(walk, lr);
	bool is_return = walk->is_leaf && !is_moved && is_aligned(walk, walk->sp) &&
	                 frame_code_are_in_two_functions(unwinder->code, address - 1, walk->pc) &&
	                 follows_call(walk, lr, 0) && frame_code_can_call(unwinder->code, address, walk->pc);
	if (!is_return)
		return end_without_row(walk, properties);
	return return_to(walk, lr, 0);
}

/* The caller's stack pointer. */
static bool find_caller_base(struct stack_walk *walk, const struct frame_row *row, uint64_t *base)
{
	if (row->base == FRAME_FROM_FP && walk->is_fp_lost)
		return end_unwinding(walk, UNWIND_BAD);
	uint64_t from = row->base == FRAME_FROM_FP ? walk->fp : walk->sp;
	*base = wrap_address(walk, from + (uint64_t)(int64_t)row->offset);
	bool rises = *base > walk->sp || (*base == walk->sp && walk->is_leaf);
	uint64_t distance = *base - walk->stack->sp;
	if (!rises || !is_aligned(walk, *base) || distance > STACK_MAX ||
	    (walk->stack->is_whole && distance > walk->stack->size))
		return end_unwinding(walk, UNWIND_BAD);
	return true;
}

/*
 * Returns from a function that was called by another link register, which slices do not have: GCC's -msave-restore
 * begins functions with `jal t0, __riscv_save_4`. The usual link register still has the return address of the function
 * that begins like this, and the call before that address may name the function. The named function cannot have jumped
 * to another one, since GCC generates no tail calls with this option.
 */
static bool return_twice(struct stack_walk *walk, const struct frame_row *row, unsigned properties)
{
	const struct unwinder *unwinder = walk->unwinder;
	struct unwind_path *path = walk->path;
	struct call call;
	uint64_t base;

	if (!walk->is_leaf || !follows_call(walk, walk->lr, 0) ||
	    !frame_code_first_call(unwinder->code, walk->lr, walk->pc, &call))
		return return_by_link(walk, properties);
	const struct frame_row *first = frame_row_at(&unwinder->rows, call.target);
	bool is_called = first != NULL && first->base == FRAME_FROM_SP && first->offset == 0 &&
	                 first->ra == FRAME_UNKNOWN && call.target <= walk->pc && walk->pc - call.target < SAVES_MAX;
	/* Where the rules are unknown, the registers have been saved already, so the rules after the return apply. */
	if (row->base == FRAME_FROM_UNKNOWN)
		row = frame_row_at(&unwinder->rows, call.site + call.length);
	if (!is_called || row == NULL || row->base == FRAME_FROM_UNKNOWN)
		return return_by_link(walk, properties);
	if (!find_caller_base(walk, row, &base))
		return false;
	if (path->depth == UNWIND_DEPTH_MAX)
		return end_unwinding(walk, UNWIND_BAD);
	walk->sp = base;
	path->returns[path->depth++] = call.site + call.length;
	return return_to(walk, walk->lr, frame_code_properties(unwinder->code, call.site));
}

/* Finds the caller's frame pointer. If its word was not kept, the path ends only where the frame pointer is needed. */
static bool find_fp(struct stack_walk *walk, const struct frame_row *row, uint64_t base)
{
	uint64_t value = 0;

	if (row->fp == FRAME_SAME)
		return true;
	enum reading reading =
	        row->fp != FRAME_SAVED
	                ? READ_DROPPED
	                : read_stack_word(walk, wrap_address(walk, base + (uint64_t)(int64_t)row->fp_offset), &value);
	walk->fp = value;
	walk->is_fp_lost = reading != READ;
	return reading != READ_ENDED;
}

/* Whether the row has a return address; if not, the path has ended. */
static bool has_ra(struct stack_walk *walk, const struct frame_row *row, unsigned properties)
{
	if (row->ra == FRAME_NONE)
		return end_outermost(walk, properties, UNWIND_TASK);
	/* A call has overwritten the link register. */
	if (row->ra == FRAME_SAME && !walk->is_leaf)
		return end_outermost(walk, properties, UNWIND_NO_ROW);
	return true;
}

/* A word that was not kept leads nowhere, as the return address of a task may. */
static bool find_ra(struct stack_walk *walk, const struct frame_row *row, unsigned properties, uint64_t base,
                    uint64_t *ra)
{
	*ra = walk->lr;
	if (row->ra == FRAME_SAME)
		return true;
	enum reading reading = read_stack_word(walk, wrap_address(walk, base + (uint64_t)(int64_t)row->ra_offset), ra);
	return reading == READ || (reading == READ_DROPPED && end_without_return(walk, properties));
}

/* False where the path ends. */
static bool unwind_frame(struct stack_walk *walk)
{
	const struct unwinder *unwinder = walk->unwinder;
	/* A call may be the last instruction of its function. */
	uint64_t address = walk->is_leaf ? walk->pc : walk->pc - 1;
	const struct frame_row *row = frame_row_at(&unwinder->rows, address);
	unsigned properties = row != NULL ? unwinder->properties[row - unwinder->rows.rows]
	                                  : frame_code_properties(unwinder->code, address);
	uint64_t base, ra;

	if ((properties & FRAME_IS_ENTRY) != 0)
		return end_unwinding(walk, UNWIND_ROOT);
	if ((properties & FRAME_IS_TRAP) != 0)
		return end_unwinding(walk, UNWIND_EXCEPTION);
	if (row != NULL && row->ra == FRAME_UNKNOWN)
		return return_twice(walk, row, properties);
	if (row == NULL || row->base == FRAME_FROM_UNKNOWN)
		return return_by_link(walk, properties);
	if (!has_ra(walk, row, properties) || !find_caller_base(walk, row, &base))
		return false;
	walk->sp = base;
	return find_ra(walk, row, properties, base, &ra) && find_fp(walk, row, base) && return_to(walk, ra, properties);
}

void unwind(const struct unwinder *unwinder, const struct unwind_stack *stack, struct unwind_path *path)
{
	struct stack_walk walk = {
	        .unwinder = unwinder,
	        .stack = stack,
	        .path = path,
	        .word_size = unwinder->image->address_size,
	        .pc = stack->pc & ~image_thumb_bit(unwinder->image),
	        .lr = stack->lr,
	        .sp = stack->sp,
	        .fp = stack->fp,
	        .is_leaf = true,
	};

	path->depth = 0;
	path->needed = 0;
	while (unwind_frame(&walk))
		;
	path->top = walk.sp;
}
