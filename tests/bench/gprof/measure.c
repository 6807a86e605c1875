/* SPDX-License-Identifier: MIT */
/*
 * measure LIMIT COMMAND [ARGUMENT]...: runs a command with its output thrown away and prints "done", the seconds of
 * processor time that it took and its peak memory in KiB (getrusage). After LIMIT such seconds it is stopped, and that
 * is printed with "stopped" in front. Fails if the command does. Processor time, since other programs hardly change it.
 */
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static void run(const char *limit, char **words)
{
	int nowhere = open("/dev/null", O_WRONLY);
	rlim_t limit_seconds = strtoul(limit, NULL, 10);
	const struct rlimit processor = {limit_seconds, limit_seconds};

	if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
		err(125, "/dev/null");
	if (setrlimit(RLIMIT_CPU, &processor) != 0)
		err(125, "setrlimit");
	execvp(words[0], words);
	err(125, "%s", words[0]);
}

int main(int argc, char **argv)
{
	int status;
	struct rusage usage;

	if (argc < 3)
		errx(2, "usage: measure LIMIT COMMAND [ARGUMENT]...");
	pid_t child = fork();
	if (child < 0)
		err(1, "fork");
	if (child == 0)
		run(argv[1], argv + 2);
	if (wait4(child, &status, 0, &usage) != child)
		err(1, "wait4");
	bool is_stopped = WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGXCPU);
	printf("%s %.6f %ld\n", is_stopped ? "stopped" : "done", seconds(usage.ru_utime) + seconds(usage.ru_stime),
	       usage.ru_maxrss);
	return is_stopped || (WIFEXITED(status) && WEXITSTATUS(status) == 0) ? 0 : 1;
}
