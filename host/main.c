/* SPDX-License-Identifier: MIT */
/* The main program: finds the command, runs it and prints its error. The only place that prints errors or chooses the
 * exit status. */
#include "base/file/file.h"
#include "base/text/text.h"
#include "command/command.h"
#include "command/hints.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Whether the tool was started as gprof, for example through a link. */
static bool is_gprof(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;
	size_t length = strlen(name), expected = strlen(command_gprof.name);

	return length >= expected && strcmp(name + length - expected, command_gprof.name) == 0;
}

static enum status run(int argc, char **argv, struct error *error)
{
	if (argc > 0 && is_gprof(argv[0]))
		return command_gprof.run(argc, argv, error);
	if (argc < 2)
		return status_usage(error, "missing command; bareprof --help lists the commands");
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		command_print_all();
		return STATUS_OK;
	}
	if (strcmp(argv[1], "--version") == 0) {
		command_print_version();
		return STATUS_OK;
	}
	const struct command *command;
	enum status status = command_find(command_table, argv[1], &command, error);
	if (status != STATUS_OK)
		return status;
	for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
			command_print_help(command);
			return STATUS_OK;
		}
	}
	return command->run(argc - 1, argv + 1, error);
}

/* A full disk or a size limit is an error. A closed pipe (bareprof ... | head) is not, and does not change the verdict
 * of rules. */
static enum status flush_output(enum status status, struct error *error)
{
	int reason = file_flush_error(stdout);

	if (reason == 0 || (status != STATUS_OK && status != STATUS_RULES_BROKEN))
		return status;
	if (reason == EPIPE)
		return status == STATUS_RULES_BROKEN ? STATUS_RULES_BROKEN : STATUS_PIPE;
	return status_fail(error, "standard output: cannot write: %s", strerror(reason));
}

/* Fills closed standard streams, so that no file opened later takes their place and receives text. The replacements can
 * be neither read nor written, so using them still fails. */
static void fill_standard_streams(void)
{
	static const int modes[] = {[STDIN_FILENO] = O_WRONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_RDONLY};

	for (int i = 0; i <= STDERR_FILENO; i++)
		if (fcntl(i, F_GETFD) < 0 && open("/dev/null", modes[i]) != i)
			_exit(STATUS_FAILED);
}

int main(int argc, char **argv)
{
	struct error error = {.message = ""};

	fill_standard_streams();
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	if (argc > 1 && strcmp(argv[1], "__complete") == 0) {
		/* No errors: they would appear in the line that the user types. */
		command_complete(stdout, command_table, argc - 2, argv + 2);
		return STATUS_OK;
	}
	enum status status = flush_output(run(argc, argv, &error), &error);
	if (status != STATUS_OK && error.message[0] != '\0') {
		fprintf(stderr, "bareprof: ");
		text_print(stderr, error.message);
		if (error.hint != HINT_NONE)
			fprintf(stderr, "; %s", hints[error.hint]);
		fputc('\n', stderr);
	}
	return (int)status;
}
