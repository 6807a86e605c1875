/* SPDX-License-Identifier: MIT */
/*
 * A QEMU plugin that keeps a shadow call stack: the return addresses of all functions that have not returned, for each
 * task and for each handler. It is the truth that unwound stacks and measured total times are compared with.
 *
 * The plugin interface offers no registers, so the stack follows from the instructions that are executed one after the
 * other: a call pushes the address after it, and a return pops. Code that continues at the address of a handler without
 * a branch to it entered an exception; it is interrupted until code of the handler's outermost frame returns.
 *
 * Arguments (addresses are hexadecimal):
 *   isa=arm_m|rv32|rv64
 *   handlers=A:B:...      where exceptions begin: the vectors of Arm, the entries of RISC-V's table
 *   sampler=A             the handler of the sampling interrupt, also listed in handlers
 *   paths=FILE            the file of paths, see below
 *   point=A               paths are also written when the instruction at A is executed
 *   start=A, stop=A       everything ends at stop, or at exit; instructions are counted from start on
 *   functions=FILE        see call_tree.h
 *   counts=FILE           the counts of instructions outside the sampler, see call_tree.h
 *   stacks=A:BYTES:COUNT  COUNT stacks of tasks follow each other from A on
 *   setjmp=A              the entry of setjmp(), if there is one
 *
 * A path is a line `NUMBER PC END CONTEXT DEPTH RETURN...`, the innermost return address first. NUMBER counts the
 * entries of the sampler, or points with a "p" before it; END is root, task or exception; CONTEXT is the number of a
 * task's stack, or 0. The last line begins with `summary`. A line `unexpected` says that the plugin lost its way.
 *
 * A tick right before a handler also has a line with an "l" before its number. Either the tick interrupted the code
 * that the handler interrupts as well, or the core had entered the handler without executing it. The instructions
 * are the same in both cases; the program counter that the tick found distinguishes the lines.
 */
#include "call_stack.h"
#include "plugin.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int qemu_plugin_version = 1;

#define BUCKETS      8192u
#define HANDLERS_MAX 64u
#define LEVELS_MAX   16u
#define TASKS_MAX    17u
#define REPORTED_MAX 8u
#define NO_TASK      SIZE_MAX

struct level {
	struct call_stack stack;
	bool is_sampler;
	size_t task; /* whose stack the handler read last */
};

/* The interface passes no context to the translation callback, so the plugin's state is global. */
static struct instruction *buckets[BUCKETS];
static enum branch_isa isa = ISA_ARM_M;
static uint64_t handlers[HANDLERS_MAX];
static size_t handler_count;
static uint64_t sampler = UINT64_MAX, point = UINT64_MAX, start = UINT64_MAX, stop = UINT64_MAX,
                setjmp_address = UINT64_MAX;
static uint64_t stacks_low, stacks_size, stacks_count;
static const char *functions_path, *counts_path, *paths_path;
static FILE *paths;

static struct call_stack tasks[TASKS_MAX]; /* 0: the code that runs on none of the stacks of tasks */
static size_t task;
static struct level levels[LEVELS_MAX];
static size_t level_count;
static bool counts;
static uint64_t ticks, points, exceptions, switches, unexpected;
static struct call_statistics statistics;
static bool was_switched; /* to a task that has not executed an instruction since */
static size_t old_ticks;  /* that interrupted the task, or one that was deleted, right before it was left */
static bool flushes_late; /* the last instruction loads or stores on the stack, which may be another than before */

static struct call_stack *running_stack(void)
{
	return level_count != 0 ? &levels[level_count - 1].stack : &tasks[task];
}

/* --- Lines of the file. */

static void write_path(const struct call_stack *stack, char prefix, uint64_t number, uint64_t pc)
{
	if (prefix != ' ')
		fputc(prefix, paths);
	fprintf(paths, "%" PRIu64 " %" PRIx64 " %s %zu %zu", number, pc, stack->end,
	        level_count != 0 ? (size_t)0 : task, stack->depth);
	for (size_t i = stack->depth; i-- > 0;)
		fprintf(paths, " %" PRIx64, stack->frames[i].return_address);
	fputc('\n', paths);
}

