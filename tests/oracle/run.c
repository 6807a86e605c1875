/* SPDX-License-Identifier: MIT */
/* See run.h. */
#include "run.h"

#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Ends a program that hangs, by SIGXCPU. */
enum { SECONDS_MAX = 30 };

static void redirect(int stream, const char *name, const char *ending)
{
	char path[32];

	snprintf(path, sizeof path, "%s.%s", name, ending);
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (file < 0 || dup2(file, stream) < 0)
		err(125, "%s", path);
	close(file);
}

pid_t run_start(const char *name, char *const *words)
{
	fflush(stdout);
	pid_t child = fork();
	if (child < 0)
		err(1, "fork");
	if (child > 0)
		return child;
	redirect(STDOUT_FILENO, name, "out");
	redirect(STDERR_FILENO, name, "err");
	const struct rlimit limit = {SECONDS_MAX, SECONDS_MAX};
	setrlimit(RLIMIT_CPU, &limit);
	execvp(words[0], words);
	err(125, "%s", words[0]);
}

int run_wait(pid_t child)
{
	int status;

	if (waitpid(child, &status, 0) != child)
		err(1, "waitpid");
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

char *run_read(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");

	if (file == NULL || fseek(file, 0, SEEK_END) != 0)
		err(1, "%s", path);
	long length = ftell(file);
	char *text = malloc((size_t)length + 1);
	rewind(file);
	if (text == NULL || fread(text, 1, (size_t)length, file) != (size_t)length)
		err(1, "%s", path);
	fclose(file);
	text[length] = '\0';
	*size = (size_t)length;
	return text;
}
