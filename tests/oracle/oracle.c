/* SPDX-License-Identifier: MIT */
/*
 * oracle BAREPROF FOLDER COUNT SEED [NUMBER]: generates COUNT random profiles and command lines (or only the one with
 * this number), runs GNU gprof for the target and `BAREPROF gprof` on each, and compares standard output byte for byte
 * and whether both succeed. Prints `ok` or `not ok` per hundred profiles. The files of a profile with a difference stay
 * in FOLDER/NUMBER.
 *
 * Profiles that trigger defects of GNU gprof (docs/GPROF.md) are not generated:
 *
 *   the last symbol has no time and bad bounds,
 *   and no option can name it                    it is the end of the code: nothing runs there
 *                                                (firmware.c) or after it (gmon_file.c)
 *   local names with a dot or $ are dropped      only .constprop, .clone and .NUMBER, which it keeps
 *                                                (names.c), each before a plain name (firmware.c)
 *   a file below 20 bytes is refused             BSD files have more bins (recording.c)
 *   weak data is taken for code                  data is not weak (firmware.c)
 *   calls from or to no symbol are dropped       there are none (recording.c)
 *   calls to a label go to another function      there are none (recording.c)
 *   a cycle without callers has no entry         every cycle has a counted call from outside (cycles.c)
 *   bins below 2 bytes lose samples              there are none (recording.c)
 *   a rate of 0, or several rates                one rate, not 0 (recording.c)
 *   basic blocks of big-endian targets           there are none (gmon_file.c)
 *   an empty side of -k, -q or -Q is of .text    there are none if other sections have code (options.c)
 *   only one of the arcs A/B, A/C is dropped    rules for arcs have different callers (options.c)
 *   times per call are in "Ts" where all are 0   read as "s" (below)
 *   times are -nan where there is no histogram   read as 0.00 (below)
 *   -s wraps sums at 16 and 32 bits; -c          not generated (options.c)
 */
#include "cycles.h"
#include "division.h"
#include "firmware.h"
#include "options.h"
#include "recording.h"
#include "run.h"

#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { GROUP = 100 };

struct profile {
	struct firmware firmware;
	struct division division;
	struct recording recording;
	struct options options;
};

/* The results of some profiles. */
struct tally {
	unsigned equal, different;
	unsigned printed; /* equal ones for which both tools succeeded */
};

struct oracle {
	const char *bareprof, *folder;
	uint64_t seed;
};

/* --- One profile. */

static void write_options_file(struct options *options)
{
	FILE *file = fopen("words", "w");

	if (file == NULL)
		err(1, "words");
	for (size_t i = 0; i < options->word_count; i++)
		fprintf(file, "%s\n", options->words[i]);
	if (fclose(file) != 0)
		err(1, "words");
	options->word_count = 1;
	snprintf(options->words[0], WORD_SIZE, "@words");
}

static void write_files(struct profile *profile, struct random *random)
{
	static const char *const names[FILES_MAX] = {"gmon.out", "gmon.out.1", "gmon.out.2"};

	firmware_write(&profile->firmware, "a.out");
	firmware_write_symbols(&profile->firmware, "symbols");
	for (unsigned i = 0; i < profile->recording.file_count; i++)
		recording_write(&profile->recording, &profile->firmware, i, random, names[i]);
}

static void generate(struct profile *profile, struct random random)
{
	firmware_generate(&profile->firmware, &random);
	options_generate_division(&profile->options, &random);
	division_make(&profile->firmware, profile->options.division, &profile->division);
	recording_generate(&profile->recording, &profile->firmware, &profile->division, &random);
	options_generate(&profile->options, &profile->firmware, &profile->recording, &random);
	options_resolve_rules(&profile->options, &profile->division);
	cycles_give_callers(&profile->recording, &profile->division, &profile->options, &random);
	write_files(profile, &random);
	if (random_chance(&random, 4))
		write_options_file(&profile->options);
}

/* --- Comparing. */

static pid_t start(const char *name, const char *program, const char *command, const struct options *options)
{
	char *words[WORDS_MAX + 3] = {0};
	size_t count = 0;

	words[count++] = (char *)program;
	if (command != NULL)
		words[count++] = (char *)command;
	for (size_t i = 0; i < options->word_count; i++)
		words[count++] = (char *)options->words[i];
	return run_start(name, words);
}

static void print_command(const struct oracle *oracle, const struct profile *profile, uint64_t number)
{
	printf("# cd %s/%" PRIu64 " && for gprof in %s '%s gprof'; do LC_ALL=C $gprof", oracle->folder, number,
	       machines[profile->firmware.machine].gprof, oracle->bareprof);
	for (size_t i = 0; i < profile->options.word_count; i++)
		printf(" '%s'", profile->options.words[i]);
	printf("; done\n");
}

static void print_difference(int gnu_status, int our_status)
{
	printf("# exit status %d of GNU gprof, %d of bareprof\n", gnu_status, our_status);
	fflush(stdout);
	if (system("diff gnu.out bareprof.out | head -n 12; head -n 2 gnu.err bareprof.err") == -1)
		err(1, "diff");
}

