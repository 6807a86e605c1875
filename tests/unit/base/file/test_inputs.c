/* SPDX-License-Identifier: MIT */
/* Outputs are refused if they are an input, under any name. */
#include "base/file/inputs.h"
#include "output.h"
#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

typedef enum status check_output(const char *path, const struct file_inputs *inputs, struct error *error);

static struct file_inputs inputs_of(const char *path)
{
	struct file_inputs inputs = {0};
	struct error error;

	assert_int_equal(file_inputs_add(&inputs, path, &error), STATUS_OK);
	return inputs;
}

static void expect_accepted(check_output *check, const char *path, const struct file_inputs *inputs)
{
	assert_success(check(path, inputs, &failure), &failure);
}

static void expect_refused(check_output *check, const char *path, const struct file_inputs *inputs,
                           enum status expected, const char *reason)
{
	char message[1300];
	struct error error = {.message = ""};

	assert_int_equal(check(path, inputs, &error), expected);
	snprintf(message, sizeof message, "%s: %s", path, reason);
	assert_string_equal(error.message, message);
}

static void expect_overwrites(const char *path, const struct file_inputs *inputs, const char *input)
{
	char reason[700];

	snprintf(reason, sizeof reason, "would overwrite %s, which is an input", input);
	expect_refused(file_check_output, path, inputs, STATUS_USAGE, reason);
	expect_refused(file_check_implicit_output, path, inputs, STATUS_USAGE, reason);
}

EACH_TEST(output_open_folder, output_close_folder);

TEST(output_that_is_an_input_under_any_name_is_refused)
{
	char input[600];

	snprintf(input, sizeof input, "%s", in_folder("input"));
	put(input, "text");
	put(in_folder("other"), "text");
	assert_int_equal(symlink("input", in_folder("link")), 0);
	assert_int_equal(link(input, in_folder("hard")), 0);
	struct file_inputs inputs = inputs_of(in_folder("other"));
	struct error error;
	assert_int_equal(file_inputs_add(&inputs, input, &error), STATUS_OK);
	expect_overwrites(input, &inputs, input);
	expect_overwrites(in_folder("./input"), &inputs, input);
	expect_overwrites(in_folder("link"), &inputs, input);
	expect_overwrites(in_folder("hard"), &inputs, input);
	file_inputs_free(&inputs);
}

TEST(outputs_that_are_not_inputs_are_accepted)
{
	put(in_folder("input"), "text");
	put(in_folder("other"), "text");
	struct file_inputs inputs = inputs_of(in_folder("input"));
	struct error error;
	assert_int_equal(file_inputs_add(&inputs, in_folder("missing"), &error), STATUS_OK);
	for (check_output *const *check = (check_output *const[]){file_check_output, file_check_implicit_output, NULL};
	     *check != NULL; check++) {
		expect_accepted(*check, in_folder("other"), &inputs);
		expect_accepted(*check, in_folder("missing"), &inputs);
		expect_accepted(*check, output_folder(), &inputs);
	}
	expect_accepted(file_check_output, "-", &inputs);
	file_inputs_free(&inputs);
}

TEST(output_open_as_standard_input_is_refused)
{
	put(in_folder("input"), "text");
	int saved = redirect(STDIN_FILENO, open(in_folder("input"), O_RDONLY));
	struct file_inputs inputs = inputs_of("-");
	close(redirect(STDIN_FILENO, saved));
	expect_overwrites(in_folder("input"), &inputs, "standard input");
	file_inputs_free(&inputs);
}

TEST(standard_input_can_be_an_input_only_once)
{
	struct file_inputs inputs = inputs_of("-");
	struct error error;

	assert_int_equal(file_inputs_add(&inputs, "-", &error), STATUS_USAGE);
	assert_string_equal(error.message, "-: named twice, but standard input can be read only once");
	file_inputs_free(&inputs);
}

TEST(dash_can_be_an_ordinary_file)
{
	int folder = open(".", O_RDONLY | O_DIRECTORY);

	assert_int_equal(chdir(output_folder()), 0);
	put("./-", "text");
	struct file_inputs inputs = {0};
	struct error error;
	assert_int_equal(file_inputs_add_regular(&inputs, "-", &error), STATUS_OK);
	assert_int_equal(file_inputs_add_regular(&inputs, "-", &error), STATUS_OK);
	expect_overwrites("./-", &inputs, "-");
	expect_accepted(file_check_output, "-", &inputs);
	expect_refused(file_check_implicit_output, "-", &inputs, STATUS_USAGE, "would overwrite -, which is an input");
	assert_false(file_can_be_read_again("-"));
	file_inputs_free(&inputs);
	unlink("-");
	assert_int_equal(fchdir(folder), 0);
	close(folder);
}

/* Writing to a device that is also an input destroys nothing. */
TEST(only_fixed_names_must_be_regular_files)
{
	static const char reason[] = "not a regular file, so it is not overwritten";
	struct file_inputs inputs = inputs_of("/dev/null");

	assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
	expect_accepted(file_check_output, "/dev/null", &inputs);
	expect_accepted(file_check_output, in_folder("pipe"), &inputs);
	expect_refused(file_check_implicit_output, "/dev/null", &inputs, STATUS_FAILED, reason);
	expect_refused(file_check_implicit_output, in_folder("pipe"), &inputs, STATUS_FAILED, reason);
	file_inputs_free(&inputs);
}

static const char *numbered(int number)
{
	char name[16];

	snprintf(name, sizeof name, "input%d", number);
	return in_folder(name);
}

TEST(any_number_of_inputs_is_kept)
{
	struct file_inputs inputs = {0};
	struct error error;

	for (int i = 0; i < 40; i++) {
		put(numbered(i), "text");
		assert_int_equal(file_inputs_add(&inputs, numbered(i), &error), STATUS_OK);
	}
	for (int i = 0; i < 40; i++)
		expect_overwrites(numbered(i), &inputs, numbered(i));
	file_inputs_free(&inputs);
	assert_int_equal(inputs.count, 0);
}

TEST(only_named_regular_files_can_be_read_again)
{
	put(in_folder("input"), "text");
	assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
	assert_true(file_can_be_read_again(in_folder("input")));
	assert_false(file_can_be_read_again(in_folder("pipe")));
	assert_false(file_can_be_read_again(in_folder("missing")));
	assert_false(file_can_be_read_again("/dev/null"));
}