static void write_ticks(struct call_stack *stack)
{
	for (size_t i = 0; i < stack->tick_count; i++)
		write_path(stack, ' ', stack->ticks[i], stack->last->address);
	stack->tick_count = 0;
}

/* A task was deleted where these ticks had interrupted it. The others interrupt the one that has its stack now. */
static void write_old_ticks(struct call_stack *stack)
{
	for (size_t i = 0; i < old_ticks; i++)
		write_path(stack, ' ', stack->ticks[i], stack->last->end);
	stack->tick_count -= old_ticks;
	memmove(stack->ticks, stack->ticks + old_ticks, stack->tick_count * sizeof(*stack->ticks));
}

/* The lines of ticks that may have interrupted a handler before its first instruction. */
static void write_late_arrivals(const struct call_stack *stack, const struct instruction *handler)
{
	for (size_t i = 0; i < stack->tick_count; i++)
		fprintf(paths, "l%" PRIu64 " %" PRIx64 " exception 0 0\n", stack->ticks[i], handler->address);
}

static void report_unexpected(const struct call_stack *stack, const struct instruction *last,
                              const struct instruction *at)
{
	if (unexpected++ < REPORTED_MAX)
		fprintf(paths, "unexpected %" PRIx64 " after %" PRIx64 " level %zu depth %zu\n", at->address,
		        last->address, level_count, stack->depth);
}

/* --- Exceptions. */

static bool is_entry(const struct instruction *last, const struct instruction *at)
{
	if (!at->is_handler || last == NULL)
		return at->is_handler;
	const bool is_target = last->branch.has_target && last->branch.target == at->address;
	const bool is_next =
	        last->branch.kind == BRANCH_NONE && !last->branch.is_unconditional && last->end == at->address;
	return !is_target && !is_next;
}

/* Whether the last instruction of the innermost handler was its return from the exception. */
static bool handler_has_returned(const struct instruction *at)
{
	if (level_count == 0)
		return false;
	const struct level *level = &levels[level_count - 1];
	const struct instruction *last = level->stack.last;
	if (last == NULL)
		return false;
	if (isa != ISA_ARM_M)
		return last->branch.kind == BRANCH_TRAP_RETURN;
	return level->stack.depth == 0 && last->branch.kind == BRANCH_RETURN && !call_stack_falls_through(last, at);
}

static void leave_handler(void)
{
	const struct level *level = &levels[--level_count];

	if (level_count == 0 && level->task != NO_TASK && level->task != task) {
		task = level->task;
		switches++;
		was_switched = true;
		old_ticks = tasks[task].tick_count;
	}
}

static void enter_handler(const struct instruction *at)
{
	if (at->address == sampler)
		call_stack_note_tick(running_stack(), ++ticks);
	else
		write_late_arrivals(running_stack(), at);
	if (level_count == LEVELS_MAX)
		abort();
	struct level *level = &levels[level_count++];
	call_stack_reset(&level->stack, "exception");
	level->is_sampler = at->address == sampler;
	level->task = NO_TASK;
	exceptions++;
}

/* --- Execution. */

static void write_results(void)
{
	fprintf(paths,
	        "summary ticks %" PRIu64 " calls %" PRIu64 " exceptions %" PRIu64 " switches %" PRIu64
	        " longjmps %" PRIu64 " unexpected %" PRIu64 "\n",
	        ticks, statistics.calls, exceptions, switches, statistics.longjmps, unexpected);
	if (fclose(paths) != 0)
		perror(paths_path);
	paths = NULL;
	if (counts_path == NULL)
		return;
	FILE *file = fopen(counts_path, "w");
	if (file == NULL) {
		perror(counts_path);
		return;
	}
	call_tree_write(file);
	if (fclose(file) != 0)
		perror(counts_path);
}

static void count_instruction(struct call_stack *stack, const struct instruction *at)
{
	if (at->address == start) {
		call_tree_clear();
		counts = true;
	}
	call_stack_count(stack, at);
}

