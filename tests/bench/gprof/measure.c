/* SPDX-License-Identifier: MIT */
/*
 * measure LIMIT COMMAND [ARGUMENT]...: runs a command with its output thrown away and prints its seconds (wall clock)
 * and its peak memory in KiB (getrusage). After LIMIT seconds it is stopped, and "-" printed for the seconds. Fails if
 * the command does.
 */
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pid_t child;

static void stop(int signal)
{
	(void)signal;
	kill(child, SIGKILL);
}

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void run(char **words)
{
	int nowhere = open("/dev/null", O_WRONLY);
	if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
		err(125, "/dev/null");
	execvp(words[0], words);
	err(125, "%s", words[0]);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		errx(2, "usage: measure LIMIT COMMAND [ARGUMENT]...");
	int status;
	struct rusage usage;
	double start = now();
	child = fork();
	if (child < 0)
		err(1, "fork");
	if (child == 0)
		run(argv + 2);
	signal(SIGALRM, stop);
	alarm((unsigned)strtoul(argv[1], NULL, 10));
	while (wait4(child, &status, 0, &usage) != child)
		continue;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
		printf("- %ld\n", usage.ru_maxrss);
		return 0;
	}
	printf("%.6f %ld\n", now() - start, usage.ru_maxrss);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : 1;
}