static void remove_files(void)
{
	static const char *const names[] = {"a.out",      "symbols", "words",   "gmon.out",     "gmon.out.1",
	                                    "gmon.out.2", "gnu.out", "gnu.err", "bareprof.out", "bareprof.err"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		unlink(names[i]);
}

/*
 * Corrects two defects of GNU gprof where there are no samples: "Ts/call" for any dimension, and times without a rate.
 */
static void fix_numbers(char *text)
{
	for (char *unit = text; (unit = strstr(unit, " T")) != NULL; unit++)
		if (unit[2] != '\0' && strncmp(unit + 3, "/call", 5) == 0)
			unit[1] = ' ';
	for (char *number = text; (number = strstr(number, "-nan")) != NULL; number += 4)
		memcpy(number, "0.00", 4);
}

/* Returns true if both results are equal. */
static bool check_results(int gnu_status, int our_status, struct tally *tally)
{
	size_t gnu_size, our_size;
	char *gnu = run_read("gnu.out", &gnu_size), *ours = run_read("bareprof.out", &our_size);

	fix_numbers(gnu);
	bool is_equal = gnu_status == our_status && gnu_size == our_size && memcmp(gnu, ours, gnu_size) == 0;
	free(gnu);
	free(ours);
	if (is_equal) {
		tally->equal++;
		tally->printed += gnu_status == 0 && gnu_size > 0;
	} else {
		tally->different++;
		print_difference(gnu_status, our_status);
	}
	return is_equal;
}

/* Compares one profile, in its own folder. */
static void compare(const struct oracle *oracle, uint64_t number, struct tally *tally)
{
	static struct profile profile;
	char folder[32];

	snprintf(folder, sizeof folder, "%" PRIu64, number);
	if ((mkdir(folder, 0777) != 0 && errno != EEXIST) || chdir(folder) != 0)
		err(1, "%s", folder);
	generate(&profile, random_create(oracle->seed, number));
	pid_t gnu = start("gnu", machines[profile.firmware.machine].gprof, NULL, &profile.options);
	pid_t ours = start("bareprof", oracle->bareprof, "gprof", &profile.options);
	int gnu_status = run_wait(gnu), our_status = run_wait(ours);
	bool ok = check_results(gnu_status, our_status, tally);
	if (ok)
		remove_files();
	else
		print_command(oracle, &profile, number);
	if (chdir(oracle->folder) != 0 || (ok && rmdir(folder) != 0))
		err(1, "%s/%s", oracle->folder, folder);
}

/* --- All profiles. */

static bool report(const struct oracle *oracle, uint64_t first, uint64_t last, const struct tally *tally)
{
	unsigned count = tally->equal + tally->different;
	bool is_good = tally->different == 0;

	printf("%s profiles %" PRIu64 " to %" PRIu64 " of seed %" PRIu64 ": %u of %u equal\n",
	       is_good ? "ok" : "not ok", first, last, oracle->seed, tally->equal, count);
	fflush(stdout);
	return is_good;
}

static void add(struct tally *sum, const struct tally *tally)
{
	sum->equal += tally->equal;
	sum->different += tally->different;
	sum->printed += tally->printed;
}

/* Profiles that both tools refuse always compare equal, so most profiles must be printed. */
static bool report_coverage(const struct tally *tally, uint64_t count)
{
	bool is_good = tally->printed + tally->different >= count * 9 / 10;

	printf("%s enough profiles were printed: %u of %" PRIu64 "\n", is_good ? "ok" : "not ok",
	       tally->printed + tally->different, count);
	return is_good;
}

static bool compare_all(const struct oracle *oracle, uint64_t count)
{
	struct tally sum = {0};
	bool is_good = true;

	for (uint64_t first = 0; first < count; first += GROUP) {
		struct tally tally = {0};
		uint64_t end = first + GROUP < count ? first + GROUP : count;

		for (uint64_t i = first; i < end; i++)
			compare(oracle, i, &tally);
		is_good &= report(oracle, first, end - 1, &tally);
		add(&sum, &tally);
	}
	return is_good & report_coverage(&sum, count);
}

static uint64_t number_of(const char *word)
{
	char *end;

	unsigned long long number = strtoull(word, &end, 10);
	if (*word == '\0' || *end != '\0')
		errx(2, "%s is not a number", word);
	return number;
}

int main(int argc, char **argv)
{
	char bareprof[PATH_MAX], folder[PATH_MAX];

	if (argc != 5 && argc != 6)
		errx(2, "usage: oracle BAREPROF FOLDER COUNT SEED [NUMBER]");
	if (realpath(argv[1], bareprof) == NULL)
		err(2, "%s", argv[1]);
	if ((mkdir(argv[2], 0777) != 0 && errno != EEXIST) || realpath(argv[2], folder) == NULL || chdir(folder) != 0)
		err(2, "%s", argv[2]);
	setenv("LC_ALL", "C", 1);
	unsetenv("GPROF_PATH");
	const struct oracle oracle = {.bareprof = bareprof, .folder = folder, .seed = number_of(argv[4])};
	if (argc == 5)
		return compare_all(&oracle, number_of(argv[3])) ? 0 : 1;
	struct tally tally = {0};
	compare(&oracle, number_of(argv[5]), &tally);
	return report(&oracle, number_of(argv[5]), number_of(argv[5]), &tally) ? 0 : 1;
}