static void execute(unsigned cpu, void *context)
{
	const struct instruction *at = context;

	(void)cpu;
	if (paths == NULL)
		return;
	if (handler_has_returned(at))
		leave_handler();
	if (is_entry(running_stack()->last, at))
		enter_handler(at);
	struct call_stack *stack = running_stack();
	if (level_count == 0 && was_switched) {
		was_switched = false;
		if (call_stack_begins_again(stack, at)) {
			write_old_ticks(stack);
			call_stack_forget(stack);
		}
	}
	const struct instruction *last = stack->last;
	const bool is_task = level_count == 0 && task != 0;
	if (!call_stack_follow(stack, at, setjmp_address, is_task, &statistics))
		report_unexpected(stack, last, at);
	flushes_late = at->branch.uses_stack && stacks_count != 0;
	if (!flushes_late)
		write_ticks(stack);
	if (at->address == point)
		write_path(stack, 'p', ++points, at->address);
	if ((counts || at->address == start) && (level_count == 0 || !levels[level_count - 1].is_sampler))
		count_instruction(stack, at);
	if (at->address == stop && (counts || start == UINT64_MAX))
		write_results();
}

/* --- Stacks of tasks. */

/* The task whose stack contains the address, or NO_TASK. */
static size_t task_of(uint64_t address)
{
	const uint64_t number = (address - stacks_low) / stacks_size;

	return address >= stacks_low && number < stacks_count ? (size_t)number + 1 : NO_TASK;
}

/*
 * A handler that loads registers from the stack of a task will return to that task. Outside of handlers, on RISC-V: the
 * code of a switch has changed sp, and loads from the stack of the next task, whose code was left at this very
 * instruction.
 */
static void access_memory(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address, void *context)
{
	const struct instruction *at = context;
	const size_t accessed = task_of(address);

	(void)cpu;
	if (paths == NULL)
		return;
	if (level_count == 1 && !levels[0].is_sampler && accessed != NO_TASK && !qemu_plugin_mem_is_store(info))
		levels[0].task = accessed;
	if (isa == ISA_ARM_M)
		return;
	if (level_count == 0 && accessed != NO_TASK && accessed != task) {
		task = accessed;
		switches++;
		tasks[task].last = at;
	}
	if (flushes_late)
		write_ticks(running_stack());
	flushes_late = false;
}

/* --- Translation. */

static struct instruction *instruction_at(uint64_t address)
{
	struct instruction **bucket = &buckets[address / 2u % BUCKETS];

	for (struct instruction *instruction = *bucket; instruction != NULL; instruction = instruction->next)
		if (instruction->address == address)
			return instruction;
	struct instruction *instruction = calloc(1, sizeof(*instruction));
	if (instruction == NULL)
		abort();
	instruction->address = address;
	instruction->next = *bucket;
	*bucket = instruction;
	return instruction;
}

/* Marks the instructions of an IT block (Armv7-M ARM A7.7.38). The parts of a block may be translated one by one. */
static void mark_conditional(struct instruction *instruction, const uint8_t *bytes, size_t size)
{
	static uint64_t next;
	static unsigned left;

	if (left != 0 && instruction->address == next) {
		instruction->is_conditional = true;
		left--;
	} else {
		left = 0;
	}
	if (isa == ISA_ARM_M && size == 2 && bytes[1] == 0xBF && (bytes[0] & 0xFu) != 0)
		left = 4u - (unsigned)__builtin_ctz(bytes[0]);
	next = instruction->end;
}

/* The bytes that QEMU passes may include some of the next instruction, at the end of a page. */
static size_t size_of(const uint8_t *bytes)
{
	if (isa == ISA_ARM_M)
		return bytes[1] >> 3 >= 0x1D ? 4 : 2; /* Armv7-M ARM A5.1 */
	return (bytes[0] & 3u) == 3 ? 4 : 2;
}

