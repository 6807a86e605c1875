/* SPDX-License-Identifier: MIT */
/* See objdump.h. */
#include "report/objdump.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The maximum output to read: per byte of code, and for long names. Another program may print without end. */
#define OUTPUT_PER_BYTE 1024u
#define OUTPUT_MIN      ((uint64_t)16 << 20)

/* The programs' names in toolchains for each ISA. LLVM's program, which knows all ISAs, is last. */
static const char *const *programs_for(enum image_isa isa)
{
	static const char *const arm[] = {"arm-none-eabi-objdump", "arm-zephyr-eabi-objdump", "llvm-objdump", NULL};
	static const char *const riscv[] = {"riscv64-unknown-elf-objdump",
	                                    "riscv32-unknown-elf-objdump",
	                                    "riscv-none-elf-objdump",
	                                    "riscv32-esp-elf-objdump",
	                                    "riscv64-zephyr-elf-objdump",
	                                    "llvm-objdump",
	                                    NULL};
	static const char *const other[] = {"objdump", "llvm-objdump", NULL};

	return isa == IMAGE_ISA_ARM ? arm : isa == IMAGE_ISA_RISCV ? riscv : other;
}

/* Starts a program whose output goes to a pipe. Returns an error number. */
static int spawn_program(const char *program, char *const *arguments, int output, pid_t *child)
{
	posix_spawn_file_actions_t actions;
	int problem = posix_spawn_file_actions_init(&actions);

	if (problem != 0)
		return problem;
	posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	problem = posix_spawnp(child, program, &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	return problem;
}

/* Starts the first of the programs that exists, which becomes objdump->program. */
static int spawn_first_program(struct objdump *objdump, char *const *arguments, int output)
{
	const char *const only[] = {objdump->program, NULL};
	const char *const *programs = objdump->program != NULL ? only : programs_for(objdump->image->isa);
	int problem = ENOENT;

	for (; *programs != NULL && problem == ENOENT; programs++) {
		problem = spawn_program(*programs, arguments, output, &objdump->child);
		if (problem == 0)
			objdump->program = *programs;
	}
	return problem;
}

static enum status fail_to_start(const struct objdump *objdump, int problem, struct error *error)
{
	if (objdump->program != NULL)
		return status_fail(error, "%s: cannot run it: %s", objdump->program, strerror(problem));
	return status_fail_with(error, HINT_FIND_OBJDUMP, "%s: no %s, or a similar program, was found",
	                        objdump->image->path, programs_for(objdump->image->isa)[0]);
}

/* A name that begins with a dash would be taken for an option. */
static char *operand_of(const char *path)
{
	char *operand;

	return asprintf(&operand, "%s%s", path[0] == '-' ? "./" : "", path) < 0 ? NULL : operand;
}

enum status objdump_begin(struct objdump *objdump, uint64_t low, uint64_t high, struct error *error)
{
	char from[40], to[40], *operand = operand_of(objdump->image->path);
	char *const arguments[] = {"objdump", "-d", "-C", "--no-show-raw-insn", from, to, operand, NULL};
	int ends[2];

	snprintf(from, sizeof from, "--start-address=0x%" PRIx64, low);
	snprintf(to, sizeof to, "--stop-address=0x%" PRIx64, high);
	if (operand == NULL || pipe2(ends, O_CLOEXEC) != 0) {
		free(operand);
		return status_no_memory(error, objdump->image->path);
	}
	int problem = spawn_first_program(objdump, arguments, ends[1]);
	free(operand);
	close(ends[1]);
	if (problem != 0) {
		close(ends[0]);
		return fail_to_start(objdump, problem, error);
	}
	objdump->bytes_left = OUTPUT_MIN + OUTPUT_PER_BYTE * (high - low);
	objdump->output = fdopen(ends[0], "r");
	if (objdump->output != NULL)
		return STATUS_OK;
	close(ends[0]);
	objdump_end(objdump, error);
	return status_no_memory(error, objdump->image->path);
}

/* False at the end of the output. */
static bool read_objdump_line(struct objdump *objdump)
{
	size_t length = 0;
	int byte = EOF;

	while (objdump->bytes_left > 0 && (byte = getc(objdump->output)) != EOF && byte != '\n') {
		if (length + 1 < sizeof objdump->line)
			objdump->line[length++] = (char)byte;
		objdump->bytes_left--;
	}
	objdump->line[length] = '\0';
	return byte == '\n' || (byte == EOF && length > 0);
}

/* Instructions look like ` 8000:\tmov\tr0, r1`; other lines are headings. */
bool objdump_next(struct objdump *objdump, struct objdump_line *line)
{
	while (read_objdump_line(objdump)) {
		char *end;

		line->address = strtoull(objdump->line, &end, 16);
		if (end == objdump->line || *end != ':')
			continue;
		line->text = end + 1 + strspn(end + 1, " \t");
		return true;
	}
	return false;
}

enum status objdump_end(struct objdump *objdump, struct error *error)
{
	int result = 0;

	if (objdump->output != NULL)
		fclose(objdump->output);
	objdump->output = NULL;
	if (objdump->bytes_left == 0)
		kill(objdump->child, SIGKILL);
	while (waitpid(objdump->child, &result, 0) < 0 && errno == EINTR)
		;
	if (objdump->bytes_left == 0)
		return status_fail_with(error, HINT_FIND_OBJDUMP,
		                        "%s: is not an objdump: it printed more than a disassembly of %s has",
		                        objdump->program, objdump->image->path);
	if (WIFEXITED(result) && WEXITSTATUS(result) == 0)
		return STATUS_OK;
	return status_fail(error, "%s: it could not disassemble %s", objdump->program, objdump->image->path);
}
