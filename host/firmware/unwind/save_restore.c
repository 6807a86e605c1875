/* SPDX-License-Identifier: MIT */
/* See save_restore.h. */
#include "firmware/unwind/save_restore.h"

#include "base/array.h"
#include "firmware/calls/segments.h"
#include "firmware/private.h"

#include <string.h>

/* The maximum number of instructions of functions that continue in each other; libgcc has 30. */
#define STEPS_MAX 64
/* The maximum number of bytes by which one instruction moves the stack pointer. */
#define FRAME_MAX 4096

struct effect_step {
	uint64_t low, high;
	struct stack_effect effect;
	bool goes_on;   /* control goes on to the next instruction */
	bool is_return; /* it returns by the link register */
};

struct steps {
	struct effect_step items[STEPS_MAX];
	size_t count;
};

/* Appends the instructions of a function. False if there are too many, or if the last one goes on in the next function.
 */
static bool read_steps(const struct image *image, const struct image_function *function, struct steps *steps)
{
	const struct image_code *code = image_code_at(image, function->start);
	const struct decoder *decoder = decoder_of(image);
	struct instruction_walk walk;

	if (code == NULL || function->end - code->address > code->size)
		return false;
	const struct segment segment = {.code = code, .start = function->start, .end = function->end};
	instruction_walk_begin(&walk, decoder, image, &segment);
	while (instruction_walk_next(&walk)) {
		uint64_t low = walk.place.address;
		struct effect_step step = {
		        .low = low,
		        .high = low + walk.instruction.length,
		        .goes_on = walk.instruction.flow == FLOW_NEXT,
		        .is_return = walk.instruction.returns == RETURN_BY_LINK,
		};

		if (steps->count == STEPS_MAX)
			return false;
		decoder->find_stack_effect(&walk.place, &walk.registers, &step.effect);
		if (step.effect.rise < -FRAME_MAX || step.effect.rise > FRAME_MAX)
			step.effect.is_known = false;
		steps->items[steps->count++] = step;
	}
	return walk.place.size == 0;
}

static bool add_row_of_step(struct frame_rows *rows, struct frame_row row, const struct effect_step *step)
{
	row.low = step->low;
	row.high = step->high;
	return array_append(&rows->rows, &rows->count, &row, sizeof row);
}

/* Adds the rows of a function that saves registers for its caller. It returns by t0, which rows have no rule for, so
 * the return address is unknown. Adds no rows if the function cannot be read. */
static bool add_save_rows(const struct image *image, const struct image_function *function, struct frame_rows *rows)
{
	struct frame_row row = {.base = FRAME_FROM_SP, .ra = FRAME_UNKNOWN};
	struct steps steps = {.count = 0};

	if (!read_steps(image, function, &steps))
		return true;
	for (size_t i = 0; i < steps.count; i++) {
		const struct stack_effect *effect = &steps.items[i].effect;

		if (!add_row_of_step(rows, row, &steps.items[i]))
			return false;
		if (effect->moves && !effect->is_known)
			row.base = FRAME_FROM_UNKNOWN;
		else
			row.offset -= (int32_t)effect->rise;
	}
	return true;
}

/* The rules before an instruction, from those after it. */
static void undo_effect(struct frame_row *row, const struct stack_effect *effect)
{
	row->offset += (int32_t)effect->rise;
	if (effect->loads_link) {
		row->ra = FRAME_SAVED;
		row->ra_offset = (int32_t)effect->link_from - row->offset;
	}
	if (effect->loads_frame) {
		row->fp = FRAME_SAVED;
		row->fp_offset = (int32_t)effect->frame_from - row->offset;
	}
}

/* Adds the rows of functions, from first to final, that continue in each other up to a return. At the return, all
 * registers have the caller's values, so the rules are found backwards from there. */
static bool add_restore_rows(const struct image *image, const struct image_function *first,
                             const struct image_function *final, struct frame_rows *rows)
{
	struct frame_row row = {.base = FRAME_FROM_SP};
	struct steps steps = {.count = 0};
	size_t last = 0;

	for (const struct image_function *function = first; function <= final; function++)
		if (!read_steps(image, function, &steps))
			return true;
	while (last < steps.count && steps.items[last].goes_on)
		last++;
	if (last == steps.count || !steps.items[last].is_return)
		return true;
	for (size_t i = last + 1; i-- > 0;) {
		const struct stack_effect *effect = &steps.items[i].effect;

		if (effect->moves && !effect->is_known)
			return true;
		undo_effect(&row, effect);
		if (!add_row_of_step(rows, row, &steps.items[i]))
			return false;
	}
	return true;
}

static bool has_name(const struct image_function *function, const char *prefix)
{
	return strncmp(function->name, prefix, strlen(prefix)) == 0;
}

static bool has_rows(const struct frame_rows *rows, const struct image_function *function)
{
	return frame_rows_overlap(rows, function->start, function->end);
}

bool save_restore_add(const struct image *image, struct frame_rows *rows)
{
	const struct image_function *functions = image->private->functions;
	size_t count = image->isa == IMAGE_ISA_RISCV ? image->private->function_count : 0;
	size_t given_count = rows->count;
	bool ok = true;

	for (size_t i = 0; ok && i < count; i++) {
		const struct image_function *first = &functions[i];
		bool restores = has_name(&functions[i], "__riscv_restore_"),
		     saves = has_name(&functions[i], "__riscv_save_");

		/* Adding rows may move the array. */
		const struct frame_rows given = {.rows = rows->rows, .count = given_count};

		if (!(restores || saves) || has_rows(&given, &functions[i]))
			continue;
		while (restores && i + 1 < count && has_name(&functions[i + 1], "__riscv_restore_") &&
		       !has_rows(&given, &functions[i + 1]) && functions[i].end == functions[i + 1].start)
			i++;
		ok = restores ? add_restore_rows(image, first, &functions[i], rows)
		              : add_save_rows(image, &functions[i], rows);
	}
	if (ok && rows->count > given_count)
		frame_rows_sort(rows->rows, rows->count);
	return ok;
}