static void watch_instruction(struct qemu_plugin_insn *translated)
{
	const uint64_t address = qemu_plugin_insn_vaddr(translated);
	const uint8_t *bytes = qemu_plugin_insn_data(translated);
	const size_t size = size_of(bytes);
	struct instruction *instruction = instruction_at(address);

	instruction->end = address + size;
	instruction->branch = branch_decode(isa, address, bytes, size);
	mark_conditional(instruction, bytes, size);
	instruction->function = call_tree_function_at(address);
	instruction->is_handler = false;
	for (size_t i = 0; i < handler_count; i++)
		instruction->is_handler |= handlers[i] == address;
	qemu_plugin_register_vcpu_insn_exec_cb(translated, execute, QEMU_PLUGIN_CB_NO_REGS, instruction);
	if (stacks_count != 0 && (isa == ISA_ARM_M || instruction->branch.uses_stack))
		qemu_plugin_register_vcpu_mem_cb(translated, access_memory, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
		                                 instruction);
}

static void watch_block(qemu_plugin_id_t id, struct qemu_plugin_tb *block)
{
	(void)id;
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++)
		watch_instruction(qemu_plugin_tb_get_insn(block, i));
}

static void write_at_exit(qemu_plugin_id_t id, void *context)
{
	(void)id;
	(void)context;
	if (stop == UINT64_MAX)
		write_results();
}

/* --- Arguments. */

static bool parse_isa(const char *value)
{
	static const char *const names[] = {[ISA_ARM_M] = "arm_m", [ISA_RV32] = "rv32", [ISA_RV64] = "rv64"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(value, names[i]) == 0) {
			isa = (enum branch_isa)i;
			return true;
		}
	return false;
}

static bool parse_handlers(const char *value)
{
	for (char *end = NULL; handler_count < HANDLERS_MAX; value = end + 1) {
		handlers[handler_count++] = strtoull(value, &end, 16);
		if (*end != ':')
			return *end == '\0';
	}
	return false;
}

static bool parse_stacks(const char *value)
{
	return sscanf(value, "%" SCNx64 ":%" SCNu64 ":%" SCNu64, &stacks_low, &stacks_size, &stacks_count) == 3 &&
	       stacks_size != 0 && stacks_count < TASKS_MAX;
}

static const struct argument {
	const char *name;
	bool (*parse)(const char *value);
	uint64_t *address;
	const char **text;
} arguments[] = {
        {"isa=", parse_isa, NULL, NULL},       {"handlers=", parse_handlers, NULL, NULL},
        {"stacks=", parse_stacks, NULL, NULL}, {"sampler=", NULL, &sampler, NULL},
        {"point=", NULL, &point, NULL},        {"start=", NULL, &start, NULL},
        {"stop=", NULL, &stop, NULL},          {"setjmp=", NULL, &setjmp_address, NULL},
        {"paths=", NULL, NULL, &paths_path},   {"functions=", NULL, NULL, &functions_path},
        {"counts=", NULL, NULL, &counts_path},
};

static bool parse_argument(const char *text)
{
	for (size_t i = 0; i < sizeof(arguments) / sizeof(*arguments); i++) {
		const struct argument *argument = &arguments[i];
		const size_t length = strlen(argument->name);

		if (strncmp(text, argument->name, length) != 0)
			continue;
		if (argument->parse != NULL)
			return argument->parse(text + length);
		if (argument->address != NULL)
			*argument->address = strtoull(text + length, NULL, 16);
		else
			*argument->text = text + length;
		return true;
	}
	return false;
}

int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc, char **argv)
{
	(void)info;
	for (int i = 0; i < argc; i++)
		if (!parse_argument(argv[i])) {
			fprintf(stderr, "shadow plugin: unknown or wrong argument %s\n", argv[i]);
			return 1;
		}
	if (functions_path != NULL && !call_tree_read_functions(functions_path)) {
		fprintf(stderr, "shadow plugin: no functions in %s\n", functions_path);
		return 1;
	}
	paths = paths_path != NULL ? fopen(paths_path, "w") : NULL;
	if (paths == NULL) {
		fprintf(stderr, "shadow plugin: paths=FILE is missing or cannot be written\n");
		return 1;
	}
	for (size_t i = 0; i < TASKS_MAX; i++)
		call_stack_reset(&tasks[i], i == 0 ? "root" : "task");
	qemu_plugin_register_vcpu_tb_trans_cb(id, watch_block);
	qemu_plugin_register_atexit_cb(id, write_at_exit, NULL);
	return 0;
}
